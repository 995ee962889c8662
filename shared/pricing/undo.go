package pricing

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
)

// maxUndoBytes bounds what an undo keeps in memory of the changes that it takes
// back: some three million rows.
const maxUndoBytes = 256 << 20

// TooLargeError says that there are too many changes to undo. Its kind is errs.Invalid.
type TooLargeError struct {
	ExecutionID string
	Limit       int64 // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("Execution %s changed more rows than can be undone: what is to be kept of them takes more than %d MiB. Drop the table from before it instead.", e.ExecutionID, e.Limit>>20)
}

// Unwrap gives the error its kind and its message.
func (e *TooLargeError) Unwrap() error { return errs.New(errs.Invalid, "%s", e.Error()) }

// CompileUndo prepares a valid plan with an undo for Run. The changes are the
// changes file of the execution that it undoes, which is read to its end and
// kept in memory, within maxUndoBytes: past it the error is a *TooLargeError.
// Other bytes than the plan names are errs.Invalid; an error of the reader is
// returned as it is.
//
// Run then gives every row back what it had, in the very bytes, where it still
// has what the execution gave it. The other rows of the changes are stale.
//
//   - A row is the one of a change that stands where the change was made and has
//     its SKU, or what the platform has in place of a blank one. In another table than
//     the one that was written BySKU says which it is.
//   - A price and a stock are still those that were given where their cells are
//     the same, or the same price or state written in another way.
//   - Cells of other rows are not looked at, and at no fault.
func CompileUndo(p *plan.Plan, s table.Settings, changes io.Reader) (*Engine, error) {
	return compileUndo(p, s, changes, maxUndoBytes)
}

