package eval

import (
	"fmt"
	"io"

	"github.com/planwright/planwright/shared/plan"
)

// Print writes scores as a Markdown table.
func Print(w io.Writer, name string, scores []*Score) {
	fmt.Fprintf(w, "| %s | to plan | planned | | to refuse | refused | | wrong | no answer |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n", name)
	for _, s := range scores {
		fmt.Fprintf(w, "| %s | %d | %d | %s | %d | %d | %s | %d | %d |\n",
			s.Name, s.ToPlan, s.Planned, share(s.Planned, s.ToPlan), s.ToAsk, s.Asked, share(s.Asked, s.ToAsk), s.Wrong, s.Failed)
	}
}

func share(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}

// PrintFaults writes every case whose outcome is not the one asked for, but for
// the sealed ones: who reads them may learn from them.
func PrintFaults(w io.Writer, results []*Result) {
	for _, r := range results {
		if r.Good() || r.Case.By.File == Sealed {
			continue
		}
		fmt.Fprintf(w, "\n%s/%s %s: %q\n", r.Case.Batch, r.Case.ID, r.Outcome, r.Case.Instruction)
		if r.Got != nil {
			fmt.Fprintf(w, "  got  %v\n", plan.Explain(r.Got))
		} else {
			fmt.Fprintf(w, "  said %v\n", r.Err)
		}
		if r.Case.Want != nil {
			fmt.Fprintf(w, "  want %v\n", plan.Explain(r.Case.Want))
		}
	}
}
