package console

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/web"
)

// maxForm is the most that a form without a table may hold.
const maxForm = 1 << 20

// askPage is the box beside what is in the table, with what was asked before and
// what came of it.
type askPage struct {
	Held        *tableView // nil where no table was dropped
	Lost        string     // why the table of the address is not there; "" where it is
	Remembered  []remembered
	Instruction string
	Problem     string
	Question    *question
	Me          *plannerapi.Me
}

// Examples are sentences of the kinds that there are, in the table's words where
// one is held.
func (p askPage) Examples() []string {
	category, other := "fitness", "yoga"
	if p.Held != nil && len(p.Held.Names.Categories) > 0 {
		category = p.Held.Names.Categories[0].Name
		other = p.Held.Names.Categories[min(1, len(p.Held.Names.Categories)-1)].Name
	}
	return []string{
		"Increase prices by 10% for all in-stock " + category + " products.",
		"Discount all " + other + " products by 5%, but never below 20.",
		"Increase all prices by 3%.",
	}
}

// ask shows the box.
func (c *Console) ask(w http.ResponseWriter, r *http.Request) error {
	return c.showAsk(w, r, http.StatusOK, r.URL.Query(), askPage{Instruction: r.URL.Query().Get("instruction")})
}

// showAsk shows it with the table that is named, where one is.
func (c *Console) showAsk(w http.ResponseWriter, r *http.Request, status int, given url.Values, shown askPage) error {
	shown.Remembered, shown.Me = rememberedIn(r), c.me(r)
	title := "Begin with your table"
	if id := given.Get("table"); id != "" {
		found, err := c.table(r, id)
		switch errs.KindOf(err) {
		case "":
			shown.Held, title = &found, "Ask about "+found.File
		case errs.NotFound, errs.Invalid:
			status, shown.Lost = http.StatusNotFound, errs.Message(err)
		default:
			return err
		}
	}
	c.render(w, r, status, "ask", page{Title: title, Here: "ask", Me: shown.Me, Body: shown})
	return nil
}

// askPlan has an instruction planned, in the words of the table where there is one.
// A question is shown at once, for nothing is stored that a redirect could lead to.
func (c *Console) askPlan(w http.ResponseWriter, r *http.Request) error {
	instruction := strings.TrimSpace(field(w, r, "instruction"))
	body := map[string]any{"instruction": instruction}
	if id := r.PostFormValue("table"); id != "" {
		body["table"] = id
	}
	var made planView
	err := c.Planner.Send(r.Context(), http.MethodPost, "/v1/plans", body, &made)
	if err == nil {
		leadTo(w, r, made.Plan.ExecutionID, r.PostFormValue("table"))
		return nil
	}
	if errs.KindOf(err) != errs.Invalid {
		return err
	}
	shown := askPage{Instruction: instruction, Problem: errs.Message(err)}
	if back, ok := errors.AsType[*web.Refused](err); ok && back.Code == "needs_clarification" {
		shown.Problem, shown.Question = "", &question{Questions: back.Questions}
		if err := json.Unmarshal(back.Details, shown.Question); err != nil {
			return errs.Wrap(errs.Unusable, err, "The planner's question cannot be read.")
		}
	}
	return c.showAsk(w, r, http.StatusUnprocessableEntity, r.PostForm, shown)
}

// chooseReading stores the plan of the reading whose button was pressed. One of a plan
// that is stored is that plan with other operations.
func (c *Console) chooseReading(w http.ResponseWriter, r *http.Request) error {
	fields := map[string]any{
		"execution_id": field(w, r, "execution_id"), "created_at": r.PostFormValue("created_at"), "source_instruction": r.PostFormValue("instruction"),
	}
	of := r.PostFormValue("copy_of")
	if of != "" {
		var found struct{ Plan map[string]any }
		if err := c.Planner.Get(r.Context(), planPath(of, ""), &found); err != nil {
			return err
		}
		fields = found.Plan
	}
	fields["operations"] = json.RawMessage(r.PostFormValue("operations"))
	chosen, err := json.Marshal(fields)
	var p *plan.Plan
	if err == nil {
		p, err = plan.Decode(chosen)
	}
	if err != nil {
		return errs.Wrap(errs.Invalid, err, "The reading did not arrive whole. Go back and choose it again.")
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
