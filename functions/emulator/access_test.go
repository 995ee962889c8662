package emulator_test

import (
	"context"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/logging"
)

// beyond serves as a person asked for it, and returns the address and the
// token that were printed.
func beyond(t *testing.T, host string, variables map[string]string, user string, names ...string) (address, token string) {
	t.Helper()
	settings, err := emulator.ReadSettings(config.Map(variables))
	if err != nil {
		t.Fatal(err)
	}
	settings.User, settings.Hosts = user, names
	server, err := emulator.Open(t.Context(), filepath.Join(t.TempDir(), "local"), settings, logging.Discard)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := emulator.Listen(t.Context(), host, "0")
	if err != nil {
		t.Fatal(err)
	}
	printed, err := server.Admit(listener)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	address, token, _ = strings.Cut(printed, "/?token=")
	return address, token
}

// asked is one request and its status.
func asked(t *testing.T, method, address, host string, header ...string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer
}

// A server that can be reached from elsewhere answers to its names alone, and
// only to who brings a token.
func TestBeyondLoopback(t *testing.T) {
	address, token := beyond(t, "0.0.0.0", nil, "ana", "shop.example")
	if token == "" {
		t.Fatalf("no token was printed: %s", address)
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(address, "http://"))
	list, bearer := address+"/planner/v1/executions", []string{"Authorization", "Bearer " + token}
	for name, test := range map[string]struct {
		method, address, host string
		header                []string
		want                  int
	}{
		"without a token":                 {"GET", list, "", nil, 401},
		"with another":                    {"GET", list, "", []string{"Authorization", "Bearer " + token + "A"}, 401},
		"with it":                         {"GET", list, "", bearer, 200},
		"by a name it was given":          {"GET", list, "shop.example:" + port, bearer, 200},
		"by a foreign name":               {"GET", list, "evil.example:" + port, bearer, 403},
		"a foreign name's page":           {"POST", list, "evil.example:" + port, append([]string{"Origin", "http://evil.example:" + port}, bearer...), 403},
		"a page of another site":          {"POST", list, "", append([]string{"Origin", "http://evil.example"}, bearer...), 403},
		"whether it works":                {"GET", address + "/healthz", "", nil, 200},
		"whether it works, foreign name":  {"GET", address + "/healthz", "evil.example", nil, 403},
		"an event":                        {"POST", address + "/executor", "", nil, 401},
		"the sessions":                    {"GET", address + "/session/list-apps", "", nil, 401},
		"the agents' page":                {"GET", address + "/dev-ui/", "", nil, 401},
		"a page":                          {"GET", address + "/", "", []string{"Accept", "text/html"}, 401},
		"a page with its cookie":          {"GET", address + "/", "", []string{"Accept", "text/html", "Cookie", "planwright-" + port + "=" + token}, 200},
		"the style of the page that asks": {"GET", address + "/static/console.css", "", nil, 200},
	} {
		got := asked(t, test.method, test.address, test.host, test.header...)
		if got.StatusCode != test.want || test.want == 401 && test.header == nil && got.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s: %d, want %d; %v", name, got.StatusCode, test.want, got.Header)
		}
	}
	got := asked(t, "GET", address+"/executions?status=failed&token="+token, "", "Accept", "text/html")
	cookie := got.Header.Get("Set-Cookie")
	if got.StatusCode != 303 || got.Header.Get("Location") != "/executions?status=failed" || !strings.HasPrefix(cookie, "planwright-"+port+"="+token+";") || !strings.Contains(cookie, "HttpOnly") {
		t.Errorf("the printed address: %d, %v", got.StatusCode, got.Header)
	}
}

// Tokens are asked for where some may decide and others not, and of nobody else
// on one machine.
func TestWhenTokensAreAskedFor(t *testing.T) {
	for name, test := range map[string]struct {
		host      string
		variables map[string]string
		user      string
		want      int
	}{
		"one person":       {"127.0.0.1", nil, "", 200},
		"approvals alone":  {"127.0.0.1", map[string]string{"APPROVAL": "always"}, "", 200},
		"approvers":        {"127.0.0.1", map[string]string{"APPROVERS": "ana"}, "", 401},
		"another approver": {"127.0.0.1", map[string]string{"APPROVAL_BY_ANOTHER": "true"}, "", 401},
		"a named user":     {"127.0.0.1", nil, "ana", 401},
		"other machines":   {"0.0.0.0", nil, "", 401},
	} {
		address, token := beyond(t, test.host, test.variables, test.user)
		if got := asked(t, "GET", address+"/planner/v1/executions", ""); got.StatusCode != test.want || (token == "") != (test.want == 200) {
			t.Errorf("%s: %d, want %d; the token %q", name, got.StatusCode, test.want, token)
		}
	}
}
