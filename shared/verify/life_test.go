package verify_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/verify"
)

const (
	undoAll  = "plan_undo_all_v1"
	undoRest = "plan_undo_rest_v1"
	waiting  = "plan_waiting_v1"
	steep    = "plan_steep_v1"
	rejected = "plan_rejected_v1"
)

// newLife holds an execution that was approved of, one for which only the policy
// asked for an approval, one that needed it for it was rejected before, an undo of the first that failed, one that left an edited
// row, and a proposal that was approved of.
func newLife(t *testing.T) *shop {
	t.Helper()
	s := openShop(t)
	asked := strings.Replace(plan, `"operations"`, `"approval": "always", "operations"`, 1)
	policy := s.x.Policy
	approve := func(id string) {
		record, err := s.Ledger.Execution(t.Context(), id)
		if err != nil || record.Proposal == nil {
			t.Fatalf("%s is %s, %v", id, record.Status, err)
		}
		approval := ledger.Approval{ProposalSHA256: record.Proposal.ProposalSHA256, By: "ann", At: time.Now(), Note: "fine"}
		if _, err := ledger.Approve(t.Context(), s.Ledger, id, approval); err != nil {
			t.Fatal(err)
		}
	}
	sweep := func() {
		if failed, err := s.x.Sweep(t.Context()); failed > 0 || err != nil {
			t.Fatal(failed, err)
		}
	}
	s.drop(id+"/plan.json", asked)
	s.drop(id+"/p.csv", table)
	approve(id)
	s.drop(rejected+"/plan.json", strings.Replace(plan, id, rejected, 1))
	s.x.Policy = ledger.Policy{Approval: ledger.ApproveAlways}
	s.drop(rejected+"/p.csv", table)
	s.reject(rejected)
	s.x.Policy = policy
	s.drop(rejected+"/p.csv", table)
	approve(rejected)
	sweep()
	s.x.Policy = ledger.Policy{Approval: ledger.ApproveOver, OverRows: 100, OverPercent: "5"}
	s.drop(steep+"/plan.json", strings.Replace(plan, id, steep, 1))
	s.drop(steep+"/p.csv", table)
	approve(steep)
	sweep()
	s.x.Policy = policy
	record, err := s.Ledger.Execution(t.Context(), id)
	if err != nil || record.Seal == nil {
		t.Fatalf("%s is %s, %v", id, record.Status, err)
	}
	edited := "sku,category,price,in_stock\nA101,fitness,32.99,true\nA102,fitness,99.99,true\nB201,yoga,19.99,false\n"
	for undoID, stale := range map[string]string{undoAll: "fail", undoRest: "report"} {
		s.drop(undoID+"/plan.json", fmt.Sprintf(`{"execution_id": %q, "created_at": "2026-03-02T10:00:00Z", "source_instruction": "Undo it.",
			"undo": {"execution_id": %q, "changes_sha256": %q, "stale": %q}}`, undoID, id, record.Seal.Changes.SHA256, stale))
	}
	s.drop(undoAll+"/p.csv", edited)
	s.drop(undoRest+"/p.csv", edited)
	s.drop(waiting+"/plan.json", strings.Replace(asked, id, waiting, 1))
	s.drop(waiting+"/p.csv", table)
	approve(waiting)
	s.sign()
	return s
}

// reject fails what an execution proposes.
func (s *shop) reject(id string) {
	s.t.Helper()
	record, err := s.Ledger.Execution(s.t.Context(), id)
	if err != nil || record.Proposal == nil {
		s.t.Fatalf("%s is %s, %v", id, record.Status, err)
	}
	given := ledger.Approval{ProposalSHA256: record.Proposal.ProposalSHA256, By: "ann", Note: "no", At: time.Now()}
	if _, err := ledger.Reject(s.t.Context(), s.Ledger, id, ledger.Rejection{Approval: given, ApprovedBy: "ann"}); err != nil {
		s.t.Fatal(err)
	}
}

// reworded ends what differs in words alone.
const reworded = ", in other words"

