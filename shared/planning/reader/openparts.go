package reader

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// What a person has to settle before a draft is a plan.

// classOf are the classes of open parts that have another name as questions.
var classOf = map[string]string{
	"missing_unit": planning.OpenUnit, "missing_direction": planning.OpenDirection, "missing_verb": planning.OpenDirection,
	"missing_amount": planning.OpenAmount, "missing_target": planning.OpenProducts, "unknown_category": planning.OpenName,
	"schedule": planning.OpenWhen, "scope": planning.OpenSeveral, "overlap": planning.OpenOrder,
}

// question is the open part of the reader's question.
func (t *text) question(asked *planning.ClarificationError) planning.OpenPart {
	part := planning.OpenPart{Span: planning.Span{End: len(t.instruction)}, Class: asked.Class, Choices: []planning.DraftChoice{}}
	if p := t.asked; p.to > p.from && p.to <= len(t.tokens) {
		part.Span = t.span(piece{p.from, p.to})
	}
	part.Text = t.instruction[part.Start:part.End]
	for i, question := range asked.Questions {
		if part.Question += question; i < len(asked.Questions)-1 {
			part.Question += " "
		}
	}
	if class, has := classOf[asked.Class]; has {
		part.Class = class
	}
	return part
}

// openPart adds an open part for some tokens, once for those of one class.
func (b *drafting) openPart(p piece, class, question string, operation int, choices ...planning.DraftChoice) {
	part := planning.OpenPart{Span: b.span(p), Class: class, Question: question, Choices: append([]planning.DraftChoice{}, choices...)}
	part.Text = b.instruction[part.Start:part.End]
	if operation >= 0 {
		part.Operation = &operation
	}
	if !slices.ContainsFunc(b.open, func(o planning.OpenPart) bool { return o.Span == part.Span && o.Class == class }) {
		b.open = append(b.open, part)
	}
}

// openTimes passes over the times of the text, and has a person confirm them.
func (b *drafting) openTimes() {
	b.times = clock{b.text, b.now}.timing()
	words := b.times.words
	if len(words) == 0 {
		return
	}
	for _, p := range words {
		b.skips[p.from] = append(slices.Clip(b.skips[p.from]), hop{p, 0})
	}
	applyAt, revertAt := b.times.written()
	var choices []planning.DraftChoice
	if applyAt != "" || revertAt != "" {
		terms := plan.Plan{Terms: plan.Terms{ApplyAt: applyAt, RevertAt: revertAt}}
		choices = append(choices, planning.DraftChoice{Label: strings.Join(plan.Explain(&terms), " "), Patch: planning.DraftPatch{ApplyAt: applyAt, RevertAt: revertAt}})
	}
	for i := 0; i < len(words); i++ {
		said := words[i]
		for i+1 < len(words) && b.joinedBy(said.end, words[i+1].from) {
			i++
			said.end = words[i].end
		}
		b.openPart(said, planning.OpenWhen, "Is this when it should happen?", -1, choices...)
	}
}

// openUnused opens the words that nothing used.
func (b *drafting) openUnused(path []fragment) {
	for _, p := range b.unused(path) {
		class := planning.OpenWords
		switch {
		case slices.ContainsFunc(b.tokens[p.from:p.end], func(token token) bool { return token.kind == number }):
			class = planning.OpenNumber
		case b.scheduled(p.from):
			class = planning.OpenWhen
		}
		b.openPart(p, class, "What does "+quote(b.source(p.from, p.end))+" mean here?", -1)
	}
}

// openIdle opens the parts that found no rule.
func (b *drafting) openIdle(made *combiner) {
	for _, p := range made.idle {
		class := planning.OpenWords
		switch {
		case b.unlisted(p.meaning):
			class = planning.OpenName
		case p.kind == targetPart:
			class = planning.OpenTarget
		case p.kind == amountPart:
			class = planning.OpenNumber
		}
		b.openPart(p.piece, class, "What is to happen by "+quote(b.source(p.from, p.end))+"?", -1)
	}
}

// openSupposed opens names that words are supposed to be meant for.
func (b *drafting) openSupposed(path []fragment) {
	for _, p := range path {
		p.meaning.eachLeaf(func(leaf *meaning) {
			if leaf.supposed == "" && leaf.problem != "unknown_category" || b.isOpen(b.span(piece{leaf.from, leaf.to})) {
				return
			}
			words := quote(b.source(leaf.from, leaf.to))
			b.openPart(piece{leaf.from, leaf.to}, planning.OpenName, "What is meant by "+words+"?", b.ruleAt(leaf.from))
		})
	}
}

