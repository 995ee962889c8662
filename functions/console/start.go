package console

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/web"
)

// startPage is where somebody begins: with what is to be done, or with a file.
type startPage struct {
	Todo    []task
	Waiting []string               // tables that are taken once there is room on the disk
	Recent  []plannerapi.Execution // the newest first
	File    *remembered            // the newest that this browser has sent; nil: none
	Lost    string                 // why a file was not taken, or is not there; "" where nothing is wrong
	Faults  []faults.Fault         // of the file that was not taken
	Plan    string                 // the plan that a file is wanted for; "" where it is none
	Me      *plannerapi.Me
}

// maxRecent is how many changes the start page shows.
const maxRecent = 5

// start shows where to begin. The page of a table that is held is New change.
func (c *Console) start(w http.ResponseWriter, r *http.Request) error {
	asked := r.URL.Query()
	if asked.Has("table") {
		http.Redirect(w, r, "/new?"+asked.Encode(), http.StatusSeeOther)
		return nil
	}
	return c.showStart(w, r, http.StatusOK, startPage{Plan: asked.Get("plan")})
}

// showStart shows it. A list that cannot be read is left out: a file can be dropped all
// the same.
func (c *Console) showStart(w http.ResponseWriter, r *http.Request, status int, shown startPage) error {
	if err := c.readStart(r, &shown); err != nil {
		return err
	}
	view := page{Title: "Change prices in bulk, safely", Here: "start", Me: shown.Me, Body: shown}
	if status == http.StatusOK && r.Method == http.MethodGet {
		view.Live = "/live/start"
	}
	c.render(w, r, status, "start", view)
	return nil
}

func (c *Console) readStart(r *http.Request, shown *startPage) error {
	shown.Me, shown.File = c.me(r), lastFile(r)
	if c.Waiting != nil {
		shown.Waiting = c.Waiting()
	}
	all, err := c.changesToDo(r)
	if err == nil {
		shown.Todo = tasksOf(all, time.Now())
		var recent plannerapi.Executions
		err = c.list(r, "/v1/executions", "", "", "", &recent)
		shown.Recent = withoutUndos(recent.Executions)
		shown.Recent = shown.Recent[:min(len(shown.Recent), maxRecent)]
	}
	if errs.KindOf(err) == errs.Denied {
		return nil
	}
	return err
}

// refuseFile shows the start page with why a file was not taken, to be uploaded again there.
func (c *Console) refuseFile(w http.ResponseWriter, r *http.Request, err error) error {
	shown := startPage{Lost: errs.Message(err)}
	refused, ok := errors.AsType[*web.Refused](err)
	if ok && json.Unmarshal(refused.Details, &shown.Faults) == nil && len(shown.Faults) > 0 {
		shown.Lost = "We could not read this file. Correct it, and upload it again."
	}
	return c.showStart(w, r, http.StatusUnprocessableEntity, shown)
}

// liveStart answers with what is to be done as it is now.
func (c *Console) liveStart(w http.ResponseWriter, r *http.Request) error {
	return c.refresh(w, r, "start", func(r *http.Request) (any, bool, error) {
		var shown startPage
		err := c.readStart(r, &shown)
		return shown, false, err
	})
}

// Approves reports whether the reader decides about changes, and makes none.
func (p startPage) Approves() bool {
	return p.Me.Allows(plannerapi.ActApprove) && !p.Me.Allows(plannerapi.ActPlan)
}

// ToDecide counts the changes that wait for the reader.
func (p startPage) ToDecide() (n int) {
	for _, task := range p.Todo {
		if task.Kind == taskApprove {
			n++
		}
	}
	return n
}

// Repeats reports whether a change has rules that can be used again.
func (p startPage) Repeats(e plannerapi.Execution) bool {
	return p.Me.Allows(plannerapi.ActPlan) && e.SourceInstruction != "" &&
		!strings.HasSuffix(e.ExecutionID, "_undo")
}

// holdSample has the planner hold the products of a shop that there is not, to try the
// pages with.
func (c *Console) holdSample(w http.ResponseWriter, r *http.Request) error {
	plan := field(w, r, "plan")
	content, err := static.Open("static/sample_shop.csv")
	if err != nil {
		return err
	}
	defer content.Close()
	held, err := c.sendOn(r, "sample_shop.csv", nil, content)
	if err != nil {
		return err
	}
	c.remember(w, r, held)
	seeOther(w, r, "/new", url.Values{"table": {held.Table}, "plan": {plan}})
	return nil
}
