package reader

import (
	"cmp"
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// The parts of a cover are put together sentence by sentence: products wait for the next
// action, an action without products takes those that wait, else the heading, else those
// of the rule before it.

// Why a slot was filled in with something that a person should look at.
const (
	whyPieced  = "pieced_together" // parts that stand apart
	whySpoken  = "spoken_of"       // what was named before
	whyMeant   = "supposed"        // words that are no name of the table
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
	t       *text
	rules   []unfinished
	kept    []set      // what is left alone
	heading []set      // of the sentence, or of those after it
	headed  *fragment  // the words of a lead that it was last
	target  *idle      // products that wait for an action
	conds   *idle      // conditions that wait for products
	verb    direction  // of an amount that follows
	options *clause    // limits that wait for a rule
	amount  *fragment  // one that waits for products
	idle    []fragment // what found no rule
	first   int        // the first rule of the sentence

	failed   problem          // why the rules make no plan together
	sentence int              // the token with which it begins
	idleIn   map[int]share    // how much of each sentence is used
	inner    map[string][]set // listed names within words that are no name of a list, by those
}

// share is how many words of a sentence parts use, and how many nothing uses.
type share struct{ used, unused int }

// shares are those of the sentences, by the token with which they begin.
func (t *text) shares(path []fragment) map[int]share {
	all := map[int]share{}
	count := func(p piece, used, unused int) {
		for at := p.from; at < p.end; at++ {
			if t.tokens[at].kind == mark {
				continue
			}
			of := all[t.sentenceOf(at)]
			of.used, of.unused = of.used+used, of.unused+unused
			all[t.sentenceOf(at)] = of
		}
	}
	for _, p := range path {
		if t.unlisted(p.meaning) {
			count(p.piece, 0, 1)
		} else {
			count(p.piece, 1, 0)
		}
	}
	for _, p := range t.unused(path) {
		count(p, 0, 1)
	}
	return all
}

// unlisted reports whether some words have but a name that no list has.
func (t *text) unlisted(m *meaning) bool {
	names, unlisted := 0, 0
	m.eachLeaf(func(leaf *meaning) {
		if slices.Contains(nameSymbols, leaf.symbol) {
			names++
			if leaf.problem == "unknown_category" && t.known.closed[category] {
				unlisted++
			}
		}
	})
	return unlisted > 0 && names == unlisted && m.rules == nil
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
		if len(c.kept) > 0 && r.act != keep {
			r.except = append(slices.Clone(r.except), c.kept...)
		}
	}
	return c
}

// sentenceOf is the token with which the sentence of another begins.
func (t *text) sentenceOf(at int) int {
	for at > 0 && !isStop(t.tokens[at-1].text) {
		at--
	}
	return at
}

// listedOnly takes names that no list has out of the products of a rule: what is said
// there is open. Where the words have one name of a list in them, that is meant.
func (c *combiner) listedOnly(m *meaning, r *clause) {
	if !c.t.known.closed[category] {
		return
	}
	m.eachLeaf(func(leaf *meaning) {
		if leaf.problem == "unknown_category" && len(leaf.sets) == 1 {
			c.inner[leaf.sets[0].first()] = c.namedWithin(leaf)
		}
	})
	r.sets, r.except, r.only = c.listed(r.sets), c.listed(r.except), c.listed(r.only)
	if r.problem == "unknown_category" {
		r.problem = ""
	}
}

// namedWithin are the products of the only name of a list that stands within some words.
func (c *combiner) namedWithin(leaf *meaning) []set {
	var named []set
	for _, m := range c.t.spans(piece{leaf.from, leaf.to}, costSupposed) {
		if m != leaf && m.to <= leaf.to && m.problem == "" {
			named = append(named, m.sets...)
		}
	}
	if len(named) != 1 {
		return nil
	}
	return named
}

