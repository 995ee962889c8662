package console

import (
	"fmt"
	"strings"
)

// inShort says what a rule of a draft does, in as few words as a button has room for:
// "−20% Samsung, except Tablet".
func (r draftRule) inShort() string {
	text := actionInShort(r.Action)
	if r.Options["as_sale"] == true {
		text += " as a sale"
	}
	text += " " + filterInShort(r.Filter)
	for _, option := range []struct{ name, words string }{
		{"price_ending", "ending in"}, {"round_step", "in steps of"}, {"min_price", "not below"},
		{"max_price", "not above"},
	} {
		if value := r.Options[option.name]; value != nil {
			text += fmt.Sprintf(", %s %v", option.words, value)
		}
	}
	if r.Options["not_below_cost"] == true {
		text += ", not below cost"
	}
	return text
}

// actionInShort is what a rule does to a price, or to the stock.
func actionInShort(action map[string]any) string {
	value := fmt.Sprint(action["value"])
	switch kind := fmt.Sprint(action["type"]); kind {
	case "percent_decrease":
		return "−" + value + "%"
	case "percent_increase":
		return "+" + value + "%"
	case "fixed_decrease", "quantity_decrease":
		return "−" + value
	case "fixed_increase", "quantity_increase":
		return "+" + value
	case "set_price":
		return "price " + value + " for"
	case "cost_plus_percent":
		return "cost + " + value + "% for"
	case "set_stock":
		if action["value"] == true {
			return "in stock:"
		}
		return "out of stock:"
	case "set_quantity":
		return value + " pieces of"
	case "set_compare_at":
		if action["value"] == nil {
			return "the price as earlier price of"
		}
		return "earlier price " + value + " for"
	case "end_sale":
		return "end the sale of"
	}
	return "something for"
}

// filterInShort is which products a rule is for.
func filterInShort(filter map[string]any) string {
	var is, except []string
	for _, c := range conditions {
		for _, field := range c.fields {
			words := conditionInShort(c, field, filter[field])
			switch {
			case words == "":
			case c.Except:
				except = append(except, words)
			default:
				is = append(is, words)
			}
		}
	}
	wheres, _ := filter["where"].([]any)
	for _, one := range wheres {
		where, _ := one.(map[string]any)
		for _, kind := range choices["kind"] {
			if values := where[kind.Value]; values != nil {
				is = append(is, fmt.Sprintf("%v %s %s", where["column"], kind.Name, namesInShort(values)))
			}
		}
	}
	text := strings.Join(is, ", ")
	if text == "" {
		text = "all products"
	}
	if len(except) > 0 {
		text += ", except " + strings.Join(except, ", ")
	}
	return shown(text)
}

// conditionInShort is one field of a filter; "" where it says nothing.
func conditionInShort(c condition, field string, value any) string {
	switch {
	case value == nil:
		return ""
	case strings.HasSuffix(field, "name_contains"):
		return "name has “" + namesInShort(value) + "”"
	case filterFields[field] == namesField:
		return namesInShort(value)
	case strings.HasSuffix(field, "_gte"):
		return fmt.Sprintf("%s from %v", strings.ToLower(c.Label), value)
	case strings.HasSuffix(field, "_lte"):
		return fmt.Sprintf("%s up to %v", strings.ToLower(c.Label), value)
	}
	for _, one := range choices[field] {
		if one.Value == fmt.Sprint(value) {
			return strings.TrimPrefix(one.Name, "is ")
		}
	}
	return ""
}

// namesInShort are the first of some names.
func namesInShort(value any) string {
	names, _ := value.([]any)
	var texts []string
	for _, name := range names[:min(len(names), 3)] {
		texts = append(texts, fmt.Sprint(name))
	}
	if more := len(names) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(texts, ", ")
}
