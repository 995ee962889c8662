package planner

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

const maxPreviewChanges = 100

// changeReader reads the engine's change lines as they are written: it keeps
// the first and counts them all.
type changeReader struct {
	first []pricing.Change
	count int64
	err   error

	line []byte // the beginning of a line that is not whole yet
}

func (c *changeReader) Write(data []byte) (int, error) {
	written := len(data)
	for {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		c.line = append(c.line, line...)
		if !whole {
			return written, nil
		}
		if c.err = c.read(c.line); c.err != nil {
			return 0, c.err
		}
		c.line, data = c.line[:0], rest
	}
}

func (c *changeReader) read(line []byte) error {
	var change pricing.Change
	if err := json.Unmarshal(line, &change); err != nil {
		return err
	}
	c.count++
	if len(c.first) < maxPreviewChanges {
		c.first = append(c.first, change)
	}
	return nil
}

// againstAction warns of operations that move prices against what they are to
// do, by rounding, ending, floor or cap.
func againstAction(operations []pricing.OperationCount, p *plan.Plan) []plan.Warning {
	var warnings []plan.Warning
	for i, operation := range operations {
		if operation.RowsAgainst == 0 {
			continue
		}
		word := "an increase lowers"
		if price, err := p.Operations[i].Action.Price(); err == nil && price.Direction() < 0 {
			word = "a decrease raises"
		}
		warnings = append(warnings, plan.Warning{Code: warnAgainstAction, OperationIDs: []string{operation.OperationID},
			Message: fmt.Sprintf("In %d rows %s the price, by rounding, ending, floor or cap (%s).", operation.RowsAgainst, word, operation.OperationID)})
	}
	return warnings
}
