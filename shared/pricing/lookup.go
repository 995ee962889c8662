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
	// An open hash table of 2^n slots, at most a quarter of them taken; nil
	// where no filter names anything.
	slots []int32 // 0, or 1 + an index into names
	shift uint
	names []named
	// 2^n * 4 bits, one set for the hash of each name: nearly all of the other
	// names are known by it, and it is small enough to stay in the cache.
	filter []uint64
}

type named struct {
	text  []byte
	words words
	ops   opSet
}

// words are a text's first sixteen bytes, zeros behind the text's end. They
// tell texts of at most sixteen bytes apart, none of which holds a zero.
type words struct{ first, second uint64 }

// wordsOf returns the words of text[from:to], behind which two words must be
// readable.
func wordsOf(text []byte, from, to int) words {
	both, mask := (*[16]byte)(text[from:]), &wordMasks[min(uint(to-from), 16)]
	return words{
		binary.LittleEndian.Uint64(both[:8]) & mask.first,
		binary.LittleEndian.Uint64(both[8:]) & mask.second,
	}
}

// wordMasks has, for each size up to 16, ones where the words have text.
var wordMasks = func() (masks [17]words) {
	for size := range masks {
		first := min(size, 8)
		masks[size] = words{1<<(8*first) - 1, 1<<(8*(size-first)) - 1}
	}
	return masks
}()

// paddedWords returns the words of a text that nothing is readable behind.
func paddedWords(text string) words {
	return wordsOf(append([]byte(text), make([]byte, 16)...), 0, len(text))
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
	if count == 0 {
		return l
	}
	size := max(bits.Len(uint(count*4-1)), 6)
	l.slots, l.shift = make([]int32, 1<<size), uint(64-size)
	l.filter = make([]uint64, 1<<size*4/64)
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
func (l *lookup) entry(name string) *opSet {
	text, words := []byte(name), paddedWords(name)
	hash := hashOf(text, words)
	slot, index := l.search(hash, text, words)
	if index < 0 {
		l.filter[hash>>(l.shift+4)] |= 1 << (hash & 63)
		index = len(l.names)
		l.names = append(l.names, named{text, words, l.others})
		l.slots[slot] = int32(len(l.names))
	}
	return &l.names[index].ops
}

// find returns the operations that let a text, whose words are given, pass.
func (l *lookup) find(text []byte, words words) opSet {
	if l.slots == nil {
		return l.others
	}
	hash := hashOf(text, words)
	if l.filter[hash>>(l.shift+4)]>>(hash&63)&1 == 0 {
		return l.others
	}
	if _, i := l.search(hash, text, words); i >= 0 {
		return l.names[i].ops
	}
	return l.others
}

// search returns the text's index, or -1 and the slot where it would go.
func (l *lookup) search(hash uint64, text []byte, words words) (slot, index int) {
	for slot = int(hash >> l.shift); l.slots[slot] != 0; slot = (slot + 1) & (len(l.slots) - 1) {
		index = int(l.slots[slot]) - 1
		name := &l.names[index]
		if name.words == words && len(name.text) == len(text) && (len(text) <= 16 || bytes.Equal(name.text, text)) {
			return slot, index
		}
	}
	return slot, -1
}

// hashOf returns the hash of a text whose words are given.
func hashOf(text []byte, words words) uint64 {
	hash := (words.first^uint64(len(text)))*hashFactor ^ words.second
	hash = (hash ^ hash>>32) * hashFactor
	if len(text) > 16 {
		hash ^= maphash.Bytes(longSeed, text)
	}
	return hash
}

const hashFactor = 0x9e3779b97f4a7c15 // 2^64 / golden ratio

// longSeed is random; nothing that a lookup answers depends on it.
var longSeed = maphash.MakeSeed()
