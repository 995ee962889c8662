package execution_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
)

// A process dies at each of its writes, before it and right after. Whenever that is, the
// things that belong together are both there or neither, or in an order of which the next
// delivery or sweep makes the rest. Which pairs those are, see together.
func TestDiesBetweenTwoWrites(t *testing.T) {
	if testing.Short() {
		t.Skip("one worker at a time: the race detector learns nothing here")
	}
	many := &strings.Builder{}
	many.WriteString("sku,category,price,in_stock\n")
	for i := range 501 { // more changes than ride in the completing commit
		fmt.Fprintf(many, "A%d,fitness,%d.00,true\n", i, 10+i)
	}
	var olderGeneration int64
	for name, story := range map[string]struct {
		before func(*shop)
		dies   func(*shop, *execution.Executor) error
		after  func(*shop)
	}{
		"completed": {
			dies: func(s *shop, x *execution.Executor) error {
				return x.Handle(context.Background(), s.drop(id+"/p.csv", products))
			},
			after: func(s *shop) { s.completed() },
		},
		"completed with many changes": {
			dies: func(s *shop, x *execution.Executor) error {
				return x.Handle(context.Background(), s.drop(id+"/p.csv", many.String()))
			},
			after: func(s *shop) {
				if changes := s.changed(); changes != 501 {
					s.t.Errorf("%d changes", changes)
				}
			},
		},
		"failed": {
			dies: func(s *shop, x *execution.Executor) error {
				return x.Handle(context.Background(), s.drop(id+"/p.csv", broken))
			},
			after: func(s *shop) { s.failedWith(id, "invalid_csv") },
		},
		"a newer table takes the proposal's place": {
			before: func(s *shop) {
				s.Policy.Approval = ledger.ApproveAlways
				older := s.drop(id+"/p.csv", updated)
				s.handle(older)
				olderGeneration = older.Generation
			},
			dies: func(s *shop, x *execution.Executor) error {
				x.Policy = s.Policy
				return x.Handle(context.Background(), s.drop(id+"/p.csv", products))
			},
			after: func(s *shop) {
				if record := s.record(); record.Status != ledger.Proposed || record.Source.Generation <= olderGeneration || len(s.history()) != 1 {
					s.t.Errorf("%s of generation %d, %d outcomes", record.Status, record.Source.Generation, len(s.history()))
				}
			},
		},
		"approved": {
			before: proposedOnce,
			dies: func(s *shop, x *execution.Executor) error {
				_, err := ledger.Approve(context.Background(), x.Ledger, id, ledger.Approval{ProposalSHA256: s.record().Proposal.ProposalSHA256, By: "ann", At: s.clock.Now()})
				return errors.Join(err, swept(x.Sweep(context.Background())))
			},
			after: func(s *shop) {
				if record := s.record(); record.Approval == nil { // it died before that: nothing was decided
					if record.Status != ledger.Proposed || len(s.history()) != 0 {
						s.t.Errorf("nobody approved, and it is %s", record.Status)
					}
					return
				}
				s.completed()
			},
		},
		"rejected": {
			before: proposedOnce,
			dies: func(s *shop, x *execution.Executor) error {
				given := ledger.Approval{ProposalSHA256: s.record().Proposal.ProposalSHA256, By: "ann", At: s.clock.Now(), Note: "no"}
				_, err := ledger.Reject(context.Background(), x.Ledger, id, ledger.Rejection{Approval: given})
				return errors.Join(err, swept(x.Sweep(context.Background())))
			},
			after: func(s *shop) {
				if record := s.record(); record.Status == ledger.Proposed && len(s.history()) == 0 {
					return // it died before that: nothing was decided
				}
				s.failedWith(id, ledger.CodeRejected)
			},
		},
		"undone": {
			before: func(s *shop) {
				s.handle(s.drop(id+"/p.csv", products))
				undo := plans.New(s.undoPlan(undoesID))
				if _, err := ledger.Undo(s.t.Context(), s.store, id, undoesID, &undo.Record, s.clock.Now()); err != nil {
					s.t.Fatal(err)
				}
			},
			dies:  func(_ *shop, x *execution.Executor) error { return swept(x.Sweep(context.Background())) },
			after: func(s *shop) { s.undone() },
		},
	} {
		t.Run(name, func(t *testing.T) {
			onEachStore(t, func(t *testing.T, open func(*testing.T) *shop) {
				for at := (&death{at: 1}); ; at = at.next() {
					s := open(t)
					s.storePlan()
					if story.before != nil {
						story.before(s)
					}
					err := story.dies(s, at.of(s))
					s.together(at)
					files := s.files("audit")
					s.clock.advance(time.Hour)
					s.sweepInbox()
					s.sweep()
					s.together(at)
					story.after(s)
					for name, text := range files {
						if s.files("audit")[name] != text {
							t.Errorf("%s changed from\n%s to\n%s", name, text, s.files("audit")[name])
						}
					}
					if !at.gone {
						if err != nil || at.writes < 2 {
							t.Errorf("%d writes, %v", at.writes, err)
						}
						return
					}
					if t.Failed() {
						t.Fatalf("it died at write %d, %s; carried out: %t", at.at, at.what, at.late)
					}
				}
			})
		})
	}
}

