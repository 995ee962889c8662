package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// manyValues is how many values of a list are pasted rather than chosen one by one.
const manyValues = 5

// Left counts what a person still has to do to make a draft the right plan: the slots of the
// form that differ from the right rules.
type Left struct {
	Choices int // a value of a list, a scalar, an action, a value, an option: one each
	Wrong   int // of them filled in, with something else than is right
	Unasked int // of those, in slots that the draft does not ask to look at
}

func (l *Left) add(other Left) {
	l.Choices += other.Choices
	l.Wrong += other.Wrong
	l.Unasked += other.Unasked
}

// CountLeft compares a draft's rules with the right ones, pairing them so that the least is
// left. A missing or needless rule is one, and its slots.
func CountLeft(rules []planning.DraftRule, want []plan.Operation) Left {
	pairs := make([][]Left, len(rules)+1)
	for i := range pairs {
		pairs[i] = make([]Left, len(want)+1)
		for k := range pairs[i] {
			var rule *planning.DraftRule
			var right *plan.Operation
			if i < len(rules) {
				rule = &rules[i]
			}
			if k < len(want) {
				right = &want[k]
			}
			pairs[i][k] = between(rule, right)
		}
	}
	return paired(pairs, 0, make([]bool, len(want)))
}

// paired is the least that is left of the rules from one on.
func paired(pairs [][]Left, rule int, used []bool) Left {
	none := len(used)
	if rule == len(pairs)-1 {
		var left Left
		for k := range used {
			if !used[k] {
				left.add(pairs[rule][k])
			}
		}
		return left
	}
	best := Left{Choices: math.MaxInt}
	for _, k := range nearest(pairs[rule], used) {
		with := used
		if k < none {
			with = slices.Clone(used)
			with[k] = true
		}
		left := paired(pairs, rule+1, with)
		left.add(pairs[rule][k])
		if left.Choices < best.Choices || left.Choices == best.Choices && left.Wrong < best.Wrong {
			best = left
		}
	}
	return best
}

// nearest are the right rules that a rule may be paired with, and none: the two with the
// least left, which keeps the work small where there are many.
func nearest(pairs []Left, used []bool) []int {
	var open []int
	for k := range used {
		if !used[k] {
			open = append(open, k)
		}
	}
	slices.SortStableFunc(open, func(a, b int) int { return pairs[a].Choices - pairs[b].Choices })
	const tried = 2
	none := len(used)
	return append(open[:min(tried, len(open))], none)
}

// between is what is left to do of one rule; nil: there is none.
func between(rule *planning.DraftRule, want *plan.Operation) Left {
	has, should := slots(rule), map[planning.Slot]map[string]any{}
	if want != nil {
		right := planning.DraftRule{
			Filter:  want.Filter,
			Action:  planning.DraftOf(want.Action),
			Options: want.Options,
		}
		should = slots(&right)
	}
	var left Left
	for _, slot := range []planning.Slot{planning.SlotFilter, planning.SlotAction, planning.SlotOptions} {
		choices, wrong := differ(has[slot], should[slot])
		left.Choices += choices
		left.Wrong += wrong
		if rule != nil && !rule.Asks(slot) {
			left.Unasked += wrong
		}
	}
	if (rule == nil) != (want == nil) {
		left.Choices++
	}
	return left
}

// slots are the fields of a rule, by its three slots.
func slots(rule *planning.DraftRule) map[planning.Slot]map[string]any {
	all := map[planning.Slot]map[string]any{}
	if rule == nil {
		return all
	}
	filter, options := rule.Filter, rule.Options
	if filter.Categories != nil || filter.SKUs != nil {
		filter.ExcludeCategories = nil // of other categories than it is for
	}
	if options.RoundTo != nil && *options.RoundTo == plan.DefaultRoundTo {
		options.RoundTo = nil // what nobody has to choose
	}
	for slot, part := range map[planning.Slot]any{
		planning.SlotFilter:  filter,
		planning.SlotAction:  rule.Action,
		planning.SlotOptions: options,
	} {
		fields := map[string]any{}
		text, err := json.Marshal(part)
		if err == nil {
			err = json.Unmarshal(text, &fields)
		}
		if err != nil {
			panic("a rule is not JSON: " + err.Error())
		}
		delete(fields, "unit")
		delete(fields, "keep_direction") // which code sets, as the next
		delete(fields, "outside_limits")
		all[slot] = fields
	}
	return all
}

// differ counts the fields that differ, and those of them that are filled in.
func differ(has, should map[string]any) (choices, wrong int) {
	for name, value := range has {
		is, filled := fieldLeft(value, should[name])
		choices += is
		wrong += filled
	}
	for name, value := range should {
		if _, both := has[name]; !both {
			is, _ := fieldLeft(nil, value)
			choices += is
		}
	}
	return choices, wrong
}

