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
// the first and counts rows whose price moves against the action that moved
// it, such as one that a cap lowers under an increase.
type changeReader struct {
	first   []pricing.Change
	count   int64
	against map[string]int64 // by operation id
	err     error

	order     []string       // operation ids, as in the plan
	direction map[string]int // +1, -1; 0 for operations without one
	line      []byte         // the beginning of a line that is not whole yet
}

func newChangeReader(p *plan.Plan) *changeReader {
	c := &changeReader{against: map[string]int64{}, direction: map[string]int{}}
	for _, operation := range p.Operations {
		c.order = append(c.order, operation.OperationID)
		switch operation.Action.Type {
		case plan.PercentIncrease, plan.FixedIncrease:
			c.direction[operation.OperationID] = 1
		case plan.PercentDecrease, plan.FixedDecrease:
			c.direction[operation.OperationID] = -1
		}
	}
	return c
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
	return c.compare(change)
}

// compare looks at rows that one operation changed: where several did, no one
// of them can be said to have moved the price against itself.
func (c *changeReader) compare(change pricing.Change) error {
	if len(change.OperationIDs) != 1 || change.Before.Price == change.After.Price {
		return nil
	}
	before, err := plan.ParseDecimal(change.Before.Price)
	if err != nil {
		return err
	}
	after, err := plan.ParseDecimal(change.After.Price)
	if err != nil {
		return err
	}
	id := change.OperationIDs[0]
	if after.Cmp(before)*c.direction[id] < 0 {
		c.against[id]++
	}
	return nil
}

// warnings tells of the rows that move against their action.
func (c *changeReader) warnings() []plan.Warning {
	var warnings []plan.Warning
	for _, id := range c.order {
		if n := c.against[id]; n > 0 {
			word := map[int]string{1: "an increase lowers", -1: "a decrease raises"}[c.direction[id]]
			warnings = append(warnings, plan.Warning{Code: warnAgainstAction, OperationIDs: []string{id},
				Message: fmt.Sprintf("In %d rows %s the price, by rounding, ending, floor or cap (%s).", n, word, id)})
		}
	}
	return warnings
}
