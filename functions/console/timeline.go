package console

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table"
)

// moment is something that happened to a plan, or that is to.
type moment struct {
	At   time.Time
	What string
	By   string // who did it; "" where nobody knows
	Note string
	Link string // the id of the execution that it leads to
	Kind string // of its mark: a status, or "" for a step on the way
}

// timeline is what happened to a plan and its tables, the oldest first.
func (e executionPage) timeline() []moment {
	var all []moment
	if made := e.Plan; made.PlanSHA256 != "" {
		all = append(all, moment{At: made.CreatedAt, What: "Asked", By: made.CreatedBy}, moment{At: made.CreatedAt, What: "Planned", Note: made.plannedBy()})
	}
	settled := false
	for _, document := range slices.Backward(e.Audit) {
		settled = settled || document.Upload.Upload == e.Upload
		all = append(all, outcome(document)...)
	}
	if settled && e.Error != nil && e.Error.ReplacedBy != "" {
		last := &all[len(all)-1]
		last.What, last.Link = "Replaced", e.Error.ReplacedBy
	}
	if !e.Waiting && !settled {
		all = append(all, dropped(e.Upload.Object, e.UploadedAt, e.UploadedBy, e.PreparedBy))
	}
	if proposed := e.Proposal; proposed != nil {
		all = append(all, moment{At: proposed.ExecutedAt, What: "Proposed", By: e.ProposedBy, Note: strings.Join(proposed.Reasons, " ")})
		if e.Approval != nil {
			all = append(all, approved(*e.Approval)...)
		}
	}
	if e.UndoneBy != "" {
		taken := moment{At: e.UndoneAt, What: "Taken back", Link: e.UndoneBy, Kind: "undone"}
		if e.UndoneStale > 0 {
			taken.What += " in part"
		}
		all = append(all, taken)
	}
	for _, due := range e.UndoDue {
		next := moment{At: due.At, What: "To be taken back", Link: due.ExecutionID}
		switch {
		case due.Waits:
			next.Note = "This waits for an approval."
		case e.UndoneBy != "" && e.UndoneStale == 0:
			next.Note = "It was taken back before, so that nothing is left to do then."
		}
		all = append(all, next)
	}
	slices.SortStableFunc(all, func(a, b moment) int { return a.At.Compare(b.At) })
	return all
}

func dropped(object string, at time.Time, by string, preparedBy []string) moment {
	note := path.Base(object)
	if len(preparedBy) > 0 {
		note += ", sent or read as said by " + strings.Join(preparedBy, ", ")
	}
	return moment{At: at, What: "Table handed in", By: by, Note: note}
}

// outcome is what the audit document of one upload tells.
func outcome(d ledger.AuditDocument) (all []moment) {
	if d.Upload.OutputOf == "" {
		all = append(all, dropped(d.Upload.Object, d.Upload.UploadedAt, d.Upload.UploadedBy, d.Upload.PreparedBy))
	}
	end := moment{At: d.ExecutedAt, What: statusWord(d.Status), Kind: string(d.Status)}
	switch {
	case d.Status == ledger.Completed:
		if d.Approval != nil {
			all = append(all, moment{At: d.Approval.ProposedAt, What: "Proposed", By: d.Upload.ProposedBy})
			all = append(all, approved(*d.Approval)...)
		}
		end.What = "Carried out"
	case d.ErrorCode == ledger.CodeSuperseded:
		end.What, end.Note = "Superseded", "A newer table is proposed in the place of "+path.Base(d.Upload.Object)+"."
	case d.Status == ledger.Skipped:
		end.What, end.Note = "Left alone", path.Base(d.Upload.Object)+" came when this was carried out already."
	default:
		end.What, end.Kind = failureWord(d.ErrorCode), cmp.Or(d.ErrorCode, end.Kind)
		end.Note, _, _ = strings.Cut(*d.Error, "\n")
	}
	return append(all, end)
}

func approved(given ledger.Approval) []moment {
	return []moment{{At: given.At, What: "Approved", By: given.By, Note: given.Note, Kind: "approved"}}
}

