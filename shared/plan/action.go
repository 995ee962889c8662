package plan

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

// ActionType names what an operation does to a row.
type ActionType string

// The types of action.
const (
	PercentIncrease ActionType = "percent_increase"
	PercentDecrease ActionType = "percent_decrease"
	FixedIncrease   ActionType = "fixed_increase"
	FixedDecrease   ActionType = "fixed_decrease"
	SetPrice        ActionType = "set_price"
	SetStock        ActionType = "set_stock"
	CostPlusPercent ActionType = "cost_plus_percent"
	EndSale         ActionType = "end_sale"
	SetCompareAt    ActionType = "set_compare_at"

	SetQuantity      ActionType = "set_quantity"
	QuantityIncrease ActionType = "quantity_increase"
	QuantityDecrease ActionType = "quantity_decrease"
)

// Action is the change itself. Value belongs to the actions that change the
// price, Stock to SetStock; JSON has one field, value, for both. EndSale has none, and
// SetCompareAt may have none: then it is the price.
type Action struct {
	Type    ActionType
	Value   Decimal
	NoValue bool // of SetCompareAt
	Stock   bool
}

// actionRules are the types of action. What reads, writes, checks, explains
// and carries out actions goes by this table; a new one is a line here and one in the schema.
var actionRules = [...]actionRule{
	{
		PercentIncrease,
		ColumnPrice,
		ColumnPrice,
		raises,
		"price * (1 + value/100)",
		percent(+1),
		sentence("Increase the price by %s%%"),
		sentence("Set a sale price of %s%% above the regular price"),
	},
	{
		PercentDecrease,
		ColumnPrice,
		ColumnPrice,
		lowers,
		"price * (1 - value/100)",
		percent(-1),
		sentence("Decrease the price by %s%%"),
		sentence("Set a sale price of %s%% below the regular price"),
	},
	{
		FixedIncrease,
		ColumnPrice,
		ColumnPrice,
		raises,
		"price + value",
		fixed(+1),
		sentence("Increase the price by an amount of %s"),
		sentence("Set a sale price of an amount of %s above the regular price"),
	},
	{
		FixedDecrease,
		ColumnPrice,
		ColumnPrice,
		lowers,
		"price - value",
		fixed(-1),
		sentence("Decrease the price by an amount of %s"),
		sentence("Set a sale price of an amount of %s below the regular price"),
	},
	{
		SetPrice,
		ColumnPrice,
		ColumnPrice,
		eitherWay,
		"value",
		constant,
		sentence("Set the price to %s"),
		sentence("Set the sale price to %s"),
	},
	{
		SetStock,
		ColumnInStock,
		ColumnInStock,
		eitherWay,
		"in_stock becomes value",
		nil,
		stockSentence,
		stockSentence,
	},
	{
		CostPlusPercent,
		ColumnPrice,
		ColumnCost,
		eitherWay,
		"cost * (1 + value/100); a row without a cost, or with a cost of 0, is left alone",
		percent(+1),
		sentence("Set the price to the cost plus %s%%"),
		sentence("Set the sale price to the cost plus %s%%"),
	},
	{
		EndSale,
		ColumnOnSale,
		ColumnOnSale,
		eitherWay,
		"what is on sale is not any more: customers pay the regular price; it has no value",
		nil,
		endSentence,
		endSentence,
	},
	{
		SetCompareAt,
		ColumnCompareAt,
		ColumnPrice,
		eitherWay,
		"the price from before a sale becomes value, or the price as it is where value is left out; a row that it is not above the price of is left alone",
		constant,
		compareSentence,
		compareSentence,
	},
	{
		SetQuantity,
		ColumnQuantity,
		ColumnQuantity,
		eitherWay,
		"the pieces in stock become value, a whole number as of the next two",
		nil,
		sentence("Set the quantity to %s"),
		sentence("Set the quantity to %s"),
	},
	{
		QuantityIncrease,
		ColumnQuantity,
		ColumnQuantity,
		raises,
		"quantity + value",
		nil,
		sentence("Increase the quantity by %s"),
		sentence("Increase the quantity by %s"),
	},
	{
		QuantityDecrease,
		ColumnQuantity,
		ColumnQuantity,
		lowers,
		"quantity - value, but not below 0",
		nil,
		sentence("Decrease the quantity by %s, to no less than 0,"),
		sentence("Decrease the quantity by %s, to no less than 0,"),
	},
}

