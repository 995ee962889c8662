package session_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sequenceSessions = "/apps/poc6_sequential_failure/users/u_1/sessions"

// stored is what the tests look at of a session.
type stored struct {
	ID     string
	State  object
	Events []event
}

// A session without an id of the client's gets one of ours.
func TestASessionOfANewID(t *testing.T) {
	a := newAPI(t)
	var first, second, named stored
	a.read(a.call("POST", sequenceSessions, nil), http.StatusOK, &first)
	a.read(a.call("POST", sequenceSessions, object{"state": object{"fail": "b"}}), http.StatusOK, &second)
	if first.ID == "" || second.ID == "" || first.ID == second.ID || second.State["fail"] != "b" {
		t.Errorf("%+v, %+v", first, second)
	}
	a.read(a.call("POST", sequenceSessions, object{"session_id": "s_1", "state": nil, "events": []any{}}), http.StatusOK, &named)
	if named.ID != "s_1" {
		t.Errorf("%+v", named)
	}
	a.refused(a.call("POST", sequenceSessions, object{"sessionId": "s_1"}), http.StatusConflict, "conflict")
	a.refused(a.call("POST", sequenceSessions, object{"events": []any{object{"author": "user"}}}), http.StatusUnprocessableEntity, "invalid")
	a.refused(a.call("POST", sequenceSessions, object{"state": object{"app:x": 1}}), http.StatusUnprocessableEntity, "invalid")
	a.refused(a.call("POST", "/apps/none/users/u_1/sessions", nil), http.StatusNotFound, "not_found")
	var events []event
	run := runBody("poc6_sequential_failure", "Go")
	run["session_id"] = second.ID
	a.read(a.call("POST", "/run", run), http.StatusOK, &events)
	if last := text(events[len(events)-1]); !strings.Contains(last, "B failed") {
		t.Errorf("the state of the new session is not that of its turn: %s", last)
	}
}

// State can be changed between turns, and the change is an event.
func TestStateIsUpdated(t *testing.T) {
	a := newAPI(t)
	a.refused(a.call("PATCH", goalPath, object{"state_delta": object{"a": 1}}), http.StatusNotFound, "not_found")
	a.read(a.call("POST", goalPath, object{"a": 1, "b": 2}), http.StatusOK, &object{})
	var updated stored
	a.read(a.call("PATCH", goalPath, object{"stateDelta": object{"b": object{"deep": true}, "c": nil, "availableHoursLeft": 3}}), http.StatusOK, &updated)
	want := object{"a": 1.0, "b": object{"deep": true}, "availableHoursLeft": 3.0}
	if diff := cmp.Diff(want, updated.State); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	if len(updated.Events) != 1 || updated.Events[0].Author != "user" || len(updated.Events[0].Actions.StateDelta) != 2 {
		t.Errorf("events %+v", updated.Events)
	}
	for _, delta := range []any{object{"user:a": 1}, object{"availableHoursLeft": "many"}, object{"goalPreview": object{}}, "a", nil} {
		a.refused(a.call("PATCH", goalPath, object{"state_delta": delta}), http.StatusUnprocessableEntity, "invalid")
	}
	if out := a.say("Build a web shop"); out.Action.Type != "save_preview" || out.draft(t).hours() > 3 {
		t.Errorf("the turn after it: %+v", out)
	}
}

// Lists come in pages, each session once, the last used first.
func TestSessionsAreListedInPages(t *testing.T) {
	a := newAPI(t)
	for i := range 5 {
		a.read(a.call("POST", fmt.Sprintf("%s/s_%d", sequenceSessions, i), nil), http.StatusOK, &object{})
	}
	a.read(a.call("POST", "/apps/poc6_sequential_failure/users/u_2/sessions/other", nil), http.StatusOK, &object{})
	for size, pages := range map[int]int{1: 5, 2: 3, 5: 1, 6: 1} {
		var ids []string
		query, read := fmt.Sprintf("?page_size=%d", size), 0
		for ; query != ""; read++ {
			got := a.call("GET", sequenceSessions+query, nil)
			var page []stored
			a.read(got, http.StatusOK, &page)
			for _, session := range page {
				ids = append(ids, session.ID)
			}
			query = next(t, got.header.Get("Link"))
		}
		slices.Sort(ids)
		if diff := cmp.Diff([]string{"s_0", "s_1", "s_2", "s_3", "s_4"}, ids); diff != "" || read != pages {
			t.Errorf("%d pages of %d, want %d (-want +got):\n%s", read, size, pages, diff)
		}
	}
	for _, query := range []string{"page_size=0", "page_size=1001", "page_size=x", "page_token=x", "page_token=e30"} {
		a.refused(a.call("GET", sequenceSessions+"?"+query, nil), http.StatusUnprocessableEntity, "invalid")
	}
}

// next returns the query of the next page, "" for none.
func next(t *testing.T, link string) string {
	t.Helper()
	if link == "" {
		return ""
	}
	reference, found := strings.CutSuffix(link, `>; rel="next"`)
	parsed, err := url.Parse(strings.TrimPrefix(reference, "<"))
	if !found || err != nil {
		t.Fatalf("the Link header is %q", link)
	}
	return "?" + parsed.RawQuery
}

func TestVersion(t *testing.T) {
	var version struct {
		Version         string
		Language        string
		LanguageVersion string `json:"language_version"`
	}
	a := newAPI(t)
	a.read(a.call("GET", "/version", nil), http.StatusOK, &version)
	if version.Version == "" || version.Language != "go" || version.LanguageVersion == "" {
		t.Errorf("%+v", version)
	}
}
