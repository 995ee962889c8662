package console

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// editor is the state of the page New change: its form fields, and nothing else. The
// fields of the second rule are r1.brands, r1.action and so on, by the names of the plan.
type editor struct{ url.Values }

// choice is a value of a field, and what the page calls it.
type choice struct{ Value, Name string }

// actions are what a rule can do, the most frequent first.
var actions = []choice{
	{"percent_decrease", "Lower the price by %"},
	{"percent_increase", "Raise the price by %"},
	{"fixed_decrease", "Lower the price by an amount"},
	{"fixed_increase", "Raise the price by an amount"},
	{"set_price", "Set the price to"},
	{"cost_plus_percent", "Set the price to cost plus %"},
	{"end_sale", "End the sale"},
	{"set_stock", "Set the stock to"},
	{"set_quantity", "Set the pieces in stock to"},
	{"quantity_increase", "Add pieces to the stock"},
	{"quantity_decrease", "Take pieces from the stock"},
	{"set_compare_at", "Set the earlier price, shown struck through, to"},
}

// choices are the words of the fields that have some.
var choices = map[string][]choice{
	"action":   actions,
	"stock":    {{"true", "in stock"}, {"false", "out of stock"}},
	"in_stock": {{"true", "is in stock"}, {"false", "is out of stock"}},
	"on_sale":  {{"true", "is on sale"}, {"false", "is not on sale"}},
	"as_sale":  {{"", "of the price"}, {"true", "as a sale, of the regular price"}},
	"rounding": {{"", "to the nearest"}, {"up", "up to the next"}, {"down", "down to the next"}},
	"round_to": {
		{"", "as the prices have"}, {"0", "0"}, {"1", "1"}, {"2", "2"}, {"3", "3"}, {"4", "4"}, {"5", "5"},
		{"6", "6"},
	},
	"outside_limits": {{"leave", "leave them alone"}, {"clamp", "set them to the limit"}},
	"kind": {
		{"is", "is one of"}, {"is_not", "is none of"}, {"contains", "contains"},
		{"starts_with", "begins with"},
	},
	"against": {{"skip", "leave them alone"}, {"change", "change them anyway"}},
}

// maxAddress is the longest state that stands in an address. A longer one is shown as the
// answer to the form that has it.
const maxAddress = 6000

// notInAddress are fields that a page finds again from the others.
var notInAddress = []string{"do", "undecided", "preview_sha256", "costed"}

// address is where the state is shown; "" where it is too long for one.
func (e editor) address() string {
	clean := url.Values{}
	for name, values := range e.Values {
		values = slices.DeleteFunc(slices.Clone(values), func(value string) bool { return value == "" })
		if len(values) > 0 && !slices.Contains(notInAddress, name) && !strings.HasSuffix(name, ".add") {
			clean[name] = values
		}
	}
	if encoded := clean.Encode(); len(encoded) <= maxAddress {
		return "/new?" + encoded
	}
	return ""
}

// rules are those of the state, at least one.
func (e editor) rules() []rule {
	n, err := strconv.Atoi(e.Get("rules"))
	if err != nil {
		n = 1
		for name := range e.Values {
			if i, _, ok := ruleField(name); ok {
				n = max(n, i+1)
			}
		}
	}
	n = min(max(n, 1), plan.MaxOperations)
	all := make([]rule, n)
	for i := range all {
		all[i] = rule{editor: e, N: i}
	}
	return all
}

// ruleField splits the name of a field of a rule.
func ruleField(name string) (n int, field string, ok bool) {
	number, field, ok := strings.Cut(strings.TrimPrefix(name, "r"), ".")
	n, err := strconv.Atoi(number)
	return n, field, ok && err == nil && strings.HasPrefix(name, "r") && n >= 0 && n < plan.MaxOperations
}

