package plan_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
)

// row is one product in a slow, plain model of what operations do.
type row struct {
	category, sku string
	inStock       bool
	price         *big.Rat
}

func (r row) matches(f *plan.Filter) bool {
	listed := func(names []string, name string) bool { return names == nil || slices.Contains(names, name) }
	return listed(f.Categories, r.category) && listed(f.SKUs, r.sku) &&
		!slices.Contains(f.ExcludeCategories, r.category) && !slices.Contains(f.ExcludeSKUs, r.sku) &&
		(f.InStock == nil || *f.InStock == r.inStock) &&
		(f.PriceGTE == nil || r.price.Cmp(rat(*f.PriceGTE)) >= 0) && (f.PriceLTE == nil || r.price.Cmp(rat(*f.PriceLTE)) <= 0)
}

// apply returns the row after op, and false where the price falls below zero.
func (r row) apply(op *plan.Operation) (row, bool) {
	value, hundred := rat(op.Action.Value), big.NewRat(100, 1)
	share := new(big.Rat).Quo(new(big.Rat).Mul(r.price, value), hundred)
	price := new(big.Rat)
	switch op.Action.Type {
	case plan.SetStock:
		r.inStock = op.Action.Stock
		return r, true
	case plan.PercentIncrease:
		price.Add(r.price, share)
	case plan.PercentDecrease:
		price.Sub(r.price, share)
	case plan.FixedIncrease:
		price.Add(r.price, value)
	case plan.FixedDecrease:
		price.Sub(r.price, value)
	case plan.SetPrice:
		price.Set(value)
	}
	price, _ = new(big.Rat).SetString(price.FloatString(op.Options.Digits())) // half away from zero
	if price.Sign() < 0 && op.Options.MinPrice == nil {
		return r, false
	}
	if op.Options.PriceEnding != nil {
		price = nearestEnding(price, rat(*op.Options.PriceEnding))
	}
	if floor := op.Options.MinPrice; floor != nil && price.Cmp(rat(*floor)) < 0 {
		price = rat(*floor)
	}
	if ceiling := op.Options.MaxPrice; ceiling != nil && price.Cmp(rat(*ceiling)) > 0 {
		price = rat(*ceiling)
	}
	r.price = price
	return r, true
}

func nearestEnding(price, ending *big.Rat) *big.Rat {
	best := ending
	below, _ := price.Float64()
	for whole := int64(below) - 2; whole < int64(below)+3; whole++ {
		candidate := new(big.Rat).Add(big.NewRat(max(whole, 0), 1), ending)
		if distance(candidate, price).Cmp(distance(best, price)) <= 0 {
			best = candidate
		}
	}
	return best
}

func distance(a, b *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(a, b)
	return d.Abs(d)
}

func rat(d plan.Decimal) *big.Rat {
	r, _ := new(big.Rat).SetString(d.String())
	return r
}

// TestIndependent runs random pairs of operations over every row of a small world. Two
// that are said to be independent must not meet there.
func TestIndependent(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	apart, sees, twice := 0, 0, 0
	for range 600 {
		p := randomPair(t, random)
		first, second := &p.Operations[0], &p.Operations[1]
		independent := plan.Independent(*first, *second)
		if independent {
			apart++
		}
		for _, before := range world() {
			after, ok := before, true
			if before.matches(&first.Filter) {
				after, ok = before.apply(first)
			}
			if !ok {
				continue
			}
			matches := after.matches(&second.Filter)
			seen := matches != before.matches(&second.Filter)
			sameField := (first.Action.Type == plan.SetStock) == (second.Action.Type == plan.SetStock)
			changed := matches && before.matches(&first.Filter) && sameField
			if independent && (seen || changed) {
				t.Fatalf("independent, and %v becomes %v in %s", before, after, p.Canonical())
			}
			if seen {
				sees++
			}
			if changed {
				twice++
			}
		}
	}
	if apart < 100 || sees < 100 || twice < 100 {
		t.Errorf("%d pairs are apart, %d rows are seen, %d changed twice: the pairs prove little", apart, sees, twice)
	}
}

// Pairs of operations that are close to each other and independent, or not.
func TestIndependentAtTheEdge(t *testing.T) {
	const low, above = "999999999999999999.999999998", "999999999999999999.999999999" // no float tells them apart
	for operations, want := range map[string]bool{
		`{"operation_id":"op_01","filter":{"price_gte":` + low + `},"action":{"type":"set_stock","value":true}}
		 {"operation_id":"op_02","filter":{"price_lte":` + low + `},"action":{"type":"set_stock","value":true}}`: false,
		`{"operation_id":"op_01","filter":{"price_gte":` + above + `},"action":{"type":"set_stock","value":true}}
		 {"operation_id":"op_02","filter":{"price_lte":` + low + `},"action":{"type":"set_stock","value":true}}`: true,
		`{"operation_id":"op_01","filter":{"in_stock":true},"action":{"type":"percent_increase","value":10}}
		 {"operation_id":"op_02","filter":{"in_stock":false,"price_gte":50},"action":{"type":"percent_increase","value":10}}`: true,
		`{"operation_id":"op_01","filter":{"price_lte":50},"action":{"type":"fixed_increase","value":100}}
		 {"operation_id":"op_02","filter":{"price_gte":160},"action":{"type":"fixed_decrease","value":1}}`: true,
		`{"operation_id":"op_01","filter":{"price_lte":50},"action":{"type":"fixed_increase","value":100}}
		 {"operation_id":"op_02","filter":{"price_gte":145},"action":{"type":"fixed_decrease","value":1}}`: false,
	} {
		p := operationsPlan(t, operations)
		if got := plan.Independent(p.Operations[0], p.Operations[1]); got != want {
			t.Errorf("%t, want %t: %s", got, want, operations)
		}
	}
}

