package grammar_test

import (
	"errors"
	"testing"

	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// What judges products is no name of a category, unless it is written as one.
func TestJudgementsAreNoNames(t *testing.T) {
	for instruction, vague := range map[string]bool{
		"We would like the nicer-looking cushions to cost $3 more": true,
		"Raise the prettier mugs by 5%":                            true,
		"Our finest teas go up by 5%":                              true,
		"Lower the lesser-known wines by 5%":                       true,
		"Slow-selling rugs: 10% off":                               true,
		"Raise older-style lamps by 5%":                            true,
		"Mark the hard-to-find records as out of stock":            true,
		"Take 5% off well reviewed toasters":                       true,
		"Lower the bulkier items by 5%":                            true,
		"Raise everything except the larger-sized shirts by 5%":    true,

		"Raise Dave's items by 5%":       true,
		"Mark the ugly ones as sold out": true,

		"Raise Finest Teas by 5%":         false,
		"Raise all men's items by 5%":     false,
		`Raise "nicer cushions" by 5%`:    false,
		"Lower lighter fluid by 5%":       false,
		"Raise cooler bags by 5%":         false,
		"Lower ready-made curtains by 5%": false,
		"Raise chest freezers by 5%":      false,
		"Raise forest honey by 5%":        false,
	} {
		draft, err := grammar.Planner{}.Plan(t.Context(), request(instruction))
		var asked *planning.ClarificationError
		if vague && (!errors.As(err, &asked) || asked.Class != "vague_target") || !vague && err != nil {
			t.Errorf("%q: got %v, %s, want a question %v", instruction, err, explained(draft), vague)
		}
	}
}
