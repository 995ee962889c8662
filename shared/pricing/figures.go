package pricing

import (
	"slices"

	"github.com/planwright/planwright/shared/table"
)

// Figures are what is to be known of a run beside its warnings: rows that were left alone,
// rows of which something stays as no operation says it, and what of the plan matched nothing.
type Figures struct {
	LeftAlone []Figure  `json:"left_alone,omitempty"` // where no warning tells of them
	Noted     []Figure  `json:"noted,omitempty"`
	Unmatched Unmatched `json:"unmatched,omitzero"`
}

// Figure counts rows.
type Figure struct {
	Code         string   `json:"code"`
	OperationIDs []string `json:"operation_ids,omitempty"`
	Rows         int64    `json:"rows"`
	FirstRows    []int64  `json:"first_rows"` // the first 20 of them
}

// Unmatched is what of a plan matched no row.
type Unmatched struct {
	Operations []string            `json:"operations,omitempty"` // by their ids
	Exceptions []table.UnknownName `json:"exceptions,omitempty"` // names that take no row out
	Names      []table.UnknownName `json:"names,omitempty"`      // that no row has, and the settings let go
}

// The codes of figures: their sentences say what each means. The last three are those of
// what is unmatched.
const (
	LeftOutsideLimits  = "outside_limits"
	LeftUnknownProduct = "unknown_product"
	LeftBlankCategory  = "blank_category"
	// of an undo; their numbers are those in the table of the execution that is undone
	LeftStale       = "stale_rows"
	NotedBelowNone  = "quantity_below_zero"
	NotedFractions  = "price_gets_fraction"
	NotedBackorder  = "still_sold"
	NotedOtherStock = "quantity_stays"

	UnmatchedOperation = "matched_no_row"
	UnmatchedException = "exception_without_rows"
	UnmatchedName      = table.CodeUnknownNames
)

// All are the figures one by one, in the form of warnings.
func (f *Figures) All() (all []Warning) {
	for _, figure := range slices.Concat(f.LeftAlone, f.Noted) {
		all = append(all, Warning{
			Code:         figure.Code,
			OperationIDs: figure.OperationIDs,
			Rows:         figure.Rows,
			FirstRows:    figure.FirstRows,
		})
	}
	for i, name := range f.Unmatched.Exceptions {
		all = append(all, Warning{
			Code:         UnmatchedException,
			OperationIDs: name.OperationIDs,
			UnknownName:  &f.Unmatched.Exceptions[i],
		})
	}
	for i, name := range f.Unmatched.Names {
		all = append(all, Warning{
			Code:         UnmatchedName,
			OperationIDs: name.OperationIDs,
			UnknownName:  &f.Unmatched.Names[i],
		})
	}
	for _, id := range f.Unmatched.Operations {
		all = append(all, Warning{Code: UnmatchedOperation, OperationIDs: []string{id}})
	}
	return all
}

// AllWarnings are the warnings of a run, and its figures in their form, with their sentences.
func (s *Summary) AllWarnings() []Warning {
	told := slices.Concat(s.Warnings, s.Figures.All())
	for i := range told {
		told[i].Message, _ = told[i].Sentence()
	}
	return told
}
