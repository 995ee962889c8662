package console

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/web"
)

// planPage is a plan and, where a table was dropped on it, what it would do.
type planPage struct {
	planView
	Table   *tableView
	Preview *plannerapi.Preview
	Fault   *tableFault
	Look    look
	Started bool // the plan has an execution that may go through
	Me      *plannerapi.Me
	Own     bool   // the table may be handed in with the reader's own rights
	Lost    string // why the table of the address is not there; "" where it is
	Changed string // why nothing was done: it would not have been what the page showed; "" where nobody asked
	Given   settings
	Times   times
}

// settings are some, in the order in which they are shown.
type settings []setting

// addTo adds them to a query.
func (s settings) addTo(query url.Values) {
	for _, given := range s {
		query.Set(given.Name, given.Value)
	}
}

// decided are the decisions that were given.
func decided(given url.Values) (all settings) {
	for _, name := range decisions {
		value := strings.TrimSpace(given.Get(string(name)))
		if name == "unmatched" { // what was written out, name by name
			value = withListed(value, given["words"])
		}
		if value != "" {
			all = append(all, setting{Name: string(name), Value: value})
		}
	}
	return all
}

// chosen are the columns that were chosen from the header.
func chosen(roles, titles []string) (pairs []string) {
	for i, title := range titles[:min(len(titles), len(roles))] {
		if title != "" { // there is none
			pairs = append(pairs, roles[i]+"="+title)
		}
	}
	return pairs
}

// withListed adds entries to a list as CSV writes it.
func withListed(given string, more []string) string {
	var text strings.Builder
	list := csv.NewWriter(&text)
	_ = list.Write(more) // into memory
	list.Flush()
	return strings.Trim(given+","+strings.TrimSpace(text.String()), ",")
}

// tableFault is why a table cannot be used.
type tableFault struct {
	Message string
	Faults  []table.Fault
	Names   []plannerapi.UnknownName
	Roles   []table.Fault // of roles that no column is known to have, or several
}

// Nearest reports whether the table has words like those of the plan.
func (f tableFault) Nearest() bool {
	return slices.ContainsFunc(f.Names, func(n plannerapi.UnknownName) bool { return len(n.Nearest) > 0 })
}

// Alike reports whether the table has several names that look the same where the
// plan has one.
func (f tableFault) Alike() bool {
	return slices.ContainsFunc(f.Names, func(n plannerapi.UnknownName) bool { return len(n.Alike) > 0 })
}

// Excluded are the names that the plan leaves out and no row has.
func (f tableFault) Excluded() []plannerapi.UnknownName {
	return slices.DeleteFunc(slices.Clone(f.Names), func(n plannerapi.UnknownName) bool { return n.Confirm == "" })
}

// Others reports whether no row has one of the names that the plan does not leave out.
func (f tableFault) Others() bool {
	return slices.ContainsFunc(f.Names, func(n plannerapi.UnknownName) bool { return !n.Excluded && len(n.Alike) == 0 })
}

// plan shows a plan, and over a table that is held what it would do.
func (c *Console) plan(w http.ResponseWriter, r *http.Request) error {
	return c.showPlan(w, r, http.StatusOK, r.URL.Query(), planPage{})
}

// showPlan shows it. With has why a form was refused: the times that were typed, or what
// has changed.
func (c *Console) showPlan(w http.ResponseWriter, r *http.Request, status int, asked url.Values, with planPage) error {
	id := r.PathValue("id")
	found, err := c.storedPlan(r.Context(), id)
	if err != nil {
		return err
	}
	shown := planPage{planView: found, Me: c.me(r), Look: lookIn(asked), Given: decided(asked), Times: found.Planned(), Changed: with.Changed}
	if shown.Started, err = c.started(r, id); err != nil {
		return err
	}
	if shown.Started { // a copy has those that are still to come
		shown.Times = shown.Times.after(time.Now())
	}
	if with.Times.Problem != "" {
		shown.Times = with.Times
	}
	shown.Times.Optional = shown.Started
	if token := asked.Get("table"); token != "" {
		seen, err := c.preview(r, &shown, token)
		if errs.KindOf(err) == errs.NotFound {
			seen, shown.Lost = http.StatusNotFound, errs.Message(err)
		} else if err != nil {
			return err
		}
		status = max(status, seen)
	}
	c.render(w, r, status, "plan", page{Title: found.Plan.SourceInstruction, Here: "new", Me: shown.Me, Body: shown})
	return nil
}

