package emulator_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/emulator/emulatortest"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
)

const userHeader = "X-Forwarded-User"

// behindProxy serves under https://shop.example for a proxy that names people, and
// returns the address on this machine.
func behindProxy(t *testing.T) string {
	t.Helper()
	settings, err := emulator.ReadSettings(config.Map(map[string]string{"PUBLIC_URL": "https://shop.example", "APPROVERS": "ana"}))
	if err != nil {
		t.Fatal(err)
	}
	if settings, err = settings.BehindProxy(userHeader); err != nil {
		t.Fatal(err)
	}
	address, _ := emulatortest.ServeWith(t, settings)
	return address
}

// request is one request, with headers as lines of names and values, and its answer.
func request(t *testing.T, method, address, host string, header ...string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	for i := 0; i < len(header); i += 2 {
		request.Header.Add(header[i], header[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode == http.StatusUnauthorized && answer.Header.Get("WWW-Authenticate") == "" {
		t.Errorf("%s %s: 401 without WWW-Authenticate", method, address)
	}
	return answer.StatusCode, string(text)
}

// Behind a proxy every request names exactly one sender, but for two things that
// everybody may ask for.
func TestBehindAProxyEveryRequestNamesItsSender(t *testing.T) {
	address := behindProxy(t)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(address, "http://"))
	list := address + "/planner/v1/executions"
	ana := []string{userHeader, "ana"}
	for name, test := range map[string]struct {
		method, address, host string
		header                []string
		want                  int
	}{
		"one":                             {"GET", list, "", ana, 200},
		"one, by the public name":         {"GET", list, "shop.example", ana, 200},
		"one of 254 bytes":                {"GET", list, "", []string{userHeader, strings.Repeat("a", 254)}, 200},
		"one with blanks and accents":     {"GET", list, "", []string{userHeader, "Zoë da Silva"}, 200},
		"none":                            {"GET", list, "", nil, 401},
		"none, from the public name":      {"GET", list, "shop.example", nil, 401},
		"an empty one":                    {"GET", list, "", []string{userHeader, ""}, 401},
		"a blank one":                     {"GET", list, "", []string{userHeader, "  "}, 401},
		"two":                             {"GET", list, "", []string{userHeader, "ana", userHeader, "ben"}, 401},
		"the same twice":                  {"GET", list, "", []string{userHeader, "ana", userHeader, "ana"}, 401},
		"an empty one beside it":          {"GET", list, "", []string{userHeader, "", userHeader, "ana"}, 401},
		"two that were joined":            {"GET", list, "", []string{userHeader, "ana, ben"}, 401},
		"in another case of the header":   {"GET", list, "", []string{"x-forwarded-user", "ana"}, 200},
		"in another header":               {"GET", list, "", []string{"X-Forwarded-Email", "ana"}, 401},
		"one of 255 bytes":                {"GET", list, "", []string{userHeader, strings.Repeat("a", 255)}, 401},
		"a tab in it":                     {"GET", list, "", []string{userHeader, "a\tb"}, 401},
		"an invisible character in it":    {"GET", list, "", []string{userHeader, "a\u200bna"}, 401},
		"its direction turned":            {"GET", list, "", []string{userHeader, "\u202eana"}, 401},
		"full-width letters":              {"GET", list, "", []string{userHeader, "\uff41na"}, 401},
		"a sign that folds to a letter":   {"GET", list, "", []string{userHeader, "mar\u212a"}, 401},
		"a long s":                        {"GET", list, "", []string{userHeader, "\u017fam"}, 401},
		"Latin-1":                         {"GET", list, "", []string{userHeader, "Zo\xeb"}, 401},
		"an event":                        {"POST", address + "/executor", "", nil, 401},
		"the sessions":                    {"GET", address + "/session/list-apps", "", nil, 401},
		"the agents' page":                {"GET", address + "/dev-ui/", "", nil, 401},
		"calls of the agents' page":       {"GET", address + "/session/dev/apps/x/traces", "", nil, 401},
		"a page":                          {"GET", address + "/", "", []string{"Accept", "text/html"}, 401},
		"a page, named":                   {"GET", address + "/", "", append([]string{"Accept", "text/html"}, ana...), 200},
		"what a page keeps up to date by": {"GET", address + "/live/executions", "", nil, 401},
		"the routes":                      {"GET", address + "/about", "", nil, 401},
		"before a call":                   {"OPTIONS", list, "", []string{"Origin", "https://shop.example"}, 401},
		"no such route":                   {"GET", address + "/none", "", nil, 401},
		"what only looks like health":     {"GET", address + "/planner/healthz", "", nil, 401},
		"what only looks like style":      {"GET", address + "/planner/static/console.css", "", nil, 401},
		"whether it works":                {"GET", address + "/healthz", "", nil, 200},
		"the style of pages":              {"GET", address + "/static/console.css", "", nil, 404}, // the pages name it by its hash
		"by a foreign name":               {"GET", list, "evil.example:" + port, ana, 403},
		"a foreign name's page":           {"POST", list, "evil.example:" + port, append([]string{"Origin", "http://evil.example:" + port}, ana...), 403},
		"a page of another site":          {"POST", list, "shop.example", append([]string{"Origin", "https://evil.example"}, ana...), 403},
		"health by a foreign name":        {"GET", address + "/healthz", "evil.example:" + port, nil, 403},
	} {
		status, body := request(t, test.method, test.address, test.host, test.header...)
		if status != test.want || status == 401 && !strings.Contains(body, userHeader) {
			t.Errorf("%s: %d, want %d: %s", name, status, test.want, body)
		}
	}
}

// Who the planner says you are, and may decide.
func TestTheCallerIsWhomTheHeaderNames(t *testing.T) {
	machine, err := emulator.MachineUser()
	if err != nil {
		t.Fatal(err)
	}
	proxied := behindProxy(t)
	alone, _ := emulatortest.Serve(t, nil)
	for name, test := range map[string]struct {
		address, want string
		decides       bool
	}{
		"an approver":          {proxied + "|ANA", "ANA", true},
		"another":              {proxied + "|ben@shop.example", "ben@shop.example", false},
		"without such a proxy": {alone + "|ben", machine, true},
	} {
		address, named, _ := strings.Cut(test.address, "|")
		_, body := request(t, "GET", address+"/planner/v1/me", "", userHeader, named)
		var me struct {
			Name string   `json:"name"`
			May  []string `json:"may"`
		}
		if err := json.Unmarshal([]byte(body), &me); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		if decides := strings.Contains(strings.Join(me.May, " "), "approve"); me.Name != test.want || decides != test.decides {
			t.Errorf("%s: %+v, want %s, who may decide: %v", name, me, test.want, test.decides)
		}
	}
}

func TestAHeaderThatCannotNamePeople(t *testing.T) {
	read := func(public string) emulator.Settings {
		t.Helper()
		settings, err := emulator.ReadSettings(config.Map(map[string]string{"PUBLIC_URL": public}))
		if err != nil {
			t.Fatal(err)
		}
		return settings
	}
	for header, good := range map[string]bool{
		"X-Forwarded-User": true, "x-auth-request-email": true, "Remote_User": true,
		"": false, "X Forwarded": false, "X-User:": false, "X-\u00fcser": false, "host": false, "Cookie": false, "authorization": false,
	} {
		if _, err := read("https://shop.example").BehindProxy(header); (err == nil) != good || err != nil && errs.KindOf(err) != errs.Invalid {
			t.Errorf("%q: %v", header, err)
		}
	}
	if _, err := read("").BehindProxy(userHeader); err == nil || !strings.Contains(err.Error(), "--public-url") {
		t.Errorf("without a public address: %v", err)
	}
}

// A folder from before says that its own ways to know people are gone.
func TestAFolderWithTokensIsRefused(t *testing.T) {
	for _, name := range []string{"state.tokens", "state.policy"} {
		data := t.TempDir()
		if err := os.WriteFile(filepath.Join(data, name), []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		settings, err := emulator.ReadSettings(config.Map(nil))
		if err != nil {
			t.Fatal(err)
		}
		_, err = emulator.Open(context.Background(), data, settings, logging.Discard)
		if errs.KindOf(err) != errs.Invalid || !strings.Contains(errs.Message(err), name) || !strings.Contains(errs.Message(err), "--user-header") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Behind a proxy everybody uses their own conversations alone, but for backends, which
// speak for all users. On one machine without a proxy there is one person.
func TestWhoseSessionsACallerUses(t *testing.T) {
	proxied := serveTeam(t, map[string]string{"SESSION_BACKENDS": "shop-backend, OTHER"})
	aloneAddress, _ := emulatortest.Serve(t, nil)
	alone := team{t: t, address: aloneAddress}
	for name, test := range map[string]struct {
		team         team
		caller, user string
		want         int
	}{
		"one's own":                   {proxied, "ana", "ana", 200},
		"another's":                   {proxied, "ana", "ben", 403},
		"in another case":             {proxied, "ana", "Ana", 403},
		"a backend's own":             {proxied, "shop-backend", "shop-backend", 200},
		"another's, by a backend":     {proxied, "shop-backend", "ben", 200},
		"by a backend, in other case": {proxied, "Other", "ben", 200},
		"a backend's, by another":     {proxied, "ana", "shop-backend", 403},
		"on one machine":              {alone, "ana", "ben", 200},
	} {
		sessions := "/session/apps/goal_planning_agent/users/" + test.user + "/sessions"
		turn := `{"user_id":"` + test.user + `","session_id":"s_1","message":"Build a web shop"}`
		for _, call := range [][3]string{
			{"POST", "/session/v1/agent/goal/session:message", turn},
			{"GET", sessions, ""},
			{"GET", sessions + "/s_1", ""},
			{"POST", "/session/run", `{"app_name":"goal_planning_agent","user_id":"` + test.user + `","session_id":"s_1","new_message":{"parts":[{"text":"Go on"}]}}`},
			{"PATCH", sessions + "/s_1", `{"state_delta":{"time_zone":"UTC"}}`},
			{"DELETE", sessions + "/s_1", ""},
		} {
			if status, text := test.team.as(test.caller, call[0], call[1], asJSON, call[2], nil); status != test.want {
				t.Errorf("%s, %s %s: %d, want %d: %.200s", name, call[0], call[1], status, test.want, text)
			}
		}
	}
}