// fieldLeft compares one field: a list value by value, but for a long one.
func fieldLeft(has, should any) (choices, wrong int) {
	list, isList := has.([]any)
	right, rightList := should.([]any)
	if !isList && !rightList {
		switch {
		case fmt.Sprint(has) == fmt.Sprint(should):
			return 0, 0
		case has == nil:
			return 1, 0
		}
		return 1, 1
	}
	lacks := func(of []any, v any) bool {
		return !slices.ContainsFunc(of, func(other any) bool { return fmt.Sprint(other) == fmt.Sprint(v) })
	}
	for _, v := range list {
		if lacks(right, v) {
			wrong++
		}
	}
	missing := 0
	for _, v := range right {
		if lacks(list, v) {
			missing++
		}
	}
	if missing > manyValues {
		missing = 1
	}
	return missing + wrong, wrong
}

// Drafter makes drafts of instructions.
type Drafter interface {
	Draft(r planning.DraftRequest) planning.Draft
}

// Drafted is what was left to do of a draft.
type Drafted struct {
	Case  *Case
	Draft planning.Draft
	First Left // as the draft is
	Empty Left // of a form with nothing in it
	After Left // with the best choice of each open part
}

// Draft drafts every case that has a plan which the planner does not make, and counts what
// is left.
func Draft(drafter Drafter, results []*Result) []*Drafted {
	var all []*Drafted
	for _, r := range results {
		if r.Outcome != Overcareful {
			continue
		}
		made := &Drafted{Case: r.Case, Draft: drafter.Draft(planning.DraftRequest{Request: r.Case.Request()})}
		want := r.Case.Want.Operations
		made.First, made.Empty = CountLeft(made.Draft.Operations, want), CountLeft(nil, want)
		made.After = chosen(made.Draft, want)
		all = append(all, made)
	}
	return all
}

// chosen is what is left once a person has pressed the best choice of each open part.
func chosen(d planning.Draft, want []plan.Operation) Left {
	best := CountLeft(d.Operations, want)
	for part := len(d.Open) - 1; part >= 0; part-- {
		next := d
		for choice := range d.Open[part].Choices {
			tried := d.Choose(part, choice)
			if left := CountLeft(tried.Operations, want); left.Choices < best.Choices {
				best, next = left, tried
			}
		}
		if len(next.Open) < len(d.Open) {
			d = next
		} else {
			d = d.Choose(part, -1)
		}
	}
	return best
}

// LeftSum is what is left of several drafts.
type LeftSum struct {
	Drafts             int
	Empty, First, Left int // choices: of an empty form, of the drafts, and once the best choices are pressed
	Done, DoneAfter    int // drafts without a choice left, then
	Wrong, Unasked     int // drafts with a wrong slot, with one that nobody is asked about
}

// SumLeft sums up drafts.
func SumLeft(all []*Drafted) LeftSum {
	sum := LeftSum{Drafts: len(all)}
	count := func(of *int, holds bool) {
		if holds {
			*of++
		}
	}
	for _, d := range all {
		sum.Empty += d.Empty.Choices
		sum.First += d.First.Choices
		sum.Left += d.After.Choices
		count(&sum.Done, d.First.Choices == 0)
		count(&sum.DoneAfter, d.After.Choices == 0)
		count(&sum.Wrong, d.First.Wrong > 0)
		count(&sum.Unasked, d.First.Unasked > 0)
	}
	return sum
}

// MeanChoices is how many choices a draft leaves.
func (s LeftSum) MeanChoices() float64 { return float64(s.First) / float64(max(1, s.Drafts)) }

// Share is the share of the drafts.
func (s LeftSum) Share(drafts int) float64 { return float64(drafts) / float64(max(1, s.Drafts)) }

// Print writes the sum as a Markdown table.
func (s LeftSum) Print(w io.Writer, name string) {
	mean := func(choices int) string {
		return fmt.Sprintf("%.2f", float64(choices)/float64(max(1, s.Drafts)))
	}
	fmt.Fprintf(
		w,
		"| %s, drafts | rows | choices left | with the best press | of an empty form | none left | none after it | wrong somewhere | and not asked |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
		name,
	)
	fmt.Fprintf(
		w,
		"| | %d | %s | %s | %s | %s | %s | %s | %s |\n",
		s.Drafts,
		mean(s.First),
		mean(s.Left),
		mean(s.Empty),
		share(s.Done, s.Drafts),
		share(s.DoneAfter, s.Drafts),
		share(s.Wrong, s.Drafts),
		share(s.Unasked, s.Drafts),
	)
}