// differing names what verify --all finds of one execution.
func (s *shop) differing(id string) (differ []string) {
	s.t.Helper()
	err := s.All(s.t.Context(), func(subject verify.Subject) {
		for _, finding := range subject.Findings {
			if finding.Fault != "" && subject.Name == id {
				differ = append(differ, finding.What)
			} else if len(finding.Notes) > 0 && subject.Name == id {
				differ = append(differ, finding.What+reworded)
			}
		}
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return differ
}

func TestTheLifeOfAPlanIsVerified(t *testing.T) {
	const (
		chain    = "the audit documents and their hash chain"
		shown    = "what the record shows"
		document = "the audit document against the sealed record"
		leave    = "its approval and its time"
		undos    = "what it undid, and what undid it"
		proposed = "what is proposed"
		line     = "the audit file"
	)
	s := newLife(t)
	for _, id := range []string{id, steep, rejected, undoAll, undoRest, waiting, "everything together"} {
		if differ := s.differing(id); differ != nil {
			t.Errorf("nothing was edited, and of %s differs %q", id, differ)
		}
	}
	record := func(id, edit string) string {
		return "UPDATE execution_records SET document = " + edit + " WHERE execution_id = '" + id + "'"
	}
	for _, test := range []struct{ name, edit, of, finds string }{
		{"who approved, in the record", record(id, "json_set(document, '$.approval.by', 'bob')"), id, document},
		{"when, in the record", record(id, "json_set(document, '$.approval.at', '2020-01-01T00:00:00Z')"), id, document},
		{"the note, in the record", record(id, "json_set(document, '$.approval.note', 'never')"), id, document},
		{"what was approved, in the record", record(id, "json_set(document, '$.approval.proposal_sha256', 'ab')"), id, leave},
		{"the approval is gone from the record", record(id, "json_remove(document, '$.approval')"), id, leave},
		{"the approval that only the policy asked for", record(steep, "json_remove(document, '$.approval')"), steep, leave},
		{"the approval that only a rejection asked for", record(rejected, "json_remove(document, '$.approval')"), rejected, leave},
		{"that it was rejected before", record(rejected, "json_remove(document, '$.attempts.rejected')"), rejected, shown},
		{"who could approve, in the record", record(id, "json_set(document, '$.approval.policy', json('{\"approvers\":[\"zoe\"]}'))"), id, leave},
		{"who could approve, of a proposal", record(waiting, "json_set(document, '$.approval.policy', json('{\"by_another\":true}'))"), waiting, proposed},
		{"the policy", record(steep, "json_remove(document, '$.seal.policy')"), steep, document},
		{"a policy that was not kept", record(undoRest, "json_set(document, '$.seal.policy.approval', 'always')"), undoRest, leave},
		{"who approved, in the document", "UPDATE audit_documents SET document = replace(document, '\"by\":\"ann\"', '\"by\":\"bob\"')", id, chain},
		{"what undid it", record(id, "json_set(document, '$.links.undone_by', '')"), undoRest, undos},
		{"how many rows an undo left", record(id, "json_set(document, '$.links.rows_left', 99)"), id, undos},
		{"what undid it, and did not", record(id, "json_set(document, '$.links.undone_by', '"+undoAll+"')"), id, undos},
		{"the stale rows of a failed undo", record(undoAll, "json_remove(document, '$.error.stale')"), undoAll, shown},
		{"the stale rows of an undo", "UPDATE audit_documents SET document = replace(document, '99.99', '98.99') WHERE execution_id = '" + undoRest + "'", undoRest, chain},
		{"the hash of a proposal", record(waiting, "json_set(document, '$.proposal.proposal_sha256', 'ab', '$.approval.proposal_sha256', 'ab')"), waiting, proposed},
		{"how many rows a proposal would change", record(waiting, "json_set(document, '$.proposal.summary.rows_changed', 1)"), waiting, proposed},
		{"the effect of a proposal", record(waiting, "json_set(document, '$.proposal.effect.largest_rises[0].after', '30.00')"), waiting, proposed},
		{"a warning of a proposal", record(waiting, "json_set(document, '$.proposal.warnings', json('[{\"code\":\"x\",\"message\":\"y\"}]'))"), waiting, proposed},
		{"the sentences of a proposal's plan", record(waiting, "json_set(document, '$.proposal.explanation[0]', 'Nothing.')"), waiting, proposed},
		{"who handed the table of a proposal in", record(waiting, "json_set(document, '$.source.uploaded_by', 'zoe')"), waiting, proposed},
		{"the build that computed a proposal", record(waiting, "json_set(document, '$.proposal.engine_build', '0')"), waiting, proposed},
		{"where a proposal's output goes", record(waiting, "json_set(document, '$.proposal.output.object', 'plan_x_v1/p.csv')"), waiting, proposed},
		{"until when a proposal waits", record(waiting, "json_set(document, '$.proposal.expires_at', '2999-01-01T00:00:00Z')"), waiting, proposed},
		{"the policy of a proposal", record(waiting, "json_set(document, '$.proposal.policy.approval', 'over')"), waiting, proposed},
		{"how many rows an undo left, by one", record(id, "json_set(document, '$.links.rows_left', 0)"), id, "the record as it was written"},
		{"the effect of what was sealed", record(undoRest, "json_set(document, '$.seal.effect.rows_lowered', 9)"), undoRest, document},
		{"a warning of what was sealed", record(undoRest, "json_set(document, '$.seal.warnings', json('[{\"code\":\"x\",\"message\":\"y\"}]'))"), undoRest, document},
		{"who made the plan of a proposal", "UPDATE plans SET created_by = 'ben' WHERE execution_id = '" + waiting + "'", waiting, proposed},
		{"what a proposal would write", record(waiting, "json_set(document, '$.proposal.output.crc32c', 1)"), waiting, proposed},
		{"another proposal's approval", record(waiting, "json_set(document, '$.approval.proposal_sha256', 'ab')"), waiting, proposed},
		{"that it has completed", "UPDATE execution_records SET status = 'running', document = json_set(document, '$.status', 'running', '$.source.generation', '7') WHERE execution_id = '" + id + "'", id, shown},
		{"that it has failed", "UPDATE execution_records SET status = 'proposed', document = json_set(document, '$.status', 'proposed') WHERE execution_id = '" + undoAll + "'", undoAll, shown},
		{"that an approval is due", record(waiting, "json_set(document, '$.proposal.approval_due', json('false'))"), waiting, proposed},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newLife(t)
			s.exec(test.edit)
			if differ := s.differing(test.of); !slices.Contains(differ, test.finds) {
				t.Errorf("found %q, want %q", differ, test.finds)
			}
		})
	}
	s.replace("audit/executions/"+id+".jsonl", `"by":"ann"`, `"by":"bob"`)
	if differ := s.differing(id); !slices.Contains(differ, line) {
		t.Errorf("of an edited audit file: %q", differ)
	}
}

