package pricing

import (
	"bytes"
	"encoding/binary"
)

// parseStock reads true/false, 1/0 and yes/no in any case from text[from:to].
// A word must be readable at from.
func parseStock(text []byte, from, to int) (inStock, ok bool) {
	size := uint(to - from)
	if size > 8 {
		return false, false
	}
	word := binary.LittleEndian.Uint64(text[from:]) & wordMasks[size].first
	const letters = 0x40 * everyByte // the bit that makes a byte a letter
	word |= word & letters >> 1      // and half of it the one that makes it small
	entry := &stockTable[word*stockHash>>61]
	return entry.inStock, entry.word == word && word != 0
}

// stockHash was found by trial: it gives each of the six words its own slot.
const stockHash = 0xe330b09923bfd0e7

// stockTable is a hash table in which each of the six words has a slot of its
// own: reading it takes no branch that depends on the row.
var stockTable = func() (table [8]struct {
	word    uint64
	inStock bool
}) {
	for text, inStock := range map[string]bool{"true": true, "1": true, "yes": true, "false": false, "0": false, "no": false} {
		word := paddedWords(text).first
		entry := &table[word*stockHash>>61]
		if entry.word != 0 {
			panic("pricing: two words of in_stock share a slot")
		}
		entry.word, entry.inStock = word, inStock
	}
	return table
}()

// stockWords are what each form of in_stock is written as: out of stock, in stock.
var stockWords = map[byte][2]string{
	'0': {"0", "1"}, '1': {"0", "1"},
	'n': {"no", "yes"}, 'y': {"no", "yes"},
	'f': {"false", "true"}, 't': {"false", "true"},
}

// appendStock writes in_stock in the form and case of the text that it
// replaces: upper case (TRUE), capitalised (True) or else lower case.
func appendStock(cell, old []byte, inStock bool) []byte {
	word := stockWords[bytes.ToLower(old[:1])[0]][0]
	if inStock {
		word = stockWords[bytes.ToLower(old[:1])[0]][1]
	}
	start := len(cell)
	cell = append(cell, word...)
	switch added := cell[start:]; {
	case bytes.Equal(old, bytes.ToUpper(old)):
		copy(added, bytes.ToUpper(added))
	case old[0] < 'a' && bytes.Equal(old[1:], bytes.ToLower(old[1:])):
		added[0] -= 'a' - 'A'
	}
	return cell
}
