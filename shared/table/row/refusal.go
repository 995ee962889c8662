package row

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/setting"
)

// InputError says why a table was refused. Faults holds the first 20 of each
// kind in the order of the rows, one for a row; More counts the others.
// It is errs.Invalid, and its text is what errs.Message shows.
type InputError struct {
	Faults []faults.Fault
	More   int64
	// Table is what the table was taken for, where its header is at fault.
	Table *Recognized
	// Holding answers all that is asked, where the plan's names stand in one column each
	// of which no title says what it is: the setting columns by which it is that. The
	// zero value: they stand in several, or something else is at fault.
	Holding setting.Columns

	code string // "": CodeInvalid
}

// Codes of refusals.
const (
	CodeInvalid = "invalid" // something is wrong with the table
	// it lacks columns that a plan looks at by their titles, or has several of one
	CodeUnknownColumns = "unknown_columns"
	CodeDatedSales     = "dated_sales" // it cannot be told whether its sales are in force
)

// Code is the refusal's code for programs.
func (e *InputError) Code() string { return cmp.Or(e.code, CodeInvalid) }

// On returns an error in the terms of a surface, where it refuses a table or a
// setting.
func On(err error, s setting.Surface) error {
	var input *InputError
	var unknown *names.UnknownNamesError
	var setting *setting.Error
	switch {
	case errors.As(err, &setting):
		return errs.New(errs.Invalid, "%s", s.Write("{"+string(setting.Name)+"}: "+setting.Message))
	case errors.As(err, &input):
		return input.On(s)
	case errors.As(err, &unknown):
		return unknown.On(s)
	default:
		return err
	}
}

// DatedSales refuses a table for rows whose sale has dates, which operations look at, make
// or end.
func (t *Table) DatedSales(rows RowList, operations []string) *InputError {
	refused := &InputError{code: CodeDatedSales, More: rows.Rows - int64(len(rows.First))}
	message := fmt.Sprintf("has dates between which a sale price is in force (%s), and %s is for the row. A date that is past hides a sale, and one to come ends it: "+
		"to blank the dates, which an undo gives back, say {sale_dates=clear}; to leave them as they are and not look at them, {sale_dates=ignore}",
		strings.Join(t.saleDates(), ", "), strings.Join(operations, ", "))
	for _, row := range rows.First {
		refused.Faults = append(refused.Faults, faults.Fault{Row: row, Message: message})
	}
	return refused
}

// Error is the text for the person who made the table.
func (e *InputError) Error() string { return e.On(nil).text() }

// On returns the refusal in the terms of a surface.
func (e *InputError) On(s setting.Surface) *InputError {
	shown := *e
	shown.Faults = slices.Clone(e.Faults)
	for i := range shown.Faults {
		shown.Faults[i].Message = s.Write(shown.Faults[i].Message)
	}
	return &shown
}

// text lists the faults under what to do about them.
func (e *InputError) text() string {
	var text strings.Builder
	if len(e.Faults) == 1 && e.More == 0 {
		fmt.Fprintf(&text, "The table was refused and nothing was changed: %s: %s.",
			placeOf(e.Faults[0]), e.Faults[0].Message)
		e.writeHeader(&text)
		return text.String()
	}
	fmt.Fprintf(&text, "The table was refused and nothing was changed. It has %d faults.",
		int64(len(e.Faults))+e.More)
	seen := map[string]bool{}
	for _, first := range e.Faults {
		if seen[first.Message] {
			continue
		}
		seen[first.Message] = true
		fmt.Fprintf(&text, "\n%s:", faults.Capitalised(first.Message))
		for _, fault := range e.Faults {
			if fault.Message == first.Message {
				fmt.Fprintf(&text, "\n  %s", placeOf(fault))
			}
		}
	}
	if e.More > 0 {
		fmt.Fprintf(&text, "\nand %d more.", e.More)
	}
	e.writeHeader(&text)
	return text.String()
}

// writeHeader lists the header, one column a line, with what each was taken
// for.
func (e *InputError) writeHeader(text *strings.Builder) {
	if e.Table == nil {
		return
	}
	fmt.Fprintf(text, "\nThe header was read as profile %s (%s):", e.Table.Profile, e.Table.Dialect)
	for _, line := range e.Table.lines() {
		text.WriteString("\n  " + line)
	}
}

// maxTitles is how many columns of a header are shown.
const maxTitles = 300

// lines are the columns of the header, a line each.
func (r *Recognized) lines() []string {
	var lines []string
	for _, found := range r.Findings[:min(len(r.Findings), maxTitles)] {
		lines = append(lines, found.String())
	}
	if more := len(r.Header) - maxTitles; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}

// Unwrap makes an InputError errs.Invalid and its text errs.Message's.
func (e *InputError) Unwrap() error { return errs.New(errs.Invalid, "%s", e.Error()) }

// Details lists the faults, for an answer over HTTP.
func (e *InputError) Details() any { return e.Faults }

// placeOf says where a fault is.
func placeOf(f faults.Fault) string {
	place := fmt.Sprintf("row %d", f.Row)
	if f.Column != "" {
		place += fmt.Sprintf(", column %s", f.Column)
	}
	switch {
	case f.Value != "":
		place += fmt.Sprintf(", value %s", f.Value)
	case f.Column != "" && f.Row > 1:
		place += ", an empty cell"
	}
	return place
}
