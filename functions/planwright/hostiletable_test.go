package main

import (
	"bufio"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

var heavy = flag.Bool("heavy", false, "hostile tables in full size: a field of 1 GiB, 10,000,000 rows of one SKU, a bomb of 10 GiB")

// size is full with -heavy, and a small part of it otherwise.
func size(full int) int {
	if *heavy {
		return full
	}
	return full / 64
}

func TestHostileTables(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs beside it, and it is slow under the race detector")
	}
	t.Parallel()
	const header = "sku,category,price,in_stock\n"
	for _, test := range []struct {
		name  string
		write func(w io.Writer) error
		code  int
		want  string // in what apply says
	}{
		{"a field of 1 GiB", func(w io.Writer) error {
			return join(w, header, "A,\"", many("x", size(1<<30)), "\",1.00,true\n")
		}, exitFailed, "row 2"},
		{"a quote that never closes", func(w io.Writer) error {
			return join(w, header, "\"", many("A,fitness,1.00,true\n", size(1<<26)))
		}, exitFailed, "row 2"},
		{"one line that never ends", func(w io.Writer) error { return join(w, many("x", size(1<<30))) }, exitFailed, "4 MiB"},
		{"a million columns", func(w io.Writer) error {
			return join(w, strings.TrimSpace(header), many(",c", 1_000_000), "\nA101,fitness,29.99,true", many(",", 1_000_000), "\n")
		}, exitDone, "1 changed"},
		{"a million columns, one of them missing", func(w io.Writer) error {
			return join(w, strings.TrimSpace(header), many(",c", 1_000_000), "\nA101,fitness,29.99,true", many(",", 999_999), "\n")
		}, exitFailed, "row 2"},
		{"10,000,000 rows of one SKU", func(w io.Writer) error { return join(w, header, many("A101,fitness,29.99,true\n", size(10_000_000))) }, exitDone, "changed"},
		{"10,000,000 SKUs", func(w io.Writer) error {
			buffered := bufio.NewWriter(w)
			_, _ = buffered.WriteString(header)
			for i := range size(10_000_000) {
				fmt.Fprintf(buffered, "S%d,fitness,29.99,true\n", i)
			}
			return buffered.Flush()
		}, exitDone, "changed"},
		{"10,000,000 bad rows", func(w io.Writer) error { return join(w, header, many("A101,fitness,cheap,true\n", size(10_000_000))) }, exitFailed, "row 2"},
		{"a bomb of 10 GiB", func(w io.Writer) error {
			bomb := gzip.NewWriter(w)
			if err := join(bomb, many("\x00", size(10<<30))); err != nil {
				return err
			}
			return bomb.Close()
		}, exitFailed, ""},
		{"nothing but line ends", func(w io.Writer) error { return join(w, header, many("\n", size(1<<28))) }, exitFailed, "there are no rows below the header"},
		{"nothing but zeros", func(w io.Writer) error { return join(w, many("\x00", size(1<<30))) }, exitFailed, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t, goodPlan, "")
			file, err := os.Create(d.path("in.csv"))
			if err != nil {
				t.Fatal(err)
			}
			if err := test.write(file); err != nil {
				t.Fatal(err)
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			said, code, peak := runProgram(t, "apply", "--plan", d.path("plan.json"), "--csv", d.path("in.csv"), "--out", d.path("out.csv"),
				"--audit", d.path("logs/audit.jsonl"), "--db", d.path("executions.db"), "--sync=false")
			if code != test.code || !strings.Contains(said, test.want) {
				t.Errorf("exit code %d, want %d and %q:\n%.2000s", code, test.code, test.want, said)
			}
			if len(said) > 64<<10 || peak > mostMemory {
				t.Errorf("said %d bytes and used %d MiB", len(said), peak)
			}
			if _, err := os.Stat(d.path("out.csv")); (err == nil) != (code == exitDone) {
				t.Errorf("exit code %d, and the output: %v", code, err)
			}
			t.Logf("%d MiB at most; said: %.400s", peak, said)
		})
	}
}

// many is n times text, made while it is read.
func many(text string, n int) io.Reader {
	block := strings.Repeat(text, 1+(32<<10)/len(text))
	return io.LimitReader(&repeating{text: block}, int64(n)*int64(len(text)))
}

// repeating reads as a text over and over.
type repeating struct {
	text string
	at   int
}

func (r *repeating) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

// join writes texts and readers one after the other.
func join(w io.Writer, parts ...any) error {
	for _, part := range parts {
		var err error
		switch part := part.(type) {
		case string:
			_, err = io.WriteString(w, part)
		case io.Reader:
			_, err = io.Copy(w, part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