func compileUndo(p *plan.Plan, s table.Settings, changes io.Reader, limit int64) (*Engine, error) {
	if p.Undo == nil {
		return nil, errs.New(errs.Invalid, "undo: the plan has none")
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	e := newEngine(s)
	e.operations = []operation{{id: plan.UndoOperationID}}
	e.undo = &undo{Undo: *p.Undo, limit: limit}
	if err := e.undo.read(changes); err != nil {
		return nil, err
	}
	e.query = table.NewQuery(table.Query{Unchecked: true, Needs: e.undo.needs()})
	return e, nil
}

// undo has the changes that a plan takes back, in the order of their rows.
type undo struct {
	plan.Undo
	limit int64
	bySKU *skus // nil: the table is the one that was written
	// onRow, where it is set, gets every row, and nothing is undone.
	onRow  func(*table.Row)
	chunks [][]byte
	at     []chunkPlace // of each change
	size   int64
	of     uint64 // what some change is of
}

// chunkPlace is a chunk, and where in it a change begins.
type chunkPlace struct{ chunk, at uint32 }

const (
	undoChunkBytes = 1 << 20
	bytesPerChange = 8 + 16 + 1 // for a change's place, its key and whether it is done, beside its text
)

// What a change is of, and the states of a stock before and after.
const (
	ofStock uint64 = 1 << iota
	wasInStock
	isInStock
	ofCells // of the first of the cells; the others' follow
)

func ofCell(i int) uint64 { return ofCells << (2 * i) }

// enclosed: what a cell became got quotes.
func enclosed(i int) uint64 { return ofCell(i) << 1 }

// needs are the columns that some change is of.
func (u *undo) needs() table.Needs {
	needs := table.Needs{SetsStock: u.of&ofStock != 0, AsText: true}
	if needs.SetsStock {
		needs.Reads = append(needs.Reads, table.RoleInStock)
	}
	if u.of&ofCell(firstText+int(table.Quantity)) != 0 {
		needs.Reads = append(needs.Reads, table.RoleQuantity)
	}
	for _, m := range []table.Money{table.SalePrice, table.CompareAt} {
		if u.of&ofCell(int(m)) != 0 {
			needs.Reads = append(needs.Reads, m.Role())
		}
	}
	// by the price, what customers pay
	if u.of&^(ofStock|wasInStock|isInStock|ofCell(firstText+int(table.Quantity))) != 0 {
		needs.Reads = append(needs.Reads, table.RolePrice)
	}
	return needs
}

func (u *undo) read(changes io.Reader) error {
	hash := sha256.New()
	lines := json.NewDecoder(io.TeeReader(changes, hash))
	var unreadable error
	for row := int64(0); unreadable == nil; {
		var change Change
		if err := lines.Decode(&change); err == io.EOF {
			break
		} else if isSyntax(err) || err == nil && change.Row <= row {
			unreadable = errs.Wrap(errs.Invalid, err, "change %d of execution %s cannot be read",
				len(u.at)+1, u.ExecutionID)
			break
		} else if err != nil {
			return err
		}
		row = change.Row
		if err := u.keep(&change); err != nil {
			return err
		}
	}
	if _, err := io.Copy(hash, changes); err != nil {
		return err
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != u.ChangesSHA256 {
		return errs.New(errs.Invalid,
			"The changes of execution %s have the SHA-256 %s, and the plan is to undo those with %s.",
			u.ExecutionID, sum, u.ChangesSHA256)
	}
	return unreadable
}

// isSyntax tells what is wrong with a line from what is wrong with its reader.
func isSyntax(err error) bool {
	switch err.(type) {
	case *json.SyntaxError, *json.UnmarshalTypeError:
		return true
	}
	return err == io.ErrUnexpectedEOF
}

// keep keeps of a change what it takes to undo it.
func (u *undo) keep(c *Change) error {
	var flags uint64
	before, after := &c.Before, &c.After
	texts := []string{c.SKU}
	if before.InStock == nil { // the cell is a quantity of which nobody asked what is in stock
		before.Stock, after.Stock = nil, nil
	}
	for i, is := range cellStates {
		if is.text == nil {
			continue
		}
		if was, now := *is.text(before), *is.text(after); was != nil && now != nil && *was != *now {
			flags |= ofCell(i) | flag(is.quoted != nil && *is.quoted(after), enclosed(i))
			texts = append(texts, *was, *now)
		}
	}
	restocked := before.InStock != nil && after.InStock != nil && *before.InStock != *after.InStock
	if restocked && after.Quantity == nil ||
		before.Stock != nil && after.Stock != nil && *before.Stock != *after.Stock {
		if before.Stock == nil || after.Stock == nil {
			return errs.New(errs.Invalid, "Execution %s was carried out by a version that did not record what the stock cells held. It cannot be undone.", u.ExecutionID)
		}
		flags |= ofStock | flag(*before.InStock, wasInStock) | flag(*after.InStock, isInStock)
		texts = append(texts, *before.Stock, *after.Stock)
	}
	u.of |= flags
	text := binary.AppendUvarint(nil, uint64(c.Row))
	text = binary.AppendUvarint(text, flags)
	for _, cell := range texts {
		text = append(binary.AppendUvarint(text, uint64(len(cell))), cell...)
	}
	if u.size += int64(len(text)) + bytesPerChange; u.size > u.limit {
		return &TooLargeError{ExecutionID: u.ExecutionID, Limit: u.limit}
	}
	last := len(u.chunks) - 1
	if last < 0 || len(u.chunks[last])+len(text) > cap(u.chunks[last]) {
		u.chunks = append(u.chunks, make([]byte, 0, max(undoChunkBytes, len(text))))
		last++
	}
	u.at = append(u.at, chunkPlace{uint32(last), uint32(len(u.chunks[last]))})
	u.chunks[last] = append(u.chunks[last], text...)
	return nil
}

func flag(set bool, bit uint64) uint64 {
	if set {
		return bit
	}
	return 0
}

func (u *undo) row(i int) int64 {
	at := u.at[i]
	row, _ := binary.Uvarint(u.chunks[at.chunk][at.at:])
	return int64(row)
}

// change returns a change, with the states of what it changed alone.
func (u *undo) change(i int) Change {
	at := u.at[i]
	text := u.chunks[at.chunk][at.at:]
	number := func() uint64 {
		is, n := binary.Uvarint(text)
		text = text[n:]
		return is
	}
	row, flags := number(), number()
	next := func() *string {
		size := number()
		said := string(text[:size])
		text = text[size:]
		return &said
	}
	c := Change{Row: int64(row), SKU: *next()}
	for i, is := range cellStates {
		if flags&ofCell(i) != 0 {
			*is.text(&c.Before), *is.text(&c.After) = next(), next()
		}
		if flags&enclosed(i) != 0 {
			*is.quoted(&c.After) = true
		}
	}
	if flags&ofStock != 0 {
		c.Before.Stock, c.After.Stock = next(), next()
		c.Before.InStock, c.After.InStock = new(flags&wasInStock != 0), new(flags&isInStock != 0)
	}
	return c
}
