package planning

import (
	"slices"
	"strings"
	"sync"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
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
func Ground(instruction string, p *plan.Plan) error { return GroundAmong(instruction, p, nil) }

// GroundAmong is Ground where the categories of the catalogue are known: their
// names are names, whatever they are made of. nil is a list that is not known.
func GroundAmong(instruction string, p *plan.Plan, known *english.Categories) error {
	evidence := gather(instruction, p, known)
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
	g.stock(op, action)
	g.bounds(op, action)
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
	askedFor := sync.OnceValue(func() bool { return g.askedFor(op) })
	speaks := func(s *said) bool { return s.anywhere() || askedFor() }
	var found *said
	for _, s := range g.actions {
		if !s.asksFor(op.Action) {
			continue
		}
		s.used = true
		if found == nil || speaks(s) && !speaks(found) {
			found = s
		}
	}
	if found == nil && g.shapesOnly(op) {
		return &said{}
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

func quoted(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return `"` + text + `"`
}
