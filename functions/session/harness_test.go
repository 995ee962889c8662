package session_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/sessions/sqlite"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/web"
)

// now is when the tests take place: a Saturday.
var now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// api is the function over a fresh store.
type api struct {
	t       *testing.T
	url     string
	store   sessions.Store
	handler http.Handler
}

// newAPI serves the function over a fresh SQLite file; change may replace
// parts of it.
func newAPI(t *testing.T, change ...func(*session.Dependencies)) api {
	t.Helper()
	a := newAPIFor(t, change...)
	a.t = t
	server := httptest.NewServer(a.handler)
	t.Cleanup(server.Close)
	a.url = server.URL
	return a
}

// newAPIFor is newAPI without a network, for tests and fuzz targets alike.
func newAPIFor(t testing.TB, change ...func(*session.Dependencies)) api {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	d := session.Dependencies{Store: store, Model: session.Offline(), Now: func() time.Time { return now }}
	for _, c := range change {
		c(&d)
	}
	handler, err := session.NewHandler(d)
	if err != nil {
		t.Fatal(err)
	}
	served := web.Service{Name: "session", NewID: func() string { return "r1" }, Timeout: time.Minute}.Serve(handler)
	return api{store: d.Store, handler: served}
}

// answer is what came back.
type answer struct {
	status int
	body   []byte
	header http.Header
}

// call sends body, a string as it is and anything else as JSON.
func (a api) call(method, path string, body any) answer {
	a.t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		data, err := json.Marshal(b)
		if err != nil {
			a.t.Fatal(err)
		}
		reader = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(a.t.Context(), method, a.url+path, reader)
	if err != nil {
		a.t.Fatal(err)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		a.t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	return answer{response.StatusCode, data, response.Header}
}

// read decodes the body, which must come with the status.
func (a api) read(got answer, status int, into any) {
	a.t.Helper()
	if got.status != status {
		a.t.Fatalf("status %d, want %d: %s", got.status, status, got.body)
	}
	if err := json.Unmarshal(got.body, into); err != nil {
		a.t.Fatalf("%v in %s", err, got.body)
	}
}

// refused asserts an error in the one form and returns its message.
func (a api) refused(got answer, status int, code string) string {
	a.t.Helper()
	var form struct {
		Error struct {
			Code      string
			Message   string
			Details   any
			RequestID string `json:"request_id"`
		}
	}
	a.read(got, status, &form)
	if form.Error.Code != code || form.Error.Message == "" || form.Error.RequestID != "r1" {
		a.t.Errorf("error %+v, want code %s, a message and request id r1", form.Error, code)
	}
	text, err := json.Marshal(form.Error)
	if err != nil {
		a.t.Fatal(err)
	}
	return string(text)
}

type object = map[string]any

// event is what the tests look at of an event.
type event struct {
	ID        string
	Author    string
	Timestamp float64
	Content   struct{ Parts []struct{ Text string } }
	Actions   struct{ StateDelta map[string]any }
}

func text(e event) string {
	var all strings.Builder
	for _, part := range e.Content.Parts {
		all.WriteString(part.Text)
	}
	return all.String()
}

const sequencePath = "/apps/poc6_sequential_failure/users/u_1/sessions/s_1"

func runBody(app, message string) object {
	return object{"app_name": app, "user_id": "u_1", "session_id": "s_1",
		"new_message": object{"role": "user", "parts": []any{object{"text": message}}}}
}

// body is v as JSON.
func body(t *testing.T, v any) io.Reader {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(data)
}
