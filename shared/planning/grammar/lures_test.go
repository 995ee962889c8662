package grammar_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// Instructions of which a hasty reader drops a word, or reads the opposite. Each
// is a question.
func TestLuresAreQuestions(t *testing.T) {
	for reason, instructions := range map[string][]string{
		"what is left out may end before the last name": {
			"Raise mugs, except A103 and A104, and lamps by 5%",
			"Raise mugs except A103, lamps by 5%",
			"Raise mugs except A103 and lamps except A104 by 5%",
		},
		"less and minus leave out": {
			"Everything less lamps 5% off",
			"Everything 5% off less lamps",
			"Everything 5% off, minus lamps",
			"Take 5% less off lamps",
		},
		"the same is no change, or the same change": {
			"Lower mugs 5%, raise lamps 3%, toys the same",
		},
		"a condition before the first name may end there": {
			"Raise sold-out mugs and all lamps by 5%",
			"Raise the in-stock mugs and the lamps by 5%",
		},
		"only speaks of all others": {
			"Mugs only are in stock",
			"Mugs are in stock only",
			"Just mugs are sold out",
		},
		"one name or two": {
			"Bath - towels 5% off",
			"Home/Garden 5% off",
		},
		"times or prices": {
			"5% off mugs from 5 to 7",
			"5% off mugs between 5 and 7",
		},
		"the change or the price": {
			"Raise $5 mugs",
		},
		"the change of each or of all": {
			"Raise mugs and lamps by $5 in total",
			"Raise lamps twice by 5%",
		},
		"thousands or decimals": {
			"Set mugs to $1.000",
			"Set mugs to $0,500",
		},
		"nothing changes": {
			"Mark mugs as in stock except those that are sold out",
		},
		"what leads by a colon may lead all sentences": {
			"Cap at $50: raise mugs by 5%; raise lamps by 10%.",
			"For in stock items: raise mugs by 5%, toys by 3%. Raise lamps by 10%.",
			"Except A103: raise mugs by 5%. Raise lamps by 10%.",
		},
	} {
		for _, instruction := range instructions {
			draft, err := grammar.Planner{}.Plan(t.Context(), request(instruction))
			var asked *planning.ClarificationError
			if !errors.As(err, &asked) {
				t.Errorf("%s: %q is planned: %v %v", reason, instruction, err, explained(draft))
			}
		}
	}
}

// Instructions beside those above that have one meaning.
func TestLuresThatArePlain(t *testing.T) {
	for instruction, want := range map[string][]string{
		"Unless sold out, raise mugs by 5% and lamps by 3%": {
			"Increase the price by 5% for products in category mugs that are in stock; round to 2 decimals.",
			"Increase the price by 3% for products in category lamps that are in stock; round to 2 decimals.",
		},
		"Except for A103, raise mugs by 5% and lamps by 3%": {
			"Increase the price by 5% for products in category mugs, except SKU A103; round to 2 decimals.",
			"Increase the price by 3% for products in category lamps, except SKU A103; round to 2 decimals.",
		},
		"Raise mugs except lamps by 5%": {
			"Increase the price by 5% for products in category mugs; round to 2 decimals.",
		},
	} {
		draft, err := grammar.Planner{}.Plan(t.Context(), request(instruction))
		if err != nil || !slices.Equal(plan.Explain(draft.Plan), want) {
			t.Errorf("%q: got %v %s, want %s", instruction, err, explained(draft), strings.Join(want, " "))
		}
	}
}

func explained(d planning.Draft) string {
	if d.Plan == nil {
		return ""
	}
	return strings.Join(plan.Explain(d.Plan), " ")
}
