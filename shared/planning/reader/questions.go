package reader

import (
	"slices"
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

// maxQuoted bounds the words of the instruction that a question repeats.
const maxQuoted = 80

// ask makes the question of a problem.
func (t *text) ask(p problem, readings []planning.Reading) planning.Understanding {
	question, has := t.lex.questions[p.class]
	switch {
	case p.class == "unknown_category" && t.known != nil:
		question = "Which category is meant by %s? The shop has " + t.known.some() + "."
	case !has:
		question = t.lex.questions["unsupported"]
	case t.lex.refusal[p.class] && p.to > p.from:
		question = "A plan cannot express %s. " + question
	}
	words := t.source(p.from, p.to)
	if words == "" {
		words = t.instruction
	}
	if len(readings) > 1 && p.class == "scope" {
		question = t.lex.questions["readings"]
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
	ways := completing[class]
	isPrice := func(edges []edge) bool {
		return slices.ContainsFunc(edges, func(e edge) bool { return e.meaning.symbol == "PRICENUM" })
	}
	if class == "missing_unit" && slices.ContainsFunc(t.edges, isPrice) {
		ways = []clause{ways[1], ways[0]} // 2.50 is money rather than percent
	}
	for _, given := range ways {
		completed := slices.Clone(rules)
		for i := range completed {
			completed[i].complete(&given)
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
var completing = map[string][]clause{
	"missing_unit":      {{amount: amount{unit: percent}}, {amount: amount{unit: money}}},
	"missing_direction": inAnyDirection,
	"missing_verb":      inAnyDirection,
}

var inAnyDirection = []clause{
	{dir: up, amount: amount{unit: percent}}, {dir: down, amount: amount{unit: percent}}, {dir: to, amount: amount{unit: money}},
}

// complete gives a rule a unit and a direction where it has none.
func (c *clause) complete(given *clause) {
	if (c.problem == "missing_direction" || c.problem == "missing_verb") && given.dir != noDirection {
		c.problem, c.act = "", change
	}
	if c.act != change || c.problem != "" {
		return
	}
	if c.amount.unit == bare && c.dir != to {
		c.amount.unit = given.amount.unit
	}
	if c.dir == noDirection {
		c.dir = given.dir
	}
}

// reading is what operations say, with an instruction that asks for just them
// where there is one that is read so.
func (t *text) reading(ops []plan.Operation, m *meaning) planning.Reading {
	p := &plan.Plan{Operations: ops}
	r := planning.Reading{By: Model, Sentences: plan.Explain(p), Operations: ops}
	if m != nil {
		r.Derivation, r.Assumes = t.derivation(m), t.assumed(m)
	}
	return r
}

// inWords is a plan in words that are read as it. It is empty where there are none.
func inWords(p *plan.Plan, known *categories) string {
	sentences := plan.Explain(p)
	for i := range sentences[1:] {
		if !planning.Independent(p.Operations[i], p.Operations[i+1]) {
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
