package planning

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

// Ground reports what in a plan cannot be traced back to its instruction, and
// what the instruction asks that the plan does not hold; nil where everything
// matches. It is a pure function and knows nothing of how the plan was made:
// it compares lists of what both sides say, one kind of element after another:
//
//   - the numbers, each in its role: the amount of a change with its unit and
//     direction, a bound, a floor or cap, a rounding, an ending
//   - the categories and SKUs, and whether they are meant or left out
//   - the stock conditions, and the stock that is set
//   - what no plan can do: dates, ranges of SKUs, vague amounts
//
// Categories may differ in case, number and a slip of the pen from how the
// instruction writes them. The error is errs.Invalid; its message has one
// sentence for each thing that fails.
func Ground(instruction string, p *plan.Plan) error {
	evidence := gather(instruction, p)
	g := grounding{evidence: evidence, plan: p}
	g.link()
	g.impossible()
	for i := range p.Operations {
		g.operation(&p.Operations[i])
		g.twice(i)
	}
	g.everythingUsed()
	if len(g.problems) == 0 {
		return nil
	}
	return errs.New(errs.Invalid, "%s", strings.Join(g.problems, " "))
}

// grounding collects what fails.
type grounding struct {
	*evidence
	plan       *plan.Plan
	categories map[string][]*mentioned // by the category of the plan that they mean
	skus       map[string][]*mentioned
	problems   []string
}

const maxProblems = 20

func (g *grounding) problem(parts ...string) {
	text := strings.Join(parts, "")
	if len(g.problems) < maxProblems && !slices.Contains(g.problems, text) {
		g.problems = append(g.problems, text)
	}
}

// impossible names the words of the instruction that no plan can fulfil.
func (g *grounding) impossible() {
	for _, word := range g.refused {
		g.problem("The instruction says ", word, ", which no plan can express.")
	}
}

// operation checks that everything in an operation was said.
func (g *grounding) operation(op *plan.Operation) {
	id := op.OperationID
	action := g.action(op)
	if action == nil {
		g.problem(id, ": the instruction does not ask for ", describe(op.Action), ".")
	}
	g.names(op, action)
	g.stock(op)
	g.bounds(op)
	g.options(op)
}

func describe(a plan.Action) string {
	switch a.Type {
	case plan.SetStock:
		if a.Stock {
			return "products to be in stock"
		}
		return "products to be out of stock"
	case plan.SetPrice:
		return "a price of " + a.Value.String()
	}
	return string(a.Type) + " " + a.Value.String()
}

// action finds where the instruction asks for the operation's action.
func (g *grounding) action(op *plan.Operation) *said {
	var found *said
	for _, s := range g.actions {
		if !s.asksFor(op.Action) {
			continue
		}
		s.used = true
		if found == nil || g.speaksOf(s, &op.Filter) && !g.speaksOf(found, &op.Filter) {
			found = s
		}
	}
	if found == nil && g.shapesOnly(op) {
		return &said{}
	}
	return found
}

// shapesOnly allows the two operations that only shape: a change of 0% that
// rounds or ends prices, and a price set where a floor or cap begins.
func (g *grounding) shapesOnly(op *plan.Operation) bool {
	if op.Action.Type == plan.PercentIncrease && op.Action.Value.IsZero() {
		return len(g.roundings)+len(g.endings) > 0
	}
	value, f := op.Action.Value, &op.Filter
	return op.Action.Type == plan.SetPrice &&
		(use(g.floors, value) && f.PriceLTE != nil && f.PriceLTE.Cmp(value) == 0 || use(g.caps, value) && f.PriceGTE != nil && f.PriceGTE.Cmp(value) == 0)
}

// speaksOf reports whether an action stands near all the names of a filter. One
// without a name in its own chunk speaks of any.
func (g *grounding) speaksOf(s *said, f *plan.Filter) bool {
	if s.chunk == nil || !s.chunk.names {
		return true
	}
	for _, name := range f.Categories {
		if !slices.ContainsFunc(g.categories[name], s.near) {
			return false
		}
	}
	for _, sku := range f.SKUs {
		if !slices.ContainsFunc(g.skus[sku], s.near) {
			return false
		}
	}
	return true
}