// listed are sets without the names that no list has; nil where nothing is left.
func (c *combiner) listed(sets []set) (left []set) {
	for _, s := range sets {
		names := s.of[category]
		var unlisted []set
		s.of[category] = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			inner, is := c.inner[name]
			unlisted = append(unlisted, inner...)
			return is
		})
		s.out[category] = slices.DeleteFunc(slices.Clone(s.out[category]), func(name string) bool { _, is := c.inner[name]; return is })
		if len(s.of[category]) == len(names) {
			left = append(left, s)
			continue
		}
		if len(s.of[category]) > 0 {
			left = append(left, s)
		}
		s.of[category] = nil
		if within := intersection([]set{s}, unlisted); len(within) > 0 {
			left = append(left, within...)
		} else if len(s.of[category]) == 0 && s.key() != allKey {
			left = append(left, s)
		}
	}
	return left
}

// stops reports whether a sentence ends between two tokens.
func (t *text) stops(from, end int) bool {
	return slices.ContainsFunc(t.tokens[max(0, from-1):end], func(token token) bool { return isStop(token.text) })
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
	c.target, c.conds, c.options, c.amount, c.verb = nil, nil, nil, nil, noDirection
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
		said := m.clause
		c.listedOnly(m, &said)
		if c.heading = said.sets; said.only != nil {
			c.heading = said.only
		}
		c.headed = &p
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
		said.sets, said.except, said.only = slices.Clone(said.sets), slices.Clone(said.except), slices.Clone(said.only)
		c.listedOnly(p.meaning, &said)
		if said.act == keep && said.sets != nil && said.ref == byName {
			c.kept = append(c.kept, subtract(said.sets, said.except)...)
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
		lacks := said.sets == nil && (said.ref == byName || said.ref == missing || said.ref == them && len(c.rules) == 0)
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
		c.rules = append(c.rules, r)
	}
}

// completes gives an amount to the rule before that waits for one, where what brings it has
// no products of its own: reduce mugs .. by 10%.
func (c *combiner) completes(r *unfinished) bool {
	last := len(c.rules) - 1
	if last < c.first || c.target != nil || r.act != change || r.amount.unit == noUnit || slices.ContainsFunc(r.sets, set.named) {
		return false
	}
	of := &c.rules[last]
	if of.act != change || of.amount.unit != noUnit || of.dir != noDirection && r.dir != inherit && r.dir != noDirection && of.dir != r.dir {
		return false
	}
	if r.dir != inherit && r.dir != noDirection {
		of.dir = r.dir
	}
	of.amount, of.problem = r.amount, ""
	if r.sets != nil {
		of.sets = orKeep(intersection(orEverything(of.sets), r.sets), of.sets)
	}
	of.spans = append(of.spans, r.spans...)
	of.askAll(whyPieced)
	return true
}

// chatter reports whether a rule is rather a remark: nothing says which products it is for,
// and the words around it are used by nothing.
func (c *combiner) chatter(r *unfinished) bool {
	of := c.idleIn[c.sentence]
	if r.orphan || r.nothing && c.t.goesOn(r.of.piece) {
		return true
	}
	if of.unused == 0 {
		return false
	}
	if r.act == change && r.amount.unit == noUnit && r.problem != "" {
		return true // slash the diaries, they're last year's
	}
	spoken := r.nothing || r.sets == nil && r.ref != byName
	vague := r.act == stocks || r.amount.unit == bare || r.of.end == r.of.from+1
	return spoken && (vague || 2*of.unused > of.used)
}

// goesOn reports whether words that say a change go on with what stands right before them: below
// cost, plus 20%.
func (t *text) goesOn(words piece) bool {
	at := words.from - 1
	return at >= 0 && t.phrase(words.from, "PLUS", "MINUS") && t.tokens[at].kind == word && !joins(t.norm(at))
}

