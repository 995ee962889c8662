package pricing

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/maphash"
	"io"
	"slices"

	"github.com/planwright/planwright/shared/table"
)

// TellApart returns the undo for a table that is not the very one that the
// execution wrote: rows may have come, gone and moved. It is told by before, the
// table that the execution read or wrote, and now, the table that Run is to read,
// which are both read to their ends.
//
//   - Where one row had a change's SKU and one has it now, that row is it.
//   - Where several have it, as many as before, each is what it was by its order
//     among them, if its other cells are what they were.
//   - All else is ambiguous, and stale.
//
// Where the Summary of a run said Distinct, before may be nil in another like it.
//
// Without it, a row stands where its change was made: so it is in the very table that
// was written.
//
// An error of a reader is returned as it is, and a table that is refused as Run
// does it.
func (e *Engine) TellApart(ctx context.Context, before, now io.Reader) (*Engine, error) {
	engine := *e
	undo := *e.undo
	engine.undo, undo.apart = &undo, newApart(&undo)
	if undo.size+int64(len(undo.at))*apartPerChange > undo.limit {
		return nil, &TooLargeError{ExecutionID: undo.ExecutionID, Limit: undo.limit}
	}
	if before == nil {
		undo.apart.assumeDistinct()
	} else if err := e.eachRow(ctx, before, undo.apart.before); err != nil {
		return nil, err
	}
	return &engine, e.eachRow(ctx, now, undo.apart.now)
}

// eachRow has every row of a table looked at.
func (e *Engine) eachRow(ctx context.Context, in io.Reader, look func(*table.Row)) error {
	looking, undo := *e, *e.undo
	undo.look, looking.undo = look, &undo
	_, err := looking.Run(ctx, in, io.Discard)
	return err
}

// apart tells rows of one SKU from each other.
type apart struct {
	undo   *undo
	seed   maphash.Seed
	keys   []keyed // in order; those of one SKU are a group, which has the place of its first
	counts []groupCount
	rows   []toldRow // by change
	next   int       // the change of which the row comes next, before
}

// keyed is a change by the hash of its SKU.
type keyed struct {
	hash   uint64
	change int
}

// groupCount counts the rows of a SKU.
type groupCount struct{ before, now uint32 }

// toldRow is the row of a change in the table before: the how many-th of its SKU
// it is, and the hash of its other cells.
type toldRow struct {
	nth   uint32
	cells uint64
}

const apartPerChange = 8 + 4 + 4 + 16 // for its group's counts and place, and for its row

func newApart(u *undo) *apart {
	a := &apart{undo: u, seed: maphash.MakeSeed(), keys: make([]keyed, len(u.at)), counts: make([]groupCount, len(u.at)), rows: make([]toldRow, len(u.at))}
	for i := range a.keys {
		a.keys[i] = keyed{maphash.String(a.seed, u.change(i).SKU), i}
	}
	slices.SortFunc(a.keys, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.change, b.change)) })
	return a
}

// group returns the place of a SKU's changes, or false where it has none.
func (a *apart) group(key string) (group int, found bool) {
	hash := maphash.String(a.seed, key)
	return slices.BinarySearchFunc(a.keys, hash, func(k keyed, hash uint64) int { return cmp.Compare(k.hash, hash) })
}

func (a *apart) before(r *table.Row) {
	changed := a.next < len(a.undo.at) && a.undo.row(a.next) == r.Number()
	key := r.Key()
	group, found := a.group(key)
	if found {
		a.counts[group].before++
	}
	if changed {
		if found && a.undo.change(a.next).SKU == key {
			a.rows[a.next] = toldRow{a.counts[group].before, a.otherCells(r)}
		}
		a.next++
	}
}

func (a *apart) now(r *table.Row) {
	if group, found := a.group(r.Key()); found {
		a.counts[group].now++
	}
}

// isDistinct reports whether no two rows before had the SKU of one change.
func (a *apart) isDistinct() bool {
	for i, k := range a.keys {
		if a.rows[k.change].nth != 1 || i > 0 && a.keys[i-1].hash == k.hash || a.counts[i].before != 1 {
			return false
		}
	}
	return true
}

// assumeDistinct has it so.
func (a *apart) assumeDistinct() {
	for i := range a.keys {
		a.rows[i].nth, a.counts[i].before = 1, 1
	}
}

// otherCells is the hash of what an execution does not change in a row.
func (a *apart) otherCells(r *table.Row) uint64 {
	var hash maphash.Hash
	hash.SetSeed(a.seed)
	r.Others(func(content []byte) {
		var size [4]byte
		binary.LittleEndian.PutUint32(size[:], uint32(len(content)))
		hash.Write(size[:])
		hash.Write(content)
	})
	return hash.Sum64()
}

// rowTeller is apart over the table that is undone.
type rowTeller struct {
	*apart
	seen []uint32 // rows of each group so far
	next []uint32 // the change of each group that comes next in it
}

func (a *apart) over() *rowTeller {
	return &rowTeller{apart: a, seen: make([]uint32, len(a.keys)), next: make([]uint32, len(a.keys))}
}

// find returns the change of a row, and whether it is certain that the row is
// its. It is asked for every row, in their order.
func (a *rowTeller) find(r *table.Row) (change int, found, certain bool) {
	group, found := a.group(r.Key())
	if !found {
		return 0, false, false
	}
	a.seen[group]++
	for {
		next := group + int(a.next[group])
		if next == len(a.keys) || a.keys[next].hash != a.keys[group].hash {
			return 0, false, false
		}
		change = a.keys[next].change
		if a.rows[change].nth >= a.seen[group] {
			break
		}
		a.next[group]++
	}
	row, count := a.rows[change], a.counts[group]
	switch {
	case count.before == 1 && count.now == 1:
		return change, true, true
	case row.nth != a.seen[group]:
		return 0, false, false
	default:
		return change, true, count.before == count.now && row.cells == a.otherCells(r)
	}
}

// isUneven reports whether there are not as many rows of a change's SKU as there
// were, and some still.
func (a *apart) isUneven(change int) bool {
	group, _ := a.group(a.undo.change(change).SKU)
	count := a.counts[group]
	return count.now > 0 && count.before != count.now
}
