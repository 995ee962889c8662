package plan

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ReadExplanation returns the operations that a text explains, and false for any other text.
// It is the inverse of Explain, so that what a plan is said to do can be sent as an instruction:
// the text is read only if Explain writes it of the operations. Sentences about terms and undos
// are not read.
func ReadExplanation(text string) ([]Operation, bool) {
	said := strings.Join(strings.Fields(text), " ")
	if !strings.HasSuffix(said, ".") {
		return nil, false
	}
	var operations []Operation
	for left := said; left != ""; {
		if left == pricesLookAt {
			break
		}
		op, after, ok := readOperation(left)
		if !ok || len(operations) == MaxOperations {
			return nil, false
		}
		op.OperationID = operationID(len(operations) + 1)
		operations = append(operations, op)
		left = strings.TrimPrefix(after, " ")
	}
	p := &Plan{
		ExecutionID:       "reading_1",
		CreatedAt:         "2000-01-01T00:00:00Z",
		SourceInstruction: "read back",
		Operations:        operations,
	}
	if p.Validate() != nil || strings.Join(strings.Fields(strings.Join(Explain(p), " ")), " ") != said {
		return nil, false
	}
	return operations, true
}

func operationID(n int) string {
	if n < 10 {
		return "op_0" + strconv.Itoa(n)
	}
	return "op_" + strconv.Itoa(n)
}

// explanation is what is left to read of a sentence.
type explanation struct{ left string }

// skip passes over a text, if it stands next.
func (e *explanation) skip(text string) bool {
	after, found := strings.CutPrefix(e.left, text)
	if found {
		e.left = after
	}
	return found
}

// readOperation reads the first sentence of a text, and returns what follows it.
func readOperation(text string) (op Operation, after string, ok bool) {
	for _, opening := range openings {
		e := &explanation{left: text}
		op := Operation{Action: opening.action}
		op.Options.AsSale = opening.sale
		if !e.opening(opening, &op.Action) || !e.filter(&op.Filter) || !e.options(&op) || !e.skip(".") {
			continue
		}
		if e.left == "" || strings.HasPrefix(e.left, " ") {
			return op, e.left, true
		}
	}
	return op, "", false
}

// opening is how a sentence begins for an action, around the action's value.
type opening struct {
	action        Action
	sale          bool
	hasNumber     bool // the action's value stands between before and after
	before, after string
}

// openings are those of all actions, the longest first.
var openings = allOpenings()

func allOpenings() (all []opening) {
	placeholder := MustDecimal("7919") // stands where the value goes
	add := func(action Action, sale bool, sentence string) {
		before, after, hasNumber := strings.Cut(sentence, placeholder.String())
		action.Value = Decimal{}
		all = append(all, opening{action, sale, hasNumber, before, after})
	}
	add(Action{Type: PercentIncrease}, false, keepThePrice)
	add(Action{Type: SetCompareAt, NoValue: true}, false, compareSentence(&Action{NoValue: true}))
	for i := range actionRules {
		rule := &actionRules[i]
		action := Action{Type: rule.name, Value: placeholder}
		add(action, false, rule.sentence(&action))
		switch rule.writes {
		case ColumnInStock:
			action.Stock = true
			add(action, false, rule.sentence(&action))
		case ColumnPrice:
			add(action, true, rule.asSale(&action))
		}
	}
	slices.SortStableFunc(all, func(a, b opening) int { return len(b.before) - len(a.before) })
	return all
}

// opening reads how a sentence begins, with the action's value.
func (e *explanation) opening(o opening, action *Action) bool {
	if !e.skip(o.before) {
		return false
	}
	if !o.hasNumber {
		return true
	}
	value, ok := e.decimal()
	action.Value = value
	return ok && e.skip(o.after)
}

