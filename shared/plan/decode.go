package plan

import (
	"errors"
	"fmt"

	"github.com/planwright/planwright/shared/strictjson"
)

// Decode reads a plan from JSON. Whatever is wrong with it, in text, shape and
// value, is in the one *InvalidError; there is no other error. An optional
// field that is null counts as omitted.
func Decode(data []byte) (*Plan, error) {
	p := &Plan{}
	isObject := false
	problems := strictjson.ReadObject(data, func(o *strictjson.Object) {
		isObject = true
		p.read(o)
	})
	if isObject {
		problems = append(problems, unreported(p.problems(), problems)...)
	}
	if err := invalid(problems); err != nil {
		return nil, err
	}
	sortConditions(p.Operations)
	return p, nil
}

// UnmarshalJSON is Decode, so that a plan inside another document is read as
// strictly as one alone.
func (p *Plan) UnmarshalJSON(data []byte) error {
	decoded, err := Decode(data)
	if err != nil {
		return err
	}
	*p = *decoded
	return nil
}

func (p *Plan) read(o *strictjson.Object) {
	p.ExecutionID, _ = o.Required("execution_id").String()
	p.CreatedAt, _ = o.Required("created_at").String()
	p.SourceInstruction, _ = o.Required("source_instruction").String()
	if p.Undo = readUndo(o.Optional("undo")); p.Undo == nil {
		p.Operations = ReadOperations(o.Required("operations"))
	} else if operations := o.Optional("operations"); operations.Given() {
		p.Operations = ReadOperations(operations)
	}
	p.Terms.read(o)
	p.SummaryPrompt, _ = o.Optional("summary_prompt").String()
}

// ReadOperations reads a plan's operations where they stand in another
// document, such as a model's answer. It reports problems of shape alone:
// Validate the plan that they become part of. Too many are counted and not
// read, so that a small document cannot make a large list.
func ReadOperations(f strictjson.Field) []Operation { return readOperations(f, requiredID, readWhere) }

// ReadModelOperations is ReadOperations for those of a model, which writes conditions on
// columns as ResponseSchema has them: {"column", "op", "values"}.
func ReadModelOperations(f strictjson.Field) []Operation {
	return readOperations(f, requiredID, readModelWhere)
}

func requiredID(_ int, o *strictjson.Object) string {
	id, _ := o.Required("operation_id").String()
	return id
}

// ReadRules is ReadOperations where an operation may come without an id. The third one
// is then op_03, as planners call it. CheckOperations says what is wrong with them.
func ReadRules(f strictjson.Field) []Operation {
	return readOperations(f, func(i int, o *strictjson.Object) string {
		field := o.Optional("operation_id")
		if !field.Given() {
			return fmt.Sprintf("op_%02d", i+1)
		}
		id, _ := field.String()
		return id
	}, readWhere)
}

// DecodeRules reads rules from JSON: a list of operations, or an object whose operations
// they are. Its error is an *InvalidError with every problem.
func DecodeRules(data []byte) (rules []Operation, err error) {
	value, problems := strictjson.Parse(data)
	switch {
	case len(problems) > 0:
	case value.Kind() == strictjson.KindArray:
		list, root := &strictjson.List{}, (*strictjson.Path)(nil)
		rules = ReadRules(strictjson.FieldOf(value, root.Name("operations"), list))
		problems = list.Problems()
	default:
		problems = strictjson.ReadObject(
			data,
			func(o *strictjson.Object) { rules = ReadRules(o.Required("operations")) },
		)
	}
	if rules != nil {
		problems = append(problems, CheckOperations(rules, problems)...)
	}
	sortConditions(rules)
	return rules, invalid(problems)
}

// CheckOperations returns what is wrong with operations that were read from another
// document than a plan, but where reading them has found a problem already.
func CheckOperations(operations []Operation, read []strictjson.Problem) []strictjson.Problem {
	v := &validator{}
	v.operations(&Plan{Operations: operations})
	return unreported(v.list.Problems(), read)
}

func readOperations(
	f strictjson.Field,
	id func(i int, o *strictjson.Object) string,
	where whereReader,
) []Operation {
	n := len(f.Value().Items())
	if n > MaxOperations {
		f.Problem(operationsRule, MaxOperations, n)
		return nil
	}
	operations := make([]Operation, 0, n)
	f.Array(func(i int, item strictjson.Field) {
		var operation Operation
		item.Object(func(o *strictjson.Object) {
			operation.OperationID = id(i, o)
			operation.read(o, where)
		})
		operations = append(operations, operation)
	})
	return operations
}

func (op *Operation) read(o *strictjson.Object, where whereReader) {
	op.Description, _ = o.Optional("description").String()
	o.Required("filter").Object(func(o *strictjson.Object) { op.Filter.read(o, where) })
	o.Required("action").Object(op.Action.read)
	o.Optional("options").Object(op.Options.read)
}

func (opt *Options) read(o *strictjson.Object) {
	if roundTo := o.Optional("round_to"); roundTo.Given() {
		digits, ok := roundTo.Int(0, MaxRoundTo)
		if !ok {
			digits = MaxRoundTo // already reported: no further complaint about digits
		}
		opt.RoundTo = &digits
	}
	opt.RoundStep = optional(readDecimal(o.Optional("round_step")))
	opt.PriceEnding = optional(readDecimal(o.Optional("price_ending")))
	opt.Rounding = Rounding(optionalWord(o.Optional("rounding")))
	opt.MinPrice = optional(readDecimal(o.Optional("min_price")))
	opt.MaxPrice = optional(readDecimal(o.Optional("max_price")))
	opt.NotBelowCost, _ = o.Optional("not_below_cost").Bool()
	opt.AsSale, _ = o.Optional("as_sale").Bool()
	opt.KeepDirection, _ = o.Optional("keep_direction").Bool()
	opt.OutsideLimits = OutsideLimits(optionalWord(o.Optional("outside_limits")))
}

func optional[T any](value T, given bool) *T {
	if !given {
		return nil
	}
	return &value
}

func readDecimal(f strictjson.Field) (Decimal, bool) {
	text, ok := f.Number()
	if !ok {
		return Decimal{}, false
	}
	d, err := ParseDecimal(text)
	switch {
	case errors.Is(err, ErrNegative):
		f.Problem("%v, but is %s", err, strictjson.Shorten(text))
	case err != nil:
		f.Problem("%v: %s", err, strictjson.Shorten(text))
	}
	return d, err == nil
}
