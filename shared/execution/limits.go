package execution

import (
	"fmt"
	"time"

	"github.com/planwright/planwright/shared/ledger"
)

// Limits are the times and sizes of the protocol.
type Limits struct {
	// Lease is how long a claim stands without a sign of life.
	Lease time.Duration
	// Margin is how long before a delivery's deadline an attempt stops, so
	// that it can still say how far it came.
	Margin time.Duration
	// PlanWait is how long after its upload a table waits for its plan.
	PlanWait time.Duration
	// UnknownFor is the age of an upload at which an unexpected error
	// is taken to be permanent.
	UnknownFor time.Duration
	// Timeouts is how many attempts on one upload may run out of time.
	Timeouts int
	// TableBytes is the size of the largest table that is begun; 0 is any.
	TableBytes int64
}

// InputsKept is how long inputs are kept at least: an old version in the inbox, and on one
// machine the input of a completed execution that a command line brought.
const InputsKept = 7 * 24 * time.Hour

// DefaultLimits are those of the deployed function. Its subscription gives an
// event up after 100 deliveries, 10 s to 10 min apart: some 16 hours. The
// outcome must stand before. How large a table may be is configured.
var DefaultLimits = Limits{
	Lease:      2 * time.Minute,
	Margin:     30 * time.Second,
	PlanWait:   15 * time.Minute,
	UnknownFor: 12 * time.Hour,
	Timeouts:   3,
}

// smallerAdvice says what to do with a table that is too large everywhere but on
// a machine of one's own.
const smallerAdvice = "Split the table into smaller files and make a plan for each. Or apply the plan on a machine of your own, which has no such limit:\nplanwright apply --plan plan.json --csv products.csv --out updated.csv --audit audit.jsonl"

// tooLargeAdvice says what to do with a table that is too large for the cloud's function.
func tooLargeAdvice(source ledger.Source) string {
	return "Have it carried out by many machines, as the same execution:\n" + pipelineCommand(source) + "\n" +
		smallerAdvice
}

// pipelineCommand is what to type to have a table carried out by many machines.
func pipelineCommand(source ledger.Source) string {
	return fmt.Sprintf("planwright-pipeline --runner=dataflow gs://%s/%s", source.Bucket, source.Object)
}

func (l Limits) tooLarge(size int64) bool { return l.TableBytes != 0 && size > l.TableBytes }

func gibibytes(n int64) string { return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30)) }
