package console

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table/setting"
)

// addConditions adds the conditions that were chosen from the lists of those to add.
func (e editor) addConditions() {
	for _, r := range e.rules() {
		for _, list := range []string{"and.add", "except.add"} {
			name := r.Text(list)
			if name == "where" {
				name = r.nextWhere()
				if list == "except.add" && name != "" {
					r.Set(r.Field(name+".kind"), string(plan.WhereIsNot))
				}
			}
			if name != "" && !slices.Contains(r.Values[r.Field("show")], name) {
				r.Add(r.Field("show"), name)
			}
			r.Del(r.Field(list))
		}
	}
}

// do changes the state as a button says. One that says nothing has the page be looked at
// again.
func (e editor) do(verb, argument string) error {
	switch verb {
	case "add-rule":
		e.setRules(append(e.order(), len(e.rules())))
	case "set": // a decision about names
		name, value, _ := strings.Cut(argument, "=")
		if slices.Contains(decisions, setting.Name(name)) {
			e.Set(name, value)
		}
	case "tab":
		e.Set("tab", argument)
	case "preset":
		return e.preset(argument, time.Now())
	case "swap":
		return e.swap(argument)
	case "elsewhere": // a name stands in another column: the rules that mean it there
		return e.fill(json.RawMessage(argument))
	case "original":
		e.Set("original", "1")
	case "untick":
		e.untick(argument)
	case "leave":
		numbers, sku, _ := strings.Cut(argument, ":")
		for _, r := range e.numbered(numbers) {
			r.leaveOut("exclude_skus", sku)
		}
	case "leave-by":
		return e.leaveBy(argument)
	default:
		e.doWithRule(verb, argument)
	}
	return nil
}

// doWithRule does what a button of one rule says: its argument begins with the number.
func (e editor) doWithRule(verb, argument string) {
	first, rest, _ := strings.Cut(argument, ":")
	found := e.numbered(first)
	if len(found) != 1 {
		return
	}
	r, n, order := found[0], found[0].N, e.order()
	switch verb {
	case "copy":
		e.setRules(slices.Insert(order, n+1, n))
	case "remove":
		e.setRules(slices.Delete(order, n, n+1))
	case "up":
		if n > 0 {
			order[n-1], order[n] = n, n-1
			e.setRules(order)
		}
	case "drop":
		r.drop(rest)
	case "against":
		r.Set(r.Field("against"), rest)
	case "above-cost":
		r.Set(r.Field("not_below_cost"), "true")
		r.Set(r.Field("outside_limits"), "leave")
	case "only":
		for _, other := range e.numbered(rest) {
			other.leaveOutThoseOf(r)
		}
	case "together":
		e.Add("together", argument)
	}
}

// order is the order of the rules as it is.
func (e editor) order() []int {
	order := make([]int, len(e.rules()))
	for i := range order {
		order[i] = i
	}
	return order
}

// numbered are the rules of some numbers, from 0, with commas between them.
func (e editor) numbered(numbers string) (found []rule) {
	all := e.rules()
	for number := range strings.SplitSeq(numbers, ",") {
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < len(all) {
			found = append(found, all[n])
		}
	}
	return found
}

// untick takes a name out of a list: r0.brands:Samsung. The list stays to be filled in.
func (e editor) untick(argument string) {
	field, name, _ := strings.Cut(argument, ":")
	n, list, ok := ruleField(field)
	if !ok || n >= len(e.rules()) || filterFields[list] != namesField {
		return
	}
	r := rule{e, n}
	r.Values[field] = slices.DeleteFunc(r.Names(list), func(one string) bool { return one == name })
	r.keepShown(conditionOf(list).Name)
}

// keepShown has a condition stay in the rule where its last name was taken out: without it
// the rule would be for all products.
func (r rule) keepShown(name string) {
	if !slices.Contains(r.Values[r.Field("show")], name) {
		r.Add(r.Field("show"), name)
	}
}

// leftOutBy is a product that rules leave out by another column than its SKU.
type leftOutBy struct {
	Rules  string `json:"rules"`
	Column string `json:"column"`
	Value  string `json:"value"`
}

// leaveBy has rules leave out the products that have a value in a column.
func (e editor) leaveBy(argument string) error {
	var asked leftOutBy
	if err := json.Unmarshal([]byte(argument), &asked); err != nil {
		return errs.Wrap(errs.Invalid, err, "The button did not arrive whole. Press it again.")
	}
	for _, r := range e.numbered(asked.Rules) {
		name := r.exceptionOn(asked.Column)
		if name == "" {
			return errs.New(errs.Invalid,
				"Rule %d has %d conditions on other columns, the most there may be.", r.Number(), maxWheres)
		}
		r.Set(r.Field(name+".column"), asked.Column)
		r.Set(r.Field(name+".kind"), string(plan.WhereIsNot))
		r.Values[r.Field(name+".values")] = append(r.Names(name+".values"), asked.Value)
	}
	return nil
}

