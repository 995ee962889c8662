package planning

import (
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
	of := make([]traced, len(g.plan.Operations))
	g.traced = make(map[*plan.Operation]*traced, len(of))
	g.asking, g.inSentence = make(map[plan.Action][]*said, len(g.actions)), make([][]*mentioned, g.sentences)
	g.asked = make([]int, g.sentences)
	for _, s := range g.actions {
		asked := kindOf(plan.Action{Type: s.kind, Value: s.value, Stock: s.stock})
		g.asking[asked] = append(g.asking[asked], s)
		g.asked[s.chunk.sentence]++
	}
	for i := range g.mentions {
		n := &g.mentions[i]
		g.inSentence[n.chunk.sentence] = append(g.inSentence[n.chunk.sentence], n)
		if n.out {
			g.leftOut = append(g.leftOut, n)
		}
		named := g.categories
		if n.sku {
			named = g.skus
		}
		named[n.text] = append(named[n.text], n)
	}
	g.shaped, g.ofAllRules = g.shapedAlone(), g.stockOfAll()
	for i := range g.plan.Operations {
		op := &g.plan.Operations[i]
		g.traced[op] = &of[i]
		for _, n := range g.mentionsOf(op.Filter.Categories, op.Filter.SKUs) {
			if !n.listedBy(op) {
				n.listed = append(n.listed, op)
				of[i].listing = append(of[i].listing, n)
			}
		}
		for _, n := range g.mentionsOf(op.Filter.ExcludeCategories, op.Filter.ExcludeSKUs) {
			if !n.excludedBy(op) {
				n.excluded = append(n.excluded, op)
			}
		}
	}
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

// mentionsOf returns where categories and SKUs of a plan are mentioned.
func (g *grounding) mentionsOf(categories, skus []string) []*mentioned {
	var found []*mentioned
	for _, category := range categories {
		found = append(found, g.meaning(category)...)
	}
	for _, sku := range skus {
		found = append(found, g.skus[sku]...)
	}
	return found
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