// unfinishedRule is a rule that names its products, and not what is to happen to them, for a text
// that has no other rule: make Nintendo a bit cheaper.
func (c *combiner) unfinishedRule() {
	at := slices.IndexFunc(c.idle, func(p fragment) bool {
		return p.kind == targetPart && !c.t.unlisted(p.meaning) && p.meaning.sets != nil
	})
	r := unfinished{clause: clause{act: change}}
	switch {
	case at >= 0:
		p := c.idle[at]
		r.sets, r.ref, r.except = slices.Clone(p.meaning.sets), p.meaning.ref, slices.Clone(p.meaning.except)
		r.spans, r.of = []piece{p.piece}, p
		c.idle = slices.Delete(c.idle, at, at+1)
	case c.headed != nil:
		p := *c.headed
		r.sets, r.spans, r.of = slices.Clone(c.heading), []piece{p.piece}, p
	default:
		return
	}
	if !slices.ContainsFunc(r.sets, set.named) {
		return
	}
	r.from, r.to = r.spans[0].from, r.spans[0].end
	r.askAll(whyPieced)
	c.rules = append(c.rules, r)
}

// giveProducts gives a rule the products that wait, else the heading, else those of the
// rule before it.
func (c *combiner) giveProducts(r *unfinished) {
	switch {
	case c.target != nil:
		r.sets, r.ref = c.target.sets, c.target.meaning.ref
		r.except = append(r.except, c.target.meaning.except...)
		r.spans = append([]piece{c.target.piece}, r.spans...)
		r.ask(planning.SlotFilter, whyPieced)
		c.target = nil
	case c.heading != nil:
		r.sets, r.ref = c.heading, byName
		r.ask(planning.SlotFilter, whyPieced)
	default:
		r.ref, r.nothing = missing, true
	}
	if c.conds == nil {
		return
	}
	if r.sets = orKeep(intersection(orEverything(r.sets), c.conds.sets), r.sets); r.nothing {
		r.nothing, r.ref = false, byName
	}
	r.spans = append([]piece{c.conds.piece}, r.spans...)
	r.ask(planning.SlotFilter, whyPieced)
	c.conds = nil
}

// overCost reports whether words say no more than a price over the cost.
func overCost(m *meaning) (over bool) {
	m.eachLeaf(func(leaf *meaning) { over = over || leaf.symbol == "COSTPLUS" || leaf.symbol == "ABOVECOST" })
	return over && m.amount.unit == noUnit && len(m.rules) == 1
}

// narrowWaiting gives products that wait to a rule that only has conditions on some: shoes,
// those over $50.
func (c *combiner) narrowWaiting(r *unfinished) {
	switch {
	case c.target != nil && slices.ContainsFunc(c.target.sets, set.named):
		r.sets, r.ref = orKeep(intersection(c.target.sets, orEverything(r.sets)), c.target.sets), byName
		r.spans = append([]piece{c.target.piece}, r.spans...)
		c.target = nil
	case c.heading != nil && r.ref == those:
		r.sets, r.ref = orKeep(intersection(c.heading, orEverything(r.sets)), c.heading), byName
	default:
		return
	}
	r.nothing = false
	r.askAll(whyPieced)
}

func orKeep(sets, others []set) []set {
	if len(sets) == 0 {
		return others
	}
	return sets
}

// addTarget has products wait for an action, or gives them to one that has none.
func (c *combiner) addTarget(p fragment) {
	said := p.meaning.clause
	c.listedOnly(p.meaning, &said)
	sets := slices.Clone(said.sets)
	if sets == nil && p.meaning.sets != nil { // no name of a list
		c.idle = append(c.idle, p)
		return
	}
	if c.conds != nil {
		sets, c.conds = orKeep(intersection(orEverything(sets), c.conds.sets), sets), nil
	}
	if last := len(c.rules) - 1; last >= c.first && (c.rules[last].nothing || c.rules[last].weak) && c.target == nil {
		r := &c.rules[last]
		r.sets, r.ref, r.nothing, r.weak = sets, p.meaning.ref, false, keys(sets) == keys(everything)
		r.except = append(r.except, p.meaning.except...)
		r.spans = append(r.spans, p.piece)
		r.ask(planning.SlotFilter, whyPieced)
		return
	}
	if c.amount != nil {
		amount := *c.amount
		c.amount, c.target = nil, &idle{p, sets}
		c.addAmount(amount)
		return
	}
	if c.target != nil {
		if c.t.joinedBy(c.target.end, p.from) {
			joined := compact(append(slices.Clone(c.target.sets), sets...))
			c.target = &idle{fragment{piece: piece{c.target.from, p.end}, kind: p.kind, symbol: p.symbol, meaning: p.meaning}, joined}
			return
		}
		c.idle = append(c.idle, c.target.fragment)
	}
	c.target = &idle{p, sets}
}

