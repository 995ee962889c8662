package pricing

import (
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
)

// Engine is a plan compiled for tables read with certain settings. It does not
// change once made: one Engine serves any number of runs at a time.
type Engine struct {
	settings   table.Settings
	needs      table.Needs
	money      bool // an operation names an amount of money
	operations []operation
	priceless  opSet     // the operations that neither look at a price nor change one
	lookups    []*lookup // as plan.NameColumns are
	undo       *undo     // nil where the plan has operations
	blockSize  int       // bytes read at a time
	pieceSize  int       // bytes written at a time
	workers    int
}

// operation is what is left of a plan's operation once the lookups have said
// that it lets a row's category and SKU pass.
type operation struct {
	id       string // as in the plan
	quotedID []byte // as in a change line
	inStock  *bool
	gte, lte *bound
	setStock bool // otherwise the formula makes the price
	stock    bool
	formula  formula
}

// Compile prepares a valid plan with operations for Run; CompileUndo does one
// with an undo. Its errors are errs.Invalid.
func Compile(p *plan.Plan, s table.Settings) (*Engine, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if p.Undo != nil {
		return nil, errs.New(errs.Invalid, "The plan undoes execution %s. An undo cannot be previewed, for that takes the changes that were made: ask for an approval and drop the table, and what it would do is proposed.", p.Undo.ExecutionID)
	}
	if len(p.Operations) == 0 || len(p.Operations) > plan.MaxOperations {
		return nil, errs.New(errs.Invalid, "operations: a plan has 1 to %d, this one has %d", plan.MaxOperations, len(p.Operations))
	}
	e := newEngine(s)
	for _, op := range p.Operations {
		compiled, err := compileOperation(op)
		if err != nil {
			return nil, err
		}
		if compiled.setStock && compiled.gte == nil && compiled.lte == nil {
			e.priceless = e.priceless.with(len(e.operations))
		}
		e.operations = append(e.operations, compiled)
		e.look(&compiled)
	}
	for _, column := range plan.NameColumns() {
		e.lookFor(column, p.Operations)
	}
	return e, nil
}

func newEngine(s table.Settings) *Engine {
	return &Engine{settings: s, blockSize: defaultBlockSize, pieceSize: defaultPieceSize, workers: defaultWorkers()}
}

// lookFor prepares the search for the names that the operations name of a column.
func (e *Engine) lookFor(column plan.Column, operations []plan.Operation) {
	only, except := make([][]string, len(operations)), make([][]string, len(operations))
	named := false
	for i := range operations {
		only[i], except[i] = operations[i].Filter.Names(column)
		named = named || only[i] != nil || len(except[i]) > 0
	}
	if named {
		e.needs.Names = append(e.needs.Names, table.Role(column))
	}
	l := newLookup(only, except)
	if e.settings.NearNames != table.NearNamesExact {
		l.fold()
	}
	e.lookups = append(e.lookups, l)
}

// look notes what an operation looks at and changes, besides names.
func (e *Engine) look(op *operation) {
	bounded := op.gte != nil || op.lte != nil
	e.needs.Price = e.needs.Price || bounded || !op.setStock
	e.needs.Stock = e.needs.Stock || op.inStock != nil || op.setStock
	e.needs.SetsStock = e.needs.SetsStock || op.setStock
	e.money = e.money || bounded || !op.setStock && op.formula.namesMoney()
}

func compileOperation(op plan.Operation) (operation, error) {
	writes, err := op.Action.Type.Writes()
	if err != nil {
		return operation{}, errs.New(errs.Invalid, "%s: %s", op.OperationID, errs.Message(err))
	}
	compiled := operation{
		id:       op.OperationID,
		quotedID: []byte(`"` + op.OperationID + `"`), // of characters that need no escape
		inStock:  op.Filter.InStock,
		setStock: writes == plan.ColumnInStock,
		stock:    op.Action.Stock,
	}
	if op.Filter.PriceGTE != nil {
		compiled.gte = newBound(*op.Filter.PriceGTE, true)
	}
	if op.Filter.PriceLTE != nil {
		compiled.lte = newBound(*op.Filter.PriceLTE, false)
	}
	if !compiled.setStock {
		compiled.formula, err = newFormula(op.Action, op.Options)
	}
	return compiled, err
}

// matches reports whether the operation's filter lets a row pass whose
// category and SKU pass.
func (op *operation) matches(price amount.Amount, inStock bool) bool {
	switch {
	case op.inStock != nil && *op.inStock != inStock:
		return false
	case op.gte != nil && op.gte.below(price):
		return false
	case op.lte != nil && op.lte.above(price):
		return false
	default:
		return true
	}
}
