package simulation

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/sessions"
)

// lease is how long one delivery of a message works on it alone.
const lease = 90 * time.Second

// checkAlone: of the deliveries of a message one at a time has a lease that lasts and
// asks a model, where clocks agree.
func (w *world) checkAlone(d *delivery) {
	if !strings.HasPrefix(d.Next(), asking) {
		return
	}
	d.asked = true
	holds := func(d *delivery) bool {
		return d.asked && w.now.Before(d.claimed.Add(lease)) && w.absent[d.request.key] < d.began
	}
	if d.request.id == "" || w.maxSkew > 0 || !holds(d) {
		return
	}
	for _, other := range w.deliveries {
		same := other != d && other.request.key == d.request.key && other.request.id == d.request.id
		if same && holds(other) {
			w.fail("%s asks a model while %s works on the same message", d.name, other.name)
		}
	}
}

// noteClaim takes note of a delivery that is about to claim its message: its lease
// counts from then.
func (w *world) noteClaim(d *delivery) {
	if d.Running() && d.Next() == claiming {
		d.claimed, d.asked, d.request.claimed = w.now, false, true
	}
}

// life is a session from its creation to its end.
type life struct {
	key      sessions.Key
	epoch    string
	revision string
	ended    int // the step, 0 while it lasts
	record   sessions.Record
	events   []sessions.Event
	turns    []*turn
	draft    draftSeen
	saves    int
	unmet    bool // the message before changed nothing
	final    bool
}

// turn is a message that was accepted.
type turn struct {
	request *request
	ids     []string // of its events, the client's message first
	output  string
	action  string
}

// draftSeen is what is looked at of a plan.
type draftSeen struct{ Title, Description string }

// check holds the invariants against what is stored now, after a step of one;
// nil is a step of nobody's.
func (w *world) check(delivery *delivery) {
	for _, key := range w.keys {
		found, err := w.Store.Load(context.Background(), key, "")
		if err != nil {
			w.fail("%s cannot be read: %v", key.Session, err)
		}
		w.checkSession(key, found.Session, delivery)
		if l := w.lives[key]; l == nil || !w.now.Add(w.maxSkew).Before(l.record.ExpireAt) {
			w.absent[key] = w.steps
		}
	}
}

// checkSession: a session begins empty where there is none, and then grows by
// a turn at a time until it ends.
func (w *world) checkSession(key sessions.Key, r sessions.Record, delivery *delivery) {
	l := w.lives[key]
	if l != nil && (r.Revision == "" || r.Epoch != l.epoch) {
		w.end(l, r)
		l = nil
	}
	switch {
	case r.Revision == "":
		return
	case l == nil:
		w.begin(key, r, delivery)
	case r.Revision != l.revision:
		w.accept(l, r, delivery)
	}
	w.checkEvents(w.lives[key])
}

// end: a session goes because it is deleted or expired, and not because another
// takes its place.
func (w *world) end(l *life, r sessions.Record) {
	w.say("%s ends after %d turns", l.key.Session, len(l.turns))
	l.ended = w.steps
	delete(w.lives, l.key)
	w.absent[l.key] = w.steps
	if r.Revision != "" && w.now.Add(w.maxSkew).Before(l.record.ExpireAt) {
		w.fail("%s was alive and another took its place", l.key.Session)
	}
}

// begin: a session begins without events and without a plan.
func (w *world) begin(key sessions.Key, r sessions.Record, delivery *delivery) {
	if r.NextSeq != 0 || slices.ContainsFunc(w.past, func(l *life) bool { return l.epoch == r.Epoch }) {
		w.fail("%s came back with %d events", key.Session, r.NextSeq)
	}
	l := &life{key: key, epoch: r.Epoch, revision: r.Revision, record: r}
	w.lives[key], w.past = l, append(w.past, l)
	delivery.created = l
	w.say("%s begins", key.Session)
}

// checkEvents: no event is lost, doubled or changed.
func (w *world) checkEvents(l *life) {
	found := w.eventsOf(l, 0, l.record.NextSeq+100)
	if !slices.Equal(found, l.events) {
		w.fail("%s has the events %v, and had %v", l.key.Session, numbers(found), numbers(l.events))
	}
}

func numbers(events []sessions.Event) (list []int64) {
	for _, e := range events {
		list = append(list, e.Seq)
	}
	return list
}

func (w *world) eventsOf(l *life, from, to int64) []sessions.Event {
	found, err := w.Store.Events(context.Background(), l.key, l.epoch, from, to)
	if err != nil {
		w.fail("the events of %s cannot be read: %v", l.key.Session, err)
	}
	return found
}

// authors of the events of a turn.
var authors = []string{"user", "CheckApprovalAgent", "PlanAgent", "FinalizeAgent"}

