package planner

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/web"
)

// Orders of the changes that a plan would make.
const (
	orderRow  = "row"  // as they stand in the table
	orderRise = "rise" // the largest rise first
	orderFall = "fall" // the largest fall first
)

// Kinds of changes that can be asked for alone.
const (
	onlyDearer  = "dearer"
	onlyCheaper = "cheaper"
	onlyLarge   = "large" // by more than largePercent
	onlySale    = "sale"  // the product is on sale afterwards
)

// largePercent is from where a move is a large one, in the units of pricing.Seen.
const largePercent = 20 * 10_000

// wanted says which of the changes that a plan would make are asked for.
type wanted struct {
	search       string // what a SKU or a name has in it, in lower case
	name         string // of the row that is looked at, where something is searched for
	only         string // a kind of change; "": all
	order        string
	above, below int64 // by how much prices move, in the units of pricing.Seen
	moving       bool  // a bound was given
	after        key   // that of the last one of the page before
	size         int
	asCSV        bool
}

// readWanted reads it from a request's parameters and its header.
func readWanted(q *web.Query, r *http.Request) *wanted {
	page := readPage(q)
	w := &wanted{
		above: math.MinInt64,
		below: math.MaxInt64,
		size:  page.Limit(),
		asCSV: strings.Contains(r.Header.Get("Accept"), "text/csv"),
	}
	search, _ := q.Text("search")
	order, _ := q.Text("sort")
	w.only, _ = q.Text("only")
	if w.only != "" && !slices.Contains([]string{onlyDearer, onlyCheaper, onlyLarge, onlySale}, w.only) {
		q.Problem("only", "must be dearer, cheaper, large or sale, but is %s", strictjson.Shorten(w.only))
	}
	w.search, w.order = strings.ToLower(search), cmp.Or(order, orderRow)
	if !slices.Contains([]string{orderRow, orderRise, orderFall}, w.order) {
		q.Problem("sort", "must be row, rise or fall, but is %s", strictjson.Shorten(w.order))
	}
	for name, to := range map[string]*int64{"moved_from": &w.above, "moved_to": &w.below} {
		text, _ := q.Text(name)
		if text == "" {
			continue
		}
		percent, err := strconv.ParseFloat(text, 64)
		if err != nil || !(math.Abs(percent) <= 1e9) {
			q.Problem(name, "must be a number of percent such as -12.5, but is %s", strictjson.Shorten(text))
		}
		*to, w.moving = int64(math.Round(percent*10_000)), true
	}
	if !w.after.read(page.Token) {
		q.Problem("page_token", "is not one that a list gave")
	}
	return w
}

// key is where a change stands in the order that is asked for.
type key struct{ rank, row int64 }

func (k key) compare(other key) int {
	return cmp.Or(cmp.Compare(k.rank, other.rank), cmp.Compare(k.row, other.row))
}

// read reads a page's token, and reports whether it is one. That of no page is before
// every change.
func (k *key) read(token string) bool {
	if token == "" {
		*k = key{math.MinInt64, 0}
		return true
	}
	n, err := fmt.Sscanf(token, "%d.%d", &k.rank, &k.row)
	return err == nil && n == 2 && token == k.token()
}

func (k key) token() string { return fmt.Sprintf("%d.%d", k.rank, k.row) }

// keyOf is where a change stands. A price that stays is neither a rise nor a fall.
func (w *wanted) keyOf(seen *pricing.Seen) key {
	moved := movedBy(seen)
	switch w.order {
	case orderRise:
		return key{-moved, seen.Row}
	case orderFall:
		return key{moved, seen.Row}
	}
	return key{0, seen.Row}
}

func (w *wanted) has(seen *pricing.Seen) bool {
	if w.moving && (seen.Moved == nil || *seen.Moved < w.above || *seen.Moved > w.below) {
		return false
	}
	return w.isOfKind(seen) && (strings.Contains(strings.ToLower(seen.SKU), w.search) ||
		strings.Contains(strings.ToLower(w.name), w.search))
}

