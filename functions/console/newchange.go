package console

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/web"
)

// newPage is the page New change: sentence, rules and times at the left, what they do at
// the right.
type newPage struct {
	editor
	Table   tableView
	Plan    *planView  // that is edited or repeated; nil: a new one
	Stored  *plan.Plan // the same as it is stored
	Me      *plannerapi.Me
	Own     bool // the table may be handed in with the reader's own rights
	Result  result
	Problem string // why what was pressed was not done; "" where it was
	Notice  string // what was done beside what was pressed; "" where nothing was
	Draft   draft  // what was understood of the sentence that the rules are of
	// Undecided are its open parts that nobody has settled: until then nothing is saved.
	Undecided []openPart
	Times     times
	// Confirm asks for a second press, for the change moves much; nil where it does not.
	Confirm *confirmation
}

// newChange shows the page.
func (c *Console) newChange(w http.ResponseWriter, r *http.Request) error {
	e := editor{r.URL.Query()}
	if e.Get("table") == "" {
		if all := rememberedIn(r); len(all) > 0 {
			e.Set("table", all[0].Table)
		} else {
			seeOther(w, r, "/", url.Values{"plan": {e.Get("plan")}})
			return nil
		}
	}
	return c.showNew(w, r, http.StatusOK, newPage{editor: e})
}

// showNew shows the state of a page.
func (c *Console) showNew(w http.ResponseWriter, r *http.Request, status int, shown newPage) error {
	if err := c.readNew(r, &shown); errs.KindOf(err) == errs.NotFound && shown.Plan == nil {
		return c.showStart(w, r, http.StatusNotFound, startPage{
			Lost: errs.Message(err),
			Plan: shown.Get("plan"),
		})
	} else if err != nil {
		return err
	}
	name, title := "newchange", "New change"
	if shown.Confirm != nil {
		name, title = "confirm", "Look once more"
	}
	c.render(w, r, status, name, page{
		Title: title,
		Here:  "new",
		Me:    shown.Me,
		Table: &shown.Table,
		Body:  shown,
	})
	return nil
}

// readNew reads what the state names, and what its rules would do.
func (c *Console) readNew(r *http.Request, shown *newPage) (err error) {
	shown.Me, shown.Own = c.me(r), c.OwnRights
	if shown.Table, err = c.table(r, shown.Get("table")); err != nil {
		return err
	}
	if err := c.readPlan(r, shown); err != nil {
		return err
	}
	if shown.Times.Problem == "" {
		shown.Times.Apply.Text, shown.Times.Revert.Text = shown.Get("apply_at"), shown.Get("revert_at")
	}
	shown.Times.Optional = true
	shown.Del("costed")
	if shown.Table.has(recognize.RoleCost) {
		shown.Set("costed", "1")
	}
	if shown.Get("draft") != "" {
		if shown.Draft, err = c.draftOf(r, shown.editor, shown.Table); err != nil {
			return err
		}
		shown.Undecided = shown.undecided(shown.Draft)
	}
	if shown.Result, err = c.resultOf(r, shown); err == nil {
		shown.Result.Unnamed = shown.Table.unnamed(shown.rules())
	}
	return err
}

// readPlan reads the plan that is edited, and fills the state with it where it has none.
func (c *Console) readPlan(r *http.Request, shown *newPage) error {
	id := shown.Get("plan")
	if id == "" {
		return nil
	}
	found, err := c.storedPlan(r.Context(), id)
	if err != nil {
		return err
	}
	shown.Plan = &found
	if shown.Stored, err = plan.Decode(found.StoredPlan.Plan); err != nil {
		return errs.Wrap(errs.Unusable, err, "The planner's plan cannot be read.")
	}
	if shown.Stored.Undo != nil {
		return errs.New(errs.Invalid, "This plan takes another one back. It has no rules to edit.")
	}
	if shown.Has("rules") {
		return nil
	}
	var rules struct{ Operations json.RawMessage }
	if err := json.Unmarshal(found.StoredPlan.Plan, &rules); err != nil {
		return errs.Wrap(errs.Unusable, err, "The planner's plan cannot be read.")
	}
	if err := shown.fill(rules.Operations); err != nil {
		return err
	}
	shown.Set("instruction", found.Plan.SourceInstruction)
	shown.Set("said", found.Plan.SourceInstruction)
	shown.Times = found.planned().after(time.Now())
	shown.Set("apply_at", shown.Times.Apply.Text)
	shown.Set("revert_at", shown.Times.Revert.Text)
	return nil
}

