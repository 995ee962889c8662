package console

import (
	"fmt"
	"strings"

	"github.com/planwright/planwright/shared/pricing"
)

// maxFacts is how many facts of one kind a page tells.
const maxFacts = 20

// firstFacts are the first of many facts, and how many more there are.
func firstFacts(facts []string, more string) []string {
	if len(facts) <= maxFacts {
		return facts
	}
	rest := int64(len(facts) - maxFacts)
	return append(facts[:maxFacts:maxFacts], count(rest)+" "+more)
}

func exceptionText(e pricing.Exception) string {
	names := shown(strings.Join(e.Names, ", "))
	if e.More > 0 {
		names += fmt.Sprintf(" and %s more", count(int64(e.More)))
	}
	return fmt.Sprintf("“%s: %s” takes out %s.", labelOf(e.Condition, e.Column, true), names, ofProducts(e.Rows))
}

// labelOf is what the page calls a condition: one on another column by its title.
func labelOf(name, title string, excepts bool) string {
	switch {
	case title == "":
		return conditionLabel(name)
	case excepts:
		return "except " + shown(title)
	}
	return shown(title)
}

// emptiedText says which condition keeps a rule from being for anything.
func emptiedText(conditions []pricing.Emptying) string {
	text := "no product fits."
	for _, by := range conditions {
		label := labelOf(by.Condition, by.Column, false)
		switch {
		case by.RowsWithout > 0:
			text += fmt.Sprintf(" Without “%s”, %s would.", label, ofProducts(by.RowsWithout))
		case by.RowsAlone == 0:
			text += fmt.Sprintf(" Nothing fits “%s” alone.", label)
		}
	}
	return text
}

// overlapText says what two rules, by their numbers, have in common.
func overlapText(shared pricing.Overlap, first, second int) string {
	text := fmt.Sprintf("Rules %d and %d are both for %s. They are changed by both, in this order.", first, second, ofProducts(shared.Rows))
	if len(shared.Samples) > 0 {
		s := shared.Samples[0]
		text += fmt.Sprintf(" %s: %s, by rule %d alone %s, by rule %d alone %s, by both %s.", shown(s.SKU), s.Before, first, s.First, second, s.Second, s.Both)
	}
	return text
}