// joinedBy reports whether nothing but marks and words that join stands between two products.
func (t *text) joinedBy(from, end int) bool {
	for at := from; at < end; at++ {
		if !isPause(t.tokens[at].text) && !joins(t.tokens[at].norm) {
			return false
		}
	}
	return true
}

// addCondition narrows what stands before it.
func (c *combiner) addCondition(p fragment) {
	sets := p.meaning.sets
	last := len(c.rules) - 1
	switch {
	case sets == nil || c.t.phrase(p.end, "PCT"): // under 35%

		c.idle = append(c.idle, p)
	case c.target != nil:
		c.target.sets = orKeep(intersection(orEverything(c.target.sets), sets), c.target.sets)
		c.target.end = p.end
	case last >= c.first && c.rules[last].sets != nil:
		r := &c.rules[last]
		r.sets = orKeep(intersection(r.sets, sets), r.sets)
		r.spans = append(r.spans, p.piece)
		r.ask(planning.SlotFilter, whyPieced)
	case last >= c.first && c.rules[last].nothing:
		r := &c.rules[last]
		r.sets, r.nothing, r.ref = sets, false, byName
		r.spans = append(r.spans, p.piece)
		r.ask(planning.SlotFilter, whyPieced)
	default:
		c.conds = &idle{p, sets}
	}
}

// addOptions gives limits, roundings and exceptions to the rule before them.
func (c *combiner) addOptions(p fragment) {
	options := p.meaning.clause
	c.listedOnly(p.meaning, &options)
	options.except, options.only = slices.Clone(options.except), slices.Clone(options.only)
	last := len(c.rules) - 1
	if last < 0 || last < c.first && c.target == nil && !options.shapes() && options.except == nil {
		if c.target == nil && last < 0 {
			c.options = &options
			return
		}
		c.idle = append(c.idle, p)
		return
	}
	if c.target != nil && last < c.first {
		if options.except != nil && !options.shapes() {
			c.target.sets = orKeep(subtract(orEverything(c.target.sets), options.except), c.target.sets)
			c.target.end = p.end
			return
		}
		c.options = &options
		return
	}
	r := &c.rules[last]
	before := r.clause
	if !r.merge(&options) {
		r.clause = before
		c.idle = append(c.idle, p)
		return
	}
	r.spans = append(r.spans, p.piece)
	if options.shapes() {
		r.ask(planning.SlotOptions, whyPieced)
	}
	if options.except != nil || options.only != nil {
		r.ask(planning.SlotFilter, whyPieced)
	}
}

// addAmount gives an amount to a rule without one, or makes a rule of it and the one group
// of products that waits.
func (c *combiner) addAmount(p fragment) {
	last := len(c.rules) - 1
	switch {
	case last >= c.first && c.rules[last].act == change && c.rules[last].amount.unit == noUnit:
		r := &c.rules[last]
		r.amount = p.meaning.amount
		r.spans = append(r.spans, p.piece)
		r.ask(planning.SlotAction, whyPieced)
	case c.target != nil && c.counts(p):
		r := unfinished{clause: clause{act: change, dir: c.verb, amount: p.meaning.amount, from: c.target.from, to: p.end}, spans: []piece{p.piece}, of: p, sentence: c.sentence}
		r.ask(planning.SlotAction, whyPieced)
		c.giveProducts(&r)
		c.rules = append(c.rules, r)
	default:
		if c.amount != nil {
			c.idle = append(c.idle, *c.amount)
		}
		c.amount = &p
	}
}

