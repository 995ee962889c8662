package console

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/web"
)

// executionsPage is a page of the changes: what is to be done, what comes by itself, and what
// was done.
type executionsPage struct {
	Filter    changesFilter
	Todo      []task
	Scheduled []plannerapi.Execution // start or end by themselves
	Done      []plannerapi.Execution // the newest first
	Drafts    []plannerapi.ListedPlan
	Pager     pager
}

// changesFilter is which changes are looked for.
type changesFilter struct {
	Search, Person, From, Until, Brand string
	Drafts                             bool // rules that were saved, and of which nothing came yet
}

// changesIn reads what an address asks for.
func changesIn(asked url.Values) changesFilter {
	text := func(name string) string { return strings.TrimSpace(asked.Get(name)) }
	return changesFilter{
		text("search"), text("person"), text("from"), text("until"), text("brand"),
		asked.Get("status") == string(plannerapi.StatusDraft),
	}
}

// All reports whether none is left out.
func (a changesFilter) All() bool { return a.Search+a.Person+a.From+a.Until+a.Brand == "" && !a.Drafts }

// Filtered reports whether some are left out by more than words.
func (a changesFilter) Filtered() bool { return a.Person+a.From+a.Until+a.Brand != "" }

func (a changesFilter) query() url.Values {
	query := url.Values{
		"search": {a.Search},
		"person": {a.Person},
		"from":   {a.From},
		"until":  {a.Until},
		"brand":  {a.Brand},
	}
	if a.Drafts {
		query.Set("status", string(plannerapi.StatusDraft))
	}
	return query
}

// executions shows them.
func (c *Console) executions(w http.ResponseWriter, r *http.Request) error {
	shown, err := c.listed(r)
	if err != nil {
		return err
	}
	c.render(w, r, http.StatusOK, "changes", page{
		Title: "Changes",
		Here:  "executions",
		Live:  live(r),
		Body:  shown,
	})
	return nil
}

func (c *Console) listed(r *http.Request) (shown executionsPage, err error) {
	after := r.URL.Query()["after"]
	shown.Filter = changesIn(r.URL.Query())
	if shown.Filter.Drafts {
		var list plannerapi.PlanList
		err = c.list(r, "/v1/plans", string(plannerapi.StatusDraft), shown.Filter.Search, last(after), &list)
		shown.Drafts = list.Plans
		shown.Pager = pages("/executions", shown.Filter.query(), after, list.NextPageToken)
		return shown, err
	}
	var list plannerapi.Executions
	query := shown.Filter.query()
	query.Set("page_token", last(after))
	query.Set("page_size", "50")
	if err := c.Planner.Get(r.Context(), "/v1/executions"+queryOf(query), &list); err != nil {
		return shown, err
	}
	shown.Pager = pages("/executions", shown.Filter.query(), after, list.NextPageToken)
	all := list.Executions
	if shown.Filter.All() && len(after) == 0 { // what waits is never on another page
		waiting, err := c.changesToDo(r)
		if err != nil {
			return shown, err
		}
		ending, err := c.toBeTakenBack(r)
		if err != nil {
			return shown, err
		}
		all = withoutTwins(slices.Concat(all, waiting, ending))
	}
	shown.group(all, time.Now())
	return shown, nil
}

// withoutTwins are changes, each once.
func withoutTwins(all []plannerapi.Execution) []plannerapi.Execution {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(e plannerapi.Execution) bool {
		twin := seen[e.ExecutionID]
		seen[e.ExecutionID] = true
		return twin
	})
}

// withoutUndos are changes without those that undid another one of them, whose row says so.
func withoutUndos(all []plannerapi.Execution) []plannerapi.Execution {
	undos := map[string]bool{}
	for _, e := range all {
		undos[e.UndoneBy] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(e plannerapi.Execution) bool {
		return undos[e.ExecutionID]
	})
}

// group puts changes where they belong, each once.
func (p *executionsPage) group(all []plannerapi.Execution, now time.Time) {
	p.Todo = tasksOf(all, now)
	todo := map[string]bool{}
	for _, task := range p.Todo {
		todo[task.ExecutionID] = true
	}
	for _, e := range withoutUndos(all) {
		switch {
		case todo[e.ExecutionID]:
		case e.Status == ledger.Proposed, endOf(e).After(now):
			p.Scheduled = append(p.Scheduled, e)
		default:
			p.Done = append(p.Done, e)
		}
	}
	slices.SortStableFunc(p.Done, func(a, b plannerapi.Execution) int {
		return b.CreatedAt.Compare(a.CreatedAt)
	})
}

func (c *Console) list(r *http.Request, path, status, search, after string, list any) error {
	query := url.Values{"status": {status}, "search": {search}, "page_token": {after}, "page_size": {"50"}}
	return c.Planner.Get(r.Context(), path+queryOf(query), list)
}

// proposals are the newest that wait.
func (c *Console) proposals(r *http.Request) ([]plannerapi.Execution, error) {
	var list plannerapi.Executions
	err := c.list(r, "/v1/executions", string(ledger.Proposed), "", "", &list)
	return list.Executions, err
}

// toBeTakenBack are the completed executions that are to be undone, the next first.
func (c *Console) toBeTakenBack(r *http.Request) ([]plannerapi.Execution, error) {
	var list plannerapi.Executions
	query := url.Values{"due": {"true"}, "status": {string(ledger.Completed)}, "page_size": {"50"}}
	err := c.Planner.Get(r.Context(), "/v1/executions"+queryOf(query), &list)
	return slices.DeleteFunc(list.Executions, func(e plannerapi.Execution) bool {
		return e.DueAt == nil || e.UndoneBy != "" && e.UndoneStale == 0
	}), err
}

// me is who reads. A page is shown to nobody known where that cannot be asked.
func (c *Console) me(r *http.Request) *plannerapi.Me {
	var me plannerapi.Me
	if err := c.Planner.Get(r.Context(), "/v1/me", &me); err != nil {
		web.Log(r.Context()).WarnContext(r.Context(), "cannot ask who reads", "error", err)
	}
	return &me
}

// waiting counts the proposals that the reader may approve. A page that cannot
// count them is shown without.
func (c *Console) waiting(r *http.Request) (count int) {
	proposed, err := c.proposals(r)
	if err != nil {
		web.Log(r.Context()).WarnContext(r.Context(), "cannot count what waits", "error", err)
	}
	for _, execution := range proposed {
		if execution.Allows(plannerapi.ActApprove) {
			count++
		}
	}
	return count
}

// statusWords says where an execution stands, and in a list what is left to do about one
// that is done.
func statusWords(e plannerapi.Execution) string {
	switch {
	case e.Status != ledger.Completed || e.UndoneBy != "":
		return e.Stands()
	case slices.ContainsFunc(e.UndoDue, func(due ledger.UndoDue) bool { return due.Waits }):
		return "Done; its undo waits for an approval"
	case e.Imported != nil:
		return "Done, imported"
	case e.Summary != nil && e.Summary.RowsChanged > 0 && e.Shop == "":
		return "Ready to import"
	case len(e.UndoDue) > 0:
		return "Done, ends by itself"
	}
	return e.Stands()
}

// kindOf is the mark of where an execution stands.
func kindOf(e plannerapi.Execution) string {
	switch {
	case e.IsUndone():
		return "undone"
	case e.Status == ledger.Failed:
		return e.Notice().Mark()
	}
	return string(e.Status)
}
