package reader

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// stockroom is a table with columns that instructions have no words for.
var stockroom = planning.Names{
	Whole: true, Categories: []string{"Mugs", "Plates", "Lamps"}, Brands: []string{"Hario"}, SKUs: []string{"CF30"},
	Products: []string{"Touch Lamp Oak", "Desk Lamp"},
	Columns:  []string{"sku", "name", "category", "brand", "price", "compare_at", "in_stock", "cost", "", ""},
	Titles:   []string{"SKU", "Name", "Category", "Brand", "Price", "Was", "Pieces", "Unit cost", "Status", "Season"},
	Values:   []planning.ColumnValue{{Title: "Status", Value: "draft"}, {Title: "Status", Value: "archived"}, {Title: "Season", Value: "All"}},
}

func draftIn(said string) planning.Draft {
	return New().Draft(planning.DraftRequest{Request: planning.Request{Instruction: said, Names: stockroom, CreatedAt: noon}})
}

// Each of these says something of the table that the grammar has no words for. The rule is filled
// in, and a person is asked whether it is meant.
func TestOtherColumnsFillRulesIn(t *testing.T) {
	for said, want := range map[string][3]string{
		"draft products 10% off":                    {`{"where":[{"column":"Status","is":["draft"]}]}`, `{"type":"percent_decrease","value":10}`, `{}`},
		"mugs with status archived 10% off":         {`{"categories":["Mugs"],"where":[{"column":"Status","is":["archived"]}]}`, `{"type":"percent_decrease","value":10}`, `{}`},
		"10% off products that are draft, archived": {`{"where":[{"column":"Status","is":["draft","archived"]}]}`, `{"type":"percent_decrease","value":10}`, `{}`},
		"mugs up 5% where we have 10 or more":       {`{"categories":["Mugs"],"quantity_gte":10}`, `{"type":"percent_increase","value":5}`, `{}`},
		"mugs with fewer than 5 left 30% off":       {`{"categories":["Mugs"],"quantity_lte":4}`, `{"type":"percent_decrease","value":30}`, `{}`},
		"the stock of CF30 is 9650":                 {`{"skus":["CF30"]}`, `{"type":"set_quantity","value":9650}`, `{}`},
		"compare-at price of CF30 should be 1099":   {`{"skus":["CF30"]}`, `{"type":"set_compare_at","value":1099}`, `{}`},
		"mugs at unit cost plus 45%":                {`{"categories":["Mugs"]}`, `{"type":"cost_plus_percent","value":45}`, `{}`},
		"mugs up 5%, to the nearest 50":             {`{"categories":["Mugs"]}`, `{"type":"percent_increase","value":5}`, `{"round_step":50,"keep_direction":true}`},
		"mugs down 5%, always down to .99":          {`{"categories":["Mugs"]}`, `{"type":"percent_decrease","value":5}`, `{"price_ending":0.99,"rounding":"down","keep_direction":true}`},
	} {
		d := draftIn(said)
		if len(d.Operations) != 1 || len(d.Open) == 0 || d.Complete {
			t.Errorf("%q: %s", said, shown(d))
			continue
		}
		rule := d.Operations[0]
		for i, part := range []any{rule.Filter, rule.Action, rule.Options} {
			if got, err := json.Marshal(part); err != nil || string(got) != want[i] {
				t.Errorf("%q has %s, want %s: %v", said, got, want[i], err)
			}
		}
	}
}

// A word that is a value of a column, and a word of everyday use, is no condition on that column.
func TestAValueOfEverydayWordsIsNoCondition(t *testing.T) {
	if d := draftIn("All mugs up 5%"); !d.Complete || d.Operations[0].Filter.Where != nil {
		t.Errorf("%s", shown(d))
	}
}

// Words that no list has are open with the nearest names of every role, and words of the lexicon
// with none.
func TestUnknownNamesHaveChoices(t *testing.T) {
	var labels []string
	for _, part := range draftIn("20% off all lanps").Open {
		for _, choice := range part.Choices {
			labels = append(labels, choice.Label)
			if choice.Patch.Filter != nil && canonicalFilter(*choice.Patch.Filter) == canonicalFilter(plan.Filter{}) {
				t.Errorf("a choice makes a rule for all products: %+v", choice)
			}
		}
	}
	if !slices.Contains(labels, "category Lamps") {
		t.Errorf("the choices are %q", labels)
	}
	for _, part := range draftIn("Mugs up 5% whenever possible maybe").Open {
		if len(part.Choices) > 0 && part.Class == planning.OpenWords {
			t.Errorf("words of the lexicon have the choices %+v", part)
		}
	}
}

// What is far from any rule is shown, and is no question.
func TestChatIsQuiet(t *testing.T) {
	quiet := func(said string) (texts []string) {
		for _, part := range draftIn(said).Open {
			if part.Quiet {
				texts = append(texts, part.Text)
			}
		}
		return texts
	}
	if got := quiet("Draft products 5% off. The weather is lovely by the sea!"); !slices.Equal(got, []string{"The weather is lovely by the sea"}) {
		t.Errorf("quiet is %q", got)
	}
	for _, said := range []string{"Draft products 5% off. Never on Sundays though.", "Draft products 5% off. Only the zorbs."} {
		if got := quiet(said); got != nil {
			t.Errorf("%q: quiet is %q", said, got)
		}
	}
}

// Sentences that have too many meanings together are read one by one: nobody is asked for shorter
// ones.
func TestBulletsWithManyNamesAreNotTooLong(t *testing.T) {
	pharmacy := planning.Names{Whole: true, Brands: []string{"Bayer", "Sandoz", "Hexal"}, Tags: []string{"for children", "forte", "junior", "sugar free", "plus"}}
	for _, kind := range []string{"Skin", "Cold", "Baby & Child", "Vitamins"} {
		for _, form := range []string{"Tablets", "Capsules", "Creams", "Liquids"} {
			pharmacy.Categories = append(pharmacy.Categories, kind+" > "+form)
			for _, active := range []string{"Paracetamol", "Zinc", "Vitamin C", "Ibuprofen"} {
				pharmacy.Products = append(pharmacy.Products, active+" 100 mg "+form+" forte 20 pcs", active+" 400 mg "+form+" junior 10 pcs")
			}
		}
	}
	said := "- capsules, junior and Hexal zinc 10% off except liquids and Sandoz forte tablets\n" +
		"- creams, paracetamol and vitamin c for children +3%, but forte and junior only 2%\n" +
		"- sugar free, for children and forte Bayer up 5% except Bayer and Sandoz liquids\n" +
		"- tablets, capsules and ibuprofen creams to 9.90, never below cost, but zinc 2.50"
	request := planning.Request{Instruction: said, Names: pharmacy, CreatedAt: noon}
	text, _, _ := carefully(said, indexed(pharmacy), true)
	u := New().Read(request)
	d := New().Draft(planning.DraftRequest{Request: request})
	if !text.crowded {
		t.Fatal("the text is no longer one of too many meanings")
	}
	if u.Asked == nil || u.Asked.Class == "too_long" || len(d.Operations) < 3 || slices.ContainsFunc(d.Open, func(part planning.OpenPart) bool { return part.Class == "too_long" }) {
		t.Errorf("%+v\n%s", u.Asked, shown(d))
	}
}
