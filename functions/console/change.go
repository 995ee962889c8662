package console

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
)

// changePage is one change: a saved draft, what it would do, or what it did.
type changePage struct {
	plannerapi.Record
	Plan   planView
	Me     *plannerapi.Me
	Own    bool // tables may be handed in with the reader's own rights
	Waits  bool // nothing was begun of the plan yet
	Handed bool // the reader has just handed a table in
	// HandedIn is the generation of that table; 0 where it is not known.
	HandedIn int64
	Size     int64 // of the table that is being read; 0 where nobody knows

	Draft   *newPage // of a draft over a table: New change with its rules
	TableID string   // the table that it is about, where that is held; "" where it is not
	Result  result   // what it would do, or did
	List    listing  // which of its products are shown
	Why     string   // why not all of them can be shown; "" where they can
	Undoes  *plannerapi.Record
	Undone  *plannerapi.Record // the undo that took it back
	// Posting is what was written to the shop that its table was fetched from; nil where
	// nothing is.
	Posting *plannerapi.Posting

	Chain     *chain // what verifying found; nil where nobody asked
	Overtaken string // who decided before the reader did; "" where nobody has
	Notice    string // what was done by the last press; "" where it shows
	Times     times  // of a scheduled change, to be edited
}

// stage is where a change stands.
type stage string

const (
	stageDraft     stage = "draft"
	stageStarting  stage = "starting"  // it begins by itself
	stagePlanless  stage = "planless"  // a table was dropped for a plan that there is not yet
	stageComputing stage = "computing" // its result is being computed
	stageApproval  stage = "approval"  // it waits for one
	stageScheduled stage = "scheduled" // it waits for its time
	stageEnded     stage = "ended"     // without a result
	stageDone      stage = "done"
)

// stage is where the change stands.
func (p changePage) stage() stage {
	switch {
	case p.Status == ledger.Completed:
		return stageDone
	case p.Status == ledger.Failed && p.isOld():
		return stageStarting
	case p.Status == ledger.Failed:
		return stageEnded
	case p.Status == ledger.Proposed && p.ApprovalDue:
		return stageApproval
	case p.Status == ledger.Proposed && p.isComing():
		return stageScheduled
	case p.Status == ledger.Running && p.Plan.PlanSHA256 == "":
		return stagePlanless
	case p.Status == ledger.Running:
		return stageComputing
	case p.Waits && p.Plan.Plan.Undo != nil && p.Plan.planned().Apply.At.After(time.Now()):
		return stageScheduled
	case p.Waits && !p.Handed && p.Plan.Plan.Undo == nil:
		return stageDraft
	}
	return stageStarting
}

// isOld reports whether the record is of a table before the one that the reader has just
// handed in.
func (p changePage) isOld() bool { return p.Upload.Generation < p.HandedIn }

// afterHandIn is the query of the page to which a table leads that was handed in.
func afterHandIn(upload ledger.Upload) url.Values {
	return url.Values{"handed_in": {strconv.FormatInt(upload.Generation, 10)}}
}

// Is reports whether it stands at one of some stages.
func (p changePage) Is(stages ...stage) bool { return slices.Contains(stages, p.stage()) }

// isComing reports whether its time is still to come.
func (p changePage) isComing() bool {
	return p.Proposal != nil && p.Proposal.ApplyAt.After(time.Now())
}

// settled reports whether nothing more comes by itself.
func (p changePage) settled() bool { return p.Is(stageDone, stageEnded, stageDraft) }

// change shows one, of which something was begun. A draft has its own address.
func (c *Console) change(w http.ResponseWriter, r *http.Request) error {
	shown, err := c.found(r)
	if err != nil {
		return err
	}
	if shown.Is(stageDraft) {
		seeOther(w, r, "/plans/"+shown.ExecutionID, nil)
		return nil
	}
	if r.URL.Query().Get("verify") != "" {
		shown.Chain = shown.verified()
	}
	c.showChange(w, r, http.StatusOK, shown)
	return nil
}

func (c *Console) showChange(w http.ResponseWriter, r *http.Request, status int, shown changePage) {
	view := page{Title: shown.Title(), Here: "executions", Me: shown.Me, Body: shown}
	if !shown.settled() && shown.Times.Problem == "" { // the reader mends what they typed first
		view.Live, view.Again = live(r), shown.Proposal == nil
	}
	c.render(w, r, status, "change", view)
}

