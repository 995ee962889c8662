package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

// editor is the state of the page New change: its form fields, and nothing else. The
// fields of the second rule are r1.brands, r1.action and so on, by the names of the plan.
type editor struct{ url.Values }

// fieldKind is how a field of a rule is written on the page and in a plan.
type fieldKind int

const (
	namesField  fieldKind = iota // a list of names
	numberField                  // a decimal
	yesNoField                   // true, false, or not said
	flagField                    // true, or not said
	wordField                    // one of some words
)

// filterFields and optionFields are the fields of a rule beside its action. The order is
// that of the page.
var filterFields = map[string]fieldKind{
	"categories": namesField, "brands": namesField, "tags": namesField, "skus": namesField, "name_contains": namesField,
	"exclude_categories": namesField, "exclude_brands": namesField, "exclude_tags": namesField,
	"exclude_skus": namesField, "exclude_name_contains": namesField,
	"in_stock": yesNoField, "on_sale": yesNoField, "price_gte": numberField, "price_lte": numberField,
	"quantity_gte": numberField, "quantity_lte": numberField,
}

var optionFields = map[string]fieldKind{
	"round_to": numberField, "round_step": numberField, "price_ending": numberField, "rounding": wordField,
	"min_price": numberField, "max_price": numberField, "not_below_cost": flagField, "as_sale": flagField,
	"outside_limits": wordField,
}

// condition is a line of a rule that says which products it is for, or not for.
type condition struct {
	Name   string // of its field; price for the pair of price fields
	Label  string
	Kind   string // picker, lines, range or choice
	Except bool
	fields []string
}

var conditions = []condition{
	{"categories", "Category", "picker", false, []string{"categories"}},
	{"brands", "Brand", "picker", false, []string{"brands"}},
	{"tags", "Tag", "picker", false, []string{"tags"}},
	{"name_contains", "Name", "lines", false, []string{"name_contains"}},
	{"skus", "SKU", "lines", false, []string{"skus"}},
	{"price", "Price", "range", false, []string{"price_gte", "price_lte"}},
	{"quantity", "Pieces in stock", "range", false, []string{"quantity_gte", "quantity_lte"}},
	{"in_stock", "Stock", "choice", false, []string{"in_stock"}},
	{"on_sale", "Sale", "choice", false, []string{"on_sale"}},
	{"exclude_categories", "Category", "picker", true, []string{"exclude_categories"}},
	{"exclude_brands", "Brand", "picker", true, []string{"exclude_brands"}},
	{"exclude_tags", "Tag", "picker", true, []string{"exclude_tags"}},
	{"exclude_name_contains", "Name", "lines", true, []string{"exclude_name_contains"}},
	{"exclude_skus", "SKU", "lines", true, []string{"exclude_skus"}},
}

// maxWheres is how many conditions on other columns a rule has at most.
const maxWheres = 20

// whereName is the name of a condition on another column; its fields are w0.column,
// w0.kind and w0.values.
var whereName = regexp.MustCompile(`^w(\d|1\d)(\.(column|kind|values))?$`)

// whereOf is the condition on another column of a number.
func whereOf(n int) condition {
	name := fmt.Sprintf("w%d", n)
	return condition{name, "Another column", "where", false, []string{name + ".column", name + ".values", name + ".kind"}}
}

// conditionOf returns the condition that a field of a filter belongs to.
func conditionOf(field string) condition {
	if at := whereName.FindStringSubmatch(field); at != nil {
		n, _ := strconv.Atoi(at[1])
		return whereOf(n)
	}
	at := slices.IndexFunc(conditions, func(c condition) bool { return c.Name == field || slices.Contains(c.fields, field) })
	if at < 0 {
		return condition{Name: field, Label: field}
	}
	return conditions[at]
}

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
	"action":         actions,
	"stock":          {{"true", "in stock"}, {"false", "out of stock"}},
	"in_stock":       {{"true", "is in stock"}, {"false", "is out of stock"}},
	"on_sale":        {{"true", "is on sale"}, {"false", "is not on sale"}},
	"as_sale":        {{"", "of the price"}, {"true", "as a sale price, from the regular price"}},
	"rounding":       {{"", "to the nearest"}, {"up", "up to the next"}, {"down", "down to the next"}},
	"round_to":       {{"", "as many as the prices have"}, {"0", "0"}, {"1", "1"}, {"2", "2"}, {"3", "3"}, {"4", "4"}, {"5", "5"}, {"6", "6"}},
	"outside_limits": {{"leave", "leave them alone"}, {"clamp", "set them to the limit"}},
	"kind":           {{"is", "is one of"}, {"is_not", "is none of"}, {"contains", "contains"}, {"starts_with", "begins with"}},
	"against":        {{"skip", "leave them alone"}, {"change", "change them anyway"}},
}

