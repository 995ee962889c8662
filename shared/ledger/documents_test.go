package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// changesFile is a file of n changes, each with a SKU that repeats every
// other row and is padded to width.
func changesFile(t *testing.T, n, width int) string {
	t.Helper()
	var b strings.Builder
	for i := range n {
		line, err := json.Marshal(Change{
			Row: int64(i + 2), SKU: fmt.Sprintf("%0*d", width, i/2), OperationIDs: []string{"op_01"},
		})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

func documents(t *testing.T, file string) []ChangeDocument {
	t.Helper()
	var all []ChangeDocument
	for d, err := range Documents("plan_test_v1", day, ReadChanges(strings.NewReader(file))) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

func TestDocumentsAreFilledInOrder(t *testing.T) {
	tests := []struct {
		name     string
		n, width int
		want     []int // changes in each document
	}{
		{"none", 0, 4, nil},
		{"one", 1, 4, []int{1}},
		{"exactly full", 500, 4, []int{500}},
		{"one more", 501, 4, []int{500, 1}},
		{"three", 1001, 4, []int{500, 500, 1}},
		{"closed by bytes", 3, 400 << 10, []int{1, 1, 1}},
		{"a change larger than a document", 1, 800 << 10, []int{1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var counts []int
			row := int64(2)
			for i, d := range documents(t, changesFile(t, test.n, test.width)) {
				counts = append(counts, len(d.Changes))
				if d.Number != i || d.ExecutionID != "plan_test_v1" || !d.ExecutedAt.Equal(day) {
					t.Errorf("document %d is %d of %s at %s", i, d.Number, d.ExecutionID, d.ExecutedAt)
				}
				for _, c := range d.Changes {
					if c.Row != row {
						t.Fatalf("row %d where %d belongs", c.Row, row)
					}
					row++
				}
			}
			if diff := cmp.Diff(test.want, counts); diff != "" {
				t.Errorf("changes per document (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDocumentsNameEachSKUOnce(t *testing.T) {
	got := documents(t, changesFile(t, 5, 3))
	if diff := cmp.Diff([]string{"000", "001", "002"}, got[0].SKUs); diff != "" {
		t.Errorf("skus (-want +got):\n%s", diff)
	}
}

func TestDocumentsPassErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	lines := func(yield func(Line, error) bool) {
		_ = yield(Line{Change: Change{Row: 2}, Bytes: 10}, nil) && yield(Line{}, broken)
	}
	var got []error
	for _, err := range Documents("plan_test_v1", day, lines) {
		got = append(got, err)
	}
	if len(got) != 1 || !errors.Is(got[0], broken) {
		t.Errorf("errors = %v, want only %v: nothing of a broken file may be stored", got, broken)
	}
}

func TestReadChangesRefuses(t *testing.T) {
	for name, file := range map[string]string{
		"not JSON":        "{\"row\":2}\nnonsense\n",
		"a broken end":    "{\"row\":2}\n{\"row\":",
		"no last newline": `{"row":2}`,
	} {
		t.Run(name, func(t *testing.T) {
			var last error
			for _, err := range ReadChanges(strings.NewReader(file)) {
				last = err
			}
			if last == nil || errs.Retryable(last) {
				t.Errorf("error = %v, want one that no retry mends", last)
			}
		})
	}
}

func TestListingIsTheFirstChangesThatFit(t *testing.T) {
	tests := []struct {
		name      string
		n, width  int
		want      int
		truncated bool
	}{
		{"all", 10, 4, 10, false},
		{"exactly as many as fit", MaxAuditChanges, 4, MaxAuditChanges, false},
		{"one too many", MaxAuditChanges + 1, 4, MaxAuditChanges, true},
		{"too many bytes with the SKUs", 10, 100 << 10, 1, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var l Listing
			drain(l.Listed(ReadChanges(strings.NewReader(changesFile(t, test.n, test.width)))))
			if len(l.Changes) != test.want || l.Truncated != test.truncated {
				t.Errorf("%d changes, truncated %v; want %d, %v", len(l.Changes), l.Truncated, test.want, test.truncated)
			}
			if want := (test.want + 1) / 2; len(l.SKUs) != want {
				t.Errorf("%d SKUs, want %d", len(l.SKUs), want)
			}
		})
	}
}

func drain(lines iter.Seq2[Line, error]) {
	for range lines {
	}
}

func TestAuditDocumentsNoticeEveryFlippedByte(t *testing.T) {
	message := "row 7, column price"
	d := AuditDocument{
		ExecutionID: "plan_test_v1", Status: Failed, Error: &message, ExecutedAt: day,
		Changes: []Change{{Row: 2, SKU: "A101", OperationIDs: []string{"op_01"}}},
	}.Chained("abc")
	if !d.Intact() {
		t.Fatal("a fresh document is not intact")
	}
	line := d.Line()
	for i := range len(line) - 1 {
		flipped := append([]byte(nil), line...)
		flipped[i] ^= 1
		var read AuditDocument
		if err := json.Unmarshal(flipped, &read); err != nil {
			continue // not even JSON
		}
		if read.Intact() && string(read.Line()) != string(line) {
			t.Errorf("byte %d of %s flipped and not noticed", i, line)
		}
	}
}

func TestAuditDocumentsRoundTrip(t *testing.T) {
	d := AuditDocument{ExecutionID: "plan_test_v1", Status: Completed, ExecutedAt: day, PlanSnapshot: json.RawMessage(`{"a":"<b>"}`)}.Chained("")
	var read AuditDocument
	if err := json.Unmarshal(d.Line(), &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d.Line(), read.Line()); diff != "" || !read.Intact() {
		t.Errorf("the line changed (-want +got):\n%s", diff)
	}
}
