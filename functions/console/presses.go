package console

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/table"
)

// addConditions adds the conditions that were chosen from the lists of those to add.
func (e editor) addConditions() {
	for _, r := range e.rules() {
		for _, list := range []string{"and.add", "except.add"} {
			name := r.Text(list)
			if name == "where" {
				name = r.nextWhere()
			}
			if name != "" && !slices.Contains(r.Values[r.Field("show")], name) {
				r.Add(r.Field("show"), name)
			}
			r.Del(r.Field(list))
		}
	}
}

// do changes the state as a button says.
func (e editor) do(verb, argument string) error {
	rules := e.rules()
	first, rest, _ := strings.Cut(argument, ":")
	n, err := strconv.Atoi(first)
	if err != nil || n < 0 || n >= len(rules) {
		n = -1
	}
	order := make([]int, len(rules))
	for i := range order {
		order[i] = i
	}
	switch {
	case verb == "add-rule":
		e.setRules(append(order, len(order)))
	case verb == "set": // a decision about names
		name, value, _ := strings.Cut(argument, "=")
		if slices.Contains(decisions, table.SettingName(name)) {
			e.Set(name, value)
		}
	case verb == "leave":
		for number := range strings.SplitSeq(first, ",") {
			if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(rules) {
				rules[i].leaveOut("exclude_skus", rest)
			}
		}
	case verb == "tab":
		e.Set("tab", argument)
	case verb == "preset":
		return e.preset(argument, time.Now())
	case verb == "swap":
		return e.swap(argument)
	case n < 0: // nothing but to look again
	case verb == "copy":
		e.setRules(slices.Insert(order, n+1, n))
	case verb == "remove":
		e.setRules(slices.Delete(order, n, n+1))
	case verb == "up" && n > 0:
		order[n-1], order[n] = n, n-1
		e.setRules(order)
	case verb == "drop":
		rules[n].drop(rest)
	case verb == "against":
		rules[n].Set(rules[n].Field("against"), rest)
	case verb == "only":
		other, _ := strconv.Atoi(rest)
		if other >= 0 && other < len(rules) {
			rules[other].leaveOutThoseOf(rules[n])
		}
	}
	return nil
}

// drop removes a condition from a rule.
func (r rule) drop(name string) {
	for _, field := range append(slices.Clone(conditionOf(name).fields), name+".blank") {
		r.Del(r.Field(field))
	}
	shown := r.Values[r.Field("show")]
	r.Values[r.Field("show")] = slices.DeleteFunc(slices.Clone(shown), func(one string) bool { return one == name })
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
		if of := conditionOf(name).Name; len(r.Names(name)) == 0 && !slices.Contains(r.Values[r.Field("show")], of) {
			r.Add(r.Field("show"), of)
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
		return time.Date(today.Year(), today.Month(), today.Day()+days, hour, minute, 0, 0, zone).Format(fieldLayout)
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
	case "week":
		e.Set("apply_at", day(1, 0, 0))
		e.Set("revert_at", day(8, 0, 0))
	}
	return nil
}
