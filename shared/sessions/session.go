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
	state     map[string]any // merged, with temp: keys
	events    []*session.Event
	updatedAt time.Time
	epoch     string
	nextSeq   int64
}

// open returns the conversation of a record with the state and events given.
func (r Record) open(state layers, events []*session.Event) *conversation {
	return &conversation{
		key:       r.Key,
		state:     state.merged(),
		events:    events,
		updatedAt: r.UpdatedAt,
		epoch:     r.Epoch,
		nextSeq:   r.NextSeq,
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
	s.c.mu.RLock()
	defer s.c.mu.RUnlock()
	value, ok := s.c.state[key]
	if !ok {
		return nil, session.ErrStateKeyNotExist
	}
	return value, nil
}

func (s state) Set(key string, value any) error {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	s.c.state[key] = value
	return nil
}

func (s state) All() iter.Seq2[string, any] {
	s.c.mu.RLock()
	defer s.c.mu.RUnlock()
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
func encodeEvents(list []*session.Event, first int64) ([]Event, error) {
	encoded := make([]Event, len(list))
	total := 0
	for i, event := range list {
		text, err := encodeEvent(event)
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

func encodeEvent(event *session.Event) (string, error) {
	text, err := json.Marshal(event)
	if err != nil {
		return "", errs.Wrap(errs.Internal, err, "An event of the turn cannot be written as JSON.")
	}
	return string(text), nil
}

func decodeEvents(list []Event) ([]*session.Event, error) {
	decoded := make([]*session.Event, len(list))
	for i, stored := range list {
		if err := json.Unmarshal([]byte(stored.JSON), &decoded[i]); err != nil {
			return nil, unreadableEvent(err)
		}
	}
	return decoded, nil
}

func unreadableEvent(err error) error {
	return errs.Wrap(errs.Internal, err, "A stored event of the session cannot be read.")
}

// recent returns what turns read of the newest events, each as JSON.
func (r Record) recent() []string {
	if r.Recent == "" {
		return nil
	}
	return strings.Split(r.Recent, "\n")
}

// history decodes what turns read of the newest events.
func (r Record) history() ([]*session.Event, error) {
	var decoded []*session.Event
	if err := json.Unmarshal([]byte("["+strings.ReplaceAll(r.Recent, "\n", ",")+"]"), &decoded); err != nil {
		return nil, unreadableEvent(err)
	}
	if slices.Contains(decoded, nil) {
		return nil, unreadableEvent(errors.New("an event is null"))
	}
	return decoded, nil
}

// newest keeps of the events what is within the bounds, at most so many, one
// on a line: JSON has no line end of its own.
func newest(texts []string, most int) string {
	start, bytes := len(texts), 0
	for start > 0 && len(texts)-start < min(most, maxRecent) &&
		bytes+len(texts[start-1])+1 <= maxRecentBytes {
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
	return errs.New(
		errs.Invalid,
		"%s is too large: %d bytes, and %d is the most. Nothing was stored.",
		e.What,
		e.Bytes,
		e.Limit,
	)
}
