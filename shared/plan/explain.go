package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Explain says in plain English what a plan will do: one sentence for each
// operation, in their order, or one for the undo, and behind them those for its
// terms. A person who approves these sentences approves the plan. It reads only
// what the engine acts on, never the plan's own descriptions. Money has no currency
// sign, for a plan knows of none. Of an action of an unknown type, which no valid
// plan has, the sentence says that nothing can be done.
//
//	Increase the price by 10% for products in category fitness that are in stock;
//	round to 2 decimals, or as many as the prices have.
//
// Names that are not one plain word are quoted. Where an earlier operation can
// bring rows into a later one's condition or out of it, the sentence says that
// the condition is about the value "by then".
func Explain(p *Plan) []string { return explain(p, newRules(p)) }

// Instruction says what operations do, as an instruction that a plan of them is made of.
func Instruction(operations []Operation) string {
	return CutInstruction(strings.Join(Explain(&Plan{Operations: operations}), " "))
}

// CutInstruction cuts a text where it is longer than an instruction may be.
func CutInstruction(text string) string {
	if runes := []rune(text); len(runes) > MaxInstructionLength {
		return string(runes[:MaxInstructionLength-1]) + "…"
	}
	return text
}

func explain(p *Plan, rules []*rule) []string {
	sentences := make([]string, len(rules), len(rules)+4)
	for i, r := range rules {
		say := r.kind.sentence
		switch {
		case r.asSale():
			say = r.kind.asSale
		case r.keepsPrice(): // but for the options, which the sentence goes on with
			say = func(*Action) string { return keepThePrice }
		}
		sentence := say(&r.Action)
		if r.kind.isKnown() {
			sentence += explainFilter(&r.Filter, writtenFor(r, rules[:i]))
		}
		if r.writesPrice() {
			sentence += explainOptions(&r.Options) + explainLeft(r)
		}
		if r.Action.Type == SetCompareAt {
			sentence += explainCompareAt(&r.Action, &r.Options)
		}
		sentences[i] = sentence + "."
	}
	if p.Undo != nil {
		sentences = append(sentences, explainUndo(p.Undo))
	}
	if boundsPrices(rules) && dealsInSales(rules) {
		sentences = append(sentences, pricesLookAt)
	}
	return append(sentences, explainTerms(&p.Terms)...)
}

const (
	keepThePrice = "Keep the price"
	pricesLookAt = "Conditions on prices look at the price's own column: it has the regular price, but where a table keeps the price from before a sale in another column, what customers pay."
)

func boundsPrices(rules []*rule) bool {
	return slices.ContainsFunc(
		rules,
		func(r *rule) bool { return r.Filter.PriceGTE != nil || r.Filter.PriceLTE != nil },
	)
}

func dealsInSales(rules []*rule) bool {
	return slices.ContainsFunc(rules, func(r *rule) bool {
		return r.asSale() || r.endsSale() || r.Action.Type == SetCompareAt || r.Filter.OnSale != nil
	})
}

// written holds the columns that a rule's conditions do not see as the table has them.
type written map[Column]bool

func writtenFor(later *rule, earlier []*rule) written {
	columns := written{}
	for _, r := range earlier {
		if r.changesRowsOf(later) {
			columns[r.kind.writes] = true
			if !r.changesPrices() { // what is in stock may go with how much there is
				columns[ColumnInStock], columns[ColumnQuantity] = true, true
			}
			if r.changesPrices() {
				columns[ColumnPrice], columns[ColumnOnSale] = true, true
			}
		}
	}
	return columns
}

