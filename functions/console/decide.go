package console

import (
	"cmp"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table/setting"
)

// pressed are what was done by a press, by the word that the address of the next page has.
var pressed = map[string]string{
	"reminded": "The approvers were reminded.",
	"imported": "Noted: you have imported this file.",
}

// approve approves what the page showed, and nothing else.
func (c *Console) approve(w http.ResponseWriter, r *http.Request) error {
	body := map[string]string{"proposal_sha256": field(w, r, "proposal_sha256")}
	if note := strings.TrimSpace(r.PostFormValue("note")); note != "" {
		body["note"] = note
	}
	return c.decide(w, r, ":approve", "approved it", body)
}

// reject sends what the page showed back, with a note that says why, or what should change.
func (c *Console) reject(w http.ResponseWriter, r *http.Request) error {
	body := map[string]string{"proposal_sha256": field(w, r, "proposal_sha256")}
	note := strings.TrimSpace(r.PostFormValue("note"))
	switch {
	case note == "":
		return errs.New(errs.Invalid, "Write a few words: whoever asked for the change reads them.")
	case r.PostFormValue("change") != "":
		note = "Please change: " + note
	}
	body["reason"] = note
	if by := r.PostFormValue("approved_by"); by != "" {
		body["approved_by"] = by
	}
	return c.decide(w, r, ":reject", "sent it back", body)
}

// withdraw takes back what the reader asked for, or cancels what is scheduled. It needs no
// reason.
func (c *Console) withdraw(w http.ResponseWriter, r *http.Request) error {
	body := map[string]string{"proposal_sha256": field(w, r, "proposal_sha256")}
	if by := r.PostFormValue("approved_by"); by != "" {
		body["approved_by"] = by
	}
	if r.PostFormValue("as") == "approver" { // who may reject it, and has not asked for it
		body["reason"] = "Cancelled."
		return c.decide(w, r, ":reject", "cancelled it", body)
	}
	return c.decide(w, r, ":withdraw", "withdrew it", body)
}

// decide sends a decision about what is proposed.
func (c *Console) decide(
	w http.ResponseWriter, r *http.Request, verb, done string, body map[string]string,
) error {
	id := r.PathValue("id")
	err := c.Planner.Send(r.Context(), http.MethodPost, executionPath(id, verb), body, &plannerapi.Record{})
	if err != nil {
		return c.late(w, r, body["proposal_sha256"], done, err)
	}
	seeOther(w, r, "/executions/"+id, nil)
	return nil
}

// note sends what needs no more than a press, and says on the page that it was done.
func (c *Console) note(verb, notice string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id := r.PathValue("id")
		field(w, r, "") // bounds the form
		err := c.Planner.Send(
			r.Context(), http.MethodPost, executionPath(id, verb), map[string]string{}, &plannerapi.Record{},
		)
		if err != nil {
			return err
		}
		if r.URL.Query().Get("from") == "start" {
			seeOther(w, r, "/", nil)
			return nil
		}
		seeOther(w, r, "/executions/"+id, url.Values{"done": {notice}})
		return nil
	}
}

// late shows a change that somebody else has decided about meanwhile.
func (c *Console) late(w http.ResponseWriter, r *http.Request, seen, verb string, refusal error) error {
	if errs.KindOf(refusal) != errs.Conflict {
		return refusal
	}
	shown, err := c.found(r)
	if err != nil {
		return err
	}
	if shown.Overtaken = shown.overtaken(seen, verb, time.Now()); shown.Overtaken == "" {
		return refusal
	}
	c.showDecided(w, r, http.StatusConflict, shown)
	return nil
}

// showDecided answers a form that decides with the page that it was sent from.
func (c *Console) showDecided(w http.ResponseWriter, r *http.Request, status int, shown changePage) {
	r.URL = &url.URL{Path: "/executions/" + r.PathValue("id")}
	c.showChange(w, r, status, shown)
}

// overtaken says who decided before the reader did, and how long before; "" where nobody
// has.
func (p changePage) overtaken(seen, verb string, now time.Time) string {
	var who string
	var at time.Time
	var last *ledger.AuditDocument
	if len(p.Audit) > 0 {
		last = &p.Audit[0]
	}
	switch {
	case p.Status == ledger.Failed && last != nil && last.Error != nil && p.Error != nil &&
		isDecision(last.Code()):
		who, at = strings.TrimSuffix(*last.Error, "."), last.ExecutedAt
	case p.Status == ledger.Completed && last != nil && last.Approval != nil:
		who, at = last.Approval.By+" approved it", last.Approval.At
	case p.Approval != nil && (p.Proposal == nil || p.Proposal.ProposalSHA256 == seen):
		who, at = p.Approval.By+" approved it", p.Approval.At
	case p.Proposal != nil && p.Proposal.ProposalSHA256 != seen && last != nil &&
		last.Code() == ledger.CodeSuperseded:
		who, at = "A newer file was sent in its place", last.ExecutedAt
	default:
		return ""
	}
	return who + ". That was " + span(max(now.Sub(at), 0)) + " before you " + verb + "."
}

