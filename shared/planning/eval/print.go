package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/planwright/planwright/shared/plan"
)

// Print writes a report as Markdown tables.
func Print(w io.Writer, name string, r Report) {
	head(w, name)
	row(w, "to plan", r.Planned)
	row(w, "to plan, frozen third", r.FrozenPlans)
	row(w, "to refuse", r.ToRefuse)
	row(w, "to refuse, frozen third", r.FrozenRefuse)
	fmt.Fprintf(w, "\n%d of %d groups of paraphrases got the expected plan throughout.\n", r.GroupsAlike, r.Groups)
}

// PrintHands writes the head of a table of the corpora of other hands.
func PrintHands(w io.Writer) {
	fmt.Fprint(w, "\n| hand | at first sight | wrong then | planned now | wrong now | refused now |\n|---|--:|--:|--:|--:|--:|\n")
}

// PrintHand writes what a corpus was at first sight, and is now.
func PrintHand(w io.Writer, h Hand, r Report) {
	name, first := h.Name, fmt.Sprintf("%d of %d", h.First.Planned, h.First.Plannable)
	if h.Apart {
		name += ", *apart*"
	}
	if h.Voice != "" {
		name += ", " + h.Voice
	}
	now := fmt.Sprintf("%d of %d", r.Planned.Exact+r.Planned.Equivalent, r.Planned.Cases())
	if h.First.Plannable == 0 {
		first, now = "", ""
	}
	fmt.Fprintf(w, "| %s | %s | %d of %d | %s | %d | %d of %d |\n", name, first, h.First.Wrong, h.First.Cases, now,
		r.Planned.Wrong+r.ToRefuse.Wrong, r.ToRefuse.Refused, r.ToRefuse.Cases())
}

func head(w io.Writer, name string) {
	fmt.Fprintf(w, "| %s | cases | exact | equivalent | wrong | asked | no answer | score |\n|---|--:|--:|--:|--:|--:|--:|--:|\n", name)
}

// PrintClasses writes one line for each class of the corpus.
func PrintClasses(w io.Writer, r Report) {
	fmt.Fprintln(w)
	head(w, "class")
	for _, class := range slices.Sorted(maps.Keys(r.ByClass)) {
		row(w, class, r.ByClass[class])
	}
}

func row(w io.Writer, name string, t Tally) {
	good := t.Exact + t.Equivalent + t.Refused
	fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d | %.1f%% |\n", name, t.Cases(), t.Exact, t.Equivalent, t.Wrong, t.Refused+t.Overcareful, t.Failed,
		100*float64(good)/float64(max(1, t.Cases())))
}

// PrintFaults writes every case whose outcome is not the one asked for.
func PrintFaults(w io.Writer, results []*Result) {
	for _, r := range results {
		if r.Good() {
			continue
		}
		fmt.Fprintf(w, "\n%s %s: %q\n", r.Case.ID, r.Outcome, r.Case.Instruction)
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
