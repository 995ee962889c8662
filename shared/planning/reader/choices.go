package reader

import (
	"math/big"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// maxChoices is how many choices an open part has of names.
const maxChoices = 6

// nameChoices are the names that words may be meant for, each as a press for the rule: the nearest
// of every role, words of products' names, and values of other columns. Words of the lexicon are no
// names.
func (b *drafting) nameChoices(words piece, operation int) (all []planning.DraftChoice) {
	if operation < 0 || operation >= len(b.rules) || !b.mayName(words) {
		return nil
	}
	out := b.excluded(words)
	add := func(label string, s set) {
		filter := b.rules[operation].Filter
		if out {
			label = "Not " + label
		}
		narrowFilter(&filter, s.filter(), out)
		if len(all) < maxChoices &&
			!slices.ContainsFunc(all, func(o planning.DraftChoice) bool { return o.Label == label }) {
			all = append(all, planning.DraftChoice{Label: label, Patch: planning.DraftPatch{Filter: &filter}})
		}
	}
	for _, value := range b.valuesWithin(words) {
		add(
			quote(value.Title)+" is "+quote(value.Value),
			set{where: []plan.Where{{
				Column: value.Title,
				Kind:   plan.WhereIs,
				Values: []string{value.Value},
			}}},
		)
	}
	for _, of := range b.known.likeliest(b.source(words.from, words.end)) {
		s := b.known.all(of.role, of.name)[0]
		add(roleLabels[of.role]+of.name, s)
	}
	if phrases := b.known.titledWith(b.source(words.from, words.end)); len(phrases) > 0 &&
		len(phrases) <= maxPhrases {
		add(`with "`+strings.Join(phrases, `" or "`)+`" in the name`, setOf(phrase, phrases...)[0])
	}
	return all
}

// roleLabels stand before a name of each role.
var roleLabels = [roles]string{
	category: "category ",
	brand:    "brand ",
	tag:      "tag ",
	phrase:   "the product ",
	sku:      "SKU ",
}

// mayName reports whether one of some words is none of the lexicon.
func (t *text) mayName(words piece) bool {
	for at := words.from; at < words.end; at++ {
		if kind := t.tokens[at].kind; kind == code || kind == quoted ||
			kind == word && t.useOf(at) == unknown {
			return true
		}
	}
	return false
}

// excluded reports whether words stand behind an exception.
func (t *text) excluded(words piece) bool {
	for from := words.from - 1; from >= max(0, words.from-maxNameWords); from-- {
		if t.tokens[from].kind == mark {
			return false
		}
		if t.begins(from, "EXCEPT") || t.begins(from, "BUT") {
			return true
		}
	}
	return false
}

// valuesWithin are the values of other columns that some words have.
func (t *text) valuesWithin(words piece) (values []planning.ColumnValue) {
	for _, value := range t.known.given.Values {
		said := norms(value.Value)
		for from := words.from; from+len(said) <= words.end && len(said) > 0; from++ {
			if t.says(from, said) {
				values = append(values, value)
				break
			}
		}
	}
	return values
}

// likeliest are the names of all roles that are the most like some words, or share the most with
// them. Each role has at most two.
func (c *index) likeliest(said string) (all []title) {
	const ofRole = 2
	sharing := c.sharing(titleOf(said).words)
	for r := range roles {
		near := fold.NewNearest(fold.Names, []string{said})
		for i := range c.titles {
			if c.titles[i].role == r {
				near.Add(c.titles[i].name)
			}
		}
		names := near.Of(said)
		for _, name := range sharing {
			ofIt := func(t title) bool { return t.role == r && t.name == name }
			if r != phrase && !slices.Contains(names, name) && slices.ContainsFunc(c.titles, ofIt) {
				names = append(names, name)
			}
		}
		for _, name := range names[:min(len(names), ofRole)] {
			all = append(all, title{name: name, role: r})
		}
	}
	return all
}

// titledWith are the words as the titles of products have them that have them in a row.
func (c *index) titledWith(said string) (phrases []string) {
	words := strings.Fields(asTitle(said))
	if len(words) == 0 {
		return nil
	}
	for i := range c.titles {
		if at := c.titles[i].find(words, strings.EqualFold); at >= 0 && c.titles[i].role == phrase {
			phrases = append(phrases, c.titles[i].phrase(at, len(words)))
		}
	}
	return planning.SortedOnce(phrases)
}

// narrowFilter has a filter ask for the names of another, or leave them out.
func narrowFilter(f *plan.Filter, names plan.Filter, out bool) {
	add := func(to *[]string, more []string) {
		if more != nil {
			*to = planning.SortedOnce(slices.Concat(*to, more))
		}
	}
	if out {
		add(&f.ExcludeCategories, names.Categories)
		add(&f.ExcludeBrands, names.Brands)
		add(&f.ExcludeTags, names.Tags)
		add(&f.ExcludeSKUs, names.SKUs)
		add(&f.ExcludeNameContains, names.NameContains)
		for _, w := range names.Where {
			w.Kind = plan.WhereIsNot
			f.Where = append(slices.Clone(f.Where), w)
		}
		return
	}
	add(&f.Categories, names.Categories)
	add(&f.Brands, names.Brands)
	add(&f.Tags, names.Tags)
	add(&f.SKUs, names.SKUs)
	add(&f.NameContains, names.NameContains)
	f.Where = append(slices.Clone(f.Where), names.Where...)
}

// widerAndNarrower are what a name may be meant for beside which a word stands: all of its products, or
// those with all of the words in their names.
func (b *drafting) widerAndNarrower(words piece, operation int) (all []planning.DraftChoice) {
	if operation < 0 || operation >= len(b.rules) {
		return nil
	}
	rule := b.rules[operation]
	add := func(filter plan.Filter) {
		rule.Filter = filter
		all = append(
			all,
			planning.DraftChoice{Label: shortSentence(&rule), Patch: planning.DraftPatch{Filter: &filter}},
		)
	}
	extra := b.extraWords(words)
	phrases := b.known.titledWith(b.source(words.from, words.end))
	titled := len(phrases) > 0 && len(phrases) <= maxPhrases
	if canonicalFilter(rule.Filter) == "{}" || !titled && !slices.ContainsFunc(extra, b.mayName) {
		return nil
	}
	add(rule.Filter)
	if titled {
		filter := plan.Filter{NameContains: phrases, InStock: rule.Filter.InStock, OnSale: rule.Filter.OnSale}
		filter.PriceGTE, filter.PriceLTE = rule.Filter.PriceGTE, rule.Filter.PriceLTE
		add(filter)
		return all
	}
	for _, other := range extra {
		if phrases := b.known.titledWith(b.source(other.from, other.end)); len(phrases) > 0 &&
			len(phrases) <= maxPhrases {
			filter := rule.Filter
			filter.NameContains = planning.SortedOnce(slices.Concat(filter.NameContains, phrases))
			add(filter)
		}
	}
	return all
}

// extraWords are those of some words that no name has.
func (t *text) extraWords(words piece) (extra []piece) {
	at := words.from
	for _, name := range append(t.spans(words, costUnlikely), &meaning{from: words.end}) {
		if at < name.from {
			extra = append(extra, piece{at, name.from})
		}
		at = name.to
	}
	return extra
}

// shortSentence says what a rule does, but for how prices are rounded where nobody said it.
func shortSentence(rule *planning.DraftRule) string {
	return strings.ReplaceAll(rule.Sentence(), "; round to 2 decimals, or as many as the prices have", "")
}

// ofTheChange are operations for limits of new prices that are meant of the change: 3% up, but by no
// more than 2 is 2 up above 66.6666, and 3% below. It is nil where there are none.
func ofTheChange(ops []plan.Operation) (all []plan.Operation) {
	limited := false
	for _, op := range ops {
		two, fits := splitByLimit(op)
		if limited = limited || fits; fits {
			all = append(all, two...)
			continue
		}
		all = append(all, op)
	}
	if !limited {
		return nil
	}
	for i := range all {
		all[i].OperationID = operationID(i)
	}
	return all
}

// splitByLimit makes two operations of one that changes prices by a percentage within a limit. The
// first is the one of which no result comes into the other.
func splitByLimit(op plan.Operation) ([]plan.Operation, bool) {
	o := op.Options
	limit, caps := o.MaxPrice, true
	if limit == nil {
		limit, caps = o.MinPrice, false
	}
	up := op.Action.Type == plan.PercentIncrease
	if limit == nil || o.MaxPrice != nil && o.MinPrice != nil ||
		!up && op.Action.Type != plan.PercentDecrease ||
		op.Action.Value.IsZero() {
		return nil, false
	}
	least, most, ok := around(*limit, op.Action.Value)
	if !ok || op.Filter.PriceGTE != nil || op.Filter.PriceLTE != nil {
		return nil, false
	}
	op.Options.MaxPrice, op.Options.MinPrice, op.Options.KeepDirection = nil, nil, false
	op.SettleDirection()
	low, high := op, op
	low.Filter.PriceLTE, high.Filter.PriceGTE = &least, &most
	fixed := &high
	if !caps {
		fixed = &low
	}
	fixed.Action = plan.Action{Type: plan.FixedDecrease, Value: *limit}
	if up {
		fixed.Action.Type = plan.FixedIncrease
		return []plan.Operation{high, low}, true
	}
	return []plan.Operation{low, high}, true
}

// around are the prices on both sides of the one of which a percentage is an amount.
func around(amount, percentage plan.Decimal) (least, most plan.Decimal, ok bool) {
	const digits = 4
	split := rational(amount)
	split.Quo(split.Mul(split, big.NewRat(100, 1)), rational(percentage))
	units := new(big.Rat).Mul(split, big.NewRat(10_000, 1))
	whole := new(big.Int).Quo(units.Num(), units.Denom())
	least, err := plan.FromScaled(whole, digits)
	most, failed := plan.FromScaled(new(big.Int).Add(whole, big.NewInt(1)), digits)
	return least, most, err == nil && failed == nil
}
