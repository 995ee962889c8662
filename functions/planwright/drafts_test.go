package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/reader"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/tablestore"
)

// draftOf is the draft of a sentence over a table of testdata/drafts, on a Thursday in Berlin.
func draftOf(t *testing.T, file, said string) planning.Draft {
	t.Helper()
	open := func() (io.ReadCloser, error) { return os.Open(testdata("drafts/" + file)) }
	in, err := open()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	found, err := overview.Read(t.Context(), in, table.Settings{}, overview.NewInstruction(said), table.UsualWorkload())
	if err != nil {
		t.Fatal(err)
	}
	names := tablestore.Names(found)
	names.SameHere = func(a, b []plan.Operation) bool {
		return pricing.SameResult(t.Context(), open, table.Settings{}, a, b)
	}
	names.CountRows = func(filters []plan.Filter) []int64 {
		return pricing.CountRows(t.Context(), open, table.Settings{}, filters)
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	thursday := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	request := planning.Request{Instruction: said, Names: names, CreatedAt: thursday, Zone: berlin}
	return reader.New().Draft(planning.DraftRequest{Request: request})
}

// shownDraft is a draft as a person reads it.
func shownDraft(t *testing.T, d planning.Draft) string {
	t.Helper()
	var b strings.Builder
	written := func(of any) string {
		text, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for i, rule := range d.Operations {
		fmt.Fprintf(&b, "  %d. %s %s %s", i+1, written(rule.Filter), written(rule.Action), written(rule.Options))
		for _, ask := range rule.Ask {
			fmt.Fprintf(&b, " ?%s", ask.Slot)
		}
		b.WriteByte('\n')
	}
	for _, part := range d.Open {
		quiet := ""
		if part.Quiet {
			quiet = " quietly"
		}
		fmt.Fprintf(&b, "  open%s, %s: %q\n", quiet, part.Class, part.Text)
		for _, choice := range part.Choices {
			fmt.Fprintf(&b, "     - %s", choice.Label)
			if choice.Rows != nil {
				fmt.Fprintf(&b, " [%d rows]", *choice.Rows)
			}
			b.WriteByte('\n')
		}
	}
	if d.ApplyAt+d.RevertAt != "" {
		fmt.Fprintf(&b, "  from %q until %q\n", d.ApplyAt, d.RevertAt)
	}
	if d.Complete {
		b.WriteString("  complete\n")
	}
	return b.String()
}

// TestDraftsOfSentences drafts the sentences of testdata/drafts/sentences.txt over the table that
// stands before each, and compares the drafts with those that stand there. A sentence may have
// several lines, with // between them.
func TestDraftsOfSentences(t *testing.T) {
	file := testdata("drafts/sentences.txt")
	is := read(t, file)
	var b strings.Builder
	over := ""
	for line := range strings.Lines(is) {
		line = strings.TrimSuffix(line, "\n")
		said, isSentence := strings.CutPrefix(line, "> ")
		switch name, isTable := strings.CutPrefix(line, "# "); {
		case isTable:
			over = name
			fmt.Fprintf(&b, "# %s\n", over)
		case isSentence:
			d := draftOf(t, over, strings.ReplaceAll(said, " // ", "\n"))
			fmt.Fprintf(&b, "> %s\n%s\n", said, shownDraft(t, d))
			checkPresses(t, said, d)
		}
	}
	if *updateGolden {
		write(t, file, b.String())
	} else if diff := cmp.Diff(strings.Split(is, "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("-is +drafted:\n%s", diff)
	}
}

// checkPresses checks that few presses settle a draft, and that it has a rule or says that nothing
// was understood.
func checkPresses(t *testing.T, said string, d planning.Draft) {
	t.Helper()
	const most = 4
	presses := 0
	for _, part := range d.Open {
		if !part.Quiet {
			presses++
		}
	}
	if presses > most || len(d.Operations) == 0 && presses == 0 {
		t.Errorf("%q leaves %d parts open, beside %d rules", said, presses, len(d.Operations))
	}
}

func TestAnInstructionMayBeginWithADash(t *testing.T) {
	for _, args := range [][]string{
		{"plan", "- Creatine: 1099\n- Omega 3: 899", "--csv", testdata("drafts/supplements.csv")},
		{"plan", "--csv", testdata("drafts/supplements.csv"), "--instruction", "- Creatine: 1099\n- Omega 3: 899"},
	} {
		code, _, stderr := cli(t, append(args, "--db", t.TempDir()+"/a.db")...)
		if code != exitAsks || !strings.Contains(stderr, "Set the price to 1099") || !strings.Contains(stderr, "Set the price to 899") {
			t.Errorf("%q: exit code %d\n%s", args, code, stderr)
		}
	}
}
