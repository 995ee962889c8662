package planning_test

import (
	"iter"
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// mutation is a way in which a model's answer is wrong and still a plan. It
// changes one operation, or that and another, and reports whether it could.
type mutation struct {
	name   string
	mutate func(p *plan.Plan, op, other *plan.Operation) bool
}

// one makes a mutation of what changes one operation alone.
func one(name string, mutate func(op *plan.Operation) bool) mutation {
	return mutation{name, func(_ *plan.Plan, op, other *plan.Operation) bool { return other == op && mutate(op) }}
}

// two makes a mutation of what changes an operation and another.
func two(name string, mutate func(op, other *plan.Operation) bool) mutation {
	return mutation{name, func(_ *plan.Plan, op, other *plan.Operation) bool { return other != op && mutate(op, other) }}
}

// all makes a mutation of what changes the list of operations.
func all(name string, mutate func(p *plan.Plan, op *plan.Operation) bool) mutation {
	return mutation{name, func(p *plan.Plan, op, other *plan.Operation) bool { return other == op && mutate(p, op) }}
}

var mutations = slices.Concat(actionMutations, nameMutations, conditionMutations, optionMutations, operationMutations)

// mutants returns the valid plans that the mutations make of a plan, with their
// names, but for those that ask for the same.
func mutants(p *plan.Plan) iter.Seq2[string, *plan.Plan] {
	return func(yield func(string, *plan.Plan) bool) {
		if p == nil {
			return
		}
		for i := range p.Operations {
			for k := range p.Operations {
				for _, m := range mutations {
					mutant := copied(p)
					if !m.mutate(mutant, &mutant.Operations[i], &mutant.Operations[k]) || mutant.Validate() != nil || planning.Same(mutant, p) {
						continue
					}
					if !yield(m.name, mutant) {
						return
					}
				}
			}
		}
	}
}

// copied returns a plan that shares nothing with p.
func copied(p *plan.Plan) *plan.Plan {
	c := *p
	c.Operations = slices.Clone(p.Operations)
	for i := range c.Operations {
		op := &c.Operations[i]
		op.Filter.MapNames(slices.Clone[[]string])
		for _, f := range []field{lowerOf, upperOf, floorOf, capOf, endingOf} {
			if d := *f(op); d != nil {
				value := *d
				*f(op) = &value
			}
		}
	}
	return &c
}

// valued reports whether an operation changes prices by an amount, or to one.
func valued(op *plan.Operation) bool {
	return op.Action.Type != plan.SetStock && !op.Action.Value.IsZero()
}

// retyped gives the action another type, if the table has one for it.
func retyped(types map[plan.ActionType]plan.ActionType) func(op *plan.Operation) bool {
	return func(op *plan.Operation) bool {
		other, ok := types[op.Action.Type]
		op.Action.Type = other
		return ok && valued(op)
	}
}

func valueOf(value string) func(op *plan.Operation) bool {
	return func(op *plan.Operation) bool {
		had := valued(op)
		op.Action.Value = plan.MustDecimal(value)
		return had
	}
}

var actionMutations = []mutation{
	one("number", valueOf("7.77")),
	one("number times ten", func(op *plan.Operation) bool {
		had := valued(op)
		if had {
			op.Action.Value = plan.MustDecimal(op.Action.Value.Scaled(9).String() + "0")
		}
		return had
	}),
	one("direction flipped", retyped(map[plan.ActionType]plan.ActionType{
		plan.PercentIncrease: plan.PercentDecrease, plan.PercentDecrease: plan.PercentIncrease,
		plan.FixedIncrease: plan.FixedDecrease, plan.FixedDecrease: plan.FixedIncrease,
	})),
	one("percentage made an amount", retyped(map[plan.ActionType]plan.ActionType{plan.PercentIncrease: plan.FixedIncrease, plan.PercentDecrease: plan.FixedDecrease})),
	one("amount made a percentage", retyped(map[plan.ActionType]plan.ActionType{plan.FixedIncrease: plan.PercentIncrease, plan.FixedDecrease: plan.PercentDecrease})),
	one("change made a price", retyped(map[plan.ActionType]plan.ActionType{
		plan.PercentIncrease: plan.SetPrice, plan.PercentDecrease: plan.SetPrice, plan.FixedIncrease: plan.SetPrice, plan.FixedDecrease: plan.SetPrice,
	})),
	one("change made one of the cost", retyped(map[plan.ActionType]plan.ActionType{plan.PercentIncrease: plan.CostPlusPercent, plan.FixedIncrease: plan.CostPlusPercent})),
	one("price made a rise", retyped(map[plan.ActionType]plan.ActionType{plan.SetPrice: plan.FixedIncrease})),
	one("price made a fall", retyped(map[plan.ActionType]plan.ActionType{plan.SetPrice: plan.FixedDecrease})),
	one("stock set to the opposite", func(op *plan.Operation) bool {
		op.Action.Stock = !op.Action.Stock
		return op.Action.Type == plan.SetStock
	}),
	one("price change made a stock change", func(op *plan.Operation) bool {
		had := op.Action.Type != plan.SetStock
		op.Action, op.Options = plan.Action{Type: plan.SetStock, Stock: true}, plan.Options{}
		return had
	}),
	one("amount and bound exchanged", func(op *plan.Operation) bool {
		for _, bound := range []*plan.Decimal{op.Filter.PriceGTE, op.Filter.PriceLTE} {
			if valued(op) && bound != nil {
				*bound, op.Action.Value = op.Action.Value, *bound
				return true
			}
		}
		return false
	}),
	two("values of two rules exchanged", func(op, other *plan.Operation) bool {
		op.Action.Value, other.Action.Value = other.Action.Value, op.Action.Value
		return valued(op) && valued(other)
	}),
	two("actions of two rules exchanged", func(op, other *plan.Operation) bool {
		op.Action, other.Action = other.Action, op.Action
		return true
	}),
	two("action of another rule", func(op, other *plan.Operation) bool {
		op.Action = other.Action
		return true
	}),
	two("direction of another rule", func(op, other *plan.Operation) bool {
		op.Action.Type = other.Action.Type
		return valued(op) && valued(other)
	}),
	two("value of another rule", func(op, other *plan.Operation) bool {
		op.Action.Value = other.Action.Value
		return valued(op) && valued(other)
	}),
}

func skusOf(op *plan.Operation) *[]string               { return &op.Filter.SKUs }
func categoriesOf(op *plan.Operation) *[]string         { return &op.Filter.Categories }
func excludedSKUsOf(op *plan.Operation) *[]string       { return &op.Filter.ExcludeSKUs }
func excludedCategoriesOf(op *plan.Operation) *[]string { return &op.Filter.ExcludeCategories }
func brandsOf(op *plan.Operation) *[]string             { return &op.Filter.Brands }
func tagsOf(op *plan.Operation) *[]string               { return &op.Filter.Tags }
func phrasesOf(op *plan.Operation) *[]string            { return &op.Filter.NameContains }
func excludedBrandsOf(op *plan.Operation) *[]string     { return &op.Filter.ExcludeBrands }
func excludedTagsOf(op *plan.Operation) *[]string       { return &op.Filter.ExcludeTags }
func excludedPhrasesOf(op *plan.Operation) *[]string    { return &op.Filter.ExcludeNameContains }

type names = func(op *plan.Operation) *[]string

func last(list names, name string) func(op *plan.Operation) bool {
	return func(op *plan.Operation) bool {
		had := *list(op) != nil
		if had {
			(*list(op))[len(*list(op))-1] = name
		}
		return had
	}
}

func added(list names, name string) func(op *plan.Operation) bool {
	return func(op *plan.Operation) bool {
		*list(op) = append(*list(op), name)
		return true
	}
}

// fewer drops the name at an end of a list that has more.
func fewer(list names, first bool) func(op *plan.Operation) bool {
	return func(op *plan.Operation) bool {
		all := *list(op)
		if len(all) < 2 {
			return false
		}
		if *list(op) = all[:len(all)-1]; first {
			*list(op) = all[1:]
		}
		return true
	}
}

func none(list names) func(op *plan.Operation) bool {
	return func(op *plan.Operation) bool {
		had := *list(op) != nil
		*list(op) = nil
		return had
	}
}

// turned moves the names of one list into another that is empty.
func turned(from, to names) func(op *plan.Operation) bool {
	return func(op *plan.Operation) bool {
		could := *from(op) != nil && *to(op) == nil
		if could {
			*to(op), *from(op) = *from(op), nil
		}
		return could
	}
}

// taken gives an operation the names that another has in a list.
func taken(list names) func(op, other *plan.Operation) bool {
	return func(op, other *plan.Operation) bool {
		had := *list(other) != nil
		*list(op) = append(*list(op), *list(other)...)
		return had
	}
}

func exchanged(list names) func(op, other *plan.Operation) bool {
	return func(op, other *plan.Operation) bool {
		*list(op), *list(other) = *list(other), *list(op)
		return true
	}
}

// moved takes the last name of an operation's list to another's.
func moved(list names) func(op, other *plan.Operation) bool {
	return func(op, other *plan.Operation) bool {
		from := *list(op)
		if len(from) < 2 {
			return false
		}
		*list(other) = append(*list(other), from[len(from)-1])
		*list(op) = from[:len(from)-1]
		return true
	}
}

var nameMutations = []mutation{
	one("SKU not said", last(skusOf, "QX99")),
	one("SKU with a digit more", func(op *plan.Operation) bool {
		had := op.Filter.SKUs != nil
		if had {
			op.Filter.SKUs[0] += "0"
		}
		return had
	}),
	one("SKU added", added(skusOf, "QX99")),
	one("first SKU dropped", fewer(skusOf, true)),
	one("last SKU dropped", fewer(skusOf, false)),
	one("all SKUs dropped", none(skusOf)),
	one("category not said", last(categoriesOf, "zeppelins")),
	one("category added", added(categoriesOf, "zeppelins")),
	one("first category dropped", fewer(categoriesOf, true)),
	one("last category dropped", fewer(categoriesOf, false)),
	one("all categories dropped", none(categoriesOf)),
	one("category left out", turned(categoriesOf, excludedCategoriesOf)),
	one("SKU left out", turned(skusOf, excludedSKUsOf)),
	one("category made a SKU", turned(categoriesOf, skusOf)),
	one("SKU made a category", turned(skusOf, categoriesOf)),
	one("left-out categories dropped", none(excludedCategoriesOf)),
	one("left-out SKUs dropped", none(excludedSKUsOf)),
	one("first left-out category dropped", fewer(excludedCategoriesOf, true)),
	one("last left-out category dropped", fewer(excludedCategoriesOf, false)),
	one("first left-out SKU dropped", fewer(excludedSKUsOf, true)),
	one("last left-out SKU dropped", fewer(excludedSKUsOf, false)),
	one("left-out SKU added", added(excludedSKUsOf, "QX99")),
	one("left-out category added", added(excludedCategoriesOf, "zeppelins")),
	one("left-out category meant", turned(excludedCategoriesOf, categoriesOf)),
	one("left-out SKU meant", turned(excludedSKUsOf, skusOf)),
	one("category made a brand", turned(categoriesOf, brandsOf)),
	one("category made a tag", turned(categoriesOf, tagsOf)),
	one("category looked for in the name", turned(categoriesOf, phrasesOf)),
	one("left-out category made a brand", turned(excludedCategoriesOf, excludedBrandsOf)),
	one("left-out category made a tag", turned(excludedCategoriesOf, excludedTagsOf)),
	one("left-out category looked for in the name", turned(excludedCategoriesOf, excludedPhrasesOf)),
	one("brand added", added(brandsOf, "Zeppelin")),
	one("tag added", added(tagsOf, "zeppelins")),
	one("words of the name added", added(phrasesOf, "zeppelin air")),
	two("categories of another rule too", taken(categoriesOf)),
	two("SKUs of another rule too", taken(skusOf)),
	two("left-out categories of another rule too", taken(excludedCategoriesOf)),
	two("left-out SKUs of another rule too", taken(excludedSKUsOf)),
	two("categories of two rules exchanged", exchanged(categoriesOf)),
	two("SKUs of two rules exchanged", exchanged(skusOf)),
	two("left-out categories moved to another rule", exchanged(excludedCategoriesOf)),
	two("left-out SKUs moved to another rule", exchanged(excludedSKUsOf)),
	two("category moved to another rule", moved(categoriesOf)),
	two("SKU moved to another rule", moved(skusOf)),
	two("left-out name moved to another rule", moved(excludedCategoriesOf)),
}

// field is an optional element of an operation, as a decimal.
type field = func(op *plan.Operation) **plan.Decimal

func lowerOf(op *plan.Operation) **plan.Decimal  { return &op.Filter.PriceGTE }
func upperOf(op *plan.Operation) **plan.Decimal  { return &op.Filter.PriceLTE }
func floorOf(op *plan.Operation) **plan.Decimal  { return &op.Options.MinPrice }
func capOf(op *plan.Operation) **plan.Decimal    { return &op.Options.MaxPrice }
func stepOf(op *plan.Operation) **plan.Decimal   { return &op.Options.RoundStep }
func endingOf(op *plan.Operation) **plan.Decimal { return &op.Options.PriceEnding }

func dropped(f field) func(op *plan.Operation) bool {
	return func(op *plan.Operation) bool {
		had := *f(op) != nil
		*f(op) = nil
		return had
	}
}

func invented(f field, value string) func(op *plan.Operation) bool {
	return func(op *plan.Operation) bool {
		had := *f(op) != nil
		d := plan.MustDecimal(value)
		*f(op) = &d
		return !had && op.Action.Type != plan.SetStock
	}
}

// altered sets an element to another value.
func altered(f field, value string) func(op *plan.Operation) bool {
	return func(op *plan.Operation) bool {
		had := *f(op) != nil
		d := plan.MustDecimal(value)
		*f(op) = &d
		return had
	}
}

// shifted moves a value by units of its last digit, or by cents.
func shifted(f field, by int64) func(op *plan.Operation) bool {
	return func(op *plan.Operation) bool {
		if *f(op) == nil {
			return false
		}
		scale := max((*f(op)).Scale(), plan.DefaultRoundTo)
		scaled := (*f(op)).Scaled(scale)
		scaled.SetInt64(scaled.Int64() + by)
		d, err := plan.FromScaled(scaled, scale)
		*f(op) = &d
		return err == nil && scaled.Sign() >= 0
	}
}

func becomes(from, to field) func(op *plan.Operation) bool {
	return func(op *plan.Operation) bool {
		could := *from(op) != nil && *to(op) == nil
		*from(op), *to(op) = *to(op), *from(op)
		return could
	}
}

func movedTo(f field) func(op, other *plan.Operation) bool {
	return func(op, other *plan.Operation) bool {
		*f(op), *f(other) = *f(other), *f(op)
		return true
	}
}

func borrowed(f field) func(op, other *plan.Operation) bool {
	return func(op, other *plan.Operation) bool {
		had := *f(other) != nil
		*f(op) = *f(other)
		return had
	}
}

var conditionMutations = []mutation{
	one("lower bound changed", altered(lowerOf, "0.07")),
	one("upper bound changed", altered(upperOf, "7777.77")),
	one("lower bound a cent higher", shifted(lowerOf, 1)),
	one("lower bound a cent lower", shifted(lowerOf, -1)),
	one("upper bound a cent higher", shifted(upperOf, 1)),
	one("upper bound a cent lower", shifted(upperOf, -1)),
	one("lower bound dropped", dropped(lowerOf)),
	one("upper bound dropped", dropped(upperOf)),
	one("lower bound invented", invented(lowerOf, "3")),
	one("upper bound invented", invented(upperOf, "3")),
	one("lower bound made upper", becomes(lowerOf, upperOf)),
	one("upper bound made lower", becomes(upperOf, lowerOf)),
	two("lower bound moved to another rule", movedTo(lowerOf)),
	two("upper bound moved to another rule", movedTo(upperOf)),
	two("lower bound of another rule too", borrowed(lowerOf)),
	two("upper bound of another rule too", borrowed(upperOf)),
	one("stock condition reversed", func(op *plan.Operation) bool {
		if op.Filter.InStock == nil {
			return false
		}
		other := !*op.Filter.InStock
		op.Filter.InStock = &other
		return true
	}),
	one("stock condition dropped", func(op *plan.Operation) bool {
		had := op.Filter.InStock != nil
		op.Filter.InStock = nil
		return had
	}),
	all("stock condition invented", func(p *plan.Plan, op *plan.Operation) bool {
		had := slices.ContainsFunc(p.Operations, func(o plan.Operation) bool { return o.Filter.InStock != nil })
		in := true
		op.Filter.InStock = &in
		return !had
	}),
	two("stock condition moved to another rule", func(op, other *plan.Operation) bool {
		op.Filter.InStock, other.Filter.InStock = other.Filter.InStock, op.Filter.InStock
		return true
	}),
	two("stock condition of another rule too", func(op, other *plan.Operation) bool {
		had := other.Filter.InStock != nil
		op.Filter.InStock = other.Filter.InStock
		return had
	}),
	two("conditions of another rule", func(op, other *plan.Operation) bool {
		op.Filter = other.Filter
		return true
	}),
}

var optionMutations = []mutation{
	one("not below cost invented", func(op *plan.Operation) bool {
		had := op.Options.NotBelowCost
		op.Options.NotBelowCost = true
		return !had && op.Action.Type != plan.SetStock
	}),
	one("floor invented", invented(floorOf, "3")),
	one("cap invented", invented(capOf, "777")),
	one("ending invented", invented(endingOf, "0.99")),
	one("step invented", invented(stepOf, "5")),
	one("rounding up invented", func(op *plan.Operation) bool {
		op.Options.Rounding = plan.RoundUp
		return op.Action.Type != plan.SetStock && op.Action.Type != plan.EndSale
	}),
	one("floor changed", altered(floorOf, "0.07")),
	one("cap changed", altered(capOf, "7777.77")),
	one("ending changed", altered(endingOf, "0.07")),
	one("floor dropped", dropped(floorOf)),
	one("cap dropped", dropped(capOf)),
	one("ending dropped", dropped(endingOf)),
	one("floor made a cap", becomes(floorOf, capOf)),
	one("cap made a floor", becomes(capOf, floorOf)),
	one("floor made a bound", becomes(floorOf, lowerOf)),
	one("cap made a bound", becomes(capOf, upperOf)),
	one("bound made a floor", becomes(lowerOf, floorOf)),
	one("bound made a cap", becomes(upperOf, capOf)),
	two("floor moved to another rule", movedTo(floorOf)),
	two("cap moved to another rule", movedTo(capOf)),
	two("ending moved to another rule", movedTo(endingOf)),
	two("floor of another rule too", borrowed(floorOf)),
	two("cap of another rule too", borrowed(capOf)),
	two("ending of another rule too", borrowed(endingOf)),
	one("rounding changed", func(op *plan.Operation) bool {
		four := 4
		op.Options.RoundTo = &four
		return op.Action.Type != plan.SetStock
	}),
	one("rounding dropped", func(op *plan.Operation) bool {
		had := op.Options.Digits() != plan.DefaultRoundTo
		op.Options.RoundTo = nil
		return had
	}),
	one("rounding invented", func(op *plan.Operation) bool {
		had := op.Options.Digits() != plan.DefaultRoundTo
		whole := 0
		op.Options.RoundTo = &whole
		return !had && op.Action.Type != plan.SetStock
	}),
	two("rounding moved to another rule", func(op, other *plan.Operation) bool {
		op.Options.RoundTo, other.Options.RoundTo = other.Options.RoundTo, op.Options.RoundTo
		return true
	}),
	two("rounding of another rule too", func(op, other *plan.Operation) bool {
		op.Options.RoundTo = other.Options.RoundTo
		return op.Action.Type != plan.SetStock
	}),
}

var operationMutations = []mutation{
	all("rule dropped", func(p *plan.Plan, op *plan.Operation) bool {
		p.Operations = slices.DeleteFunc(p.Operations, func(o plan.Operation) bool { return o.OperationID == op.OperationID })
		return len(p.Operations) > 0
	}),
	all("rule for all products added", func(p *plan.Plan, _ *plan.Operation) bool {
		p.Operations = append(p.Operations, plan.Operation{OperationID: "op_99", Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("99")}})
		return true
	}),
	all("rule twice", func(p *plan.Plan, op *plan.Operation) bool {
		again := *op
		again.OperationID = "op_99"
		p.Operations = append(p.Operations, again)
		return true
	}),
	all("rule for all products too", func(p *plan.Plan, op *plan.Operation) bool {
		again := *op
		again.OperationID, again.Filter = "op_99", plan.Filter{}
		p.Operations = append(p.Operations, again)
		return true
	}),
	two("order of two rules exchanged", func(op, other *plan.Operation) bool {
		*op, *other = *other, *op
		return true
	}),
}
