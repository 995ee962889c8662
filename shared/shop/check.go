package shop

import (
	"context"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/ledger/postings"
)

// check reads once more all that was written, batch by batch, and lists what differs:
// somebody edited it meanwhile, or a request that was given up landed late.
func (r *run) check(ctx context.Context) error {
	for r.posting.Progress.Checked < r.posting.Progress.Batch {
		if err := r.lease.renew(ctx); err != nil {
			return err
		}
		lines, err := readResults(ctx, r.Audit,
			ResultsName(r.posting.ExecutionID, r.posting.Progress.Checked))
		if err != nil {
			return err
		}
		differ, err := r.differing(ctx, lines)
		if err != nil {
			return err
		}
		next := r.posting
		next.Left = slices.Clone(next.Left)
		count(&next, differ)
		next.Progress.Checked++
		next.Tries, next.Trouble = 0, ""
		if err := r.note(ctx, next); err != nil {
			return err
		}
		r.Pause(ctx, r.Shop.Limits().Pause)
	}
	next := r.posting
	next.Status, next.DueAt = postings.Posted, time.Time{}
	next.Tries, next.Trouble = 0, ""
	if err := r.note(ctx, next); err != nil {
		return err
	}
	done := next.Progress
	r.Log.InfoContext(ctx, "posted", "written", done.Written, "already", done.Already, "stale", done.Stale,
		"refused", done.Refused, "gone", done.Gone, "differs", done.Differs)
	return nil
}

// differing reads the rows of a batch that the shop held as planned, and returns those
// that it does not hold so any more.
func (r *run) differing(ctx context.Context, lines []resultLine) (differ []resultLine, err error) {
	lines = slices.DeleteFunc(lines, func(l resultLine) bool {
		return l.Result != Written && l.Result != Already
	})
	if len(lines) == 0 {
		return nil, nil
	}
	rows := make([]changedRow, len(lines))
	for i, line := range lines {
		rows[i] = line.row()
	}
	states, err := r.read(ctx, rows)
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		now := states[line.ID]
		if now != nil && line.row().matches(now.Prices, line.After) {
			continue
		}
		line.Result = Differs
		line.Has = Prices{}
		line.Why = "It was removed from the shop after its price was set."
		if now != nil {
			line.Has, line.Why = now.Prices, "It was set as planned, and was changed since."
		}
		differ = append(differ, line)
	}
	return differ, nil
}
