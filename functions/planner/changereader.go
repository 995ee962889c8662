package planner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// changeReader reads the engine's change lines as they are written: it keeps a
// page of those whose SKU contains what is searched for, and counts them all.
type changeReader struct {
	search string // in lower case
	skip   int64  // found ones that earlier pages had
	size   int

	page  []pricing.Change
	found int64
	count int64
	err   error

	line []byte // the beginning of a line that is not whole yet
}

// newChangeReader returns a reader of the page that is asked for. Its token is
// how many were found before it.
func newChangeReader(asked ledger.Page, search string) (*changeReader, error) {
	c := &changeReader{search: strings.ToLower(search), size: asked.Limit()}
	if asked.Token == "" {
		return c, nil
	}
	var err error
	if c.skip, err = strconv.ParseInt(asked.Token, 10, 64); err != nil || c.skip < 0 {
		return nil, errs.New(errs.Invalid, "The page_token is not one that a preview gave.")
	}
	return c, nil
}

// next is the token of the page that follows.
func (c *changeReader) next() string {
	if end := c.skip + int64(len(c.page)); end < c.found {
		return strconv.FormatInt(end, 10)
	}
	return ""
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
	if !strings.Contains(strings.ToLower(change.SKU), c.search) {
		return nil
	}
	if c.found++; c.found > c.skip && len(c.page) < c.size {
		c.page = append(c.page, change)
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