// exceptionOn is the rule's exception on a column, or the name of one that it can get.
func (r rule) exceptionOn(column string) string {
	for _, c := range r.wheres() {
		if c.Except && r.Get(r.Field(c.Name+".column")) == column {
			return c.Name
		}
	}
	return r.nextWhere()
}

// drop removes a condition from a rule.
func (r rule) drop(name string) {
	for _, field := range append(slices.Clone(conditionOf(name).fields), name+".blank") {
		r.Del(r.Field(field))
	}
	shown := r.Values[r.Field("show")]
	r.Values[r.Field("show")] = slices.DeleteFunc(slices.Clone(shown), func(one string) bool {
		return one == name
	})
}

// leaveOut adds names to an exception of a rule.
func (r rule) leaveOut(field string, names ...string) {
	r.Values[r.Field(field)] = append(r.Names(field), names...)
}

// leaveOutThoseOf has a rule leave out the products of another one.
func (r rule) leaveOutThoseOf(other rule) {
	if field, names := other.justNames(); field != "" {
		r.leaveOut("exclude_"+field, names...)
	}
}

// justNames is the one list of names that a rule's products are told by; "" where it takes
// more to tell them.
func (r rule) justNames() (field string, names []string) {
	if len(r.Shown(true)) > 0 {
		return "", nil
	}
	shown := r.Shown(false)
	if len(shown) != 1 {
		return "", nil
	}
	if kind := shown[0].Kind; kind != "picker" && kind != "lines" {
		return "", nil
	}
	return shown[0].Name, r.Names(shown[0].Name)
}

// swap writes a name of a rule in other ways, or takes it out. Its list is then filled in
// by hand: no rule is for all products because a name went.
func (e editor) swap(argument string) error {
	var asked swapped
	if err := json.Unmarshal([]byte(argument), &asked); err != nil {
		return errs.Wrap(errs.Invalid, err, "The button did not arrive whole. Press it again.")
	}
	for _, r := range e.rules() {
		r.swap(asked)
	}
	return nil
}

func (r rule) swap(asked swapped) {
	for name := range r.listsOfNames() {
		names := r.Names(name)
		at := slices.Index(names, asked.From)
		if at < 0 || strings.HasPrefix(name, "exclude_") != asked.Excluded {
			continue
		}
		r.Values[r.Field(name)] = slices.Concat(names[:at], asked.To, names[at+1:])
		if len(r.Names(name)) == 0 {
			r.keepShown(conditionOf(name).Name)
		}
	}
}

// listsOfNames are the fields of a rule that hold names.
func (r rule) listsOfNames() map[string]bool {
	lists := map[string]bool{}
	for name, kind := range filterFields {
		if kind == namesField {
			lists[name] = true
		}
	}
	for _, c := range r.wheres() {
		lists[c.Name+".values"] = true
	}
	return lists
}

// swapped is a name of a rule that is to become others.
type swapped struct {
	From     string   `json:"from"`
	To       []string `json:"to"`
	Excluded bool     `json:"excluded"`
}

// preset sets the times to some that are frequent, in the zone of the page.
func (e editor) preset(name string, now time.Time) error {
	zone, err := zoneOf(e.Get("zone"))
	if err != nil {
		return err
	}
	today := now.In(zone)
	day := func(days, hour, minute int) string {
		return time.Date(
			today.Year(), today.Month(), today.Day()+days, hour, minute, 0, 0, zone,
		).Format(fieldLayout)
	}
	friday := (int(time.Friday) - int(today.Weekday()) + 7) % 7
	if friday == 0 {
		friday = 7 // this one has begun
	}
	switch name {
	case "now":
		e.Set("apply_at", "")
		e.Set("revert_at", "")
	case "weekend":
		e.Set("apply_at", day(friday, 0, 0))
		e.Set("revert_at", day(friday+2, 23, 59))
	case "sunday":
		e.Set("apply_at", "")
		e.Set("revert_at", day((7-int(today.Weekday()))%7, 23, 59))
	case "week":
		e.Set("apply_at", day(1, 0, 0))
		e.Set("revert_at", day(8, 0, 0))
	}
	return nil
}
