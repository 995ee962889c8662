package changelog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/pricing"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// changesFile is a file of n changes, each with a SKU that repeats every
// other row and is padded to width.
func changesFile(t *testing.T, n, width int) string {
	t.Helper()
	var b strings.Builder
	for i := range n {
		line, err := json.Marshal(pricing.Change{
			Row: int64(i + 2), SKU: fmt.Sprintf("%0*d", width, i/2), OperationIDs: []string{"op_01"},
		})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

func documents(t *testing.T, file string) []Document {
	t.Helper()
	return rest(t, newReader(file))
}

func newReader(file string) *DocumentReader {
	return NewDocumentReader(strings.NewReader(file), "plan_test_v1", day)
}

// rest reads the documents that are left.
func rest(t *testing.T, r *DocumentReader) []Document {
	t.Helper()
	var all []Document
	for d, err := range r.All() {
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
				changes := decoded(t, d)
				counts = append(counts, len(changes))
				if d.Number != i || d.ExecutionID != "plan_test_v1" || !d.ExecutedAt.Equal(day) {
					t.Errorf("document %d is %d of %s at %s", i, d.Number, d.ExecutionID, d.ExecutedAt)
				}
				for _, c := range changes {
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

func decoded(t *testing.T, d Document) []pricing.Change {
	t.Helper()
	var changes []pricing.Change
	if err := json.Unmarshal(d.Changes, &changes); err != nil {
		t.Fatal(err)
	}
	return changes
}

func same(a, b Document) bool { return reflect.DeepEqual(a, b) }

// Reading that begins again where it was interrupted gives the same documents,
// and the same account of them at the end.
func TestDocumentsGoOnAfterThoseThatAreStored(t *testing.T) {
	for name, file := range map[string]string{
		"nothing": "", "one": changesFile(t, 400, 4), "cut by count": changesFile(t, 2300, 4), "cut by bytes": changesFile(t, 9, 300<<10),
	} {
		all := documents(t, file)
		for stored := range len(all) + 1 {
			before := newReader(file)
			for range stored {
				if _, err := before.Next(); err != nil {
					t.Fatal(err)
				}
			}
			after := newReader(file)
			if went, err := after.Skip(before.Recorded()); !went || err != nil {
				t.Fatalf("%s, after %d: %t, %v", name, stored, went, err)
			}
			if rest := rest(t, after); !slices.EqualFunc(all[stored:], rest, same) {
				t.Errorf("%s, after %d: %d other documents than the %d of the whole", name, stored, len(rest), len(all)-stored)
			}
			rest(t, before)
			if diff := cmp.Diff(before.Recorded(), after.Recorded()); diff != "" {
				t.Errorf("%s, after %d, at the end:\n%s", name, stored, diff)
			}
		}
	}
}

// What was stored of other bytes is not gone on after.
func TestDocumentsNoticeThatOtherBytesAreStored(t *testing.T) {
	file := changesFile(t, 1200, 4)
	before := newReader(file)
	if _, err := before.Next(); err != nil {
		t.Fatal(err)
	}
	spoilt := []byte(file)
	spoilt[100] ^= 1
	for name, other := range map[string]string{"a flipped bit": string(spoilt), "a shorter file": file[:1000], "none": ""} {
		if same, err := newReader(other).Skip(before.Recorded()); same || err != nil {
			t.Errorf("%s: %t, %v", name, same, err)
		}
	}
}

func TestDocumentsPassErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	file := io.MultiReader(strings.NewReader(changesFile(t, 3, 4)), iotest.ErrReader(broken))
	var got []error
	for _, err := range NewDocumentReader(file, "plan_test_v1", day).All() {
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
		"no UTF-8":        "{\"row\":2,\"sku\":\"a\xa0b\"}\n",
	} {
		t.Run(name, func(t *testing.T) {
			var last error
			for _, err := range Read(strings.NewReader(file)) {
				last = err
			}
			if last == nil || errs.Retryable(last) {
				t.Errorf("error = %v, want one that no retry mends", last)
			}
			if _, err := List(strings.NewReader(file)); err == nil {
				t.Error("it is listed")
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
		{"exactly as many as fit", MaxListed, 4, MaxListed, false},
		{"one too many", MaxListed + 1, 4, MaxListed, true},
		{"too many bytes with the SKUs", 10, 100 << 10, 1, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := changesFile(t, test.n, test.width)
			r := newReader(file)
			l, err := r.Listing()
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(documents(t, file), rest(t, r), same) {
				t.Error("listing took changes from the documents")
			}
			if len(l.Changes) != test.want || l.Truncated != test.truncated {
				t.Errorf("%d changes, truncated %v; want %d, %v", len(l.Changes), l.Truncated, test.want, test.truncated)
			}
			if want := (test.want + 1) / 2; len(l.SKUs) != want {
				t.Errorf("%d SKUs, want %d", len(l.SKUs), want)
			}
		})
	}
}

// What fills a listing or a document to its last byte is in it, and a byte more is not.
func TestLimitsToTheByte(t *testing.T) {
	line := func(sku string, size int) string {
		without, err := json.Marshal(pricing.Change{Row: 2, SKU: sku, OperationIDs: []string{""}})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(pricing.Change{Row: 2, SKU: sku, OperationIDs: []string{strings.Repeat("x", size-len(without))}})
		if err != nil || len(text) != size {
			t.Fatalf("%d bytes instead of %d, %v", len(text), size, err)
		}
		return string(text) + "\n"
	}
	for over, want := range map[int]int{0: 2, 1: 1} {
		file := line("A101", maxListedBytes/2) + line("A102", maxListedBytes/2-len("A101A102")+over)
		l, err := newReader(file).Listing()
		if err != nil || len(l.Changes) != want || l.Truncated != (want == 1) {
			t.Errorf("%d bytes over: %d changes are listed, truncated %t, %v", over, len(l.Changes), l.Truncated, err)
		}
		file = line("A101", MaxDocumentBytes/2) + line("A102", MaxDocumentBytes/2+over)
		if got := len(documents(t, file)); got != 3-want {
			t.Errorf("%d bytes over make %d documents", over, got)
		}
	}
	broken := errors.New("broken")
	if l, err := List(io.MultiReader(strings.NewReader(line("A101", 200)), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("of a file that cannot be read: %+v, %v", l, err)
	}
}