type actionRule struct {
	name      ActionType
	writes    Column
	from      Column // of what it makes that
	direction direction
	formula   string                 // as the schema describes it
	price     func(Decimal) Linear   // of the action's value, over from; nil where its value is no number
	sentence  func(a *Action) string // how it reads in English, up to its products
	asSale    func(a *Action) string // the same, where what it makes is the sale price
}

// direction is the way in which an action is meant to move prices.
type direction int

const (
	eitherWay direction = iota
	lowers
	raises
)

// find returns nil for a type that there is not.
func (t ActionType) find() *actionRule {
	for i := range actionRules {
		if actionRules[i].name == t {
			return &actionRules[i]
		}
	}
	return nil
}

// rule is find with a rule for what there is not, which does nothing but say so.
func (t ActionType) rule() *actionRule {
	if found := t.find(); found != nil {
		return found
	}
	nothing := func(a *Action) string { return "Nothing can be done: action.type " + unknownAction(a.Type) }
	return &actionRule{name: t, sentence: nothing, asSale: nothing}
}

// isKnown tells the rules of the table from the one of what is not in it.
func (r *actionRule) isKnown() bool { return r.writes != "" }

// Writes returns the column that actions of the type change. For a type that
// there is not the error is errs.Invalid.
func (t ActionType) Writes() (Column, error) {
	rule := t.rule()
	if !rule.isKnown() {
		return "", errs.New(errs.Invalid, "action.type %s", unknownAction(t))
	}
	return rule.writes, nil
}

// CheckForShop refuses a plan that changes what is not written to a shop: that are prices
// and sales alone. Its kind is errs.Invalid.
func (p *Plan) CheckForShop() error {
	for i := range p.Operations {
		switch writes, _ := p.Operations[i].Action.Type.Writes(); writes {
		case ColumnInStock, ColumnQuantity, ColumnCompareAt:
			return errs.New(
				errs.Invalid,
				"The rule %s changes what is not written to a shop yet (%s): only prices and sales are. Leave the rule out, or export a table from the shop and import the result by hand.",
				p.Operations[i].OperationID,
				writes,
			)
		}
	}
	return nil
}

func unknownAction(t ActionType) string {
	names := make([]string, len(actionRules))
	for i := range actionRules {
		names[i] = string(actionRules[i].name)
	}
	return fmt.Sprintf("must be one of %s, but is %s", strings.Join(names, ", "), strictjson.Quote(string(t)))
}

// UsesCost reports whether actions of the type make the price of the row's cost.
func (t ActionType) UsesCost() bool { return t.rule().from == ColumnCost }

// Linear is an exact function of a price, or of a cost:
//
//	(price * Factor + Addend) / 10^Shift
type Linear struct {
	Factor, Addend *big.Int
	Shift          int
}

// Direction is 1 for a function that is to raise prices, -1 for one that is to
// lower them, and 0 for one that does neither as such.
func (l Linear) Direction() int {
	if l.Factor.Sign() == 0 {
		return 0
	}
	return cmp.Or(l.Factor.Cmp(powerOfTen(l.Shift)), l.Addend.Sign())
}

// Direction is the way in which an operation is to move what customers pay: 1 up, -1 down, 0
// neither. A sale is to move it down, whatever it is made of.
func (op *Operation) Direction() int {
	price, err := op.Action.Price()
	switch {
	case err != nil, op.Action.Type == SetCompareAt:
		return 0
	case op.Options.AsSale:
		return -1
	case op.Action.Type.UsesCost():
		return 0
	}
	return price.Direction()
}

