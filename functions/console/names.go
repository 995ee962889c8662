package console

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/web"
)

// maxForm is the most that a form without a table may hold.
const maxForm = 1 << 20

// chooseName stores a stored plan with the operations in which an unknown name is meant as
// another.
func (c *Console) chooseName(w http.ResponseWriter, r *http.Request) error {
	of := field(w, r, "copy_of")
	var found struct{ Plan map[string]any }
	if err := c.Planner.Get(r.Context(), planPath(of, ""), &found); err != nil {
		return err
	}
	fields := found.Plan
	fields["operations"] = json.RawMessage(r.PostFormValue("operations"))
	chosen, err := json.Marshal(fields)
	var p *plan.Plan
	if err == nil {
		p, err = plan.Decode(chosen)
	}
	if err != nil {
		return errs.Wrap(errs.Invalid, err, "The choice did not arrive whole. Go back and choose it again.")
	}
	id, err := c.store(r.Context(), url.Values{"table": {r.PostFormValue("table")}, "copy_of": {of}}, p)
	if err != nil {
		return err
	}
	leadTo(w, r, id, r.PostFormValue("table"))
	return nil
}

// field reads one field of a form that is bounded.
func field(w http.ResponseWriter, r *http.Request, name string) string {
	r.Body = web.Limited(w, r, maxForm)
	return r.PostFormValue(name)
}

// seeOther leads from what was done to the page that shows it.
func seeOther(w http.ResponseWriter, r *http.Request, path string, query url.Values) {
	http.Redirect(w, r, path+queryOf(query), http.StatusSeeOther)
}
