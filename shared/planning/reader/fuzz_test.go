package reader

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// dealt gives names to the roles in turn, all of them a table's.
func dealt(names []string) planning.Names {
	shop := planning.Names{Whole: true}
	roles := []*[]string{&shop.Categories, &shop.Products, &shop.Brands, &shop.Tags, &shop.SKUs}
	for i, name := range names {
		role := roles[i%len(roles)]
		*role = append(*role, name)
	}
	return shop
}

// FuzzPlan reads what nobody would type. It must answer with a valid plan or with a
// question that has words, the same twice.
func FuzzPlan(f *testing.F) {
	for _, seed := range []string{
		"Increase prices by 10% for all in-stock fitness products.", "20% off toys, never below $5, ending in .99", "Raise A101 to $9.99; leave A102 alone",
		"Cap rugs at $50", "Mark everything except yoga as in stock", "products under $20 up 5%, the rest up 3%", "\"", "- ,,, -> 1/0%", "yoga yoga yoga", "$€£", "linen mats 59", "yoga 5%",
	} {
		f.Add(seed, "Yoga|Linen Mats|Toys|rugs|A101|Fitness")
		f.Add(seed, "")
	}
	f.Fuzz(func(t *testing.T, instruction, list string) {
		request := planning.Request{Instruction: instruction, ExecutionID: "fuzz_plan_v1", CreatedAt: time.Unix(0, 0)}
		if list != "" && utf8.ValidString(list) {
			request.Names = dealt(strings.Split(list, "|"))
		}
		draft, err := New().Plan(t.Context(), request)
		var asked *planning.ClarificationError
		switch {
		case errors.As(err, &asked):
			if asked.Class == "" || len(asked.Questions) == 0 || asked.Questions[0] == "" {
				t.Fatalf("a question without words: %+v", asked)
			}
			if !utf8.ValidString(asked.Questions[0]) && utf8.ValidString(instruction) {
				t.Fatalf("a question that is no text: %q", asked.Questions[0])
			}
		case err != nil:
			t.Fatal(err)
		default:
			again, err := New().Plan(t.Context(), request)
			if err != nil || !planning.Same(draft.Plan, again.Plan) {
				t.Fatalf("another plan the second time: %v, %v", err, plan.Explain(draft.Plan))
			}
		}
	})
}