// What only the policy asked for is proven without the table, as far as it can be.
func TestAnApprovalIsVerifiedWithoutTheTable(t *testing.T) {
	s := newLife(t)
	said := func() string {
		findings, err := s.Verify(t.Context(), steep)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(findings, func(f verify.Finding) bool { return f.What == "its approval and its time" })
		return findings[at].Fault
	}
	withoutTable := func() {
		record, err := s.Ledger.Execution(t.Context(), steep)
		if err != nil {
			t.Fatal(err)
		}
		s.remove(fmt.Sprintf("inbox/.planwright/drops/*/%020d.data", record.Source.Generation))
	}
	removeApproval := "UPDATE execution_records SET document = json_remove(document, '$.approval') WHERE execution_id = '" + steep + "'"
	for _, step := range []struct {
		edit func()
		want string
	}{
		{func() { s.exec(removeApproval) }, "it was not to be applied without an approval: A price moves by more than 5%: that of A101, from 29.99 to 32.99."},
		{withoutTable, "it was not to be applied without an approval: A price moves by more than 5%: that of A101, from 29.99 to 32.99."},
	} {
		step.edit()
		if fault := said(); !strings.HasSuffix(fault, step.want) {
			t.Errorf("%q, want %q", fault, step.want)
		}
	}
	s = newLife(t)
	withoutTable()
	if fault := said(); fault != "" {
		t.Errorf("of an approval that was given: %s", fault)
	}
}

