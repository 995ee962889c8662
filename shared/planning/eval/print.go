package eval

import (
	"errors"
	"fmt"
	"io"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// Print writes scores as a Markdown table.
func Print(w io.Writer, name string, scores []*Score) {
	fmt.Fprintf(w, "| %s | to plan | planned | | offered | to refuse | refused | | wrong | no answer |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", name)
	for _, s := range scores {
		fmt.Fprintf(w, "| %s | %d | %d | %s | %d | %d | %d | %s | %d | %d |\n",
			s.Name, s.ToPlan, s.Planned, share(s.Planned, s.ToPlan), s.Offered, s.ToAsk, s.Asked, share(s.Asked, s.ToAsk), s.Wrong, s.Failed)
	}
}

func share(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}

// PrintRows writes what was made of each case, a line each: the outcome, whether the
// expected plan was offered first, and what was answered.
func PrintRows(w io.Writer, results []*Result) {
	for _, r := range results {
		outcome := string(r.Outcome)
		if r.Offered {
			outcome += ", offered first"
		}
		fmt.Fprintf(w, "%s %s: %s: %q %q\n", r.Case.ID, r.Case.Class, outcome, r.Case.Instruction, r.Case.Categories)
		var asked *planning.ClarificationError
		switch {
		case r.Got != nil:
			fmt.Fprintf(w, "  planned %v\n", plan.Explain(r.Got))
		case errors.As(r.Err, &asked):
			fmt.Fprintf(w, "  asked   %s: %v\n", asked.Class, asked.Questions)
			for _, reading := range asked.Readings {
				fmt.Fprintf(w, "  reading %v, leaves out %q, %v\n", reading.Sentences, reading.LeavesOut, reading.Assumes)
			}
		}
		if r.Case.Want != nil && !r.Good() {
			fmt.Fprintf(w, "  wanted  %v\n", plan.Explain(r.Case.Want))
		}
		if r.Case.WantOffer != nil && !r.Offered {
			fmt.Fprintf(w, "  offer   %v\n", plan.Explain(r.Case.WantOffer))
		}
	}
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
