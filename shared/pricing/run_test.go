package pricing

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/scan"
)

// repeated reads a header and then the same rows n times.
func repeated(rows string, n int) io.Reader {
	readers := []io.Reader{strings.NewReader(header)}
	for range n {
		readers = append(readers, strings.NewReader(rows))
	}
	return io.MultiReader(readers...)
}

var someRows = strings.Repeat("A101,fitness,29.99,true\nB201,yoga,19.99,false\nC301,accessories,9.99,true\n", 10_000)

// TestMemory reads sixteen times as much with no more allocated in all: what
// a run needs does not depend on the table's size.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs beside it, and it is slow under the race detector")
	}
	e := compile(t, table.Settings{}, tenPercent())
	allocated := func(n int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := e.Run(t.Context(), repeated(someRows, n), io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	small, large := allocated(4), allocated(64)
	if large > small+small/2 || large > 24<<20 {
		t.Errorf("%d bytes allocated for 3 MB, %d for 48 MB", small, large)
	}
}

// TestRowsAllocateNothing runs over a table twice as long, which takes no more.
func TestRowsAllocateNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("counts allocations, and the race detector makes more")
	}
	for name, all := range map[string]bool{"one in three changes": false, "every row changes": true} {
		operation := tenPercent()
		if all {
			operation.Filter.Categories, operation.Filter.InStock = nil, nil
		}
		e := compile(t, table.Settings{}, operation)
		e.load.Workers = 1
		text, rows := tableOf("sku,category,price,in_stock", narrowRow)
		longer := text + text[strings.IndexByte(text, '\n')+1:]
		allocations := func(text string) float64 {
			return testing.AllocsPerRun(3, func() {
				if _, err := e.Run(t.Context(), strings.NewReader(text), io.Discard, io.Discard); err != nil {
					t.Fatal(err)
				}
			})
		}
		if more := allocations(longer) - allocations(text); more > float64(rows)/500 { // for blocks: some 4,600 rows each
			t.Errorf("%s: %g allocations for %d more rows", name, more, rows)
		}
	}
}

// TestLargeBlocks reads blocks that are larger than a record may be.
func TestLargeBlocks(t *testing.T) {
	summary, err := compile(t, table.Settings{}, tenPercent()).WithBlocks(2*scan.MaxRecordBytes, 1).Run(t.Context(), repeated(someRows, 8), io.Discard, io.Discard)
	if err != nil || summary.RowsTotal != 8*30_000 {
		t.Errorf("%d rows, %v", summary.RowsTotal, err)
	}
}

// TestSeveralChangesFiles gives each of several writers the lines, block after
// block, however many workers there are.
func TestSeveralChangesFiles(t *testing.T) {
	e := compile(t, table.Settings{}, tenPercent())
	var alone, first, second bytes.Buffer
	if _, err := e.Run(t.Context(), repeated(someRows, 1), io.Discard, &alone); err != nil {
		t.Fatal(err)
	}
	if _, err := e.WithBlocks(100, 4).Run(t.Context(), repeated(someRows, 1), io.Discard, &first, &second); err != nil {
		t.Fatal(err)
	}
	if alone.Len() == 0 || !bytes.Equal(first.Bytes(), alone.Bytes()) || !bytes.Equal(second.Bytes(), alone.Bytes()) {
		t.Errorf("writers got %d and %d bytes, want the same %d", first.Len(), second.Len(), alone.Len())
	}
}

// TestCancel cancels a run at its tenth read: it ends with the context's
// error, and without reading on.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reads := 0
	in := readerFunc(func(p []byte) (int, error) {
		if reads++; reads == 10 {
			cancel()
		}
		return copy(p, "A101,fitness,29.99,true\n"), nil
	})
	e := compile(t, table.Settings{}, tenPercent())
	e.load.ReadBytes = 64
	_, err := e.Run(ctx, io.MultiReader(strings.NewReader(header), in), io.Discard, io.Discard)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Run: %v", err)
	}
	if reads > 30 {
		t.Errorf("%d reads", reads)
	}
}

// TestCancelDiagnosis cancels while faults are gathered from a table without end.
func TestCancelDiagnosis(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reads := 0
	in := readerFunc(func(p []byte) (int, error) {
		if reads++; reads == 5000 {
			cancel()
		}
		return copy(p, "A101,fitness,ten,true\n"), nil
	})
	_, err := compile(t, table.Settings{}, tenPercent()).Run(ctx, io.MultiReader(strings.NewReader(header), in), io.Discard, io.Discard)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Run: %v", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestErrorsOfOthers: what the reader or a writer says is returned as it is.
func TestErrorsOfOthers(t *testing.T) {
	e := compile(t, table.Settings{}, tenPercent())
	e.load.ReadBytes = 4096
	broken := errors.New("broken")
	failing := writerFunc(func([]byte) (int, error) { return 0, broken })
	short := writerFunc(func(p []byte) (int, error) { return len(p) - 1, nil })
	truncated := io.MultiReader(repeated(someRows, 1), iotest.ErrReader(io.ErrUnexpectedEOF))
	idle := readerFunc(func([]byte) (int, error) { return 0, nil })
	for _, test := range []struct {
		name         string
		in           io.Reader
		out, changes io.Writer
		want         error
	}{
		{"reader", io.MultiReader(repeated(someRows, 1), iotest.ErrReader(broken)), io.Discard, io.Discard, broken},
		{"reader at once", iotest.ErrReader(broken), io.Discard, io.Discard, broken},
		{"body cut off", truncated, io.Discard, io.Discard, io.ErrUnexpectedEOF},
		{"reader after a fault", io.MultiReader(repeated("A,b,c,d\n", 1), iotest.ErrReader(broken)), io.Discard, io.Discard, broken},
		{"reader that gives nothing", idle, io.Discard, io.Discard, io.ErrNoProgress},
		{"output", repeated(someRows, 1), failing, io.Discard, broken},
		{"changes", repeated(someRows, 1), io.Discard, failing, broken},
		{"output of a small table", strings.NewReader(header + "A101,fitness,29.99,true\n"), failing, io.Discard, broken},
		{"changes of a small table", strings.NewReader(header + "A101,fitness,29.99,true\n"), io.Discard, failing, broken},
		{"short write", repeated(someRows, 1), short, io.Discard, io.ErrShortWrite},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := e.Run(t.Context(), test.in, test.out, test.changes); !errors.Is(err, test.want) {
				t.Errorf("Run: %v, want %v", err, test.want)
			}
		})
	}
}

// TestSharedEngine runs one engine many times at once.
func TestSharedEngine(t *testing.T) {
	e := compile(t, table.Settings{}, tenPercent())
	e.load.ReadBytes = 1000
	want := runTable(t, e, header+someRows)
	var runs sync.WaitGroup
	for range 4 {
		runs.Go(func() {
			var out, changes bytes.Buffer
			summary, err := e.Run(t.Context(), repeated(someRows, 1), &out, &changes)
			summary.Table, summary.Warnings, summary.Figures, summary.Effect = table.Recognized{}, nil, Figures{}, Effect{}
			if err != nil {
				t.Error(err)
			} else if got := (result{out.String(), changes.String(), summary}); got.Out != want.Out || got.Changes != want.Changes || !cmp.Equal(got.Summary, want.Summary) {
				t.Error("another result than alone")
			}
		})
	}
	runs.Wait()
}
