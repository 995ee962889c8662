package pricing

import (
	"cmp"
	"context"
	"hash/maphash"
	"io"
	"slices"

	"github.com/planwright/planwright/shared/table"
)

// BySKU returns the undo for a table that is not the very one that the execution wrote: rows
// may have come, gone and moved. Now is the table that Run is to read, and before the one that
// the execution read or wrote. Both are read to their ends.
//
// A change is that of the row with its SKU, or with what the platform has in place of a blank
// one. Where several rows have it, before or now, its changes are stale.
//
// An error of a reader is returned as it is, and a table that is refused as Run does it.
func (e *Engine) BySKU(ctx context.Context, before, now io.Reader) (*Engine, error) {
	engine, undo := *e, *e.undo
	engine.undo, undo.bySKU = &undo, newSKUs(&undo)
	if undo.size+int64(len(undo.at))*bytesPerSKU > undo.limit {
		return nil, &TooLargeError{ExecutionID: undo.ExecutionID, Limit: undo.limit}
	}
	if err := e.eachRow(ctx, before, undo.bySKU.seeBefore); err != nil {
		return nil, err
	}
	return &engine, e.eachRow(ctx, now, undo.bySKU.seeNow)
}

// eachRow has every row of a table looked at.
func (e *Engine) eachRow(ctx context.Context, in io.Reader, onRow func(*table.Row)) error {
	looking, undo := *e, *e.undo
	undo.onRow, looking.undo = onRow, &undo
	_, err := looking.Run(ctx, in, io.Discard)
	return err
}

// skus are the SKUs of an undo's changes.
type skus struct {
	undo   *undo
	seed   maphash.Seed
	keys   []keyed // in order
	before []seen  // rows with the SKU of a key
	now    []seen
}

// keyed is a change by the hash of its SKU.
type keyed struct {
	hash   uint64
	change int
}

// seen is how many rows have a SKU.
type seen byte

const (
	none seen = iota
	one
	several
)

const bytesPerSKU = 1 + 1 // beside its key

func newSKUs(u *undo) *skus {
	s := &skus{
		undo:   u,
		seed:   maphash.MakeSeed(),
		keys:   make([]keyed, len(u.at)),
		before: make([]seen, len(u.at)),
		now:    make([]seen, len(u.at)),
	}
	for i := range s.keys {
		s.keys[i] = keyed{maphash.String(s.seed, u.change(i).SKU), i}
	}
	slices.SortFunc(s.keys, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.change, b.change))
	})
	return s
}

// find returns the place of the first key of a row's SKU, or false where no change has it.
func (s *skus) find(r *table.Row) (at int, found bool) {
	hash := maphash.String(s.seed, r.Key())
	return slices.BinarySearchFunc(s.keys, hash, func(k keyed, hash uint64) int {
		return cmp.Compare(k.hash, hash)
	})
}

func (s *skus) seeBefore(r *table.Row) { s.see(s.before, r) }

func (s *skus) seeNow(r *table.Row) { s.see(s.now, r) }

func (s *skus) see(rows []seen, r *table.Row) {
	if at, found := s.find(r); found {
		rows[at] = min(rows[at]+1, several)
	}
}

// changeOf returns the change of a row that has the SKU of one. Alone reports that no other
// row has it, nor had it before.
func (s *skus) changeOf(r *table.Row) (change int, found, alone bool) {
	at, found := s.find(r)
	if !found {
		return 0, false, false
	}
	change = s.keys[at].change
	alone = s.before[at] == one && s.now[at] == one && s.undo.change(change).SKU == r.Key()
	return change, true, alone
}
