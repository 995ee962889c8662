package console

import (
	"cmp"
	"net/http"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
)

// undo takes a change back in the newest file that has it. Where products were changed
// since, nothing is done before somebody has said what becomes of these.
func (c *Console) undo(w http.ResponseWriter, r *http.Request) error {
	id, table, stale := r.PathValue("id"), field(w, r, "table"), r.PostFormValue("stale")
	switch inShop, err := c.isInShop(r, id); {
	case err != nil:
		return err
	case inShop:
		return c.undoInShop(w, r, id)
	}
	if table == "" {
		newest, err := c.newestWith(r, id)
		if err != nil {
			return err
		}
		if newest == id && stale == "" {
			return c.undoOutput(w, r, id)
		}
		var held plannerapi.StoredTable
		if err := c.Planner.Send(r.Context(), http.MethodPost, "/v1/tables",
			map[string]string{"output_of": newest}, &held); err != nil {
			return err
		}
		table = held.Table
	}
	return c.undoIn(w, r, table, stale)
}

// undoInFile takes a change back in a file that is dropped, such as today's export.
func (c *Console) undoInFile(w http.ResponseWriter, r *http.Request) error {
	held, err := c.hold(w, r)
	if err != nil {
		return err
	}
	return c.undoIn(w, r, held.Table, "")
}

// undoOutput takes a change back in its own result, of which nothing was changed since.
func (c *Console) undoOutput(w http.ResponseWriter, r *http.Request, id string) error {
	var made planView
	if err := c.Planner.Send(r.Context(), http.MethodPost, executionPath(id, ":undo"),
		map[string]string{"table": "output"}, &made); err != nil {
		return err
	}
	seeOther(w, r, "/executions/"+made.Plan.ExecutionID, afterHandIn(ledger.Upload{}))
	return nil
}

// undoIn takes a change back in a held table. Stale is what becomes of products that were
// changed since; "" where nobody has said it.
func (c *Console) undoIn(w http.ResponseWriter, r *http.Request, table, stale string) error {
	body := map[string]string{"table": "upload", "stale": cmp.Or(stale, string(plan.StaleFail))}
	var made planView
	if err := c.Planner.Send(r.Context(), http.MethodPost, executionPath(r.PathValue("id"), ":undo"), body,
		&made); err != nil {
		return err
	}
	id := made.Plan.ExecutionID
	upload, err := c.execute(r, id, handOver{Table: table, Intent: "apply"}, nil)
	if err != nil {
		return err
	}
	seeOther(w, r, "/executions/"+id, afterHandIn(upload))
	return nil
}

// maxSteps is how many changes are followed from one to the next that was made on it.
const maxSteps = 100

// newestWith is the newest change that was made on the result of a change, on the result of
// that, and so on: its file has them all.
func (c *Console) newestWith(r *http.Request, id string) (string, error) {
	for range maxSteps {
		var found plannerapi.Record
		if err := c.Planner.Get(r.Context(), executionPath(id, ""), &found); err != nil {
			return "", err
		}
		next, err := c.newestOf(r, madeOnIt(found))
		if err != nil || next == "" {
			return id, err
		}
		id = next
	}
	return "", errs.New(errs.Exhausted,
		"More than %d changes were made one on the other. Upload today's file, and undo this change there.",
		maxSteps)
}

// madeOnIt are the changes that were made on the result of one and stand.
func madeOnIt(found plannerapi.Record) (ids []string) {
	for _, warning := range found.Warnings {
		if warning.Code == lineage.WarnOutputUsed {
			ids = append(ids, warning.Arguments...)
		}
	}
	return ids
}

// newestOf is the one of some changes that was made last; "" of none.
func (c *Console) newestOf(r *http.Request, ids []string) (newest string, err error) {
	var last plannerapi.Record
	for _, id := range ids {
		var found plannerapi.Record
		if err := c.Planner.Get(r.Context(), executionPath(id, ""), &found); err != nil {
			return "", err
		}
		if found.ExecutedAt != nil && (newest == "" || found.ExecutedAt.After(*last.ExecutedAt)) {
			newest, last = id, found
		}
	}
	return newest, nil
}

// staleUndo is an undo that has done nothing, for products were changed since.
type staleUndo struct {
	Of   string // the change that was to be taken back
	File string // the held table that it was to be done in
	Rows []staleRow
	All  bool // no product is as the change left it
	More bool // there are more than are listed
}

// Count is how many products were changed since, as far as they are counted.
func (s staleUndo) Count() string {
	if s.More {
		return "More than " + ofProducts(int64(len(s.Rows)))
	}
	return ofProducts(int64(len(s.Rows)))
}

// Stale is why an undo has done nothing; nil where that is not why.
func (p changePage) Stale() *staleUndo {
	if p.Error == nil || p.Error.Code != codeStale || p.Undoes == nil {
		return nil
	}
	all := p.Undoes.Summary != nil && int64(len(p.Error.Stale)) >= p.Undoes.Summary.RowsChanged
	return &staleUndo{
		p.Undoes.ExecutionID, p.TableID, staleRowsOf(p.Error.Stale), all, len(p.Error.Stale) >= maxStaleRows,
	}
}

// codeStale is of an undo that was to do nothing where a product changed since, and
// maxStaleRows is how many such products its record has at most.
const (
	codeStale    = "stale"
	maxStaleRows = 1000
)