// counts reports whether an amount is one of the products that wait: with its unit, behind a
// colon, or as a figure where nothing else is left over.
func (c *combiner) counts(p fragment) bool {
	if p.meaning.amount.unit != bare {
		return true
	}
	before := c.t.norm(p.from - 1)
	return c.t.tokens[p.from].kind == number && (before == ":" || before == "=" || c.idleIn[c.sentence].unused == 0)
}

// drafted is a rule of the draft that comes of an unfinished one.
type drafted struct {
	rule     planning.DraftRule
	from     *unfinished
	products []set
	class    string // of the question that it leaves open
}

// operations makes draft rules of what was put together: those of a plan where it makes
// one, else each by itself.
func (c *combiner) operations() []drafted {
	whole, failed := c.compiled()
	if c.failed = failed; failed.class == "" {
		return whole
	}
	if all := failed.to == 0 || failed.class == "scope" || failed.class == "contradiction"; all {
		for i := range c.rules {
			c.rules[i].askAll(whyProblem)
		}
	} else {
		c.rules[failed.from].askAll(whyProblem)
	}
	c.attach()
	var all []drafted
	for i := range c.rules {
		all = append(all, c.alone(i)...)
	}
	return all
}

// attach gives limits and roundings to the changes before them that they speak of, and
// those of some of a change's products to a rule of these.
func (c *combiner) attach() {
	var rules []unfinished
	for _, r := range c.rules {
		if r.act != limit && r.act != shape {
			rules = append(rules, r)
			continue
		}
		named := slices.ContainsFunc(r.sets, set.named)
		options := r.shape()
		given := false
		for k := len(rules) - 1; k >= 0 && !given; k-- {
			switch {
			case rules[k].act != change:
			case named:
				rules, given = splitOff(rules, k, &r, &options)
			default:
				for n := range rules {
					if rules[n].act == change && (r.all || n == k || rules[n].sentence == rules[k].sentence) {
						rules[n].merge(&options)
						rules[n].askAll(whyPieced)
					}
				}
				given = true
			}
		}
		if !given {
			rules = append(rules, r)
		}
	}
	c.rules = rules
}

// splitOff gives options to the part of a rule's products that they are said of. It is false
// where those are no part of them.
func splitOff(rules []unfinished, k int, said *unfinished, options *clause) ([]unfinished, bool) {
	owner := &rules[k]
	both := intersection(owner.sets, said.sets)
	if len(both) == 0 || keys(both) != keys(said.sets) {
		return rules, false
	}
	own := *owner
	own.sets, own.spans = said.sets, append(slices.Clone(owner.spans), said.spans...)
	own.why = nil
	own.askAll(whyPieced)
	if !own.merge(options) {
		return rules, false
	}
	owner.sets = subtract(owner.sets, said.sets)
	owner.askAll(whyPieced)
	if len(owner.sets) == 0 {
		rules[k] = own
		return rules, true
	}
	return slices.Insert(rules, k+1, own), true
}

// clauses are the rules as they were said.
func (c *combiner) clauses() []clause {
	rules := make([]clause, len(c.rules))
	for i := range c.rules {
		rules[i] = c.rules[i].clause
	}
	return rules
}

// compiled are the operations of all rules as a plan has them, or why they make none.
func (c *combiner) compiled() ([]drafted, problem) {
	rules := c.clauses()
	for i := range c.rules {
		r := &c.rules[i]
		r.from, r.to = i, i+1 // to be found again
		rules[i] = r.clause
		if i > 0 && (r.act == shape || r.act == limit) && r.ref != byName {
			c.rules[i-1].askAll(whyPieced) // which it is attached to
		}
	}
	ops, failed := compiledOf(rules, c.t.known)
	var all []drafted
	for _, op := range ops {
		all = append(all, draftedOf(op.Operation, &c.rules[op.said.from]))
	}
	return all, failed
}

