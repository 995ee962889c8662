package execution_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/pricing"
)

// slow is a store that takes its time for each change document.
type slow struct {
	ledger.Store
	clock  *clock
	takes  time.Duration
	put    map[int]int // how often each document was stored
	begins func()      // nil, or what is done before some are stored
}

func (s *slow) PutChanges(ctx context.Context, id string, documents iter.Seq2[changelog.Document, error]) error {
	if s.begins != nil {
		s.begins()
	}
	return s.Store.PutChanges(ctx, id, func(yield func(changelog.Document, error) bool) {
		for document, err := range documents {
			if err == nil {
				s.put[document.Number]++
				s.clock.advance(s.takes)
			}
			if !yield(document, err) {
				return
			}
		}
	})
}

func TestRecordingGoesOnWhereItStopped(t *testing.T) {
	s := open(t)
	s.storePlan()
	store := &slow{Store: s.store, clock: s.clock, takes: 5 * time.Minute, put: map[int]int{}}
	s.Ledger = store
	var rows strings.Builder
	rows.WriteString("sku,category,price,in_stock\n")
	for row := range 2300 {
		fmt.Fprintf(&rows, "A%d,fitness,29.99,true\n", row)
	}
	event := s.drop(id+"/p.csv", rows.String())
	for delivery := 1; ; delivery++ {
		event.Deadline = s.clock.Now().Add(9 * time.Minute)
		err := s.Handle(t.Context(), event)
		if err == nil {
			break
		}
		if record := s.record(); errs.KindOf(err) != errs.Deadline || record.Recorded.Documents != 2*delivery || record.Timeouts != 0 {
			t.Fatalf("delivery %d: %v; %+v is recorded, %d timeouts", delivery, err, record.Recorded, record.Timeouts)
		}
	}
	for number := range 5 {
		if store.put[number] != 1 {
			t.Errorf("document %d was stored %d times", number, store.put[number])
		}
	}
	if record := s.record(); record.Status != ledger.Completed {
		t.Errorf("the execution is %s", record.Status)
	}
	var found []pricing.Change
	for page := (paging.Page{Size: paging.MaxSize}); ; {
		changes, err := s.store.Changes(t.Context(), id, page)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, changes.Items...)
		if page.Token = changes.NextPageToken; page.Token == "" {
			break
		}
	}
	for i, change := range found {
		if change.Row != int64(i+2) {
			t.Fatalf("change %d is of row %d", i, change.Row)
		}
	}
	if len(found) != 2300 {
		t.Errorf("%d changes are stored, want 2300", len(found))
	}
}

// What is recorded is noted whenever the lease is due.
func TestRecordingIsNoted(t *testing.T) {
	s := open(t)
	s.storePlan()
	var noted []int
	s.Ledger = &slow{Store: s.store, clock: s.clock, takes: s.Limits.Lease / 2, put: map[int]int{}, begins: func() { noted = append(noted, s.record().Recorded.Documents) }}
	s.handle(s.drop(id+"/p.csv", "sku,category,price,in_stock\n"+strings.Repeat("A101,fitness,29.99,true\n", 1300)))
	if want := []int{0, 1, 2, 3}; !slices.Equal(noted, want) {
		t.Errorf("noted as stored: %v, want %v", noted, want)
	}
}

// Where the changes file does not begin with what is noted as stored, all of it is
// stored again.
func TestRecordingBeginsAgainWhereItReadOtherBytes(t *testing.T) {
	s := open(t)
	s.storePlan()
	store := &slow{Store: s.store, clock: s.clock, takes: 5 * time.Minute, put: map[int]int{}}
	s.Ledger = store
	s.Limits.Lease = 24 * time.Hour // what is late is left to the next before that is renewed
	event := s.drop(id+"/p.csv", "sku,category,price,in_stock\n"+strings.Repeat("A101,fitness,29.99,true\n", 1300))
	event.Deadline = s.clock.Now().Add(9 * time.Minute)
	if err := s.Handle(t.Context(), event); errs.KindOf(err) != errs.Deadline || s.record().Recorded.Documents != 2 {
		t.Fatalf("%v; %+v is recorded", err, s.record().Recorded)
	}
	event.Deadline = time.Time{}
	s.Audit = edited{s.audit, "changes/" + id + ".jsonl", `"32.99"`, `"92.99"`}
	if err := s.Handle(t.Context(), event); err == nil || s.record().Status != ledger.Running {
		t.Fatalf("completed with changes that were not sealed: %v", err)
	}
	s.Audit = s.audit
	s.clock.advance(s.Limits.Lease)
	s.handle(event)
	changes, err := s.store.Changes(t.Context(), id, paging.Page{})
	if err != nil || *changes.Items[0].After.Price != "32.99" || store.put[0] != 3 {
		t.Errorf("the first change is %+v, %v; its document was stored %d times", changes.Items[0], err, store.put[0])
	}
}

// What cannot be finished is not begun, and the notice says what to do instead.
func TestTooLargeIsRefusedEarly(t *testing.T) {
	s := open(t)
	s.storePlan()
	s.Limits.TableBytes = int64(len(products)) - 1
	s.Engine = hooked{before: func() { t.Error("the table was read") }}
	event := s.drop(id+"/p.csv", products)
	s.handle(event)
	s.refused(event, "too_large", "planwright-pipeline --runner=dataflow gs://inbox/"+id+"/p.csv\n")

	// The same file goes through elsewhere, as an upload of its own.
	s.Engine = execution.Pricing{}
	s.Computer = s.inRanges(3)
	event.ReadGeneration, event.Generation = event.Generation, event.Generation+1
	s.handle(event)
	s.completed()
}

// changing says that more rows were changed than can be recorded.
type changing struct{ execution.Pricing }

func (c changing) Run(ctx context.Context, task execution.Task, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error) {
	summary, err := c.Pricing.Run(ctx, task, in, out, changes...)
	summary.RowsChanged = changelog.MaxDocuments * changelog.MaxDocumentChanges
	return summary, err
}

func TestTooManyChangesAreNotSealed(t *testing.T) {
	s := open(t)
	s.storePlan()
	s.Engine = changing{}
	event := s.drop(id+"/p.csv", products)
	s.handle(event)
	s.refused(event, "too_many_changes", "500000000 rows")
}

// refused fails unless the upload failed for a reason that its notice tells.
func (s *shop) refused(event execution.Event, code, text string) {
	s.t.Helper()
	if record := s.record(); record.Status != ledger.Failed || record.Error.Code != code || record.Seal != nil {
		s.t.Errorf("status %s, error %+v; want failed, %s", record.Status, record.Error, code)
	}
	notice := s.files("outbox")[fmt.Sprintf("%s/p.csv.failed-%d.txt", id, event.Generation)]
	if !strings.Contains(notice, text) || !strings.Contains(notice, "planwright apply") {
		s.t.Errorf("the notice does not say %q:\n%s", text, notice)
	}
}
