package console

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/web"
)

// executionsPage is a page of the list.
type executionsPage struct {
	Status     string
	Undecided  []plannerapi.Execution // wait for an approval
	Waiting    []plannerapi.Execution // wait for their time
	TakenBack  []plannerapi.Execution // are to be, the next first
	Executions []plannerapi.Execution
	Drafts     []plannerapi.ListedPlan // never carried out
	Search     string
	Pager      pager
}

// executions lists them, the newest first.
func (c *Console) executions(w http.ResponseWriter, r *http.Request) error {
	shown, err := c.listed(r)
	if err != nil {
		return err
	}
	c.render(w, r, http.StatusOK, "executions", page{Title: "Changes", Here: "executions", Live: live(r), Body: shown})
	return nil
}

func (c *Console) listed(r *http.Request) (shown executionsPage, err error) {
	asked := r.URL.Query()
	shown.Status, shown.Search = asked.Get("status"), strings.TrimSpace(asked.Get("search"))
	var next string
	if shown.Status == string(plannerapi.StatusDraft) {
		var list plannerapi.PlanList
		err = c.list(r, "/v1/plans", shown.Status, shown.Search, last(asked["after"]), &list)
		shown.Drafts, next = list.Plans, list.NextPageToken
	} else {
		var list plannerapi.Executions
		err = c.list(r, "/v1/executions", shown.Status, shown.Search, last(asked["after"]), &list)
		shown.Executions, next = list.Executions, list.NextPageToken
	}
	if err != nil {
		return shown, err
	}
	shown.Pager = pages("/executions", url.Values{"status": {shown.Status}, "search": {shown.Search}}, asked["after"], next)
	if shown.Search != "" || asked.Has("after") || shown.Status != "" && shown.Status != string(ledger.Proposed) {
		return shown, nil
	}
	if shown.TakenBack, err = c.toBeTakenBack(r); err != nil || shown.Status != "" {
		return shown, err
	}
	proposed, err := c.proposals(r)
	for _, proposal := range proposed {
		if proposal.ApprovalDue {
			shown.Undecided = append(shown.Undecided, proposal)
		} else {
			shown.Waiting = append(shown.Waiting, proposal)
		}
	}
	return shown, err
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
	return slices.DeleteFunc(list.Executions, func(e plannerapi.Execution) bool { return e.DueAt == nil || e.UndoneBy != "" && e.UndoneStale == 0 }), err
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

// standing says where an execution stands.
func standing(e plannerapi.Execution) string {
	switch {
	case e.Status == ledger.Proposed && e.ApprovalDue:
		return "Waiting for an approval"
	case e.Status == ledger.Proposed && e.ApplyAt != nil:
		return "Scheduled"
	case e.Status == ledger.Proposed:
		return "About to be applied"
	case e.Status == ledger.Failed && e.Error != nil && e.Error.ReplacedBy != "":
		return "Replaced by " + e.Error.ReplacedBy
	case e.Status == ledger.Failed && e.Error != nil:
		return failureWord(e.Error.Code)
	case e.Status == ledger.Running && e.Delay != "":
		return "Held up, and tried again"
	case e.UndoneStale > 0 && e.Summary != nil:
		return fmt.Sprintf("Done, undone in part: %d of %d rows stayed", e.UndoneStale, e.Summary.RowsChanged)
	case e.UndoneBy != "":
		return "Done, undone since"
	case slices.ContainsFunc(e.UndoDue, func(due ledger.UndoDue) bool { return due.Waits }):
		return "Done; its undo waits for an approval"
	case len(e.UndoDue) > 0:
		return "Done, ends by itself"
	}
	return statusWord(e.Status)
}

// kindOf is the mark of where an execution stands.
func kindOf(e plannerapi.Execution) string {
	switch {
	case e.Status == ledger.Failed && e.Error != nil && failureWord(e.Error.Code) != "Failed":
		return e.Error.Code
	case e.UndoneBy != "":
		return "undone"
	}
	return string(e.Status)
}
