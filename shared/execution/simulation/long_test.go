package simulation

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"iter"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/pricing"
)

// An execution that changes every row of a large table, with the rates of one
// instance in the cloud. Fewer changes are stored at a lower rate, so that the
// deliveries are the same.
var longChanges = flag.Int64("changes", 500_000, "changes of the long execution; 50000000 is that of the README")

const (
	fullChanges    = 50_000_000
	changesStored  = 15_000    // a second: the slower end of what was measured
	bytesRead      = 100 << 20 // a second, of the changes file
	deliveryTime   = 540 * time.Second
	mostDeliveries = 100
)

// TestAnExecutionThatNoDeliveryHasTimeFor delivers an upload with deadlines that
// are each too short until it completes, and then reads every document.
func TestAnExecutionThatNoDeliveryHasTimeFor(t *testing.T) {
	w := newWorld(Mutant{}, 0)
	w.planned("10")
	table := w.upload(onlyID, "p.csv", "every row", nil).event
	long := &longRun{w: w, t: t, changes: *longChanges, scale: float64(*longChanges) / fullChanges}
	x := &execution.Executor{
		Ledger: longStore{w.store, long}, Buckets: execution.Buckets{Inbox: w.inbox, Outbox: w.outbox, Audit: longBucket{w.audit, long}},
		Engine: long, Limits: limits,
		Now: func() time.Time { return w.now }, Log: logging.Discard,
	}
	deliveries := 0
	x.NewHolder = func() string { return fmt.Sprint("delivery ", deliveries) }
	if err := x.Handle(t.Context(), w.uploads[0].event); err != nil {
		t.Fatal(err)
	}
	for {
		deliveries++
		table.Deadline = w.now.Add(deliveryTime)
		err := x.Handle(t.Context(), table)
		t.Logf("delivery %d: %v stored, %v", deliveries, w.store.records[onlyID].Recorded.Documents, err)
		if err == nil {
			break
		}
		if w.now.After(table.Deadline) || deliveries == mostDeliveries {
			t.Fatalf("delivery %d ended %s after its deadline: %v", deliveries, w.now.Sub(table.Deadline), err)
		}
		w.now = w.now.Add(10 * time.Minute)
	}
	long.checkDocuments()
	t.Logf("%d changes were recorded in %d deliveries, of which %d documents twice", long.changes, deliveries, long.stored-len(w.store.changes[onlyID]))
}

// longRun is an engine that changes every row, and what its rates are.
type longRun struct {
	w       *world
	t       *testing.T
	changes int64
	scale   float64
	stored  int // documents, also those stored before
}

// takes lets the time go by that so much takes at a rate a second.
func (l *longRun) takes(amount int, rate float64) {
	l.w.now = l.w.now.Add(time.Duration(float64(amount) / (rate * l.scale) * float64(time.Second)))
}

func (l *longRun) Build() string { return "long" }

func (l *longRun) Run(_ context.Context, _ execution.Task, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error) {
	if _, err := io.Copy(out, in); err != nil {
		return pricing.Summary{}, err
	}
	_, err := io.Copy(io.MultiWriter(changes...), l.file())
	return pricing.Summary{RowsTotal: l.changes, RowsChanged: l.changes}, err
}

// file is the changes file, made as it is read.
func (l *longRun) file() io.Reader { return &madeFile{last: l.changes} }

// longLine is a line of it: what a usual change takes.
const longLine = `{"row":%d,"sku":"SKU-%010d","operation_ids":["op_01"],"before":{"price":"29.99","in_stock":true},"after":{"price":"32.99","in_stock":true}}` + "\n"

type madeFile struct {
	row, last int64
	left      []byte
}

func (f *madeFile) Read(into []byte) (n int, err error) {
	for n < len(into) {
		if len(f.left) == 0 {
			if f.row == f.last {
				break
			}
			f.row++
			f.left = fmt.Appendf(f.left[:0], longLine, f.row+1, f.row)
		}
		copied := copy(into[n:], f.left)
		n, f.left = n+copied, f.left[copied:]
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// longBucket keeps no bytes of the changes file: it can be made again.
type longBucket struct {
	*objects
	long *longRun
}

func (b longBucket) Create(ctx context.Context, name string, options bucket.CreateOptions) (bucket.Upload, error) {
	upload, err := b.objects.Create(ctx, name, options)
	if err != nil || name != "changes/"+onlyID+".jsonl" {
		return upload, err
	}
	return &forgottenUpload{pending: upload.(*pending)}, nil
}

func (b longBucket) Open(ctx context.Context, name string, generation int64) (io.ReadCloser, bucket.Object, error) {
	object, err := b.Stat(ctx, name)
	if err != nil {
		return nil, object, err
	}
	return bucket.Verify(io.NopCloser(&timedReader{b.long.file(), b.long}), object), object, nil
}

type timedReader struct {
	io.Reader
	long *longRun
}

func (r *timedReader) Read(into []byte) (int, error) {
	n, err := r.Reader.Read(into)
	r.long.takes(n, bytesRead)
	return n, err
}

type forgottenUpload struct{ *pending }

func (u *forgottenUpload) Write(data []byte) (int, error) { return u.digest.Write(data) }

func (u *forgottenUpload) Commit() (bucket.Object, error) {
	object, err := u.pending.Commit()
	if err == nil {
		object.Size, object.CRC32C = u.digest.Sum()
		live := u.to.generations[u.name]
		live[len(live)-1].object = object
	}
	return object, err
}

// longStore takes its time to store documents, and keeps nothing of them but
// that they are the right ones.
type longStore struct {
	*store
	long *longRun
}

func (s longStore) PutChanges(ctx context.Context, id string, documents iter.Seq2[changelog.Document, error]) error {
	for document, err := range documents {
		if err != nil {
			return err
		}
		s.long.stored++
		s.long.takes(changelog.MaxDocumentChanges, changesStored)
		if s.changes[id] == nil {
			s.changes[id] = map[int]changelog.Document{}
		}
		document.Changes = s.long.checked(document)
		s.changes[id][document.Number] = document
	}
	return nil
}

// checked compares a document with the rows that belong into it.
func (l *longRun) checked(document changelog.Document) []byte {
	want := []byte{'['}
	first := int64(document.Number) * changelog.MaxDocumentChanges
	for row := first + 1; row <= min(first+changelog.MaxDocumentChanges, l.changes); row++ {
		want = fmt.Appendf(want, longLine, row+1, row)
		want[len(want)-1] = ','
	}
	want[len(want)-1] = ']'
	if !bytes.Equal(want, document.Changes) {
		l.t.Errorf("document %d has other changes", document.Number)
	}
	return nil
}

func (l *longRun) checkDocuments() {
	record := l.w.store.records[onlyID]
	want := int((l.changes + changelog.MaxDocumentChanges - 1) / changelog.MaxDocumentChanges)
	if got := len(l.w.store.changes[onlyID]); got != want || record.Status != ledger.Completed {
		l.t.Errorf("%s with %d documents, want %d", record.Status, got, want)
	}
	for number := range want {
		if _, stored := l.w.store.changes[onlyID][number]; !stored {
			l.t.Errorf("document %d was not stored", number)
		}
	}
}