// movedBy is how far a change moved what customers pay, as Seen has it; 0 where it did not.
func movedBy(seen *pricing.Seen) int64 {
	if seen.Moved == nil {
		return 0
	}
	return *seen.Moved
}

// isOfKind reports whether a change is of the kind that is asked for.
func (w *wanted) isOfKind(seen *pricing.Seen) bool {
	moved := movedBy(seen)
	switch w.only {
	case onlyDearer:
		return moved > 0
	case onlyCheaper:
		return moved < 0
	case onlyLarge:
		return moved > largePercent || moved < -largePercent
	case onlySale:
		return seen.OnSale
	}
	return true
}

// changes are a page of those that are asked for: whatever there are, no more are kept.
type changes struct {
	*wanted
	page  []ranked
	found int64 // of all pages
	after bool  // there are more behind the page
}

type ranked struct {
	key
	pricing.Seen
}

func (c *changes) see(seen pricing.Seen) error {
	if !c.has(&seen) {
		return nil
	}
	c.found++
	change := ranked{c.keyOf(&seen), seen}
	if change.compare(c.wanted.after) <= 0 {
		return nil
	}
	at, _ := slices.BinarySearchFunc(c.page, change, func(a, b ranked) int { return a.compare(b.key) })
	c.page = slices.Insert(c.page, at, change)
	if len(c.page) > c.size {
		c.page, c.after = c.page[:c.size], true
	}
	return nil
}

// skip counts a change that has no place on the page, and reports whether it is one: it
// need not be read. Where somebody searches, each has to be.
func (c *changes) skip(seen *pricing.Seen) bool {
	switch {
	case c.search != "":
		return false
	case !c.has(seen):
		return true
	}
	key := c.keyOf(seen)
	full := len(c.page) == c.size && key.compare(c.page[c.size-1].key) > 0
	if !full && key.compare(c.wanted.after) > 0 {
		return false
	}
	c.found++
	c.after = c.after || full
	return true
}

// next is the token of the page that follows.
func (c *changes) next() string {
	if !c.after {
		return ""
	}
	return c.page[len(c.page)-1].token()
}

// shown are the changes of the page, with what people know their rows by.
func (c *changes) shown(ctx context.Context, from *tableSource) ([]plannerapi.SeenChange, error) {
	shown := make([]plannerapi.SeenChange, len(c.page))
	byRow := make([]int, len(c.page))
	for i, change := range c.page {
		shown[i], byRow[i] = shownChange(&change.Seen), i
	}
	if len(shown) == 0 {
		return shown, nil
	}
	slices.SortFunc(byRow, func(a, b int) int { return cmp.Compare(shown[a].Row, shown[b].Row) })
	return shown, from.label(ctx, func(label func(*plannerapi.SeenChange)) error {
		for _, i := range byRow {
			label(&shown[i])
		}
		return nil
	})
}

func shownChange(seen *pricing.Seen) plannerapi.SeenChange {
	change := plannerapi.SeenChange{Change: seen.Change}
	if percent := seen.Percent(); percent != "" {
		change.MovedPercent = &percent
	}
	return change
}

// tableSource is a table whose changes are looked at, and how it is read.
type tableSource struct {
	open     func() (io.ReadCloser, error)
	settings table.Settings
	read     *bucket.Digest // of what was read
	fetched  bool           // from a shop, to which the result is written
	asked    *wanted        // which changes of it
}

// label reads the labels of rows while use asks for those of changes, in the rows' order.
func (s *tableSource) label(ctx context.Context, use func(func(*plannerapi.SeenChange)) error) error {
	in, err := s.open()
	if err != nil {
		return err
	}
	defer in.Close()
	labels, err := overview.ReadLabels(ctx, in, s.settings, table.UsualWorkload())
	if err != nil {
		return err
	}
	defer labels.Close()
	return use(func(change *plannerapi.SeenChange) {
		label := labels.Of(change.Row)
		change.Name, change.Picture = label.Name, label.Picture
		if label.Own.Value != "" {
			change.Own = &label.Own
		}
	})
}

