package pricing

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
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
	// An open hash table of 2^n slots, at most a quarter of them taken.
	slots []int32 // 0, or 1 + an index into names
	names []named
	// 2^n * 4 bits, one set for the hash of each name: nearly all of the other
	// names are known by it, and it is small enough to stay in the cache.
	filter     []uint64
	filterMask uint64
}

type named struct {
	text  []byte
	words words
	ops   opSet
}

// words are a text's first sixteen bytes, zeros behind the text's end. They
// tell texts of at most sixteen bytes apart, none of which holds a zero. Of a
// longer text the second is a hash of all of it.
type words struct{ first, second uint64 }

const wordsBytes = 16

// name is a name in a block: where it is, and its words.
type name struct {
	cell
	words words
}

// nameAt returns the name of at most sixteen bytes in a cell of a block, behind
// which words must be readable.
func nameAt(block []byte, c cell) name {
	first := int(c.from) // see wordAt
	both, mask := (*[wordsBytes]byte)(block[first:first+wordsBytes]), &wordMasks[min(c.to-c.from, wordsBytes)]
	return name{c, words{
		binary.LittleEndian.Uint64(both[:8]) & mask.first,
		binary.LittleEndian.Uint64(both[8:]) & mask.second,
	}}
}

// nameOf returns the name of any length in a cell of a block.
func nameOf(block []byte, c cell) name {
	n := nameAt(block, c)
	if c.to-c.from > wordsBytes {
		n.words.second = maphash.Bytes(longSeed, block[c.from:c.to])
	}
	return n
}

// wordAt returns eight bytes of a block. Positions are unsigned and of half a
// word so that the compiler needs one comparison to know them to be in it.
func wordAt(block []byte, at uint32) uint64 {
	first := int(at)
	return binary.LittleEndian.Uint64(block[first : first+8])
}

// wordMasks has, for each size up to 16, ones where the words have text.
var wordMasks = func() (masks [wordsBytes + 1]words) {
	for size := range masks {
		first := min(size, 8)
		masks[size] = words{1<<(8*first) - 1, 1<<(8*(size-first)) - 1}
	}
	return masks
}()

// block returns a text as a block, with room behind it.
func block(text string) []byte {
	padded := make([]byte, len(text)+wordsBytes)
	copy(padded, text)
	return padded
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
	size := max(bits.Len(uint(count*4)), 6)
	l.slots, l.names = make([]int32, 1<<size), make([]named, 0, count)
	l.filter = make([]uint64, 1<<size*4/64)
	l.filterMask = uint64(len(l.filter) - 1)
	for i := range only {
		for _, name := range only[i] {
			ops := l.entry(name)
			*ops = ops.with(i)
		}
		for _, name := range except[i] {
			ops := l.entry(name)
			*ops = ops.without(i)
		}
	}
	return l
}

// entry returns the name's operations, at first those of nobody's name.
func (l *lookup) entry(text string) *opSet {
	block := block(text)
	n := nameOf(block, cell{0, uint32(len(text))})
	hash := n.hash()
	slot, index := l.search(hash, block, n)
	if index < 0 {
		l.filter[hash>>32&l.filterMask] |= 1 << (hash & 63)
		index = len(l.names)
		l.names = append(l.names, named{block[:len(text)], n.words, l.others})
		l.slots[slot] = int32(len(l.names))
	}
	return &l.names[index].ops
}

// mayHold reports whether a name of that hash may be among those held: it is
// nearly always right, and always where it says no.
func (l *lookup) mayHold(hash uint64) bool {
	return l.filter[hash>>32&l.filterMask]>>(hash&63)&1 != 0
}

// find returns the operations that let a name of the block pass.
func (l *lookup) find(hash uint64, block []byte, n name) opSet {
	if _, i := l.search(hash, block, n); i >= 0 {
		return l.names[i].ops
	}
	return l.others
}

// search returns the name's index, or -1 and the slot where it would go.
func (l *lookup) search(hash uint64, block []byte, n name) (slot, index int) {
	text := block[n.from:n.to]
	for slot = int(hash) & (len(l.slots) - 1); l.slots[slot] != 0; slot = (slot + 1) & (len(l.slots) - 1) {
		index = int(l.slots[slot]) - 1
		name := &l.names[index]
		if name.words == n.words && len(name.text) == len(text) && (len(text) <= wordsBytes || bytes.Equal(name.text, text)) {
			return slot, index
		}
	}
	return slot, -1
}

func (n *name) hash() uint64 {
	hash := (n.words.first^uint64(n.to-n.from))*hashFactor ^ n.words.second
	return (hash ^ hash>>32) * hashFactor
}

const hashFactor = 0x9e3779b97f4a7c15 // 2^64 / golden ratio

// longSeed is random; nothing that a lookup answers depends on it.
var longSeed = maphash.MakeSeed()
