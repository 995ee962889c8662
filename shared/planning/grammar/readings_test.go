package grammar

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/eval"
)

func TestReadings(t *testing.T) {
	for _, tc := range []struct {
		name, instruction string
		want              []string
	}{
		{"no unit", "Increase prices by 10", []string{"Increase prices by 10%", "Increase prices by $10"}},
		{"no direction", "Change mugs by 5%", []string{"Change mugs by +5%", "Change mugs by -5%"}},
		{"neither", "Change mugs by five", []string{"Change mugs by +5%", "Change mugs by -5%", "Change mugs by +$5", "Change mugs by -$5"}},
		{"no word for it", "mugs 15", []string{"mugs +15%", "mugs +$15", "mugs -15%", "mugs -$15", "mugs to $15"}},
		{"two rules", "Raise mugs by 10 and hats by 5", []string{"Raise mugs by 10% and hats by 5%", "Raise mugs by $10 and hats by $5"}},
		{"another currency", "Raise mugs by 5, never above €30", []string{"Raise mugs by 5%, never above €30", "Raise mugs by €5, never above €30"}},
		{"a decrease of 150% is none", "Cut mugs by 150", nil},
		{"another question", "Raise the premium ones by 10", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Planner{}.Plan(t.Context(), planning.Request{Instruction: tc.instruction, ExecutionID: "plan_test_v1"})
			var asked *planning.ClarificationError
			if !errors.As(err, &asked) {
				t.Fatalf("Plan() = %v, want a question", err)
			}
			var got []string
			for _, r := range asked.Readings {
				got = append(got, r.Instruction)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("readings (-want +got):\n%s", diff)
			}
		})
	}
}

// A word of the vocabulary can be part of a category's name, and a verb that is
// taken out of a name leaves another category.
func TestNamesKeepTheirWords(t *testing.T) {
	for instruction, want := range map[string]string{
		"Raise running shoes by 5%":                       "running shoes",
		"Take 5% off cutting boards":                      "cutting boards",
		"Lower the price of hiking boots by $5":           "hiking boots",
		"Running shoes: 5% off":                           "Running shoes",
		"Raise gift sets by $2":                           "gift sets",
		"Gift sets are sold out":                          "gift sets",
		"Raise cough drops by 5%":                         "cough drops",
		"Raise place mats by 5%":                          "place mats",
		"Set cut flowers to $5":                           "cut flowers",
		"Raise push-up bars by 5%":                        "push-up bars",
		"Raise first aid kits by 5%":                      "first aid kits",
		"Raise extra virgin oil by 5%":                    "extra virgin oil",
		"Raise flat screens by 5%":                        "flat screens",
		"Raise dollar store items by 5%":                  "dollar store",
		"Raise thank you cards by 5%":                     "thank you cards",
		"Raise running shoes priced over $60 by 3%":       "running shoes",
		"Take 5% off drop earrings":                       "drop earrings",
		"Lower the price of cut flowers by $2":            "cut flowers",
		"Set down jackets to $5":                          "down jackets",
		"Take 5% off place mats":                          "place mats",
		"Raise all lifts by 5%":                           "lifts",
		"Lower the price of docks by $2":                  "docks",
		"Raise can openers by 5%":                         "can openers",
		"Can openers: 5% off":                             "can openers",
		"Bathroom scales go up 5%":                        "bathroom scales",
		"Raise cost sheets by 5%":                         "cost sheets",
		"Raise all bar stools by 5%":                      "",
		"Take 10% off the bar stools that are in stock":   "bar stools",
		"Bar stools up 5%":                                "bar stools",
		"All the bar stools up 5%":                        "bar stools",
		"Bar stools, raise everything by 5%":              "",
		"Bar tea and mugs, raise everything by 5%":        "",
		"Everything 5% off bar stools":                    "",
		"Cereal bar up 5%":                                "cereal bar",
		"Cap guns over $8 down by a dollar":               "cap guns",
		"Floor mats between $5 and $10 are 5% off":        "floor mats",
		"Cap hats over $20 at $18":                        "hats",
		"5% off the pork chop":                            "pork chop",
		"Raise mugs and chair lift by 5%":                 "mugs",
		"Make tea drop by 5%":                             "tea",
		"Tea drop 5%":                                     "tea",
		"Pork chop up 5%":                                 "",
		"Mugs drop down by 5%":                            "mugs",
		"Raise mugs lift by 5%":                           "",
		"Raise everything except chair lift covers by 5%": "",
		"5% off mugs marked":                              "",
		"5% off the marked mugs":                          "",
		"5% off mugs marked as sold out":                  "mugs",
		"End tables up 5%":                                "",
		"5% off the trash can":                            "trash can",
		"Trash can goes up 5%":                            "trash can",
		"Tea can rise 5%":                                 "tea",
		"Tea can be 5% off":                               "tea",
		"Great coats up 5%":                               "great coats",
		"Great, coats up 5%":                              "coats",
		"5% off the limited prints":                       "limited prints",
		"5% off, limited to prints":                       "prints",
		"Raise all make up by 5%":                         "",
		"Raise hi fi systems by 5%":                       "hi fi systems",
		"Booster seats go up 5%":                          "booster seats",
		"Place mats are sold out":                         "",
		"Cut flowers: 5% off":                             "",
		"Raise price guns by 5%":                          "",
		"Tea drops 10%":                                   "tea",
		"Increase tea by raising its price 5%":            "",
		"First aid kits go up 5%":                         "",
		"Take an extra 10% off tea":                       "tea",
		"Raise prices of tea to the nearest dollar by 5%": "tea",
	} {
		draft, err := Planner{}.Plan(t.Context(), planning.Request{Instruction: instruction, ExecutionID: "plan_test_v1"})
		got := ""
		if err == nil {
			got = draft.Plan.Operations[0].Filter.Categories[0]
		}
		if !strings.EqualFold(got, want) {
			t.Errorf("%q is about %q, want %q: %v", instruction, got, want, err)
		}
	}
	_, err := Planner{}.Plan(t.Context(), planning.Request{Instruction: "Raise yoga sets by 5%", Categories: []string{"Yoga"}, ExecutionID: "plan_test_v1"})
	if err == nil {
		t.Error("yoga sets are planned as all of yoga")
	}
}

