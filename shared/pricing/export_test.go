package pricing

import "github.com/planwright/planwright/shared/plan"

// WithBlocks returns an engine that reads so many bytes at a time with so many
// workers: what it writes must not depend on either.
func (e *Engine) WithBlocks(size, workers int) *Engine {
	changed := *e
	changed.blockSize, changed.workers = size, workers
	return &changed
}

// NewPrice works a price out both ways, on words where it fits and on numbers
// of any size. A price that is refused is "".
func NewPrice(op plan.Operation, old string) (onWords, exactly string) {
	f := newFormula(op.Action, op.Options)
	price, ok := parseAmount(block(old), cell{0, uint32(len(old))})
	if !ok {
		panic("no price: " + old)
	}
	text := func(price amount, fault kind) string {
		if fault != fine {
			return ""
		}
		return string(price.append(nil))
	}
	return text(f.apply(price)), text(f.applyExactly(price))
}
