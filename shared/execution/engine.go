package execution

import (
	"context"
	"io"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// Pricing is the engine of package pricing.
type Pricing struct{}

// Build names the engine's behaviour.
func (Pricing) Build() string { return pricing.Build }

// Run applies the plan to the table.
func (Pricing) Run(ctx context.Context, task Task, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error) {
	engine, err := compiled(task)
	if err != nil {
		return pricing.Summary{}, err
	}
	return engine.Run(ctx, in, out, changes...)
}

// NewTask is a plan over a table, with the changes of the execution that it
// undoes, which is nil where it undoes none. It is to be closed.
func NewTask(ctx context.Context, p *plan.Plan, source ledger.Source, undone *ledger.Execution, audit bucket.Bucket) (Task, error) {
	task := Task{Plan: p, Settings: source.Settings}
	if undone == nil {
		return task, nil
	}
	object, err := audit.Stat(ctx, undone.Seal.Changes.Object)
	if err != nil {
		return task, errs.Wrap(errs.Unavailable, err, "The changes of execution %s cannot be found: put %s back.", undone.ExecutionID, undone.Seal.Changes.Object)
	}
	if task.Undone, _, err = audit.Open(ctx, object.Name, object.Generation); err != nil {
		return task, errs.Wrap(errs.Unavailable, err, "The changes of execution %s cannot be read.", undone.ExecutionID)
	}
	return task, nil
}

// Close closes the changes that are undone.
func (t Task) Close() {
	if t.Undone != nil {
		t.Undone.Close()
	}
}

func compiled(task Task) (*pricing.Engine, error) {
	if task.Undone != nil {
		return pricing.CompileUndo(task.Plan, task.Settings, task.Undone)
	}
	return pricing.Compile(task.Plan, task.Settings)
}