// savedPlan shows a draft. What was begun of a plan has another address.
func (c *Console) savedPlan(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	started, err := c.started(r, id)
	if err != nil {
		return err
	}
	if started {
		seeOther(w, r, "/executions/"+id, nil)
		return nil
	}
	shown := changePage{Me: c.me(r), Own: c.OwnRights, Waits: true}
	if shown.Plan, err = c.storedPlan(r.Context(), id); err != nil {
		return err
	}
	shown.ExecutionID = id
	if shown.Plan.Plan.Undo != nil {
		seeOther(w, r, "/executions/"+id, nil)
		return nil
	}
	status := http.StatusOK
	if err := c.addDraft(r, &shown); errs.KindOf(err) == errs.NotFound || errs.KindOf(err) == errs.Unusable {
		status, shown.Why = http.StatusNotFound, errs.Message(err)
	} else if err != nil {
		return err
	}
	c.render(w, r, status, "change", page{Title: shown.Title(), Here: "new", Me: shown.Me, Body: shown})
	return nil
}

// addDraft adds what a draft would do to the table of the address, or to the one that it
// was made over while that is held.
func (c *Console) addDraft(r *http.Request, shown *changePage) error {
	table := r.URL.Query().Get("table")
	made := shown.Plan.Planner.Table
	asked := table != ""
	if made != nil {
		table = cmp.Or(table, made.Table)
	}
	if table == "" || !shown.Me.Allows(plannerapi.ActPlan) && !asked {
		return nil
	}
	draft := newPage{editor: editor{url.Values{"plan": {shown.ExecutionID}, "table": {table}}}}
	err := c.readNew(r, &draft)
	if refused := errs.KindOf(err); !asked && (refused == errs.NotFound || refused == errs.Denied) {
		return nil // it is held no more
	} else if err != nil {
		return err
	}
	shown.Draft, shown.TableID, shown.Result = &draft, table, draft.Result.shown(false)
	return nil
}

// found reads a change with a page of its products.
func (c *Console) found(r *http.Request) (changePage, error) {
	id := r.PathValue("id")
	shown := changePage{
		Me:     c.me(r),
		Own:    c.OwnRights,
		Handed: r.URL.Query().Has("handed_in"),
		Notice: pressed[r.URL.Query().Get("done")],
	}
	shown.HandedIn, _ = strconv.ParseInt(r.URL.Query().Get("handed_in"), 10, 64)
	var err error
	if shown.Plan, err = c.storedPlan(r.Context(), id); err != nil && errs.KindOf(err) != errs.NotFound {
		return shown, err
	}
	missing := c.Planner.Get(r.Context(), executionPath(id, ""), &shown.Record)
	if errs.KindOf(missing) == errs.NotFound && err == nil {
		shown.ExecutionID, shown.Waits = id, true
	} else if missing != nil {
		return shown, missing
	}
	if shown.Undone, err = c.recordOf(r, shown.UndoneBy); err != nil {
		return shown, err
	}
	if shown.Undoes, err = c.recordOf(r, shown.Plan.undoneID()); err != nil {
		return shown, err
	}
	shown.TableID, shown.Times = uploadedTable(shown.ExecutionID, shown.Upload), shown.Plan.planned()
	shown.List = listingOf("/executions/"+id, r.URL.Query())
	switch {
	case shown.Status == ledger.Running:
		shown.Size = c.sizeOf(r, shown.Upload)
	case shown.Status == ledger.Completed:
		c.addDone(r, &shown)
		if shown.Shop != "" {
			shown.Posting, err = c.postingOf(r, id)
			return shown, err
		}
	case shown.Proposal != nil:
		c.addProposed(r, &shown)
	}
	return shown, nil
}

// recordOf is another change that the page speaks of; nil where it is none, or not known.
func (c *Console) recordOf(r *http.Request, id string) (*plannerapi.Record, error) {
	if id == "" {
		return nil, nil
	}
	var found plannerapi.Record
	err := c.Planner.Get(r.Context(), executionPath(id, ""), &found)
	if errs.KindOf(err) == errs.NotFound {
		return nil, nil
	}
	return &found, err
}

// undoneID is the change that a plan takes back; "" where it takes none back.
func (p planView) undoneID() string {
	var undo struct {
		ExecutionID string `json:"execution_id"`
	}
	_ = json.Unmarshal(p.Plan.Undo, &undo) // of a stored plan
	return undo.ExecutionID
}

// uploadedTable is the held table that was handed in as an upload; "" where it was none. It may be
// held no more.
func uploadedTable(id string, upload ledger.Upload) string {
	rest, handedIn := strings.CutPrefix(upload.Object, execution.HandedInFolder+id+"/")
	if !handedIn {
		return ""
	}
	table, _, _ := strings.Cut(rest, "/")
	return table
}

// seenPage is a page of the products of a change, with the figures of all of them.
type seenPage struct {
	plannerapi.ProposedChanges
	Effect *pricing.Effect `json:"effect"` // null of what is proposed
}

