package execution

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table/files"
)

// notify tells the person who dropped a file why it was not applied, where
// they dropped it.
func (x *Executor) notify(ctx context.Context, outcome ledger.AuditDocument) error {
	name, text := Notice(outcome)
	if text == "" {
		return nil
	}
	return x.writeNotice(ctx, name, text)
}

// Notice is the notice about an outcome and its name in the outbox. A completed
// upload speaks for itself: the text is "".
func Notice(outcome ledger.AuditDocument) (name, text string) {
	if outcome.Status == ledger.Completed {
		return "", ""
	}
	upload := outcome.Upload.Source
	name = fmt.Sprintf("%s/%s.%s-%d.txt",
		outcome.ExecutionID, noticeStem(fileOf(upload.Object)), outcome.Status, upload.Generation)
	return name, outcome.Notice().Text()
}

func (x *Executor) notifyProposal(ctx context.Context, record ledger.Execution) error {
	stored, err := x.Ledger.Plan(ctx, record.ExecutionID)
	if err != nil {
		return err
	}
	same := plan.Messages(lineage.SameTable(ctx, x.Ledger, record.Proposal.Input, record.ExecutionID))
	read, _ := plans.Read(stored) // of a damaged plan there is still something to tell
	notice := record.ProposalNotice(read)
	notice.Details = proposalDetails(record, same)
	return x.writeNotice(ctx, ProposedName(record), notice.Text())
}

// ProposedName is the name of the notice about what a record proposes.
func ProposedName(record ledger.Execution) string {
	upload := record.Source
	return fmt.Sprintf("%s/%s.proposed-%d-%.8s.txt",
		record.ExecutionID, noticeStem(fileOf(upload.Object)), upload.Generation,
		record.Proposal.ProposalSHA256)
}