// named gives use a see that knows the name of each row's product, where one is searched for.
func (s *tableSource) named(
	ctx context.Context, see func(pricing.Seen) error, use func(func(pricing.Seen) error) error,
) error {
	if s.asked == nil || s.asked.search == "" || see == nil {
		return use(see)
	}
	return s.label(ctx, func(label func(*plannerapi.SeenChange)) error {
		return use(func(seen pricing.Seen) error {
			change := plannerapi.SeenChange{Change: seen.Change}
			label(&change)
			s.asked.name = change.Name
			return see(seen)
		})
	})
}

// previewEngine runs an engine over the table as a preview does.
func (s *tableSource) previewEngine(
	ctx context.Context, engine *pricing.Engine, see func(pricing.Seen) error,
) (found pricing.Preview, err error) {
	err = s.named(ctx, see, func(see func(pricing.Seen) error) error {
		found, err = s.previewOpened(ctx, engine, see)
		return err
	})
	return found, err
}

func (s *tableSource) previewOpened(
	ctx context.Context, engine *pricing.Engine, see func(pricing.Seen) error,
) (pricing.Preview, error) {
	in, err := s.open()
	if err != nil {
		return pricing.Preview{}, err
	}
	defer in.Close()
	return engine.Preview(ctx, in, s.open, see)
}

// writeCSV answers with all changes that are asked for, in the order of their rows. They
// were looked at before, so that what is refused is refused in whole.
func (s *tableSource) writeCSV(w http.ResponseWriter, r *http.Request, engine *pricing.Engine, name string) {
	to := beginCSV(w, name)
	err := s.label(r.Context(), func(label func(*plannerapi.SeenChange)) error {
		in, err := s.open()
		if err != nil {
			return err
		}
		defer in.Close()
		_, err = engine.EachChange(r.Context(), in, func(seen pricing.Seen) error {
			change := shownChange(&seen)
			label(&change)
			if s.asked.name = change.Name; !s.asked.has(&seen) {
				return nil
			}
			return to.Write(csvRow(&change))
		})
		return err
	})
	endCSV(r, to, err)
}

// beginCSV answers with a table of changes, of which the titles are written.
func beginCSV(w http.ResponseWriter, name string) *csv.Writer {
	header := w.Header()
	header.Set("Content-Type", "text/csv; charset=utf-8")
	header.Set("Content-Disposition", `attachment; filename="`+name+`.changes.csv"`)
	to := csv.NewWriter(w)
	_ = to.Write([]string{
		"row", "sku", "name", "price_before", "price_after", "moved_percent", "sale_price_before",
		"sale_price_after", "compare_at_before", "compare_at_after", "stock_before", "stock_after",
		"quantity_before", "quantity_after", "picture",
	})
	return to
}

// endCSV ends it. After an error it breaks off: half a file must not look whole.
func endCSV(r *http.Request, to *csv.Writer, err error) {
	if to.Flush(); err != nil || to.Error() != nil {
		web.Log(r.Context()).WarnContext(r.Context(), "the changes broke off",
			"cause", cmp.Or(err, to.Error()))
		panic(http.ErrAbortHandler)
	}
}

func csvRow(c *plannerapi.SeenChange) []string {
	text := func(value *string) string {
		if value == nil {
			return ""
		}
		return *value
	}
	row := []string{
		strconv.FormatInt(c.Row, 10), c.SKU, c.Name, text(c.Before.Price), text(c.After.Price),
		text(c.MovedPercent),
		text(c.Before.SalePrice), text(c.After.SalePrice), text(c.Before.CompareAt), text(c.After.CompareAt),
		c.Before.StockWords(), c.After.StockWords(),
		text(c.Before.Quantity), text(c.After.Quantity), c.Picture,
	}
	return plannerapi.SpreadsheetRow(row)
}

