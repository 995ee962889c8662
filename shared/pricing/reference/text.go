package reference

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/planwright/planwright/shared/table/dialect"
)

// bytewise are the encodings of one byte a character.
var bytewise = map[dialect.Encoding]*charmap.Charmap{
	"windows-1252": charmap.Windows1252,
	"windows-1250": charmap.Windows1250,
	"windows-1251": charmap.Windows1251,
	"windows-1254": charmap.Windows1254,
	"ISO-8859-2":   charmap.ISO8859_2,
	"ISO-8859-9":   charmap.ISO8859_9,
	"ISO-8859-15":  charmap.ISO8859_15,
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
			b, _ := bytewise[encoding].EncodeRune(r)
			raw = append(raw, b)
		}
	}
	return string(raw)
}

// raw returns the bytes of the characters from one up to another.
func (t text) raw(from, to int) string { return t.bytes[t.from[from]:t.from[to]] }
