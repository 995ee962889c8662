package planner

import (
	"context"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/web"
)

// showExecution is an execution as a person sees it, of a plan that is stored. Noted is who
// imported its result; zero where nobody did.
func (h handler) showExecution(
	p person, e ledger.Execution, of plans.Stored, undos lineage.Undos, noted ledger.Import,
) plannerapi.Execution {
	shown := plannerapi.Execution{
		Author:      of.CreatedBy,
		UploadedBy:  e.Source.UploadedBy,
		ProposedBy:  e.Source.ProposedBy,
		Permissions: p.mayWith(e, of.CreatedBy),
		ExecutionID: e.ExecutionID,
		Status:      e.Status,
		Attempt:     e.Attempt,
		CreatedAt:   e.CreatedAt,
		Upload:      e.Source.Upload,
		Outputs:     []ledger.File{},
		Error:       e.Error,
		UndoneBy:    e.UndoneBy,
		UndoneStale: e.RowsLeft,
		UndoDue:     strictjson.NotNil(e.UndoDue),
		BytesRead:   e.BytesRead,
		ApprovalDue: e.Status == ledger.Proposed && e.NeedsApproval(),
		UploadedAt:  e.Source.UploadedAt,
		PreparedBy:  strictjson.NotNil(e.Source.PreparedBy),
	}
	if undos.Again() {
		shown.Undos = &undos
	}
	if e.Source.Shop != nil {
		shown.Shop = e.Source.Shop.URL
	}
	if e.Status == ledger.Running || e.AwaitsFetch() {
		shown.Delay = e.Delay
	}
	if of.Plan != nil {
		shown.SourceInstruction = of.Plan.SourceInstruction
		shown.StartsAt, shown.EndsAt = timeIn(of.Plan.ApplyTime()), timeIn(of.Plan.RevertTime())
	}
	if e.Proposal != nil && !e.Proposal.ApplyAt.IsZero() {
		shown.ApplyAt = &e.Proposal.ApplyAt
	}
	if !e.DueAt.IsZero() {
		shown.DueAt = &e.DueAt
	}
	if e.Seal != nil {
		shown.ExecutedAt, shown.Attempt = &e.Seal.ExecutedAt, e.Seal.Attempt
	}
	if e.Status == ledger.Completed && e.Seal != nil {
		shown.Outputs = []ledger.File{e.Seal.Output, e.Seal.Changes}
		shown.Summary = new(plannerapi.SummaryOf(e.Seal.Result))
	}
	if !noted.At.IsZero() {
		shown.Imported = &plannerapi.Imported{By: noted.By, At: noted.At}
	}
	return shown
}

// timeIn is a time of a plan; nil where there is none.
func timeIn(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

// listExecutions answers GET /v1/executions.
func (h handler) listExecutions(_ http.ResponseWriter, r *http.Request) (any, error) {
	var asked paging.Page
	var sought *search
	var words, status string
	var due bool
	err := web.ReadQuery(r, func(q *web.Query) {
		var given bool
		text, _ := q.Text("due")
		if due = text == "true"; text != "" && !due {
			q.Problem("due", "must be true, but is %s", strictjson.Shorten(text))
		}
		if status, given = q.Text("status"); given && ledger.Status(status).Validate() != nil {
			q.Problem("status", "must be running, proposed, completed or failed, but is %s",
				strictjson.Shorten(status))
		}
		sought, words = readSearch(q)
		asked = readPage(q)
	})
	if err != nil {
		return nil, err
	}
	p := h.person(r)
	if err := sought.findChanged(r.Context(), h.Store, words); err != nil {
		return nil, err
	}
	answer := plannerapi.Executions{Executions: []plannerapi.Execution{}}
	answer.NextPageToken, err = searchPages(asked, func(of paging.Page) (found bool, next string, err error) {
		list, err := h.listedExecutions(r.Context(), ledger.Status(status), due, of)
		if err != nil {
			return false, "", err
		}
		plans, err := plansOf(r.Context(), h, list.Items, func(e ledger.Execution) string {
			return e.ExecutionID
		})
		if err != nil {
			return false, "", err
		}
		notes, err := h.imports(r.Context(), list.Items)
		if err != nil {
			return false, "", err
		}
		undos, err := readEach(r.Context(), list.Items,
			func(ctx context.Context, e ledger.Execution) (lineage.Undos, error) {
				return lineage.Follow(ctx, h.Store, e)
			})
		if err != nil {
			return false, "", err
		}
		for i, execution := range list.Items {
			if sought.inExecution(execution, plans[i]) {
				shown := h.showExecution(p, execution, plans[i], undos[i], notes[execution.ExecutionID])
				answer.Executions = append(answer.Executions, shown)
			}
		}
		return len(answer.Executions) > 0, list.NextPageToken, nil
	})
	return answer, err
}

// listedExecutions are those of a status, "" for any, the newest first; or where those
// that are due are asked for, what is still to happen by itself first.
func (h handler) listedExecutions(
	ctx context.Context, status ledger.Status, due bool, of paging.Page,
) (paging.List[ledger.Execution], error) {
	if !due {
		return h.Store.Executions(ctx, status, of)
	}
	list, err := h.Store.Due(ctx, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), of)
	list.Items = slices.DeleteFunc(list.Items, func(e ledger.Execution) bool {
		return status != "" && e.Status != status
	})
	return list, err
}

