package reader

import (
	"cmp"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// ways are what a rule may be that its words leave open, by the class of the question.
var ways = map[string][]clause{
	"anytag":     {{}},
	"limit":      {{}},
	"cost_price": {{}},
	"paid":       {{}},
	"sale_price": {{sale: true}, {regular: true}},
	"verb":       {{act: unsale}, {dir: to}, {dir: onCost}, {}},
	"promo":      {{only: onSale}, {sale: true}, {regular: true}},
}

// complete gives a rule what its question asks for.
func (c *clause) complete(given *clause) {
	switch c.problem {
	case "sale_price", "promo":
		c.problem, c.sale = "", given.sale && (c.dir == down || c.dir == to && !c.regular)
		c.merge(&clause{only: given.only})
	case "verb":
		if given.act != noAct && c.dir == to ||
			given.act == noAct && (given.dir == noDirection || actions[given.dir][c.amount.unit] != "") {
			c.problem, c.act, c.dir = "", cmp.Or(given.act, c.act), cmp.Or(given.dir, c.dir)
		}
	case "anytag", "cost_price", "paid":
		c.problem, c.act = "", cmp.Or(c.act, change)
	case "", "limit":
		c.ofPrice = true
	}
	if c.problem != "" {
		return
	}
	if c.act == change && c.dir == noDirection {
		c.dir = to
	}
}

// wayChoices are the rules that an unclear one may be, each as a press for it.
func (b *drafting) wayChoices(d *drafted) (all []planning.DraftChoice) {
	for _, given := range ways[d.class] {
		said := d.from.clause
		said.sets = d.products
		said.complete(&given)
		if said.problem != "" && said.problem != "limit" || said.act == change && said.checkAmount() != "" {
			continue
		}
		if said.only != nil {
			said.sets = intersection(orEverything(said.sets), said.only)
		}
		said.sets = orEverything(said.sets)
		if !b.known.say(said.sets) {
			continue
		}
		for _, op := range said.operations(&b.known.given)[:1] {
			rule := planning.RuleOf(op.Operation)
			choice := planning.DraftChoice{
				Label: rule.Sentence(),
				Patch: planning.DraftPatch{
					Filter:  &rule.Filter,
					Action:  &rule.Action,
					Options: &rule.Options,
				},
			}
			if rule.Finished() &&
				!slices.ContainsFunc(all,
					func(o planning.DraftChoice) bool { return o.Label == choice.Label }) {
				all = append(all, choice)
			}
		}
	}
	return all
}

// orderChoices are what rules may be together that share products: each product gets one of
// the changes, or several, one after the other.
func (b *drafting) orderChoices(made *combiner) (all []planning.DraftChoice) {
	rules := made.clauses()
	once := slices.Clone(rules)
	if b.known.once(once) {
		all = b.together(all, "Each product gets one of the changes. ", once)
	}
	then := slices.Clone(rules)
	for i := range then {
		then[i].then = i > 0
	}
	return b.together(all, "One after the other. ", then)
}

// headingChoices are what rules behind a heading may be: for it, too, or not.
func (b *drafting) headingChoices(made *combiner) (all []planning.DraftChoice) {
	for _, narrows := range []bool{true, false} {
		rules := slices.Clone(made.clauses())
		underHeadings(rules, func(r *clause, heading []set) {
			if r.under = everything; narrows {
				r.sets = intersection(r.sets, heading)
			}
		})
		lead := "The heading is for all. "
		if !narrows {
			lead = "The heading is for the first alone. "
		}
		all = b.together(all, lead, rules)
	}
	return all
}

// together adds the choice of all rules as they are given, where they make a plan.
func (b *drafting) together(all []planning.DraftChoice, lead string, rules []clause) []planning.DraftChoice {
	ops, failed := compile(rules, b.known)
	p := &plan.Plan{
		ExecutionID:       "reading_1",
		CreatedAt:         "2000-01-01T00:00:00Z",
		SourceInstruction: b.instruction,
		Operations:        ops,
	}
	if failed.class != "" || p.Validate() != nil {
		return all
	}
	choice := planning.ChoiceOf(lead, ops)
	same := func(o planning.DraftChoice) bool {
		return strings.HasSuffix(o.Label, strings.TrimPrefix(choice.Label, lead))
	}
	if slices.ContainsFunc(all, same) {
		return all
	}
	return append(all, choice)
}

// once leaves out of each rule what is a part of its products and has a rule of its own. It
// is false where rules share products and none is for a part of the other's.
func (c *index) once(rules []clause) bool {
	for i := range rules {
		if rules[i].act == likewise && i > 0 {
			rules[i].like(&rules[i-1])
		}
	}
	for i := range rules {
		for k := range rules {
			if i == k || len(rules[i].sets) != 1 || len(rules[k].sets) != 1 {
				continue
			}
			part := rules[i].sets[0]
			rows, known := c.shared(rules[k].sets[0], part)
			if all := keys(rules[k].sets) == keys(everything); !all && (!known || rows == 0) {
				continue
			} else if all || rows >= c.count(part) {
				rules[k].except = append(slices.Clip(rules[k].except), part)
			} else if rows < c.count(rules[k].sets[0]) {
				return false
			}
		}
	}
	return true
}
