package shop

import (
	"cmp"
	"context"
	"slices"

	"github.com/planwright/planwright/shared/errs"
)

// batch carries one batch out: read, compare, write, store the results, note them.
func (r *run) batch(ctx context.Context, rows []changedRow) error {
	if err := r.lease.renew(ctx); err != nil {
		return err
	}
	began := r.now()
	lines, err := r.compare(ctx, rows)
	if err != nil {
		return err
	}
	if err := r.send(ctx, lines); err != nil {
		return err
	}
	took := r.now().Sub(began)
	for i := range lines {
		lines[i].Batch = r.posting.Progress.Batch
	}
	err = storeResults(ctx, r.Audit, ResultsName(r.posting.ExecutionID, r.posting.Progress.Batch), lines)
	if errs.KindOf(err) == errs.Conflict {
		return r.foundResults(ctx, err)
	} else if err != nil {
		return err
	}
	r.Log.InfoContext(ctx, "a batch is in the shop",
		"batch", r.posting.Progress.Batch, "rows", len(rows), "took", took.String())
	r.posting.Progress.BatchRows = nextSize(cmp.Or(r.posting.Progress.BatchRows, r.Shop.Limits().First),
		len(rows), took, r.Shop.Limits())
	return r.noteBatch(ctx, lines)
}

// foundResults is for results that were there: our own, whose reply was lost, or those of
// a publisher that took the shop over. Whoever goes on takes them over.
func (r *run) foundResults(ctx context.Context, refusal error) error {
	if err := r.lease.put(ctx, r.now().Add(r.leaseTime())); err != nil {
		return err
	}
	return errs.Wrap(errs.Unavailable, refusal,
		"The results of a batch are there already and are taken over.")
}

// compare reads the rows of a batch as the shop has them and decides about each.
func (r *run) compare(ctx context.Context, rows []changedRow) ([]resultLine, error) {
	states, err := r.read(ctx, rows)
	if err != nil {
		return nil, err
	}
	lines := make([]resultLine, len(rows))
	for i, row := range rows {
		now := states[row.ID]
		decided := decide(row, now, r.posting.Shop, r.about)
		lines[i] = resultLine{
			ExecutionID: r.posting.ExecutionID,
			Row:         row.Row,
			SKU:         row.SKU,
			Name:        row.Name,
			Group:       row.Group,
			ID:          row.ID,
			Result:      decided.Outcome,
			Before:      row.Before,
			After:       row.After,
			Why:         decided.why,
			End:         row.End,
		}
		if now != nil {
			lines[i].Has = now.Prices
		}
	}
	return lines, nil
}

// read reads rows of one group as they are now.
func (r *run) read(ctx context.Context, rows []changedRow) (map[string]*State, error) {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	ctx, cancel, err := r.lease.request(ctx)
	if err != nil {
		return nil, err
	}
	defer cancel()
	found, err := r.Shop.Read(ctx, rows[0].Group, ids)
	if err != nil {
		return nil, err
	}
	states := map[string]*State{}
	for i := range found {
		states[found[i].ID] = &found[i]
	}
	return states, nil
}

// send writes the rows that hold what they were fetched with, and takes the answers.
func (r *run) send(ctx context.Context, lines []resultLine) error {
	var sets []Set
	places := map[string]int{}
	for i, line := range lines {
		if line.Result == toWrite {
			sets, places[line.ID] = append(sets, line.row().set()), i
		}
	}
	if len(sets) == 0 {
		return nil
	}
	requestCtx, cancel, err := r.lease.request(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	results, err := r.Shop.Write(requestCtx, lines[0].Group, sets)
	if err != nil {
		if r.givesUp(err, lines) {
			return nil
		}
		return &trouble{cause: err, unsettled: true, rows: len(sets)}
	}
	for _, result := range results {
		if place, asked := places[result.ID]; asked {
			lines[place].answered(result)
		}
	}
	for _, line := range lines {
		if line.Result == toWrite {
			return &trouble{
				cause: errs.New(errs.Unusable,
					"The shop's answer leaves rows out that it was asked to set."),
				unsettled: true,
				rows:      len(sets),
			}
		}
	}
	return nil
}

// answered takes the shop's answer about a row. One that it stored differently is not
// written as planned, whatever the shop says.
func (l *resultLine) answered(result Result) {
	switch {
	case result.Refused != "":
		l.Result, l.Why = Refused, result.Refused
	case !l.row().matches(result.Now, l.After):
		l.Result = Refused
		l.Has = result.Now
		l.Why = "The shop took " + l.After.String() + " and made " + result.Now.String() + " of it."
	default:
		l.Result, l.Has = Written, result.Now
	}
}

// triesOfOne is after how many runs without an answer a row that is alone in its batch
// is given up, so that it does not hold up the others.
const triesOfOne = 8

// givesUp refuses the one row of a batch that the shop never answers about. It is read
// before each try, and held the old price each time.
func (r *run) givesUp(err error, lines []resultLine) bool {
	kind := errs.KindOf(err)
	if len(lines) > 1 || r.posting.Tries < triesOfOne || kind == errs.Denied || kind == errs.Exhausted {
		return false
	}
	lines[0].Result = Refused
	lines[0].Why = "The shop did not answer when it was asked to set this price, time after time. " +
		errs.Message(err)
	return true
}

// noteBatch notes the results of a batch in the posting.
func (r *run) noteBatch(ctx context.Context, lines []resultLine) error {
	next := r.posting
	next.Left = slices.Clone(next.Left)
	count(&next, lines)
	next.Progress.Batch++
	next.Progress.Bytes = lines[len(lines)-1].End
	next.Tries, next.Trouble = 0, ""
	return r.note(ctx, next)
}