// isOpen reports whether some words are in an open part.
func (b *drafting) isOpen(words planning.Span) bool {
	return slices.ContainsFunc(b.open, func(o planning.OpenPart) bool { return o.Start <= words.Start && words.End <= o.End })
}

// openSeveral opens the words that mean several things.
func (b *drafting) openSeveral(path []fragment) {
	for _, p := range path {
		if len(p.several) > 1 && p.meaning.rules != nil {
			b.openPart(p.piece, planning.OpenSeveral, replaceWords(b.lex.questions["scope"], quote(b.source(p.from, p.end))), b.ruleAt(p.from))
		}
	}
}

// ruleAt is the rule that some token is of; -1: of none.
func (b *drafting) ruleAt(at int) int {
	start := b.tokens[at].start
	return slices.IndexFunc(b.rules, func(rule planning.DraftRule) bool {
		return slices.ContainsFunc(rule.From, func(s planning.Span) bool { return s.Start <= start && start < s.End })
	})
}

// openRule opens what a rule lacks.
func (b *drafting) openRule(i int, d drafted) {
	p := d.from.spans[len(d.from.spans)-1]
	words := quote(b.source(p.from, p.end))
	if d.from.nothing {
		b.openPart(p, planning.OpenProducts, "Which products are meant in "+words+"?", i,
			planning.DraftChoice{Label: "All products", Patch: planning.DraftPatch{Filter: &plan.Filter{}}})
	}
	switch d.class {
	case "":
	case "missing_unit", "missing_direction", "missing_verb":
		b.openPart(p, classOf[d.class], "How is the price in "+words+" to change?", i, b.actions(&d)...)
	default:
		class := d.class
		if open, has := classOf[class]; has {
			class = open
		}
		question, has := b.lex.questions[d.class]
		if !has {
			question = b.lex.questions["unsupported"]
		}
		b.openPart(p, class, replaceWords(question, words), i, b.wayChoices(&d)...)
	}
}

// openTogether opens what several rules are together.
func (b *drafting) openTogether(made *combiner, failed problem) {
	all := piece{0, len(b.tokens)}
	switch failed.class {
	case "overlap":
		if !b.known.given.Whole && b.asked.Class != "overlap" {
			return // whether they share products only a table tells
		}
		b.openPart(all, planning.OpenOrder, b.lex.questions["overlap"], -1, b.orderChoices(made)...)
	case "heading":
		b.openPart(all, "heading", replaceWords(b.lex.questions["heading"], quote(b.instruction)), -1, b.headingChoices(made)...)
	}
}

// actions are what an amount may do to a price.
func (b *drafting) actions(d *drafted) (all []planning.DraftChoice) {
	said := d.from.clause
	if said.amount.unit == noUnit {
		return nil
	}
	value := said.amount.number
	hundred := plan.MustDecimal("100")
	for _, way := range []struct {
		dir   direction
		label string
	}{{to, "Set the price to"}, {up, "Increase"}, {down, "Decrease"}} {
		if said.dir != noDirection && said.dir != way.dir {
			continue
		}
		for _, u := range []unit{percent, money} {
			kind := actions[way.dir][u]
			tooMuch := u == percent && value.Cmp(hundred) >= 0 // which nobody means by a number alone
			if kind == "" || said.amount.unit != bare && said.amount.unit != u || said.amount.unit == bare && tooMuch {
				continue
			}
			action := planning.DraftAction{Type: kind, Value: &value}
			label := way.label + " by " + value.String()
			if way.dir == to {
				label = way.label + " " + value.String()
			}
			if u == percent {
				label += "%"
			}
			all = append(all, planning.DraftChoice{Label: label, Patch: planning.DraftPatch{Action: &action}})
		}
	}
	return all
}

// openQuestion opens what the reader asks, unless words in it are open already.
func (b *drafting) openQuestion() {
	part := b.question(b.asked)
	for _, open := range b.open {
		if open.Start < part.End && part.Start < open.End {
			return
		}
	}
	b.open = append(b.open, part)
}