var number = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?`)

// decimal reads a number.
func (e *explanation) decimal() (Decimal, bool) {
	found := number.FindString(e.left)
	value, err := ParseDecimal(found)
	if err != nil {
		return value, false
	}
	return value, e.skip(found)
}

// filter reads the products.
func (e *explanation) filter(f *Filter) bool {
	if e.skip(" for all products") {
		return e.exceptions(f)
	}
	if !e.skip(" for products") {
		return false
	}
	for _, c := range nameColumns {
		if c.preposition == "" {
			continue
		}
		if names, found := e.namesOf(" "+c.preposition+" ", c, "or"); found {
			*fieldOf(c.column, false).names(f) = names
		}
	}
	for e.skip(" whose ") || e.skip(" and whose ") {
		if !e.where(f) {
			return false
		}
	}
	if e.skip(" that ") && !e.conditions(f) {
		return false
	}
	return e.exceptions(f)
}

// namesOf reads names of a column behind the word for one or several of them.
func (e *explanation) namesOf(before string, c nameColumn, conjunction string) ([]string, bool) {
	if !e.skip(before+c.singular+" ") && !e.skip(before+c.plural+" ") {
		return nil, false
	}
	return e.names(conjunction)
}

// names reads names with commas between them, and a conjunction before the last.
func (e *explanation) names(conjunction string) (names []string, ok bool) {
	for {
		name, found := e.name()
		if !found {
			return nil, false
		}
		names = append(names, name)
		if !strings.HasPrefix(e.left, ", except ") && e.skip(", ") {
			continue
		}
		if strings.HasPrefix(e.left, " and except ") || !e.skip(" "+conjunction+" ") {
			return names, true
		}
		last, found := e.name()
		return append(names, last), found
	}
}

// name reads a name as plainName writes it.
func (e *explanation) name() (string, bool) {
	if strings.HasPrefix(e.left, `"`) {
		quoted, err := strconv.QuotedPrefix(e.left)
		if err != nil {
			return "", false
		}
		name, err := strconv.Unquote(quoted)
		return name, err == nil && e.skip(quoted)
	}
	end := strings.IndexAny(e.left, " ,;)")
	if end < 0 {
		end = len(e.left)
	}
	word := strings.TrimSuffix(e.left[:end], ".") // which ends the sentence
	e.skip(word)
	if word == "blank" {
		return "", true
	}
	return word, word != ""
}

// where reads a condition on another column.
func (e *explanation) where(f *Filter) bool {
	column, ok := e.name()
	if !ok {
		return false
	}
	for _, k := range slices.Backward(whereKinds[:]) { // "is not" before "is"
		if !e.skip(" " + k.says + " ") {
			continue
		}
		values, ok := e.names("or")
		f.Where = append(f.Where, Where{Column: column, Kind: k.kind, Values: values})
		return ok
	}
	return false
}

// conditions reads what products must be or have.
func (e *explanation) conditions(f *Filter) bool {
	for first := true; first || e.skip(" and "); first = false {
		if first {
			e.skip("are ")
		}
		if !e.condition(f) {
			return false
		}
		e.skip(" by then")
	}
	return true
}

func (e *explanation) condition(f *Filter) (ok bool) {
	for _, is := range []bool{true, false} {
		if e.skip(stockCondition(is)) {
			f.InStock = &is
			return true
		}
		if e.skip(saleCondition(is)) {
			f.OnSale = &is
			return true
		}
	}
	switch {
	case e.skip("priced "):
		f.PriceGTE, f.PriceLTE, ok = e.between()
	case e.skip("have a quantity "):
		e.skip("of ")
		f.QuantityGTE, f.QuantityLTE, ok = e.between()
	case e.skip("have "):
		f.NameContains, ok = e.names("or")
		ok = ok && e.skip(" in the name")
	}
	return ok
}

// between reads which numbers are meant, as rangeOf writes it.
func (e *explanation) between() (gte, lte *Decimal, ok bool) {
	exactly, from := e.skip("exactly "), e.skip("from ")
	low, ok := e.decimal()
	switch {
	case !ok:
		return nil, nil, false
	case exactly:
		return &low, &low, true
	case from:
		ok = e.skip(" to ")
		high, found := e.decimal()
		return &low, &high, ok && found
	case e.skip(" or more"):
		return &low, nil, true
	}
	return nil, &low, e.skip(" or less")
}

