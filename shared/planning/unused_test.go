package planning_test

import (
	"slices"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/reader"
)

func TestUnused(t *testing.T) {
	ten := plan.Operation{Filter: plan.Filter{Categories: []string{"Yoga"}}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	ending := ten
	ending.Options.PriceEnding = new(plan.MustDecimal("0.99"))
	phrase := ten
	phrase.Filter = plan.Filter{NameContains: []string{"10-pack"}}
	phrase.Action.Value = plan.MustDecimal("5")
	for _, test := range []struct {
		instruction string
		op          plan.Operation
		want        []string
	}{
		{"Raise yoga by 10%.", ten, nil},
		{"Raise yoga by 10% and hats by 5%.", ten, []string{"hats", "5"}},
		{"Raise Yoga by 10%, but not A-103.", ten, []string{"A-103"}},
		{"Raise yoga by 10% in 4 stores", ten, []string{"4"}},
		{"1) Raise yoga by 10%\n2. end in 99 cents", ending, nil},
		{"Raise yoga to 110%", ten, nil},
		{"All 10-packs up 5%", phrase, nil},
		{"Raise yoga by 10% from 5 May", ten, []string{"5"}},
		{"Raise yoga by 10% at 9:30 on 2 March", ten, nil}, // the times are given beside it
		{"Raise Nike yoga by 10%", ten, []string{"Nike"}},
		{"Put yoga up 10% for the Sale", ten, nil}, // an ordinary word, whatever is called so
	} {
		r := planning.Request{Instruction: test.instruction}
		r.Categories, r.Brands, r.Tags, r.SKUs = []string{"Yoga", "Hats"}, []string{"Nike"}, []string{"Sale"}, []string{"A-103"}
		r.Terms.ApplyAt = "2026-03-02T09:30:00Z"
		var got []string
		for _, part := range planning.Unused(r, []plan.Operation{test.op}, reader.New().Common) {
			got = append(got, part.Text)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q leaves %q, want %q", test.instruction, got, test.want)
		}
	}
}
