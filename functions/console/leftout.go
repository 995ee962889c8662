package console

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// leftOut finds out what the exceptions of the rules keep from changing.
func (l rulesPreview) leftOut(ctx context.Context, found *result) (err error) {
	apart, whole := leftOut(l.operations)
	found.LeftOutKnown = whole
	if len(apart) > 0 {
		found.LeftOut, err = l.further(ctx, apart, l.allowed())
	}
	found.LeftOutKnown = whole && err == nil
	return err
}

// leftOut are operations for the products that the exceptions of rules take out: what
// would become of these without them. A product stands in one of them at most. Whole is
// false where there are exceptions that no rule can be made of.
func leftOut(operations []map[string]any) (apart []map[string]any, whole bool) {
	whole = true
	for _, operation := range operations {
		lists, all := leftOutByLists(operation["filter"].(map[string]any))
		columns := leftOutByColumns(operation["filter"].(map[string]any))
		for _, filter := range slices.Concat(lists, columns) {
			apart = append(apart, map[string]any{
				"filter":  filter,
				"action":  operation["action"],
				"options": operation["options"],
			})
		}
		whole = whole && all
	}
	return apart[:min(len(apart), plan.MaxOperations)], whole && len(apart) <= plan.MaxOperations
}

// leftOutByLists are filters for what the lists of a filter leave out, each without what
// the lists before it do.
func leftOutByLists(filter map[string]any) (all []map[string]any, whole bool) {
	whole = true
	var before []string
	for _, c := range conditions {
		names, given := filter[c.Name].([]string)
		if !c.Except || !given {
			continue
		}
		taken := map[string]any{}
		for name, value := range filter {
			if name != "where" && !strings.HasPrefix(name, "exclude_") || slices.Contains(before, name) {
				taken[name] = value
			}
		}
		if plain, _ := splitWheres(filter); len(plain) > 0 {
			taken["where"] = plain
		}
		before = append(before, c.Name)
		field := strings.TrimPrefix(c.Name, "exclude_")
		included, limited := filter[field].([]string)
		switch {
		case !limited:
			taken[field] = names
		case c.Name == "exclude_tags" || c.Name == "exclude_name_contains" || c.Name == "exclude_categories":
			whole = false // a product may have several, which no filter asks for
			continue
		default:
			both := slices.DeleteFunc(slices.Clone(names),
				func(name string) bool { return !slices.Contains(included, name) })
			if len(both) == 0 {
				continue
			}
			taken[field] = both
		}
		all = append(all, taken)
	}
	return all, whole
}

// leftOutByColumns are filters for what the exceptions on other columns leave out: each
// turned round, without what those before it do.
func leftOutByColumns(filter map[string]any) (all []map[string]any) {
	plain, exceptions := splitWheres(filter)
	for i, where := range exceptions {
		taken := maps.Clone(filter)
		turned := map[string]any{
			"column":             where["column"],
			string(plan.WhereIs): where[string(plan.WhereIsNot)],
		}
		taken["where"] = slices.Concat(plain, exceptions[:i], []map[string]any{turned})
		all = append(all, taken)
	}
	return all
}

// splitWheres are the conditions of a filter on other columns, and the exceptions.
func splitWheres(filter map[string]any) (plain, exceptions []map[string]any) {
	wheres, _ := filter["where"].([]map[string]any)
	for _, where := range wheres {
		if where[string(plan.WhereIsNot)] == nil {
			plain = append(plain, where)
		} else {
			exceptions = append(exceptions, where)
		}
	}
	return plain, exceptions
}