// names checks the categories and SKUs of an operation.
func (g *grounding) names(op *plan.Operation, action *said) {
	for _, category := range op.Filter.Categories {
		g.named(op, category, false, g.categories[category])
	}
	for _, sku := range op.Filter.SKUs {
		g.named(op, sku, false, g.skus[sku])
	}
	for _, category := range op.Filter.ExcludeCategories {
		g.named(op, category, true, g.categories[category])
	}
	for _, sku := range op.Filter.ExcludeSKUs {
		g.named(op, sku, true, g.skus[sku])
	}
	if f := &op.Filter; f.Categories == nil && f.SKUs == nil && f.InStock == nil && f.PriceGTE == nil && f.PriceLTE == nil && !g.every {
		g.problem(op.OperationID, ": the instruction does not speak of all products.")
	}
	g.leftAlone(op)
	g.ledBy(op, action)
	if action == nil || action.chunk == nil {
		return
	}
	if op.Filter.Categories == nil && op.Filter.SKUs == nil && g.goesOn(action.chunk) {
		g.problem(op.OperationID, ": the instruction asks for ", describe(op.Action), " for the products it named before.")
	}
	if action.chunk.pronoun && op.Filter.Categories == nil && op.Filter.SKUs == nil && slices.ContainsFunc(g.mentions, func(n mentioned) bool { return !n.out }) {
		g.problem(op.OperationID, ": the instruction asks for ", describe(op.Action), " for the products it named before.")
	}
	if action.chunk.rest {
		g.restOf(op, action)
	} else if !g.speaksOf(action, &op.Filter) && !g.rest {
		g.problem(op.OperationID, ": the instruction asks for ", describe(op.Action), " for other products.")
	}
}

// goesOn reports whether a part of a sentence names no products and goes on
// about those that the parts before it named: "yoga under $20 by 10% and over
// $50 by 5%".
func (g *grounding) goesOn(c *chunk) bool {
	before := false
	for i := range g.mentions {
		n := &g.mentions[i]
		if n.chunk.sentence == c.sentence && !n.out {
			if n.chunk.index >= c.index {
				return false
			}
			before = true
		}
	}
	return before && !c.every && !c.rest
}

// restOf checks that "everything else" leaves out what was named before.
func (g *grounding) restOf(op *plan.Operation, action *said) {
	f := &op.Filter
	for i := range g.mentions {
		n := &g.mentions[i]
		before := n.chunk.sentence < action.chunk.sentence || n.chunk.sentence == action.chunk.sentence && n.chunk.index < action.chunk.index
		if n.chunk == action.chunk && !n.out && !n.listedBy(op) {
			g.problem(op.OperationID, ": the instruction asks for ", describe(op.Action), " for ", quoted(n.text), ".")
		}
		if n.out && !n.chunk.acts() && n.listedBy(op) {
			g.problem(op.OperationID, ": the instruction leaves out ", quoted(n.text), ".")
		}
		if !before || n.out {
			continue
		}
		listed := n.sku && f.SKUs != nil || !n.sku && f.Categories != nil
		if n.listedBy(op) || !n.excludedBy(op) && !listed {
			g.problem(op.OperationID, ": the instruction leaves out ", quoted(n.text), ".")
		}
	}
}

// ledBy checks that a condition on the stock that begins a sentence holds for
// the operation.
func (g *grounding) ledBy(op *plan.Operation, action *said) {
	if action == nil || action.chunk == nil {
		return
	}
	for i := range g.stocks {
		s := &g.stocks[i]
		if s.leads && s.sentence == action.chunk.sentence && (op.Filter.InStock == nil || *op.Filter.InStock != s.means) {
			g.problem(op.OperationID, ": the instruction has the condition ", s.text, " there too.")
		}
	}
}

// leftAlone checks that what a sentence of its own leaves alone is left out of
// every change of prices.
func (g *grounding) leftAlone(op *plan.Operation) {
	f := &op.Filter
	for i := range g.mentions {
		n := &g.mentions[i]
		listed := n.sku && f.SKUs != nil || !n.sku && f.Categories != nil
		leaves := n.excludedBy(op) || listed && !n.listedBy(op)
		if n.out && !leaves && op.Action.Type != plan.SetStock && g.alone(n.chunk.sentence) && !g.conditioned(n) {
			g.problem(op.OperationID, ": the instruction leaves out ", quoted(n.text), ".")
		}
	}
}

// conditioned reports whether a name that is left out stands beside a stock
// word or a bound, so that only some of its products are meant.
func (g *grounding) conditioned(n *mentioned) bool {
	return slices.ContainsFunc(g.stocks, func(s stock) bool { return s.sentence == n.chunk.sentence }) ||
		slices.ContainsFunc(g.numbers, func(m *number) bool { return m.sentence == n.chunk.sentence })
}