// pressed does what a button of the page says. What changes the state leads to it, so
// that it can be gone back to.
func (c *Console) pressed(w http.ResponseWriter, r *http.Request) error {
	field(w, r, "table") // bounds the form
	e := editor{r.PostForm}
	e.addConditions()
	verb, argument, _ := strings.Cut(e.Get("do"), ":")
	dropped, err := c.dropSentence(r, e)
	switch {
	case err != nil:
		return err
	case dropped != "" && (verb == "save" || verb == execution.IntentPropose || verb == "apply"):
		return c.showNew(w, r, http.StatusUnprocessableEntity, newPage{
			editor:  e,
			Problem: "Nothing was done yet. " + dropped + " Look at the rules, and press the button again.",
		})
	case dropped != "":
		if err := e.do(verb, argument); err != nil {
			return c.refuse(w, r, e, err)
		}
		return c.showNew(w, r, http.StatusOK, newPage{editor: e, Notice: dropped})
	}
	switch verb {
	case "fill":
		return c.fillIn(w, r, e)
	case "columns", "odd":
		if err := c.readColumns(r, e, verb); err != nil {
			return c.refuse(w, r, e, err)
		}
	case "settle":
		if err := c.settle(r, e, argument); err != nil {
			return c.refuse(w, r, e, err)
		}
	case "upon":
		if err := c.goOnUpon(w, r, e, argument); err != nil {
			return err
		}
	case "save", execution.IntentPropose, "apply":
		return c.carryOn(w, r, e, verb)
	default:
		if err := e.do(verb, argument); err != nil {
			return c.refuse(w, r, e, err)
		}
	}
	return c.showState(w, r, e)
}

// dropSentence forgets a sentence that was cleared: the rules stand for themselves then. It
// says what was open in it; "" where nothing was.
func (c *Console) dropSentence(r *http.Request, e editor) (dropped string, err error) {
	if strings.TrimSpace(e.Get("instruction")) != "" || e.Get("said") == "" {
		return "", nil
	}
	if e.Get("draft") != "" && e.Get("undecided") != "" {
		d, err := c.draftHere(r, e)
		if err != nil {
			return "", err
		}
		dropped = droppedText(e.undecided(d))
	}
	for _, name := range []string{"said", "draft", "settled", "ignored", "undecided"} {
		e.Del(name)
	}
	return dropped, nil
}

// droppedText says which open parts go with a sentence.
func droppedText(parts []openPart) string {
	var words []string
	for _, part := range parts {
		words = append(words, "“"+shown(part.Text)+"”")
	}
	if len(words) == 0 {
		return ""
	}
	return "You cleared the sentence. Not in the rules, and dropped with it: " + strings.Join(words, ", ") +
		"."
}

// goOnUpon has the change be made of what an execution wrote, in place of the file.
func (c *Console) goOnUpon(w http.ResponseWriter, r *http.Request, e editor, id string) error {
	var held plannerapi.StoredTable
	if err := c.Planner.Send(r.Context(), http.MethodPost, "/v1/tables", map[string]string{"output_of": id},
		&held); err != nil {
		return err
	}
	c.remember(w, r, held)
	e.Set("table", held.Table)
	e.Del("original")
	return nil
}

// refuse shows the page as it was filled in, and why what was pressed was not done.
func (c *Console) refuse(w http.ResponseWriter, r *http.Request, e editor, err error) error {
	return c.showNew(w, r, web.StatusOf(errs.KindOf(err)), newPage{editor: e, Problem: errs.Message(err)})
}

