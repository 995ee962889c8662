package pricing

import (
	"context"
	"crypto/sha256"
	"io"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
)

// SameResult reports whether two lists of operations make the same of a table, which is
// opened for each. Where one is refused, or the table cannot be read, they are not known to.
func SameResult(
	ctx context.Context, open func() (io.ReadCloser, error), s table.Settings, a, b []plan.Operation,
) bool {
	first, done := resultOf(ctx, open, s, a)
	if !done {
		return false
	}
	second, done := resultOf(ctx, open, s, b)
	return done && first == second
}

// resultOf is the hash of what operations make of a table.
func resultOf(
	ctx context.Context, open func() (io.ReadCloser, error), s table.Settings, operations []plan.Operation,
) (sum [sha256.Size]byte, done bool) {
	engine, err := Compile(&plan.Plan{Operations: operations}, s)
	if err != nil {
		return sum, false
	}
	in, err := open()
	if err != nil {
		return sum, false
	}
	defer in.Close()
	out := sha256.New()
	if _, err := engine.Run(ctx, in, out); err != nil {
		return sum, false
	}
	return [sha256.Size]byte(out.Sum(nil)), true
}
