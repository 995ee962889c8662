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
	fmt.Fprintf(
		w,
		"| %s | to plan | planned | | filled in | to refuse | refused | | wrong | no answer |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
		name,
	)
	for _, s := range scores {
		fmt.Fprintf(
			w,
			"| %s | %d | %d | %s | %d | %d | %d | %s | %d | %d |\n",
			s.Name,
			s.ToPlan,
			s.Planned,
			share(s.Planned, s.ToPlan),
			s.Filled,
			s.ToAsk,
			s.Asked,
			share(s.Asked, s.ToAsk),
			s.Wrong,
			s.Failed,
		)
	}
}

func share(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}

// PrintRows writes what was made of each case, a line each: the outcome, whether the
// draft has the expected plan's rules, and what was answered.
func PrintRows(w io.Writer, results []*Result) {
	for _, r := range results {
		outcome := string(r.Outcome)
		if r.Filled {
			outcome += ", filled in"
		}
		fmt.Fprintf(
			w,
			"%s %s: %s: %q %q\n",
			r.Case.ID,
			r.Case.Class,
			outcome,
			r.Case.Instruction,
			r.Case.Categories,
		)
		var asked *planning.ClarificationError
		switch {
		case r.Got != nil:
			fmt.Fprintf(w, "  planned %v\n", plan.Explain(r.Got))
		case errors.As(r.Err, &asked):
			fmt.Fprintf(w, "  asked   %s: %v\n", asked.Class, asked.Questions)
			printDraft(w, asked.Draft)
		}
		if r.Case.Want != nil && !r.good() {
			fmt.Fprintf(w, "  wanted  %v\n", plan.Explain(r.Case.Want))
		}
		if r.Case.WantOffer != nil && !r.Filled {
			fmt.Fprintf(w, "  offer   %v\n", plan.Explain(r.Case.WantOffer))
		}
	}
}

// printDraft writes the rules of a draft and what is open.
func printDraft(w io.Writer, d *planning.Draft) {
	if d == nil {
		return
	}
	for i := range d.Operations {
		fmt.Fprintf(w, "  rule    %s %v\n", d.Operations[i].Sentence(), d.Operations[i].Ask)
	}
	for _, part := range d.Open {
		fmt.Fprintf(w, "  open    %s: %q\n", part.Class, part.Text)
	}
}

// PrintFaults writes every case whose outcome is not the one asked for, but for
// the sealed ones: who reads them may learn from them.
func PrintFaults(w io.Writer, results []*Result) {
	for _, r := range results {
		if r.good() || r.Case.By.File == Sealed {
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
