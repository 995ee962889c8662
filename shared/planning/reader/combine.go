package reader

import (
	"cmp"
	"slices"

	"github.com/planwright/planwright/shared/planning"
)

// The parts of a cover are put together sentence by sentence: products wait for the next
// action, an action without products takes those that wait, else the heading, else those
// of the rule before it.

// Why a slot was filled in with something that a person should look at.
const (
	whyPieced  = "pieced_together" // parts that stand apart
	whySpoken  = "spoken_of"       // what was named before
	whyGuessed = "supposed"        // words that are no name of the table
	whyUnused  = "words_left"      // words beside it that nothing used
	whyProblem = "unclear"         // the rule is whole, but for a question
)

// unfinished is a rule of a draft.
type unfinished struct {
	clause
	spans   []piece
	why     map[planning.Slot]string
	nothing bool // no products were said
	weak    bool // but for a word such as products
	of      fragment
	orphan  bool // it is as a rule before it, and there is none

	sentence int // in which it stands
}

func (u *unfinished) ask(slot planning.Slot, why string) {
	if u.why == nil {
		u.why = map[planning.Slot]string{}
	}
	u.why[slot] = cmp.Or(u.why[slot], why)
}

func (u *unfinished) askAll(why string) {
	for _, slot := range []planning.Slot{planning.SlotFilter, planning.SlotAction, planning.SlotOptions} {
		u.ask(slot, why)
	}
}

// idle is what waits for a rule.
type idle struct {
	fragment
	sets []set
}

// combiner puts parts together.
type combiner struct {
	t         *text
	rules     []unfinished
	leftAlone []set      // what is left alone
	heading   []set      // of the sentence, or of those after it
	headed    *fragment  // the words of a lead that it was last
	behind    *fragment  // a lead behind a rule that has other products: nothing of the sentence took it
	target    *idle      // products that wait for an action
	conds     *idle      // conditions that wait for products
	verb      direction  // of an amount that follows
	options   *clause    // limits that wait for a rule
	amount    *fragment  // one that waits for products
	idle      []fragment // what found no rule
	first     int        // the first rule of the sentence

	failed   problem          // why the rules make no plan together
	sentence int              // the token with which it begins
	idleIn   map[int]share    // how much of each sentence is used
	inner    map[string][]set // listed names within words that are no name of a list, by those
}

// combine makes rules of the parts of a cover.
func (t *text) combine(path []fragment) *combiner {
	c := &combiner{t: t, inner: map[string][]set{}, idleIn: t.shares(path)}
	at := 0
	for i := range path {
		if t.stops(at, path[i].from) {
			c.endSentence()
		}
		c.sentence, at = t.sentenceOf(path[i].from), path[i].end
		c.add(path[i])
	}
	c.endSentence()
	if len(c.rules) == 0 {
		c.unfinishedRule()
	}
	for i := range c.rules {
		r := &c.rules[i]
		if len(c.leftAlone) > 0 && r.act != keep {
			r.except = append(slices.Clone(r.except), c.leftAlone...)
		}
	}
	return c
}

// endSentence leaves what waits to the open parts: nothing waits for another sentence but a
// heading.
func (c *combiner) endSentence() {
	kept := c.rules[:c.first]
	for _, r := range c.rules[c.first:] {
		if c.chatter(&r) {
			c.idle = append(c.idle, r.of)
		} else {
			kept = append(kept, r)
		}
	}
	c.rules = kept
	if c.target != nil {
		c.idle = append(c.idle, c.target.fragment)
		if c.first == len(c.rules) {
			c.heading = c.target.sets // what follows may speak of it
		}
	}
	if c.amount != nil {
		c.idle = append(c.idle, *c.amount)
	}
	if c.conds != nil {
		c.idle = append(c.idle, c.conds.fragment)
	}
	if c.behind != nil && len(c.rules) > c.first {
		c.idle = append(c.idle, *c.behind)
	}
	c.target, c.conds, c.options, c.amount, c.verb, c.behind = nil, nil, nil, nil, noDirection, nil
	c.first = len(c.rules)
}

func (c *combiner) add(p fragment) {
	m := p.meaning
	switch p.kind {
	case ruleParts:
		c.addRules(p, c.t.promoted(m))
	case shortParts:
		c.addRules(p, slices.Clone(m.rules))
	case headPart:
		c.addHeading(p)
	case targetPart:
		c.addTarget(p)
	case conditionPart:
		c.addCondition(p)
	case optionPart:
		c.addOptions(p)
	case amountPart:
		c.addAmount(p)
	case verbPart:
		c.verb = m.dir
	}
}

// addRules adds rules as they were said. The first takes what waits.
func (c *combiner) addRules(p fragment, rules []clause) {
	for i, said := range rules {
		said.sets = slices.Clone(said.sets)
		said.except = slices.Clone(said.except)
		said.only = slices.Clone(said.only)
		c.listedOnly(p.meaning, &said)
		if said.act == keep && said.sets != nil && said.ref == byName {
			c.leftAlone = append(c.leftAlone, subtract(said.sets, said.except)...)
			continue
		}
		r := unfinished{clause: said, spans: []piece{{p.from, p.end}}, sentence: c.sentence}
		if said.to > said.from && len(rules) > 1 {
			r.spans = []piece{{said.from, said.to}}
		}
		if c.idleIn[c.sentence].unused > 0 {
			r.askAll(whyUnused)
		}
		if len(p.several) > 1 {
			r.askAll(planning.OpenSeveral)
		}
		if r.act == noAct && overCost(p.meaning) {
			r.act, r.dir, r.problem = change, onCost, ""
		}
		if r.act == noAct && r.dir != noDirection {
			r.act = change
		}
		if c.completes(&r) {
			continue
		}
		if r.act == change && (r.dir == inherit || r.dir == noDirection) && c.verb != noDirection {
			r.dir = c.verb
			r.ask(planning.SlotAction, whyPieced)
		}
		lacks := said.sets == nil &&
			(said.ref == byName || said.ref == missing || said.ref == them && len(c.rules) == 0)
		if lacks {
			c.giveProducts(&r)
		}
		r.of, r.orphan = p, r.act == likewise && len(c.rules) == 0
		if !lacks && i == 0 && r.ref != rest && !slices.ContainsFunc(r.sets, set.named) {
			c.narrowWaiting(&r)
		}
		if c.options != nil && i == 0 {
			if r.merge(c.options) {
				r.ask(planning.SlotOptions, whyPieced)
			}
			c.options = nil
		}
		c.rules, c.behind = append(c.rules, r), nil
	}
}