func draftedOf(op plan.Operation, from *unfinished) drafted {
	return drafted{rule: planning.RuleOf(op), from: from}
}

// alone makes the operations of a rule without regard to the others, but for what it
// takes over from the one before.
func (c *combiner) alone(i int) []drafted {
	r := &c.rules[i]
	said := r.clause
	if said.act == keep {
		return nil
	}
	var before *clause
	if i > 0 {
		before = &c.rules[i-1].clause
	}
	takeOver(&said, before)
	class := said.problem
	sets := c.productsOf(i, &said)
	if said.act == change {
		class = cmp.Or(said.checkAmount(), class)
	}
	r.clause.sets = sets
	r.clause.dir, r.clause.act = said.dir, said.act
	if sets == nil {
		sets = everything
		r.nothing = true
	}
	var all []drafted
	for _, s := range sets {
		all = append(all, c.oneOf(r, &said, s, class)...)
	}
	return all
}

// takeOver gives a rule what it has from the one before.
func takeOver(r, before *clause) {
	switch {
	case before == nil:
	case r.act == likewise:
		r.like(before)
	case r.act == change && r.dir == inherit:
		r.dir, r.sale = before.dir, r.sale || before.sale
	case r.act == stocks && r.stock == either:
		r.stock = before.stock
	}
	if r.dir == inherit {
		r.dir = noDirection
	}
}

// productsOf are the products of a rule, of which those spoken of are those of the rule before.
func (c *combiner) productsOf(i int, said *clause) []set {
	r := &c.rules[i]
	sets := said.sets
	switch said.ref {
	case rest:
		var named []set
		for k := range c.rules {
			if k != i {
				named = append(named, c.rules[k].sets...)
			}
		}
		sets = subtract(orEverything(sets), append(slices.Clone(named), c.kept...))
		r.ask(planning.SlotFilter, whySpoken)
	case them, those, otherwise, cheaper, dearer, missing:
		for k := i - 1; k >= 0; k-- {
			if before := c.rules[k].sets; before != nil {
				of := before
				if said.ref == those {
					of = namesOf(before)
				}
				sets = orKeep(intersection(of, orEverything(sets)), of)
				break
			}
		}
		r.ask(planning.SlotFilter, whySpoken)
	}
	if sets == nil {
		return nil
	}
	narrowed := subtract(intersection(sets, orEverything(said.only)), said.except)
	if len(narrowed) == 0 {
		r.ask(planning.SlotFilter, whyProblem)
		return sets
	}
	return c.t.known.disjoint(narrowed)
}

// oneOf makes the operations of a rule for one set of products.
func (c *combiner) oneOf(r *unfinished, said *clause, s set, class string) []drafted {
	if r.nothing {
		s = set{}
	}
	given := &c.t.known.given
	does := actions[said.dir][said.amount.unit]
	if said.column != "" {
		does = columnActions[said.column][said.dir]
	}
	if class == "" || said.act != change || does != "" && said.amount.unit != noUnit {
		one := *said
		one.sets = []set{s}
		if one.act == noAct {
			return nil
		}
		if !c.t.known.say(one.sets) {
			one.sets = []set{{}}
			class = cmp.Or(class, "unsupported")
		}
		var all []drafted
		for _, op := range one.operations(given) {
			if op.Action.Type == "" {
				continue
			}
			made := draftedOf(op.Operation, r)
			made.class, made.products = class, one.sets
			all = append(all, made)
		}
		return all
	}
	made := drafted{from: r, class: class, products: []set{s}}
	made.rule.Filter, made.rule.Options = s.filter(), said.options()
	if said.amount.unit != noUnit {
		made.rule.Action.Value, made.rule.Action.Percent = &said.amount.number, said.amount.unit == percent
	}
	return []drafted{made}
}
