package execution

import (
	"context"
	"io"

	"github.com/planwright/planwright/shared/pricing"
)

// Pricing is the engine of package pricing.
type Pricing struct{}

// Build names the engine's behaviour.
func (Pricing) Build() string { return pricing.Build }

// Run applies the plan to the table.
func (Pricing) Run(ctx context.Context, task Task, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error) {
	engine, err := compiled(ctx, task)
	if err != nil {
		return pricing.Summary{}, err
	}
	return engine.Run(ctx, in, out, changes...)
}

// Close closes the changes that are undone.
func (t Task) Close() {
	if t.Undone != nil {
		t.Undone.Close()
	}
}

func compiled(ctx context.Context, task Task) (*pricing.Engine, error) {
	if task.Undone == nil {
		return pricing.Compile(task.Plan, task.Settings)
	}
	engine, err := pricing.CompileUndo(task.Plan, task.Settings, task.Undone)
	if err != nil || task.undo == nil {
		return engine, err
	}
	return task.undo.tellApart(ctx, engine)
}
