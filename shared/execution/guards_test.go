package execution_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// Each test here removes one thing that a guard stands for; the guard alone
// keeps it from doing harm.

var sameSize = strings.Replace(updated, "32.99", "32.98", 1)

func TestANameThatHoldsOtherBytesOfTheSameSizeIsTaken(t *testing.T) {
	s := open(t)
	s.storePlan()
	s.put("outbox/"+id+"/p.csv", sameSize)
	s.handle(s.drop(id+"/p.csv", products))
	if record := s.record(); record.Status != ledger.Failed || record.Error.Code != "name_taken" {
		t.Errorf("the execution is %s, %+v; want failed, name_taken", record.Status, record.Error)
	}
	if s.files("outbox")[id+"/p.csv"] != sameSize {
		t.Error("what was there was written over")
	}
}

func TestAnotherFileIsNotTakenForTheSealedOne(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	s.sealAndCrash(event)
	s.put("outbox/"+id+"/p.csv", sameSize)
	s.clock.advance(time.Hour)
	if err := s.Handle(t.Context(), event); err == nil || s.record().Status != ledger.Running {
		t.Errorf("completed with bytes that were not sealed: %v", err)
	}
}

func TestTheOutputItselfIsNoOtherFile(t *testing.T) {
	s := open(t)
	s.storePlan()
	s.put("outbox/"+id+"/p.csv", updated)
	s.handle(s.drop(id+"/p.csv", products))
	s.completed()
}

// One of the two sealed files may be there, and the other lost.
func TestOneOfTheSealedFilesIsComputedAgain(t *testing.T) {
	whole := open(t)
	whole.storePlan()
	whole.handle(whole.drop(id+"/p.csv", products))
	for _, file := range []string{"outbox/" + id + "/p.csv", "audit/changes/" + id + ".jsonl"} {
		s := open(t)
		s.storePlan()
		event := s.drop(id+"/p.csv", products)
		s.sealAndCrash(event)
		folder, name, _ := strings.Cut(file, "/")
		s.put(file, whole.files(folder)[name])
		s.clock.advance(time.Hour)
		s.handle(event)
		s.completed()
		if changes := "changes/" + id + ".jsonl"; s.files("audit")[changes] != whole.files("audit")[changes] {
			t.Errorf("with %s there the changes are %q", file, s.files("audit")[changes])
		}
	}
}

