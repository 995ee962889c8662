package simulation

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
)

// store is a sessions.Store in memory that keeps no more promises than the
// port makes: a delete takes several round trips, and what has expired may go
// at any time.
type store struct {
	mu      sync.Mutex
	records map[sessions.Key]sessions.Record
	turns   map[child]turnRow
	events  map[child]eventRow
	scopes  map[sessions.Key]sessions.Scope // an app's without a user
	writes  int64                           // so far; the newest revision
}

// child is the key of an event or a turn.
type child struct {
	sessions.Key
	name string
}

type (
	turnRow struct {
		sessions.Turn
		expireAt time.Time
	}
	eventRow struct {
		sessions.Event
		epoch    string
		expireAt time.Time
	}
)

func newStore() *store {
	return &store{
		records: map[sessions.Key]sessions.Record{}, turns: map[child]turnRow{},
		events: map[child]eventRow{}, scopes: map[sessions.Key]sessions.Scope{},
	}
}

// trip is a round trip of the delivery that ctx belongs to.
func (s *store) trip(ctx context.Context, name string, carryOut func() error) error {
	return trip(ctx, name, func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		return carryOut()
	})
}

func (s *store) Load(ctx context.Context, key sessions.Key, turnID string) (found sessions.Snapshot, err error) {
	err = s.trip(ctx, loading, func() error {
		found.Session, found.Session.Key = s.records[key], key
		found.Turn, found.Turn.ID = s.turns[child{key, turnID}].Turn, turnID
		found.App, found.User = s.scopes[appKey(key)], s.scopes[userKey(key)]
		return nil
	})
	if err != nil {
		return sessions.Snapshot{}, err
	}
	return found, nil
}

func (s *store) Claim(ctx context.Context, key sessions.Key, turn sessions.Turn) (revision string, err error) {
	err = s.trip(ctx, claiming, func() error {
		if s.turns[child{key, turn.ID}].Revision != turn.Revision {
			return errs.New(errs.Stale, "the turn was changed by another writer")
		}
		s.writes++
		turn.Revision = strconv.FormatInt(s.writes, 10)
		turn.LeaseUntil = turn.LeaseUntil.UTC().Truncate(time.Microsecond)
		s.turns[child{key, turn.ID}] = turnRow{turn, turn.LeaseUntil}
		revision = turn.Revision
		return nil
	})
	return revision, err
}

func appKey(k sessions.Key) sessions.Key  { return sessions.Key{App: k.App} }
func userKey(k sessions.Key) sessions.Key { return sessions.Key{App: k.App, User: k.User} }

func (s *store) Commit(ctx context.Context, change sessions.Change) error {
	return s.trip(ctx, committing, func() error {
		if err := s.refuse(change); err != nil {
			return err
		}
		s.writes++
		revision, key := strconv.FormatInt(s.writes, 10), change.Session.Key
		s.records[key] = rounded(change.Session, revision)
		if t := change.Turn; t != nil {
			row := turnRow{*t, change.ChildrenExpireAt}
			row.Revision = revision
			s.turns[child{key, t.ID}] = row
		}
		for _, event := range change.Events {
			epoch := change.Session.Epoch
			s.events[child{key, sessions.EventName(epoch, event.Seq)}] = eventRow{event, epoch, change.ChildrenExpireAt}
		}
		if change.App != nil {
			s.scopes[appKey(key)] = sessions.Scope{State: change.App.State, Revision: revision}
		}
		if change.User != nil {
			s.scopes[userKey(key)] = sessions.Scope{State: change.User.State, Revision: revision}
		}
		return nil
	})
}

// refuse finds the part of a change that is not at its revision.
func (s *store) refuse(change sessions.Change) error {
	key := change.Session.Key
	stale := s.records[key].Revision != change.Session.Revision
	if t := change.Turn; t != nil {
		stale = stale || s.turns[child{key, t.ID}].Revision != t.Revision
	}
	for scope, at := range map[*sessions.Scope]sessions.Key{change.App: appKey(key), change.User: userKey(key)} {
		stale = stale || scope != nil && s.scopes[at].Revision != scope.Revision
	}
	for _, event := range change.Events {
		_, exists := s.events[child{key, sessions.EventName(change.Session.Epoch, event.Seq)}]
		stale = stale || exists
	}
	if stale {
		return errs.New(errs.Stale, "the session was changed by another writer")
	}
	return nil
}

// rounded is a record as it comes back from storage.
func rounded(r sessions.Record, revision string) sessions.Record {
	r.Revision = revision
	for _, at := range []*time.Time{&r.CreatedAt, &r.UpdatedAt, &r.ExpireAt} {
		*at = at.UTC().Truncate(time.Microsecond)
	}
	return r
}

func (s *store) Events(ctx context.Context, key sessions.Key, epoch string, from, to int64) (found []sessions.Event, err error) {
	err = s.trip(ctx, readingEvents, func() error {
		for seq := from; seq <= min(to, s.records[key].NextSeq+1_000); seq++ {
			if row, exists := s.events[child{key, sessions.EventName(epoch, seq)}]; exists {
				found = append(found, row.Event)
			}
		}
		return nil
	})
	return found, err
}

// before is negative where a comes before b in a list.
func before(a, b sessions.Place) int {
	return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(b.User, a.User), cmp.Compare(b.Session, a.Session))
}

func (s *store) List(ctx context.Context, app, user string, after sessions.Place, limit int) (found []sessions.Record, err error) {
	err = s.trip(ctx, "list", func() error {
		for key, record := range s.records {
			listed := after.UpdatedAt.IsZero() || before(after, record.Place()) < 0
			if key.App == app && (user == "" || key.User == user) && listed {
				record.Recent = ""
				found = append(found, record)
			}
		}
		slices.SortFunc(found, func(a, b sessions.Record) int { return before(a.Place(), b.Place()) })
		found = found[:min(limit, len(found))]
		return nil
	})
	return found, err
}

// Delete implements sessions.Store in four round trips.
func (s *store) Delete(ctx context.Context, key sessions.Key) error {
	var epoch string
	for _, part := range []struct {
		name     string
		carryOut func()
	}{
		{"read the epoch", func() { epoch = s.records[key].Epoch }},
		{"delete the session", func() { delete(s.records, key) }},
		{"delete its events", func() {
			maps.DeleteFunc(s.events, func(c child, e eventRow) bool { return c.Key == key && e.epoch == epoch })
		}},
		{"delete its turns", func() {
			maps.DeleteFunc(s.turns, func(c child, t turnRow) bool { return c.Key == key && t.Epoch == epoch })
		}},
	} {
		err := s.trip(ctx, part.name, func() error { part.carryOut(); return nil })
		if err != nil {
			return err
		}
	}
	return nil
}

// sweep removes what has expired, as a back end does some time after.
func (s *store) sweep(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.records, func(_ sessions.Key, r sessions.Record) bool { return !now.Before(r.ExpireAt) })
	maps.DeleteFunc(s.turns, func(_ child, t turnRow) bool { return !now.Before(t.expireAt) })
	maps.DeleteFunc(s.events, func(_ child, e eventRow) bool { return !now.Before(e.expireAt) })
}
