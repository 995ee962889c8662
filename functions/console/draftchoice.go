package console

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/errs"
)

// settle does what was pressed of an open part: one of its choices, the rules as they are,
// or ignoring its words.
func (c *Console) settle(r *http.Request, e editor, argument string) error {
	at, what, _ := strings.Cut(argument, ":")
	d, err := c.draftHere(r, e)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(d.Open, func(p openPart) bool { return p.String() == at })
	switch n, err := strconv.Atoi(what); {
	case i < 0:
		return errs.New(errs.Invalid,
			"That is no question of the sentence any more. Fill in the rules again.")
	case what == "ignore":
		e.Add("ignored", at)
		e.clearRuleOf(d, d.Open[i])
	case what == "rules" && d.Open[i].Class == classWhen && e.Get("apply_at")+e.Get("revert_at") == "":
		return errs.New(errs.Invalid, "Nothing is set under When: the change would start at once and never end. Set it there first, or ignore the words.")
	case what == "rules":
		e.Add("settled", at)
	case err != nil || n < 0 || n >= len(d.Open[i].Choices):
		return errs.New(errs.Invalid, "The button did not arrive whole. Press it again.")
	default:
		e.Add("settled", at)
		return e.choose(d, d.Open[i], n)
	}
	return nil
}

// clearRuleOf takes out of a rule what was made of words that are ignored. A rule that nothing
// says the products of is emptied: it would be for all of them.
func (e editor) clearRuleOf(d draft, part openPart) {
	r, was, found := e.ruleOf(d, part)
	switch {
	case !found:
	case part.Class == "name":
		r.takeOutName(was, part)
	case part.Class == "products" && len(was.Filter) == 0 && len(r.Shown(false)) == 0:
		for name := range e.Values {
			if i, _, ok := ruleField(name); ok && i == r.N {
				e.Del(name)
			}
		}
	}
}

// takeOutName takes the name that words were taken for out of the rule: the one that the words
// have, or the only one of the rule where the words' own choice has it. Its list is then filled in
// by hand.
func (r rule) takeOutName(was draftRule, part openPart) {
	lists := r.listsOfNames()
	for field, value := range was.Filter {
		names, _ := value.([]any)
		for _, one := range names {
			name := fmt.Sprint(one)
			said := strings.Contains(strings.ToLower(part.Text), strings.ToLower(name))
			sole := len(names) == 1 && len(was.Filter) == 1 && part.soleChoiceHas(field, one)
			if !lists[field] || !said && !sole {
				continue
			}
			r.Values[r.Field(field)] = slices.DeleteFunc(r.Names(field),
				func(other string) bool { return other == name })
			if len(r.Names(field)) == 0 {
				r.keepShown(conditionOf(field).Name)
			}
		}
	}
}

// soleChoiceHas reports whether the only choice of a part has a name.
func (p openPart) soleChoiceHas(field string, name any) bool {
	if len(p.Choices) != 1 {
		return false
	}
	names, _ := p.Choices[0].Patch.Filter[field].([]any)
	return slices.Contains(names, name)
}

// choose puts a choice into the rules. What a person has changed in them meanwhile stays.
func (e editor) choose(d draft, part openPart, n int) error {
	patch := part.Choices[n].Patch
	if patch.Operations != nil {
		return e.takeRules(patch.Operations)
	}
	if err := e.takeTimes(patch.ApplyAt, patch.RevertAt); err != nil || part.Operation == nil {
		return err
	}
	r, was, found := e.ruleOf(d, part)
	if !found {
		return errs.New(errs.Invalid,
			"The rule that this is about is gone. Put it into the rules, or fill them in again.")
	}
	if patch.Action != nil {
		r.Del(r.Field("stock"))
		r.fillAction(patch.Action)
	}
	added, removed := map[string]any{}, map[string][]string{}
	if patch.Filter != nil {
		added, removed = difference(was.Filter, patch.Filter)
	}
	for name, names := range removed {
		kept := slices.DeleteFunc(r.Names(name), func(one string) bool { return slices.Contains(names, one) })
		r.Values[r.Field(name)] = kept
	}
	for name, value := range added {
		if list, isList := value.([]any); isList && filterFields[name] == namesField {
			for _, one := range list {
				r.Add(r.Field(name), fmt.Sprint(one))
			}
			delete(added, name)
		}
	}
	if err := r.fillFilter(added); err != nil || patch.Options == nil {
		return err
	}
	return r.fillOptions(patch.Options)
}

// difference is what a patch adds to a filter, and the names that it takes out of its lists.
func difference(before, after map[string]any) (added map[string]any, removed map[string][]string) {
	added, removed = map[string]any{}, map[string][]string{}
	for name, value := range after {
		was, _ := before[name].([]any)
		list, isList := value.([]any)
		if !isList || name == "where" {
			added[name] = value
			continue
		}
		added[name] = slices.DeleteFunc(slices.Clone(list),
			func(one any) bool { return slices.Contains(was, one) })
	}
	for name, value := range before {
		was, _ := value.([]any)
		now, _ := after[name].([]any)
		for _, one := range was {
			if text, isText := one.(string); isText && !slices.Contains(now, one) {
				removed[name] = append(removed[name], text)
			}
		}
	}
	return added, removed
}
