package reader

import (
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// problem is why a reading is no plan: the class of the question, and the words
// that it is about.
type problem struct {
	class    string
	from, to int
}

// questions are asked by class. %s stands for the words that they are about.
var questions = map[string]string{
	"missing_amount":     "By how much, or to what price? %s names no amount.",
	"missing_unit":       "Is the number in %s percent or an amount of money? Write it with % or with a currency.",
	"missing_direction":  "Up, down, or to that price? %s does not say. For example: \"increase by 10%\", \"decrease by $5\" or \"set to $5\".",
	"missing_verb":       "Does the price in %s go up, down or to that amount? For example: \"increase by 10%\", \"decrease by $5\" or \"set to $5\".",
	"missing_target":     "Which products are meant in %s? Name categories or SKUs, or say \"all products\".",
	"contradiction":      "%s contradicts itself, or what is said beside it. Which is meant?",
	"currencies":         "More than one currency is named. Which one are the prices in?",
	"overlap":            "Two rules change the same products, or one changes what the other asks for. Which holds? For one after the other say \"then\".",
	"scope":              "What does %s belong to? Say it in other words, one rule a sentence.",
	"limit":              "Is the limit in %s one of the new price, or of the change? Say \"the new price must not ...\".",
	"readings":           "The instruction can be read in several ways. Which one is meant?",
	"floor_over_ceiling": "The lowest price in %s is above the highest. Which is meant?",
	"full_decrease":      "A decrease of 100% or more leaves no price. How much should remain after %s?",
	"nothing_to_do":      "What should change? Nothing does by %s.",
	"rounding":           "The amount in %s has more decimals than the prices get. How should they be rounded?",
	"unsupported":        "No plan can do %s as it is said. Say it in other words, one rule a sentence.",
	"too_many":           "That is more than 100 rules. Which come first?",
	"too_long":           "The instruction can be read in too many ways. Can it be split into shorter sentences, one rule each?",
	"length":             "What should be done, in 5 to 2,000 characters?",
	"encoding":           "Can you send the instruction again, as UTF-8 text? Some of its letters cannot be read.",
	"invisible":          "Can you type the instruction again? It has an invisible or control character.",
	"unknown_words":      "What does %s mean here? Say it in other words, or leave it out; a category's name can stand in quotation marks.",
	"unfinished":         "The instruction ends where something should follow. What comes after %s?",
	"sku_range":          "Which SKUs lie in the range %s? Name each.",
}

// maxQuoted bounds the words of the instruction that a question repeats.
const maxQuoted = 80

// ask makes the question of a problem.
func (t *text) ask(p problem, readings []planning.Reading) planning.Understanding {
	question, has := questions[p.class]
	switch {
	case p.class == "unknown_category" && t.known != nil:
		question = "Which category is meant by %s? The shop has " + t.known.some() + "."
	case !has:
		question = t.lex.refusals[p.class]
		if question != "" && p.to > p.from {
			question = "A plan cannot express %s. " + question
		}
	}
	if question == "" {
		question = questions["unsupported"]
	}
	words := t.source(p.from, p.to)
	if words == "" {
		words = t.instruction
	}
	if len(readings) > 1 && p.class == "scope" {
		question = questions["readings"]
	}
	asked := &planning.ClarificationError{
		Class: p.class, Readings: readings,
		Questions: []string{strings.ReplaceAll(question, "%s", quote(words))},
	}
	return planning.Understanding{Readings: readings, Asked: asked}
}

// quote is words in quotation marks, cut where they are many.
func quote(words string) string {
	words = strings.Join(strings.Fields(words), " ")
	if runes := []rune(words); len(runes) > maxQuoted {
		words = string(runes[:maxQuoted]) + "…"
	}
	return "\"" + words + "\""
}

// some names the first categories of the list.
func (c *categories) some() string {
	const shown = 10
	if len(c.list) <= shown {
		return strings.Join(c.list, ", ")
	}
	return strings.Join(c.list[:shown], ", ") + " and others"
}

// completions are the readings of rules that lack a unit or a direction, with each
// that they may have.
func (t *text) completions(rules []clause, class string) []planning.Reading {
	var all []planning.Reading
	for _, add := range completing[class] {
		completed := append([]clause(nil), rules...)
		for i := range completed {
			add(&completed[i])
		}
		if ops, failed := compile(completed); failed.class == "" {
			r := t.reading(ops, nil)
			r.Instruction = t.filled(ops)
			all = append(all, r)
		}
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// filled is the instruction with the unit that operations have written into its one
// amount. It is empty where there are more, or where it is read otherwise.
func (t *text) filled(ops []plan.Operation) string {
	at := -1
	for i, token := range t.tokens {
		if token.kind == number && at >= 0 {
			return ""
		}
		if token.kind == number {
			at = i
		}
	}
	if at < 0 {
		return ""
	}
	token := t.tokens[at]
	written := "$" + token.text
	if a := ops[0].Action.Type; a == plan.PercentIncrease || a == plan.PercentDecrease {
		written = token.text + "%"
	}
	said := t.instruction[:token.start] + written + t.instruction[token.end:]
	u := read(said, t.known, false)
	if u.Asked != nil || !planning.Same(planOf(u.Readings[0]), &plan.Plan{Operations: ops}) {
		return ""
	}
	return said
}

// completing are the ways to give rules what they lack.
var completing = map[string][]func(*clause){
	"missing_unit": {
		func(c *clause) { c.lacks(percent, noDirection) },
		func(c *clause) { c.lacks(money, noDirection) },
	},
	"missing_direction": inAnyDirection,
	"missing_verb":      inAnyDirection,
}

var inAnyDirection = []func(*clause){
	func(c *clause) { c.lacks(percent, up) },
	func(c *clause) { c.lacks(percent, down) },
	func(c *clause) { c.lacks(money, to) },
}

// lacks gives a rule a unit and a direction where it has none.
func (c *clause) lacks(u unit, d direction) {
	if (c.problem == "missing_direction" || c.problem == "missing_verb") && d != noDirection {
		c.problem, c.act = "", change
	}
	if c.act != change || c.problem != "" {
		return
	}
	if c.amount.unit == bare && c.dir != to {
		c.amount.unit = u
	}
	if c.dir == noDirection {
		c.dir = d
	}
}

// reading is what operations say, with an instruction that asks for just them
// where there is one that is read so.
func (t *text) reading(ops []plan.Operation, m *meaning) planning.Reading {
	p := &plan.Plan{Operations: ops}
	r := planning.Reading{By: Model, Sentences: plan.Explain(p), Operations: ops}
	if m != nil {
		r.Derivation = t.derivation(m)
	}
	return r
}

// saying is a plan in words that are read as it. It is empty where there are none.
func saying(p *plan.Plan, known *categories) string {
	sentences := plan.Explain(p)
	for i := range sentences[1:] {
		if meddles(p.Operations[i], p.Operations[i+1]) != independent {
			sentences[i+1] = "Then " + strings.ToLower(sentences[i+1][:1]) + sentences[i+1][1:]
		}
	}
	said := strings.Join(sentences, " ")
	if len(said) > plan.MaxInstructionLength {
		return ""
	}
	if u := read(said, known, false); u.Asked != nil || !planning.Same(p, &plan.Plan{Operations: u.Readings[0].Operations}) {
		return ""
	}
	return said
}