func proposedOnce(s *shop) {
	s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"approval": "always", "operations"`, 1)))
	s.Policy.Approval = ledger.ApproveAlways
	s.handle(s.drop(id+"/p.csv", products))
	s.Policy.Approval = ledger.ApproveNever
}

// changed counts the changes that are told of the execution.
func (s *shop) changed() int {
	s.t.Helper()
	changes, err := s.store.Changes(s.t.Context(), id, paging.Page{Size: paging.MaxSize})
	if err != nil {
		s.t.Fatal(err)
	}
	if changes.NextPageToken == "" {
		return len(changes.Items)
	}
	more, err := s.store.Changes(s.t.Context(), id, paging.Page{Size: paging.MaxSize, Token: changes.NextPageToken})
	if err != nil {
		s.t.Fatal(err)
	}
	return len(changes.Items) + len(more.Items)
}

// together asserts of each pair of writes what holds however far the work came:
// undone_by and the undo's seal are one commit, and so are what is proposed, approved or
// decided, its outcome, and the head of the chain. All changes, and the audit file, come
// before the record says that it is completed; before that, no change is told of.
func (s *shop) together(at *death) {
	s.t.Helper()
	record, err := s.store.Execution(s.t.Context(), id)
	if err != nil {
		if len(s.history()) > 0 {
			s.t.Errorf("%s: outcomes without a record", at)
		}
		return
	}
	documents := s.history()
	newest, err := ledger.CheckChain(documents, record.AuditHead)
	if err != nil {
		s.t.Errorf("%s: the head of the chain: %v", at, err)
	}
	if ended := newest != nil && newest.Upload.ID == record.Source.ID(); ended != (record.Status == ledger.Completed || record.Status == ledger.Failed) {
		s.t.Errorf("%s: it is %s, and its upload has its outcome: %t", at, record.Status, ended)
	}
	for _, d := range documents {
		if d.Upload.ID == record.Source.ID() && record.Proposal != nil {
			s.t.Errorf("%s: it proposes what is %s", at, d.Status)
		}
	}
	if record.Seal != nil && record.Status == ledger.Running && record.Seal.PreviousSHA256 != record.AuditHead {
		s.t.Errorf("%s: it was sealed after %q, and the head is %q", at, record.Seal.PreviousSHA256, record.AuditHead)
	}
	undo, err := s.store.Execution(s.t.Context(), undoesID)
	if sealed := err == nil && undo.Seal != nil; sealed != (record.UndoneBy == undoesID) {
		s.t.Errorf("%s: undone by %q, and the undo is sealed: %t", at, record.UndoneBy, sealed)
	}
	if record.Status != ledger.Completed {
		if told := s.changed(); told > 0 {
			s.t.Errorf("%s: it is %s, and %d changes are told", at, record.Status, told)
		}
		return
	}
	if told := s.changed(); int64(told) != record.Seal.Summary.RowsChanged {
		s.t.Errorf("%s: completed with %d of %d changes", at, told, record.Seal.Summary.RowsChanged)
	}
	if line := s.files("audit")["executions/"+id+".jsonl"]; newest == nil || !bytes.Equal([]byte(line), newest.Line()) {
		s.t.Errorf("%s: completed, and the audit file is %q", at, line)
	}
}

// death is the end of a process at one of its writes: before it is carried out, or right
// after. Who is gone carries out nothing more.
type death struct {
	at, writes int
	late, gone bool
	what       string
}

var errGone = errors.New("the process is gone")

func (d *death) String() string {
	return fmt.Sprintf("died at write %d, %s, carried out: %t", d.at, d.what, d.late)
}

func (d *death) next() *death {
	if d.late {
		return &death{at: d.at + 1}
	}
	return &death{at: d.at, late: true}
}

// of is the shop's executor as the process that dies.
func (d *death) of(s *shop) *execution.Executor {
	x := *s.Executor
	x.Ledger = dyingStore{s.store, d}
	x.Inbox, x.Outbox, x.Audit = dyingBucket{s.inbox, d}, dyingBucket{s.outbox, d}, dyingBucket{s.audit, d}
	return &x
}

func (d *death) write(what string, carryOut func() error) error {
	if d.gone {
		return errGone
	}
	if d.writes++; d.writes != d.at {
		return carryOut()
	}
	d.gone, d.what = true, what
	if d.late {
		return errors.Join(errGone, carryOut())
	}
	return errGone
}

func (d *death) read() error {
	if d.gone {
		return errGone
	}
	return nil
}

type dyingStore struct {
	ledger.Store
	*death
}

func (s dyingStore) Plan(ctx context.Context, id string) (plans.Record, error) {
	if err := s.read(); err != nil {
		return plans.Record{}, err
	}
	return s.Store.Plan(ctx, id)
}

func (s dyingStore) Execution(ctx context.Context, id string) (ledger.Execution, error) {
	if err := s.read(); err != nil {
		return ledger.Execution{}, err
	}
	return s.Store.Execution(ctx, id)
}

func (s dyingStore) Snapshot(ctx context.Context, id, upload string) (ledger.Snapshot, error) {
	if err := s.read(); err != nil {
		return ledger.Snapshot{}, err
	}
	return s.Store.Snapshot(ctx, id, upload)
}

func (s dyingStore) CreateExecution(ctx context.Context, first ledger.Execution) (record ledger.Execution, err error) {
	err = s.write("the claim", func() (err error) { record, err = s.Store.CreateExecution(ctx, first); return err })
	return record, err
}

func (s dyingStore) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (record ledger.Execution, err error) {
	what := fmt.Sprintf("the record as %s, sealed %t", next.Status, next.Seal != nil)
	err = s.write(what, func() (err error) { record, err = s.Store.UpdateExecution(ctx, next, with); return err })
	return record, err
}

func (s dyingStore) CreateOutcome(ctx context.Context, outcome ledger.AuditDocument) error {
	return s.write("an outcome", func() error { return s.Store.CreateOutcome(ctx, outcome) })
}

// PutChanges stores one document after the other.
func (s dyingStore) PutChanges(ctx context.Context, id string, documents iter.Seq2[changelog.Document, error]) error {
	for document, err := range documents {
		if err != nil {
			return err
		}
		one := func(yield func(changelog.Document, error) bool) { yield(document, nil) }
		if err := s.write("changes "+document.Name(), func() error { return s.Store.PutChanges(ctx, id, one) }); err != nil {
			return err
		}
	}
	return nil
}

type dyingBucket struct {
	bucket.Bucket
	*death
}

func (b dyingBucket) Stat(ctx context.Context, name string) (bucket.Object, error) {
	if err := b.read(); err != nil {
		return bucket.Object{}, err
	}
	return b.Bucket.Stat(ctx, name)
}

func (b dyingBucket) Open(ctx context.Context, name string, generation int64) (io.ReadCloser, bucket.Object, error) {
	if err := b.read(); err != nil {
		return nil, bucket.Object{}, err
	}
	return b.Bucket.Open(ctx, name, generation)
}

func (b dyingBucket) Create(ctx context.Context, name string, options bucket.CreateOptions) (bucket.Upload, error) {
	if err := b.read(); err != nil {
		return nil, err
	}
	upload, err := b.Bucket.Create(ctx, name, options)
	return dyingUpload{upload, b.death, name}, err
}

type dyingUpload struct {
	bucket.Upload
	*death
	name string
}

func (u dyingUpload) Commit() (object bucket.Object, err error) {
	err = u.write("the file "+u.name, func() (err error) { object, err = u.Upload.Commit(); return err })
	return object, err
}