// failureWord is what people call an end without a result.
func failureWord(code string) string {
	switch code {
	case ledger.CodeRejected:
		return "Rejected"
	case ledger.CodeExpired:
		return "Expired"
	case ledger.CodeUndoneAlready:
		return "Taken back already"
	}
	return "Failed"
}

// overtaken says who decided before the reader did, and how long before; ""
// where nobody has.
func (e executionPage) overtaken(seen, verb string, now time.Time) string {
	var who string
	var at time.Time
	var last *ledger.AuditDocument
	if len(e.Audit) > 0 {
		last = &e.Audit[0]
	}
	switch {
	case e.Status == ledger.Failed && last != nil && last.ErrorCode == ledger.CodeRejected:
		who, at = strings.TrimSuffix(*last.Error, "."), last.ExecutedAt
	case e.Status == ledger.Completed && last != nil && last.Approval != nil:
		who, at = last.Approval.By+" approved it", last.Approval.At
	case e.Approval != nil && (e.Proposal == nil || e.Proposal.ProposalSHA256 == seen):
		who, at = e.Approval.By+" approved it", e.Approval.At
	case e.Proposal != nil && e.Proposal.ProposalSHA256 != seen && last != nil && last.ErrorCode == ledger.CodeSuperseded:
		who, at = "A newer table was proposed in its place", last.ExecutedAt
	default:
		return ""
	}
	return who + ". That was " + span(max(now.Sub(at), 0)) + " before you " + verb + "."
}

func span(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h", int(d.Hours()))
}

// reschedule cancels what waits and hands its table in for the same plan at
// another time. The old one ends first: both must never be carried out.
func (c *Console) reschedule(w http.ResponseWriter, r *http.Request) error {
	id, seen := r.PathValue("id"), field(w, r, "proposal_sha256")
	var found plannerapi.Record
	if err := c.Planner.Get(r.Context(), executionPath(id, ""), &found); err != nil {
		return err
	}
	if found.Proposal == nil || found.Proposal.ProposalSHA256 != seen {
		return c.late(w, r, seen, "changed its time", errs.New(errs.Conflict, "What you looked at does not wait any more. Look at it anew."))
	}
	if why := c.me(r).WhyNot(plannerapi.ActExecute); why != "" && !c.OwnRights { // before anything is cancelled, as what follows
		return errs.New(errs.Denied, "%s", why)
	}
	held, intent, err := c.holdAgain(r, found.Upload)
	if err != nil {
		return err
	}
	next, err := c.storeAgain(r)
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
	if err := c.Planner.Send(r.Context(), http.MethodPost, executionPath(id, ":reject"), body, &plannerapi.Record{}); err != nil {
		return c.late(w, r, seen, "changed its time", err)
	}
	if err := c.execute(r, next, handOver{Table: held.Table, Intent: intent}, nil); err != nil {
		return errs.Wrap(errs.KindOf(err), err, "%s is cancelled, and its table could not be handed in for the new time: drop it on the plan %s. %s", id, next, errs.Message(err))
	}
	seeOther(w, r, "/executions/"+next, url.Values{"handed_in": {"1"}})
	return nil
}

// holdAgain has the planner hold a table that was handed in before, and returns what was
// wanted of it then.
func (c *Console) holdAgain(r *http.Request, upload ledger.Upload) (held plannerapi.HeldTable, intent string, err error) {
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
	for _, known := range table.SettingNames {
		if value := handed.Metadata[string(known.Name)]; value != "" {
			settings.Set(string(known.Name), value)
		}
	}
	held, err = c.send(r, path.Base(upload.Object), settings, content, handed.Size)
	return held, cmp.Or(handed.Metadata[execution.IntentKey], "apply"), err
}

// late shows an execution that somebody else has decided about meanwhile.
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
func (c *Console) showDecided(w http.ResponseWriter, r *http.Request, status int, shown executionPage) {
	r.URL = &url.URL{Path: "/executions/" + r.PathValue("id")}
	c.showExecution(w, r, status, shown)
}