// exceptions reads which products are left out.
func (e *explanation) exceptions(f *Filter) bool {
	if !strings.HasPrefix(e.left, ", except ") {
		return true
	}
	e.skip(",")
	for e.skip(" except ") || e.skip(" and except ") {
		if e.skip("those that have ") {
			phrases, ok := e.names("or")
			f.ExcludeNameContains = phrases
			if !ok || !e.skip(" in the name") {
				return false
			}
			continue
		}
		found := false
		for _, c := range nameColumns {
			if names, is := e.namesOf("", c, "and"); is && c.preposition != "" {
				*fieldOf(c.column, true).names(f), found = names, true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// options reads how the result is rounded and limited, and which products are left alone.
func (e *explanation) options(op *Operation) bool {
	rounds := e.skip("; ")
	for rounds {
		if !e.step(&op.Options) {
			return false
		}
		rounds = e.skip(", then ")
	}
	return e.leftAlone(&op.Options)
}

// step reads one step of how a result becomes a price.
func (e *explanation) step(o *Options) (ok bool) {
	switch {
	case e.skip("raise any result below the cost to the lowest such price that is not"):
		o.NotBelowCost = true
		return true
	case e.skip("raise any result below "):
		o.MinPrice, ok = e.pointer()
		return ok && e.skip(" to it")
	case e.skip("lower any result above "):
		o.MaxPrice, ok = e.pointer()
		return ok && e.skip(" to it")
	case e.skip("move to the nearest "):
		return e.stepAndEnding(o)
	case !e.skip("round"):
		return false
	}
	for _, way := range []Rounding{RoundUp, RoundDown} {
		if e.skip(" " + string(way)) {
			o.Rounding = way
		}
	}
	if e.skip(" to the nearest ") || e.skip(" to a ") && !strings.HasPrefix(e.left, "whole number") {
		return e.stepAndEnding(o) && e.skip(", written with ") && e.digits(o)
	}
	e.skip(" to ")
	return e.digits(o)
}

func (e *explanation) pointer() (*Decimal, bool) {
	value, ok := e.decimal()
	return &value, ok
}

// stepAndEnding reads which prices are allowed, as explainStep writes it.
func (e *explanation) stepAndEnding(o *Options) (ok bool) {
	switch {
	case e.skip("multiple of "):
		o.RoundStep, ok = e.pointer()
	case e.skip("price ending in ."):
		e.left = "0." + e.left
		o.PriceEnding, ok = e.pointer()
	case e.skip("price that is "):
		o.PriceEnding, ok = e.pointer()
		if !ok || !e.skip(" above a multiple of ") {
			return false
		}
		o.RoundStep, ok = e.pointer()
	}
	return ok
}

// digits reads how many decimals a price has.
func (e *explanation) digits(o *Options) bool {
	n := 0
	switch {
	case e.skip("a whole number"), e.skip("whole number"), e.skip("no decimals"):
	default:
		count, ok := e.decimal()
		places, err := strconv.Atoi(count.String())
		if !ok || err != nil || !e.skip(" decimals") && !e.skip(" decimal") {
			return false
		}
		if e.skip(", or as many as the prices have") {
			return true
		}
		n = places
	}
	o.RoundTo = &n
	return true
}

// leftAlone reads which products keep their prices. What is said of all that an action leaves
// alone says nothing of the options.
func (e *explanation) leftAlone(o *Options) bool {
	if !e.skip(" (products ") {
		return true
	}
	for first := true; first || e.skip(", or "); first = false {
		if !e.leftFor(o) {
			return false
		}
	}
	e.skip(",")
	return e.skip(" are left alone)")
}

// leftFor reads one reason for which products are left alone.
func (e *explanation) leftFor(o *Options) (ok bool) {
	switch {
	case e.skip("whose new price would be below the cost"):
		o.NotBelowCost, o.OutsideLimits = true, LeaveAlone
	case e.skip("whose new price would be below "):
		o.MinPrice, ok = e.pointer()
		o.OutsideLimits = LeaveAlone
		return ok
	case e.skip("whose new price would be above "):
		o.MaxPrice, ok = e.pointer()
		o.OutsideLimits = LeaveAlone
		return ok
	case e.skip("that customers would pay more for"), e.skip("that customers would pay less for"):
		o.KeepDirection = true
	case e.skip("with a cost above "):
		_, ok = e.decimal()
		return ok
	case e.skip("without a cost"), e.skip("whose price is not below it"),
		e.skip("whose sale price would be 0 or not below the regular price"):
	default:
		return false
	}
	return true
}
