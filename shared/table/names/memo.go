package names

import "github.com/planwright/planwright/shared/table/cell"

// Memo has what is known of the cells that were seen last.
type Memo[T any] struct {
	recent [1024]*remembered[T] // by some of their bytes
	all    map[string]*remembered[T]
}

type remembered[T any] struct {
	content string
	known   *T
}

const (
	maxMemo      = 4096 // cells
	maxMemoBytes = 4096 // of a cell
)

// Find returns what is known of a cell; nil: nothing.
func (m *Memo[T]) Find(content []byte) *T {
	recent := &m.recent[sum(content)]
	if *recent == nil || (*recent).content != string(content) {
		*recent = m.all[string(content)]
	}
	if *recent == nil {
		return nil
	}
	return (*recent).known
}

// Add has a cell be known.
func (m *Memo[T]) Add(content []byte, known *T) {
	if len(m.all) == maxMemo || m.all == nil {
		m.all = map[string]*remembered[T]{}
	}
	if len(content) <= maxMemoBytes {
		text := string(content)
		m.all[text] = &remembered[T]{text, known}
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