// addProposed adds what is proposed: a page of all of it, or its first rows where the
// planner cannot look at them anew.
func (c *Console) addProposed(r *http.Request, shown *changePage) {
	proposal := shown.Proposal
	seen := plannerapi.Preview{
		Summary: plannerapi.PreviewSummaryOf(proposal.Summary.Counts),
		Effect:  proposal.Effect,
		Table:   proposal.Summary.Table,
	}
	seen.Paid.Cheaper, seen.Paid.Dearer = proposal.Effect.RowsLowered, proposal.Effect.RowsRaised
	for _, warning := range proposal.Warnings {
		seen.Warnings = append(seen.Warnings, plannerapi.WarningOf(warning))
	}
	list, err := c.seenPage(r, shown, proposal.ProposalSHA256, shown.List.query())
	if err != nil {
		shown.Why = errs.Message(err)
		for _, change := range proposal.Effect.Changes {
			seen.Changes = append(seen.Changes, plannerapi.SeenChange{Change: change})
		}
	} else {
		seen.Changes = list.Changes.Changes
		seen.RowsFound = list.RowsFound
		seen.RuleFigures = list.RuleFigures
		shown.List.page(list.RowsFound, list.NextPageToken, len(seen.Changes))
	}
	shown.Result = shown.resultOf(&seen, false)
	if shown.List.Tab == "left" {
		c.addLeftOut(r, shown)
	}
}

// addDone adds what was done: a page of it with the figures of all, or without these where
// the planner cannot read what was written.
func (c *Console) addDone(r *http.Request, shown *changePage) {
	if shown.Summary == nil {
		return
	}
	seen := plannerapi.Preview{
		Summary: plannerapi.PreviewSummaryOf(shown.Summary.Counts),
		Table:   shown.Summary.Table,
	}
	for _, warning := range shown.Summary.Told {
		seen.Warnings = append(seen.Warnings, plannerapi.WarningOf(warning))
	}
	query := shown.List.query()
	query.Set("figures", "true")
	list, err := c.seenPage(r, shown, shown.ExecutionID, query)
	if err != nil {
		shown.Why = errs.Message(err)
		list, err = c.seenPage(r, shown, shown.ExecutionID, url.Values{
			"page_token": {last(shown.List.after)},
			"page_size":  {pageSizeText},
		})
		list.RowsFound = shown.Summary.RowsChanged
	}
	if err != nil {
		shown.Why = errs.Message(err)
	} else {
		seen.Changes, seen.RowsFound = list.Changes.Changes, list.RowsFound
		shown.List.page(list.RowsFound, list.NextPageToken, len(seen.Changes))
	}
	if list.Effect != nil {
		seen.Effect = *list.Effect
		seen.Paid.Cheaper, seen.Paid.Dearer = seen.Effect.RowsLowered, seen.Effect.RowsRaised
	}
	shown.Result = shown.resultOf(&seen, true)
	shown.Result.uncounted = list.Effect == nil
}

// resultOf is what a change would do, or did, as New change shows it.
func (p changePage) resultOf(seen *plannerapi.Preview, past bool) result {
	found := result{Preview: seen}
	var rules struct{ Operations json.RawMessage }
	e := editor{url.Values{}}
	if json.Unmarshal(p.Plan.StoredPlan.Plan, &rules) == nil && len(rules.Operations) > 0 &&
		e.fill(rules.Operations) == nil {
		found.state, found.rules = e, e.rules()
	}
	return found.shown(past)
}

// addLeftOut adds the products that exceptions take out of what is proposed, while its
// table is held.
func (c *Console) addLeftOut(r *http.Request, shown *changePage) {
	if shown.TableID == "" || len(shown.Result.rules) == 0 {
		return
	}
	operations, wrong := shown.Result.state.operations()
	if len(wrong) > 0 {
		return
	}
	look := rulesPreview{Console: c, table: shown.TableID, query: url.Values{}, operations: operations}
	_ = look.leftOut(r.Context(), &shown.Result) // the page says how many all the same
}

// seenPage asks for a page of products, once for all who look at it: each takes a pass over the
// table.
func (c *Console) seenPage(
	r *http.Request, shown *changePage, of string, query url.Values,
) (list seenPage, err error) {
	text := queryOf(query)
	key := of + text
	c.mu.Lock()
	list, known := c.pages[key]
	c.mu.Unlock()
	if known {
		return list, nil
	}
	if err := c.Planner.Get(r.Context(), executionPath(shown.ExecutionID, "/changes")+text,
		&list); err != nil {
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

// maxPages is how many pages of products are kept, each of pageSize rows.
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

// chain is whether the audit documents are those that were written.
type chain struct {
	Documents int
	Fault     string
}

// verified follows the chain of the audit documents.
func (p changePage) verified() *chain {
	found := &chain{Documents: len(p.Audit)}
	if found.Documents >= plannerapi.MaxAudit {
		found.Fault = "There are more documents than are shown here. The command planwright verify looks at all of them."
	} else if _, err := ledger.CheckChain(p.Audit, p.AuditHead); err != nil {
		found.Fault = "The record is not as it was written: " + err.Error() + "."
	}
	return found
}
