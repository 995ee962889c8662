package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/web"
)

// newPage is the page New change: sentence, rules and times at the left, what they do at
// the right.
type newPage struct {
	editor
	Table  tableView
	Plan   *planView  // that is edited or repeated; nil: a new one
	Stored *plan.Plan // the same as it is stored
	Me     *plannerapi.Me
	Own    bool // the table may be handed in with the reader's own rights
	Result result
	Told   string // why what was pressed was not done; "" where it was
	Draft  draft  // what was understood of the sentence that the rules are of
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
		return c.showStart(w, r, http.StatusNotFound, startPage{Lost: errs.Message(err)})
	} else if err != nil {
		return err
	}
	name, title := "new", "New change"
	if shown.Confirm != nil {
		name, title = "confirm", "Look once more"
	}
	c.render(w, r, status, name, page{Title: title, Here: "new", Me: shown.Me, Table: &shown.Table, Body: shown})
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
	if shown.Get("draft") != "" {
		if shown.Draft, err = c.readDraft(r, shown.editor); err != nil {
			return err
		}
		shown.Undecided = shown.undecided(shown.Draft)
	}
	shown.Result, err = c.lookAt(r, shown)
	return err
}

// readPlan reads the plan that is edited, and fills the state with it where it has none.
func (c *Console) readPlan(r *http.Request, shown *newPage) error {
	id := shown.Get("plan")
	if id == "" {
		return nil
	}
	var answer json.RawMessage
	if err := c.Planner.Get(r.Context(), planPath(id, ""), &answer); err != nil {
		return err
	}
	var found planView
	var stored struct{ Plan json.RawMessage }
	if err := errors.Join(json.Unmarshal(answer, &found), json.Unmarshal(answer, &stored)); err != nil {
		return errs.Wrap(errs.Unusable, err, "The planner's plan cannot be read.")
	}
	shown.Plan = &found
	var err error
	if shown.Stored, err = plan.Decode(stored.Plan); err != nil {
		return errs.Wrap(errs.Unusable, err, "The planner's plan cannot be read.")
	}
	if shown.Stored.Undo != nil {
		return errs.New(errs.Invalid, "This plan takes another one back. It has no rules to edit.")
	}
	if shown.Has("rules") {
		return nil
	}
	var rules struct{ Operations json.RawMessage }
	if err := json.Unmarshal(stored.Plan, &rules); err != nil {
		return errs.Wrap(errs.Unusable, err, "The planner's plan cannot be read.")
	}
	if err := shown.fill(rules.Operations); err != nil {
		return err
	}
	shown.Set("instruction", found.Plan.SourceInstruction)
	shown.Set("said", found.Plan.SourceInstruction)
	shown.Times = found.Planned().after(time.Now())
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
	if strings.TrimSpace(e.Get("instruction")) == "" { // the rules stand for themselves
		for _, name := range []string{"said", "draft", "settled", "ignored"} {
			e.Del(name)
		}
	}
	verb, argument, _ := strings.Cut(e.Get("do"), ":")
	switch verb {
	case "fill":
		return c.fillIn(w, r, e)
	case "columns", "odd":
		if err := c.readColumns(r, e, verb); err != nil {
			return err
		}
	case "settle":
		if err := c.settle(r, e, argument); err != nil {
			return c.refuse(w, r, e, err)
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

// refuse shows the page as it was filled in, and why what was pressed was not done.
func (c *Console) refuse(w http.ResponseWriter, r *http.Request, e editor, err error) error {
	return c.showNew(w, r, web.StatusOf(errs.KindOf(err)), newPage{editor: e, Told: errs.Message(err)})
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
	shown.Table.HeldTable.Table, shown.Table.File = shown.Get("table"), shown.Get("file")
	if id := shown.Get("plan"); id != "" {
		found, err := c.storedPlan(r.Context(), id)
		if err != nil {
			return err
		}
		shown.Plan = &found
	}
	var err error
	if shown.Result, err = c.lookAt(r, &shown); err != nil {
		return err
	}
	if to := shown.address(); to != "" {
		w.Header().Set("X-State", to)
	}
	return c.renderPart(w, r, "new", "result", shown)
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
	return c.renderPart(w, r, "new", "picked", found.Pick(shownCondition{conditionOf(name), e.rules()[n]}))
}

// addConditions adds the conditions that were chosen from the lists of those to add.
func (e editor) addConditions() {
	for _, r := range e.rules() {
		for _, list := range []string{"and.add", "except.add"} {
			name := r.Text(list)
			if name == "where" {
				name = r.nextWhere()
			}
			if name != "" && !slices.Contains(r.Values[r.Field("show")], name) {
				r.Add(r.Field("show"), name)
			}
			r.Del(r.Field(list))
		}
	}
}

// do changes the state as a button says.
func (e editor) do(verb, argument string) error {
	rules := e.rules()
	first, rest, _ := strings.Cut(argument, ":")
	n, err := strconv.Atoi(first)
	if err != nil || n < 0 || n >= len(rules) {
		n = -1
	}
	order := make([]int, len(rules))
	for i := range order {
		order[i] = i
	}
	switch {
	case verb == "add-rule":
		e.setRules(append(order, len(order)))
	case verb == "set": // a decision about names
		name, value, _ := strings.Cut(argument, "=")
		if slices.Contains(decisions, table.SettingName(name)) {
			e.Set(name, value)
		}
	case verb == "leave":
		for number := range strings.SplitSeq(first, ",") {
			if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(rules) {
				rules[i].leaveOut("exclude_skus", rest)
			}
		}
	case verb == "tab":
		e.Set("tab", argument)
	case verb == "preset":
		return e.preset(argument, time.Now())
	case verb == "swap":
		return e.swap(argument)
	case n < 0: // nothing but to look again
	case verb == "copy":
		e.setRules(slices.Insert(order, n+1, n))
	case verb == "remove":
		e.setRules(slices.Delete(order, n, n+1))
	case verb == "up" && n > 0:
		order[n-1], order[n] = n, n-1
		e.setRules(order)
	case verb == "drop":
		rules[n].drop(rest)
	case verb == "against":
		rules[n].Set(rules[n].Field("against"), rest)
	case verb == "only":
		other, _ := strconv.Atoi(rest)
		if other >= 0 && other < len(rules) {
			rules[other].leaveOutThoseOf(rules[n])
		}
	}
	return nil
}

// drop removes a condition from a rule.
func (r rule) drop(name string) {
	for _, field := range append(slices.Clone(conditionOf(name).fields), name+".blank") {
		r.Del(r.Field(field))
	}
	shown := r.Values[r.Field("show")]
	r.Values[r.Field("show")] = slices.DeleteFunc(slices.Clone(shown), func(one string) bool { return one == name })
}

// leaveOut adds names to an exception of a rule.
func (r rule) leaveOut(field string, names ...string) {
	r.Values[r.Field(field)] = append(r.Names(field), names...)
}

// leaveOutThoseOf has a rule leave out the products of another one.
func (r rule) leaveOutThoseOf(other rule) {
	if field, names := other.justNames(); field != "" {
		r.leaveOut("exclude_"+field, names...)
	}
}

// justNames is the one list of names that a rule's products are told by; "" where it takes
// more to tell them.
func (r rule) justNames() (field string, names []string) {
	if len(r.Shown(true)) > 0 {
		return "", nil
	}
	shown := r.Shown(false)
	if len(shown) != 1 {
		return "", nil
	}
	if kind := shown[0].Kind; kind != "picker" && kind != "lines" {
		return "", nil
	}
	return shown[0].Name, r.Names(shown[0].Name)
}

// swap writes a name of a rule in other ways, or takes it out. Its list is then filled in
// by hand: no rule is for all products because a name went.
func (e editor) swap(argument string) error {
	var asked swapped
	if err := json.Unmarshal([]byte(argument), &asked); err != nil {
		return errs.Wrap(errs.Invalid, err, "The button did not arrive whole. Press it again.")
	}
	for _, r := range e.rules() {
		r.swap(asked)
	}
	return nil
}

func (r rule) swap(asked swapped) {
	for name := range r.listsOfNames() {
		names := r.Names(name)
		at := slices.Index(names, asked.From)
		if at < 0 || strings.HasPrefix(name, "exclude_") != asked.Excluded {
			continue
		}
		r.Values[r.Field(name)] = slices.Concat(names[:at], asked.To, names[at+1:])
		if of := conditionOf(name).Name; len(r.Names(name)) == 0 && !slices.Contains(r.Values[r.Field("show")], of) {
			r.Add(r.Field("show"), of)
		}
	}
}

// listsOfNames are the fields of a rule that hold names.
func (r rule) listsOfNames() map[string]bool {
	lists := map[string]bool{}
	for name, kind := range filterFields {
		if kind == namesField {
			lists[name] = true
		}
	}
	for _, c := range r.wheres() {
		lists[c.Name+".values"] = true
	}
	return lists
}

// swapped is a name of a rule that is to become others.
type swapped struct {
	From     string   `json:"from"`
	To       []string `json:"to"`
	Excluded bool     `json:"excluded"`
}

// preset sets the times to some that are frequent, in the zone of the page.
func (e editor) preset(name string, now time.Time) error {
	zone, err := zoneOf(e.Get("zone"))
	if err != nil {
		return err
	}
	today := now.In(zone)
	day := func(days, hour, minute int) string {
		return time.Date(today.Year(), today.Month(), today.Day()+days, hour, minute, 0, 0, zone).Format(fieldLayout)
	}
	friday := (int(time.Friday) - int(today.Weekday()) + 7) % 7
	if friday == 0 {
		friday = 7 // this one has begun
	}
	switch name {
	case "now":
		e.Set("apply_at", "")
		e.Set("revert_at", "")
	case "weekend":
		e.Set("apply_at", day(friday, 0, 0))
		e.Set("revert_at", day(friday+2, 23, 59))
	case "week":
		e.Set("apply_at", day(1, 0, 0))
		e.Set("revert_at", day(8, 0, 0))
	}
	return nil
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
	return c.Planner.Send(r.Context(), http.MethodPut, tablePath(found.Table)+"/settings", said, &plannerapi.HeldTable{})
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
		return c.showNew(w, r, http.StatusUnprocessableEntity, newPage{editor: e, Told: "The rules are not finished. What is open is said beside them."})
	}
	query := url.Values{}
	decided(e.Values).addTo(query)
	body := map[string]any{"table": e.Get("table"), "operations": operations}
	return c.sendCSV(w, r, http.MethodPost, "/v1/plans:preview"+queryOf(query), "preview", body)
}

// carryOn stores the plan of the page, and hands its table in where that is asked for.
func (c *Console) carryOn(w http.ResponseWriter, r *http.Request, e editor, verb string) error {
	shown := newPage{editor: e}
	if err := c.readNew(r, &shown); err != nil {
		return err
	}
	refuse := func(told string) error {
		return c.showNew(w, r, http.StatusUnprocessableEntity, newPage{editor: e, Told: told, Times: shown.Times})
	}
	switch typed := strings.TrimSpace(e.Get("instruction")); {
	case typed != "" && typed != e.Get("said"):
		return refuse("Nothing was done: the rules do not follow your sentence yet. Fill in the rules, or clear the sentence.")
	case len(shown.Undecided) > 0:
		return refuse("Nothing was done: something in the sentence is still open. Answer it, or ignore the words.")
	}
	if shown.Result.Preview == nil || len(shown.Result.Wrong) > 0 {
		return refuse("Nothing was done: the rules are not finished. What is open is said beside them.")
	}
	terms := plan.Terms{Approval: plan.Approval(e.Get("approval"))}
	if err := setTimes(&terms, url.Values{"apply_at": {e.Get("apply_at")}, "revert_at": {e.Get("revert_at")}, "zone": {e.Get("zone")}}); err != nil {
		shown.Times.Problem = errs.Message(err)
		return refuse(shown.Times.Problem)
	}
	seen := e.Get("preview_sha256")
	if seen != shown.Result.Preview.PreviewSHA256 && verb != "save" {
		return refuse("Nothing was done: this would now do something else than what you saw. Look at the figures again.")
	}
	if verb != "save" && shown.Result.MovesMuch() && e.Get("confirmed") != seen {
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
	settings := url.Values{}
	decided(e.Values).addTo(settings)
	err = c.execute(r, id, handOver{Table: e.Get("table"), Intent: verb, PreviewSHA256: seen}, settings)
	if previewChanged(err) || errs.KindOf(err) == errs.Denied || errs.KindOf(err) == errs.Invalid {
		return refuse(errs.Message(err))
	} else if err != nil {
		return err
	}
	seeOther(w, r, "/executions/"+id, url.Values{"handed_in": {"1"}})
	return nil
}

// storeRules stores the rules of the page as a plan, and returns its id. A plan that was
// not changed and not used is there already. A changed one keeps how it came about.
func (c *Console) storeRules(r *http.Request, shown *newPage, terms plan.Terms) (string, error) {
	operations, _ := shown.operations()
	if shown.Plan == nil {
		body := map[string]any{"operations": operations, "table": shown.Get("table")}
		for name, text := range map[string]string{"instruction": shown.title(), "apply_at": terms.ApplyAt, "revert_at": terms.RevertAt, "approval": string(terms.Approval)} {
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
	return c.store(r.Context(), url.Values{"table": {shown.Get("table")}, "copy_of": {of.ExecutionID}}, &changed)
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
				all = append(all, setting{Name: name, Value: value})
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
	verb := "Apply"
	if p.Get("apply_at") != "" {
		verb = "Schedule"
	}
	return fmt.Sprintf("%s %s %s", verb, n, what)
}
