package planner

import (
	"context"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// maxLooked is how many entries of a list one request looks through for those that
// are asked for: the next page goes on behind them.
const maxLooked = 1_000

// listPlans answers GET /v1/plans.
func (h handler) listPlans(_ http.ResponseWriter, r *http.Request) (any, error) {
	var asked paging.Page
	var search, status string
	err := web.ReadQuery(r, func(q *web.Query) {
		status, _ = q.Text("status")
		search, _ = q.Text("search")
		asked = readPage(q)
		if status != "" && status != string(plannerapi.StatusDraft) {
			q.Problem("status", "must be draft, but is %s", strictjson.Shorten(status))
		}
	})
	if err != nil {
		return nil, err
	}
	sought := newSearch(search)
	answer := plannerapi.PlanList{Plans: []plannerapi.ListedPlan{}}
	answer.NextPageToken, err = searchPages(asked, func(of paging.Page) (found bool, next string, err error) {
		list, err := h.Store.ListPlans(r.Context(), of)
		if err == nil {
			answer.Plans, err = h.listed(r.Context(), list.Items, sought, ledger.Status(status))
		}
		return len(answer.Plans) > 0, list.NextPageToken, err
	})
	return answer, err
}

// readPage reads which page of a list is asked for.
func readPage(q *web.Query) paging.Page {
	token, _ := q.Text("page_token")
	return paging.Page{Token: token, Size: q.WholeNumber("page_size", 0, paging.MaxSize)}
}

// searchPages looks at pages of a list until one has what is asked for, or enough were
// looked at. It returns the token of the page that follows.
func searchPages(
	of paging.Page, look func(paging.Page) (found bool, next string, err error),
) (string, error) {
	for looked := 0; looked < maxLooked; looked += of.Limit() {
		found, next, err := look(of)
		if of.Token = next; err != nil || found || next == "" {
			return next, err
		}
	}
	return of.Token, nil
}

// listed are those of some plans that are sought and have the status, "" for any.
func (h handler) listed(
	ctx context.Context, records []plans.Record, sought *search, status ledger.Status,
) ([]plannerapi.ListedPlan, error) {
	all := make([]*plannerapi.ListedPlan, len(records))
	reading, ctx := errgroup.WithContext(ctx)
	reading.SetLimit(atATime)
	for i, record := range records {
		stored, err := plans.Read(record)
		if err != nil {
			return nil, err
		}
		if !sought.in(wordsOf(stored)) {
			continue
		}
		reading.Go(func() error {
			is, err := h.statusOf(ctx, record.ExecutionID)
			if err == nil && (status == "" || status == is) {
				all[i] = &plannerapi.ListedPlan{
					ExecutionID: record.ExecutionID, SourceInstruction: stored.Plan.SourceInstruction,
					CreatedAt: record.CreatedAt, CreatedBy: record.CreatedBy,
					Agreement: record.Planner.Agreement, Table: record.Planner.Table, Status: is,
				}
			}
			return err
		})
	}
	if err := reading.Wait(); err != nil {
		return nil, err
	}
	shown := []plannerapi.ListedPlan{}
	for _, draft := range all {
		if draft != nil {
			shown = append(shown, *draft)
		}
	}
	return shown, nil
}

// statusOf is the status of a plan's execution; draft where there is none.
func (h handler) statusOf(ctx context.Context, executionID string) (ledger.Status, error) {
	record, err := h.Store.Execution(ctx, executionID)
	if errs.KindOf(err) == errs.NotFound {
		return plannerapi.StatusDraft, nil
	}
	return record.Status, err
}
