package sessions

import (
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/errs"
)

// conversation is a session in memory, as ADK and the agents see it. A step
// that was given up may still look at it, so every access is locked.
type conversation struct {
	key Key

	mu        sync.RWMutex
	state     map[string]any // merged, with temp: keys; raw where nobody looked at it yet
	events    []*session.Event
	updatedAt time.Time
	epoch     string
	nextSeq   int64
}

// open returns the conversation of a record with the state and events given.
func (r Record) open(have layers, events []*session.Event) *conversation {
	return &conversation{
		key: r.Key, state: have.merged(), events: events, updatedAt: r.UpdatedAt, epoch: r.Epoch, nextSeq: r.NextSeq,
	}
}

func (c *conversation) ID() string             { return c.key.Session }
func (c *conversation) AppName() string        { return c.key.App }
func (c *conversation) UserID() string         { return c.key.User }
func (c *conversation) State() session.State   { return state{c} }
func (c *conversation) Events() session.Events { return events(c.all()) }

func (c *conversation) LastUpdateTime() time.Time {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.updatedAt
}

func (c *conversation) all() []*session.Event {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Clip(c.events)
}

// append adds an event and applies its delta. It returns the event as it is
// stored, without temp: keys.
func (c *conversation) append(event *session.Event) *session.Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(c.state, event.Actions.StateDelta)
	stored := withoutTemp(event)
	c.events = append(c.events, stored)
	c.updatedAt = event.Timestamp
	return stored
}

// withoutTemp returns the event without what must not outlive the turn.
func withoutTemp(event *session.Event) *session.Event {
	temp := func(key string, _ any) bool { return strings.HasPrefix(key, session.KeyPrefixTemp) }
	kept := maps.Clone(event.Actions.StateDelta)
	maps.DeleteFunc(kept, temp)
	if len(kept) == len(event.Actions.StateDelta) {
		return event
	}
	stored := *event
	stored.Actions.StateDelta = kept
	return &stored
}

// state is the conversation's state under its lock.
type state struct{ c *conversation }

func (s state) Get(key string) (any, error) {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	value, ok := s.c.state[key]
	if !ok {
		return nil, session.ErrStateKeyNotExist
	}
	return s.look(key, value)
}

// look returns the value of a key, which it decodes once.
func (s state) look(key string, value any) (any, error) {
	text, unseen := value.(raw)
	if !unseen {
		return value, nil
	}
	var decoded any
	if err := json.Unmarshal([]byte(text), &decoded); err != nil {
		return nil, errs.Wrap(errs.Internal, err, unreadable)
	}
	s.c.state[key] = decoded
	return decoded, nil
}

func (s state) Set(key string, value any) error {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	s.c.state[key] = value
	return nil
}

func (s state) All() iter.Seq2[string, any] {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	for key, value := range s.c.state {
		_, _ = s.look(key, value) // what cannot be decoded stays as it is stored
	}
	return maps.All(maps.Clone(s.c.state))
}

type events []*session.Event

func (e events) All() iter.Seq[*session.Event] { return slices.Values(e) }
func (e events) Len() int                      { return len(e) }
func (e events) At(i int) *session.Event {
	if i < 0 || i >= len(e) {
		return nil
	}
	return e[i]
}

// Bounds of what is kept of events.
const (
	maxEventBytes  = 900 << 10 // one event is one document
	maxTurnBytes   = 3 << 20   // one turn is one commit; Firestore's emulator takes 4 MiB
	maxRecent      = 40        // events in the session's own document
	maxRecentBytes = 256 << 10
)

// encodeEvents numbers and encodes the events of a turn within the limits.
func encodeEvents(list []*session.Event, deltas []fields, first int64) ([]Event, error) {
	encoded := make([]Event, len(list))
	total := 0
	for i, event := range list {
		text, err := encodeEvent(event, deltas[i])
		if err != nil {
			return nil, err
		}
		if len(text) > maxEventBytes {
			return nil, &TooLarge{What: "An event of the turn", Bytes: len(text), Limit: maxEventBytes}
		}
		if total += len(text); total > maxTurnBytes {
			return nil, &TooLarge{What: "The turn", Bytes: total, Limit: maxTurnBytes}
		}
		encoded[i] = Event{Seq: first + int64(i), JSON: text}
	}
	return encoded, nil
}