// openProposed opens the table of which an execution proposes something: the held one that
// was handed in, for its day, and else what lies in its bucket.
func (h handler) openProposed(ctx context.Context, record ledger.Execution) (io.ReadCloser, error) {
	why := "This planner may not read the table"
	if rest, handedIn := strings.CutPrefix(record.Source.Object,
		execution.HandedInFolder+record.ExecutionID+"/"); handedIn && h.Tables != nil {
		id, _, _ := strings.Cut(rest, "/")
		if found, err := h.Tables.Find(ctx, id, "", true); err == nil {
			return h.Tables.Open(ctx, found)
		}
		why = "The table was handed in more than a day ago and is held no more"
	}
	refusal := func(kind errs.Kind, cause error) error {
		return errs.Wrap(kind, cause, "%s, so these are the first rows alone. What the proposal counts is of all rows. To see each of them, drop the table on the plan %s again: it is proposed anew.", why, record.ExecutionID)
	}
	from := h.Input(record.Source)
	if from == nil {
		return nil, refusal(errs.Denied, nil)
	}
	in, _, err := from.Open(ctx, record.Source.Object, record.Source.Reads())
	if errs.KindOf(err) == errs.Denied {
		err = refusal(errs.Denied, err)
	}
	return in, err
}

// task is what an execution proposes to carry out.
func (h handler) task(ctx context.Context, p *plan.Plan, record ledger.Execution) (execution.Task, error) {
	var undone *ledger.Execution
	if p.Undo != nil {
		if h.Audit == nil {
			return execution.Task{}, web.NotImplemented("What an undo changes is looked at by the executor alone here, so these are the first rows. What the proposal counts is of all rows, and all of them are listed once it was carried out. Its operator lets the planner look with OUTBOX_BUCKET and AUDIT_BUCKET.")
		}
		found, err := h.execution(ctx, p.Undo.ExecutionID)
		if err == nil {
			err = found.CheckUndo(record.ExecutionID)
		}
		if err != nil {
			return execution.Task{}, err
		}
		now, err := h.openProposed(ctx, record) // to tell its rows apart takes it, too
		if err != nil {
			return execution.Task{}, err
		}
		now.Close()
		undone = &found
	}
	return h.NewTask(ctx, p, record.Source, &record.Proposal.Seal, undone)
}

// proposedChanges answers with the changes that an execution proposes, looked at anew in
// the table that was handed in.
func (h handler) proposedChanges(
	w http.ResponseWriter, r *http.Request, record ledger.Execution, asked *wanted,
) (any, error) {
	proposal, err := h.shownProposal(r.Context(), record)
	if err != nil {
		return nil, err
	}
	stored, err := h.storedPlan(r.Context(), record.ExecutionID)
	if err != nil {
		return nil, err
	}
	done, err := h.awaitTurn(r.Context()) // what an undo takes back is kept in memory
	if err != nil {
		return nil, err
	}
	defer done()
	task, err := h.task(r.Context(), stored.Plan, record)
	if err != nil {
		return nil, err
	}
	defer task.Close()
	engine, err := task.Compile(r.Context())
	if err != nil {
		return nil, err
	}
	from := &tableSource{
		settings: task.Settings,
		asked:    asked,
		open:     func() (io.ReadCloser, error) { return h.openProposed(r.Context(), record) },
	}
	found := &changes{wanted: asked}
	summary, err := from.previewEngine(r.Context(), engine, found.see)
	if err != nil {
		return nil, table.On(err, setting.QueryParameter)
	}
	if summary.RowsChanged != proposal.Summary.RowsChanged || summary.Effect.Raised != nil &&
		proposal.Effect.Raised != nil && *summary.Effect.Raised != *proposal.Effect.Raised {
		return nil, errs.New(errs.Conflict, "What %s proposes was computed by another version of the engine, and this one computes something else. Drop the table again to have it proposed anew.", record.ExecutionID)
	}
	if asked.asCSV {
		from.writeCSV(w, r, engine, record.ExecutionID)
		return nil, nil
	}
	shown, err := found.shown(r.Context(), from)
	return plannerapi.ProposedChanges{
		RuleFigures: plannerapi.FiguresOf(&summary),
		RowsFound:   found.found,
		Changes:     plannerapi.Changes[plannerapi.SeenChange]{Changes: shown, NextPageToken: found.next()},
	}, err
}