// Price returns what the action makes of a price, or of a cost where its type
// UsesCost, before the options shape it.
// For an action that writes no price the error is errs.Invalid.
func (a *Action) Price() (Linear, error) {
	rule := a.Type.find()
	switch {
	case rule == nil:
		return Linear{}, errs.New(errs.Invalid, "action.type %s", unknownAction(a.Type))
	case rule.price == nil:
		return Linear{}, errs.New(errs.Invalid, "action.type %s writes no price", a.Type)
	}
	if a.NoValue {
		return Linear{Factor: powerOfTen(0), Addend: new(big.Int)}, nil
	}
	return rule.price(a.Value), nil
}

func percent(sign int64) func(Decimal) Linear {
	return func(value Decimal) Linear {
		shift := value.Scale() + 2
		factor := value.Scaled(value.Scale())
		factor.Mul(factor, big.NewInt(sign))
		return Linear{Factor: factor.Add(factor, powerOfTen(shift)), Addend: new(big.Int), Shift: shift}
	}
}

func fixed(sign int64) func(Decimal) Linear {
	return func(value Decimal) Linear {
		shift := value.Scale()
		addend := value.Scaled(shift)
		return Linear{Factor: powerOfTen(shift), Addend: addend.Mul(addend, big.NewInt(sign)), Shift: shift}
	}
}

func constant(value Decimal) Linear {
	return Linear{Factor: new(big.Int), Addend: value.Scaled(value.Scale()), Shift: value.Scale()}
}

func sentence(format string) func(*Action) string {
	return func(a *Action) string { return fmt.Sprintf(format, a.Value) }
}

func stockSentence(a *Action) string { return "Mark as " + stockCondition(a.Stock) }

func compareSentence(a *Action) string {
	if a.NoValue {
		return "Set the compare-at price to the price"
	}
	return "Set the compare-at price to " + a.Value.String()
}

func endSentence(*Action) string { return "End the sale" }

func (a *Action) read(o *strictjson.Object) {
	name, _ := o.Required("type").String()
	a.Type = ActionType(name)
	if a.Type == EndSale {
		if value := o.Optional("value"); value.Given() {
			value.Problem("must be left out: %s has none", EndSale)
		}
		return
	}
	value := o.Optional("value")
	if a.NoValue = a.Type == SetCompareAt && !value.Given(); a.NoValue {
		return
	}
	value = o.Required("value")
	switch rule := a.Type.find(); {
	case rule == nil: // validation reports it
	case rule.writes == ColumnInStock:
		a.Stock, _ = value.Bool()
	default:
		a.Value, _ = readDecimal(value)
	}
}

// MarshalJSON returns the canonical form, as a plan's does.
func (a Action) MarshalJSON() ([]byte, error) { return strictjson.Canonical(a.fields()), nil }

// fields have the value that the type of action has.
func (a *Action) fields() map[string]any {
	fields := map[string]any{"type": a.Type, "value": a.Value}
	switch rule := a.Type.find(); {
	case a.Type == EndSale, a.Type == SetCompareAt && a.NoValue:
		delete(fields, "value")
	case rule != nil && rule.writes == ColumnInStock:
		fields["value"] = a.Stock
	}
	return fields
}

// whole checks a number of pieces.
func (v *validator) whole(path *strictjson.Path, d *Decimal) {
	if d != nil && d.Scale() > 0 {
		v.list.Add(path, "must be a whole number, but is %s", d)
	}
}

// SetsQuantity reports whether actions of the type change the pieces in stock.
func (t ActionType) SetsQuantity() bool { return t.rule().writes == ColumnQuantity }

func (v *validator) action(path *strictjson.Path, a *Action) {
	if a.Type.find() == nil {
		v.list.Add(path.Name("type"), "%s", unknownAction(a.Type))
	}
	if rule := a.Type.find(); rule != nil && rule.writes == ColumnQuantity {
		v.whole(path.Name("value"), &a.Value)
	}
	if a.Type == SetCompareAt && !a.NoValue && a.Value.IsZero() {
		v.list.Add(path.Name("value"), "must be above 0: %s clears it, and left out it is the price", EndSale)
	}
}
