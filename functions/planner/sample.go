package planner

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/planwright/planwright/shared/pricing"
)

// maxSample is how many changes a sample has at most.
const maxSample = 100

// sample keeps a few changes that show how differently rules move prices: those that move
// furthest, a usual one, and unusual ones. It keeps at most so many of each kind of move,
// whatever there are.
type sample struct {
	*wanted
	size   int
	found  int64
	lowest *pricing.Seen // falls furthest
	most   *pricing.Seen // rises furthest
	kinds  map[int]*kindOfMove
}

// kindOfMove is how far some prices move, roughly: up or down, by 1 to 2 percent, by 2 to
// 4, by 4 to 8.
type kindOfMove struct {
	kind  int
	rows  int64
	first []pricing.Seen
}

// stays and fromZero are the kinds of no move, and of one by no share of the price.
const (
	stays    = 0
	fromZero = 1 << 10
)

func kindOf(seen *pricing.Seen) int {
	switch {
	case seen.Moved == nil:
		return stays
	case *seen.Moved == pricing.FromZero:
		return fromZero
	case *seen.Moved < 0:
		return -1 - bits.Len64(uint64(-*seen.Moved)/10_000)
	}
	return 1 + bits.Len64(uint64(*seen.Moved)/10_000)
}

func (s *sample) see(seen pricing.Seen) error {
	if !s.has(&seen) {
		return nil
	}
	s.found++
	if moved := seen.Moved; moved != nil {
		if s.lowest == nil || *moved < *s.lowest.Moved {
			s.lowest = &seen
		}
		if s.most == nil || *moved > *s.most.Moved {
			s.most = &seen
		}
	}
	kind := kindOf(&seen)
	of := s.kinds[kind]
	if of == nil {
		of = &kindOfMove{kind: kind}
		s.kinds[kind] = of
	}
	of.rows++
	if len(of.first) < s.size {
		of.first = append(of.first, seen)
	}
	return nil
}

// skip counts a change of a kind of which there are enough, and reports whether it is one: it
// need not be read. Where somebody searches, each has to be.
func (s *sample) skip(seen *pricing.Seen) bool {
	switch {
	case s.search != "":
		return false
	case !s.has(seen):
		return true
	}
	of := s.kinds[kindOf(seen)]
	if of == nil || len(of.first) < s.size {
		return false
	}
	if moved := seen.Moved; moved != nil && (*moved < *s.lowest.Moved || *moved > *s.most.Moved) {
		return false
	}
	s.found++
	of.rows++
	return true
}

// page is the sample, in the order of the rows.
func (s *sample) page() []ranked {
	var picked []pricing.Seen
	pick := func(seen *pricing.Seen) {
		isIn := func(other pricing.Seen) bool { return other.Row == seen.Row }
		if seen != nil && len(picked) < s.size && !slices.ContainsFunc(picked, isIn) {
			picked = append(picked, *seen)
		}
	}
	pick(s.lowest)
	pick(s.most)
	kinds := s.byRows()
	if len(kinds) > 0 {
		pick(&kinds[len(kinds)-1].first[0])
	}
	for round := range s.size {
		for _, kind := range kinds {
			if round < len(kind.first) {
				pick(&kind.first[round])
			}
		}
	}
	slices.SortFunc(picked, func(a, b pricing.Seen) int { return cmp.Compare(a.Row, b.Row) })
	page := make([]ranked, len(picked))
	for i, seen := range picked {
		page[i] = ranked{key{0, seen.Row}, seen}
	}
	return page
}

// byRows are the kinds of move, the rarest first.
func (s *sample) byRows() (kinds []*kindOfMove) {
	for _, kind := range s.kinds {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b *kindOfMove) int {
		return cmp.Or(cmp.Compare(a.rows, b.rows), cmp.Compare(a.kind, b.kind))
	})
	return kinds
}
