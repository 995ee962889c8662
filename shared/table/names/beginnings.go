package names

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/planwright/planwright/shared/table/dialect"
)

// beginnings finds which of a query's texts a cell begins with, in any case.
type beginnings struct {
	ids   map[string]int32 // in small letters
	sizes []int            // of the texts, the shortest first
	first [256]bool        // bytes with which one begins
}

// add adds a text and returns it in small letters.
func (b *beginnings) add(text string) string {
	text = smallLetters(text)
	if at, held := slices.BinarySearch(b.sizes, len(text)); !held {
		b.sizes = slices.Insert(b.sizes, at, len(text))
	}
	b.first[text[0]] = true
	return text
}

// In calls yield with each of the texts that a cell begins with. Room is for the cell's small
// letters, and is returned for the next one's.
func (b *beginnings) In(d dialect.Dialect, text, room []byte, yield func(id int32)) []byte {
	small := room[:0]
	if slices.ContainsFunc(text, func(c byte) bool { return c >= utf8.RuneSelf }) {
		small = append(small, smallLetters(d.Text(text))...)
	} else if len(text) > 0 && b.first[lowerByte(text[0])] {
		most := b.sizes[len(b.sizes)-1]
		for _, c := range text[:min(len(text), most)] {
			small = append(small, lowerByte(c))
		}
	}
	for _, size := range b.sizes {
		if size > len(small) {
			break
		}
		if id, held := b.ids[string(small[:size])]; held {
			yield(id)
		}
	}
	return small
}

// smallLetters is a text in small letters, in one Unicode form.
func smallLetters(text string) string { return strings.ToLower(norm.NFC.String(text)) }
