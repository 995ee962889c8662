package plan

import (
	"math"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/strictjson"
)

// Validate checks a plan that was built in code by the rules that Decode has
// for one that was read. Its error is an *InvalidError with every problem.
func (p *Plan) Validate() error { return invalid(p.problems()) }

func (p *Plan) problems() []strictjson.Problem {
	v := &validator{}
	v.plan(p)
	if len(v.list.Problems()) == 0 {
		v.size(p)
	}
	return v.list.Problems()
}

// unreported leaves out what is found at, or inside of, a value that reading
// has already found fault with.
func unreported(found, read []strictjson.Problem) []strictjson.Problem {
	reported := make(map[string]bool, len(read))
	for _, problem := range read {
		reported[problem.Path] = true
	}
	var fresh []strictjson.Problem
	for _, problem := range found {
		if !reportedAround(problem.Path, reported) {
			fresh = append(fresh, problem)
		}
	}
	return fresh
}

func reportedAround(path string, reported map[string]bool) bool {
	for !reported[path] {
		end := strings.LastIndexAny(path, ".[")
		if end < 0 {
			return false
		}
		path = path[:end]
	}
	return true
}

const operationsRule = "must hold 1 to %d operations, but holds %d"

type validator struct {
	list  strictjson.List
	root  *strictjson.Path
	texts int // bytes of the texts, those of a list with quotation marks and a comma
}

func (v *validator) plan(p *Plan) {
	if !ValidExecutionID(p.ExecutionID) {
		v.list.Add(
			v.root.Name("execution_id"),
			"%s, but is %s",
			ExecutionIDRule(p.ExecutionID),
			strictjson.Quote(p.ExecutionID),
		)
	}
	v.timestamp("created_at", p.CreatedAt)
	v.terms(&p.Terms)
	if n := len(p.ExecutionID); p.RevertAt != "" && n > MaxRevertedIDLength {
		v.list.Add(
			v.root.Name("execution_id"),
			"must be at most %d characters in a plan with revert_at, whose undo gets it with %s at its end, but is %d",
			MaxRevertedIDLength,
			undoSuffix,
			n,
		)
	}
	v.length(v.root.Name("source_instruction"), p.SourceInstruction,
		MinInstructionLength, MaxInstructionLength)
	v.text(v.root.Name("summary_prompt"), p.SummaryPrompt)
	if p.Undo != nil {
		v.undo(p)
		return
	}
	v.operations(p)
}

func (v *validator) operations(p *Plan) {
	path := v.root.Name("operations")
	if n := len(p.Operations); n < 1 || n > MaxOperations {
		v.list.Add(path, operationsRule, MaxOperations, n)
	}
	first := make(map[string]int, len(p.Operations))
	for i := range p.Operations {
		op := &p.Operations[i]
		v.operation(path.Index(i), op)
		if earlier, used := first[op.OperationID]; used && validOperationID(op.OperationID) {
			v.list.Add(
				path.Index(i).Name("operation_id"),
				"%q is already the id of operations[%d]: give each its own",
				op.OperationID,
				earlier,
			)
			continue
		}
		first[op.OperationID] = i
	}
}

// timestamp is the profile of RFC 3339 that the JSON Schema states too: upper
// case, no leap second (which most readers of time refuse), at most
// nanoseconds. validTimestamp adds the number of days in the month.
var timestamp = regexp.MustCompile(
	`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`,
)

func validTimestamp(s string) bool {
	if !timestamp.MatchString(s) {
		return false
	}
	at, err := time.Parse(time.RFC3339, s)
	year := at.UTC().Year()
	return err == nil && year >= 1 && year <= 9999 // what Firestore keeps, and JSON has
}

func (v *validator) timestamp(name, text string) (valid bool) {
	if valid = validTimestamp(text); !valid {
		v.list.Add(
			v.root.Name(name),
			"must be a date and time such as 2024-06-01T10:00:00Z or 2024-06-01T12:00:00.5+02:00, but is %s",
			strictjson.Quote(text),
		)
	}
	return valid
}

func (v *validator) operation(path *strictjson.Path, op *Operation) {
	if !validOperationID(op.OperationID) {
		v.list.Add(path.Name("operation_id"), "%s, but is %s",
			operationIDRule, strictjson.Quote(op.OperationID))
	}
	v.text(path.Name("description"), op.Description)
	v.filter(path.Name("filter"), &op.Filter)
	v.action(path.Name("action"), &op.Action)
	v.options(path.Name("options"), &op.Options)
}