func explainFilter(f *Filter, before written) string {
	var conditions []string
	if f.InStock != nil {
		conditions = append(conditions, stockCondition(*f.InStock)+byThen(before[ColumnInStock]))
	}
	if f.OnSale != nil {
		conditions = append(conditions, saleCondition(*f.OnSale)+byThen(before[ColumnOnSale]))
	}
	if price := rangeOf(f.PriceGTE, f.PriceLTE); price != "" {
		conditions = append(conditions, "priced "+price+byThen(before[ColumnPrice]))
	}
	var listed, exclusions string
	for _, c := range nameColumns {
		if c.preposition == "" {
			continue
		}
		only, except := f.Names(c.column)
		if only != nil {
			listed += " " + c.preposition + " " + named(c.singular, c.plural, only, "or")
		}
		if except != nil {
			exclusions += " and except " + named(c.singular, c.plural, except, "and")
		}
	}
	if f.ExcludeNameContains != nil {
		exclusions += " and except those that have " + wordsInName(f.ExcludeNameContains)
	}
	if len(conditions) > 0 {
		conditions[0] = "are " + conditions[0]
	}
	if quantity := rangeOf(f.QuantityGTE, f.QuantityLTE); quantity != "" {
		conditions = append(
			conditions,
			"have a quantity "+strings.Replace("of "+quantity, "of from", "from", 1)+
				byThen(before[ColumnQuantity]),
		)
	}
	if f.NameContains != nil {
		conditions = append(conditions, "have "+wordsInName(f.NameContains))
	}
	listed += explainWheres(f.Where)
	text := " for products"
	if listed == "" && len(conditions) == 0 {
		text = " for all products"
	}
	text += listed
	if len(conditions) > 0 {
		text += " that " + strings.Join(conditions, " and ")
	}
	if exclusions != "" {
		text += ", " + strings.TrimPrefix(exclusions, " and ")
	}
	return text
}

func wordsInName(phrases []string) string {
	return strings.TrimSpace(named("", "", phrases, "or")) + " in the name"
}

func stockCondition(inStock bool) string {
	if inStock {
		return "in stock"
	}
	return "out of stock"
}

func saleCondition(onSale bool) string {
	if onSale {
		return "on sale"
	}
	return "not on sale"
}

func byThen(changed bool) string {
	if changed {
		return " by then"
	}
	return ""
}

// rangeOf says which numbers are from one on and up to another; "": any are.
func rangeOf(gte, lte *Decimal) string {
	switch {
	case gte == nil && lte == nil:
		return ""
	case lte == nil:
		return gte.String() + " or more"
	case gte == nil:
		return lte.String() + " or less"
	case *gte == *lte:
		return "exactly " + gte.String()
	default:
		return "from " + gte.String() + " to " + lte.String()
	}
}

// explainOptions says what happens to the computed price, in the order in which it does.
func explainOptions(o *Options) string {
	steps := explainRounding(o)
	if o.OutsideLimits == LeaveAlone {
		return "; " + strings.Join(steps, ", then ")
	}
	if o.MinPrice != nil {
		steps = append(steps, "raise any result below "+o.MinPrice.String()+" to it")
	}
	if o.MaxPrice != nil {
		steps = append(steps, "lower any result above "+o.MaxPrice.String()+" to it")
	}
	if o.NotBelowCost {
		steps = append(steps, "raise any result below the cost to the lowest such price that is not")
	}
	return "; " + strings.Join(steps, ", then ")
}

// explainCompareAt says how a compare-at price is rounded, and which products are left alone.
func explainCompareAt(a *Action, o *Options) (text string) {
	if rounding := o.Rounded(); !a.NoValue || rounding != (Options{}) {
		text = "; " + strings.Join(explainRounding(&rounding), ", then ")
	}
	if !a.NoValue {
		text += " (products whose price is not below it are left alone)"
	}
	return text
}

// explainLeft says which products are left alone, for what is known of their cost, or for
// what would become of their price.
func explainLeft(r *rule) string {
	o := &r.Options
	var left []string
	if r.needsCost() {
		left = append(left, "without a cost")
		if o.NotBelowCost && o.MaxPrice != nil && o.OutsideLimits != LeaveAlone {
			left = append(left, "with a cost above "+o.MaxPrice.String())
		}
	}
	if r.asSale() {
		left = append(left, "whose sale price would be 0 or not below the regular price")
	}
	if o.OutsideLimits == LeaveAlone {
		left = append(left, explainLimits(o)...)
	}
	switch direction := r.direction(); {
	case !o.KeepDirection:
	case direction < 0:
		left = append(left, "that customers would pay more for")
	case direction > 0:
		left = append(left, "that customers would pay less for")
	}
	switch len(left) {
	case 0:
		return ""
	case 1:
		return " (products " + left[0] + " are left alone)"
	}
	return " (products " + strings.Join(left, ", or ") + ", are left alone)"
}