// weaker leave out of an instruction what it needs, to see what is asked.
var weaker = []*strings.Replacer{
	strings.NewReplacer(),
	strings.NewReplacer("%", "", " percent", "", "$", ""),
	strings.NewReplacer("Increase ", "Change ", "Raise ", "Change ", "Decrease ", "Adjust ", "Reduce ", "Adjust ", "Lower ", "Adjust "),
	strings.NewReplacer("Increase ", "", "Raise ", "", "Decrease ", "", "by ", "", "to ", "", "%", "", "$", ""),
}

// Whatever is not planned is asked about in words that can be answered, and
// every reading that is offered to send back is planned as it says.
func TestEveryReadingCanBeSentBack(t *testing.T) {
	offered := 0
	for _, name := range []string{eval.Own} {
		for _, c := range corpus(t, name) {
			for _, leaveOut := range weaker {
				r := c.Request()
				r.Instruction = leaveOut.Replace(r.Instruction)
				offered += checkQuestions(t, r)
			}
		}
	}
	if offered < 500 {
		t.Errorf("%d readings were offered: too few to tell", offered)
	}
}

// checkQuestions returns how many readings were offered for an instruction.
func checkQuestions(t *testing.T, r planning.Request) int {
	t.Helper()
	_, err := Planner{}.Plan(t.Context(), r)
	var asked *planning.ClarificationError
	if !errors.As(err, &asked) {
		return 0
	}
	for _, question := range asked.Questions {
		if !strings.Contains(question, "?") || strings.Contains(question, "%s") {
			t.Errorf("%q: the question is %q", r.Instruction, question)
		}
	}
	var plans []*plan.Plan
	for _, reading := range asked.Readings {
		again := r
		again.Instruction = reading.Instruction
		draft, err := Planner{}.Plan(t.Context(), again)
		if err != nil {
			t.Errorf("%q: the reading %q is not planned: %v", r.Instruction, reading.Instruction, err)
			continue
		}
		if got := plan.Explain(draft.Plan); !slices.Equal(got, reading.Sentences) {
			t.Errorf("%q: the reading %q is said to mean %q, and is planned as %q", r.Instruction, reading.Instruction, reading.Sentences, got)
		}
		if slices.ContainsFunc(plans, func(p *plan.Plan) bool { return planning.Same(p, draft.Plan) }) {
			t.Errorf("%q: the reading %q means the same as another", r.Instruction, reading.Instruction)
		}
		plans = append(plans, draft.Plan)
	}
	if len(plans) == 1 {
		t.Errorf("%q: there is one reading, %q, and nothing to choose from", r.Instruction, asked.Readings[0].Instruction)
	}
	return len(plans)
}

func corpus(t *testing.T, name string) []*eval.Case {
	t.Helper()
	cases, err := eval.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// Words that could mean a limit of the price or something else, and names that
// could be one category or two, are asked about.
func TestAskedRatherThanGuessed(t *testing.T) {
	home := []string{"Home", "Kitchen", "Home & Kitchen"}
	for _, tc := range []struct {
		instruction string
		categories  []string
		class       string // empty for a plan
	}{
		{"Raise home and kitchen by 5%", home, unknownCategory},
		{"Raise home & kitchen by 5%", home, ""},
		{"Raise home and kitchen by 5%", home[2:], ""},
		{"10% off mugs, max $5", nil, scope},
		{"Raise all mugs max $30 by 5%", nil, scope},
		{"Raise mugs 10%. No item may cost more than $30.", nil, scope},
		{"Raise mugs 10%, no item may cost more than $30.", nil, ""},
		{"Raise everything by 10%. No item may cost more than $30.", nil, ""},
		{"Raise mugs 10%, never above $5 off", nil, scope},
		{"Lower yarn by 5%. Same for hats.", nil, ""},
		{"Lower in-stock yarn by 5%. Same for hats.", nil, scope},
		{"Lower yarn by 5%, never below $3. Same for hats.", nil, scope},
		{"Lower yarn by 5% and wool by 3%. Same for hats.", nil, scope},
		{"Lower yarn by 5%. Don't do the same for hats.", nil, scope},
		{"Same for hats.", nil, scope},
		{"Make A101 in stock at $20", nil, scope},
		{"Make all yarn that is in stock $20", nil, ""},
		{"Set 10k rings to $50", nil, contradiction},
	} {
		_, err := Planner{}.Plan(t.Context(), planning.Request{Instruction: tc.instruction, Categories: tc.categories, ExecutionID: "plan_test_v1"})
		var asked *planning.ClarificationError
		class := ""
		if errors.As(err, &asked) {
			class = asked.Class
		} else if err != nil {
			t.Fatal(err)
		}
		if class != tc.class {
			t.Errorf("%q: asked %q, want %q: %v", tc.instruction, class, tc.class, err)
		}
	}
}