// atATime is how many plans of a list are read at a time.
const atATime = 16

// plansOf are the plans of what is listed, each as planOf has it, in the list's order. One
// that several are of is read once.
func plansOf[T any](ctx context.Context, h handler, listed []T, idOf func(T) string) ([]plans.Stored, error) {
	places := map[string][]int{}
	for i, item := range listed {
		places[idOf(item)] = append(places[idOf(item)], i)
	}
	found := make([]plans.Stored, len(listed))
	reading, ctx := errgroup.WithContext(ctx)
	reading.SetLimit(atATime)
	for id, places := range places {
		reading.Go(func() error {
			stored, err := h.planOf(ctx, id)
			for _, i := range places {
				found[i] = stored
			}
			return err
		})
	}
	return found, reading.Wait()
}

// readEach reads something of each that is listed, some at a time, in the list's order.
func readEach[T, U any](
	ctx context.Context, listed []T, read func(context.Context, T) (U, error),
) ([]U, error) {
	found := make([]U, len(listed))
	reading, ctx := errgroup.WithContext(ctx)
	reading.SetLimit(atATime)
	for i, item := range listed {
		reading.Go(func() (err error) {
			found[i], err = read(ctx, item)
			return err
		})
	}
	return found, reading.Wait()
}

// planOf is an execution's plan; zero where its table came first.
func (h handler) planOf(ctx context.Context, executionID string) (plans.Stored, error) {
	stored, err := plans.Load(ctx, h.Store, executionID)
	if errs.KindOf(err) == errs.NotFound {
		return plans.Stored{}, nil
	}
	return stored, err
}

// getExecution answers GET /v1/executions/{execution_id}.
func (h handler) getExecution(_ http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	execution, err := h.execution(r.Context(), executionID)
	if err != nil {
		return nil, err
	}
	return h.showStatus(r, execution)
}

// showStatus shows an execution.
func (h handler) showStatus(r *http.Request, record ledger.Execution) (any, error) {
	audit, err := h.Store.Audit(r.Context(), record.ExecutionID, plannerapi.MaxAudit)
	if err != nil {
		return nil, err
	}
	proposal, err := h.shownProposal(r.Context(), record)
	if err != nil {
		return nil, err
	}
	of, err := h.planOf(r.Context(), record.ExecutionID)
	if err != nil {
		return nil, err
	}
	notes, err := h.imports(r.Context(), []ledger.Execution{record})
	if err != nil {
		return nil, err
	}
	undos, err := lineage.Follow(r.Context(), h.Store, record)
	if err != nil {
		return nil, err
	}
	answer := plannerapi.Record{
		Execution: h.showExecution(h.person(r), record, of, undos, notes[record.ExecutionID]),
		Proposal:  plannerapi.ProposalOf(proposal),
		Approval:  record.Approval,
		Audit:     strictjson.NotNil(audit),
		AuditHead: record.AuditHead,
		Approvers: h.approvers(record, of.CreatedBy),
	}
	if answer.Warnings, err = h.currentWarnings(r.Context(), record, undos); err != nil {
		return nil, err
	}
	answer.Warnings = strictjson.NotNil(answer.Warnings)
	if record.Seal != nil {
		answer.PlanSHA256 = record.Seal.PlanSHA256
	}
	return answer, nil
}

// currentWarnings are of what is proposed or was carried out, beside those in it: of other
// plans on its table, and on an output that is undone or may be.
func (h handler) currentWarnings(
	ctx context.Context, record ledger.Execution, undos lineage.Undos,
) ([]plan.Warning, error) {
	read := record.Seal
	if record.Proposal != nil {
		read = &record.Proposal.Seal
	}
	publishing := record.Seal != nil && record.Status == ledger.Running
	switch {
	case read == nil || publishing:
		return nil, nil
	case undos.Again(): // the table that is to be gone on with is another's by now
		return nil, nil
	case record.UndoneBy != "":
		undo, err := h.Store.Execution(ctx, record.UndoneBy)
		if err != nil || undo.Source.OutputOf != record.ExecutionID {
			return nil, err
		}
		return h.outputUsed(ctx, record), nil
	case record.Source.OutputOf != "": // others on its table are those on that output
		undone, err := h.Store.Execution(ctx, record.Source.OutputOf)
		return slices.Concat(h.outputUsed(ctx, undone), h.outputUsed(ctx, record)), err
	}
	same := h.sameTable(ctx, bucket.Digest{
		Size:   read.Input.Size,
		CRC32C: read.Input.CRC32C,
	}, record.ExecutionID)
	return append(same, h.outputUsed(ctx, record)...), nil
}

