package reader

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/planning"
)

func replaced(sentence, name string) string { return strings.Replace(sentence, "_", name, 1) }

// A limit that is put as one of an amount may be one of the change, where a change may be as much.
func TestALimitMayBeOneOfTheChange(t *testing.T) {
	shop := planning.Names{Categories: []string{"Games", "Consoles"}, Whole: true, Prices: [2]string{"1.5", "600"}}
	for _, limit := range []string{
		"but no more than 2 euro each", "but no more than 2 euro", ", no more than 2 euro", "(no more than 2 euro)", "but not more than 2 euro", ", at most 2 euro", "but at most $2", "(at most $2)",
		", max 2", ", max $2", ", max. $2", "with a maximum of $2", "up to a maximum of 2 euro", ", maximum $2", ". No more than 2 euro.", ". At most $2.", "and at most $2", "but no more than 15 euro", ", max 17.99", ", 2 euro max", "(2 euro max)",
	} {
		for _, change := range []string{"increase games by 3% _", "games +3% _", "raise all prices by 3% _", "games up 3% _"} {
			said := strings.NewReplacer(" ,", ",", " .", ".").Replace(replaced(change, limit))
			u := New().Read(planning.Request{Instruction: said, Names: shop})
			if u.Asked == nil {
				t.Errorf("%q is planned as %v", said, u.Candidates[0].Sentences)
			}
		}
	}
	class, all := meant("increase games by 3% but no more than 2 euro each", shop)
	if class != "limit" || len(all) != 2 || all[0][0].Options.MaxPrice.String() != "2" {
		t.Fatalf("the price is not offered: %s %v", class, all)
	}
	var change []string // the dear ones first, so that no price is changed twice
	for _, op := range all[1] {
		change = append(change, string(op.Canonical()))
	}
	if diff := cmp.Diff([]string{
		`{"action":{"type":"fixed_increase","value":2},"filter":{"categories":["Games"],"price_gte":66.6667},"operation_id":"op_01"}`,
		`{"action":{"type":"percent_increase","value":3},"filter":{"categories":["Games"],"price_lte":66.6666},"operation_id":"op_02"}`,
	}, change); diff != "" {
		t.Errorf("the change is not offered (-want +got):\n%s", diff)
	}
	for said, max := range map[string]string{
		"increase games by 3%, max 20": "20", "increase games by 3%, no more than $19": "19", "increase games by 3%, max price 10": "10", "increase games by 3%, to no more than $10": "10",
		"increase games by 3%, to at most 10": "10", "increase games by 3%, capped at 10": "10", "increase games by 3%, never above $10": "10", "increase games by 3%, but no price above $10": "10",
		"increase games by 3%, but the new price must not be more than $10": "10", "increase games under $50 by 3%, no more than $2": "2", "add $2 to games, no more than $20": "20",
	} {
		u := New().Read(planning.Request{Instruction: said, Names: shop})
		if u.Asked != nil || u.Candidates[0].Operations[0].Options.MaxPrice.String() != max {
			t.Errorf("%q is read as %+v", said, u)
		}
	}
	for said, asked := range map[string]bool{
		"add $2 to games, no more than $2": true, "cut games by 10%, but no less than $1": true, "cut games by 10%, but no less than $5": false, "games 10% off, never below $1": false,
		"increase games that cost no more than $10 by 5%": false, "increase games that cost no more than $10 by 5%, capped at $12": false,
	} {
		if u := New().Read(planning.Request{Instruction: said, Names: shop}); (u.Asked != nil) != asked {
			t.Errorf("%q is read as %+v", said, u)
		}
	}
	list := planning.Names{Categories: []string{"Games"}}
	for said, asked := range map[string]bool{
		"raise games by 3%, but no more than $2": true, "raise games by 3%, at most $60": false, "raise games by 3%, but not more than $60": true, "raise games by 3%, max $60": false, "raise games by 3%, to at most $60": false,
	} {
		if u := New().Read(planning.Request{Instruction: said, Names: list}); (u.Asked != nil) != asked {
			t.Errorf("%q without a table is read as %+v", said, u)
		}
	}
}

// A percentage with a mark for thousands is asked about where prices have a comma for decimals.
func TestAPercentageWithAMarkIsAQuestion(t *testing.T) {
	european := planning.Names{Categories: []string{"Games"}, Whole: true, DecimalComma: true, Prices: [2]string{"1", "1299"}}
	reads(t, european, map[string]string{
		"increase games by 1.000%": "", "increase games by 1.000 percent": "", "games +1.500 %": "", "games 1.250% off": "", "games to 1.299": "",
		"increase games by 1,5%": "Increase the price by 1.5% for products in category Games", "increase games by 10%": "Increase the price by 10% for products in category Games",
		"increase games by 1.5%": "Increase the price by 1.5% for products in category Games",
	})
	reads(t, planning.Names{Categories: []string{"Games"}, Whole: true}, map[string]string{"increase games by 1.125%": "Increase the price by 1.125% for products in category Games"})
}
