package simulation

import (
	"context"
	"slices"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
)

// checkInForce: what people are told of an execution that was undone is what its undos came
// to, whatever became of those; and who works on its table is warned of what is in force.
func (w *world) checkInForce(id string, record ledger.Execution) {
	if record.UndoneBy == "" {
		return
	}
	force := w.force(id)
	if force == "" {
		return
	}
	tables := lineage.Tables(w.store)
	if w.mutant.tables != nil {
		tables = w.mutant.tables(w)
	}
	undos, err := lineage.Follow(context.Background(), tables, record)
	if err != nil || undos.Force != force {
		w.fail("%s of what %s changed is in force, and people are told %q, %v", force, id, undos, err)
	}
	if record.Status != ledger.Completed || record.Source.OutputOf != "" {
		return
	}
	warned := false
	for _, warning := range lineage.SameTable(context.Background(), tables, record.Seal.Input, "plan_another_v1") {
		warned = warned || slices.Contains(warning.Arguments, id)
	}
	if changed := record.Seal.Summary.RowsChanged > 0; warned != (changed && force != lineage.None) {
		w.fail("%s of what %s changed is in force, and who works on its table is warned of it: %t", force, id, warned)
	}
}

// force is how much of what an execution changed is in force, by the plans and seals of
// those that undo it: "" where that takes looking at rows, for an undo left some or
// several undid it.
func (w *world) force(id string) lineage.Force {
	var undos []string
	for other, record := range w.store.records {
		if p := w.past.plans[other]; record.Seal != nil && p.Undo != nil && p.Undo.ExecutionID == id {
			if record.Seal.Summary.RowsChanged != w.store.records[id].Seal.Summary.RowsChanged {
				return ""
			}
			undos = append(undos, other)
		}
	}
	switch len(undos) {
	case 0:
		return lineage.All
	case 1:
		return map[lineage.Force]lineage.Force{lineage.All: lineage.None, lineage.None: lineage.All}[w.force(undos[0])]
	}
	return ""
}