// accept: what a session grows by is the turn of one message, which it has not
// had before.
func (w *world) accept(l *life, r sessions.Record, delivery *delivery) {
	if r.NextSeq != l.record.NextSeq+int64(len(authors)) {
		w.fail("%s grew from %d events to %d", l.key.Session, l.record.NextSeq, r.NextSeq)
	}
	added := w.eventsOf(l, l.record.NextSeq, r.NextSeq-1)
	if len(added) != len(authors) {
		w.fail("%s has the events %v of a turn", l.key.Session, numbers(added))
	}
	t := &turn{}
	var text string
	for i, stored := range added {
		e := w.read(stored)
		if e.Author != authors[i] {
			w.fail("event %d of %s is by %s", stored.Seq, l.key.Session, e.Author)
		}
		if i == 0 {
			text = textOf(e.Content)
		}
		t.ids, t.output = append(t.ids, e.ID), canonical(string(e.Actions.StateDelta.Output))
	}
	if t.request = delivery.request; text != t.request.text || l.key != t.request.key {
		w.fail("%s accepted %q in the turn of %v", l.key.Session, text, t.request)
	}
	for _, before := range l.turns {
		if before.request.id == t.request.id && t.request.id != "" || before.request == t.request {
			w.fail("%s accepted %q twice, the second time for %q", l.key.Session, before.request.text, text)
		}
	}
	w.checkState(l, t, r.State, delivery)
	l.events, l.turns = append(l.events, added...), append(l.turns, t)
	l.record, l.revision = r, r.Revision
	delivery.accepted = append(delivery.accepted, t)
	w.stats.Turns++
	w.say("%s accepts %q: %s, iteration %d", l.key.Session, text, t.action, l.saves)
}

func (w *world) read(stored sessions.Event) (e event) {
	if err := json.Unmarshal([]byte(stored.JSON), &e); err != nil {
		w.fail("event %d cannot be read: %v", stored.Seq, err)
	}
	return e
}

// checkState: state is what the turns so far made of it. The preview changes by
// a turn that saves, and such a turn was made from the preview that it
// replaces.
func (w *world) checkState(l *life, t *turn, text string, delivery *delivery) {
	var s state
	var out struct {
		Action struct {
			Type    string
			Payload struct{ GoalDraft draftSeen }
		}
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		w.fail("the state of %s cannot be read: %v", l.key.Session, err)
	}
	if err := json.Unmarshal([]byte(t.output), &out); err != nil {
		w.fail("the output of %q cannot be read: %v", t.request.text, err)
	}
	t.action = out.Action.Type
	if want := w.actionOf(l, t, delivery); t.action != want {
		w.fail("%q ends with %s, want %s", t.request.text, t.action, want)
	}
	switch t.action {
	case "save_preview":
		want := draftSeen{t.request.text, after(l.draft.Title)}
		if t.request.text == approval && l.saves > 0 { // which renames nothing
			want.Title = l.draft.Title
		}
		if out.Action.Payload.GoalDraft != want {
			w.fail("%q saves %+v, want %+v", t.request.text, out.Action.Payload.GoalDraft, want)
		}
		l.saves, l.draft, l.final = l.saves+1, out.Action.Payload.GoalDraft, false
	case "finalize_goal":
		if out.Action.Payload.GoalDraft != l.draft {
			w.fail("%s finalizes %+v, want %+v", l.key.Session, out.Action.Payload.GoalDraft, l.draft)
		}
		l.final = true
	}
	want := fmt.Sprintf("%+v, iteration %d, final %t, output %s", l.draft, l.saves, l.final, t.output)
	if got := fmt.Sprintf("%+v, iteration %d, final %t, output %s", preview(s), s.Iteration, s.Active != nil && !*s.Active, canonical(string(s.Output))); got != want {
		w.fail("the state of %s is %s, want %s", l.key.Session, got, want)
	}
}

// actionOf is how a turn must end. One changes nothing where the model failed
// to say whether it approves, or to plan; to word a reply is code's as well. An
// approval after a message that changed nothing makes nothing final.
func (w *world) actionOf(l *life, t *turn, delivery *delivery) string {
	approves := t.request.text == approval && l.saves > 0
	again := approves && l.unmet
	failed := delivery.troubled["PlanAgent"]
	if approves && !again {
		failed = delivery.troubled["CheckApprovalAgent"]
	}
	closed := l.final && approves
	failed = failed && !closed && !again
	l.unmet = failed && !approves || l.unmet && failed
	switch {
	case closed || failed || again:
		return "none"
	case approves:
		return "finalize_goal"
	default:
		return "save_preview"
	}
}

func preview(s state) (d draftSeen) {
	if len(s.Preview) > 0 {
		_ = json.Unmarshal(s.Preview, &d) // what cannot be read is no preview that was stored
	}
	return d
}
