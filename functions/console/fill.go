package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

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
			r.take(name+".values",
				slices.DeleteFunc(slices.Clone(values), func(v any) bool { return v == "" }))
			if slices.Contains(values, any("")) {
				r.Set(r.Field(name+".blank"), "true")
			}
		}
	}
	return nil
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
	if err := decodeNumbers(operations, &all); err != nil {
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

// decodeNumbers decodes JSON with its numbers as they are written.
func decodeNumbers(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into)
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
