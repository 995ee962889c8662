package grammar

import (
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/english"
)

// blank is an amount of the instruction without its unit or direction.
type blank struct {
	from, to int // bytes
	value    english.Value
	currency string // that of the instruction
}

// noteBlank adds to a failure the amount of the clause that it is about.
func (p *parser) noteBlank(c *clause) {
	if p.failed == nil {
		return
	}
	symbol := p.symbols[c.amountAt]
	b := &blank{from: p.tokens[symbol.From].Start, to: p.tokens[symbol.To-1].End, value: *c.amount, currency: "$"}
	for _, other := range p.symbols {
		if other.Amount.Currency != 0 {
			b.currency = other.Amount.Currency.String()
		}
	}
	if p.text[b.from:b.to] == symbol.Text { // and not repeated by "same for"
		p.failed.blank = b
	}
}

// supposition is what an instruction leaves out, the same for each of its
// amounts. The zero value supposes nothing.
type supposition struct {
	unit     english.Unit
	relation string // before the amount: "+", "-" or "to "
}

// fill writes the amount as it is supposed to be meant into the instruction.
func (b *blank) fill(instruction string, s supposition) string {
	text, unit := b.value.Number.String(), b.value.Unit
	if unit == english.NoUnit {
		unit = s.unit
	}
	switch unit {
	case english.Percent:
		text += "%"
	case english.Money:
		text = b.currency + text
	}
	switch {
	case s.relation != "":
		text = s.relation + text
	case b.value.Sign > 0:
		text = "+" + text
	case b.value.Sign < 0:
		text = "-" + text
	}
	return instruction[:b.from] + text + instruction[b.to:]
}

// alternatives are the ways to suppose what a failure asks for, beside what is
// supposed already.
func (s supposition) alternatives(class string) []supposition {
	switch {
	case class == missingUnit && s.unit == english.NoUnit:
		return []supposition{{english.Percent, s.relation}, {english.Money, s.relation}}
	case class == missingDirection && s.relation == "":
		return []supposition{{s.unit, "+"}, {s.unit, "-"}, {english.Money, "to "}}
	case class == missingUnit || class == missingDirection:
		return []supposition{s}
	}
	return nil
}

// An instruction is read again for each amount that is filled in, in each way,
// so there are bounds to what is completed: its amounts, and its bytes.
const (
	maxBlanks    = 4
	maxCompleted = 500
)

// readings are the instructions that one with an amount that says too little
// may stand for, each of which gives another plan: "increase prices by 10" with
// 10% and with $10. There are none where fewer than two ways give a plan.
func readings(r planning.Request, categories *english.Categories, failed *failure) []planning.Reading {
	if len(r.Instruction) > maxCompleted {
		return nil
	}
	var plans []*plan.Plan
	var complete func(instruction string, failed *failure, supposed supposition, filled int)
	complete = func(instruction string, failed *failure, supposed supposition, filled int) {
		if failed.blank == nil || filled == maxBlanks {
			return
		}
		for _, s := range supposed.alternatives(failed.class) {
			completed := r
			completed.Instruction = failed.blank.fill(instruction, s)
			p, still := planned(completed, categories)
			switch {
			case still != nil:
				complete(completed.Instruction, still, s, filled+1)
			case !slices.ContainsFunc(plans, func(other *plan.Plan) bool { return planning.Same(p, other) }):
				plans = append(plans, p)
			}
		}
	}
	complete(r.Instruction, failed, supposition{}, 0)
	if len(plans) < 2 {
		return nil
	}
	var all []planning.Reading
	for _, p := range plans {
		all = append(all, planning.Reading{By: Model, Instruction: p.SourceInstruction, Sentences: plan.Explain(p)})
	}
	return all
}
