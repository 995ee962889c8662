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
	engine, err := task.Compile(ctx)
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

// Compile prepares an engine for the task. It reads the changes that are undone.
func (t Task) Compile(ctx context.Context) (*pricing.Engine, error) {
	if t.Undone == nil {
		return pricing.Compile(t.Plan, t.Settings)
	}
	engine, err := pricing.CompileUndo(t.Plan, t.Settings, t.Undone)
	if err != nil {
		return nil, err
	}
	return t.undo.findRows(ctx, engine)
}