// explainRounding says to which prices the result is brought.
func explainRounding(o *Options) []string {
	places := explainDigits(o.Digits(), o.RoundTo == nil)
	way := ""
	if !o.Rounding.IsNearest() {
		way = " " + string(o.Rounding)
	}
	written := places
	if o.RoundTo != nil && *o.RoundTo == 0 {
		written = "no decimals"
	}
	to := explainStep(o)
	switch {
	case to == "":
		return []string{"round" + way + " to " + places}
	case way != "":
		return []string{"round" + way + " to a " + to + ", written with " + written}
	case o.PriceEnding == nil:
		return []string{"round to the nearest " + to + ", written with " + written}
	}
	return []string{"round to " + places, "move to the nearest " + to}
}

// explainStep says which prices the step and the ending allow; "": all of the digits.
func explainStep(o *Options) string {
	stepped := o.RoundStep != nil && o.RoundStep.Cmp(MustDecimal("1")) != 0
	switch {
	case o.PriceEnding != nil && !stepped:
		_, fraction, _ := strings.Cut(o.PriceEnding.String(), ".")
		fraction += strings.Repeat("0", max(0, o.Digits()-len(fraction)))
		if fraction != "" {
			return "price ending in ." + fraction
		}
		return ""
	case o.RoundStep == nil:
		return ""
	case o.PriceEnding == nil || o.PriceEnding.IsZero():
		return "multiple of " + o.RoundStep.String()
	}
	return "price that is " + o.PriceEnding.String() + " above a multiple of " + o.RoundStep.String()
}

// explainLimits says which results are outside the limits.
func explainLimits(o *Options) (outside []string) {
	if o.MinPrice != nil {
		outside = append(outside, "whose new price would be below "+o.MinPrice.String())
	}
	if o.MaxPrice != nil {
		outside = append(outside, "whose new price would be above "+o.MaxPrice.String())
	}
	if o.NotBelowCost {
		outside = append(outside, "whose new price would be below the cost")
	}
	return outside
}

func explainDigits(digits int, orMore bool) string {
	switch {
	case orMore:
		return strconv.Itoa(digits) + " decimals, or as many as the prices have"
	case digits == 0:
		return "a whole number"
	case digits == 1:
		return "1 decimal"
	}
	return strconv.Itoa(digits) + " decimals"
}

// maxListed is how many names a sentence lists. The plan holds them all.
const maxListed = 20

// named lists names after the word for one or several of them, the last two
// joined by the conjunction.
func named(singular, plural string, names []string, conjunction string) string {
	switch len(names) {
	case 0: // a filter that is not valid, and that no row meets
		return "no " + singular
	case 1:
		return singular + " " + plainName(names[0])
	}
	var listed []string
	for _, name := range names[:min(len(names), maxListed)] {
		listed = append(listed, plainName(name))
	}
	last := len(listed) - 1
	if more := len(names) - maxListed; more > 0 {
		listed = append(listed, fmt.Sprintf("%d more", more))
		last = maxListed
	}
	return fmt.Sprintf("%s %s %s %s", plural, strings.Join(listed[:last], ", "), conjunction, listed[last])
}

// plainName quotes a name in which a reader could mistake where it ends, and
// makes what cannot be seen in it visible.
func plainName(name string) string {
	if name == "" {
		return "blank" // a blank cell
	}
	for _, char := range name {
		if !unicode.IsLetter(char) && !unicode.IsDigit(char) && !strings.ContainsRune("_-.", char) {
			return strconv.Quote(name)
		}
	}
	if strings.HasSuffix(name, ".") || name == "or" || name == "and" || name == "more" || name == "except" ||
		name == "blank" {
		return strconv.Quote(name)
	}
	return name
}
