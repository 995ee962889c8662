package pricing

import (
	"encoding/binary"
	"math/bits"
)

// opSet is a set of a plan's operations, by position: at most 100.
type opSet struct{ low, high uint64 }

func (s opSet) with(i int) opSet {
	if i < 64 {
		s.low |= 1 << i
	} else {
		s.high |= 1 << (i - 64)
	}
	return s
}

func (s opSet) without(i int) opSet {
	only := opSet{}.with(i)
	return opSet{s.low &^ only.low, s.high &^ only.high}
}

func (s opSet) and(t opSet) opSet { return opSet{s.low & t.low, s.high & t.high} }

func (s opSet) empty() bool { return s.low|s.high == 0 }

// next returns the set's first operation and the set without it. The set must
// not be empty.
func (s opSet) next() (int, opSet) {
	if s.low != 0 {
		return bits.TrailingZeros64(s.low), opSet{s.low & (s.low - 1), s.high}
	}
	return 64 + bits.TrailingZeros64(s.high), opSet{0, s.high & (s.high - 1)}
}

// A lookup tells which operations' filters let a category, or a SKU, pass. It
// holds every name that the plan names and one answer for all the others, so
// that a row costs one search whatever the number of names and operations.
type lookup struct {
	others opSet
	named  map[string]opSet
	bloom  bloom // nearly all of the other names are known by it
}

// newLookup compiles, of each operation, the names that it is only for (nil:
// all) and those that it leaves out.
func newLookup(only, except [][]string) lookup {
	var l lookup
	count := 0
	for i := range only {
		if only[i] == nil {
			l.others = l.others.with(i)
		}
		count += len(only[i]) + len(except[i])
	}
	l.named, l.bloom = make(map[string]opSet, count), newBloom(count)
	for i := range only {
		for _, name := range only[i] {
			l.named[name] = l.held(name).with(i)
		}
		for _, name := range except[i] {
			l.named[name] = l.held(name).without(i)
		}
	}
	return l
}

// held returns the operations of a name that from now on is held: at first
// those of the others.
func (l *lookup) held(name string) opSet {
	if ops, held := l.named[name]; held {
		return ops
	}
	l.bloom.add(sketch(block(name), cell{0, uint32(len(name))}))
	return l.others
}

// find returns the operations that let the name in a cell of a block pass.
func (l *lookup) find(block []byte, c cell) opSet {
	if len(l.named) > 0 && l.bloom.mayHold(sketch(block, c)) {
		if ops, held := l.named[string(block[c.from:c.to])]; held {
			return ops
		}
	}
	return l.others
}

// A bloom is a Bloom filter with one bit for each name. It is small enough to
// stay in a near cache. Assembly knows how it is laid out.
type bloom struct {
	words []uint64 // 2^n
	mask  uint64   // 2^n - 1
}

// newBloom makes room for so many names: 32 to 64 bits for each, so that few
// others are taken for them.
func newBloom(names int) bloom {
	words := max(1<<bits.Len(uint(names))/2, 4)
	return bloom{make([]uint64, words), uint64(words - 1)}
}

func (b *bloom) add(hash uint64) { b.words[b.word(hash)] |= 1 << (hash >> 58) }

// mayHold reports whether a name of that hash may be among those held: it is
// nearly always right, and always where it says no.
func (b *bloom) mayHold(hash uint64) bool { return b.words[b.word(hash)]>>(hash>>58)&1 != 0 }

func (b *bloom) word(hash uint64) uint64 { return (hash ^ hash>>32) & b.mask }

// sketch is a hash of a name's size and ends. Many names of a catalogue may have
// the same: it says which need a closer look, and nothing else rests on it.
func sketch(block []byte, c cell) uint64 {
	first, last := ends(block, c)
	first ^= uint64(c.to - c.from)
	const half = 1<<32 - 1
	return first&half*sketch0 ^ first>>32*sketch1 ^ last&half*sketch2 ^ last>>32*sketch3
}

// Factors of a sketch: odd, random, and of half a word, so that vectors can be
// multiplied by them.
const (
	sketch0 = 0x9e3779b1
	sketch1 = 0x85ebca77
	sketch2 = 0xc2b2ae3d
	sketch3 = 0xa5cb9243
)

// ends returns a cell's first eight bytes and its last eight; where there are
// not so many, zeros stand behind them.
func ends(block []byte, c cell) (first, last uint64) {
	size := c.to - c.from
	mask := lowBytes(size)
	return wordAt(block, c.from) & mask, wordAt(block, c.from+max(size, wordBytes)-wordBytes) & mask
}

// lowBytes has ones in a word's first so many bytes: eight at most.
func lowBytes(size uint32) uint64 { return 1<<(8*min(size, wordBytes)) - 1 }

// wordAt returns eight bytes of a block. Positions are unsigned and of half a
// word so that the compiler needs one comparison to know them to be in it.
func wordAt(block []byte, at uint32) uint64 {
	first := int(at)
	return binary.LittleEndian.Uint64(block[first : first+8])
}

// block returns a text as a block, with room behind it.
func block(text string) []byte {
	padded := make([]byte, len(text)+wordBytes)
	copy(padded, text)
	return padded
}

const wordBytes = 8
