package console

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// Carried are the fields of the state that the page has no visible field for.
func (p newPage) Carried() []string {
	return []string{"replaces", "tab", "approval", "unmatched", "near_names", "said", "draft", "original"}
}

// Rules are those of the state.
func (p newPage) Rules() []rule { return p.rules() }

// Begun reports whether some field is filled in beside the table.
func (p newPage) Begun() bool { return p.Result.Begun() }

// Zone says in which time zone the times are.
func (p newPage) Zone() string {
	return "Times are in " + cmp.Or(p.Get("zone"), "the server's zone") + "."
}

// Presets are times that are frequent.
func (p newPage) Presets() []choice {
	return []choice{
		{"now", "At once"}, {"weekend", "This weekend"}, {"sunday", "Until Sunday 23:59"},
		{"week", "One week from tomorrow"},
	}
}

// Columns are the columns of the table to choose one from.
func (p newPage) Columns() columnChoice { return p.Table.Choose("") }

// OnlyPropose says why somebody has to approve of it; "" where it may be applied at once.
func (p newPage) OnlyPropose() string {
	switch {
	case p.Plan != nil && p.Plan.Agreement == plans.AgreementModel:
		return plans.NotVouchedFor
	case p.Result.TooLarge:
		return "What it does is seen once it is asked for, before anything is written."
	case p.Get("approval") == string(plan.ApprovalAlways):
		return "This change asks for an approval."
	case p.Me.ApprovalAlways:
		return "Every change here needs an approval."
	}
	return ""
}

// MayExecute reports whether the reader may hand the table in.
func (p newPage) MayExecute() bool {
	return p.Own || p.Me.Allows("execute")
}

// Next says what happens next.
func (p newPage) Next() string {
	switch why := p.OnlyPropose(); {
	case !p.Result.Finished():
		return ""
	case !p.Result.Ready():
		return "Nothing would change."
	case why != "":
		return why
	case p.Get("apply_at") != "" && p.Get("revert_at") != "":
		return "You get a file to import when it starts, and another when it ends."
	case p.Get("apply_at") != "":
		return "You get a file to import when it starts."
	case p.Get("revert_at") != "":
		return "You get a file to import now, and another when it ends."
	}
	return "You get a file to import. Your own file stays as it is."
}

// Blocked says why nothing of the page can be saved or applied yet; "" where it can.
func (p newPage) Blocked() string {
	typed, said, open := strings.TrimSpace(p.Get("instruction")), p.Get("said"), len(p.Undecided)
	switch {
	case typed != "" && typed != said:
		return "Your sentence is not in the rules yet. Fill in the rules, or clear it."
	case typed == "" && said != "" && open > 0:
		return "You cleared the sentence. What was open in it is dropped with the next button that you press."
	case open > 0:
		return "Answer what is open in the sentence first."
	case p.Result.alreadyChanged():
		return "Say first whether this comes on top of what was changed before."
	}
	return ""
}

// OffersApproval reports whether there is somebody to be asked, or the change must be
// approved of.
func (p newPage) OffersApproval() bool { return p.Me.Several || p.OnlyPropose() != "" }

// In is a rule as the page shows it.
func (p newPage) In(r rule) ruleView {
	return ruleView{Rule: r, Table: p.Table, Pieced: p.Pieced(r.N), result: p.Result}
}

// addsView is the list of conditions that can be added to a rule.
type addsView struct {
	ID, Field, Label, Empty string
	Offered                 []condition
}

// Adds are the conditions that can be added to the rule's products, or to its exceptions.
func (v ruleView) Adds(except bool) addsView {
	r := v.Rule
	list := addsView{
		fmt.Sprintf("r%d-and", r.N), r.Field("and.add"),
		fmt.Sprintf("Another condition of rule %d", r.Number()), "+ and only those with…",
		v.Table.Offered(r, except),
	}
	if except {
		list.ID, list.Field = fmt.Sprintf("r%d-except", r.N), r.Field("except.add")
		list.Label, list.Empty = fmt.Sprintf("An exception of rule %d", r.Number()), "+ leave out by…"
	}
	return list
}

// ChangeFields are the fields of what the rule changes.
func (v ruleView) ChangeFields() []string { return []string{"action", "stock", "value", "as_sale"} }

// ruleView is a rule with its table and what it would do.
type ruleView struct {
	Rule   rule
	Table  tableView
	Pieced []string // what was pieced together of the sentence
	result result
}

// Count is how many rules there are.
func (v ruleView) Count() int { return len(v.Rule.rules()) }

// Figures are those of the rule; nil where there are none.
func (v ruleView) Figures() *pricing.Rule { return v.result.Of(v.Rule.N) }

// Wrong is what is wrong with a field of the rule.
func (v ruleView) Wrong(name string) string { return v.result.wrongIn(v.Rule, name) }

// choiceView is a field with one of some values, and its label.
type choiceView struct {
	chosenOf
	Label, Empty string
}

// Choice is such a field. Empty is what stands for no value; "" where one is always chosen.
func (v ruleView) Choice(name, label, empty string) choiceView {
	return choiceView{v.Rule.Choices(name), fmt.Sprintf("%s of rule %d", label, v.Rule.Number()), empty}
}

// numberView is a field for a number.
type numberView struct{ ID, Field, Label, Value, Example, Wrong string }

// Number is such a field.
func (v ruleView) Number(name, label, example string) numberView {
	return numberView{
		fmt.Sprintf("r%d-%s", v.Rule.N, name), v.Rule.Field(name), label, v.Rule.Text(name), example,
		v.Wrong(name),
	}
}

// conditionView is a condition of a rule with its table.
type conditionView struct {
	ruleView
	Shown shownCondition
}

// With is a condition of the rule as the page shows it.
func (v ruleView) With(c shownCondition) conditionView { return conditionView{v, c} }

// Kinds are how another column is compared: what is to be none of some is an exception.
func (v conditionView) Kinds() []choice {
	return slices.DeleteFunc(slices.Clone(choices["kind"]),
		func(c choice) bool { return c.Value == string(plan.WhereIsNot) })
}

// ID is the condition's in the page.
func (v conditionView) ID() string { return fmt.Sprintf("r%d-%s", v.Rule.N, v.Shown.Name) }

// Wrong is what is wrong with the condition.
func (v conditionView) Wrong() string { return v.result.Wrong[v.Rule.Field(v.Shown.Name)] }

// Lines is how high the condition's box is.
func (v conditionView) Lines() int { return min(max(len(v.Rule.Names(v.Shown.Name))+1, 2), 8) }

// ShownNames are the conditions that were added to the rule.
func (r rule) ShownNames() []string { return r.Values[r.Field("show")] }

// Signed is a move with its direction.
func (m signedMove) Signed() string {
	if m.Percent == nil {
		return "from 0"
	}
	return m.Sign + share(*m.Percent)
}

// listed are the entries of a list as CSV writes it.
func listed(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	entries, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil {
		entries = strings.Split(text, ",")
	}
	return slices.DeleteFunc(entries, func(entry string) bool { return strings.TrimSpace(entry) == "" })
}
