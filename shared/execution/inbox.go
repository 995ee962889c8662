package execution

import (
	"context"
	"iter"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// unlistedTooLong is how long nobody may have looked at an object before
// somebody is told: an event is given up after 16 hours.
const unlistedTooLong = 24 * time.Hour

// noteEvery is after how many objects it is noted how far a listing has come.
const noteEvery = 1000

// List is bucket.Store's, of the inbox.
type List func(ctx context.Context, from string) iter.Seq2[bucket.Object, error]

// SweepInbox delivers every object of the inbox that nobody has taken care of,
// old generations too: the one whose event never came, or was given up. Plan
// files come first, for tables wait for them. It returns how many failed.
func (x *Executor) SweepInbox(ctx context.Context, list List) (failed int, err error) {
	return x.sweepInbox(ctx, list, &ledger.InboxRound{}, func(context.Context, ledger.InboxRound) error {
		return nil
	})
}

// SweepInboxOn does so from where the sweep before ran out of time, and notes how
// far it comes. It logs how old an object can be that nobody has looked at.
func (x *Executor) SweepInboxOn(
	ctx context.Context, list List, round ledger.InboxRound,
	note func(context.Context, ledger.InboxRound) error,
) (failed int, err error) {
	if round.BeganAt.IsZero() {
		round.BeganAt, round.PreviousBeganAt = x.now(), x.now()
	}
	failed, err = x.sweepInbox(ctx, list, &round, note)
	unlisted := x.now().Sub(round.PreviousBeganAt)
	attributes := []any{
		"unlisted_seconds", int(unlisted.Seconds()), "finished", round.Name == "" && !round.Tables,
	}
	if unlisted > unlistedTooLong {
		x.Log.WarnContext(ctx, "the listing of the inbox does not come to its end",
			append(attributes, "alert", "inbox_unfinished")...)
	} else {
		x.Log.InfoContext(ctx, "the inbox was listed", attributes...)
	}
	return failed, err
}

// sweepInbox goes on with a round until it ends or there is no time left, and
// notes how far it came.
func (x *Executor) sweepInbox(
	ctx context.Context, list List, round *ledger.InboxRound,
	note func(context.Context, ledger.InboxRound) error,
) (failed int, err error) {
	for {
		var finished bool
		var more int
		more, finished, err = x.sweepKind(ctx, list(ctx, round.Name), round, note)
		failed += more
		switch {
		case err != nil || !finished:
			if noteErr := note(ctx, *round); err == nil {
				err = noteErr
			}
			return failed, err
		case round.Tables:
			*round = ledger.InboxRound{BeganAt: x.now(), PreviousBeganAt: round.BeganAt}
			return failed, note(ctx, *round)
		default:
			round.Tables, round.Name = true, ""
		}
	}
}

// sweepKind looks at the objects of a listing that are of the round's kind and
// were not looked at in it before.
func (x *Executor) sweepKind(
	ctx context.Context, listed iter.Seq2[bucket.Object, error], round *ledger.InboxRound,
	note func(context.Context, ledger.InboxRound) error,
) (failed int, finished bool, err error) {
	seen := 0
	for object, err := range listed {
		if err != nil {
			return failed, false, err
		}
		round.Name = object.Name
		if !x.hasTime(ctx) {
			return failed, false, ctx.Err()
		}
		if seen++; seen%noteEvery == 0 {
			if err := note(ctx, *round); err != nil {
				return failed, false, err
			}
		}
		if target := route(object.Name, object.Metadata); (target.kind != planFile) == round.Tables {
			failed += x.swept(ctx, object.Name, x.deliverForgotten(ctx, object, target))
		}
	}
	return failed, true, nil
}

// deliverForgotten delivers an object where nothing says that it was before.
func (x *Executor) deliverForgotten(ctx context.Context, object bucket.Object, target target) error {
	event := eventOf(ctx, object, x.now())
	forgotten := true
	var err error
	switch target.kind {
	case ignored:
		return nil
	case tableFile:
		forgotten, err = x.isForgotten(ctx, target.executionID, event.upload())
	case unclaimed, wrongKind:
		forgotten, err = x.isUntold(ctx, event, target)
	}
	if err != nil || !forgotten {
		return err
	}
	return x.Handle(ctx, event)
}

// isForgotten reports whether an upload has no outcome and is not the one that
// its execution's record is about, which is due by itself.
func (x *Executor) isForgotten(ctx context.Context, executionID string, upload ledger.Upload) (bool, error) {
	found, err := x.Ledger.Snapshot(ctx, executionID, upload.ID())
	if err != nil {
		return false, err
	}
	return found.Outcome == nil && (found.Execution == nil || found.Execution.Source.Upload != upload), nil
}

// isUntold reports whether the notice about a file that is for no execution is missing.
func (x *Executor) isUntold(ctx context.Context, event Event, target target) (bool, error) {
	_, err := x.Outbox.Stat(ctx, strayName(event, target))
	if errs.KindOf(err) == errs.NotFound {
		return true, nil
	}
	return false, err
}
