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
	"missing_unit":      planning.OpenUnit,
	"missing_direction": planning.OpenDirection,
	"missing_verb":      planning.OpenDirection,
	"missing_amount":    planning.OpenAmount,
	"missing_target":    planning.OpenProducts,
	"unknown_category":  planning.OpenName,
	"schedule":          planning.OpenWhen,
	"scope":             planning.OpenSeveral,
	"overlap":           planning.OpenOrder,
}

// question is the open part of the reader's question.
func (t *text) question(asked *planning.ClarificationError) planning.OpenPart {
	part := planning.OpenPart{
		Span:    planning.Span{End: len(t.instruction)},
		Class:   asked.Class,
		Choices: []planning.DraftChoice{},
	}
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
	if asked.Class == classGuess && t.asked.to > t.asked.from && t.noName(t.asked) {
		part.Class = planning.OpenWords
	}
	return part
}

// openPart adds an open part for some tokens, once for those of one class.
func (b *drafting) openPart(p piece, class, question string, operation int, choices ...planning.DraftChoice) {
	part := planning.OpenPart{
		Span:     b.span(p),
		Class:    class,
		Question: question,
		Choices:  append([]planning.DraftChoice{}, choices...),
	}
	part.Text = b.instruction[part.Start:part.End]
	if operation >= 0 {
		part.Operation = &operation
	}
	if !slices.ContainsFunc(
		b.open,
		func(o planning.OpenPart) bool { return o.Span == part.Span && o.Class == class },
	) {
		b.open = append(b.open, part)
	}
}