// plainEvent is an event without its methods.
type plainEvent session.Event

// encodeEvent writes an event as ADK does, but nothing of what is empty, with
// its delta as it was encoded already: ADK would look through all of it, and
// then through what it wrote.
func encodeEvent(event *session.Event, delta fields) (string, error) {
	return written(func(dst []byte) ([]byte, error) { return appendEvent(dst, event, delta) })
}

func appendEvent(dst []byte, event *session.Event, delta fields) ([]byte, error) {
	did := event.Actions
	did.StateDelta = nil
	text, err := json.Marshal(struct {
		*plainEvent
		// These are in the way of the event's own, which are written empty, too.
		ID           string    `json:"id,omitempty"`
		Timestamp    time.Time `json:"timestamp,omitzero"`
		InvocationID string    `json:"invocationId,omitempty"`
		Actions      *struct{} `json:"actions,omitempty"`
	}{plainEvent: (*plainEvent)(event), ID: event.ID, Timestamp: event.Timestamp, InvocationID: event.InvocationID})
	actions, didErr := did.MarshalJSON()
	if err = errors.Join(err, didErr); err != nil {
		return nil, errs.Wrap(errs.Internal, err, "An event of the turn cannot be written as JSON.")
	}
	if event.Actions.StateDelta == nil && string(actions) == "{}" {
		return append(dst, text...), nil
	}
	dst = append(append(dst, text[:len(text)-1]...), `,"actions":{`...)
	if event.Actions.StateDelta != nil {
		dst = delta.append(append(dst, `"stateDelta":`...))
		if len(actions) > len("{}") {
			dst = append(dst, ',')
		}
	}
	return append(append(dst, actions[1:]...), '}'), nil
}

func decodeEvent(text string) (*session.Event, error) {
	event := &session.Event{}
	if err := event.UnmarshalJSON([]byte(text)); err != nil { // json.Unmarshal would read it twice
		return nil, unreadableEvent(err)
	}
	return event, nil
}

func unreadableEvent(err error) error {
	return errs.Wrap(errs.Internal, err, "A stored event of the session cannot be read.")
}

func decodeEvents(list []Event) ([]*session.Event, error) {
	decoded := make([]*session.Event, len(list))
	for i, stored := range list {
		event, err := decodeEvent(stored.JSON)
		if err != nil {
			return nil, err
		}
		decoded[i] = event
	}
	return decoded, nil
}

// recent returns what turns read of the newest events, each as JSON.
func (r Record) recent() []string {
	if r.Recent == "" {
		return nil
	}
	return strings.Split(r.Recent, "\n")
}

// history decodes what turns read of the newest events, all at once.
func (r Record) history() ([]*session.Event, error) {
	list := "[" + strings.ReplaceAll(r.Recent, "\n", ",") + "]"
	decoded := make([]plainEvent, 0, strings.Count(r.Recent, "\n")+1)
	if err := json.Unmarshal([]byte(list), &decoded); err != nil {
		return nil, unreadableEvent(err)
	}
	events := make([]*session.Event, len(decoded))
	for i := range decoded {
		events[i] = (*session.Event)(&decoded[i])
	}
	return events, nil
}

// newest keeps of the events what is within the bounds, at most so many, one
// on a line: JSON has no line end of its own.
func newest(texts []string, most int) string {
	start, bytes := len(texts), 0
	for start > 0 && len(texts)-start < min(most, maxRecent) && bytes+len(texts[start-1])+1 <= maxRecentBytes {
		start--
		bytes += len(texts[start]) + 1
	}
	return strings.Join(texts[start:], "\n")
}

// TooLarge is an error of kind Invalid about something that is well formed and
// too large to be kept. Nothing was stored.
type TooLarge struct {
	What         string
	Bytes, Limit int
}

func (e *TooLarge) Error() string { return errs.Message(e.Unwrap()) }

// Unwrap gives the error its kind and message.
func (e *TooLarge) Unwrap() error {
	return errs.New(errs.Invalid, "%s is too large: %d bytes, and %d is the most. Nothing was stored.", e.What, e.Bytes, e.Limit)
}
