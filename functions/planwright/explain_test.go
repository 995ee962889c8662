package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/planning"
)

func TestMeaningsAreWrittenAsTrees(t *testing.T) {
	word := func(symbol, text string) *planning.Derivation {
		return &planning.Derivation{Symbol: symbol, Text: text}
	}
	read := planning.Understanding{
		Candidates: []planning.Candidate{{
			Sentences: []string{"Increase the price by 10% for products in category yoga."},
			Derivation: &planning.Derivation{Symbol: "clause", Text: "Raise yoga by 10%", Parts: []*planning.Derivation{
				word("verb", "Raise"),
				{Symbol: "target", Text: "yoga", Parts: []*planning.Derivation{word("name", "yoga")}},
				{Symbol: "amount", Text: "by 10%", Parts: []*planning.Derivation{word("by", "by"), word("percent", "10%")}},
			}},
		}},
		Asked: &planning.ClarificationError{Class: "scope", Questions: []string{"Which one?"}},
	}
	const want = `meaning 1 of 1
  Increase the price by 10% for products in category yoga.
  clause "Raise yoga by 10%"
  ├─ verb "Raise"
  ├─ target "yoga"
  │  └─ name "yoga"
  └─ amount "by 10%"
     ├─ by "by"
     └─ percent "10%"
asked      scope
  Which one?
`
	var got strings.Builder
	printMeanings(&got, read)
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An instruction is explained without a plan file, and before the plan or the
// question that comes of it.
func TestPlanExplains(t *testing.T) {
	for _, tc := range []struct {
		instruction string
		code        int
		want        string
	}{
		{"Raise yoga by 10%.", exitDone, "meaning 1 of 1\n"},
		{"Raise yoga by 10.", exitDone, "missing_unit"},
	} {
		code, stdout, stderr := cli(t, "plan", "--instruction", tc.instruction, "--explain")
		if code != tc.code || !strings.Contains(stdout, tc.want) {
			t.Errorf("%s: exit code %d, %s%s, want %d and %q", tc.instruction, code, stdout, stderr, tc.code, tc.want)
		}
	}
	t.Chdir(t.TempDir())
	if code, stdout, stderr := cli(t, "plan", "Raise yoga by 10%."); code != exitDone || !strings.Contains(stdout, "not written: --plan-out") {
		t.Errorf("without --plan-out and --explain: exit code %d, %s%s", code, stdout, stderr)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("without --plan-out there is %v, %v", left, err)
	}
	if code, _, stderr := cli(t, "plan", "raise", "yoga"); code != exitUsage || !strings.Contains(stderr, "quotation marks") {
		t.Errorf("an instruction of two arguments: exit code %d, %s", code, stderr)
	}
}
