package pricing

import (
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
)

// WithBlocks returns an engine that reads so many bytes at a time with so many
// workers, and writes in small pieces: what it writes must not depend on that.
func (e *Engine) WithBlocks(size, workers int) *Engine {
	changed := *e
	changed.load = table.Workload{ReadBytes: size, WriteBytes: 1 << 10, Workers: workers}
	return &changed
}

// CompileUndoWithin is CompileUndo with another limit.
var CompileUndoWithin = compileUndo

// NewPrice works a price out both ways, on words where it fits and on numbers
// of any size. A price that is refused is "".
func NewPrice(op plan.Operation, old string) (onWords, exactly string) {
	f, err := newFormula(op.Action, op.Options)
	if err != nil {
		panic(err)
	}
	block, at := cell.Block(old)
	price, ok := amount.Parse(block, at, '.')
	if !ok {
		panic("no price: " + old)
	}
	text := func(price amount.Amount, fault table.Kind) string {
		if fault != table.Fine {
			return ""
		}
		return string(price.Append(nil, '.'))
	}
	return text(f.apply(price)), text(f.applyExactly(price))
}
