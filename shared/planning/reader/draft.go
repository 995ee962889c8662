package reader

import (
	"slices"
	"time"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// Draft returns all that is understood of an instruction as rules, and what is open. It is
// complete exactly where the instruction has one reading.
func (r Reader) Draft(request planning.DraftRequest) planning.Draft {
	known := r.index(request.Names)
	t, all, u := carefully(request.Instruction, known, false)
	switch {
	case u.Asked == nil:
		return t.whole(u.Readings[0], all[0])
	case t.known == nil:
		return planning.Draft{Operations: []planning.DraftRule{}, Open: []planning.OpenPart{t.question(u.Asked)}}
	}
	b := &drafting{text: t, asked: u.Asked, readings: u.Readings, now: request.CreatedAt.In(orUTC(request.Zone))}
	if len(u.Readings) == 0 {
		b.suppose(request.Instruction, known)
	}
	return b.draft()
}

// index is the names that were indexed last, or those of a request.
func (r Reader) index(names planning.Names) *index {
	sameHere := names.SameHere
	names.SameHere = nil
	known := r.latest.Load()
	if known == nil || !names.Equal(&known.given) {
		known = indexed(names)
		r.latest.Store(known)
	}
	over := *known // the names are those of before, the table need not be
	over.given.SameHere = sameHere
	return &over
}

// whole is the draft of the only reading.
func (t *text) whole(reading planning.Reading, m *meaning) planning.Draft {
	d := planning.Draft{Open: []planning.OpenPart{}, Complete: true}
	ops, _ := compiledOf(t.promoted(m), t.known)
	for i, op := range reading.Operations {
		from := piece{m.from, m.to}
		if i < len(ops) && ops[i].said.end > ops[i].said.from {
			from = ops[i].said
		}
		rule := draftedOf(op, nil).rule
		rule.From, rule.Ask = []planning.Span{t.span(from)}, []planning.Ask{}
		d.Operations = append(d.Operations, rule)
	}
	return d
}

// drafting makes a draft of an instruction that is a question.
type drafting struct {
	*text
	asked    *planning.ClarificationError
	readings []planning.Reading // that the question has
	supposed bool               // they suppose what words are meant for
	now      time.Time          // in the caller's zone
	times    timing
	rules    []planning.DraftRule
	open     []planning.OpenPart
}

// suppose reads the instruction once more, with what its words may be meant for.
func (b *drafting) suppose(instruction string, known *index) {
	t, _, u := carefully(instruction, known, true)
	if t.known == nil {
		return
	}
	if t.asked.class == "" {
		t.asked = b.text.asked
	}
	b.text = t
	if len(u.Readings) > 0 {
		b.readings, b.supposed = u.Readings, true
		if u.Asked != nil {
			b.asked = u.Asked
		}
	}
}

func (b *drafting) draft() planning.Draft {
	if len(b.readings) > 0 {
		b.fromReadings()
	} else {
		b.fromCover()
	}
	if len(b.open) == 0 {
		b.open = append(b.open, b.question(b.asked))
	}
	for i := range b.rules {
		rule := &b.rules[i]
		if rule.From == nil {
			rule.From = []planning.Span{b.span(piece{0, len(b.tokens)})}
		}
		if rule.Ask == nil {
			rule.Ask = []planning.Ask{}
		}
	}
	slices.SortStableFunc(b.open, func(x, y planning.OpenPart) int { return x.Start - y.Start })
	d := planning.Draft{Operations: append([]planning.DraftRule{}, b.rules...), Open: b.open}
	d.ApplyAt, d.RevertAt = b.times.written()
	return d
}

func orUTC(zone *time.Location) *time.Location {
	if zone == nil {
		return time.UTC
	}
	return zone
}

// fromReadings fills in what all readings agree on, and offers each of them.
func (b *drafting) fromReadings() {
	why := "several"
	if b.supposed {
		why = whyMeant
	}
	for _, op := range b.readings[0].Operations {
		rule := draftedOf(op, nil).rule
		for _, other := range b.readings[1:] {
			agree(&rule, other.Operations)
		}
		for _, slot := range []planning.Slot{planning.SlotFilter, planning.SlotAction, planning.SlotOptions} {
			rule.Ask = append(rule.Ask, planning.Ask{Slot: slot, Why: why})
		}
		b.rules = append(b.rules, rule)
	}
	part := b.question(b.asked)
	for _, reading := range b.readings {
		part.Choices = append(part.Choices, choiceOf(reading))
	}
	b.open = append(b.open, part)
}

// choiceOf offers all rules of a reading.
func choiceOf(reading planning.Reading) planning.DraftChoice {
	choice := planning.DraftChoice{}
	for i, sentence := range reading.Sentences {
		if choice.Label += sentence; i < len(reading.Sentences)-1 {
			choice.Label += " "
		}
	}
	for _, op := range reading.Operations {
		rule := draftedOf(op, nil).rule
		rule.From, rule.Ask = []planning.Span{}, []planning.Ask{}
		choice.Patch.Operations = append(choice.Patch.Operations, rule)
	}
	return choice
}

// agree empties the slots of a rule in which the most alike of other operations differs.
func agree(rule *planning.DraftRule, others []plan.Operation) {
	var nearest *planning.DraftRule
	least := -1
	for _, op := range others {
		other := draftedOf(op, nil).rule
		if n := unlike(rule, &other); least < 0 || n < least {
			nearest, least = &other, n
		}
	}
	if nearest == nil {
		return
	}
	rule.Filter = agreed(rule.Filter, nearest.Filter)
	if rule.Action.Type != nearest.Action.Type {
		rule.Action.Type = ""
	}
	rule.Action.Value = same(rule.Action.Value, nearest.Action.Value)
	rule.Action.Stock = same(rule.Action.Stock, nearest.Action.Stock)
	o, p := &rule.Options, nearest.Options
	o.RoundTo, o.PriceEnding = same(o.RoundTo, p.RoundTo), same(o.PriceEnding, p.PriceEnding)
	o.MinPrice, o.MaxPrice = same(o.MinPrice, p.MinPrice), same(o.MaxPrice, p.MaxPrice)
	o.AsSale, o.NotBelowCost = o.AsSale && p.AsSale, o.NotBelowCost && p.NotBelowCost
}

// same is a value that two have; nil where they differ.
func same[T comparable](a, b *T) *T {
	if a == nil || b == nil || *a != *b {
		return nil
	}
	return a
}

// agreed are the conditions that two filters have.
func agreed(f, g plan.Filter) plan.Filter {
	return plan.Filter{
		Categories: shared(f.Categories, g.Categories), ExcludeCategories: shared(f.ExcludeCategories, g.ExcludeCategories),
		SKUs: shared(f.SKUs, g.SKUs), ExcludeSKUs: shared(f.ExcludeSKUs, g.ExcludeSKUs),
		Brands: shared(f.Brands, g.Brands), ExcludeBrands: shared(f.ExcludeBrands, g.ExcludeBrands),
		Tags: shared(f.Tags, g.Tags), ExcludeTags: shared(f.ExcludeTags, g.ExcludeTags),
		NameContains: shared(f.NameContains, g.NameContains), ExcludeNameContains: shared(f.ExcludeNameContains, g.ExcludeNameContains),
		InStock: same(f.InStock, g.InStock), OnSale: same(f.OnSale, g.OnSale),
		PriceGTE: same(f.PriceGTE, g.PriceGTE), PriceLTE: same(f.PriceLTE, g.PriceLTE),
	}
}

// shared are the names that two lists have; nil: none.
func shared(a, b []string) (both []string) {
	for _, name := range a {
		if slices.Contains(b, name) {
			both = append(both, name)
		}
	}
	return both
}

// unlike counts in how much two rules differ.
func unlike(a, b *planning.DraftRule) (n int) {
	for _, column := range plan.NameColumns() {
		onlyA, exceptA := a.Filter.Names(column)
		onlyB, exceptB := b.Filter.Names(column)
		if !slices.Equal(onlyA, onlyB) {
			n++
		}
		if !slices.Equal(exceptA, exceptB) {
			n++
		}
	}
	if a.Action.Type != b.Action.Type {
		n++
	}
	if same(a.Action.Value, b.Action.Value) == nil {
		n++
	}
	return n
}

// fromCover fills in rules that are put together of the finished parts.
func (b *drafting) fromCover() {
	b.openTimes()
	path := b.cover()
	made := b.combine(path)
	b.openUnused(path)
	b.openIdle(made)
	for _, d := range made.operations() {
		b.add(d)
	}
	b.openSupposed(path)
	b.openSeveral(path)
	b.claim(path)
	b.openQuestion()
	b.askAbout(b.question(b.asked).Span)
	for _, p := range b.unused(path) {
		if b.limits(p) {
			b.askAbout(planning.Span{End: len(b.instruction)})
		}
	}
}

// claim gives words that are in no rule and not open to the rule before them, as those that
// leave products alone or head several rules; where there is no rule, they are open.
func (b *drafting) claim(path []fragment) {
	for _, p := range path {
		span := b.span(p.piece)
		if b.settled(span) {
			continue
		}
		if len(b.rules) == 0 {
			b.openPart(p.piece, planning.OpenWords, "What is to happen by "+quote(b.source(p.from, p.end))+"?", -1)
			continue
		}
		owner := &b.rules[0]
		for i := range b.rules {
			if b.rules[i].From[0].Start < span.Start {
				owner = &b.rules[i]
			}
		}
		owner.From = append(owner.From, span)
	}
}

// settled reports whether some words are of a rule, or open.
func (b *drafting) settled(span planning.Span) bool {
	within := func(s planning.Span) bool { return s.Start <= span.Start && span.End <= s.End }
	return b.isOpen(span) || slices.ContainsFunc(b.rules, func(r planning.DraftRule) bool { return slices.ContainsFunc(r.From, within) })
}

// limits reports whether words may take something out of rules elsewhere: an exception, a
// denial, a number.
func (t *text) limits(p piece) bool {
	for at := p.from; at < p.end; at++ {
		if t.tokens[at].kind == number || t.is(at, "NEGATION", "NARROWING", "EITHER_OR", "BARRING") || t.begins(at, "EXCEPT") || t.begins(at, "BUT") || t.begins(at, "ONLYIF") {
			return true
		}
	}
	return false
}

// askAbout has a person look at the rules that are made of some words.
func (b *drafting) askAbout(of planning.Span) {
	for i := range b.rules {
		rule := &b.rules[i]
		if !slices.ContainsFunc(rule.From, func(s planning.Span) bool { return s.Start < of.End && of.Start < s.End }) {
			continue
		}
		for _, slot := range []planning.Slot{planning.SlotFilter, planning.SlotAction, planning.SlotOptions} {
			if !rule.Asks(slot) {
				rule.Ask = append(rule.Ask, planning.Ask{Slot: slot, Why: whyProblem})
			}
		}
	}
}

// add adds a rule and what it leaves open.
func (b *drafting) add(d drafted) {
	rule := d.rule
	for _, p := range d.from.spans {
		rule.From = append(rule.From, b.span(p))
	}
	for _, slot := range []planning.Slot{planning.SlotFilter, planning.SlotAction, planning.SlotOptions} {
		if why := d.from.why[slot]; why != "" {
			rule.Ask = append(rule.Ask, planning.Ask{Slot: slot, Why: why})
		}
	}
	b.rules = append(b.rules, rule)
	b.openRule(len(b.rules)-1, d)
}

// span is some tokens in bytes.
func (t *text) span(p piece) planning.Span {
	if p.from >= p.end {
		return planning.Span{}
	}
	return planning.Span{Start: t.tokens[p.from].start, End: t.tokens[p.end-1].end}
}
