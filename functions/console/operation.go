package console

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

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
	"categories":            namesField,
	"brands":                namesField,
	"tags":                  namesField,
	"skus":                  namesField,
	"name_contains":         namesField,
	"exclude_categories":    namesField,
	"exclude_brands":        namesField,
	"exclude_tags":          namesField,
	"exclude_skus":          namesField,
	"exclude_name_contains": namesField,
	"in_stock":              yesNoField,
	"on_sale":               yesNoField,
	"price_gte":             numberField,
	"price_lte":             numberField,
	"quantity_gte":          numberField,
	"quantity_lte":          numberField,
}

var optionFields = map[string]fieldKind{
	"round_to": numberField, "round_step": numberField, "price_ending": numberField, "rounding": wordField,
	"min_price": numberField, "max_price": numberField, "not_below_cost": flagField, "as_sale": flagField,
	"outside_limits": wordField,
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
		// which takes the price as it is
		if r.Text("value") == "" && r.Text("action") != string(plan.SetCompareAt) {
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
		return "", errs.Wrap(errs.Invalid, err,
			"“%s” is no number. Write it as 1299 or 1299.90.", shown(text))
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
