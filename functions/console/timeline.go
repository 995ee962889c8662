package console

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
)

// happening is something that happened to a change, or that is to.
type happening struct {
	At   time.Time
	What string
	By   string // who did it; "" where nobody knows
	Note string
	Link string // the change that it leads to
	Kind string // of its mark: a status, or "" for a step on the way
}

// Story is what happened to a change, the oldest first, and what is to come.
func (p changePage) Story() []happening {
	var all []happening
	if made := p.Plan; made.PlanSHA256 != "" {
		all = append(all, happening{At: made.CreatedAt, What: "Planned", By: made.CreatedBy})
	}
	settled := false
	for _, document := range slices.Backward(p.Audit) {
		settled = settled || document.Upload.Upload == p.Upload
		all = append(all, outcome(document)...)
	}
	if settled && p.Error != nil && p.Error.ReplacedBy != "" {
		last := &all[len(all)-1]
		last.What, last.Link = "Replaced", p.Error.ReplacedBy
	}
	if !p.Waits && !settled {
		all = append(all, sentFile(p.Upload.Object, p.UploadedAt, p.UploadedBy, p.PreparedBy))
	}
	if proposed := p.Proposal; proposed != nil && p.ApprovalDue {
		all = append(all, happening{At: proposed.ExecutedAt, What: "Asked for approval", By: p.ProposedBy})
	}
	if p.Proposal != nil && p.Approval != nil {
		all = append(all, approved(*p.Approval))
	}
	all = append(all, p.undos()...)
	slices.SortStableFunc(all, func(a, b happening) int { return a.At.Compare(b.At) })
	return all
}

// undos are those that there were, and that are to come.
func (p changePage) undos() (all []happening) {
	switch {
	case p.Undos != nil:
		all = append(all, undoHappenings(*p.Undos)...)
	case p.UndoneBy != "":
		undone := happening{What: "Undone", Link: p.UndoneBy, Kind: "undone"}
		if p.Undone != nil && p.Undone.ExecutedAt != nil {
			undone.At = *p.Undone.ExecutedAt
		}
		if p.UndoneStale > 0 {
			undone.What += " in part"
		}
		all = append(all, undone)
	}
	for _, due := range p.UndoDue {
		next := happening{At: due.At, What: "Ends", Link: due.ExecutionID}
		switch {
		case due.Waits:
			next.Note = "This waits for an approval."
		case p.Undos != nil && p.Undos.Force != lineage.None:
			next.Note = "It was undone before and applied again, so it does not end by itself. Undo the newest change then."
		case p.UndoneBy != "" && p.UndoneStale == 0:
			next.Note = "It was undone before, so nothing is left to do then."
		}
		all = append(all, next)
	}
	return all
}

// undoHappenings are the undos of a change, and of those in turn.
func undoHappenings(undos lineage.Undos) (all []happening) {
	// An undo of one of these takes the change back.
	again := map[string]bool{undos.Chain[0].ExecutionID: true}
	for _, undo := range undos.Chain {
		next := happening{At: undo.At, What: "Applied again", Link: undo.UndoneBy, Kind: "completed"}
		if again[undo.ExecutionID] {
			next.What, next.Kind = "Undone", "undone"
		} else {
			again[undo.UndoneBy] = true
		}
		if undo.Part {
			next.What += " in part"
		}
		all = append(all, next)
	}
	return all
}

func sentFile(object string, at time.Time, by string, preparedBy []string) happening {
	note := path.Base(object)
	if len(preparedBy) > 0 {
		note += ", uploaded or set up by " + strings.Join(preparedBy, ", ")
	}
	return happening{At: at, What: "Sent", By: by, Note: note}
}

// outcome is what the audit document of one upload tells.
func outcome(d ledger.AuditDocument) (all []happening) {
	if d.Upload.OutputOf == "" {
		all = append(all, sentFile(
			d.Upload.Object, d.Upload.UploadedAt, d.Upload.UploadedBy, d.Upload.PreparedBy,
		))
	}
	told := d.Notice()
	end := happening{At: d.ExecutedAt, What: told.State(), Kind: told.Mark()}
	switch {
	case d.Status == ledger.Completed:
		if d.Approval != nil {
			all = append(all, happening{
				At:   d.Approval.ProposedAt,
				What: "Asked for approval",
				By:   d.Upload.ProposedBy,
			}, approved(*d.Approval))
		}
	case d.Code() == ledger.CodeSuperseded:
		end.Note = "A newer file was sent in place of " + path.Base(d.Upload.Object) + "."
	case d.Status == ledger.Skipped:
		end.Note = path.Base(d.Upload.Object) + " came when this was done already."
	default:
		failure := ledger.Failure{Message: *d.Error}
		if d.Failure != nil {
			failure = *d.Failure
			failure.Message = *d.Error
		}
		end.Note = failureText(failure)
	}
	return append(all, end)
}

func approved(given ledger.Approval) happening {
	return happening{At: given.At, What: "Approved", By: given.By, Note: given.Note, Kind: "approved"}
}

// isDecision reports whether a change ended because somebody decided so.
func isDecision(code string) bool { return code == ledger.CodeRejected || code == ledger.CodeWithdrawn }

func span(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h", int(d.Hours()))
}
