package console

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/web"
)

// maxForm is the most that a form without a table may hold.
const maxForm = 1 << 20

// askPage is the box, with what was asked before and what came of it.
type askPage struct {
	Instruction string
	Problem     string
	Question    *question
}

// ask shows the box.
func (c *Console) ask(w http.ResponseWriter, r *http.Request) error {
	c.render(w, r, http.StatusOK, "ask", page{Title: "Ask", Here: "ask", Body: askPage{Instruction: r.URL.Query().Get("instruction")}})
	return nil
}

// askPlan has an instruction planned. A question is shown at once, for nothing
// is stored that a redirect could lead to.
func (c *Console) askPlan(w http.ResponseWriter, r *http.Request) error {
	instruction := strings.TrimSpace(field(w, r, "instruction"))
	var made planView
	err := c.Planner.Send(r.Context(), http.MethodPost, "/v1/plans", map[string]string{"instruction": instruction}, &made)
	if err == nil {
		seeOther(w, r, "/plans/"+made.Plan.ExecutionID)
		return nil
	}
	if errs.KindOf(err) != errs.Invalid {
		return err
	}
	shown := askPage{Instruction: instruction, Problem: errs.Message(err)}
	var back *web.Refused
	if errors.As(err, &back) && back.Code == "needs_clarification" {
		shown.Problem, shown.Question = "", &question{Questions: back.Questions}
		if err := json.Unmarshal(back.Details, shown.Question); err != nil {
			return errs.Wrap(errs.Unusable, err, "The planner's question cannot be read.")
		}
	}
	c.render(w, r, http.StatusUnprocessableEntity, "ask", page{Title: "Ask", Here: "ask", Body: shown})
	return nil
}

// chooseReading stores the plan of the reading whose button was pressed.
func (c *Console) chooseReading(w http.ResponseWriter, r *http.Request) error {
	operations := json.RawMessage(field(w, r, "operations"))
	if !json.Valid(operations) {
		return errs.New(errs.Invalid, "The reading did not arrive whole. Go back and choose it again.")
	}
	id, err := c.store(r.Context(), r.PostFormValue("execution_id"), map[string]any{
		"created_at": r.PostFormValue("created_at"), "source_instruction": r.PostFormValue("instruction"), "operations": operations,
	})
	if err != nil {
		return err
	}
	seeOther(w, r, "/plans/"+id)
	return nil
}

// field reads one field of a form that is bounded.
func field(w http.ResponseWriter, r *http.Request, name string) string {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	return r.PostFormValue(name)
}

// seeOther leads from what was done to the page that shows it.
func seeOther(w http.ResponseWriter, r *http.Request, path string, query ...string) {
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		values.Set(query[i], query[i+1])
	}
	http.Redirect(w, r, path+queryOf(values), http.StatusSeeOther)
}