func TestWarningsOfTimesThatArePast(t *testing.T) {
	p := operationsPlan(t, `{"operation_id":"op_01","filter":{},"action":{"type":"set_price","value":5}}`)
	p.CreatedAt = "2026-03-01T10:00:00Z"
	for terms, want := range map[plan.Terms]int{
		{ApplyAt: "2026-03-01T10:00:00Z", RevertAt: "2026-03-01T10:00:01Z"}:      0,
		{ApplyAt: "2026-03-01T10:59:59+01:00", RevertAt: "2026-03-01T10:00:01Z"}: 1,
		{ApplyAt: "2025-03-01T10:00:00Z", RevertAt: "2025-03-02T10:00:00Z"}:      2,
		{}: 0,
	} {
		p.Terms = terms
		warnings := p.Warnings()
		if len(warnings) != want || want > 0 && warnings[0].Code != plan.WarnTimePast {
			t.Errorf("%v: %v, want %d", terms, warnings, want)
		}
	}
}

func world() (rows []row) {
	for _, category := range []string{"a", "b"} {
		for _, sku := range []string{"1", "2"} {
			for _, inStock := range []bool{true, false} {
				for _, price := range []string{"0.00", "0.01", "4.99", "5.00", "9.50", "10.00", "10.01", "19.99", "20.00", "40.00"} {
					r, _ := new(big.Rat).SetString(price)
					rows = append(rows, row{category, sku, inStock, r})
				}
			}
		}
	}
	return rows
}

func randomPair(t *testing.T, random *rand.Rand) *plan.Plan {
	t.Helper()
	var operations []string
	for i := range 2 {
		operations = append(operations, fmt.Sprintf(`{"operation_id":"op_%02d","filter":{%s},"action":%s,"options":{%s}}`, i+1,
			pick(random, []string{``, `"categories":["a"],`, `"categories":["a","b"],`, `"exclude_categories":["a"],`, `"skus":["1"],`, `"skus":["1"],"exclude_categories":["b"],`, `"skus":["1","2"],"exclude_skus":["1"],`})+
				pick(random, []string{``, ``, `"in_stock":true,`, `"in_stock":false,`})+
				pick(random, []string{`"price_gte":0`, `"price_gte":10`, `"price_gte":20`, `"price_lte":9.99`, `"price_lte":19.99`, `"price_gte":5,"price_lte":10`, `"price_gte":40,"price_lte":40`}),
			pick(random, []string{`{"type":"percent_increase","value":10}`, `{"type":"percent_increase","value":100}`, `{"type":"percent_decrease","value":50}`, `{"type":"percent_decrease","value":110}`, `{"type":"fixed_increase","value":0.01}`, `{"type":"fixed_decrease","value":5}`, `{"type":"set_price","value":10}`, `{"type":"set_stock","value":true}`, `{"type":"set_stock","value":false}`}),
			pick(random, []string{``, ``, `"round_to":0`, `"price_ending":0.99`, `"price_ending":0.99,"min_price":8`, `"min_price":10`, `"max_price":10`, `"min_price":5,"max_price":19.99`})))
	}
	return operationsPlan(t, strings.Join(operations, "\n"))
}

// BenchmarkExplain has the most operations a plan can, each naming as many SKUs
// as the plan's size leaves room for.
func BenchmarkExplain(b *testing.B) {
	p := largePlan(b)
	template := p.Operations[0]
	p.Operations = nil
	for i := range plan.MaxOperations {
		op := template
		op.OperationID = fmt.Sprintf("op_%d", i)
		op.Filter.SKUs = nil
		for j := range 600 {
			op.Filter.SKUs = append(op.Filter.SKUs, fmt.Sprintf("%d-%d", i, j))
		}
		p.Operations = append(p.Operations, op)
	}
	for b.Loop() {
		plan.Explain(p)
	}
}

func TestInWords(t *testing.T) {
	one, two := []string{"op_01"}, []string{"op_01", "yoga"}
	for _, test := range []struct {
		warning string
		ids     []string
		want    string
	}{
		{"op_01 can change a price by more than 50%.", one, "The plan can change a price by more than 50%."},
		{"Operation op_01 matched no row.", two, "Step 1 matched no row."},
		{"In 3 rows an increase lowers the price (op_01).", two, "In 3 rows an increase lowers the price (step 1)."},
		{"yoga names \"yoga\" and op_012.", two, "yoga names \"yoga\" and op_012."},
	} {
		if got := plan.InWords(test.warning, test.ids); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