// started reports whether the plan has an execution that may go through; after
// a failed one the plan is as good as new.
func (c *Console) started(r *http.Request, id string) (bool, error) {
	var found plannerapi.Execution
	err := c.Planner.Get(r.Context(), executionPath(id, ""), &found)
	if errs.KindOf(err) == errs.NotFound {
		return false, nil
	}
	return found.Status != ledger.Failed, err
}

// Unseen reports whether what the plan would do to the table can only be seen
// as a proposal.
func (p planPage) Unseen() bool { return p.Table.TooLarge() || len(p.Plan.Undo) > 0 }

// Nothing reports whether the plan would change no row of the table.
func (p planPage) Nothing() bool { return p.Preview != nil && p.Preview.Summary.RowsChanged == 0 }

// Coming is when the plan is applied, where that is still to come; nil where it is applied
// at once.
func (p planPage) Coming() *time.Time {
	if at := p.Planned().Apply.At; at.After(time.Now()) {
		return &at
	}
	return nil
}

// MustPropose says why only a proposal can come of it; "" where it may be
// applied at once.
func (p planPage) MustPropose() string {
	switch {
	case p.Unseen():
		return "What it would change is seen as a proposal only."
	case p.Agreement == ledger.AgreementModel:
		return ledger.NotVouchedFor
	case p.Plan.Approval == plan.ApprovalAlways:
		return "This plan asks for an approval."
	}
	return ""
}

// preview fills in what the plan would do to a held table. One that cannot be
// used is shown with its faults.
func (c *Console) preview(r *http.Request, shown *planPage, id string) (int, error) {
	found, err := c.table(r, id)
	if err != nil {
		return 0, err
	}
	shown.Table, shown.Own = &found, c.OwnRights
	if shown.Unseen() {
		return http.StatusOK, nil
	}
	same := url.Values{"table": {id}}
	query := shown.Look.query()
	shown.Given.addTo(query)
	shown.Given.addTo(same)
	var seen plannerapi.Preview
	err = c.Planner.Send(r.Context(), http.MethodPost, planPath(shown.Plan.ExecutionID, ":preview")+queryOf(query), map[string]string{"table": id}, &seen)
	if errs.KindOf(err) == errs.Invalid {
		shown.Fault = faultOf(err)
		return http.StatusUnprocessableEntity, nil
	}
	if err != nil {
		return 0, err
	}
	shown.Preview = &seen
	shown.Look.page("/plans/"+shown.Plan.ExecutionID, same, seen.NextPageToken)
	return http.StatusOK, nil
}

// planCSV answers with all that the plan would change in a held table.
func (c *Console) planCSV(w http.ResponseWriter, r *http.Request) error {
	asked, id := r.URL.Query(), r.PathValue("id")
	query := lookIn(asked).query()
	decided(asked).addTo(query)
	return c.sendCSV(w, r, http.MethodPost, planPath(id, ":preview")+queryOf(query), id, map[string]string{"table": asked.Get("table")})
}

// faultOf reads the rows at fault, or the names that no row has, where the
// refusal lists them.
func faultOf(err error) *tableFault {
	shown := &tableFault{Message: errs.Message(err)}
	back, ok := errors.AsType[*web.Refused](err)
	switch {
	case !ok:
	case back.Code == table.CodeUnknownNames:
		_ = json.Unmarshal(back.Details, &shown.Names) // the message says it too
	default:
		_ = json.Unmarshal(back.Details, &shown.Faults)
		for _, fault := range shown.Faults {
			if fault.Row == 1 && table.Mapped(table.Role(fault.Column)) {
				shown.Roles = append(shown.Roles, fault)
			}
		}
	}
	return shown
}