// What no execution wrote is found among what people are shown.
func TestAddedFilesAreFound(t *testing.T) {
	s := newLife(t)
	for name, found := range map[string]bool{
		"audit/executions/plan_ghost_v1.jsonl":      true,
		"audit/executions/" + undoAll + ".jsonl":    true,
		"audit/changes/plan_ghost_v1.jsonl":         true,
		"outbox/plan_ghost_v1/p.csv":                true,
		"outbox/" + undoAll + "/p.csv":              true,
		"outbox/" + id + "/q.csv":                   true,
		"outbox/" + id + "/p.csv.failed-1.txt":      true,
		"outbox/" + id + "/plan.json.failed-1.txt":  true,
		"outbox/" + id + "/p.csv.proposed-1-ab.txt": true,
		"outbox/" + id + "/.DS_Store":               false,
		"outbox/_unclaimed/p.csv-1.txt":             true,
		"audit/_parts/plan_ghost_v1/ab.txt":         true,
		"audit/_parts/" + undoAll + "/ab.txt":       false,
		"notes.txt":                                 false,
	} {
		path := filepath.Join(s.dir, name)
		write(t, path, table)
		if differ := s.differing("everything together"); found != (len(differ) == 1) {
			t.Errorf("%s: found: %v, want %v", name, differ, found)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// What is under no outcome's hash is held against the description that was made
// of it: notices about proposals, tables that were refused, what people do not see.
func TestEditedObjectsAreFound(t *testing.T) {
	const objects = "every object and its description"
	for pattern, edit := range map[string][2]string{
		"outbox/*/*.proposed-*.txt":           {"No price", "Any price"},
		"inbox/.planwright/drops/*/*.data":    {"99.99", "98.99"},
		"inbox/.planwright/drops/*/*.json":    {`"crc32c": `, `"crc32c": 1`},
		"outbox/.planwright/objects/*/*.json": {`"created_at": "2`, `"created_at": "1`},
		"audit/.planwright/objects/*/*.json":  {`"content_type": "`, `"content_type": "x`},
	} {
		s := newLife(t)
		s.replace(pattern, edit[0], edit[1])
		if differ := s.differing("everything together"); !slices.Contains(differ, objects) {
			t.Errorf("%s: found %q, want %q", pattern, differ, objects)
		}
	}
}

// A proposal that was taken out of the records has been told of.
func TestAProposalThatIsGoneIsFound(t *testing.T) {
	s := newLife(t)
	s.exec("DELETE FROM execution_records WHERE execution_id = '" + waiting + "'")
	if differ := s.differing("everything together"); !slices.Contains(differ, "that every file in outbox and audit is of an execution that is there") {
		t.Errorf("found %q", differ)
	}
}

// unapproved finds other figures in a table than were approved of: the same bytes
// come of it.
type unapproved struct{ execution.Pricing }

func (u unapproved) Run(ctx context.Context, task execution.Task, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error) {
	did, err := u.Pricing.Run(ctx, task, in, out, changes...)
	did.Effect.RowsRaised++
	return did, err
}

func TestFiguresThatWereNotApprovedAreFound(t *testing.T) {
	s := newLife(t)
	s.Engine = unapproved{}
	if differ := s.differing(steep); !slices.Equal(differ, []string{"the output, computed again from plan and input"}) {
		t.Errorf("found %q", differ)
	}
}

// The notice about what is proposed is there, unless it is still owed.
func TestAProposalsNoticeIsMissed(t *testing.T) {
	s := newLife(t)
	notices, _ := filepath.Glob(filepath.Join(s.dir, "outbox", waiting, "*.proposed-*.txt"))
	if len(notices) != 1 {
		t.Fatalf("notices %q", notices)
	}
	if err := os.Remove(notices[0]); err != nil {
		t.Fatal(err)
	}
	if differ := s.differing(waiting); !slices.Equal(differ, []string{"what is proposed"}) {
		t.Errorf("found %q", differ)
	}
	s.exec("UPDATE execution_records SET document = json_set(document, '$.owed', json_array(json_object('upload', json_extract(document, '$.source')))) WHERE execution_id = '" + waiting + "'")
	if differ := s.differing(waiting); slices.Contains(differ, "what is proposed") && !slices.Contains(differ, "the record as it was written") {
		t.Errorf("it is owed, and found was %q", differ)
	}
}
