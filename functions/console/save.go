package console

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

// carryOn stores the plan of the page, and hands its table in where that is asked for.
func (c *Console) carryOn(w http.ResponseWriter, r *http.Request, e editor, verb string) error {
	shown := newPage{editor: e}
	if err := c.readNew(r, &shown); err != nil {
		return err
	}
	refuse := func(told string) error {
		return c.showNew(w, r, http.StatusUnprocessableEntity, newPage{
			editor:  e,
			Problem: told,
			Times:   shown.Times,
		})
	}
	if why := shown.unready(verb); why != "" {
		return refuse("Nothing was done: " + why)
	}
	terms := plan.Terms{Approval: plan.Approval(e.Get("approval"))}
	if err := setTimes(&terms, url.Values{
		"apply_at":  {e.Get("apply_at")},
		"revert_at": {e.Get("revert_at")},
		"zone":      {e.Get("zone")},
	}); err != nil {
		shown.Times.Problem = errs.Message(err)
		return refuse(shown.Times.Problem)
	}
	seen := e.Get("preview_sha256")
	if verb != "save" && shown.Result.movesMuch() && e.Get("confirmed") != seen {
		shown.Confirm = &confirmation{Verb: verb, shown: &shown}
		return c.showNew(w, r, http.StatusOK, shown)
	}
	id, err := c.storeRules(r, &shown, terms)
	switch {
	case errs.KindOf(err) == errs.Invalid:
		return refuse(errs.Message(err))
	case err != nil:
		return err
	case verb == "save":
		seeOther(w, r, "/plans/"+id, url.Values{"table": {e.Get("table")}})
		return nil
	}
	if err := c.endReplaced(r, e.Get("replaces"), id); err != nil {
		return refuse(errs.Message(err))
	}
	settings := url.Values{}
	decided(e.Values).addTo(settings)
	upload, err := c.execute(r, id, handOver{
		Table:         e.Get("table"),
		Intent:        verb,
		PreviewSHA256: seen,
	}, settings)
	if previewChanged(err) || errs.KindOf(err) == errs.Denied || errs.KindOf(err) == errs.Invalid {
		return refuse(errs.Message(err))
	} else if errs.KindOf(err) == errs.Conflict { // in another tab, say: what came of that is the answer
		return c.showOvertaken(w, r, id, err)
	} else if err != nil {
		return err
	}
	seeOther(w, r, "/executions/"+id, afterHandIn(upload))
	return nil
}

// unready says why the rules of the page cannot be saved, or handed in as they were seen;
// "" where they can.
func (p newPage) unready(verb string) string {
	typed, result := strings.TrimSpace(p.Get("instruction")), p.Result
	switch {
	case typed != "" && typed != p.Get("said"):
		return "your sentence is not in the rules yet. Fill in the rules, or clear the sentence."
	case len(p.Undecided) > 0:
		return "something in the sentence is still open. Answer it, or ignore the words."
	case !result.Finished():
		return "the rules are not finished. What is open is said beside them."
	case verb == "save":
		return ""
	case result.alreadyChanged():
		return "you changed this file before. Say first whether this comes on top of that."
	case result.TooLarge && verb == "apply":
		return "this file is too large to be looked at here. Ask for approval."
	case result.Preview != nil && p.Get("preview_sha256") != result.Preview.PreviewSHA256:
		return "this would now do something else than what you saw. Look at the figures again."
	}
	return ""
}

// storeRules stores the rules of the page as a plan, and returns its id. A plan that was
// not changed and not used is there already. A changed one keeps how it came about.
func (c *Console) storeRules(r *http.Request, shown *newPage, terms plan.Terms) (string, error) {
	operations, _ := shown.operations()
	if shown.Plan == nil {
		body := map[string]any{"operations": operations, "table": shown.Get("table")}
		for name, text := range map[string]string{
			"instruction": shown.title(),
			"apply_at":    terms.ApplyAt,
			"revert_at":   terms.RevertAt,
			"approval":    string(terms.Approval),
		} {
			if text != "" {
				body[name] = text
			}
		}
		if ignored := shown.ignoredWords(shown.Draft); len(ignored) > 0 {
			body["ignored"] = ignored
		}
		var made planView
		err := c.Planner.Send(r.Context(), http.MethodPost, "/v1/plans", body, &made)
		return made.Plan.ExecutionID, err
	}
	text, err := json.Marshal(operations)
	if err != nil {
		return "", err
	}
	rules, err := plan.DecodeRules(text)
	if err != nil {
		return "", errs.Wrap(errs.Invalid, err, "%s", errs.Message(err))
	}
	of := shown.Stored
	changed := *of
	changed.Operations, changed.Terms = rules, terms
	if title := shown.title(); title != "" {
		changed.SourceInstruction = title
	}
	started, err := c.started(r, of.ExecutionID)
	if err != nil {
		return "", err
	}
	if !started && changed.SHA256() == of.SHA256() {
		return of.ExecutionID, nil
	}
	changed.CreatedAt = time.Now().UTC().Format(time.RFC3339)
	if changed.ExecutionID, err = c.nextFree(r.Context(), of.ExecutionID); err != nil {
		return "", err
	}
	return c.store(r.Context(),
		url.Values{"table": {shown.Get("table")}, "copy_of": {of.ExecutionID}}, &changed)
}

// title is what the change is called: the sentence that its rules are of; "" where there is
// none.
func (e editor) title() string { return strings.TrimSpace(e.Get("said")) }

// confirmation asks for a second press before a change that moves much.
type confirmation struct {
	Verb  string
	shown *newPage
}

// Fields are the state, as hidden fields.
func (c confirmation) Fields() (all settings) {
	for _, name := range slices.Sorted(maps.Keys(c.shown.Values)) {
		for _, value := range c.shown.Values[name] {
			if name != "do" && name != "confirmed" {
				all = append(all, shownSetting{Name: name, Value: value})
			}
		}
	}
	return all
}

// Back is the address of the rules; "" where it is too long for one.
func (c confirmation) Back() string { return c.shown.address() }

// Button is what the button that goes ahead says.
func (p newPage) Button() string {
	n := count(p.Result.Preview.Summary.RowsChanged)
	what := "changes"
	if p.Result.Preview.Summary.RowsChanged == 1 {
		what = "change"
	}
	if p.Table.Shop != "" && p.Get("apply_at") == "" {
		return fmt.Sprintf("Change %s prices in the shop", n)
	}
	verb := "Apply"
	if p.Get("apply_at") != "" {
		verb = "Schedule"
	}
	return fmt.Sprintf("%s %s %s", verb, n, what)
}
