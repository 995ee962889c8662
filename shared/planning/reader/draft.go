package reader

import (
	"slices"
	"time"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// Draft returns all that is understood of an instruction as rules, and what is open. It is
// complete exactly where the instruction has one meaning.
func (r Reader) Draft(request planning.DraftRequest) planning.Draft {
	draft, _ := r.understood(request)
	return draft
}

// understood is the draft with all that the instruction can mean.
func (r Reader) understood(request planning.DraftRequest) (planning.Draft, planning.Understanding) {
	known := r.index(request.Names)
	if ops, explains := plan.ReadExplanation(request.Instruction); explains && known.hasAll(ops) {
		return readBack(request.Instruction, ops)
	}
	known.now = request.CreatedAt.In(orUTC(request.Zone))
	t, all, u := carefully(request.Instruction, known, false)
	switch {
	case u.Asked == nil:
		return t.whole(u.Candidates[0], all[0]), u
	case t.known == nil:
		return planning.Draft{
			Operations: []planning.DraftRule{},
			Open:       []planning.OpenPart{t.question(u.Asked)},
		}, u
	}
	b := &drafting{text: t, asked: u.Asked, candidates: u.Candidates}
	if len(u.Candidates) == 0 {
		meant, all, supposed := carefully(request.Instruction, known, true)
		certain := supposed.Asked == nil && len(supposed.Candidates) > 0
		switch {
		case certain && u.Asked.Class != "decimal_comma" && meant.times.words == nil:
			return meant.whole(supposed.Candidates[0], all[0]), supposed
		case len(supposed.Candidates) > 0 && supposed.Asked != nil:
			u.Asked, b.certain = supposed.Asked, false
		default:
			meant.asked, b.certain = t.asked, certain && u.Asked.Class == "schedule"
		}
		u.Candidates = supposed.Candidates
		b.text, b.asked, b.candidates = meant, u.Asked, u.Candidates
	}
	draft := b.draft()
	return draft, bySentence(draft, u)
}

// maxQuestions is how many questions of a draft are asked at once.
const maxQuestions = 3

// bySentence puts the questions of a draft in the place of one that asks for shorter sentences: the
// sentences were read one by one, where they have too many meanings together.
func bySentence(draft planning.Draft, u planning.Understanding) planning.Understanding {
	if u.Asked.Class != "too_long" || len(draft.Operations) == 0 {
		return u
	}
	asked := &planning.ClarificationError{Class: "scope"}
	for _, part := range draft.Open {
		if part.Class != "too_long" && !part.Quiet && len(asked.Questions) < maxQuestions {
			asked.Questions = append(asked.Questions, part.Question)
		}
	}
	if asked.Questions != nil {
		u.Asked = asked
	}
	return u
}

// index is the names that were indexed last, or those of a request.
func (r Reader) index(names planning.Names) *index {
	sameHere, countRows := names.SameHere, names.CountRows
	names.SameHere, names.CountRows = nil, nil
	known := r.latest.Load()
	if known == nil || !names.Equal(&known.given) {
		known = indexed(names)
		r.latest.Store(known)
	}
	over := *known // the names are those of before, the table need not be
	over.given.SameHere, over.given.CountRows = sameHere, countRows
	return &over
}

// whole is the draft of the only candidate.
func (t *text) whole(candidate planning.Candidate, m *meaning) planning.Draft {
	d := planning.Draft{Open: []planning.OpenPart{}, Complete: true}
	ops, _ := compiledOf(t.promoted(m), t.known)
	for i, op := range candidate.Operations {
		from := piece{m.from, m.to}
		if i < len(ops) && ops[i].said.end > ops[i].said.from {
			from = ops[i].said
		}
		rule := planning.RuleOf(op)
		rule.From = []planning.Span{t.span(from)}
		d.Operations = append(d.Operations, rule)
	}
	return d
}

// drafting makes a draft of an instruction that is a question.
type drafting struct {
	*text
	asked      *planning.ClarificationError
	candidates []planning.Candidate // that the question has
	certain    bool                 // but for its times it has one meaning
	rules      []planning.DraftRule
	open       []planning.OpenPart
}

func (b *drafting) draft() planning.Draft {
	b.openTimes()
	if len(b.candidates) > 0 {
		b.fromReadings()
	} else {
		b.fromCover()
	}
	if len(b.open) == 0 {
		b.open = append(b.open, b.question(b.asked))
	}
	b.limitsOfChanges()
	slices.SortStableFunc(b.open, func(x, y planning.OpenPart) int { return x.Start - y.Start })
	b.mergeOpen()
	for i := range b.rules {
		rule := &b.rules[i]
		if len(rule.From) == 0 {
			rule.From = []planning.Span{b.span(piece{0, len(b.tokens)})}
		}
		if rule.Ask == nil {
			rule.Ask = []planning.Ask{}
		}
	}
	b.leaveOutside()
	b.countRows()
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

// fromReadings fills in what all candidates agree on, and offers each of them.
func (b *drafting) fromReadings() {
	why := planning.OpenSeveral
	if b.guesses {
		why = whyGuessed
	}
	var others [][]plan.Operation
	for _, candidate := range b.candidates[1:] {
		others = append(others, candidate.Operations)
	}
	b.rules = planning.Agreed(why, b.candidates[0].Operations, others...)
	for i := range b.rules {
		b.rules[i].From = []planning.Span{b.span(piece{0, len(b.tokens)})}
	}
	if b.certain {
		return
	}
	part := b.question(b.asked)
	for _, candidate := range b.unlike() {
		part.Choices = append(part.Choices, planning.ChoiceOf("", candidate.Operations))
	}
	b.open = append(b.open, part)
	b.askAbout(planning.Span{End: len(b.instruction)})
}

// unlike are the candidates that do not do the same to the table as one before.
func (b *drafting) unlike() (all []planning.Candidate) {
	const most = 4 // that are compared: each takes a look at the whole table
	for i, candidate := range b.candidates {
		same := func(other planning.Candidate) bool { return b.sameHere(candidate, other) }
		if i >= most || !slices.ContainsFunc(all, same) {
			all = append(all, candidate)
		}
	}
	return all
}

// limitsOfChanges offers limits of new prices as those of the changes, and leaves them open in the
// rules: 3% up, but no more than 2 euro.
func (b *drafting) limitsOfChanges() {
	ops := make([]plan.Operation, len(b.rules))
	for i := range b.rules {
		if ops[i] = b.rules[i].Operation(operationID(i)); !b.rules[i].Finished() {
			return
		}
	}
	split := ofTheChange(ops)
	at := slices.IndexFunc(b.open, func(part planning.OpenPart) bool { return part.Class == "limit" })
	if at < 0 || split == nil {
		return
	}
	b.open[at].Choices = append(b.open[at].Choices, planning.ChoiceOf("", split))
	for i := range b.rules {
		if _, splits := splitByLimit(ops[i]); splits {
			o := &b.rules[i].Options
			o.MinPrice, o.MaxPrice, o.KeepDirection = nil, nil, false
		}
	}
}

// fromCover fills in rules that are put together of the finished parts.
func (b *drafting) fromCover() {
	path := b.cover()
	made := b.combine(path)
	together := *made // before anything is given to rules by themselves
	together.rules = slices.Clone(made.rules)
	for _, d := range made.operations() {
		b.add(d)
	}
	b.openUnused(path)
	b.openIdle(made, path)
	b.openTogether(&together, made.failed)
	b.openGuesses(path)
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
			b.openPart(p.piece, planning.OpenWords,
				"What is to happen by "+quote(b.source(p.from, p.end))+"?", -1)
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
	return b.isOpen(span) ||
		slices.ContainsFunc(b.rules,
			func(r planning.DraftRule) bool { return slices.ContainsFunc(r.From, within) })
}

// limits reports whether words may take something out of rules elsewhere: an exception, a
// denial, a number.
func (t *text) limits(p piece) bool {
	for at := p.from; at < p.end; at++ {
		if t.tokens[at].kind == number || t.is(at, "NEGATION", "NARROWING", "EITHER_OR", "BARRING") ||
			t.begins(at, "EXCEPT") ||
			t.begins(at, "BUT") ||
			t.begins(at, "ONLYIF") {
			return true
		}
	}
	return false
}

// askAbout has a person look at the rules that are made of some words.
func (b *drafting) askAbout(of planning.Span) {
	for i := range b.rules {
		rule := &b.rules[i]
		if !slices.ContainsFunc(
			rule.From,
			func(s planning.Span) bool { return s.Start < of.End && of.Start < s.End },
		) {
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