// openTimes has a person confirm the times of the text.
func (b *drafting) openTimes() {
	words := b.times.words
	if len(words) == 0 {
		return
	}
	applyAt, revertAt := b.times.written()
	var choices []planning.DraftChoice
	if applyAt != "" || revertAt != "" {
		choices = append(choices, timesChoice(applyAt, revertAt))
	}
	for _, end := range b.times.ends {
		if end.After(b.known.now) && end.After(b.times.apply) {
			choices = append(choices, timesChoice(timing{apply: b.times.apply, revert: end}.written()))
		}
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

// timesChoice is to have the rules hold between two times.
func timesChoice(applyAt, revertAt string) planning.DraftChoice {
	terms := plan.Plan{Terms: plan.Terms{ApplyAt: applyAt, RevertAt: revertAt}}
	return planning.DraftChoice{
		Label: strings.Join(plan.Explain(&terms), " "),
		Patch: planning.DraftPatch{ApplyAt: applyAt, RevertAt: revertAt},
	}
}

// openUnused opens the words that nothing used. Those of a sentence that says nothing of rules are
// shown, and no question.
func (b *drafting) openUnused(path []fragment) {
	for _, p := range b.unused(path) {
		class := planning.OpenWords
		switch {
		case slices.ContainsFunc(b.tokens[p.from:p.end],
			func(token token) bool { return token.kind == number }):
			class = planning.OpenNumber
		case b.scheduled(p.from):
			class = planning.OpenWhen
		}
		near := b.ruleNear(p)
		b.openPart(
			p,
			class,
			"What does "+quote(b.source(p.from, p.end))+" mean here?",
			near,
			b.nameChoices(p, near)...)
		b.open[len(b.open)-1].Quiet = class == planning.OpenWords && b.isChat(p, path)
	}
}

// isChat reports whether words are of a sentence that has no part of a rule, and that neither counts,
// denies nor leaves anything out.
func (b *drafting) isChat(words piece, path []fragment) bool {
	s := b.sentence(b.sentenceOf(words.from))
	says := func(p fragment) bool { return p.from < s.end && s.from < p.end && !b.unlisted(p.meaning) }
	return len(b.rules) > 0 && !slices.ContainsFunc(path, says) && !b.limits(s) &&
		len(b.named(s, costGuess)) == 0
}

// openIdle opens the parts that found no rule.
func (b *drafting) openIdle(made *combiner, path []fragment) {
	for _, p := range made.idle {
		class := planning.OpenWords
		if b.isChat(p.piece, path) {
			b.openPart(p.piece, class, "What is to happen by "+quote(b.source(p.from, p.end))+"?", -1)
			b.open[len(b.open)-1].Quiet = true
			continue
		}
		switch {
		case b.unlisted(p.meaning):
			class = planning.OpenName
		case p.kind == targetPart:
			class = planning.OpenTarget
		case p.kind == amountPart:
			class = planning.OpenNumber
		}
		near := b.ruleNear(p.piece)
		b.openPart(
			p.piece,
			class,
			"What is to happen by "+quote(b.source(p.from, p.end))+"?",
			near,
			b.nameChoices(p.piece, near)...)
	}
}

// ruleNear is the rule of a sentence that stands before some words, else its first; -1: there is none.
func (b *drafting) ruleNear(words piece) int {
	s := b.span(b.sentence(b.sentenceOf(words.from)))
	before, first := -1, -1
	for i, rule := range b.rules {
		for _, from := range rule.From {
			if from.Start < s.Start || from.Start >= s.End {
				continue
			}
			if first < 0 {
				first = i
			}
			if from.Start <= b.tokens[words.from].start {
				before = i
			}
		}
	}
	if before >= 0 {
		return before
	}
	return first
}

// openGuesses opens names that words are supposed to be meant for.
func (b *drafting) openGuesses(path []fragment) {
	for _, p := range path {
		p.meaning.eachLeaf(func(leaf *meaning) {
			if leaf.guess == "" && leaf.problem != "unknown_category" ||
				b.isOpen(b.span(piece{leaf.from, leaf.to})) {
				return
			}
			b.openGuessedName(leaf)
		})
	}
}

// openGuessedName opens a name that words are supposed to be meant for, with what else they may be.
func (b *drafting) openGuessedName(leaf *meaning) {
	words := piece{leaf.from, leaf.to}
	rule := b.ruleAt(leaf.from)
	var choices []planning.DraftChoice
	if leaf.guess != "" && rule >= 0 {
		filter := b.rules[rule].Filter
		choices = append(
			choices,
			planning.DraftChoice{Label: leaf.guess, Patch: planning.DraftPatch{Filter: &filter}},
		)
	}
	if leaf.problem == "unknown_category" {
		choices = append(choices, b.nameChoices(words, rule)...)
	}
	b.openPart(
		words,
		planning.OpenName,
		"What is meant by "+quote(b.source(words.from, words.end))+"?",
		rule,
		choices...)
}

// isOpen reports whether some words are in an open part.
func (b *drafting) isOpen(words planning.Span) bool {
	return slices.ContainsFunc(
		b.open,
		func(o planning.OpenPart) bool { return o.Start <= words.Start && words.End <= o.End },
	)
}

// openSeveral opens the words that mean several things.
func (b *drafting) openSeveral(path []fragment) {
	for _, p := range path {
		if len(p.several) > 1 && p.meaning.rules != nil {
			b.openPart(
				p.piece,
				planning.OpenSeveral,
				replaceWords(b.lex.questions["scope"], quote(b.source(p.from, p.end))),
				b.ruleAt(p.from),
			)
		}
	}
}

// ruleAt is the rule that some token is of; -1: of none.
func (b *drafting) ruleAt(at int) int {
	start := b.tokens[at].start
	return slices.IndexFunc(b.rules, func(rule planning.DraftRule) bool {
		return slices.ContainsFunc(
			rule.From,
			func(s planning.Span) bool { return s.Start <= start && start < s.End },
		)
	})
}

// openRule opens what a rule lacks.
func (b *drafting) openRule(i int, d drafted) {
	p := d.from.spans[len(d.from.spans)-1]
	words := quote(b.source(p.from, p.end))
	if unknown := b.unknownIn(d.from.spans); d.from.nothing && unknown.end > unknown.from {
		said := b.source(unknown.from, unknown.end)
		question := replaceWords(b.lex.questions["unknown_category"], quote(said)) + " " +
			b.known.nearest(said)
		b.openPart(unknown, planning.OpenName, question, i, b.nameChoices(unknown, i)...)
	} else if d.from.nothing {
		b.openPart(p, planning.OpenProducts, "Which products are meant in "+words+"?", i,
			planning.DraftChoice{Label: "All products", Patch: planning.DraftPatch{Filter: &plan.Filter{}}})
	}
	switch d.class {
	case "":
	case "missing_unit", "missing_direction", "missing_verb":
		choices := b.actions(&d)
		if whole, has := b.guessIn(d.from.spans); has {
			p, words, choices = whole, quote(b.source(whole.from, whole.end)), withFilter(&d.rule, choices)
		}
		b.openPart(p, classOf[d.class], "How is the price in "+words+" to change?", i, choices...)
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

// unknownIn are the words of a rule that are a name which no list has.
func (b *drafting) unknownIn(spans []piece) (unknown piece) {
	for _, p := range spans {
		for at := p.from; at < p.end; at++ {
			for _, e := range b.edges[at] {
				if e.meaning.problem == "unknown_category" && e.end <= p.end &&
					e.end-at > unknown.end-unknown.from &&
					b.mayName(piece{at, e.end}) {
					unknown = piece{at, e.end}
				}
			}
		}
	}
	return unknown
}

// mergeOpen makes one open part of words beside each other of which none has a choice: buy 2 get 1.
func (b *drafting) mergeOpen() {
	plain := func(part planning.OpenPart) bool {
		words := []string{planning.OpenWords, planning.OpenNumber, planning.OpenTarget}
		return len(part.Choices) == 0 && slices.Contains(words, part.Class)
	}
	var all []planning.OpenPart
	for _, part := range b.open {
		last := len(all) - 1
		if last < 0 || !plain(part) || !plain(all[last]) || part.Quiet != all[last].Quiet ||
			part.Start < all[last].End ||
			strings.Trim(b.instruction[all[last].End:part.Start], " '-") != "" {
			all = append(all, part)
			continue
		}
		before := &all[last]
		if before.End = part.End; part.Class == planning.OpenNumber {
			before.Class = part.Class
		}
		before.Text = b.instruction[before.Start:before.End]
		before.Question = "What does " + quote(before.Text) + " mean here?"
	}
	b.open = all
}

// guessIn are the words of a rule, where some of them are supposed to be meant for a name.
func (b *drafting) guessIn(spans []piece) (whole piece, has bool) {
	whole = spans[0]
	for _, p := range spans {
		whole = piece{min(whole.from, p.from), max(whole.end, p.end)}
	}
	for _, name := range b.spans(whole, costGuess) {
		has = has || name.guess != ""
	}
	return whole, has
}

// withFilter has choices of an action confirm the products of their rule, too.
func withFilter(rule *planning.DraftRule, choices []planning.DraftChoice) (all []planning.DraftChoice) {
	for _, choice := range choices {
		made := *rule
		made.Action = *choice.Patch.Action
		choice.Label, choice.Patch.Filter = shortSentence(&made), &made.Filter
		all = append(all, choice)
	}
	return all
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
		b.openPart(
			all,
			"heading",
			replaceWords(b.lex.questions["heading"], quote(b.instruction)),
			-1,
			b.headingChoices(made)...)
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
			if kind == "" || said.amount.unit != bare && said.amount.unit != u ||
				said.amount.unit == bare && tooMuch {
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
		if open.Start < part.End && part.Start < open.End && !open.Quiet {
			return
		}
	}
	if asked := b.text.asked; asked.class == "order" || asked.class == "beside" {
		if rule := b.ruleAt(asked.from); rule >= 0 {
			part.Operation, part.Choices = &rule, b.widerAndNarrower(piece{asked.from, asked.to}, rule)
		}
	}
	b.open = append(b.open, part)
}