func (v *validator) options(path *strictjson.Path, o *Options) {
	if o.RoundTo != nil && (*o.RoundTo < 0 || *o.RoundTo > MaxRoundTo) {
		v.list.Add(path.Name("round_to"),
			"must be a whole number from 0 to %d, but is %d", MaxRoundTo, *o.RoundTo)
		return
	}
	most := MaxRoundTo
	if o.RoundTo != nil {
		most = *o.RoundTo
	}
	v.digits(path.Name("round_step"), o.RoundStep, most)
	v.digits(path.Name("price_ending"), o.PriceEnding, most)
	v.digits(path.Name("min_price"), o.MinPrice, most)
	v.digits(path.Name("max_price"), o.MaxPrice, most)
	v.rounding(path, o)
	if o.OutsideLimits != "" && o.OutsideLimits != ClampToLimits && o.OutsideLimits != LeaveAlone {
		v.list.Add(
			path.Name("outside_limits"),
			"must be %s or %s, but is %s",
			ClampToLimits,
			LeaveAlone,
			strictjson.Quote(string(o.OutsideLimits)),
		)
	}
	if o.MinPrice != nil && o.MaxPrice != nil && o.MinPrice.Cmp(*o.MaxPrice) > 0 {
		v.list.Add(
			path.Name("min_price"),
			"is %s, above max_price %s: no price is in that range",
			o.MinPrice,
			o.MaxPrice,
		)
	}
}

func (v *validator) rounding(path *strictjson.Path, o *Options) {
	switch {
	case o.RoundStep != nil && o.RoundStep.IsZero():
		v.list.Add(path.Name("round_step"), "must be above 0, such as 0.05, 5 or 50")
	case o.PriceEnding == nil:
	case o.RoundStep == nil && o.PriceEnding.Cmp(MustDecimal("1")) >= 0:
		v.list.Add(path.Name("price_ending"), "must be below 1, such as 0.99, but is %s", o.PriceEnding)
	case o.RoundStep != nil && o.PriceEnding.Cmp(*o.RoundStep) >= 0:
		v.list.Add(path.Name("price_ending"),
			"must be below round_step %s, but is %s", o.RoundStep, o.PriceEnding)
	}
	if !o.Rounding.IsNearest() && o.Rounding != RoundUp && o.Rounding != RoundDown {
		v.list.Add(
			path.Name("rounding"),
			"must be %s, %s or %s, but is %s",
			RoundNearest,
			RoundUp,
			RoundDown,
			strictjson.Quote(string(o.Rounding)),
		)
	}
}

func (v *validator) digits(path *strictjson.Path, d *Decimal, roundTo int) {
	if d != nil && d.Scale() > roundTo {
		v.list.Add(
			path,
			"is %s, with more digits after the point than the %d that prices are rounded to: shorten it or raise round_to",
			d,
			roundTo,
		)
	}
}

func (v *validator) strings(path *strictjson.Path, texts []string, most int) {
	v.values(path, texts, 1, most)
}

// values checks texts of at least so many characters each.
func (v *validator) values(path *strictjson.Path, texts []string, least, most int) {
	switch n := len(texts); {
	case texts != nil && n == 0:
		v.list.Add(path, "must hold 1 to %d values, but is empty: to set no condition, leave it out", most)
	case n > most:
		v.list.Add(path, "must hold 1 to %d values, but holds %d: split the operation", most, n)
	}
	for i, text := range texts {
		v.texts += len(text) + 3
		if n := utf8.RuneCountInString(text); n < least || n > maxFilterValueLength ||
			!utf8.ValidString(text) {
			v.length(path.Index(i), text, least, maxFilterValueLength)
		}
	}
}

// phrases checks texts of which a name may have the words.
func (v *validator) phrases(path *strictjson.Path, texts []string) {
	v.strings(path, texts, maxPhrases)
	for i, text := range texts {
		if text != "" &&
			!strings.ContainsFunc(text,
				func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			v.list.Add(path.Index(i), "must have a letter or a digit, but is %s", strictjson.Quote(text))
		}
	}
}

// length checks a text's length in characters, which are Unicode code points
// here as in JSON Schema.
func (v *validator) length(path *strictjson.Path, text string, least, most int) {
	n := utf8.RuneCountInString(text)
	switch {
	case n < least || n > most:
		v.list.Add(path, "must have %d to %d characters, but has %d", least, most, n)
	default:
		v.text(path, text)
	}
}

func (v *validator) text(path *strictjson.Path, text string) {
	v.texts += len(text)
	if !utf8.ValidString(text) {
		v.list.Add(path, "is not valid UTF-8")
	}
}

// An operation takes less besides its texts, and a character of a text at most six
// bytes: \u001f. That tells of most plans that they are short enough.
const (
	mostOperation = 2 << 10 // with what stands around the conditions on columns
	mostEscaped   = 6
)

func (v *validator) size(p *Plan) {
	if mostOperation*(len(p.Operations)+1)+mostEscaped*v.texts < MaxCanonicalBytes {
		return
	}
	if n := len(p.Canonical()); n > MaxCanonicalBytes {
		kib := math.Ceil(float64(n) / 1024)
		v.list.Add(
			v.root,
			"the plan is %.0f KiB long in canonical form, more than %d KiB: split it into several plans",
			kib,
			MaxCanonicalBytes>>10,
		)
	}
}
