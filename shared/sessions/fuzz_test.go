package sessions

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/errs"
)

// FuzzStored reads any text as what is stored of a session. What can be read
// is written as what reads the same; the rest is an error of our own.
func FuzzStored(f *testing.F) {
	f.Add(`{"theme":"dark"}`, `{"step":"done","nested":[1e300,{"x":{}}]}`, `{"id":"e_1","author":"user","content":{"role":"user","parts":[{"text":"Hello"}]}}`+"\n\n"+`{"id":"e_2","actions":{"stateDelta":{"app:theme":"dark"}}}`)
	f.Add(`{}`, "{}", `{"id":"e_3","timestamp":"2026-03-01T12:00:00Z","invocationId":"i","branch":"a.b","author":"A","actions":{"stateDelta":{},"artifactDelta":{"f":1},"escalate":true},"longRunningToolIds":["t"],"usageMetadata":{"totalTokenCount":5},"errorCode":"E","output":{"x":[1,"<&>"]},"nodeInfo":{"path":"p"}}`)
	f.Add(`{}`, "{}", `{"actions":{"stateDelta":{"a":"<&\u2028>","b":null},"skipSummarization":true}}`+"\n"+`{"actions":{"transferToAgent":"B"}}`)
	f.Add(`{"a":1}`, "", "null")
	f.Add(`{"a":1}`, "null", "")
	f.Add("{", "[]", "\x00")
	f.Add("{\"\xe0\":0}", "", "0")
	f.Add(`{}`, " { \"a\\\"{\" : \"}\\\\\" , \"\\u0062\":[{\"c\":1},2] ,\"\": null\n}", "")
	f.Fuzz(func(t *testing.T, app, own, recent string) {
		stored := Snapshot{App: Scope{State: app}, Session: Record{State: own, Recent: recent}}
		state, err := stored.read()
		var values map[string]json.RawMessage
		theirErr := json.Unmarshal([]byte(own), &values)
		theirs := fields{}
		for name, value := range values {
			theirs[name] = raw(value)
		}
		switch {
		case err == nil:
			if own != "" {
				if diff := cmp.Diff(theirs, state.session, decoded); diff != "" || theirErr != nil {
					t.Errorf("%v (-read by encoding/json +by us):\n%s", theirErr, diff)
				}
			}
			checkState(t, state)
		case errs.KindOf(err) != errs.Internal:
			t.Errorf("the state: %v", err)
		}
		events, err := stored.Session.history()
		switch {
		case err == nil:
			checkEvents(t, events)
		case errs.KindOf(err) != errs.Internal:
			t.Errorf("the events: %v", err)
		}
	})
}

func checkState(t *testing.T, state layers) {
	t.Helper()
	if shown := state.merged(); len(shown) < len(state.session) {
		t.Errorf("of %v only %v is shown", state, shown)
	}
	app, err := state.app.document()
	if err != nil {
		t.Fatal(err)
	}
	own, err := state.session.document()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Snapshot{App: Scope{State: app}, Session: Record{State: own}}.read()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]fields{"app": state.app, "session": state.session}, map[string]fields{"app": again.app, "session": again.session}, decoded); diff != "" {
		t.Errorf("(-read +written and read):\n%s", diff)
	}
}

// decoded compares stored values by what they mean.
var decoded = cmp.Comparer(func(a, b raw) bool {
	var left, right any
	leftErr, rightErr := json.Unmarshal([]byte(a), &left), json.Unmarshal([]byte(b), &right)
	return (leftErr == nil) == (rightErr == nil) && cmp.Equal(left, right)
})

func checkEvents(t *testing.T, events []*session.Event) {
	t.Helper()
	written := lines(t, events)
	again, err := Record{Recent: newest(written, maxRecent)}.history()
	if err != nil {
		t.Fatal(err)
	}
	kept := written[len(written)-len(again):]
	if diff := cmp.Diff(kept, lines(t, again)); diff != "" {
		t.Errorf("(-written +written again):\n%s", diff)
	}
}

func lines(t *testing.T, events []*session.Event) []string {
	t.Helper()
	deltas := make([]fields, len(events))
	for i, event := range events {
		var err error
		if deltas[i], err = encode(event.Actions.StateDelta); err != nil {
			t.Fatal(err)
		}
	}
	encoded, err := encodeEvents(events, deltas, 1)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for i, event := range encoded {
		theirs, err := json.Marshal(events[i])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(readAgain(t, string(theirs)), readAgain(t, event.JSON), decoded); diff != "" {
			t.Errorf("an event as it is read (-written by ADK +by us):\n%s", diff)
		}
		texts = append(texts, event.JSON)
	}
	return texts
}

// readAgain returns an event's text as ADK writes what it reads in it.
func readAgain(t *testing.T, text string) raw {
	t.Helper()
	event, err := decodeEvent(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	return raw(again)
}
