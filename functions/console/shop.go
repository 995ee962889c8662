package console

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/plannerapi"
)

// fetchTable has the planner fetch the shop's catalogue.
func (c *Console) fetchTable(r *http.Request) (table plannerapi.StoredTable, err error) {
	return table, c.Planner.Send(r.Context(), http.MethodPost,
		"/v1/shops/"+url.PathEscape(c.me(r).Shop)+":fetch", nil, &table)
}

// fetchShop fetches the catalogue and begins a change over it.
func (c *Console) fetchShop(w http.ResponseWriter, r *http.Request) error {
	table, err := c.fetchTable(r)
	if err != nil {
		return err
	}
	c.remember(w, r, table)
	seeOther(w, r, "/new", url.Values{"table": {table.Table}})
	return nil
}

// undoInShop takes an execution back over the catalogue as it is now: what was edited in
// the shop since stays.
func (c *Console) undoInShop(w http.ResponseWriter, r *http.Request, executionID string) error {
	table, err := c.fetchTable(r)
	if err != nil {
		return err
	}
	var made planView
	if err := c.Planner.Send(r.Context(), http.MethodPost, executionPath(executionID, ":undo"),
		map[string]string{"table": "upload"}, &made); err != nil {
		return err
	}
	id := made.Plan.ExecutionID
	var handedIn plannerapi.HandedIn
	if err := c.Planner.Send(r.Context(), http.MethodPost, planPath(id, ":execute"),
		map[string]string{"table": table.Table}, &handedIn); err != nil {
		return err
	}
	seeOther(w, r, "/executions/"+id, afterHandIn(handedIn.Upload))
	return nil
}

// postingPage is what an execution wrote to the shop.
type postingPage struct {
	plannerapi.Posting
	MayRetry bool
}

// Done counts the rows that have their result.
func (p postingPage) Done() int64 { return p.Written + p.Already + p.Stale + p.Refused + p.Gone }

// NotAsPlanned counts the rows that the shop does not hold as planned.
func (p postingPage) NotAsPlanned() int64 { return p.Stale + p.Refused + p.Gone + p.Differs }

// IsPosted reports whether nothing is left to be written.
func (p postingPage) IsPosted() bool { return p.Status == postings.Posted }

func postingPath(id, rest string) string { return "/v1/postings/" + url.PathEscape(id) + rest }

// posting shows what was written to the shop, and each row that was not.
func (c *Console) posting(w http.ResponseWriter, r *http.Request) error {
	var shown postingPage
	if err := c.Planner.Get(r.Context(), postingPath(r.PathValue("id"), ""), &shown.Posting); err != nil {
		return err
	}
	me := c.me(r)
	shown.MayRetry = me.Allows("execute") && shown.IsPosted() && shown.NotAsPlanned() > 0
	c.render(w, r, http.StatusOK, "posting", page{
		Title: "In the shop",
		Here:  "executions",
		Me:    me,
		Body:  shown,
	})
	return nil
}

// retryPosting has what was refused tried again.
func (c *Console) retryPosting(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if err := c.Planner.Send(r.Context(), http.MethodPost, postingPath(id, ":retry"), nil,
		&plannerapi.Posting{}); err != nil {
		return err
	}
	seeOther(w, r, "/postings/"+id, nil)
	return nil
}

// postingOf is what an execution writes to the shop; nil where it writes nothing.
func (c *Console) postingOf(r *http.Request, id string) (*plannerapi.Posting, error) {
	var found plannerapi.Posting
	err := c.Planner.Get(r.Context(), postingPath(id, ""), &found)
	if errs.KindOf(err) == errs.NotFound {
		return nil, nil
	}
	return &found, err
}

// isInShop reports whether an execution is written to the shop.
func (c *Console) isInShop(r *http.Request, id string) (bool, error) {
	if c.me(r).Shop == "" {
		return false, nil
	}
	posting, err := c.postingOf(r, id)
	return posting != nil, err
}

// InShop says how much of the change the shop has.
func (p changePage) InShop() string {
	if p.Posting == nil {
		return ""
	}
	shown := postingPage{Posting: *p.Posting}
	switch {
	case !shown.IsPosted():
		return fmt.Sprintf("%s of %s prices are written to the shop so far.",
			count(shown.Done()), count(shown.Rows))
	case shown.NotAsPlanned() > 0:
		return fmt.Sprintf("%s of %s prices are in the shop, the others are not as planned.",
			count(shown.Rows-shown.NotAsPlanned()), count(shown.Rows))
	case shown.Rows == 1:
		return "The price is in the shop."
	}
	return fmt.Sprintf("All %s prices are in the shop.", count(shown.Rows))
}
