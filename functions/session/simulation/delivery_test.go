package simulation

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"time"

	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/test/lockstep"
)

// request is one thing that a client wants. The same one may be sent several
// times.
type request struct {
	key    sessions.Key
	method string
	path   string
	body   string
	// Of a message: its id, "" for none, and its text, which no other message
	// to the session has.
	id, text string
	answered bool // the client has heard what came of it
	claimed  bool // a delivery of it took a lease, or tried to
}

func (r *request) message() bool { return r.text != "" }

func (r *request) String() string {
	if r.message() {
		return fmt.Sprintf("%s %q to %s, id %q", r.path, r.text, r.key.Session, r.id)
	}
	return r.method + " " + r.key.Session
}

func sessionRequest(method string, key sessions.Key) *request {
	return &request{key: key, method: method, path: "/apps/" + key.App + "/users/" + key.User + "/sessions/" + key.Session}
}

// The ways to send a message.
const (
	pathRun     = "/run"
	pathStream  = "/run_sse"
	pathMessage = "/v1/agent/goal/session:message"
)

func messageRequest(path string, key sessions.Key, id, text string) *request {
	body := object{"app_name": key.App, "user_id": key.User, "session_id": key.Session,
		"new_message": object{"parts": []any{object{"text": text}}}}
	if path == pathMessage {
		body = object{"user_id": key.User, "session_id": key.Session, "message": text}
	}
	if id != "" {
		body["message_id"] = id
	}
	return &request{key: key, method: "POST", path: path, body: string(must(json.Marshal(body))), id: id, text: text}
}

// delivery is a request on its way through a server.
type delivery struct {
	*lockstep.Worker
	name     string
	request  *request
	began    int             // the step
	trips    map[string]int  // round trips by name
	faulty   bool            // something went wrong with one of them
	troubled map[string]bool // the agents whose model failed
	refused  bool            // a commit of it was refused
	asleep   bool
	created  *life     // the session that it created
	accepted []*turn   // the turns that it stored
	claimed  time.Time // when it last tried to claim its message
	asked    bool      // it has asked a model since
	recorder *httptest.ResponseRecorder
}

type deliveryKey struct{}

// Names of round trips.
const (
	loading       = "load"
	committing    = "commit"
	claiming      = "claim"
	waiting       = "wait"
	readingEvents = "read events"
	asking        = "ask "
)

// trip is a round trip of the delivery that ctx belongs to, if it belongs to
// one: to the store, or to the model.
func trip(ctx context.Context, name string, carryOut func() error) error {
	d, ok := ctx.Value(deliveryKey{}).(*delivery)
	if !ok {
		return carryOut()
	}
	d.trips[name]++
	return d.Call(name, carryOut)
}

// trips makes a round trip of each call to a store.
type trips struct{ sessions.Store }

func (t trips) Load(ctx context.Context, key sessions.Key, turnID string) (found sessions.Snapshot, err error) {
	err = trip(ctx, loading, func() (err error) { found, err = t.Store.Load(ctx, key, turnID); return err })
	return found, err
}

func (t trips) Commit(ctx context.Context, change sessions.Change) error {
	return trip(ctx, committing, func() error { return t.Store.Commit(ctx, change) })
}

func (t trips) Claim(ctx context.Context, key sessions.Key, turn sessions.Turn) (revision string, err error) {
	err = trip(ctx, claiming, func() (err error) { revision, err = t.Store.Claim(ctx, key, turn); return err })
	return revision, err
}

func (t trips) Events(ctx context.Context, key sessions.Key, epoch string, from, to int64) (found []sessions.Event, err error) {
	err = trip(ctx, readingEvents, func() (err error) { found, err = t.Store.Events(ctx, key, epoch, from, to); return err })
	return found, err
}

func (t trips) Delete(ctx context.Context, key sessions.Key) error {
	return trip(ctx, "delete", func() error { return t.Store.Delete(ctx, key) })
}

// answer is what came back.
type answer struct {
	code   string   // of the error, "" for none
	ids    []string // of the events
	last   string   // the author of the last of them
	output string   // the standard output
	state  state    // of the session
}

// answer reads the answer, whichever way the message was sent.
func (d *delivery) answer() (answer, error) {
	var a answer
	body := strings.TrimSpace(d.recorder.Body.String())
	if d.request.path == pathStream && d.recorder.Code == 200 {
		return a, a.readStream(body)
	}
	var failed struct{ Error struct{ Code string } }
	switch {
	case d.recorder.Code != 200:
		err := json.Unmarshal([]byte(body), &failed)
		a.code = failed.Error.Code
		return a, err
	case d.request.path == pathMessage:
		a.output = canonical(body)
		return a, nil
	case d.request.message():
		var events []event
		err := json.Unmarshal([]byte(body), &events)
		a.add(events...)
		return a, err
	case d.request.method == "DELETE":
		return a, nil
	}
	var shown struct {
		State  state
		Events []event
	}
	err := json.Unmarshal([]byte(body), &shown)
	a.state = shown.State
	a.add(shown.Events...)
	return a, err
}

func (a *answer) add(events ...event) {
	for _, e := range events {
		a.ids, a.last = append(a.ids, e.ID), e.Author
	}
}

// readStream reads server-sent events; one in the form of an error is the last.
func (a *answer) readStream(body string) error {
	for line := range strings.SplitSeq(body, "\n") {
		data, found := strings.CutPrefix(line, "data: ")
		if !found {
			continue
		}
		var event struct {
			event
			Error struct{ Code string }
		}
		if err := json.Unmarshal([]byte(data), &event); err != nil {
			return err
		}
		if a.code = event.Error.Code; a.code == "" {
			a.add(event.event)
		}
	}
	return nil
}

// event is what the invariants look at of an event.
type event struct {
	ID      string
	Author  string
	Content *genai.Content
	Actions struct {
		StateDelta struct {
			Output json.RawMessage `json:"final_output"`
		}
	}
}

// state is what they look at of a session's state.
type state struct {
	Preview   json.RawMessage `json:"goalPreview"`
	Output    json.RawMessage `json:"final_output"`
	Iteration int
	Step      string
	Active    *bool `json:"sessionActive"`
}

// canonical is JSON in a form in which equal values are equal texts.
func canonical(text string) string {
	if text == "" {
		return ""
	}
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return "not JSON: " + text
	}
	return string(must(json.Marshal(value)))
}
