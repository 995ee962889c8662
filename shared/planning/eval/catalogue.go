package eval

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// Equivalent reports whether two plans do the same to every catalogue made of
// what either of them speaks of.
func Equivalent(ctx context.Context, a, b *plan.Plan) (bool, error) {
	for _, catalogue := range catalogues(a, b) {
		first, err := execute(ctx, a, catalogue)
		if err != nil {
			return false, err
		}
		second, err := execute(ctx, b, catalogue)
		if err != nil {
			return false, err
		}
		if first != second {
			return false, nil
		}
	}
	return true, nil
}

// execute returns the table that a plan makes of a catalogue, or "refused"
// where a result is no price.
func execute(ctx context.Context, p *plan.Plan, catalogue string) (string, error) {
	engine, err := pricing.Compile(p, pricing.Settings{})
	if err != nil {
		return "", err
	}
	var out, changes bytes.Buffer
	if _, err := engine.Run(ctx, strings.NewReader(catalogue), &out, &changes); err != nil {
		return "refused", nil
	}
	return out.String(), nil
}

// catalogues are one table for each number of decimals a shop may keep, and
// one that holds expensive products only, where no decrease fails. Each has
// every category and SKU of the plans and others, in and out of stock, at
// prices on, under and over every number of the plans.
func catalogues(plans ...*plan.Plan) []string {
	categories, skus, numbers := []string{"elsewhere"}, []string{"ZZ-OTHER"}, []string{"0.01", "9.99", "10", "33.33", "19.95", "100"}
	for _, p := range plans {
		for i := range p.Operations {
			op := &p.Operations[i]
			categories = append(append(categories, op.Filter.Categories...), op.Filter.ExcludeCategories...)
			skus = append(append(skus, op.Filter.SKUs...), op.Filter.ExcludeSKUs...)
			for _, d := range []*plan.Decimal{op.Filter.PriceGTE, op.Filter.PriceLTE, op.Options.MinPrice, op.Options.MaxPrice, &op.Action.Value} {
				if d != nil {
					numbers = append(numbers, d.String())
				}
			}
		}
	}
	slices.Sort(categories)
	slices.Sort(skus)
	categories, skus = slices.Compact(categories), slices.Compact(skus)
	return []string{
		table(categories, skus, around(numbers, 2, "0")),
		table(categories, skus, around(numbers, 3, "0")),
		table(categories, skus, around(numbers, 2, "100000")),
	}
}

// around gives each number, one step under and over it, and what rises and
// falls of common sizes make of it, all moved up by base.
func around(numbers []string, decimals int, base string) []string {
	step := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil))
	up, _ := new(big.Rat).SetString(base)
	var prices []string
	for _, number := range numbers {
		n, ok := new(big.Rat).SetString(number)
		if !ok {
			continue
		}
		for _, offset := range []int64{-1, 0, 1} {
			price := new(big.Rat).Add(n, new(big.Rat).Mul(step, big.NewRat(offset, 1)))
			price.Add(price, up)
			if price.Sign() >= 0 {
				prices = append(prices, price.FloatString(decimals))
			}
		}
	}
	slices.Sort(prices)
	return slices.Compact(prices)
}

func table(categories, skus, prices []string) string {
	var b strings.Builder
	b.WriteString("sku,category,price,in_stock\n")
	for i, category := range categories {
		for k, sku := range append([]string{fmt.Sprintf("ROW%d", i)}, skus...) {
			for n, price := range prices {
				fmt.Fprintf(&b, "%s,%s,%s,%t\n", csv(sku), csv(category), price, (i+k+n)%2 == 0)
				fmt.Fprintf(&b, "%s,%s,%s,%t\n", csv(sku), csv(category), price, (i+k+n)%2 != 0)
			}
		}
	}
	return b.String()
}

func csv(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }
