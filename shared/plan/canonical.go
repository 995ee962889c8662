package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/planwright/planwright/shared/strictjson"
)

// Canonical returns the one byte sequence that stands for a valid plan: JSON
// without spaces, keys in the order and strings in the form of RFC 8785,
// numbers as plain decimals without trailing zeros, omitted fields left out.
// Decode reads it back as the same plan.
func (p *Plan) Canonical() []byte {
	w := &writer{out: make([]byte, 0, len(p.SourceInstruction)+len(p.SummaryPrompt)+len(p.Operations)*usualOperation+usualOperation)}
	w.open('{')
	w.optionalText("apply_at", p.ApplyAt)
	w.optionalText("approval", string(p.Approval))
	w.text("created_at", p.CreatedAt)
	w.text("execution_id", p.ExecutionID)
	if p.Undo == nil {
		w.operations(p.Operations)
	}
	w.optionalText("revert_at", p.RevertAt)
	w.text("source_instruction", p.SourceInstruction)
	w.optionalText("summary_prompt", p.SummaryPrompt)
	if p.Undo != nil {
		w.undo(p.Undo)
	}
	w.close('}')
	return w.out
}

// usualOperation is the bytes that one takes, unless it lists many names.
const usualOperation = 256

// SHA256 returns the plan's hash: SHA-256 over Canonical, in lower-case hex.
func (p *Plan) SHA256() string {
	sum := sha256.Sum256(p.Canonical())
	return hex.EncodeToString(sum[:])
}

// MarshalJSON returns the canonical form, so that a plan inside another
// document has the field names of the schema.
func (p Plan) MarshalJSON() ([]byte, error) { return p.Canonical(), nil }

// Canonical returns the bytes that stand for an operation in its plan's.
func (op *Operation) Canonical() []byte {
	w := &writer{out: make([]byte, 0, usualOperation)}
	w.operation(op)
	return w.out
}

// MarshalJSON returns the canonical form, as a plan's does.
func (op Operation) MarshalJSON() ([]byte, error) { return op.Canonical(), nil }

// writer writes canonical JSON. Callers write the keys of an object in order.
type writer struct {
	out []byte
}

func (w *writer) open(bracket byte)  { w.out = append(w.out, bracket) }
func (w *writer) close(bracket byte) { w.out = append(w.out, bracket) }

// comma separates a value from the one before it, if there is one.
func (w *writer) comma() {
	if last := w.out[len(w.out)-1]; last != '{' && last != '[' {
		w.out = append(w.out, ',')
	}
}

func (w *writer) key(name string) {
	w.comma()
	w.out = append(strictjson.AppendString(w.out, name), ':')
}

func (w *writer) text(name, value string) {
	w.key(name)
	w.out = strictjson.AppendString(w.out, value)
}

func (w *writer) optionalText(name, value string) {
	if value != "" {
		w.text(name, value)
	}
}

func (w *writer) texts(name string, values []string) {
	if values == nil {
		return
	}
	w.key(name)
	w.open('[')
	for i, value := range values {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = strictjson.AppendString(w.out, value)
	}
	w.close(']')
}

func (w *writer) decimal(name string, d *Decimal) {
	if d != nil {
		w.key(name)
		w.out = append(w.out, d.String()...)
	}
}

func (w *writer) boolean(name string, b *bool) {
	if b != nil {
		w.key(name)
		w.out = strconv.AppendBool(w.out, *b)
	}
}

func (w *writer) operations(operations []Operation) {
	w.key("operations")
	w.open('[')
	for i := range operations {
		w.comma()
		w.operation(&operations[i])
	}
	w.close(']')
}

func (w *writer) operation(op *Operation) {
	w.open('{')
	w.action(&op.Action)
	w.optionalText("description", op.Description)
	w.filter(&op.Filter)
	w.text("operation_id", op.OperationID)
	w.options(&op.Options)
	w.close('}')
}

func (w *writer) options(o *Options) {
	if *o == (Options{}) {
		return
	}
	w.key("options")
	w.open('{')
	w.decimal("max_price", o.MaxPrice)
	w.decimal("min_price", o.MinPrice)
	w.decimal("price_ending", o.PriceEnding)
	if o.RoundTo != nil {
		w.key("round_to")
		w.out = strconv.AppendInt(w.out, int64(*o.RoundTo), 10)
	}
	w.close('}')
}
