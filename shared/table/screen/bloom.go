package screen

import (
	"math/bits"

	"github.com/planwright/planwright/shared/table/cell"
)

// A Bloom is a Bloom filter with one bit for each name. It is small enough to
// stay in a near cache. Assembly knows how it is laid out.
type Bloom struct {
	words []uint64 // 2^n
	mask  uint64   // 2^n - 1
}

// NewBloom makes room for so many names: 32 to 64 bits for each, so that few
// others are taken for them.
func NewBloom(names int) Bloom {
	words := max(1<<bits.Len(uint(names))/2, leastWords)
	return Bloom{make([]uint64, words), uint64(words - 1)}
}

// leastWords of a filter fit one vector.
const leastWords = 8

// Add adds a name.
func (b *Bloom) Add(name string) {
	hash := sketch(cell.Block(name))
	b.words[b.word(hash)] |= 1 << (hash >> 58)
}

// MayHold reports whether the name in a cell, in any case of the letters of
// ASCII, may be among those held: it is nearly always right, and always where it
// says no.
func (b *Bloom) MayHold(block []byte, at cell.Span) bool { return b.mayHold(sketch(block, at)) }

func (b *Bloom) mayHold(hash uint64) bool { return b.words[b.word(hash)]>>(hash>>58)&1 != 0 }

func (b *Bloom) word(hash uint64) uint64 { return (hash ^ hash>>32) & b.mask }

// sketch is a hash of a name's size and ends, without the bit that tells small
// letters from others. Many names of a catalogue may have the same: it says which
// need a closer look, and nothing else rests on it.
func sketch(block []byte, c cell.Span) uint64 {
	first, last := cell.Ends(block, c)
	first, last = (first|smallLetters)^uint64(c.Size()), last|smallLetters
	const half = 1<<32 - 1
	sum := first&half*sketch0 ^ first>>32*sketch1 ^ last&half*sketch2 ^ last>>32*sketch3
	return (sum ^ sum>>32) & half * sketch0 // or numbered names would share their bits
}

// smallLetters is the bit of each byte that tells small letters from others.
const smallLetters = 0x20 * cell.EveryByte

// Factors of a sketch: odd, random, and of half a word, so that vectors can be
// multiplied by them.
const (
	sketch0 = 0x9e3779b1
	sketch1 = 0x85ebca77
	sketch2 = 0xc2b2ae3d
	sketch3 = 0xa5cb9243
)
