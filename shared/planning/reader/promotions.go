package reader

import (
	"cmp"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// promoted are the rules of a meaning. Those of a table with sale prices ask which price is set or
// cut where the instruction speaks of a sale and does not say (10% off sale on mugs), and whether they
// are for what is on sale (mugs sale up 5%). Without costs, the cost of mugs is their price.
func (t *text) promoted(m *meaning) []clause {
	var speaks, heads, shown, usual, overCost, narrowed bool
	used := t.used(m)
	for i, leaf := range used {
		overCost = overCost || t.phrase(i, "COSTPLUS")
		usual = usual || leaf != nil && t.is(i, "USUAL") && strings.HasPrefix(t.norm(i+1), "price")
		if t.is(i, "PROMO") &&
			(leaf == nil || slices.Contains([]string{"DISCOUNT", "OFFSALEON", "PROMO"}, leaf.symbol)) {
			head := leaf != nil && leaf.symbol == "PROMO" ||
				leaf == nil && (t.norm(i+1) == ":" || t.norm(i+2) == ":")
			speaks, heads, shown = true, heads || head, shown || head && t.norm(i-1) == "on"
		}
	}
	rules := slices.Clone(m.rules)
	for i := range rules {
		ofUsual := usual && !t.known.tells("sale_price") // it is in another column while there is a sale
		r := &rules[i]
		if narrowed = narrowed || r.under != nil && keys(r.under) != keys(everything); r.under == nil &&
			!narrowed &&
			slices.ContainsFunc(t.tokens[r.from:r.to], func(token token) bool { return token.text == ":" }) {
			r.under = everything // Abus: end the sale
		}
		said, priced := speaks && !r.regular && !r.sale &&
			t.known.tells("sale_price", "compare_at"), r.act == change &&
			(r.dir == down || r.dir == to)
		switch {
		case said && heads && (shown || !priced) && r.act != unsale && r.act != keep:
			r.problem = cmp.Or(r.problem, "promo")
		case said && priced && (heads || r.dir == down) ||
			ofUsual && !r.sale && r.act == change && t.known.tells("compare_at"):
			r.problem = cmp.Or(r.problem, "sale_price")
		case r.problem == "cost_price" && !t.known.tells("cost") && !overCost ||
			r.problem == "others" && t.known.closed[category]:
			r.problem = ""
		case r.problem == "others": // who knows whether there are such products
			r.problem = "contradiction"
		case r.act == change && r.problem == "":
			r.problem = t.otherwise(r, used)
		case r.act == shape && i > 0 && rules[i-1].act == change && r.problem == "":
			limited := rules[i-1] // up 3%. No more than 2 euro.
			limited.floor, limited.ceiling, limited.ofPrice = r.floor, r.ceiling, r.ofPrice
			if t.ofChange(&limited, used) {
				r.problem = "limit"
			}
		}
	}
	return rules
}

// otherwise asks about a change that may be another: a limit that no price or each of them is
// beyond, which may be one of the change; a cut by more than half of any price, which may be one
// to that; costs that rise, a markup, which may be over them, an ending, and back to $5 of a sale.
func (t *text) otherwise(r *clause, used []*meaning) string {
	least, err := plan.ParseDecimal(t.known.given.Prices[0])
	greatest, failed := plan.ParseDecimal(t.known.given.Prices[1])
	one, known := plan.MustDecimal("1"), err == nil && failed == nil
	if t.ofChange(r, used) {
		return "limit"
	}
	if known &&
		(r.dir == up && r.ceiling.unit != noUnit && r.ceiling.number.Cmp(least) < 0 ||
			r.dir == down && r.floor.unit != noUnit && r.floor.number.Cmp(greatest) > 0) {
		return "limit" // 5% up, but at most $3
	}
	twice, _ := ratio(r.amount.number, 2, 1)
	for i := r.from; i < r.to; i++ {
		switch norm := t.norm(i); {
		case used[i] == nil:
		case known && r.dir == to && strings.HasPrefix(norm, ".") && r.amount.number.Cmp(one) < 0 &&
			least.Cmp(one) >= 0 && !t.phrase(i-1, "CUR") && !t.phrase(i+1, "CUR", "CURWORD"):
			return "cents" // everything to .99
		case r.dir == to && used[i].symbol == "DOWNED" && !r.sale && !r.regular &&
			t.known.tells("sale_price", "compare_at"):
			return "sale_price" // reduced to $5
		case (norm == "costs" || norm == "cost") && (used[i].symbol == "BE" || used[i].symbol == "COST") &&
			!t.phrase(i-1, "MODAL") && t.known.tells("cost"):
			return "cost_price"
		case r.dir == up && (norm == "markup" || norm == "mark" && t.joined(i+1)) &&
			t.known.given.Columns != nil,
			known && r.dir == down && r.amount.unit == money && twice.Cmp(greatest) > 0, r.dir == to &&
				norm == "back" && !r.sale && t.known.tells("sale_price", "compare_at"):
			return "verb"
		}
	}
	return ""
}
