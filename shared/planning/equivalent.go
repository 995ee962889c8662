package planning

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/profile"
)

// Equivalent reports whether two plans do the same to every catalogue made of
// what either of them speaks of. Plans that need a larger catalogue than can be
// tried, or refuse all of them, are not known to be equivalent.
func Equivalent(ctx context.Context, a, b *plan.Plan) (bool, error) {
	if Same(a, b) {
		return true, nil
	}
	a, b = rounded(a), rounded(b)
	tried := false
	for _, c := range cataloguesOf(a, b) {
		if c.rows() > maxCatalogueRows {
			return false, nil
		}
		text := c.csv()
		first, err := execute(ctx, a, text)
		second, failed := execute(ctx, b, text)
		if err := errors.Join(err, failed); err != nil {
			return false, err
		}
		if first != second {
			return false, nil
		}
		tried = tried || first != refusedCatalogue
	}
	return tried, nil
}

// rounded returns a plan whose operations name the decimals that they round to at least, as
// Same takes them: a sentence says none, and the prices of a table may have more.
func rounded(p *plan.Plan) *plan.Plan {
	copied := *p
	copied.Operations = slices.Clone(p.Operations)
	for i := range copied.Operations {
		op := &copied.Operations[i]
		if op.Action.Type != plan.SetStock && op.Action.Type != plan.EndSale {
			digits := op.Options.Digits()
			op.Options.RoundTo = &digits
		}
	}
	return &copied
}

// refusedCatalogue stands for the table of a plan one of whose results is no price.
const refusedCatalogue = "refused"

// execute returns the table that a plan makes of a catalogue.
func execute(ctx context.Context, p *plan.Plan, catalogue string) (string, error) {
	engine, err := pricing.Compile(p, table.Settings{Profile: profile.Plain, Unmatched: table.RepriceAll(p.Excluded()...), NearNames: table.NearNamesExact})
	if err != nil {
		return "", err
	}
	var out, changes bytes.Buffer
	if _, err := engine.Run(ctx, strings.NewReader(catalogue), &out, &changes); err != nil {
		return refusedCatalogue, nil
	}
	return out.String(), nil
}

// catalogue is a table with every combination of its values, in and out of stock.
type catalogue struct {
	names    [][]string // cells, as plan.NameColumns are
	decimals int        // of the prices
	prices   []string
	costs    []string // nil: no operation looks at one
	sale     string   // the title of the column by which rows are on sale; "": no operation deals in sales
}

const (
	maxCatalogueRows = 200_000            // that Equivalent tries
	fullSales        = 2                  // of a price, that meet every cost
	salePrice        = "sale_price"       // the title of a column of sales, one of each form
	compareAt        = "compare_at_price" // that platforms have
)

// cataloguesOf returns one table for each number of decimals that a shop may
// keep, and one that holds expensive products only, where no decrease fails. Plans
// that deal in sales have each of them in both forms of those.
func cataloguesOf(plans ...*plan.Plan) []catalogue {
	var operations []plan.Operation
	for _, p := range plans {
		operations = append(operations, p.Operations...)
	}
	var names [][]string
	for _, column := range plan.NameColumns() {
		names = append(names, cellsOf(column, representatives(operations, column)))
	}
	numbers := numbersOf(operations)
	catalogues := []catalogue{
		{names: names, decimals: 2, prices: around(numbers, 2, "0")},
		{names: names, decimals: 3, prices: around(numbers, 3, "0")},
		{names: names, decimals: 2, prices: around(numbers, 2, "100000")},
	}
	if slices.ContainsFunc(operations, func(op plan.Operation) bool { return op.Action.Type.UsesCost() || op.Options.NotBelowCost }) {
		for i := range catalogues {
			catalogues[i].costs = append([]string{"", "0"}, catalogues[i].prices...)
		}
	}
	if slices.ContainsFunc(operations, func(op plan.Operation) bool {
		return op.Filter.OnSale != nil || op.Options.AsSale || op.Action.Type == plan.EndSale || op.Action.Type == plan.SetCompareAt
	}) {
		for i := range slices.Clone(catalogues) {
			catalogues[i].sale = salePrice
			other := catalogues[i]
			other.sale = compareAt
			catalogues = append(catalogues, other)
		}
	}
	return catalogues
}

