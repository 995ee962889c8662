package console

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plannerapi"
)

// startPage is where somebody begins: with what is to be done, or with a file.
type startPage struct {
	Todo       executionsPage
	Waiting    []string               // tables that are taken once there is room on the disk
	Recent     []plannerapi.Execution // the newest first
	Remembered []remembered
	Lost       string // why the table of the address is not there; "" where it is
	Plan       string // the plan that a file is wanted for; "" where it is none
	Me         *plannerapi.Me
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
	shown.Remembered, shown.Me = rememberedIn(r), c.me(r)
	all := r.Clone(r.Context())
	all.URL = &url.URL{Path: "/executions"}
	todo, err := c.listed(all)
	if err != nil && errs.KindOf(err) != errs.Denied {
		return err
	}
	if c.Waiting != nil {
		shown.Waiting = c.Waiting()
	}
	shown.Recent = todo.Executions[:min(len(todo.Executions), maxRecent)]
	shown.Todo = executionsPage{Undecided: todo.Undecided, Waiting: todo.Waiting, TakenBack: todo.TakenBack}
	c.render(w, r, status, "start", page{Title: "Change prices in bulk, safely", Here: "start", Me: shown.Me, Body: shown})
	return nil
}

// Repeats reports whether a change has rules that can be used again.
func (p startPage) Repeats(e plannerapi.Execution) bool {
	return e.SourceInstruction != "" && !strings.HasSuffix(e.ExecutionID, "_undo")
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
