package sessions

import (
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
		switch state, err := stored.read(); {
		case err == nil:
			checkState(t, state)
		case errs.KindOf(err) != errs.Internal:
			t.Errorf("the state: %v", err)
		}
		switch events, err := stored.Session.history(); {
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
	app, err := encodeState(state.app)
	if err != nil {
		t.Fatal(err)
	}
	own, err := encodeState(state.session)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Snapshot{App: Scope{State: app}, Session: Record{State: own}}.read()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]map[string]any{state.app, state.session}, []map[string]any{again.app, again.session}); diff != "" {
		t.Errorf("(-read +written and read):\n%s", diff)
	}
}

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
	encoded, err := encodeEvents(events, 1)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, event := range encoded {
		texts = append(texts, event.JSON)
	}
	return texts
}
