package planner

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/web"
)

// maxLooked is how many entries of a list one request looks through for those that
// are asked for: the next page goes on behind them.
const maxLooked = 1_000

// listPlans answers GET /v1/plans.
func (h handler) listPlans(_ http.ResponseWriter, r *http.Request) (any, error) {
	var asked ledger.Page
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
	answer.NextPageToken, err = lookThrough(asked, func(of ledger.Page) (found bool, next string, err error) {
		list, err := h.Store.ListPlans(r.Context(), of)
		if err == nil {
			answer.Plans, err = h.listed(r.Context(), list.Items, sought, ledger.Status(status))
		}
		return len(answer.Plans) > 0, list.NextPageToken, err
	})
	return answer, err
}

// readPage reads which page of a list is asked for.
func readPage(q *web.Query) ledger.Page {
	token, _ := q.Text("page_token")
	return ledger.Page{Token: token, Size: q.WholeNumber("page_size", 0, ledger.MaxPageSize)}
}

// lookThrough looks at pages of a list until one has what is asked for, or enough were
// looked at. It returns the token of the page that follows.
func lookThrough(of ledger.Page, look func(ledger.Page) (found bool, next string, err error)) (string, error) {
	for looked := 0; looked < maxLooked; looked += of.Limit() {
		found, next, err := look(of)
		if of.Token = next; err != nil || found || next == "" {
			return next, err
		}
	}
	return of.Token, nil
}

// listed are those of some plans that are sought and have the status, "" for any.
func (h handler) listed(ctx context.Context, records []ledger.PlanRecord, sought *search, status ledger.Status) ([]plannerapi.ListedPlan, error) {
	all := make([]*plannerapi.ListedPlan, len(records))
	reading, ctx := errgroup.WithContext(ctx)
	reading.SetLimit(atATime)
	for i, record := range records {
		stored, err := ledger.ReadPlan(record)
		if err != nil {
			return nil, err
		}
		if !sought.inPlan(stored) {
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

// search is what somebody looks for in a list: words that all stand in the sentence,
// the id, the names of people, the file or the SKUs, or one SKU that was changed.
type search struct {
	words   []string
	changed map[string]bool // executions that changed it
}

func newSearch(text string) *search { return &search{words: strings.Fields(fold.Letters(text))} }

// findChanged finds the executions that changed the SKU of exactly this text, the newest
// maxLooked.
func (s *search) findChanged(ctx context.Context, store ledger.Store, text string) error {
	sku := strings.TrimSpace(text)
	if sku == "" || len(sku) > table.MaxNameBytes || !utf8.ValidString(sku) {
		return nil
	}
	s.changed = map[string]bool{}
	_, err := lookThrough(ledger.Page{Size: ledger.MaxPageSize}, func(of ledger.Page) (bool, string, error) {
		list, err := store.SKUChanges(ctx, sku, of)
		for _, change := range list.Items {
			s.changed[change.ExecutionID] = true
		}
		return false, list.NextPageToken, err
	})
	return err
}

// inPlan reports whether all words are found in what is said of a plan.
func (s *search) inPlan(stored ledger.StoredPlan) bool { return s.in(wordsOf(stored)) }

// inExecution reports whether all words are found in what is said of an execution of
// a plan, which is zero where there is none.
func (s *search) inExecution(e ledger.Execution, stored ledger.StoredPlan) bool {
	if s.changed[e.ExecutionID] {
		return true
	}
	text := append(wordsOf(stored), e.ExecutionID, e.Source.Object, e.Source.UploadedBy, e.Source.ProposedBy)
	if e.Approval != nil {
		text = append(text, e.Approval.By)
	}
	if e.Seal != nil && e.Seal.Approval != nil {
		text = append(text, e.Seal.Approval.By)
	}
	return s.in(text)
}

func (s *search) in(text []string) bool {
	all := fold.Letters(strings.Join(text, "\n"))
	return !slices.ContainsFunc(s.words, func(word string) bool { return !strings.Contains(all, word) })
}

func wordsOf(stored ledger.StoredPlan) []string {
	if stored.Plan == nil {
		return nil
	}
	text := []string{stored.Plan.SourceInstruction, stored.ExecutionID, stored.CreatedBy}
	if stored.Planner.Table != nil {
		text = append(text, stored.Planner.Table.File)
	}
	for _, operation := range stored.Plan.Operations {
		text = slices.Concat(text, operation.Filter.SKUs, operation.Filter.ExcludeSKUs)
	}
	return text
}
