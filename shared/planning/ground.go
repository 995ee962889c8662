package planning

import (
	"cmp"
	"slices"
	"strings"

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
// An operation must do what one rule of the instruction asks for, with the names,
// conditions and shaping said in one breath with it; operations must not meddle
// with each other, and come in the order of the rules that say "then".
//
// Categories may differ in case, number and a slip of the pen from how the
// instruction writes them. The error is errs.Invalid; its message has one
// sentence for each thing that fails.
func Ground(instruction string, p *plan.Plan) error { return GroundAmong(instruction, p, nil) }

// GroundAmong is Ground where the categories of the catalogue are known: their
// names are names, whatever they are made of. nil is a list that is not known.
func GroundAmong(instruction string, p *plan.Plan, known *english.Categories) error {
	return GroundText(english.Scan(english.NewText(instruction), known), p)
}

// GroundText is GroundAmong for an instruction that is in symbols already.
func GroundText(text *english.Scanned, p *plan.Plan) error {
	evidence := gather(text, p)
	g := grounding{evidence: evidence, plan: p}
	g.link()
	g.impossible()
	for i := range p.Operations {
		g.operation(&p.Operations[i])
		g.apart(i)
	}
	g.inTurn()
	g.again()
	g.restComplete()
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
	leftOut    []*mentioned
	asked      []int                   // actions by sentence
	shaped     bool                    // an operation only shapes
	ofAllRules *stock                  // the condition that stands by itself, if any
	inSentence [][]*mentioned          // by sentence
	asking     map[plan.Action][]*said // for an action
	traced     map[*plan.Operation]*traced
	problems   []string
}

// traced is where the instruction says what an operation does.
type traced struct {
	listing []*mentioned // that are among its products
	fitting []*said      // that ask for it
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
	action := g.action(op)
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

// apart checks that operations do not meddle with each other. Without "then"
// each rule speaks of products as they stand: none changes what another has
// changed, or goes by it, but for a price or stock that is set for some.
// With it, they come in the order in which they are said.
func (g *grounding) apart(i int) {
	op := &g.plan.Operations[i]
	if op.Filter.Categories != nil && op.Filter.SKUs != nil {
		g.problem(op.OperationID, ": it takes only those of the SKUs that are in the categories, which the instruction does not say.")
	}
	alike := 1
	for k := range i {
		first := &g.plan.Operations[k]
		meet := overlap(&first.Filter, &op.Filter)
		if meet && first.Action == op.Action {
			alike++
		}
		if g.then && !commute(first, op) && g.saidBefore(op, first) {
			g.problem(op.OperationID, ": the instruction asks for it before ", first.OperationID, ".")
		}
		if !meet || (first.Action.Type == plan.SetStock) != (op.Action.Type == plan.SetStock) {
			continue
		}
		kindsApart := (first.Filter.SKUs == nil) != (op.Filter.SKUs == nil) && op.Action.Type == plan.SetStock // "mark A101 and all mugs"
		switch {
		case !g.then && op.Action.Type != plan.SetStock && !settles(op, first), !kindsApart && first.Action == op.Action && !g.saidTwice(first, op):
			g.problem(first.OperationID, " and ", op.OperationID, " can change the same product, which the instruction does not ask for.")
		}
	}
	if times := len(g.traced[op].fitting); alike > 2 && alike > times {
		g.problem(op.OperationID, ": it does once more what the instruction does not ask for as often.")
	}
}

// again checks that what is to be done once more is done once more to the same:
// "take 10% off mugs, then another 10%".
func (g *grounding) again() {
	for _, s := range g.actions {
		if !g.then || !s.anywhere() || s.chunk.every || s.chunk.rest || s.chunk.stocked || s.kind == plan.SetStock || s.kind == plan.SetPrice {
			continue
		}
		for i := range g.plan.Operations {
			op := &g.plan.Operations[i]
			earlier := slices.ContainsFunc(g.traced[op].fitting, func(first *said) bool { return first.at < s.at && first.chunk.sentence == s.chunk.sentence })
			twice := slices.ContainsFunc(g.plan.Operations, func(other plan.Operation) bool {
				return other.OperationID != op.OperationID && other.Action == op.Action && slices.Equal(other.Filter.Categories, op.Filter.Categories) && slices.Equal(other.Filter.SKUs, op.Filter.SKUs)
			})
			if s.asksFor(op.Action) && earlier && !twice {
				g.problem("The plan does not do again what ", s.text, " asks for after ", op.OperationID, ".")
			}
		}
	}
}

// saidTwice reports whether the instruction asks more than once for what both
// operations do. What asks for either is in its order.
func (g *grounding) saidTwice(a, b *plan.Operation) bool {
	shared := 0
	for x, y := g.traced[a].fitting, g.traced[b].fitting; len(x) > 0 && len(y) > 0; {
		switch order := cmp.Compare(x[0].at, y[0].at); {
		case order < 0:
			x = x[1:]
		case order > 0:
			y = y[1:]
		case shared > 0:
			return true
		default:
			shared++
			x, y = x[1:], y[1:]
		}
	}
	return false
}

// saidBefore reports whether an operation is asked for before another only.
func (g *grounding) saidBefore(a, b *plan.Operation) bool {
	x, y := g.traced[a].fitting, g.traced[b].fitting
	if len(x) > 0 && len(y) == 0 && g.shapesOnly(b) {
		return g.shapedAfter(b, x[len(x)-1])
	}
	return len(x) > 0 && len(y) > 0 && x[len(x)-1].at < y[0].at
}

// inTurn checks that each operation finds the products that are meant when its
// turn comes.
func (g *grounding) inTurn() {
	for turn := range plan.Turns(g.plan) {
		if !turn.Matches {
			g.problem(turn.OperationID, ": no product can match it when its turn comes.")
			continue
		}
		if g.then {
			continue
		}
		earlier := turn.After()
		if slices.ContainsFunc(earlier, func(first *plan.Operation) bool { return !settles(turn.Operation, first) }) {
			g.problem(turn.OperationID, ": it works on what ", operationIDs(earlier), " left, and the instruction speaks of products as they are.")
		}
	}
}

func operationIDs(operations []*plan.Operation) string {
	ids := make([]string, len(operations))
	for i, op := range operations {
		ids[i] = op.OperationID
	}
	return strings.Join(ids, ", ")
}

// settles reports whether an operation sets a price or stock, whatever it was
// before, for fewer products than another.
func settles(op, first *plan.Operation) bool {
	f := &op.Filter
	sets := op.Action.Type == plan.SetPrice && f.PriceGTE == nil && f.PriceLTE == nil || op.Action.Type == plan.SetStock && f.InStock == nil
	return sets && first.Filter.SKUs == nil && (f.SKUs != nil || f.Categories != nil && first.Filter.Categories == nil)
}

func narrows(f *plan.Filter) bool { return f.SKUs != nil || f.Categories != nil }

// overlap reports whether a row can fulfil both filters as it stands.
func overlap(a, b *plan.Filter) bool {
	stockApart := a.InStock != nil && b.InStock != nil && *a.InStock != *b.InStock
	return !stockApart && !disjoint(a, b) && !below(a, b) && !below(b, a)
}

// below reports whether all prices of a filter are below those of another.
func below(a, b *plan.Filter) bool {
	return a.PriceLTE != nil && b.PriceGTE != nil && a.PriceLTE.Cmp(*b.PriceGTE) < 0
}

// everythingUsed checks that everything the instruction says is in the plan.
func (g *grounding) everythingUsed() {
	for _, s := range g.actions {
		if !s.used {
			g.problem("The plan does not do what ", s.text, " asks for.")
		}
	}
	for _, n := range g.numbers {
		if !n.used && !g.keptOff(n) {
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
		} else if !n.out && !g.served(n) {
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

// ClassUngrounded is the class of the question about a plan that cannot be traced
// to its instruction.
const ClassUngrounded = "ungrounded"