// servesChunk reports whether the name is in an operation that does what its
// own part of the sentence asks for.
func (n *mentioned) servesChunk() bool {
	for _, op := range n.listed {
		if slices.ContainsFunc(n.chunk.actions, func(s *said) bool { return s.asksFor(op.Action) }) {
			return true
		}
	}
	return false
}

// named checks one name. What is left out must be left out by the instruction,
// or belong to another operation.
func (g *grounding) named(op *plan.Operation, name string, out bool, mentions []*mentioned) {
	fits := false
	for _, n := range mentions {
		if n.out == out || g.rest || out && g.elsewhere(op, name) {
			n.used, fits = true, true
		}
	}
	switch {
	case fits:
	case mentions == nil:
		g.problem(op.OperationID, ": ", name, " is not in the instruction.")
	case out:
		g.problem(op.OperationID, ": the instruction does not leave out ", name, ".")
	default:
		g.problem(op.OperationID, ": the instruction leaves out ", name, ".")
	}
}

func (g *grounding) elsewhere(op *plan.Operation, name string) bool {
	for i := range g.plan.Operations {
		other := &g.plan.Operations[i]
		same := g.but || other.Action == op.Action
		if other != op && same && (slices.Contains(other.Filter.Categories, name) || slices.Contains(other.Filter.SKUs, name)) {
			return true
		}
	}
	return false
}

func (g *grounding) stock(op *plan.Operation) {
	if op.Filter.InStock == nil {
		return
	}
	for i := range g.stocks {
		s := &g.stocks[i]
		if !s.sets && (s.means == *op.Filter.InStock || g.rest) {
			s.used = true
			return
		}
	}
	g.problem(op.OperationID, ": the instruction has no such condition on the stock.")
}

func (g *grounding) bounds(op *plan.Operation) {
	f := &op.Filter
	shaped := op.Action.Type == plan.SetPrice && g.action(op) != nil && g.shapesOnly(op)
	if f.PriceGTE != nil && !(shaped && f.PriceGTE.Cmp(op.Action.Value) == 0) && !use(g.lower, *f.PriceGTE) {
		g.problem(op.OperationID, ": the instruction has no lower bound that means ", f.PriceGTE.String(), ".")
	}
	if f.PriceLTE != nil && !(shaped && f.PriceLTE.Cmp(op.Action.Value) == 0) && !use(g.upper, *f.PriceLTE) {
		g.problem(op.OperationID, ": the instruction has no upper bound that means ", f.PriceLTE.String(), ".")
	}
}

func (g *grounding) options(op *plan.Operation) {
	o := &op.Options
	if o.PriceEnding != nil && !use(g.endings, *o.PriceEnding) {
		g.problem(op.OperationID, ": the instruction asks for no ending of ", o.PriceEnding.String(), ".")
	}
	if o.MinPrice != nil && !use(g.floors, *o.MinPrice) {
		g.problem(op.OperationID, ": the instruction has no floor of ", o.MinPrice.String(), ".")
	}
	if o.MaxPrice != nil && !use(g.caps, *o.MaxPrice) {
		g.problem(op.OperationID, ": the instruction has no cap of ", o.MaxPrice.String(), ".")
	}
	if op.Action.Type == plan.SetStock {
		return
	}
	g.wholeOptions(op)
	asked := false
	for i := range g.roundings {
		if g.roundings[i].digits == o.Digits() {
			g.roundings[i].used, asked = true, true
		}
	}
	if !asked && o.Digits() != plan.DefaultRoundTo {
		g.problem(op.OperationID, ": the instruction asks for no such rounding.")
	}
}

// alone reports whether nothing but a way to shape prices, or products to leave
// alone, is in a sentence: then it holds for every rule.
func (g *grounding) alone(sentence int) bool {
	return !slices.ContainsFunc(g.actions, func(s *said) bool { return s.chunk.sentence == sentence })
}

