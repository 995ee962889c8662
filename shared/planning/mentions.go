package planning

import (
	"iter"
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
)

// mentioned is a category or SKU where the instruction mentions it.
type mentioned struct {
	text     string
	spelling english.Spelling // of a category
	sku      bool
	again    bool // "which" takes it up for a rule of its own
	out      bool // left out
	excepted bool // no category, and left out of the rule it stands in
	leads    bool // it leads its sentence: "for toys: ..."
	used     bool
	at       int // the symbol
	chunk    *chunk
	listed   []*plan.Operation // that name it among their products
	excluded []*plan.Operation // that name it among those they leave out
}

// listedTogether reports whether an operation names both among its products.
func (n *mentioned) listedTogether(other *mentioned) bool {
	return slices.ContainsFunc(n.listed, func(op *plan.Operation) bool { return slices.Contains(other.listed, op) })
}

// link finds for every name in the plan where the instruction mentions it, and
// for every mention the operations that name it. Each category is compared with
// the mentions once, and what asks for either afterwards looks it up.
func (g *grounding) link() {
	skus := 0
	for i := range g.mentions {
		if g.mentions[i].sku {
			skus++
		}
	}
	g.categories, g.skus = make(map[string][]*mentioned, len(g.mentions)-skus), make(map[string][]*mentioned, skus)
	g.asking, g.inSentence = make(map[plan.Action][]*said, len(g.actions)), make([][]*mentioned, g.sentences)
	g.asked = make([]int, g.sentences)
	for i, s := range g.actions {
		asked := kindOf(plan.Action{Type: s.kind, Value: s.value, Stock: s.stock})
		g.asking[asked] = with(g.asking[asked], g.actions, i)
		g.asked[s.chunk.sentence]++
	}
	mentions := make([]*mentioned, len(g.mentions))
	for i := range g.mentions {
		n := &g.mentions[i]
		mentions[i] = n
		g.inSentence[n.chunk.sentence] = with(g.inSentence[n.chunk.sentence], mentions, i)
		if n.out {
			g.leftOut = append(g.leftOut, n)
		}
		named := g.categories
		if n.sku {
			named = g.skus
		}
		named[n.text] = with(named[n.text], mentions, i)
	}
	g.shaped, g.ofAllRules = g.shapedAlone(), g.stockOfAll()
	g.boundsOfAll()
	g.linkOperations()
}

// linkOperations links the operations of the plan and the mentions of their names.
func (g *grounding) linkOperations() {
	operations, of := make([]*plan.Operation, len(g.plan.Operations)), make([]traced, len(g.plan.Operations))
	g.traced = make(map[*plan.Operation]*traced, len(of))
	listing := make([]*mentioned, 0, len(g.mentions)) // one operation after the other
	for i := range g.plan.Operations {
		op, from := &g.plan.Operations[i], len(listing)
		operations[i], g.traced[op] = op, &of[i]
		for n := range g.mentionsOf(op.Filter.Categories, op.Filter.SKUs) {
			if last := len(n.listed) - 1; last < 0 || n.listed[last] != op {
				n.listed = with(n.listed, operations, i)
				listing = append(listing, n)
			}
		}
		of[i].listing = slices.Clip(listing[from:])
		for n := range g.mentionsOf(op.Filter.ExcludeCategories, op.Filter.ExcludeSKUs) {
			if !n.excludedBy(op) {
				n.excluded = with(n.excluded, operations, i)
			}
		}
	}
}

// with is a list with one more of all. A list of one, as most are, is a part of all,
// and takes no memory of its own.
func with[T any](list, all []T, i int) []T {
	if len(list) == 0 {
		return all[i : i+1 : i+1]
	}
	return append(list, all[i])
}

// kindOf is an action without what it does not go by.
func kindOf(a plan.Action) plan.Action {
	if a.Type == plan.SetStock {
		return plan.Action{Type: a.Type, Stock: a.Stock}
	}
	return plan.Action{Type: a.Type, Value: a.Value}
}

// askedIn returns how many actions a sentence asks for.
func (g *grounding) askedIn(sentence int) int { return g.asked[sentence] }

// mentionsOf yields where categories and SKUs of a plan are mentioned.
func (g *grounding) mentionsOf(categories, skus []string) iter.Seq[*mentioned] {
	return func(yield func(*mentioned) bool) {
		for _, category := range categories {
			for _, n := range g.meaning(category) {
				if !yield(n) {
					return
				}
			}
		}
		for _, sku := range skus {
			for _, n := range g.skus[sku] {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// meaning returns the mentions of a category: those that write it as it is, or
// else those that read the same, for golf bags are no golf balls.
func (g *grounding) meaning(category string) []*mentioned {
	found, known := g.categories[category]
	if known {
		return found
	}
	spelling := g.known.Spell(category)
	for i := range g.mentions {
		if n := &g.mentions[i]; !n.sku && n.spelling.Same(spelling) {
			found = append(found, n)
		}
	}
	g.categories[category] = found
	return found
}

func (n *mentioned) listedBy(op *plan.Operation) bool   { return slices.Contains(n.listed, op) }
func (n *mentioned) excludedBy(op *plan.Operation) bool { return slices.Contains(n.excluded, op) }