func TestAnotherPlanThanTheSealedOneFinishesNothing(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	s.sealAndCrash(event)
	s.clock.advance(time.Hour)
	other, err := plan.Decode([]byte(strings.Replace(planJSON, `"value": 10`, `"value": 10.0000001`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	s.Ledger = replanned{s.store, plans.New(other).Record}
	if err := s.Handle(t.Context(), event); err == nil || s.record().Status != ledger.Running {
		t.Errorf("completed by another plan: %v", err)
	}
	s.Ledger = s.store
	s.clock.advance(time.Hour)
	s.handle(event)
	s.completed()
}

// replanned has another plan than the one that was stored.
type replanned struct {
	ledger.Store
	plan plans.Record
}

func (r replanned) Plan(context.Context, string) (plans.Record, error) { return r.plan, nil }

// The changes that are recorded are those that were sealed, also where they fit
// one document and where they do not.
func TestChangesThatWereNotSealedAreNotRecorded(t *testing.T) {
	for _, rows := range []int{2, 1200} {
		t.Run(fmt.Sprintf("%d rows", rows), func(t *testing.T) {
			s := open(t)
			s.storePlan()
			table := "sku,category,price,in_stock\n"
			for row := range rows {
				table += fmt.Sprintf("A%04d,fitness,10.00,true\n", row)
			}
			event := s.drop(id+"/p.csv", table)
			s.Audit = edited{s.audit, "changes/" + id + ".jsonl", `"11.00"`, `"91.00"`}
			if err := s.Handle(t.Context(), event); err == nil || s.record().Status != ledger.Running {
				t.Fatalf("completed with changes that were not sealed: %v", err)
			}
			s.Audit = s.audit
			s.clock.advance(time.Hour)
			s.handle(event)
			changes, err := s.store.Changes(t.Context(), id, paging.Page{})
			if err != nil || *changes.Items[0].After.Price != "11.00" {
				t.Errorf("the first change is %+v, %v", changes.Items[0], err)
			}
		})
	}
}

// edited is a bucket in which a text reads as another of the same length.
type edited struct {
	bucket.Bucket
	name, before, after string
}

func (e edited) Open(ctx context.Context, name string, generation int64) (io.ReadCloser, bucket.Object, error) {
	file, object, err := e.Bucket.Open(ctx, name, generation)
	if err != nil || name != e.name {
		return file, object, err
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	return io.NopCloser(strings.NewReader(strings.Replace(string(text), e.before, e.after, 1))), object, err
}

// A build that computes the sealed output and other changes waits like any
// other.
func TestAnotherBuildsChangesAreNotPublished(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	s.sealAndCrash(event)
	s.clock.advance(time.Hour)
	s.Engine = otherChanges{}
	if err := s.Handle(t.Context(), event); err == nil || s.record().Status != ledger.Running {
		t.Fatalf("another build finished: %v", err)
	}
	if _, exists := s.files("audit")["changes/"+id+".jsonl"]; exists {
		t.Fatal("changes that were not sealed became visible")
	}
	s.Engine = execution.Pricing{}
	s.clock.advance(time.Hour)
	s.handle(event)
	s.completed()
}

// otherChanges is the engine with a line more in its changes.
type otherChanges struct{ execution.Pricing }

func (o otherChanges) Run(ctx context.Context, task execution.Task, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error) {
	summary, err := o.Pricing.Run(ctx, task, in, out, changes...)
	if err == nil {
		_, err = io.WriteString(changes[0], "{}\n")
	}
	return summary, err
}

// trickling hands a table out in small pieces, with something happening before each.
type trickling struct {
	bucket.Bucket
	before func(piece int)
}

func (s trickling) Open(ctx context.Context, name string, generation int64) (io.ReadCloser, bucket.Object, error) {
	file, object, err := s.Bucket.Open(ctx, name, generation)
	return &trickle{file, s.before, 0}, object, err
}

type trickle struct {
	io.ReadCloser
	before func(piece int)
	piece  int
}

func (s *trickle) Read(p []byte) (int, error) {
	s.piece++
	s.before(s.piece)
	return s.ReadCloser.Read(p[:min(len(p), 16)])
}

func TestTheLeaseIsRenewedWhileALongTableIsRead(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	reader, asked := s.executor(), 0
	reader.Inbox = trickling{s.inbox, func(piece int) {
		s.clock.advance(s.Limits.Lease / 2) // the whole takes several leases
		if piece != 5 {
			return
		}
		asked++
		if err := s.Handle(t.Context(), event); errs.KindOf(err) != errs.Unavailable {
			t.Errorf("another delivery got %v, want that it is being worked on", err)
		}
	}}
	if err := reader.Handle(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if done := s.completed(); done.Attempt != 1 || asked != 1 {
		t.Errorf("completed by attempt %d, other deliveries: %d", done.Attempt, asked)
	}
}

// A table that is read in many pieces takes no more writes than one that is read at once.
func TestTheLeaseIsNotRenewedWithoutNeed(t *testing.T) {
	writes := map[bool]int{}
	for _, trickles := range []bool{false, true} {
		s := open(t)
		s.storePlan()
		s.Ledger = counting{s.store, func() { writes[trickles]++ }}
		if trickles {
			s.Inbox = trickling{s.inbox, func(int) {}}
		}
		s.handle(s.drop(id+"/p.csv", products))
	}
	if writes[true] != writes[false] || writes[false] == 0 {
		t.Errorf("records were written %d times, at once %d", writes[true], writes[false])
	}
}

// counting is a store that tells how often a record is written.
type counting struct {
	ledger.Store
	wrote func()
}

func (c counting) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	c.wrote()
	return c.Store.UpdateExecution(ctx, next, with)
}

func TestWhoLostTheExecutionStopsReading(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	loser, pieces := s.executor(), 0
	loser.Inbox = trickling{s.inbox, func(piece int) {
		pieces = piece
		if piece == 3 {
			s.clock.advance(time.Hour)
			s.handle(event)
		}
	}}
	_ = loser.Handle(t.Context(), event) // the upload has its outcome by now, whatever is said
	if pieces != 3 {
		t.Errorf("%d pieces were read; the third was the last that was its own", pieces)
	}
	s.completed()
}

// A long table is told of now and then, and a failure with its code.
func TestWhatIsLogged(t *testing.T) {
	s := open(t)
	s.storePlan()
	var log bytes.Buffer
	s.Log = slog.New(slog.NewJSONHandler(&log, nil))
	s.Inbox = trickling{s.inbox, func(int) {}}
	s.handle(s.drop(id+"/p.csv", broken))
	if text := log.String(); strings.Count(text, `"applying"`) != 1 || strings.Count(text, `"msg":"failed","code":"invalid_csv"`) != 1 {
		t.Error(text)
	}
}

// Each line names the execution, and a refusal or another try its cause.
func TestLinesNameExecutionAndCause(t *testing.T) {
	s := open(t)
	var log bytes.Buffer
	s.Log = logging.New(&log, slog.LevelInfo)
	s.handle(s.drop(id+"/plan.json", "{}"))
	s.storePlan()
	s.Outbox = unwritable{s.outbox}
	if err := s.Handle(t.Context(), s.drop(id+"/p.csv", products)); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("Handle = %v", err)
	}
	text := log.String()
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if !strings.Contains(line, `"execution_id":"`+id+`"`) || !strings.Contains(line, `"object":"`+id+`/p`) {
			t.Errorf("without its execution or object: %s", line)
		}
	}
	for _, want := range []string{`"message":"plan refused","code":"invalid_plan","cause":`, `"message":"will be tried again","cause":"it is full"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
}

// A file that nothing is done with is logged.
func TestAStrayFileIsLogged(t *testing.T) {
	s := open(t)
	var log bytes.Buffer
	s.Log = logging.New(&log, slog.LevelInfo)
	s.handle(s.drop("p.csv", products))
	if !strings.Contains(log.String(), `"a file that is for no execution"`) {
		t.Error(log.String())
	}
}

// unwritable is a bucket that takes nothing.
type unwritable struct{ bucket.Bucket }

func (unwritable) Create(context.Context, string, bucket.CreateOptions) (bucket.Upload, error) {
	return nil, errs.New(errs.Unavailable, "it is full")
}