// maxAddress is the longest state that stands in an address. A longer one is shown as the
// answer to the form that has it.
const maxAddress = 6000

// address is where the state is shown; "" where it is too long for one.
func (e editor) address() string {
	clean := url.Values{}
	for name, values := range e.Values {
		values = slices.DeleteFunc(slices.Clone(values), func(value string) bool { return value == "" })
		if len(values) > 0 && name != "do" && name != "undecided" && name != "preview_sha256" && !strings.HasSuffix(name, ".add") {
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

// filled reports whether a condition says something.
func (r rule) filled(c condition) bool {
	if c.Kind == "where" {
		return r.Text(c.Name+".column") != "" && (r.Lines(c.Name+".values") != "" || r.Text(c.Name+".blank") != "")
	}
	return slices.ContainsFunc(c.fields, func(field string) bool { return len(r.Names(field)) > 0 })
}

// Shown are the conditions that the rule has, of the products or of the exceptions.
func (r rule) Shown(except bool) (shown []shownCondition) {
	for _, c := range conditions {
		if c.Except == except && (r.filled(c) || slices.Contains(r.Values[r.Field("show")], c.Name)) {
			shown = append(shown, shownCondition{c, r})
		}
	}
	for _, c := range r.wheres() {
		if !except {
			shown = append(shown, shownCondition{c, r})
		}
	}
	return shown
}

// wheres are the rule's conditions on other columns, the unfinished ones too.
func (r rule) wheres() (all []condition) {
	for n := range maxWheres {
		c := whereOf(n)
		if r.Text(c.Name+".column")+r.Lines(c.Name+".values") != "" || slices.Contains(r.Values[r.Field("show")], c.Name) {
			all = append(all, c)
		}
	}
	return all
}

// nextWhere is the name of one more of them.
func (r rule) nextWhere() string {
	taken := r.wheres()
	for n := range maxWheres {
		if !slices.ContainsFunc(taken, func(c condition) bool { return c.Name == whereOf(n).Name }) {
			return whereOf(n).Name
		}
	}
	return ""
}

// Missing are the conditions that can be added.
func (r rule) Missing(except bool) (missing []condition) {
	for _, c := range conditions {
		if c.Except == except && !r.filled(c) && !slices.Contains(r.Values[r.Field("show")], c.Name) {
			missing = append(missing, c)
		}
	}
	if !except && r.nextWhere() != "" {
		missing = append(missing, condition{Name: "where", Label: "Another column"})
	}
	return missing
}

// shownCondition is a condition of a rule, as it is shown.
type shownCondition struct {
	condition
	Rule rule
}

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

// CanBeSale reports whether what the rule makes can be a sale price.
func (r rule) CanBeSale() bool {
	return slices.Contains([]string{"percent_decrease", "fixed_decrease", "set_price"}, r.Text("action"))
}

// Limited reports whether the rule has limits.
func (r rule) Limited() bool {
	return r.Prices() && r.Text("min_price")+r.Text("max_price")+r.Text("not_below_cost") != ""
}

// Directed reports whether the rule has a direction that something else in it could turn:
// rounding, a limit or a sale's price.
func (r rule) Directed() bool {
	way := r.Prices() && strings.HasSuffix(r.Text("action"), "crease") || r.CanBeSale() && r.Text("as_sale") != ""
	return way && (r.Limited() || r.Text("price_ending")+r.Text("round_step")+r.Text("as_sale") != "")
}

// operation is the rule as a plan has it. Wrong is what is wrong with it, by field.
func (r rule) operation(wrong map[string]string) map[string]any {
	filter, options := map[string]any{}, map[string]any{}
	for _, c := range conditions {
		for _, field := range c.fields {
			r.put(filter, field, filterFields[field], wrong)
		}
		if slices.Contains(r.Values[r.Field("show")], c.Name) && !r.filled(c) {
			wrong[r.Field(c.Name)] = "Fill in this condition, or remove it."
		}
	}
	if wheres := r.whereFields(wrong); len(wheres) > 0 {
		filter["where"] = wheres
	}
	if r.Prices() {
		for field, kind := range optionFields {
			if field == "as_sale" && !r.CanBeSale() || field == "outside_limits" && !r.Limited() {
				continue
			}
			r.put(options, field, kind, wrong)
		}
		if r.Limited() && options["outside_limits"] == nil {
			options["outside_limits"] = "leave"
		}
		if options["outside_limits"] == "clamp" { // as it is where nothing is said
			delete(options, "outside_limits")
		}
		if against := r.Text("against"); against == "skip" || against == "" && r.Directed() {
			options["keep_direction"] = true
		}
	}
	operation := map[string]any{"filter": filter, "action": r.action(wrong), "options": options}
	for name, field := range map[string]string{"id": "operation_id", "description": "description"} {
		if text := r.Text(name); text != "" {
			operation[field] = text
		}
	}
	return operation
}

// whereFields are the conditions on other columns as a plan has them.
func (r rule) whereFields(wrong map[string]string) (wheres []map[string]any) {
	for _, c := range r.wheres() {
		if !r.filled(c) {
			wrong[r.Field(c.Name)] = "Choose a column and write what it says, or remove this condition."
			continue
		}
		values := r.Names(c.Name + ".values")
		if r.Text(c.Name+".blank") != "" {
			values = append(values, "")
		}
		kind := cmp.Or(r.Text(c.Name+".kind"), string(plan.WhereIs))
		wheres = append(wheres, map[string]any{"column": r.Get(r.Field(c.Name + ".column")), kind: values})
	}
	return wheres
}

// takeWheres sets the conditions on other columns to those of a plan.
func (r rule) takeWheres(given any) error {
	wheres, _ := given.([]any)
	for n, one := range wheres {
		where, isObject := one.(map[string]any)
		if !isObject || n >= maxWheres {
			return noField("where")
		}
		name := whereOf(n).Name
		for kind, value := range where {
			if kind == "column" {
				r.take(name+".column", value)
				continue
			}
			values, _ := value.([]any)
			r.Set(r.Field(name+".kind"), kind)
			r.take(name+".values", slices.DeleteFunc(slices.Clone(values), func(v any) bool { return v == "" }))
			if slices.Contains(values, any("")) {
				r.Set(r.Field(name+".blank"), "true")
			}
		}
	}
	return nil
}

// action is what the rule does, as a plan has it.
func (r rule) action(wrong map[string]string) map[string]any {
	action := map[string]any{"type": r.Text("action")}
	switch r.Takes() {
	case "stock":
		action["value"] = r.Text("stock") == "true"
		if r.Text("stock") == "" {
			wrong[r.Field("stock")] = "Say whether they are in stock."
		}
	case "percent", "amount", "pieces":
		r.put(action, "value", numberField, wrong)
		if r.Text("value") == "" && r.Text("action") != string(plan.SetCompareAt) { // which takes the price as it is
			wrong[r.Field("value")] = "Say how much."
		}
	case "":
		if !r.Begun() {
			wrong[r.Field("action")] = "Choose what changes."
		}
	}
	return action
}

// put writes one field of the rule, where it says something.
func (r rule) put(into map[string]any, name string, kind fieldKind, wrong map[string]string) {
	text := r.Text(name)
	switch {
	case kind == namesField:
		if names := r.Names(name); len(names) > 0 {
			into[name] = names
		}
	case text == "":
	case kind == numberField:
		number, err := plainNumber(text)
		if err != nil {
			wrong[r.Field(name)] = errs.Message(err)
			return
		}
		into[name] = json.Number(number)
	case kind == yesNoField || kind == flagField:
		into[name] = text == "true"
	default:
		into[name] = text
	}
}

// plainNumber reads a number as people type it: 20, .90, 19,95 or 20 %.
func plainNumber(text string) (string, error) {
	text = strings.TrimSpace(strings.TrimSuffix(text, "%"))
	whole, fraction, comma := strings.Cut(text, ",")
	if comma && len(fraction) <= 2 && !strings.Contains(text, ".") {
		text = whole + "." + fraction
	}
	if strings.HasPrefix(text, ".") {
		text = "0" + text
	}
	number, err := plan.ParseDecimal(text)
	if err != nil {
		return "", errs.Wrap(errs.Invalid, err, "“%s” is no number. Write it as 1299 or 1299.90.", shown(text))
	}
	return number.String(), nil
}

// operations are the rules as a plan has them. Wrong is what is wrong with them, by field.
func (e editor) operations() (operations []map[string]any, wrong map[string]string) {
	wrong = map[string]string{}
	for _, r := range e.rules() {
		operations = append(operations, r.operation(wrong))
	}
	return operations, wrong
}

// fill puts the operations of a plan into the state's rules.
func (e editor) fill(operations json.RawMessage) error {
	var all []struct {
		OperationID string         `json:"operation_id"`
		Description string         `json:"description"`
		Filter      map[string]any `json:"filter"`
		Action      map[string]any `json:"action"`
		Options     map[string]any `json:"options"`
	}
	decoder := json.NewDecoder(bytes.NewReader(operations))
	decoder.UseNumber()
	if err := decoder.Decode(&all); err != nil {
		return errs.Wrap(errs.Unusable, err, "The rules of this plan cannot be read.")
	}
	e.setRules(make([]int, 0))
	for i, op := range all {
		r := rule{e, i}
		if op.OperationID != fmt.Sprintf("op_%02d", i+1) {
			e.Set(r.Field("id"), op.OperationID)
		}
		e.Set(r.Field("description"), op.Description)
		if err := r.fill(op.Filter, op.Action, op.Options); err != nil {
			return err
		}
	}
	e.Set("rules", strconv.Itoa(len(all)))
	return nil
}

// fill puts an operation into the rule. What the page has no field for is refused: the
// plan that it saved would be another one.
func (r rule) fill(filter, action, options map[string]any) error {
	if err := r.fillFilter(filter); err != nil {
		return err
	}
	r.fillAction(action)
	return r.fillOptions(options)
}

func (r rule) fillFilter(filter map[string]any) error {
	for name, value := range filter {
		if name == "where" {
			if err := r.takeWheres(value); err != nil {
				return err
			}
			continue
		}
		if _, known := filterFields[name]; !known {
			return noField(name)
		}
		r.take(name, value)
	}
	return nil
}

func (r rule) fillAction(action map[string]any) {
	r.take("action", action["type"])
	if r.Takes() == "stock" {
		r.take("stock", action["value"])
	} else {
		r.take("value", action["value"])
	}
}

func (r rule) fillOptions(options map[string]any) error {
	against, limits := "change", "clamp"
	for name, value := range options {
		switch _, known := optionFields[name]; {
		case name == "keep_direction":
			if value == true {
				against = "skip"
			}
		case name == "outside_limits":
			limits = fmt.Sprint(value)
		case !known:
			return noField(name)
		case name == "rounding" && value == string(plan.RoundNearest):
		default:
			r.take(name, value)
		}
	}
	if r.Limited() {
		r.take("outside_limits", limits)
	}
	if r.Directed() || against == "skip" {
		r.take("against", against)
	}
	return nil
}

func noField(name string) error {
	return errs.New(errs.Unusable, "This plan has %s, which this page has no field for.", name)
}

// take sets a field to what a plan has.
func (r rule) take(name string, value any) {
	switch value := value.(type) {
	case nil:
	case []any:
		r.Del(r.Field(name))
		for _, one := range value {
			r.Add(r.Field(name), fmt.Sprint(one))
		}
	case bool:
		if value || filterFields[name] == yesNoField || name == "stock" {
			r.Set(r.Field(name), strconv.FormatBool(value))
		}
	default:
		r.Set(r.Field(name), fmt.Sprint(value))
	}
}