// showState leads to the page of a state.
func (c *Console) showState(w http.ResponseWriter, r *http.Request, e editor) error {
	if to := e.address(); to != "" {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return nil
	}
	return c.showNew(w, r, http.StatusOK, newPage{editor: e})
}

// newResult answers with what the rules of a form would do, for our module.
func (c *Console) newResult(w http.ResponseWriter, r *http.Request) error {
	field(w, r, "table")
	shown := newPage{editor: editor{r.PostForm}, Me: c.me(r), Own: c.OwnRights}
	shown.addConditions()
	shown.Table.StoredTable.Table, shown.Table.File = shown.Get("table"), shown.Get("file")
	if id := shown.Get("plan"); id != "" {
		found, err := c.storedPlan(r.Context(), id)
		if err != nil {
			return err
		}
		shown.Plan = &found
	}
	var err error
	// a person who filled in the form has settled it
	if shown.Get("draft") != "" && shown.Get("undecided") != "" {
		if shown.Draft, err = c.draftHere(r, shown.editor); err != nil {
			return err
		}
		shown.Undecided = shown.undecided(shown.Draft)
	}
	if shown.Result, err = c.resultOf(r, &shown); err != nil {
		return err
	}
	if shown.Result.TabIs("unmatched") {
		over, err := c.table(r, shown.Get("table"))
		if err != nil {
			return err
		}
		shown.Result.Unnamed = over.unnamed(shown.rules())
	}
	if to := shown.address(); to != "" {
		w.Header().Set("X-State", to)
	}
	return c.renderPart(w, r, "newchange", "result", shown)
}

// newNames answers with the names of one condition that a search finds, for our module.
func (c *Console) newNames(w http.ResponseWriter, r *http.Request) error {
	field(w, r, "table")
	e := editor{r.PostForm}
	n, name, ok := ruleField(e.Get("of"))
	if !ok || n >= len(e.rules()) || conditionOf(name).Kind != "picker" {
		return errs.New(errs.Invalid, "There is no list of that name.")
	}
	found, err := c.table(r, e.Get("table"))
	if err != nil {
		return err
	}
	list := found.Pick(shownCondition{conditionOf(name), e.rules()[n]}, r.PostForm.Has("all"))
	return c.renderPart(w, r, "newchange", "picked", list)
}

// readColumns has the table be read as the page says: by the columns that were chosen, or
// without the rows that cannot be read.
func (c *Console) readColumns(r *http.Request, e editor, verb string) error {
	found, err := c.table(r, e.Get("table"))
	if err != nil {
		return err
	}
	said := maps.Clone(found.Settings)
	if said == nil {
		said = map[string]string{}
	}
	if verb == "odd" {
		said["odd_rows"] = "leave"
	} else {
		said["columns"] = withColumns(said["columns"], e.Values["role"], e.Values["title"])
	}
	maps.DeleteFunc(said, func(_, value string) bool { return value == "" })
	return c.Planner.Send(
		r.Context(), http.MethodPut, tablePath(found.Table)+"/settings", said, &plannerapi.StoredTable{},
	)
}

// withColumns are the columns that were said before, but for the roles that are chosen now.
func withColumns(said string, roles, titles []string) string {
	before := slices.DeleteFunc(listed(said), func(pair string) bool {
		role, _, _ := strings.Cut(pair, "=")
		return slices.Contains(roles, strings.TrimSpace(role))
	})
	return withListed(strings.TrimSpace(withListed("", before)), chosen(roles, titles))
}

// newCSV answers with all that the rules of the page would change, as a table.
func (c *Console) newCSV(w http.ResponseWriter, r *http.Request) error {
	field(w, r, "table")
	e := editor{r.PostForm}
	operations, wrong := e.operations()
	if len(wrong) > 0 {
		return c.showNew(w, r, http.StatusUnprocessableEntity, newPage{
			editor:  e,
			Problem: "The rules are not finished. What is open is said beside them.",
		})
	}
	query := url.Values{}
	decided(e.Values).addTo(query)
	body := map[string]any{"table": e.Get("table"), "operations": operations}
	return c.sendCSV(w, r, http.MethodPost, "/v1/plans:preview"+queryOf(query), "preview", body)
}