// notifyOwed writes the notices that a record owes: of what is proposed, or of
// the outcome that the upload has by now.
func (x *Executor) notifyOwed(ctx context.Context, record ledger.Execution) error {
	for _, owed := range record.Unwritten() {
		var err error
		if record.Proposal != nil && record.Source.Upload == *owed.Upload {
			err = x.notifyProposal(ctx, record)
		} else {
			err = x.notifyOutcome(ctx, record.ExecutionID, *owed.Upload)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// notifyOutcome writes the notice of an upload's outcome. One that has none is
// no longer proposed, and will be told of what becomes of it.
func (x *Executor) notifyOutcome(ctx context.Context, executionID string, upload ledger.Upload) error {
	found, err := x.Ledger.Snapshot(ctx, executionID, upload.ID())
	if err != nil || found.Outcome == nil {
		return err
	}
	return x.notify(ctx, *found.Outcome)
}

// neitherAdvice says what is taken.
const neitherAdvice = "Drop a table whose name ends in " + files.Endings +
	", or a plan named plan.json. Save a workbook (.xlsx, .ods, .numbers) as CSV and unpack an archive first."

// notifyStray answers a file that is for no execution: a table or a plan that
// names none, or a file that is neither. It is no upload of a table and has no outcome.
func (x *Executor) notifyStray(ctx context.Context, event Event, target target) error {
	headline := "This file was not applied: it is neither a table nor a plan."
	remedy := neitherAdvice
	if target.kind == unclaimed {
		headline = "This file was not applied: it does not say which plan it is for."
		remedy = "Drop it into the folder named after the plan's execution id, one level deep, as in " +
			event.Bucket + "/plan_fitness_price_increase_10pct_v1/" + noticeStem(target.file) +
			". An execution id has 8 to 64 letters, digits, underscores and hyphens."
	}
	x.Log.WarnContext(ctx, "a file that is for no execution")
	return x.writeNotice(ctx, strayName(event, target), notices.Paragraphs(
		headline, "File", event.Bucket+"/"+event.Object, "What to do", remedy,
	))
}

// NotifyUntaken answers what was dropped and is no upload, for it cannot be
// taken. The generation tells it from what else has its name.
func (x *Executor) NotifyUntaken(
	ctx context.Context, object string, generation int64, wrong, remedy string,
) error {
	var shown []string
	for segment := range strings.SplitSeq(object, "/") {
		shown = append(shown, noticeStem(segment))
	}
	name := strayName(Event{Generation: generation}, target{file: fileOf(object)})
	return x.writeNotice(ctx, name, notices.Paragraphs("This was not applied: "+wrong,
		"File", x.Inbox.Name()+"/"+strings.Join(shown, "/"), "What to do", remedy))
}

// NotifyTooLarge answers a drop that is refused by its size.
func (x *Executor) NotifyTooLarge(ctx context.Context, object string, at int64) error {
	last := fileOf(object)
	wrong, remedy := "it is neither a table nor a plan.", neitherAdvice
	if _, isTable := files.ContentType(last); isTable {
		wrong = fmt.Sprintf("it is larger than %s, the largest table here (TABLE_LIMIT_GIB).",
			gibibytes(x.Limits.TableBytes))
		remedy = smallerAdvice
	} else if last == planFileName {
		wrong = fmt.Sprintf("it is larger than %d bytes, and no plan is.", MaxPlanFileBytes)
		remedy = "Drop the plan alone, as JSON."
	}
	return x.NotifyWaiting(ctx, object, at, wrong, remedy)
}

// NotifyWaiting answers a drop of which there is no copy, where the results of its
// execution are.
func (x *Executor) NotifyWaiting(ctx context.Context, object string, at int64, wrong, remedy string) error {
	name := strayName(Event{Generation: at}, target{file: fileOf(object)})
	if id := ExecutionIn(object); id != "" {
		name = fmt.Sprintf("%s/%s%s%d.txt", id, noticeStem(fileOf(object)), NotTaken, at)
	}
	return x.writeNotice(ctx, name, notices.Paragraphs("This was not applied: "+wrong,
		"File", x.Inbox.Name()+"/"+object, "What to do", remedy))
}

// NotTaken stands in the names of notices about drops of which there is no copy.
const NotTaken = ".not-taken-"

// strayName is the name of the notice about a file that is for no execution:
// in the folder of one where the file lies in it.
func strayName(event Event, target target) string {
	if target.executionID != "" {
		return fmt.Sprintf("%s/%s.failed-%d.txt",
			target.executionID, noticeStem(target.file), event.Generation)
	}
	return fmt.Sprintf(plan.UnclaimedFolder+"/%s-%d.txt", noticeStem(target.file), event.Generation)
}

// writeNotice creates a notice. One that is there already was written by a
// copy of the same event.
func (x *Executor) writeNotice(ctx context.Context, name, text string) error {
	_, err := bucket.Put(
		ctx, x.Outbox, name, bucket.CreateOptions{ContentType: noticeType}, strings.NewReader(text),
	)
	if errs.KindOf(err) == errs.Conflict {
		_, err = x.Outbox.Stat(ctx, name) // it is said only once it is there
	}
	if err != nil {
		return errs.Wrap(errs.KindOf(err), err, "the notice %s could not be written", name)
	}
	return nil
}

// proposalDetails say more of what a record proposes, and what else was carried out on the
// same table.
func proposalDetails(record ledger.Execution, same []string) []string {
	p := record.Proposal
	return []string{
		"What it would do", strings.Join(p.Explanation, "\n"),
		"Columns that no platform's titles tell", p.Summary.Table.ByTitles(),
		"Warnings", strings.Join(slices.Concat(same, p.Sentences()), "\n"),
		"Proposal", p.ProposalSHA256,
		"What it waits for", waitsFor(record.ExecutionID, *p),
	}
}

func waitsFor(executionID string, p ledger.Proposal) string {
	var lines []string
	if p.ApprovalDue {
		lines = append(lines, fmt.Sprintf("An approval of exactly this proposal, by %s: open the execution in the console and approve or reject it, or type", p.ExpiresAt.Format(time.RFC3339)),
			fmt.Sprintf("  planwright approve %s --proposal %s --url ADDRESS", executionID, p.ProposalSHA256),
			"where ADDRESS is the planner's, as http://localhost:8080/planner; planwright reject takes the same and --reason.")
		lines = append(lines, p.Reasons...)
	}
	if p.ApplyAt.After(p.ExecutedAt) {
		lines = append(lines, fmt.Sprintf("Its time, %s.", p.ApplyAt.Format(time.RFC3339)))
	}
	if len(lines) == 0 {
		lines = append(lines, "Nothing: what was proposed before has changed, and this is applied next.")
	}
	return strings.Join(lines, "\n")
}

const (
	noticeType = "text/plain; charset=utf-8"
	// LinesType is the media type of a changes file.
	LinesType = "application/jsonl"
)
