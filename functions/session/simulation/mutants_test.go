package simulation

import (
	"context"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
)

// Mutants are the product with one guard removed each. A simulation that does
// not catch every one of them would prove nothing.
var Mutants = []Mutant{
	{"a commit that ignores the session's revision", func(s sessions.Store) sessions.Store { return unfenced{s} }},
	{"message ids that are forgotten", func(s sessions.Store) sessions.Store { return forgetful{s} }},
	{"a lost race that is not looked up", func(s sessions.Store) sessions.Store { return hasty{s} }},
	{"leases that nobody looks at", func(s sessions.Store) sessions.Store { return impatient{s} }},
	{"one epoch for all", func(s sessions.Store) sessions.Store { return timeless{s} }},
}

// unfenced commits whatever the session's revision.
type unfenced struct{ sessions.Store }

func (u unfenced) Commit(ctx context.Context, change sessions.Change) error {
	now, err := u.Load(context.Background(), change.Session.Key, "")
	if err != nil {
		return err
	}
	change.Session.Revision = now.Session.Revision
	return u.Store.Commit(ctx, change)
}

// forgetful does not know which messages it has answered.
type forgetful struct{ sessions.Store }

func (f forgetful) Load(ctx context.Context, key sessions.Key, _ string) (sessions.Snapshot, error) {
	return f.Store.Load(ctx, key, "")
}

func (f forgetful) Commit(ctx context.Context, change sessions.Change) error {
	change.Turn = nil
	return f.Store.Commit(ctx, change)
}

// impatient takes every lease for one that has ended.
type impatient struct{ sessions.Store }

func (i impatient) Load(ctx context.Context, key sessions.Key, turnID string) (sessions.Snapshot, error) {
	found, err := i.Store.Load(ctx, key, turnID)
	if !found.Turn.LeaseUntil.IsZero() {
		found.Turn.LeaseUntil = time.Unix(1, 0)
	}
	return found, err
}

// hasty reads nothing after a commit that was refused.
type hasty struct{ sessions.Store }

func (h hasty) Commit(ctx context.Context, change sessions.Change) error {
	err := h.Store.Commit(ctx, change)
	if d, ok := ctx.Value(deliveryKey{}).(*delivery); ok && err != nil {
		d.refused = true
	}
	return err
}

func (h hasty) Load(ctx context.Context, key sessions.Key, turnID string) (sessions.Snapshot, error) {
	if d, ok := ctx.Value(deliveryKey{}).(*delivery); ok && d.refused {
		return sessions.Snapshot{}, errs.New(errs.Unavailable, "not now")
	}
	return h.Store.Load(ctx, key, turnID)
}

// timeless takes every session of a name for the same one.
type timeless struct{ sessions.Store }

const sameEpoch = "EPOCH"

func (t timeless) Commit(ctx context.Context, change sessions.Change) error {
	change.Session.Epoch = sameEpoch
	if change.Turn != nil {
		turn := *change.Turn
		turn.Epoch, change.Turn = sameEpoch, &turn
	}
	return t.Store.Commit(ctx, change)
}
