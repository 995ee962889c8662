package console

import (
	"cmp"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/web"
)

// executionPage is an execution, how far it is, and what it changed.
type executionPage struct {
	plannerapi.Record
	Plan    planView
	Waiting bool  // no table was taken yet
	Handed  bool  // the reader has just handed one in
	Size    int64 // of the table that is being read; 0 where nobody knows
	Changes []plannerapi.SeenChange
	Found   int64                  // rows that are asked for, of what is proposed
	Figures plannerapi.RuleFigures // of what is proposed, where it was looked at anew
	Look    look
	Why     string // why not all of what is proposed can be shown; "" where it is
	Chain   *chain // what verifying found; nil where nobody asked

	Own       bool      // tables may be handed in with the reader's own rights
	UndoneAt  time.Time // zero where it was not undone
	Overtaken string    // who has decided meanwhile; "" where nobody has
	Timeline  []moment
	Times     times
}

// Undoable reports whether there is room for another undo: none is under way. One that is
// to come later finds that there is nothing left to do.
func (p executionPage) Undoable() bool {
	return !slices.ContainsFunc(p.UndoDue, func(due ledger.UndoDue) bool { return !due.Waits && !due.At.After(time.Now()) })
}

// DueUndo reports whether it is an undo that begins at a time.
func (p executionPage) DueUndo() bool { return p.Plan.Plan.Undo != nil && p.Plan.Plan.ApplyAt != "" }

// Late reports whether what is proposed is applied as soon as it may be, for its time has
// passed.
func (p executionPage) Late() bool { return !p.Proposal.ApplyAt.After(time.Now()) }

// CanBeTakenBack reports whether there is something to take back, or was.
func (p executionPage) CanBeTakenBack() bool {
	return p.Status == ledger.Completed && (p.Summary == nil || p.Summary.RowsChanged > 0 || p.UndoneBy != "")
}

// Short reports whether there is room for what happened beside what was asked for.
func (p executionPage) Short() bool {
	return len(p.Changes) > 0 && len(p.Changes) <= 10 || p.Settled() && len(p.Changes) == 0
}

// Planless reports whether a table was dropped for a plan that there is not yet.
func (p executionPage) Planless() bool { return p.Status == ledger.Running && p.Plan.PlanSHA256 == "" }

// chain is whether the audit documents are those that were written.
type chain struct {
	Documents int
	Fault     string
}

// execution shows one.
func (c *Console) execution(w http.ResponseWriter, r *http.Request) error {
	shown, err := c.found(r)
	if err != nil {
		return err
	}
	if r.URL.Query().Get("verify") != "" {
		shown.Chain = shown.verified()
	}
	c.showExecution(w, r, http.StatusOK, shown)
	return nil
}

func (c *Console) showExecution(w http.ResponseWriter, r *http.Request, status int, shown executionPage) {
	view := page{Title: cmp.Or(shown.Plan.Plan.SourceInstruction, shown.ExecutionID), Here: "executions", Body: shown}
	if !shown.Settled() && shown.Times.Problem == "" { // what was typed is to be mended first
		view.Live, view.Again = live(r), shown.Proposal == nil
	}
	c.render(w, r, status, "execution", view)
}

// found reads an execution with its plan and a page of its changes. A plan
// whose table was not taken yet is an execution that waits.
func (c *Console) found(r *http.Request) (executionPage, error) {
	id := r.PathValue("id")
	shown := executionPage{Own: c.OwnRights, Handed: r.URL.Query().Has("handed_in")}
	var err error
	if shown.Plan, err = c.storedPlan(r.Context(), id); err != nil && errs.KindOf(err) != errs.NotFound {
		return shown, err
	}
	missing := c.Planner.Get(r.Context(), executionPath(id, ""), &shown.Record)
	if errs.KindOf(missing) == errs.NotFound && err == nil {
		shown.ExecutionID, shown.Waiting = id, true
	} else if missing != nil {
		return shown, missing
	}
	if shown.UndoneBy != "" {
		var undo plannerapi.Execution
		if err := c.Planner.Get(r.Context(), executionPath(shown.UndoneBy, ""), &undo); err != nil {
			return shown, err
		}
		if undo.ExecutedAt != nil {
			shown.UndoneAt = *undo.ExecutedAt
		}
	}
	shown.Timeline, shown.Times = shown.timeline(), shown.Plan.Planned()
	if shown.Status == ledger.Running {
		shown.Size = c.sizeOf(r, shown.Upload)
	}
	shown.Look = lookIn(r.URL.Query())
	switch {
	case shown.Status == ledger.Completed:
		return shown, c.addChanges(r, &shown)
	case shown.Proposal != nil:
		c.addProposed(r, &shown)
	}
	return shown, nil
}

// proposed asks for a page of what is proposed, once for all who look at it: each takes a
// pass over the table.
func (c *Console) proposed(r *http.Request, shown *executionPage) (list plannerapi.ProposedChanges, err error) {
	query := queryOf(shown.Look.query())
	key := shown.Proposal.ProposalSHA256 + query
	c.mu.Lock()
	list, known := c.pages[key]
	c.mu.Unlock()
	if known {
		return list, nil
	}
	if err := c.Planner.Get(r.Context(), executionPath(shown.ExecutionID, "/changes")+query, &list); err != nil {
		return list, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.pages) == maxPages {
		clear(c.pages)
	}
	c.pages[key] = list
	return list, nil
}

// maxPages is how many pages of proposals are kept, each of 25 rows.
const maxPages = 256

