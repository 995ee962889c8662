package english

// OfAll is the sense of a Floor or Cap that is said of every product: "no item
// may cost less than". Said in a sentence of its own it is wider than a rule
// for some products.
const OfAll = 1

// Bare is the sense of a NotUnder or NotOver that does not say what it limits:
// "10% off, max $5" may mean the price or the discount.
const Bare = 1

// The parts of "no item may cost less than" and its like: one of each, in this
// order. Floors and caps differ in the last part alone.
var (
	limitSubjects = []string{"nothing", "no item", "no items", "no product", "no products", "no price", "no prices"}
	limitVerbs    = []string{
		"may cost", "should cost", "must cost", "can cost", "shall cost", "will cost", "costs", "cost", "to cost", "may be", "should be", "must be", "can be",
		"should be priced", "may be priced", "should sell for", "should go", "may go", "can go", "must go", "should fall", "may fall", "can fall", "should drop", "may drop", "can drop",
		"should end up", "may end up", "is", "goes", "falls", "drops",
	}
	limitsBelow = []string{"less than", "below", "under", "lower than", "cheaper than"}
	limitsAbove = []string{"more than", "above", "over", "higher than"}
)

// insertLimits adds every such phrase that the vocabulary does not have.
func (n *node) insertLimits() {
	floor, ceiling := &Symbol{Class: Floor, Sense: OfAll}, &Symbol{Class: Cap, Sense: OfAll}
	for _, subject := range limitSubjects {
		start := n.end(subject)
		for _, verb := range limitVerbs {
			start := start.end(verb)
			start.insertNew(limitsBelow, floor)
			start.insertNew(limitsAbove, ceiling)
		}
		start.insertNew([]string{"should exceed", "may exceed", "must exceed", "can exceed", "exceeds"}, ceiling)
	}
}

// insertNew adds phrases unless they are there: what the vocabulary says of a
// phrase goes before what it is made of.
func (n *node) insertNew(phrases []string, symbol *Symbol) {
	for _, phrase := range phrases {
		_ = n.insert(phrase, symbol) // its only error is that the phrase is there
	}
}
