package dialect

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// Encoding is how characters are bytes, by its IANA name.
type Encoding string

// The encodings that are found. A setting may name any other of Encodings.
const (
	UTF8        Encoding = "UTF-8"
	UTF16LE     Encoding = "UTF-16LE"
	UTF16BE     Encoding = "UTF-16BE"
	Windows1252 Encoding = "windows-1252"
)

// legacies are the encodings of golang.org/x/text in which a byte below 0x80 is that
// character of ASCII wherever a character begins. A table in one of them is worked on as
// it is: its records are told apart by bytes of ASCII, and only cells are decoded.
var legacies = sync.OnceValue(func() map[Encoding]encoding.Encoding {
	named := map[Encoding]encoding.Encoding{}
	for _, e := range slices.Concat(charmap.All, japanese.All, korean.All, simplifiedchinese.All,
		traditionalchinese.All) {
		if name, err := ianaindex.MIME.Name(e); err == nil && name != "" && extendsASCII(e) {
			named[Encoding(name)] = e
		}
	}
	return named
})

func extendsASCII(e encoding.Encoding) bool {
	for b := range byte(utf8.RuneSelf) {
		if text, err := e.NewDecoder().Bytes([]byte{b}); err != nil || string(text) != string([]byte{b}) {
			return false
		}
	}
	return true
}

// Encodings are all that a setting may name: those that are found first, then those that
// shops have most.
var Encodings = sync.OnceValue(func() []Encoding {
	all := []Encoding{
		UTF8, UTF16LE, UTF16BE, Windows1252, "windows-1250", "windows-1251", "windows-1253", "windows-1254",
		"Shift_JIS", "GB18030", "Big5", "EUC-KR",
		"KOI8-R", "ISO-8859-2", "IBM850", "windows-1255", "windows-1256", "windows-1257", "windows-874",
		"EUC-JP",
	}
	var others []Encoding
	for name := range legacies() {
		if !slices.Contains(all, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	return append(all, others...)
})

// Legacy reports whether the text that is worked on is not UTF-8.
func (d Dialect) Legacy() bool { return d.legacy() != nil }

func (d Dialect) legacy() encoding.Encoding {
	if d.Encoding == UTF8 || d.Encoding == "" {
		return nil
	}
	return legacies()[d.Encoding]
}

// SeveralBytes reports whether some characters have several bytes, of which the last may
// be one of ASCII. Programs may write a character in other bytes than Bytes does.
func (d Dialect) SeveralBytes() bool {
	legacy := d.legacy()
	_, single := legacy.(*charmap.Charmap)
	return legacy != nil && !single
}

// Text returns what bytes of the working text say.
func (d Dialect) Text(text []byte) string {
	legacy := d.legacy()
	if legacy == nil || isASCII(text) {
		return string(text)
	}
	decoded, err := legacy.NewDecoder().Bytes(text)
	if err != nil {
		return string(utf8.RuneError)
	}
	return string(decoded)
}

// Bytes returns a text as the working text writes it, or false where it cannot.
func (d Dialect) Bytes(text string) ([]byte, bool) {
	legacy := d.legacy()
	if legacy == nil {
		return []byte(text), true
	}
	encoded, err := legacy.NewEncoder().Bytes([]byte(text))
	return encoded, err == nil
}

func isASCII(text []byte) bool { return len(beyondASCII(text)) == 0 }

// beyondASCII returns a text from its first character on that is not ASCII: most
// names have none.
func beyondASCII(text []byte) []byte {
	for len(text) >= 8 && binary.LittleEndian.Uint64(text)&0x8080808080808080 == 0 {
		text = text[8:]
	}
	for len(text) > 0 && text[0] < utf8.RuneSelf {
		text = text[1:]
	}
	return text
}

const escape = 0x1b // begins characters of several bytes in ISO-2022-JP, which are all below 0x80

// rare1252 are the bytes that Windows-1252 has no character for, or a sign that no text
// of a shop has: ƒ † ‡ ˆ ‰ ˜. Japanese texts are full of them.
const rare1252 = "\x81\x83\x86\x87\x88\x89\x8d\x8f\x90\x98\x9d"

// Unclear reports whether it must be said in which encoding a cell is: nobody has said
// so, and the cell has an escape, or is neither UTF-8 nor plainly Windows-1252. Texts in
// that hardly ever have three characters in a row that are not ASCII, as Cyrillic, Greek
// or Chinese texts do.
func (d Dialect) Unclear(cell []byte) bool {
	if d.EncodingSaid {
		return false
	}
	if d.Escapes && bytes.IndexByte(cell, escape) >= 0 {
		return true
	}
	if d.Encoding != Windows1252 {
		return false
	}
	inRow := 0
	for _, b := range beyondASCII(cell) {
		if inRow++; b < utf8.RuneSelf {
			inRow = 0
		}
		if inRow == 3 || strings.IndexByte(rare1252, b) >= 0 {
			return true
		}
	}
	return false
}

// readable reports whether a cell's bytes are characters of the encoding.
func (d Dialect) readable(cell []byte) bool {
	switch {
	case d.Encoding == Windows1252: // which has a character for each byte
		return true
	case !d.Legacy():
		return utf8.Valid(beyondASCII(cell))
	}
	return !strings.ContainsRune(d.Text(cell), utf8.RuneError)
}

// ComesBack reports whether what a cell says is written in the cell's very bytes. Some
// encodings have several codes for a character.
func (d Dialect) ComesBack(cell []byte) bool {
	again, ok := d.Bytes(d.Text(cell))
	return ok && bytes.Equal(again, cell)
}

// Reading is what a cell says in an encoding.
type Reading struct {
	Encoding Encoding `json:"encoding"`
	Says     string   `json:"says"`
}

// maxReadings is how many encodings are offered for a cell.
const maxReadings = 12

// Readings are what a cell may say: in each encoding in which all that is not ASCII is
// letters of one script, or signs beside them. Of encodings that read it alike, the first
// is offered.
func Readings(cell []byte) (readings []Reading) {
	for _, e := range Encodings()[3:] {
		text := Dialect{Encoding: e}.Text(cell)
		alike := func(r Reading) bool { return r.Says == text }
		if len(readings) < maxReadings && isOneScript(text) && !slices.ContainsFunc(readings, alike) {
			readings = append(readings, Reading{e, text})
		}
	}
	return readings
}

// scripts are those of letters, of which a word has one. Japanese has three.
var scripts = [][]*unicode.RangeTable{
	{unicode.Latin}, {unicode.Cyrillic}, {unicode.Greek}, {unicode.Hebrew}, {unicode.Arabic}, {unicode.Thai},
	{unicode.Hangul},
	{unicode.Han, unicode.Hiragana, unicode.Katakana},
}

func isOneScript(text string) bool {
	var of []*unicode.RangeTable
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf || unicode.In(r, unicode.P, unicode.Sc, unicode.M, unicode.Zs) || r == 'ー':
			continue
		case !unicode.IsLetter(r):
			return false
		}
		i := slices.IndexFunc(scripts, func(script []*unicode.RangeTable) bool {
			return unicode.In(r, script...)
		})
		if i < 0 || of != nil && &of[0] != &scripts[i][0] {
			return false
		}
		of = scripts[i]
	}
	return of != nil
}