// setRules replaces all rules by some of them, in another order: those of a place that
// stands twice are copied.
func (e editor) setRules(order []int) {
	was := maps.Clone(e.Values)
	for name := range was {
		if _, _, ok := ruleField(name); ok {
			e.Del(name)
		}
	}
	for i, from := range order {
		for name, values := range was {
			if n, field, ok := ruleField(name); ok && n == from {
				e.Values[fmt.Sprintf("r%d.%s", i, field)] = slices.Clone(values)
			}
		}
	}
	e.Set("rules", strconv.Itoa(len(order)))
	e.Del("together")
	for i := range order { // whose ids would stand twice
		e.Del(fmt.Sprintf("r%d.id", i))
	}
}

// rule is one of the rules of the state.
type rule struct {
	editor
	N int
}

// Number is the rule's, as people count.
func (r rule) Number() int { return r.N + 1 }

// Field is the name of a field of the rule.
func (r rule) Field(name string) string { return fmt.Sprintf("r%d.%s", r.N, name) }

// Text is what a field says; "" where it says nothing.
func (r rule) Text(name string) string { return strings.TrimSpace(r.Get(r.Field(name))) }

// Names are those of a list, each once: the ticked ones, and the lines of a box.
func (r rule) Names(name string) (names []string) {
	for _, value := range r.Values[r.Field(name)] {
		lines := []string{value}
		kind := conditionOf(name).Kind
		if kind == "lines" || kind == "where" {
			lines = strings.FieldsFunc(value, func(c rune) bool { return c == '\n' || c == '\r' })
		}
		for _, line := range lines {
			if kind == "lines" || kind == "where" {
				line = strings.TrimSpace(line)
			}
			if line != "" && !slices.Contains(names, line) {
				names = append(names, line)
			}
		}
	}
	return names
}

// Lines are the names of a list as a box has them.
func (r rule) Lines(name string) string { return strings.Join(r.Names(name), "\n") }

// Begun reports whether the rule says what to do.
func (r rule) Begun() bool { return r.Text("action") != "" }

// Choices are the values of a field with what the page calls them.
func (r rule) Choices(name string) chosenOf {
	return chosenOf{r.Field(name), strings.ReplaceAll(r.Field(name), ".", "-"), r.Text(name), choices[name]}
}

// chosenOf is a field with one of some values.
type chosenOf struct {
	Field, ID, Chosen string
	All               []choice
}

// Takes is what the action's value is: percent, amount, stock or nothing.
func (r rule) Takes() string {
	switch action := r.Text("action"); action {
	case "", "end_sale":
		return ""
	case "set_stock":
		return "stock"
	case "percent_decrease", "percent_increase", "cost_plus_percent":
		return "percent"
	case "set_quantity", "quantity_increase", "quantity_decrease":
		return "pieces"
	default:
		return "amount"
	}
}

// Prices reports whether the rule makes prices, so that they are rounded and have limits.
func (r rule) Prices() bool { return r.Takes() == "percent" || r.Takes() == "amount" }

// changes is what of a product the rule changes: rules for other things do not meet.
func (r rule) changes() string {
	switch action := r.Text("action"); {
	case r.Takes() == "stock" || r.Takes() == "pieces":
		return "stock"
	case action == string(plan.SetCompareAt) && r.Text("value") != "":
		return "earlier price"
	}
	return "price"
}

// CanBeSale reports whether what the rule makes can be a sale price.
func (r rule) CanBeSale() bool {
	return slices.Contains([]string{"percent_decrease", "fixed_decrease", "set_price"}, r.Text("action"))
}

// Limited reports whether the rule has limits.
func (r rule) Limited() bool {
	return r.Prices() && r.Text("min_price")+r.Text("max_price")+r.Text("not_below_cost") != ""
}

// raises reports whether the rule is to make products dearer.
func (r rule) raises() bool { return strings.HasSuffix(r.Text("action"), "increase") }

// Directed reports whether the rule has a direction that something else in it could turn:
// rounding, a limit or a sale's price.
func (r rule) Directed() bool {
	way := r.Prices() && strings.HasSuffix(r.Text("action"), "crease") ||
		r.CanBeSale() && r.Text("as_sale") != ""
	return way && (r.Limited() || r.Text("price_ending")+r.Text("round_step")+r.Text("as_sale") != "")
}