// showOvertaken shows what became of a plan that was handed in before, and says so.
func (c *Console) showOvertaken(w http.ResponseWriter, r *http.Request, id string, refusal error) error {
	r.SetPathValue("id", id)
	shown, err := c.found(r)
	if err != nil {
		return refusal
	}
	shown.Overtaken = errs.Message(refusal)
	c.showDecided(w, r, http.StatusConflict, shown)
	return nil
}

// endReplaced cancels the scheduled change in whose place another one is handed in next:
// both must never be carried out. There is nothing to do where old is "".
func (c *Console) endReplaced(r *http.Request, old, next string) error {
	if old == "" || old == next {
		return nil
	}
	var found plannerapi.Record
	if err := c.Planner.Get(r.Context(), executionPath(old, ""), &found); err != nil {
		return err
	}
	if found.Error != nil && found.Error.ReplacedBy == next {
		return nil
	}
	if found.Proposal == nil {
		return errs.New(errs.Conflict, "Nothing was done: the change that this one is to replace is not scheduled any more. Look at it first.")
	}
	body := map[string]string{
		"proposal_sha256": found.Proposal.ProposalSHA256,
		"reason":          "Its rules were changed.",
		"replaced_by":     next,
	}
	if found.Approval != nil {
		body["approved_by"] = found.Approval.By
	}
	return c.Planner.Send(
		r.Context(), http.MethodPost, executionPath(old, ":reject"), body, &plannerapi.Record{},
	)
}

// reschedule cancels what is scheduled, and hands its table in for the same rules at
// another time. The old one ends first: both must never be carried out.
func (c *Console) reschedule(w http.ResponseWriter, r *http.Request) error {
	id, seen := r.PathValue("id"), field(w, r, "proposal_sha256")
	var found plannerapi.Record
	if err := c.Planner.Get(r.Context(), executionPath(id, ""), &found); err != nil {
		return err
	}
	if found.Proposal == nil || found.Proposal.ProposalSHA256 != seen {
		return c.late(w, r, seen, "changed its time", errs.New(errs.Conflict,
			"This change is not scheduled any more. Load the page again."))
	}
	// before anything is cancelled, as what follows
	if why := c.me(r).WhyNot(plannerapi.ActExecute); why != "" && !c.OwnRights {
		return errs.New(errs.Denied, "%s", why)
	}
	held, intent, err := c.holdAgain(r, found.Upload)
	if err != nil {
		return err
	}
	next, err := c.storeAt(r, id)
	if typed := typedTimes(r.PostForm, err); typed != nil {
		shown, err := c.found(r)
		shown.Times = *typed
		if err == nil {
			c.showDecided(w, r, http.StatusUnprocessableEntity, shown)
		}
		return err
	} else if err != nil {
		return err
	}
	body := map[string]string{"proposal_sha256": seen, "reason": "Its time was changed.", "replaced_by": next}
	if by := r.PostFormValue("approved_by"); by != "" {
		body["approved_by"] = by
	}
	if err := c.Planner.Send(r.Context(), http.MethodPost, executionPath(id, ":reject"), body,
		&plannerapi.Record{}); err != nil {
		return c.late(w, r, seen, "changed its time", err)
	}
	upload, err := c.execute(r, next, handOver{Table: held.Table, Intent: intent}, nil)
	if err != nil {
		return errs.Wrap(errs.KindOf(err), err,
			"The change is cancelled, and could not be scheduled anew. Open the draft %s to try again. %s",
			next, errs.Message(err))
	}
	seeOther(w, r, "/executions/"+next, afterHandIn(upload))
	return nil
}

// holdAgain has the planner hold a table that was handed in before, and returns what was
// wanted of it then.
func (c *Console) holdAgain(
	r *http.Request, upload ledger.Upload,
) (held plannerapi.StoredTable, intent string, err error) {
	from := c.Files(upload.Bucket)
	if from == nil {
		return held, "", errs.New(errs.NotFound, "The bucket %s is not known here.", upload.Bucket)
	}
	content, handed, err := from.Open(r.Context(), upload.Object, upload.Generation)
	if err != nil {
		return held, "", err
	}
	defer content.Close()
	settings := url.Values{}
	for _, known := range setting.All {
		if value := handed.Metadata[string(known.Name)]; value != "" {
			settings.Set(string(known.Name), value)
		}
	}
	held, err = c.send(r, path.Base(upload.Object), settings, content, handed.Size)
	return held, cmp.Or(handed.Metadata[execution.IntentKey], "apply"), err
}

// storeAt stores a plan anew with the times of a form, and returns its id.
func (c *Console) storeAt(r *http.Request, id string) (string, error) {
	var found struct{ Plan plan.Plan }
	err := c.Planner.Get(r.Context(), planPath(id, ""), &found)
	if err != nil {
		return "", err
	}
	p := &found.Plan
	p.CreatedAt = time.Now().UTC().Format(time.RFC3339)
	if err := setTimes(&p.Terms, r.PostForm); err != nil {
		return "", err
	}
	// Under its own id it would be the plan that there is.
	if p.ExecutionID, err = c.nextFree(r.Context(), id); err != nil {
		return "", err
	}
	return c.store(r.Context(), url.Values{"copy_of": {id}}, p)
}
