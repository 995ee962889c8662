package dialect

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// UTF-16 is read as UTF-8 and written back. Half a surrogate pair, which is no
// character, becomes the three bytes that UTF-8 would have for it (this is
// called WTF-8), so that every text comes out as it came in; in a name such
// bytes are a fault as any that are not UTF-8. A last byte that is half a unit
// becomes a NUL, which is a fault wherever it stands.
type utf16Coding struct{ binary.ByteOrder }

// decode appends what raw says, and returns what only the next bytes make whole.
func (c utf16Coding) decode(text, raw []byte, last bool) (decoded, rest []byte) {
	for len(raw) >= 2 {
		if len(raw) >= 8 {
			if word := c.Uint64(raw); word&0xff80ff80ff80ff80 == 0 {
				text = append(text, 0, 0, 0, 0)
				copyASCII(text[len(text)-4:], word, c)
				raw = raw[8:]
				continue
			}
		}
		unit := rune(c.Uint16(raw))
		size := 2
		if utf16.IsSurrogate(unit) {
			if len(raw) < 4 && !last {
				break
			}
			if unit, size = pair(unit, raw, c); size == 2 {
				text, raw = appendHalf(text, unit), raw[2:]
				continue
			}
		}
		text, raw = utf8.AppendRune(text, unit), raw[size:]
	}
	if len(raw) == 1 && last {
		text, raw = append(text, 0), nil
	}
	return text, raw
}

// copyASCII writes the low bytes of four units.
func copyASCII(to []byte, word uint64, order binary.ByteOrder) {
	word = (word | word>>8) & 0x0000ffff0000ffff
	word = (word | word>>16) & 0x00000000ffffffff
	order.PutUint32(to, uint32(word))
}

// pair returns the character that raw begins with two halves of, and 4; or its
// first half, and 2.
func pair(first rune, raw []byte, order binary.ByteOrder) (rune, int) {
	if len(raw) >= 4 {
		if r := utf16.DecodeRune(first, rune(order.Uint16(raw[2:]))); r != utf8.RuneError {
			return r, 4
		}
	}
	return first, 2
}

// appendHalf appends half a surrogate pair as WTF-8 does.
func appendHalf(text []byte, half rune) []byte {
	return append(text, 0xe0|byte(half>>12), 0x80|byte(half>>6)&0x3f, 0x80|byte(half)&0x3f)
}

// encode appends what a text is written as, and returns what only the next bytes make
// whole.
func (c utf16Coding) encode(raw, text []byte) (encoded, rest []byte) {
	for len(text) > 0 {
		if len(text) >= 4 {
			if word := binary.LittleEndian.Uint32(text); word&0x80808080 == 0 {
				raw = c.appendASCII(raw, word)
				text = text[4:]
				continue
			}
		}
		size := sequence(text[0])
		if len(text) < size {
			break
		}
		raw = c.appendRune(raw, text[:size])
		text = text[size:]
	}
	return raw, text
}

// appendASCII appends four ASCII characters, the first in the lowest byte.
func (c utf16Coding) appendASCII(raw []byte, word uint32) []byte {
	wide := uint64(word)
	wide = (wide | wide<<16) & 0x0000ffff0000ffff
	wide = (wide | wide<<8) & 0x00ff00ff00ff00ff
	if c.ByteOrder == binary.BigEndian {
		wide <<= 8
	}
	return binary.LittleEndian.AppendUint64(raw, wide)
}

func (c utf16Coding) appendRune(raw, text []byte) []byte {
	r, size := utf8.DecodeRune(text)
	switch {
	case r == utf8.RuneError && size < len(text): // half a pair
		return c.appendUnit(raw, uint16(text[0]&0xf)<<12|uint16(text[1]&0x3f)<<6|uint16(text[2]&0x3f))
	case r >= 0x10000:
		high, low := utf16.EncodeRune(r)
		return c.appendUnit(c.appendUnit(raw, uint16(high)), uint16(low))
	default:
		return c.appendUnit(raw, uint16(r))
	}
}

func (c utf16Coding) appendUnit(raw []byte, unit uint16) []byte {
	raw = append(raw, 0, 0)
	c.PutUint16(raw[len(raw)-2:], unit)
	return raw
}

// sequence returns how many bytes a character has that begins with b. The text
// is what decode gave, with ASCII and whole characters changed.
func sequence(b byte) int {
	switch {
	case b < 0x80:
		return 1
	case b < 0xe0:
		return 2
	case b < 0xf0:
		return 3
	default:
		return 4
	}
}
