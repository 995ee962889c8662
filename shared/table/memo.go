package table

import "github.com/planwright/planwright/shared/table/cell"

// memo has the cells of a column of lists or paths that were seen last, all of
// which were in order, and what mentions their names.
type memo struct {
	recent [1024]*known // by some of their bytes
	all    map[string]*known
}

type known struct {
	content string
	mention
	names []*spelling // that it has
	seen  []*bool     // of the query's names
	among *spelling   // the whole cell, which has one of those among others alone; nil: it has not
}

const (
	maxMemo      = 4096 // cells
	maxMemoBytes = 4096 // of a cell
)

// find returns what is known of a cell; nil: nothing.
func (m *memo) find(content []byte) *known {
	recent := &m.recent[sum(content)]
	if *recent == nil || (*recent).content != string(content) {
		*recent = m.all[string(content)]
	}
	return *recent
}

func (m *memo) add(content []byte, k *known) {
	if len(m.all) == maxMemo || m.all == nil {
		m.all = map[string]*known{}
	}
	if len(content) <= maxMemoBytes {
		k.content = string(content)
		m.all[k.content] = k
	}
}

// sum is a number that tells most texts from each other by their ends.
func sum(text []byte) uint16 {
	var ends [2 * cell.WordBytes]byte
	if len(text) < cell.WordBytes {
		copy(ends[:], text)
	} else {
		copy(ends[:cell.WordBytes], text)
		copy(ends[cell.WordBytes:], text[len(text)-cell.WordBytes:])
	}
	first, last := cell.Word(ends[:], 0), cell.Word(ends[:], cell.WordBytes)
	return uint16((first*sumFactor + last + uint64(len(text))) * sumFactor >> 54)
}

const sumFactor = 0x9e3779b97f4a7c15 // odd, and random
