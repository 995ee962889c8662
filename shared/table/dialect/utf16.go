package dialect

import (
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// UTF-16 is read as UTF-8 and written back. Half a surrogate pair, which is no
// character, becomes the three bytes that UTF-8 would have for it (this is
// called WTF-8), so that every text comes out as it came in; in a name such
// bytes are a fault as any that are not UTF-8. A last byte that is half a unit
// becomes a NUL, which is a fault wherever it stands.

// utf16Reader reads UTF-16 and gives UTF-8.
type utf16Reader struct {
	in    io.Reader
	order binary.ByteOrder
	raw   []byte // read, and not decoded
	text  []byte // decoded, and not given out
	room  []byte // where text is
	err   error  // of the last read
}

const utf16Bytes = 32 << 10 // read at a time

func NewUTF16Reader(in io.Reader, order binary.ByteOrder) *utf16Reader {
	return &utf16Reader{in: in, order: order, raw: make([]byte, 0, utf16Bytes), room: make([]byte, 0, 2*utf16Bytes)}
}

func (r *utf16Reader) Read(p []byte) (int, error) {
	for len(r.text) == 0 && r.err == nil {
		n, err := r.in.Read(r.raw[len(r.raw):cap(r.raw)])
		r.raw, r.err = r.raw[:len(r.raw)+n], err
		r.decode()
		if n == 0 && err == nil {
			return 0, nil
		}
	}
	n := copy(p, r.text)
	if r.text = r.text[n:]; len(r.text) > 0 {
		return n, nil
	}
	return n, r.err
}

// decode decodes what was read, but for what only the next bytes make whole.
func (r *utf16Reader) decode() {
	text, raw := r.room[:0], r.raw
	for len(raw) >= 2 {
		if len(raw) >= 8 {
			if word := r.order.Uint64(raw); word&0xff80ff80ff80ff80 == 0 {
				text = append(text, 0, 0, 0, 0)
				copyASCII(text[len(text)-4:], word, r.order)
				raw = raw[8:]
				continue
			}
		}
		unit := rune(r.order.Uint16(raw))
		size := 2
		if utf16.IsSurrogate(unit) {
			if len(raw) < 4 && r.err == nil {
				break
			}
			if unit, size = pair(unit, raw, r.order); size == 2 {
				text, raw = appendHalf(text, unit), raw[2:]
				continue
			}
		}
		text, raw = utf8.AppendRune(text, unit), raw[size:]
	}
	if len(raw) == 1 && r.err != nil {
		text, raw = append(text, 0), nil
	}
	r.text = text
	r.raw = r.raw[:copy(r.raw, raw)]
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

// NewUTF16Writer returns a writer of UTF-16 to out.
func NewUTF16Writer(out io.Writer, order binary.AppendByteOrder) io.Writer {
	return &utf16Writer{out: out, order: order}
}

// utf16Writer is given UTF-8 and writes UTF-16.
type utf16Writer struct {
	out   io.Writer
	order binary.AppendByteOrder
	raw   []byte
	rest  []byte // of a character whose last bytes are still to come
}

func (w *utf16Writer) Write(p []byte) (int, error) {
	written := len(p)
	w.raw = w.raw[:0]
	if len(w.rest) > 0 {
		n := min(sequence(w.rest[0])-len(w.rest), len(p))
		w.rest, p = append(w.rest, p[:n]...), p[n:]
		if len(w.rest) < sequence(w.rest[0]) {
			return written, nil
		}
		w.encode(w.rest)
		w.rest = w.rest[:0]
	}
	w.rest = append(w.rest, w.encode(p)...)
	if n, err := w.out.Write(w.raw); err != nil {
		return 0, err
	} else if n < len(w.raw) {
		return 0, io.ErrShortWrite
	}
	return written, nil
}

// encode adds the text to raw and returns the rest of it, which is part of a
// character.
func (w *utf16Writer) encode(text []byte) []byte {
	for len(text) > 0 {
		if len(text) >= 4 {
			if word := binary.LittleEndian.Uint32(text); word&0x80808080 == 0 {
				w.raw = w.appendASCII(w.raw, word)
				text = text[4:]
				continue
			}
		}
		size := sequence(text[0])
		if len(text) < size {
			return text
		}
		w.raw = w.appendRune(w.raw, text[:size])
		text = text[size:]
	}
	return nil
}

// appendASCII appends four ASCII characters, the first in the lowest byte.
func (w *utf16Writer) appendASCII(raw []byte, word uint32) []byte {
	wide := uint64(word)
	wide = (wide | wide<<16) & 0x0000ffff0000ffff
	wide = (wide | wide<<8) & 0x00ff00ff00ff00ff
	if w.order == binary.AppendByteOrder(binary.BigEndian) {
		wide <<= 8
	}
	return binary.LittleEndian.AppendUint64(raw, wide)
}

func (w *utf16Writer) appendRune(raw, text []byte) []byte {
	r, size := utf8.DecodeRune(text)
	switch {
	case r == utf8.RuneError && size < len(text): // half a pair
		return w.order.AppendUint16(raw, uint16(text[0]&0xf)<<12|uint16(text[1]&0x3f)<<6|uint16(text[2]&0x3f))
	case r >= 0x10000:
		high, low := utf16.EncodeRune(r)
		return w.order.AppendUint16(w.order.AppendUint16(raw, uint16(high)), uint16(low))
	default:
		return w.order.AppendUint16(raw, uint16(r))
	}
}

// sequence returns how many bytes a character has that begins with b. The text
// is what utf16Reader gave, with ASCII and whole characters changed.
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
