package lineage

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
)

// Codes of warnings of other executions on the same bytes, which are the arguments; none
// where they could not be looked up.
const (
	WarnSameTable  = "same_table"
	WarnOutputUsed = "output_used"
)

// Tables are what is read of a store to find executions on the same table.
type Tables interface {
	Records
	ExecutionsOn(ctx context.Context, input ledger.File) ([]ledger.Execution, error)
}

// SameTable warns of an execution on a table on which others completed of which something
// is in force, and of not knowing that: it is no reason for anything to fail.
func SameTable(ctx context.Context, store Tables, input ledger.File, executionID string) []plan.Warning {
	return carriedOutOn(ctx, store, WarnSameTable, input, executionID, time.Time{},
		"The plan %s was carried out on this very table. What comes of this plan is made of the table as it was, without what %[1]s changed: where both are meant, take the output of that one and go on with it.",
		"The plans %s were carried out on this very table. What comes of this plan is made of the table as it was, without what they changed: where several are meant, carry out each on the output of the one before.")
}

// OutputUsed warns of undoing an execution on its output, on which others completed since,
// and once that was done, of what came of it.
func OutputUsed(ctx context.Context, store Tables, record ledger.Execution) []plan.Warning {
	if record.Status != ledger.Completed || record.Seal == nil {
		return nil
	}
	sentence := "The plan %s was carried out on what this one wrote. Undone on that output, the table is as it was before both, without what %[1]s changed: undo %[1]s first, or undo this one on a table that is exported now."
	several := "The plans %s were carried out on what this one wrote. Undone on that output, the table is as it was before all of them, without what they changed: undo them first, or undo this one on a table that is exported now."
	if record.UndoneBy != "" {
		several = "The plans %s were carried out on what " + record.ExecutionID + " wrote, of which the table was made that takes it back: that is as it was before all of them, without what they changed. Where that is to stay, import it only after copies of them were carried out on it, one after the other."
		sentence = "The plan %s was carried out on what " + record.ExecutionID + " wrote, of which the table was made that takes it back: that is as it was before both, without what %[1]s changed. Where that is to stay, import it only after a copy of %[1]s was carried out on it."
	}
	return carriedOutOn(
		ctx,
		store,
		WarnOutputUsed,
		record.Seal.Output,
		record.ExecutionID,
		record.Seal.ExecutedAt,
		sentence,
		several,
	)
}

// ChangedBefore are the executions other than one that changed something on this table which
// is in force, the oldest first.
func ChangedBefore(
	ctx context.Context, store Tables, input ledger.File, executionID string,
) ([]ledger.Execution, error) {
	on, err := store.ExecutionsOn(ctx, input)
	if err != nil {
		return nil, err
	}
	var found []ledger.Execution
	for _, e := range on {
		stands, err := changedAndStands(ctx, store, e)
		if err != nil {
			return nil, err
		}
		if stands && e.ExecutionID != executionID {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b ledger.Execution) int {
		return a.Seal.ExecutedAt.Compare(b.Seal.ExecutedAt)
	})
	return found, nil
}

// changedAndStands reports whether an execution changed something of a table that somebody
// sent, and something of that is in force.
func changedAndStands(ctx context.Context, store Records, e ledger.Execution) (bool, error) {
	if e.Status != ledger.Completed || e.Source.OutputOf != "" || e.Seal.Summary.RowsChanged == 0 {
		return false, nil
	}
	undos, err := Follow(ctx, store, e)
	return undos.Force != None, err
}

// carriedOutOn says one sentence of the other execution that changed something on a table
// since then and stands, or one of several, but for undos of what wrote it.
func carriedOutOn(
	ctx context.Context,
	store Tables,
	code string,
	input ledger.File,
	executionID string,
	since time.Time,
	one, several string,
) []plan.Warning {
	warning := plan.Warning{Code: code, OperationIDs: []string{}}
	found, err := ChangedBefore(ctx, store, input, executionID)
	if err != nil {
		warning.Message = "It could not be looked up whether another plan was carried out on this very table."
		return []plan.Warning{warning}
	}
	var ids []string
	for _, other := range found {
		if !other.Seal.ExecutedAt.Before(since) {
			ids = append(ids, other.ExecutionID)
		}
	}
	slices.Sort(ids)
	warning.Arguments = ids
	switch last := len(ids) - 1; last {
	case -1:
		return nil
	case 0:
		warning.Message = fmt.Sprintf(one, ids[0])
	default:
		warning.Message = fmt.Sprintf(several, strings.Join(ids[:last], ", ")+" and "+ids[last])
	}
	return []plan.Warning{warning}
}