// sizeOf is the size of a table that was handed in.
func (c *Console) sizeOf(r *http.Request, upload ledger.Upload) int64 {
	from := c.Files(upload.Bucket)
	if from == nil {
		return 0
	}
	stat, err := from.Stat(r.Context(), upload.Object)
	if err != nil || stat.Generation != upload.Generation {
		return 0 // another table by now, or not for this reader to see
	}
	return stat.Size
}

func (c *Console) addChanges(r *http.Request, shown *executionPage) error {
	var list plannerapi.Changes[plannerapi.SeenChange]
	query := url.Values{"page_token": {last(shown.Look.after)}, "page_size": {"50"}}
	if err := c.Planner.Get(r.Context(), executionPath(shown.ExecutionID, "/changes")+queryOf(query), &list); err != nil {
		return err
	}
	shown.Changes = list.Changes
	shown.Look.Pager = pages("/executions/"+shown.ExecutionID, url.Values{}, shown.Look.after, list.NextPageToken)
	return nil
}

// addProposed adds a page of all that is proposed, or of its first rows where the planner
// cannot look at them anew.
func (c *Console) addProposed(r *http.Request, shown *executionPage) {
	list, err := c.proposed(r, shown)
	if err != nil {
		for _, change := range shown.Proposal.Effect.Changes {
			shown.Changes = append(shown.Changes, plannerapi.SeenChange{Change: change})
		}
		shown.Why = errs.Message(err)
		return
	}
	shown.Changes, shown.Found, shown.Figures = list.Changes.Changes, list.RowsFound, list.RuleFigures
	shown.Look.page("/executions/"+shown.ExecutionID, url.Values{}, list.NextPageToken)
}

// Settled reports whether nothing more comes by itself.
func (e executionPage) Settled() bool {
	return e.Status == ledger.Completed || e.Status == ledger.Failed
}

// Completing is the audit document of what was carried out; nil before.
func (e executionPage) Completing() *ledger.AuditDocument {
	for i := range e.Audit {
		if e.Audit[i].Status == ledger.Completed {
			return &e.Audit[i]
		}
	}
	return nil
}

// verified follows the chain of the audit documents.
func (e executionPage) verified() *chain {
	found := &chain{Documents: len(e.Audit)}
	if found.Documents >= plannerapi.MaxAudit {
		found.Fault = "There are more documents than are shown here. The command planwright verify looks at all of them."
	} else if _, err := ledger.CheckChain(e.Audit, e.AuditHead); err != nil {
		found.Fault = "The record is not as it was written: " + err.Error() + "."
	}
	return found
}

// decide sends a decision about the proposal that was looked at, and about no other, with
// the note that was written; the planner knows it by that name.
func (c *Console) decide(verb, done, name string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, seen, note, done := r.PathValue("id"), field(w, r, "proposal_sha256"), strings.TrimSpace(r.PostFormValue("note")), done
		if r.PostFormValue("cancel") != "" { // what waited for its time alone
			done = "cancelled it"
		}
		body := map[string]string{"proposal_sha256": seen}
		if by := r.PostFormValue("approved_by"); by != "" && name == "reason" {
			body["approved_by"] = by
		}
		switch {
		case note != "":
			body[name] = note
		case r.PostFormValue("cancel") != "":
			body[name] = "Cancelled without a note."
		case name == "reason":
			return errs.New(errs.Invalid, "Say why, in a few words: the record keeps it, and whoever asked reads it.")
		}
		var after plannerapi.Record
		err := c.Planner.Send(r.Context(), http.MethodPost, executionPath(id, verb), body, &after)
		if err != nil {
			return c.late(w, r, seen, done, err)
		}
		seeOther(w, r, "/executions/"+id, nil)
		return nil
	}
}

// undo stores the plan that takes an execution back: on its own output at once,
// or on a table that is dropped on that plan.
func (c *Console) undo(w http.ResponseWriter, r *http.Request) error {
	over := field(w, r, "table")
	body := map[string]string{"table": over}
	if r.PostFormValue("stale") != "" {
		body["stale"] = r.PostFormValue("stale")
	}
	var made planView
	if err := c.Planner.Send(r.Context(), http.MethodPost, executionPath(r.PathValue("id"), ":undo"), body, &made); err != nil {
		return err
	}
	if over == "output" {
		seeOther(w, r, "/executions/"+made.Plan.ExecutionID, url.Values{"handed_in": {"1"}})
	} else {
		seeOther(w, r, "/plans/"+made.Plan.ExecutionID, nil)
	}
	return nil
}

// download answers with one of the files that an execution has written.
func (c *Console) download(w http.ResponseWriter, r *http.Request) error {
	var found plannerapi.Record
	if err := c.Planner.Get(r.Context(), executionPath(r.PathValue("id"), ""), &found); err != nil {
		return err
	}
	at := map[string]int{"output": 0, "changes": 1}
	i, known := at[r.PathValue("file")]
	if !known || i >= len(found.Outputs) {
		return errs.New(errs.NotFound, "This execution has no such file.")
	}
	file := found.Outputs[i]
	from := c.Files(file.Bucket)
	if from == nil {
		return errs.New(errs.NotFound, "The bucket %s is not known here.", file.Bucket)
	}
	stat, err := from.Stat(r.Context(), file.Object) // which has the checksum of a file that somebody has by name
	if err != nil {
		return err
	}
	content, _, err := from.Open(r.Context(), file.Object, stat.Generation)
	if err != nil {
		return err
	}
	defer content.Close()
	if stat.CRC32C != file.CRC32C {
		return errs.New(errs.Conflict, "%s is not the file that was written: somebody replaced it.", path.Base(file.Object))
	}
	web.SendFile(w, path.Base(file.Object), cmp.Or(stat.ContentType, "application/octet-stream"), content)
	return nil
}