// shownProposal is what a record proposes, nil where it proposes nothing. Of what
// was edited in the database nothing is shown.
func (h handler) shownProposal(ctx context.Context, record ledger.Execution) (*ledger.Proposal, error) {
	if record.Proposal == nil {
		return nil, nil
	}
	stored, err := h.storedPlan(ctx, record.ExecutionID)
	if err != nil {
		return nil, err
	}
	return record.ShownProposal(stored)
}

// execution reads a record. Where there is none it says what to do next.
func (h handler) execution(ctx context.Context, executionID string) (ledger.Execution, error) {
	execution, missing := h.Store.Execution(ctx, executionID)
	if errs.KindOf(missing) != errs.NotFound {
		return execution, missing
	}
	switch stored, err := plans.Load(ctx, h.Store, executionID); errs.KindOf(err) {
	case "":
		if due := h.dueOn(ctx, stored); due != nil {
			when := "within a minute or two"
			if due.At.After(h.now()) {
				when = "at " + due.At.UTC().Format(time.RFC3339)
			}
			return execution, errs.Wrap(errs.NotFound, missing,
				"The undo %s is carried out on what %s wrote, %s: ask again then.", executionID,
				stored.Plan.Undo.ExecutionID, when)
		}
		return execution, errs.Wrap(errs.NotFound, missing,
			"The plan %s is stored, and no CSV was uploaded for it yet. Upload one: %s", executionID,
			h.UploadCommand(executionID))
	case errs.NotFound:
		return execution, errs.Wrap(errs.NotFound, missing, "There is no plan and no execution %s.",
			executionID)
	default:
		return execution, err
	}
}

// dueOn says when the undo of a stored plan is due on the output of what it undoes; nil: it
// is not.
func (h handler) dueOn(ctx context.Context, stored plans.Stored) *ledger.UndoDue {
	if stored.Plan.Undo == nil {
		return nil
	}
	of, err := h.Store.Execution(ctx, stored.Plan.Undo.ExecutionID)
	at := slices.IndexFunc(of.UndoDue, func(due ledger.UndoDue) bool {
		return due.ExecutionID == stored.ExecutionID
	})
	if err != nil || at < 0 {
		return nil
	}
	return &of.UndoDue[at]
}

// listChanges answers GET /v1/executions/{execution_id}/changes.
func (h handler) listChanges(w http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	record, err := h.execution(r.Context(), executionID)
	if err != nil {
		return nil, err
	}
	if record.Status == ledger.Proposed && record.Proposal != nil {
		var asked *wanted
		if err := web.ReadQuery(r, func(q *web.Query) { asked = readWanted(q, r) }); err != nil {
			return nil, err
		}
		return h.proposedChanges(w, r, record, asked)
	}
	if record.Status == ledger.Completed && r.URL.Query().Has("figures") {
		return h.doneChanges(w, r, record)
	}
	var asked paging.Page
	var format string
	err = web.ReadQuery(r, func(q *web.Query) {
		asked = readPage(q)
		if format, _ = q.Text("format"); format != "" && format != formatImport {
			q.Problem("format", "must be import, but is %s", strictjson.Shorten(format))
		}
	})
	if err != nil {
		return nil, err
	}
	if format == formatImport {
		return nil, h.writeImportFile(w, r, record)
	}
	found, err := h.Store.Changes(r.Context(), executionID, asked)
	return plannerapi.Changes[pricing.Change]{
		Changes:       strictjson.NotNil(found.Items),
		NextPageToken: found.NextPageToken,
	}, err
}

// listSKUChanges answers GET /v1/skus/{sku}/changes.
func (h handler) listSKUChanges(_ http.ResponseWriter, r *http.Request) (any, error) {
	var asked paging.Page
	if err := web.ReadQuery(r, func(q *web.Query) { asked = readPage(q) }); err != nil {
		return nil, err
	}
	sku := r.PathValue("sku")
	if len(sku) > cell.MaxNameBytes || !utf8.ValidString(sku) {
		return nil, errs.New(errs.Invalid, "A SKU is at most %d bytes of UTF-8.", cell.MaxNameBytes)
	}
	found, err := h.Store.SKUChanges(r.Context(), sku, asked)
	if err != nil {
		return nil, err
	}
	plans, err := plansOf(r.Context(), h, found.Items, func(c changelog.SKUChange) string {
		return c.ExecutionID
	})
	if err != nil {
		return nil, err
	}
	answer := plannerapi.Changes[plannerapi.SKUChange]{
		Changes:       make([]plannerapi.SKUChange, len(found.Items)),
		NextPageToken: found.NextPageToken,
	}
	for i, change := range found.Items {
		answer.Changes[i] = plannerapi.SKUChange{SKUChange: change}
		if plans[i].Plan != nil {
			answer.Changes[i].SourceInstruction = plans[i].Plan.SourceInstruction
		}
	}
	return answer, nil
}
