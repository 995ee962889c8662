package reference

import (
	"encoding/binary"
	"slices"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/planwright/planwright/shared/table/dialect"
)

// bytewise are the encodings of one byte a character.
var bytewise = map[dialect.Encoding]*charmap.Charmap{
	"windows-1252": charmap.Windows1252, "windows-1250": charmap.Windows1250, "windows-1251": charmap.Windows1251, "windows-1254": charmap.Windows1254,
	"ISO-8859-2": charmap.ISO8859_2, "ISO-8859-9": charmap.ISO8859_9, "ISO-8859-15": charmap.ISO8859_15,
}

// several are the encodings of one or more bytes a character.
var several = map[dialect.Encoding]encoding.Encoding{
	"Shift_JIS": japanese.ShiftJIS, "EUC-KR": korean.EUCKR, "GB18030": simplifiedchinese.GB18030, "Big5": traditionalchinese.Big5,
}

// bad stands for bytes that are no character of the encoding's.
const bad = rune(-1)

// text is a table's characters, and where the bytes of each begin.
type text struct {
	bytes string
	runes []rune
	from  []uint32 // one more than runes: the last is the end
}

// decode reads a table in an encoding, character by character.
func decode(bytes string, encoding dialect.Encoding) text {
	t := text{bytes: bytes, from: []uint32{0}}
	for at := 0; at < len(bytes); {
		r, size := first(bytes[at:], encoding)
		if r == bad && several[encoding] != nil {
			for ; size > 1; size-- { // each byte is one that is bad
				at++
				t.runes, t.from = append(t.runes, bad), append(t.from, uint32(at))
			}
		}
		at += size
		t.runes, t.from = append(t.runes, r), append(t.from, uint32(at))
	}
	return t
}

// first returns the character that bytes begin with, and how many it has.
func first(bytes string, encoding dialect.Encoding) (r rune, size int) {
	var order binary.ByteOrder = binary.LittleEndian
	if bytewise[encoding] != nil {
		return bytewise[encoding].DecodeByte(bytes[0]), 1
	}
	if codes := several[encoding]; codes != nil {
		return firstOfSeveral(bytes, encoding)
	}
	switch encoding {
	case dialect.UTF8:
		if r, size = utf8.DecodeRuneInString(bytes); r == utf8.RuneError && size == 1 {
			return bad, 1
		}
		return r, size
	case dialect.UTF16BE:
		order = binary.BigEndian
	}
	if len(bytes) == 1 {
		return 0, 1 // half a unit is a NUL
	}
	unit := rune(order.Uint16([]byte(bytes[:2])))
	if !utf16.IsSurrogate(unit) {
		return unit, 2
	}
	if len(bytes) >= 4 {
		if r := utf16.DecodeRune(unit, rune(order.Uint16([]byte(bytes[2:4])))); r != utf8.RuneError {
			return r, 4
		}
	}
	return bad, 2
}

// firstOfSeveral takes the fewest bytes that are one character. The control that Shift_JIS
// has for a byte alone is none, for no program writes it; nor is a character by a code
// for which programs write another.
func firstOfSeveral(bytes string, encoding dialect.Encoding) (r rune, size int) {
	for size = 1; size <= min(4, len(bytes)); size++ {
		said, _ := several[encoding].NewDecoder().String(bytes[:size])
		runes := []rune(said)
		switch {
		case slices.Contains(runes, utf8.RuneError) || runes[0] == '\u0080':
			continue
		case len(runes) > 1 || runes[0] >= utf8.RuneSelf && code(said, encoding) != bytes[:size]:
			return bad, size
		}
		return runes[0], size
	}
	return bad, 1
}

// code returns the bytes that programs write of a character. In most cases they are those
// of the library. Windows does not write the two rows of Shift_JIS that NEC chose from IBM's
// extension, and in Big5 the lower of two codes is the character's own but in its extensions.
func code(character string, encoding dialect.Encoding) string {
	libraries, _ := several[encoding].NewEncoder().String(character)
	for _, other := range otherCodes()[encoding][character] {
		lead, own := libraries[0], binary.BigEndian.Uint16([]byte(other))
		switch {
		case encoding == dialect.ShiftJIS && (lead == 0xed || lead == 0xee) && other[0] != 0xed && other[0] != 0xee,
			encoding == dialect.Big5 && other < libraries && libraries > "\xc6\xa0" && own >= 0xa140 && (own < 0xc6a1 || own > 0xc8fe):
			return other
		}
	}
	return libraries
}

// otherCodes are those of two bytes of characters that have several, from the lowest.
var otherCodes = sync.OnceValue(func() map[dialect.Encoding]map[string][]string {
	all := map[dialect.Encoding]map[string][]string{dialect.ShiftJIS: {}, dialect.Big5: {}}
	for encoding, others := range all {
		for lead := 0x81; lead <= 0xfe; lead++ {
			for trail := range 0x100 {
				raw := string([]byte{byte(lead), byte(trail)})
				said, _ := several[encoding].NewDecoder().String(raw)
				if libraries, err := several[encoding].NewEncoder().String(said); utf8.RuneCountInString(said) == 1 && err == nil && libraries != raw {
					others[said] = append(others[said], raw)
				}
			}
		}
	}
	return all
})

func encode(said string, encoding dialect.Encoding) string {
	var raw []byte
	for _, r := range said {
		switch encoding {
		case dialect.UTF8:
			raw = utf8.AppendRune(raw, r)
		case dialect.UTF16LE:
			for _, unit := range utf16.AppendRune(nil, r) {
				raw = binary.LittleEndian.AppendUint16(raw, unit)
			}
		case dialect.UTF16BE:
			for _, unit := range utf16.AppendRune(nil, r) {
				raw = binary.BigEndian.AppendUint16(raw, unit)
			}
		default:
			if codes := several[encoding]; codes != nil {
				some, _ := codes.NewEncoder().String(string(r))
				raw = append(raw, some...)
				continue
			}
			b, _ := bytewise[encoding].EncodeRune(r)
			raw = append(raw, b)
		}
	}
	return string(raw)
}

// raw returns the bytes of the characters from one up to another.
func (t text) raw(from, to int) string { return t.bytes[t.from[from]:t.from[to]] }
