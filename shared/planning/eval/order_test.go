package eval_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/eval"
	"github.com/planwright/planwright/shared/planning/reader"
)

// Two names that are joined by "and" have the same said of them: where a plan does
// one thing with the first and another with the second, it must depend on no more
// than which of them is the first, and that is for the person to say. So the list is
// put in place of a name, in both orders, and both plans do the same.
func TestNamesAreReadAlikeInEitherOrder(t *testing.T) {
	cases, err := eval.Load(eval.Own, eval.Open)
	if err != nil {
		t.Fatal(err)
	}
	every := 8
	if testing.Short() {
		every = 100
	}
	cases = eval.Every(every, cases)
	shop := []string{"Mugs", "Tea", "Coffee"}
	for _, instruction := range []string{
		"20% off mugs up to 30 pounds",
		"Mugs in stock and coffee up 5%",
		"Raise mugs under $5 and coffee by 3%",
		"10% off everything. Leave mugs over $20 alone.",
		"In stock: mugs +5%",
		"Mugs are sold out, pls mark out of stock",
		"Mugs are on sale, coffee up 5%",
		"Mugs ran out and coffee goes up 5%",
	} {
		cases = append(cases, &eval.Case{ID: instruction, Instruction: instruction, Categories: shop})
	}
	planned := 0
	for _, c := range cases {
		for name, place := range namedOnce(c) {
			both := joined(t, c, place)
			if both[0] == nil || both[1] == nil {
				continue
			}
			planned++
			if !planning.Same(lowerCased(both[0]), lowerCased(both[1])) {
				t.Errorf("%q: with Quills beside %q, one order is read as\n%s\nand the other as\n%s", c.Instruction, name, string(both[0].Canonical()), string(both[1].Canonical()))
			}
		}
	}
	if t.Logf("%d lists are planned in both orders", planned); planned < len(cases)/4 {
		t.Errorf("of %d instructions no more than %d could be tried", len(cases), planned)
	}
}

// namedOnce are the categories that an instruction names once, outside quotation
// marks, with their places.
func namedOnce(c *eval.Case) map[string][]int {
	names := slices.Clone(c.Categories)
	if len(names) == 0 && c.Want != nil {
		for _, op := range c.Want.Operations {
			names = append(names, op.Filter.Categories...)
		}
	}
	places := map[string][]int{}
	for _, name := range names {
		found := regexp.MustCompile("(?i)(?:^|[^\\w'\"“`-])("+regexp.QuoteMeta(name)+")(?:$|[^\\w'\"”`-])").FindAllStringSubmatchIndex(c.Instruction, -1)
		if len(found) == 1 {
			places[name] = found[0][2:4]
		}
	}
	return places
}

// joined are the plans of an instruction with a list of two names in a name's place;
// nil is a question.
func joined(t *testing.T, c *eval.Case, place []int) (plans [2]*plan.Plan) {
	request := c.Request()
	if len(request.Categories) > 0 {
		request.Categories = append(slices.Clone(request.Categories), "Quills")
	}
	before, name, behind := c.Instruction[:place[0]], c.Instruction[place[0]:place[1]], c.Instruction[place[1]:]
	for i, list := range []string{name + " and Quills", "Quills and " + name} {
		request.Instruction = before + list + behind
		if understood := reader.New().Read(request); understood.Asked == nil {
			plans[i] = &plan.Plan{Operations: understood.Candidates[0].Operations}
		}
	}
	return plans
}

// lowerCased is a plan with its names in lower case: where the shop's are not known they
// are as they were typed.
func lowerCased(p *plan.Plan) *plan.Plan {
	for i := range p.Operations {
		p.Operations[i].Filter.MapNames(func(names []string) []string {
			lower := slices.Clone(names)
			for k := range lower {
				lower[k] = strings.ToLower(lower[k])
			}
			return lower
		})
	}
	return p
}