// representatives returns a name that no list has, and of those that the same
// lists have, one: no filter tells the others from it.
func representatives(operations []plan.Operation, column plan.Column) []string {
	held := map[string]string{} // by name, the lists that have it
	for i := range operations {
		only, except := operations[i].Filter.Names(column)
		for k, list := range [][]string{only, except} {
			for _, name := range SortedOnce(list) {
				held[name] += fmt.Sprintf("%d.%d ", i, k)
			}
		}
	}
	first := map[string]string{}
	for name, lists := range held {
		if had, ok := first[lists]; !ok || name < had {
			first[lists] = name
		}
	}
	names := []string{"ZZ-OTHER"}
	for _, name := range first {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// cellsOf returns what the cells of a column may hold, given names that it may
// have: each of them, and all sets of several where a row may have those.
func cellsOf(column plan.Column, names []string) []string {
	if !column.Repeats() {
		return names
	}
	separator := ","
	if column == plan.ColumnName {
		separator = " / "
	}
	sets := []string{}
	for _, name := range names {
		for _, set := range sets {
			sets = append(sets, set+separator+name)
		}
		if sets = append(sets, name); len(sets) > maxCatalogueRows {
			break // more than are tried
		}
	}
	return sets
}

// numbersOf returns the numbers of the operations, common prices, and the prices
// that an operation turns into one of the numbers, for the next one to see.
func numbersOf(operations []plan.Operation) []*big.Rat {
	texts := []string{"0.01", "9.99", "10", "33.33", "19.95", "100"}
	for i := range operations {
		op := &operations[i]
		for _, d := range []*plan.Decimal{op.Filter.PriceGTE, op.Filter.PriceLTE, op.Options.MinPrice, op.Options.MaxPrice, &op.Action.Value} {
			if d != nil {
				texts = append(texts, d.String())
			}
		}
	}
	slices.Sort(texts)
	var numbers []*big.Rat
	for _, text := range slices.Compact(texts) {
		n, _ := new(big.Rat).SetString(text) // a decimal always is one
		numbers = append(numbers, n)
		for i := range operations {
			if before := undone(&operations[i].Action, n); before != nil {
				numbers = append(numbers, before)
			}
		}
	}
	return numbers
}

// undone returns the price of which an action makes another, nil where there is
// not just one.
func undone(action *plan.Action, price *big.Rat) *big.Rat {
	makes, err := action.Price()
	if err != nil || makes.Factor.Sign() <= 0 {
		return nil
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(makes.Shift)), nil)
	before := new(big.Rat).Mul(price, new(big.Rat).SetInt(scale))
	before.Sub(before, new(big.Rat).SetInt(makes.Addend))
	return before.Quo(before, new(big.Rat).SetInt(makes.Factor))
}

// around gives each number and one step under and over it, all moved up by base.
func around(numbers []*big.Rat, decimals int, base string) []string {
	step := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil))
	up, _ := new(big.Rat).SetString(base)
	var prices []string
	for _, n := range numbers {
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

// sales returns, of a regular price, a product that is not on sale, one whose sale is
// in force far below it, and those at the boundary: a step below it, at it and a step
// above. Each is the cell of the price and, where the catalogue has sales, that of
// its sale.
func (c catalogue) sales(regular string) (cells [][2]string) {
	cells = [][2]string{{regular}}
	if c.sale == "" {
		return cells
	}
	n, _ := new(big.Rat).SetString(regular) // around wrote it
	for _, paid := range append([]string{new(big.Rat).Quo(n, big.NewRat(2, 1)).FloatString(c.decimals)}, around([]*big.Rat{n}, c.decimals, "0")...) {
		if c.sale == salePrice {
			cells = append(cells, [2]string{regular, paid})
		} else {
			cells = append(cells, [2]string{paid, regular})
		}
	}
	return cells
}

// amounts returns the cells of a price, of its sale and of its cost, as they stand in
// rows of the table.
func (c catalogue) amounts(regular string) (rows []string) {
	for i, cells := range c.sales(regular) {
		row := cells[0] + ","
		if c.sale != "" {
			row += cells[1] + ","
		}
		costs := c.costs
		switch {
		case costs == nil:
			rows = append(rows, row)
		case i >= fullSales:
			costs = []string{"", regular}
		}
		for _, cost := range costs {
			rows = append(rows, row+cost+",")
		}
	}
	return rows
}

func (c catalogue) rows() int {
	rows := 2 * len(c.prices) * len(c.amounts(c.prices[len(c.prices)-1]))
	for _, names := range c.names {
		rows *= len(names)
	}
	return rows
}

func (c catalogue) csv() string {
	header, products := "", []string{""}
	for i, column := range plan.NameColumns() {
		header += string(column) + ","
		var longer []string
		for _, product := range products {
			for _, name := range c.names[i] {
				longer = append(longer, product+`"`+strings.ReplaceAll(name, `"`, `""`)+`",`)
			}
		}
		products = longer
	}
	var b strings.Builder
	if header += "price,"; c.sale != "" {
		header += c.sale + ","
	}
	if c.costs != nil {
		header += "cost,"
	}
	var amounts []string
	for _, price := range c.prices {
		amounts = append(amounts, c.amounts(price)...)
	}
	b.WriteString(header + "in_stock\n")
	for i, product := range products {
		for n, amounts := range amounts {
			fmt.Fprintf(&b, "%s%s%t\n", product, amounts, (i+n)%2 == 0)
			fmt.Fprintf(&b, "%s%s%t\n", product, amounts, (i+n)%2 != 0)
		}
	}
	return b.String()
}