// dropTable holds a table and leads to what is in it, or to what the plan that it was
// dropped on would do to it.
func (c *Console) dropTable(w http.ResponseWriter, r *http.Request) error {
	held, err := c.hold(w, r)
	if errs.KindOf(err) == errs.Invalid && r.PathValue("id") == "" { // mend it and upload it again, there
		return c.refuseFile(w, r, err)
	} else if err != nil {
		return err
	}
	c.leadOn(w, r, held, r.PathValue("id"))
	return nil
}

// leadTo leads to a plan over a table, or to a new change of it where there is no plan.
func leadTo(w http.ResponseWriter, r *http.Request, plan, table string) {
	to := "/new"
	if plan != "" {
		to = "/plans/" + plan
	}
	query := url.Values{"table": {table}}
	decided(r.PostForm).addTo(query)
	seeOther(w, r, to, query)
}

// apply hands a held table in: to be carried out, or to be proposed first.
func (c *Console) apply(w http.ResponseWriter, r *http.Request) error {
	id, held, settings := r.PathValue("id"), field(w, r, "table"), url.Values{}
	asked := handOver{Table: held, Intent: "apply", PreviewSHA256: r.PostFormValue("preview_sha256")}
	if r.PostFormValue("intent") == execution.IntentPropose {
		asked.Intent = execution.IntentPropose
	}
	decided(r.PostForm).addTo(settings)
	switch err := c.execute(r, id, asked, settings); {
	case previewChanged(err):
		settings.Set("table", held)
		return c.showPlan(w, r, http.StatusConflict, settings, planPage{Changed: errs.Message(err)})
	case errs.KindOf(err) == errs.Conflict: // in another tab, say: what came of that is the answer
		shown, missing := c.found(r)
		if missing != nil {
			return err
		}
		shown.Overtaken = errs.Message(err)
		c.showDecided(w, r, http.StatusConflict, shown)
		return nil
	case err != nil:
		return err
	}
	seeOther(w, r, "/executions/"+id, url.Values{"handed_in": {"1"}})
	return nil
}

// handOver asks for a held table to be carried out, or proposed.
type handOver struct {
	Table  string `json:"table"`
	Intent string `json:"intent"`
	// PreviewSHA256 is of the preview that the page showed; "" where it showed none.
	PreviewSHA256 string `json:"preview_sha256,omitempty"`
}

// previewChanged reports whether nothing was done because it would not have been what a
// preview showed.
func previewChanged(err error) bool {
	refused, ok := errors.AsType[*web.Refused](err)
	return ok && refused.Code == plannerapi.CodePreviewChanged
}

// execute has the planner hand a held table in for a plan. Where it lets this reader
// not, who has rights of their own uses these: it knows no members of groups.
func (c *Console) execute(r *http.Request, id string, asked handOver, settings url.Values) error {
	err := c.Planner.Send(r.Context(), http.MethodPost, planPath(id, ":execute")+queryOf(settings), asked, &plannerapi.HandedIn{})
	if errs.KindOf(err) != errs.Denied || !c.OwnRights {
		return err
	}
	found, err := c.table(r, asked.Table)
	if err != nil {
		return err
	}
	if _, err := c.storedPlan(r.Context(), id); err != nil { // whose folder it is put into
		return err
	}
	metadata := maps.Clone(found.Settings)
	for name := range settings {
		metadata[name] = settings.Get(name)
	}
	if err := c.checkPreview(r, id, asked, metadata); err != nil {
		return err
	}
	if asked.Intent == execution.IntentPropose {
		metadata[execution.IntentKey] = asked.Intent
	}
	return c.handIn(r, id, found.HeldTable, metadata)
}

