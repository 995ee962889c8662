// Package ledger keeps what must not be forgotten: plans, executions, and the
// audit trail of what was done under them.
//
// Store is the port; firestore/ and sqlite/ implement it and ledgertest/ is
// the suite that both pass. The port only reads, creates and compares: every
// change of an execution record is one compare-and-set on its revision. What
// may follow what (who may claim, seal, complete, fail) is decided here, once,
// by Acquire and the methods of Lease, as functions of the record and the
// time; the order of the steps is the business of package execution.
//
// What is stored, by key:
//
//	plans/{execution_id}                       plans.Record, never changed
//	versions/{name}_v                          the greatest version of a name
//	versions/{name}_v.{request}                the plan that was stored last for a request
//	executions/{execution_id}                  Execution
//	executions/{execution_id}/audit/{upload}   AuditDocument, create-only
//	executions/{execution_id}/changes/{chunk}  changelog.Document
//	postings/{execution_id}                    postings.Posting
//	shops/{SHA-256 of its URL}                 postings.ShopLease
//	imports/{execution_id}                     Import, create-only
//	layouts/{SHA-256 of a header}              Layout
package ledger

import (
	"context"
	"iter"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// Store is the port. Every error carries a kind of package errs; a method
// without a word on a kind returns only Unavailable, Deadline, Exhausted,
// Denied or Internal; an id that CheckID refuses is Invalid everywhere. Values
// returned share no memory with the store. Times come back Rounded.
type Store interface {
	plans.Store

	// CreateExecution stores the first record of an execution and returns it
	// with its revision. Conflict: there is one already.
	CreateExecution(ctx context.Context, first Execution) (Execution, error)
	// Execution reads a record with its revision. NotFound: there is none.
	Execution(ctx context.Context, executionID string) (Execution, error)
	// Snapshot reads, in one round trip and as of one moment, the record and the
	// outcome of one upload; either is nil where there is none.
	Snapshot(ctx context.Context, executionID, uploadID string) (Snapshot, error)
	// UpdateExecution replaces the record whose revision is next.Revision and,
	// in the same commit, writes what belongs to it; it returns the record
	// with its new revision. Stale: the record, or the other one, is not at
	// that revision (or is gone). Conflict: the upload has an outcome already,
	// or the id a plan or a posting. Nothing is written in either case. A record equal to
	// the one that is there may keep its revision.
	UpdateExecution(ctx context.Context, next Execution, with Settlement) (Execution, error)
	// CreateOutcome stores the outcome of an upload that changes no record (a
	// skipped one). Conflict: the upload has an outcome already.
	CreateOutcome(ctx context.Context, outcome AuditDocument) error
	// PutChanges stores change documents in the order given, and returns nil
	// once all of them are stored. It is repeatable: a document under the same
	// number is replaced. A sequence's error ends it and is returned as it is;
	// documents before it may be stored or not. Memory is bounded whatever the
	// number. A store that keeps no change documents takes none of them.
	PutChanges(ctx context.Context, executionID string, documents iter.Seq2[changelog.Document, error]) error

	// NoteImport stores who imported a result, and returns it. The first note of an
	// execution stands: where there is one, it is returned and nothing is stored.
	NoteImport(ctx context.Context, note Import) (Import, error)
	// Imports reads, in one round trip, the notes of some executions, at most
	// paging.MaxSize. Those without one are left out.
	Imports(ctx context.Context, executionIDs ...string) (map[string]Import, error)
	// PutLayout stores the settings of a header in place of those that there were.
	PutLayout(ctx context.Context, layout Layout) error
	// Layout reads those of a header. NotFound: there are none.
	Layout(ctx context.Context, header string) (Layout, error)

	// Due lists the records whose due_at is not after a time, the one that has
	// been due longest first.
	Due(ctx context.Context, at time.Time, page paging.Page) (paging.List[Execution], error)
	// PostsDue lists the records whose post_at is not after a time, the one that has
	// been due longest first.
	PostsDue(ctx context.Context, at time.Time, page paging.Page) (paging.List[Execution], error)
	// Executions lists records of a status, "" for all, the newest by
	// created_at first. Invalid: a record cannot have that status.
	Executions(ctx context.Context, status Status, page paging.Page) (paging.List[Execution], error)
	// ExecutionsOn returns records that are sealed with an input of that CRC32C and size,
	// whatever it was called, in no order: at most paging.MaxSize.
	ExecutionsOn(ctx context.Context, input File) ([]Execution, error)
	// Audit returns the newest documents of an execution, newest first by
	// executed_at; a limit of 0 means all of them.
	Audit(ctx context.Context, executionID string, limit int) ([]AuditDocument, error)
	// Changes lists what an execution changed, in row order. An execution
	// that does not exist or has not completed has none.
	Changes(ctx context.Context, executionID string, page paging.Page) (paging.List[pricing.Change], error)
	// SKUChanges lists what completed executions did to a SKU, newest first
	// by executed_at, the rows of one execution in their order.
	SKUChanges(ctx context.Context, sku string, page paging.Page) (paging.List[changelog.SKUChange], error)

	postings.Store
}

// Snapshot is a record and an outcome as of one moment.
type Snapshot struct {
	Execution *Execution
	Outcome   *AuditDocument
}

// Settlement is what one commit writes beside the record it updates.
type Settlement struct {
	Outcome *AuditDocument
	// Changes are change documents small enough to ride along: at most one.
	Changes []changelog.Document
	// Plan is stored for ever, as by CreatePlan.
	Plan *plans.Record
	// Posting is created: what the execution is to write to a shop.
	Posting *postings.Posting
	// Also replaces another record: that of an execution that is undone.
	Also *Execution
}

// CheckID refuses, as Invalid, what is neither an execution id nor an upload
// id. Every store calls it before an id becomes part of a name.
func CheckID(id string) error {
	if plan.ValidExecutionID(id) { // an upload id is of that form too
		return nil
	}
	return errs.New(errs.Invalid, "the id %.80q is not one: it must be 8 to 64 letters, digits, - or _", id)
}
