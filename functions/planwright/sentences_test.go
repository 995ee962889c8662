package main

import (
	"encoding/csv"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSentencesOnExports says what people say of sales, brands, tags and names to
// tables as platforms export them, by the command and without a flag. What becomes
// of which cell stands in sentences.tsv beside each table: it was read from the table
// by a program of another language, which was written from what the platforms say of
// their exports and knows nothing of this one.
func TestSentencesOnExports(t *testing.T) {
	files, err := filepath.Glob(testdata("exports/*/sentences.tsv"))
	if err != nil || len(files) < 7 {
		t.Fatalf("only %d exports have sentences: %v", len(files), err)
	}
	for _, file := range files {
		folder := filepath.Dir(file)
		table, err := filepath.Glob(filepath.Join(folder, "*.[ct]sv"))
		table = slices.DeleteFunc(table, func(path string) bool { return path == file })
		if err != nil || len(table) != 1 {
			t.Fatalf("%s has %q: %v", folder, table, err)
		}
		wanted := wantedCells(t, file)
		for _, sentence := range slices.Sorted(maps.Keys(wanted)) {
			t.Run(filepath.Base(folder)+"/"+sentence, func(t *testing.T) {
				t.Parallel()
				end := ""
				if what, sold := strings.CutSuffix(strings.TrimPrefix(sentence, "Put "), " on sale at 20% off"); sold && len(wanted["End the sale on "+what]) == 0 {
					end = "End the sale on " + what
				}
				saysTo(t, sentence, end, table[0], wanted[sentence])
			})
		}
	}
}

// cell is one of a table: its row, the header being row 1, and its column's title.
type cell struct {
	Row    int
	Column string
}

// wantedCells reads what each sentence of a file makes of which cells.
func wantedCells(t *testing.T, file string) map[string]map[cell]string {
	t.Helper()
	wanted := map[string]map[cell]string{}
	for _, line := range strings.Split(strings.TrimSuffix(read(t, file), "\n"), "\n")[1:] {
		field := strings.Split(line, "\t")
		if wanted[field[0]] == nil {
			wanted[field[0]] = map[cell]string{}
		}
		if field[1] == "" { // it changes nothing
			continue
		}
		c := cell{Column: field[2]}
		if _, err := fmt.Sscan(field[1], &c.Row); err != nil {
			t.Fatalf("%s: %q: %v", file, line, err)
		}
		wanted[field[0]][c] = field[3]
	}
	return wanted
}

// saysTo carries a sentence out on a table, at once and by way of a plan file, and
// undoes it. Where nothing that it puts on sale was, the end of the sale gives the
// table back too.
func saysTo(t *testing.T, sentence, end, table string, want map[cell]string) {
	dir, ext := t.TempDir(), filepath.Ext(table)
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(args ...string) string {
		t.Helper()
		code, stdout, stderr := cli(t, append(args, "--sync=false")...)
		if code != exitDone {
			t.Fatalf("%q: exit code %d\n%s%s", args, code, stdout, stderr)
		}
		return stdout
	}
	before := read(t, table)

	must("apply", "--instruction", sentence, "--yes", "--csv", table, "--out", at("out"+ext), "--audit", at("audit.jsonl"), "--db", at("a.db"))
	got := changedCells(t, before, read(t, at("out"+ext)), ext)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("other cells became something (-want +got):\n%s", diff)
	}

	id := auditLines(t, at("audit.jsonl"))[0].ExecutionID
	must("undo", id, "--csv", at("out"+ext), "--out", at("back"+ext), "--audit", at("audit.jsonl"), "--db", at("a.db"))
	if back := read(t, at("back"+ext)); back != before {
		t.Errorf("it was undone, and left\n%s", back)
	}
	if end != "" {
		must("apply", "--instruction", end, "--yes", "--csv", at("out"+ext), "--out", at("ended"+ext), "--audit", at("audit.jsonl"), "--db", at("a.db"))
		ended := strings.ReplaceAll(read(t, at("ended"+ext)), "__EMPTY__VALUE__", "") // what Magento takes for none
		if ended != before {
			t.Errorf("the sale was ended, and left\n%s", ended)
		}
	}

	if code, stdout, stderr := cli(t, "plan", "--instruction", sentence, "--csv", table, "--plan-out", at("plan.json"), "--db", at("b.db")); code != exitDone {
		t.Fatalf("no plan: exit code %d\n%s%s", code, stdout, stderr)
	}
	must("apply", "--plan", at("plan.json"), "--csv", table, "--out", at("planned"+ext), "--audit", at("b.jsonl"), "--db", at("b.db"))
	if read(t, at("planned"+ext)) != read(t, at("out"+ext)) {
		t.Error("by way of a plan file the table became another")
	}
}

// changedCells returns the cells in which two tables differ, as they are in the second.
func changedCells(t *testing.T, before, after, ext string) map[cell]string {
	t.Helper()
	records := func(text string) [][]string {
		r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
		r.FieldsPerRecord = -1
		if ext == ".tsv" {
			r.Comma = '\t'
		}
		all, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	were, are := records(before), records(after)
	if len(were) != len(are) {
		t.Fatalf("%d rows became %d", len(were), len(are))
	}
	changed := map[cell]string{}
	for i, row := range were {
		if len(row) != len(are[i]) {
			t.Fatalf("row %d has %d fields and had %d", i+1, len(are[i]), len(row))
		}
		for k, was := range row {
			if is := are[i][k]; is != was {
				changed[cell{i + 1, were[0][k]}] = is
			}
		}
	}
	return changed
}
