package pricing

import (
	"fmt"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
)

// Engine is a plan compiled for tables read with certain settings. It does not
// change once made: one Engine serves any number of runs at a time.
type Engine struct {
	settings   table.Settings
	rules      []plan.Operation // as in the plan
	query      *table.Query
	operations []operation
	priceless  table.Set // the operations that neither look at a price nor change one
	costed     table.Set // those that look at the cost
	stocked    table.Set // those that look at what is in stock or change it
	counted    table.Set // those that look at quantities or change them
	asSale     table.Set // those that put rows on sale
	undo       *undo     // nil where the plan has operations
	load       table.Workload
	skip       func(*Seen) bool // nil: every change is read for who looks at changes
}

// Skipping returns the engine for one who looks at changes and need not read some of them.
// Skip is asked of each, of which only the row and how far it moves is known.
func (e *Engine) Skipping(skip func(*Seen) bool) *Engine {
	other := *e
	other.skip = skip
	return &other
}

// operation is what is left of a plan's operation once the table has said that
// it lets a row's names pass.
type operation struct {
	matcher
	id       string // as in the plan
	quotedID []byte // as in a change line
	// What it sets; where it is none of these, the formula makes the price.
	setStock, setQuantity bool
	sells                 bool // what is on sale
	stock                 bool
	formula               formula
	finer                 []formula // by the decimals beyond the formula's; nil: they are given

	asSale, endsSale bool
	// comparesAt: it sets the price from before a sale, to the row's price where asIs.
	comparesAt, asIs bool
	fromPrice        bool // it is made of that, rounded
	// direction in which it is to move what customers pay: 1 up, -1 down, 0 neither; and
	// whether it leaves rows alone that would move the other way.
	direction     int
	keepDirection bool
	quantity      counting
}

// Each operation is a condition of the query: this does not compile if there may be too many.
const _ = uint(table.MaxConditions - plan.MaxOperations)

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
		return nil, errs.New(errs.Invalid, "operations: a plan has 1 to %d, this one has %d",
			plan.MaxOperations, len(p.Operations))
	}
	e, q, err := compileOperations(p.Operations, s)
	if err != nil {
		return nil, err
	}
	q.Idle = e.idle()
	e.query = table.NewQuery(q)
	return e, nil
}

// compileOperations returns an engine without its query, and the query.
func compileOperations(operations []plan.Operation, s table.Settings) (*Engine, table.Query, error) {
	e := newEngine(s)
	e.rules = operations
	q := table.Query{Alike: s.NearNames != table.NearNamesExact}
	for i, op := range operations {
		compiled, err := compileOperation(op)
		if err != nil {
			return nil, q, err
		}
		if !compiled.needsPrice() {
			e.priceless = e.priceless.With(len(e.operations))
		}
		if compiled.formula.needsCost {
			e.costed = e.costed.With(len(e.operations))
		}
		if compiled.inStock != nil || compiled.setStock {
			e.stocked = e.stocked.With(len(e.operations))
		}
		if compiled.quantity.needed() {
			e.counted = e.counted.With(len(e.operations))
			if q.QuantityPath == "" {
				q.QuantityPath = fmt.Sprintf("operations[%d]%s", i, compiled.quantity.path)
			}
		}
		if compiled.asSale {
			e.asSale = e.asSale.With(len(e.operations))
		}
		e.operations = append(e.operations, compiled)
		compiled.ask(&q)
		c := condition(op.Filter)
		addWheres(c, &q, fmt.Sprintf("operations[%d].filter.where", i), op.Filter.Where)
		q.Conditions, q.Pieces = append(q.Conditions, c), append(q.Pieces, compiled.quantity.within)
	}
	return e, q, nil
}

func newEngine(s table.Settings) *Engine {
	return &Engine{settings: s, load: table.UsualWorkload()}
}

// condition is what a filter says of names.
func condition(f plan.Filter) table.Condition {
	c := table.Condition{}
	for _, column := range plan.NameColumns() {
		only, except := f.Names(column)
		c[table.Role(column)] = table.Names{Only: only, Except: except}
	}
	return c
}

// addWheres adds what a filter says of columns by their titles, at a path of the plan.
func addWheres(c table.Condition, q *table.Query, path string, wheres []plan.Where) {
	for i, w := range wheres {
		asked := table.Where{
			Title: w.Column, Path: fmt.Sprintf("%s[%d].column", path, i),
			Words: w.Kind == plan.WhereContains, Beginnings: w.Kind == plan.WhereStartsWith,
		}
		role := whereRole(q, c, asked, w.Kind)
		names := c[role]
		if w.Kind == plan.WhereIsNot {
			names.Except = w.Values
		} else {
			names.Only = w.Values
		}
		c[role] = names
	}
}

