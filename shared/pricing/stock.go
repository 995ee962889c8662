package pricing

import "bytes"

// parseStock reads true/false, 1/0 and yes/no in any case from a cell of a block.
func parseStock(block []byte, c cell) (inStock, ok bool) {
	word := wordAt(block, c.from) & lowBytes(c.to-c.from)
	const letters = 0x40 * everyByte // the bit that makes a byte a letter
	word |= word & letters >> 1      // and half of it the one that makes it small
	entry := &stockTable[word*stockHash>>61]
	return entry.inStock, entry.word == word
}

// stockHash was found by trial: it gives each of the six words its own slot.
const stockHash = 0xe330b09923bfd0e7

// stockTable is a hash table in which each of the six words has a slot of its
// own: reading it takes no branch that depends on the row. The other two slots
// hold a word that is looked for elsewhere.
var stockTable = func() (table [8]stockEntry) {
	wordOf := func(text string) uint64 { return wordAt(block(text), 0) }
	for i := range table {
		table[i].word = wordOf("true")
	}
	for text, inStock := range stockMeanings {
		table[wordOf(text)*stockHash>>61] = stockEntry{wordOf(text), inStock}
	}
	return table
}()

// stockMeanings are the words, in lower case.
var stockMeanings = map[string]bool{"true": true, "1": true, "yes": true, "false": false, "0": false, "no": false}

type stockEntry struct {
	word    uint64
	inStock bool
}

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