// checkPreview refuses to hand in what would do something else than the page showed, when
// it is read by these settings.
func (c *Console) checkPreview(r *http.Request, id string, asked handOver, settings map[string]string) error {
	if asked.PreviewSHA256 == "" {
		return nil
	}
	query := url.Values{}
	for name, value := range settings {
		query.Set(name, value)
	}
	var now plannerapi.Preview
	path := planPath(id, ":preview") + queryOf(query)
	err := c.Planner.Send(r.Context(), http.MethodPost, path, map[string]string{"table": asked.Table}, &now)
	switch {
	case err != nil && errs.KindOf(err) != errs.Invalid:
		return err
	case now.PreviewSHA256 != asked.PreviewSHA256:
		failure := web.Failure{Code: plannerapi.CodePreviewChanged, Message: plannerapi.PreviewChanged}
		return &web.Refused{Failure: failure, Status: http.StatusConflict}
	}
	return nil
}

// maxNames is how many tables of one name a plan's folder may hold.
const maxNames = 100

// handIn uploads a held table to the folder of its plan. A name that is taken gets
// a number, for what was handed in before is never overwritten.
func (c *Console) handIn(r *http.Request, id string, held plannerapi.HeldTable, metadata map[string]string) error {
	extension := path.Ext(held.File)
	stem := strings.TrimSuffix(held.File, extension)
	for n := 1; n <= maxNames; n++ {
		name := id + "/" + held.File
		if n > 1 {
			name = id + "/" + stem + "-" + strconv.Itoa(n) + extension
		}
		if _, err := c.Inbox.Stat(r.Context(), name); err == nil {
			continue
		}
		content, err := c.Planner.Open(r.Context(), http.MethodGet, tablePath(held.Table)+"/content", "", "", nil)
		if err != nil {
			return err
		}
		contentType, _ := table.ContentType(name)
		_, err = bucket.Put(r.Context(), c.Inbox, name, bucket.CreateOptions{ContentType: contentType, Metadata: metadata}, content)
		content.Close()
		if errs.KindOf(err) != errs.Conflict {
			return err
		}
	}
	return errs.New(errs.Conflict, "%d tables named %s were handed in for this plan already. Give this one another name.", maxNames, held.File)
}

// again stores the same plan anew, with the times and the table's words that
// were given, for a stored plan never changes and is carried out once. It leads
// to it with the table that was being looked at.
func (c *Console) again(w http.ResponseWriter, r *http.Request) error {
	field(w, r, "table") // bounds the form
	id, err := c.storeAgain(r)
	if typed := typedTimes(r.PostForm, err); typed != nil {
		asked := url.Values{"table": {r.PostFormValue("table")}}
		decided(r.PostForm).addTo(asked)
		return c.showPlan(w, r, http.StatusUnprocessableEntity, asked, planPage{Times: *typed})
	} else if err != nil {
		return err
	}
	leadTo(w, r, id, r.PostFormValue("table"))
	return nil
}

// storeAgain stores the plan anew with what a form gave, and returns its id.
func (c *Console) storeAgain(r *http.Request) (string, error) {
	var found struct{ Plan plan.Plan }
	err := c.Planner.Get(r.Context(), planPath(r.PathValue("id"), ""), &found)
	if err != nil {
		return "", err
	}
	p := &found.Plan
	for i := range p.Operations {
		p.Operations[i].Filter.MapNames(func(names []string) []string { return renamed(names, r.PostForm["from"], r.PostForm["to"]) })
	}
	p.CreatedAt = time.Now().UTC().Format(time.RFC3339)
	if err := setTimes(&p.Terms, r.PostForm); err != nil {
		return "", err
	}
	// Under its own id it would be the plan that there is.
	if p.ExecutionID, err = c.nextFree(r.Context(), r.PathValue("id")); err != nil {
		return "", err
	}
	return c.store(r.Context(), url.Values{"table": {r.PostFormValue("table")}, "copy_of": {r.PathValue("id")}}, p)
}

// renamed writes names as the table does: one that is to become several stands in from
// as often.
func renamed(names, from, to []string) (written []string) {
	for _, name := range names {
		known := len(written)
		for i := range from[:min(len(from), len(to))] {
			if from[i] == name {
				written = append(written, to[i])
			}
		}
		if len(written) == known {
			written = append(written, name)
		}
	}
	slices.Sort(written)
	return slices.Compact(written)
}
