package verify_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/verify"
)

// worded is the engine with a warning of its own, in words of its own.
type worded struct {
	execution.Pricing
	build, words string
}

func (w worded) Build() string { return w.build }

func (w worded) Run(ctx context.Context, task execution.Task, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error) {
	did, err := w.Pricing.Run(ctx, task, in, out, changes...)
	did.Warnings = append(did.Warnings, pricing.Warning{Code: "of_this_test", Rows: 2, Message: w.words})
	return did, err
}

// otherWords replaces the table of words until the test ends.
func otherWords(t *testing.T) {
	t.Helper()
	before, words := notices.Words, map[string]string{}
	for key, text := range before {
		words[key] = "As we say today: " + text
	}
	t.Cleanup(func() { notices.Words = before })
	notices.Words = words
}

// noted returns the faults and the notes of an execution, in order.
func noted(t *testing.T, v verify.Verifier) (faults, notes []string) {
	t.Helper()
	findings, err := v.Verify(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		notes = append(notes, finding.Notes...)
		if finding.Fault != "" {
			faults = append(faults, finding.What+": "+finding.Fault)
		}
	}
	return faults, notes
}

// What was told in other words than today's is proven all the same, and is said
// to differ in words alone; an edit of it is still found.
func TestWordsThatWereChosenAnew(t *testing.T) {
	build := pricing.Build
	s := newShopWith(t, worded{build: build, words: "Two rows are odd."})
	s.Engine = worded{build: build, words: "2 rows look strange."}
	otherWords(t)
	faults, notes := noted(t, s.Verifier)
	printed := strings.Join(notes, "\n")
	if len(faults) > 0 || len(notes) != 3 || !strings.Contains(printed, ".failed-") || !strings.Contains(printed, ".skipped-") || !strings.Contains(printed, "the warnings were written by an older wording") {
		t.Errorf("faults: %q\nnotes: %q", faults, notes)
	}
	s.replace("outbox/*/*.failed-*.txt", "No price", "One price")
	if faults, _ := noted(t, s.Verifier); len(faults) != 1 || !strings.Contains(faults[0], "the notices of") {
		t.Errorf("an edited notice: %q", faults)
	}
}

// A code or an argument is no wording.
func TestAnotherWarningIsFound(t *testing.T) {
	s := newShopWith(t, worded{build: pricing.Build, words: "Two rows are odd."})
	s.Engine = execution.Pricing{}
	if faults, _ := noted(t, s.Verifier); len(faults) != 1 || !strings.Contains(faults[0], "of_this_test") {
		t.Errorf("a warning that nothing gives: %q", faults)
	}
}

// Of what another build of the engine made, and this one cannot make again, it is
// said that only that build can prove it.
func TestAnotherBuildIsNamed(t *testing.T) {
	s := newShopWith(t, worded{build: "of yesterday", words: "Two rows are odd."})
	s.Engine = worded{build: "of today", words: "Two rows are odd."}
	if faults, notes := noted(t, s.Verifier); len(faults) != 0 || len(notes) != 1 || notes[0] != "engine build of yesterday made it; this is build of today" {
		t.Errorf("another build that does the same: %q, %q", faults, notes)
	}
	s.Engine = execution.Pricing{}
	if faults, _ := noted(t, s.Verifier); len(faults) != 1 || !strings.Contains(faults[0], "only that build can prove it") {
		t.Errorf("another build that does something else: %q", faults)
	}
}
