package plan

import (
	"crypto/sha256"
	"fmt"

	"github.com/planwright/planwright/shared/strictjson"
)

// Canonical returns the one byte sequence that stands for a valid plan: JSON
// without spaces, keys in the order and strings in the form of RFC 8785,
// numbers as plain decimals without trailing zeros, omitted fields left out.
// Decode reads it back as the same plan.
func (p *Plan) Canonical() []byte {
	type fields Plan // without MarshalJSON, which calls this
	written := struct {
		fields
		Operations []operationFields `json:"operations,omitzero"`
	}{fields: fields(*p)}
	if p.Undo == nil {
		written.Operations = make([]operationFields, len(p.Operations))
	}
	for i := range written.Operations {
		written.Operations[i] = p.Operations[i].fields()
	}
	return strictjson.Canonical(written)
}

// SHA256 returns the plan's hash: SHA-256 over Canonical, in lower-case hex.
func (p *Plan) SHA256() string {
	return fmt.Sprintf("%x", sha256.Sum256(p.Canonical()))
}

// RulesSHA256 returns the hash of operations alone, whatever plan they are in.
func RulesSHA256(operations []Operation) string {
	hash := sha256.New()
	for i := range operations {
		hash.Write(append(operations[i].Canonical(), '\n'))
	}
	return fmt.Sprintf("%x", hash.Sum(nil))
}

// MarshalJSON returns the canonical form, so that a plan inside another
// document has the field names of the schema.
func (p Plan) MarshalJSON() ([]byte, error) { return p.Canonical(), nil }

// Canonical returns the bytes that stand for an operation in its plan's.
func (op *Operation) Canonical() []byte { return strictjson.Canonical(op.fields()) }

// MarshalJSON returns the canonical form, as a plan's does.
func (op Operation) MarshalJSON() ([]byte, error) { return op.Canonical(), nil }

// operationFields is an operation without methods, so that the whole plan is
// written, and made canonical, once.
type operationFields struct {
	operationAlone
	Filter map[string]any `json:"filter"`
	Action map[string]any `json:"action"`
}

type operationAlone Operation

func (op *Operation) fields() operationFields {
	return operationFields{operationAlone(*op), op.Filter.fields(), op.Action.fields()}
}
