package execution

import (
	"context"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/pricing"
)

// Computer computes elsewhere what a plan makes of a table, such as on many
// machines. What it returns is the same whenever, and however often, it is asked.
type Computer interface {
	// Compute returns what was made, of which nothing is visible. After an error
	// too, the uploads that are not nil are to be abandoned. Errors are an
	// engine's: those of a table that is refused are permanent.
	Compute(ctx context.Context, job Job) (Result, error)
}

// Job is what is to be computed.
type Job struct {
	ExecutionID string
	Plan        plans.Stored
	Source      ledger.Source
	Input       bucket.Object
	// Output and Changes are the names of what is made, in outbox and audit
	// bucket, and OutputType the media type of the output.
	Output, Changes, OutputType string
	// Working is called now and then as long as work goes on, by one goroutine
	// at a time. It keeps the execution; its error is that it has gone to another.
	Working func() error
}

// Result is what was made of a table.
type Result struct {
	Output, Changes bucket.Upload
	Summary         pricing.Summary
	Input           bucket.Digest // of the bytes that were read
	BLAKE3          string        // of the same
	ChangesSHA256   string
}

func (a *attempt) job(ctx context.Context, input bucket.Object) Job {
	source := a.source
	if record := a.lease.Execution(); record.Seal != nil { // maybe of another upload
		source = record.Source
		source.Settings = record.Seal.Settings
	}
	file := fileOf(source.Object)
	return Job{
		ExecutionID: a.executionID,
		Plan:        a.plan,
		Source:      source,
		Input:       input,
		Output:      OutputName(a.executionID, file),
		Changes:     ChangesName(a.executionID),
		OutputType:  contentType(file),
		Working:     a.meter(ctx, nil).tick,
	}
}
