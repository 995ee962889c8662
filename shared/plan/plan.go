// Package plan says what an execution plan is: its types, how it is read
// strictly from JSON, what makes it valid, its canonical form and its hash.
//
// A plan is data that a person has approved. It is read once, in full, and
// every fault in it is reported at once with its path. The package is pure: it
// reads no clock, no file and no network.
package plan

// Limits of a plan, as the JSON Schema states them.
const (
	MaxCanonicalBytes    = 512 << 10
	MaxOperations        = 100
	MaxFilterValues      = 10_000
	maxPhrases           = 100   // of a name
	MinInstructionLength = 5     // characters
	MaxInstructionLength = 2_000 // characters
	DefaultRoundTo       = 2
	MaxRoundTo           = 6
	MaxIntegerDigits     = 18
	MaxFractionDigits    = 9
	MaxExecutionIDLength = 64
	minExecutionIDLength = 8
	maxOperationIDLength = 32
	maxFilterValueLength = 512 // characters of a name or phrase
)

// Plan is a validated list of operations over a product table. ExecutionID is
// the idempotency key: a plan is applied once under it, whatever fails.
type Plan struct {
	ExecutionID       string      `json:"execution_id"`
	CreatedAt         string      `json:"created_at"` // RFC 3339, as written
	SourceInstruction string      `json:"source_instruction"`
	Operations        []Operation `json:"operations,omitzero"` // applied in order; none where Undo is set
	Undo              *Undo       `json:"undo,omitempty"`
	SummaryPrompt     string      `json:"summary_prompt,omitempty"` // optional, carried along
	Terms
}

// Operation is one rule: which rows, what to do to them, and how.
type Operation struct {
	OperationID string  `json:"operation_id"`
	Description string  `json:"description,omitempty"` // optional
	Filter      Filter  `json:"filter"`
	Action      Action  `json:"action"`
	Options     Options `json:"options,omitzero"`
}

// Options shape the price an action computes. For SetStock they are allowed,
// checked and kept, and change nothing. Nil means not given.
type Options struct {
	// fraction digits; nil: DefaultRoundTo, or as many as the prices have; half away from zero
	RoundTo *int `json:"round_to,omitempty"`
	// RoundStep and PriceEnding: the result is brought to a price that is PriceEnding above
	// a multiple of RoundStep. Without a step that is 1, without an ending 0; with neither
	// the step is the last digit.
	RoundStep   *Decimal `json:"round_step,omitempty"`
	PriceEnding *Decimal `json:"price_ending,omitempty"` // below the step
	Rounding    Rounding `json:"rounding,omitempty"`     // "": RoundNearest
	MinPrice    *Decimal `json:"min_price,omitempty"`    // clamp, after rounding and ending
	MaxPrice    *Decimal `json:"max_price,omitempty"`
	// NotBelowCost: a result below the row's cost becomes the lowest price that the
	// others allow and that is not. A row of which no cost above 0 is known, or whose
	// cost is above MaxPrice, is left alone.
	NotBelowCost bool `json:"not_below_cost,omitzero"`
	// AsSale: what the action makes of the regular price is the sale price. A row for
	// which that is not below the regular price, or is 0, is left alone.
	AsSale bool `json:"as_sale,omitzero"`
	// KeepDirection: a row for which customers would pay more after a decrease or a sale, or
	// less after an increase, is left alone.
	KeepDirection bool          `json:"keep_direction,omitzero"`
	OutsideLimits OutsideLimits `json:"outside_limits,omitempty"` // "": ClampToLimits
}

// OutsideLimits says what becomes of a row whose result MinPrice, MaxPrice or NotBelowCost
// would change.
type OutsideLimits string

// What becomes of such a row: its price becomes what the limits allow, or it is left alone.
const (
	ClampToLimits OutsideLimits = "clamp"
	LeaveAlone    OutsideLimits = "leave"
)

// Rounding says which of the prices that the other options allow a result becomes.
type Rounding string

// The ways to round. RoundNearest goes up where two prices are equally near, and with an
// ending rounds to the digits first.
const (
	RoundNearest Rounding = "nearest"
	RoundUp      Rounding = "up"
	RoundDown    Rounding = "down"
)

// IsNearest reports whether a result becomes the nearest price.
func (r Rounding) IsNearest() bool { return r == "" || r == RoundNearest }

// SettleRounding has a price action round to whole prices where nobody pays others, no
// fraction of money is named and nobody said how to round.
func (op *Operation) SettleRounding(whole bool) {
	price, err := op.Action.Price()
	if err != nil || op.Options.RoundTo != nil || !whole || price.Shift != 0 && price.Addend.Sign() != 0 {
		return
	}
	for _, d := range op.Options.amounts() {
		if d != nil && d.Scale() > 0 {
			return
		}
	}
	op.Options.RoundTo = new(0)
}

// SettleWhole settles the rounding of a plan, if there is one, for whole prices.
func (p *Plan) SettleWhole(whole bool) {
	for i := 0; whole && p != nil && i < len(p.Operations); i++ {
		p.Operations[i].SettleRounding(whole)
	}
}

// SettleDirection has an operation that is to move prices in one direction leave a row alone that
// it would move in the other. Only an ending, a step, a limit or a sale can do that.
func (op *Operation) SettleDirection() {
	o := &op.Options
	shaped := o.PriceEnding != nil || o.RoundStep != nil || o.MinPrice != nil || o.MaxPrice != nil ||
		o.NotBelowCost ||
		o.AsSale
	if shaped && op.Direction() != 0 {
		o.KeepDirection = true
	}
}

// SettleDirections settles that of all operations of a plan, if there is one.
func (p *Plan) SettleDirections() {
	for i := 0; p != nil && i < len(p.Operations); i++ {
		p.Operations[i].SettleDirection()
	}
}

// Digits returns the fraction digits that a price action writes. Where round_to is not
// given it is the least number of them: the prices of a table may have more.
func (o Options) Digits() int {
	if o.RoundTo != nil {
		return *o.RoundTo
	}
	digits := DefaultRoundTo
	for _, d := range o.amounts() {
		if d != nil {
			digits = max(digits, d.Scale())
		}
	}
	return digits
}

// Rounded are the options that say how a result is rounded, without those that bound it.
func (o Options) Rounded() Options {
	return Options{
		RoundTo:     o.RoundTo,
		RoundStep:   o.RoundStep,
		PriceEnding: o.PriceEnding,
		Rounding:    o.Rounding,
	}
}

// amounts are those of money that the options name; nil: not given.
func (o *Options) amounts() []*Decimal {
	return []*Decimal{o.RoundStep, o.PriceEnding, o.MinPrice, o.MaxPrice}
}