// whereRole returns the role of a column that is compared so: one of an earlier condition,
// unless the filter has named it already for the same kind, for both must hold.
func whereRole(q *table.Query, c table.Condition, asked table.Where, kind plan.WhereKind) table.Role {
	for _, known := range q.Wheres {
		names := c[known.Role]
		taken := names.Only != nil
		if kind == plan.WhereIsNot {
			taken = names.Except != nil
		}
		if known.Title == asked.Title && known.Words == asked.Words && known.Beginnings == asked.Beginnings &&
			!taken {
			return known.Role
		}
	}
	asked.Role = table.WhereRole(len(q.Wheres))
	q.Wheres = append(q.Wheres, asked)
	return asked.Role
}

// ask adds what the operation looks at and changes, besides names.
func (op *operation) ask(q *table.Query) {
	bounded := op.gte != nil || op.lte != nil
	if op.needsPrice() {
		q.Reads = append(q.Reads, table.RolePrice)
	}
	if op.inStock != nil || op.setStock {
		q.Reads = append(q.Reads, table.RoleInStock)
	}
	if op.formula.needsCost {
		q.Reads = append(q.Reads, table.RoleCost)
	}
	if op.quantity.needed() {
		q.Reads = append(q.Reads, table.RoleQuantity)
	}
	q.SetsStock = q.SetsStock || op.setStock
	q.Sales = q.Sales || op.sales
	q.CompareAt = q.CompareAt || op.comparesAt
	q.OneMoney = q.OneMoney || op.sales || bounded ||
		!op.setStock && !op.endsSale && !op.setQuantity && op.formula.namesMoney()
}

// needsPrice reports whether the operation leaves a row without a price alone.
func (op *operation) needsPrice() bool {
	return !op.setStock && !op.setQuantity || op.gte != nil || op.lte != nil || op.sales
}

// idle returns the state of rows that no operation matches, or nil where there
// is none.
func (e *Engine) idle() (idle *bool) {
	for i := range e.operations {
		switch only := e.operations[i].inStock; {
		case only == nil, idle != nil && *idle == *only:
			return nil
		default:
			other := !*only
			idle = &other
		}
	}
	return idle
}

// bound is one end of a price filter; nil: there is none.
func bound(d *plan.Decimal) *amount.Amount {
	if d == nil {
		return nil
	}
	a, _ := amount.Long([]byte(d.String()), '.') // which has room for every decimal of a plan
	return &a
}

func compileOperation(op plan.Operation) (operation, error) {
	writes, err := op.Action.Type.Writes()
	if err != nil {
		return operation{}, errs.New(errs.Invalid, "%s: %s", op.OperationID, errs.Message(err))
	}
	compiled := operation{
		id:       op.OperationID,
		quotedID: []byte(`"` + op.OperationID + `"`), // of characters that need no escape
		matcher: matcher{
			inStock: op.Filter.InStock,
			gte:     bound(op.Filter.PriceGTE),
			lte:     bound(op.Filter.PriceLTE),
			onSale:  op.Filter.OnSale,
		},
		setStock: writes == plan.ColumnInStock,
		stock:    op.Action.Stock,
		endsSale: writes == plan.ColumnOnSale,

		comparesAt: writes == plan.ColumnCompareAt,
		asSale:     writes == plan.ColumnPrice && op.Options.AsSale,

		quantity:      newCounting(op),
		direction:     op.Direction(),
		keepDirection: op.Options.KeepDirection,
	}
	compiled.setQuantity = compiled.quantity.action != ""
	compiled.sells = compiled.endsSale || compiled.asSale || compiled.comparesAt
	compiled.sales = compiled.onSale != nil || compiled.sells
	compiled.hides = compiled.asSale || compiled.comparesAt
	compiled.pieces, compiled.priced = compiled.quantity.within, compiled.needsPrice()
	options := op.Options
	if compiled.comparesAt {
		options = options.Rounded()
		compiled.fromPrice = op.Action.NoValue
		compiled.asIs = compiled.fromPrice && options == (plan.Options{})
	}
	if writes == plan.ColumnPrice || compiled.comparesAt {
		if compiled.formula, err = newFormula(op.Action, options); err == nil {
			compiled.finer, err = finerFormulas(op.Action, options)
		}
	}
	return compiled, err
}