// wholeOptions checks that what a sentence of its own says of prices holds for
// the operation, if that changes prices by an amount.
func (g *grounding) wholeOptions(op *plan.Operation) {
	if op.Action.Type == plan.SetPrice || op.Action.Value.IsZero() || g.elsewhereShaped() {
		return
	}
	o := &op.Options
	for _, kind := range []struct {
		said []*number
		have *plan.Decimal
	}{{g.floors, o.MinPrice}, {g.caps, o.MaxPrice}, {g.endings, o.PriceEnding}} {
		for _, n := range kind.said {
			if g.alone(n.sentence) && (kind.have == nil || kind.have.Cmp(n.value) != 0) {
				g.problem(op.OperationID, ": the instruction asks for ", n.text, " there too.")
			}
		}
	}
	for i := range g.roundings {
		if r := &g.roundings[i]; g.alone(r.sentence) && r.digits != o.Digits() {
			g.problem(op.OperationID, ": the instruction asks for rounding as ", r.text, " says there too.")
		}
	}
}

// elsewhereShaped reports whether an operation only shapes: then a sentence
// that does so is about that one's products.
func (g *grounding) elsewhereShaped() bool {
	for i := range g.plan.Operations {
		if g.shapesOnly(&g.plan.Operations[i]) {
			return true
		}
	}
	return false
}

// use marks the elements that mean the value as used, and reports whether
// there was one.
func use(elements []*number, value plan.Decimal) bool {
	found := false
	for _, e := range elements {
		if e.value == value {
			e.use()
			found = true
		}
	}
	return found
}

// twice checks that no product is changed by two operations, unless the
// instruction says "then" or the second sets what the first changed.
func (g *grounding) twice(i int) {
	op := &g.plan.Operations[i]
	if op.Filter.Categories != nil && op.Filter.SKUs != nil {
		g.problem(op.OperationID, ": it takes only those of the SKUs that are in the categories, which the instruction does not say.")
	}
	for k := range i {
		first := &g.plan.Operations[k]
		sets := op.Action.Type == plan.SetStock || op.Action.Type == plan.SetPrice && narrows(&op.Filter)
		if !g.then && !sets && (first.Action.Type == plan.SetStock) == (op.Action.Type == plan.SetStock) && overlap(&first.Filter, &op.Filter) {
			g.problem(first.OperationID, " and ", op.OperationID, " can change the same product, which the instruction does not ask for.")
		}
	}
}

func narrows(f *plan.Filter) bool { return f.SKUs != nil || f.Categories != nil }

// overlap reports whether a row can fulfil both filters as it stands.
func overlap(a, b *plan.Filter) bool {
	stockApart := a.InStock != nil && b.InStock != nil && *a.InStock != *b.InStock
	above := a.PriceLTE != nil && b.PriceGTE != nil && a.PriceLTE.Cmp(*b.PriceGTE) < 0
	below := a.PriceGTE != nil && b.PriceLTE != nil && a.PriceGTE.Cmp(*b.PriceLTE) > 0
	return !disjoint(a, b) && !stockApart && !above && !below
}

// everythingUsed checks that everything the instruction says is in the plan.
func (g *grounding) everythingUsed() {
	for _, s := range g.actions {
		if !s.used {
			g.problem("The plan does not do what ", s.text, " asks for.")
		}
	}
	for _, n := range g.numbers {
		if !n.used {
			g.problem("The plan does not have what ", n.text, " asks for.")
		}
	}
	for i := range g.roundings {
		if r := &g.roundings[i]; !r.used {
			g.problem("The plan does not round as ", r.text, " asks for.")
		}
	}
	for i := range g.mentions {
		n := &g.mentions[i]
		if !n.used && !g.explained(n) {
			g.problem("The plan says nothing of ", quoted(n.text), ".")
		} else if !n.out && n.chunk.acts() && !n.chunk.rest && !n.servesChunk() {
			g.problem("The plan does not do to ", quoted(n.text), " what the instruction asks for.")
		}
	}
	for i := range g.stocks {
		if s := &g.stocks[i]; !s.used && !g.stockExplained(s) {
			g.problem("The plan says nothing of ", s.text, ".")
		}
	}
}

// explained reports whether a name may be missing from the plan: it is left
// out by the instruction, and every operation names other products.
func (g *grounding) explained(n *mentioned) bool {
	if !n.out {
		return false
	}
	for i := range g.plan.Operations {
		f := &g.plan.Operations[i].Filter
		byOther := n.sku && f.SKUs != nil || !n.sku && f.Categories != nil
		if !byOther {
			return false
		}
	}
	return true
}

// stockExplained: what is left out by its stock is missing where another
// condition says the same.
func (g *grounding) stockExplained(s *stock) bool {
	for i := range g.stocks {
		if other := &g.stocks[i]; other.used && other.sets == s.sets && other.means == s.means {
			return true
		}
	}
	return false
}

func quoted(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return `"` + text + `"`
}
