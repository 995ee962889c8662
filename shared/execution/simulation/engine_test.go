package simulation

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/faults"
)

// engine is a small pure function in the place of the real one: what it writes
// depends on the plan, the settings, the input and the build, and on nothing
// else. An input that begins with "bad" is refused; "good N" changes N rows.
type engine struct{ build string }

func (e engine) Build() string { return e.build }

func (e engine) Run(_ context.Context, task execution.Task, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error) {
	p, s := task.Plan, task.Settings
	if p.Undo != nil {
		return e.undo(task, in, out, changes...)
	}
	var data bytes.Buffer
	var piece [64]byte
	for {
		n, err := in.Read(piece[:])
		data.Write(piece[:n])
		if err == io.EOF {
			break
		}
		if err != nil {
			return pricing.Summary{}, err
		}
		if _, err := out.Write(piece[:n]); err != nil { // shows early, as a stream does
			return pricing.Summary{}, err
		}
	}
	var rows int64
	if _, err := fmt.Sscanf(data.String(), "good %d", &rows); err != nil {
		return pricing.Summary{}, &table.InputError{Faults: []faults.Fault{{Row: 2, Column: "price", Message: "is bad"}}}
	}
	if _, err := fmt.Fprintf(out, "\nbuild %s, plan %s, settings %+v\n", e.build, p.SHA256(), s); err != nil {
		return pricing.Summary{}, err
	}
	noted := io.MultiWriter(changes...)
	for row := range rows {
		if _, err := noted.Write(line(e.build, row)); err != nil {
			return pricing.Summary{}, err
		}
	}
	return pricing.Summary{RowsTotal: rows + 1, RowsChanged: rows, Operations: []pricing.OperationCount{
		{OperationID: "op_01", RowsMatched: rows, RowsChanged: rows},
	}}, nil
}

// undo takes away what Run added, with the changes turned round. Of a table
// that was dropped for it, or that another undo wrote, it changes nothing but
// says so.
func (e engine) undo(task execution.Task, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return pricing.Summary{}, err
	}
	undone, err := io.ReadAll(task.Undone)
	if err != nil {
		return pricing.Summary{}, err
	}
	before, _, isOutput := bytes.Cut(data, []byte("\nbuild "))
	if !isOutput {
		_, err = fmt.Fprintf(out, "%s\nnothing of %d bytes to undo, build %s\n", data, len(undone), e.build)
		return pricing.Summary{RowsTotal: 1}, err
	}
	if _, err := out.Write(before); err != nil {
		return pricing.Summary{}, err
	}
	rows := int64(bytes.Count(undone, []byte("\n")))
	for change, err := range changelog.Read(bytes.NewReader(undone)) {
		if err != nil {
			return pricing.Summary{}, err
		}
		change.Before, change.After = change.After, change.Before
		text, err := json.Marshal(change)
		if err != nil {
			return pricing.Summary{}, err
		}
		if _, err := io.MultiWriter(changes...).Write(append(text, '\n')); err != nil {
			return pricing.Summary{}, err
		}
	}
	return pricing.Summary{RowsTotal: rows + 1, RowsChanged: rows, Operations: []pricing.OperationCount{
		{OperationID: "undo", RowsMatched: rows, RowsChanged: rows},
	}}, nil
}

// lines are those written before: millions of schedules write the same few.
var lines sync.Map // of a place to its line

type place struct {
	build string
	row   int64
}

// line is the line that a build writes to the changes file for a row.
func line(build string, row int64) []byte {
	at := place{build, row}
	if known, ok := lines.Load(at); ok {
		return known.([]byte)
	}
	sku := fmt.Sprintf("SKU-%d", row)
	if row >= 500 { // few rows make a long file
		sku = fmt.Sprintf("SKU-%0700d", row)
	}
	text, err := json.Marshal(pricing.Change{
		Row: row + 2, SKU: sku, OperationIDs: []string{"op_01"},
		Before: pricing.State{Price: new("1.00"), InStock: new(false)}, After: pricing.State{Price: new("2.0" + build), InStock: new(false)},
	})
	if err != nil {
		panic(err)
	}
	text = append(text, '\n')
	lines.Store(at, text)
	return text
}

// pure is what the engine writes for an input, as the invariants expect it.
func pure(build string, p *plan.Plan, s table.Settings, input, undone []byte) (output, changes []byte, err error) {
	var out, lines bytes.Buffer
	if p.Undo != nil && build == pricing.Build {
		// What a table was before is known to an executor alone; the rows of these have each a SKU.
		undoing, err := pricing.CompileUndo(p, s, bytes.NewReader(undone))
		if err != nil {
			return nil, nil, err
		}
		_, err = undoing.Run(context.Background(), bytes.NewReader(input), &out, &lines)
		return out.Bytes(), lines.Bytes(), err
	}
	task := execution.Task{Plan: p, Settings: s}
	if p.Undo != nil {
		task.Undone = io.NopCloser(bytes.NewReader(undone))
	}
	_, err = engineOf(build).Run(context.Background(), task, bytes.NewReader(input), &out, &lines)
	return out.Bytes(), lines.Bytes(), err
}
