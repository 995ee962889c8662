package dialect

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"sync"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/transform"
)

// A coding has its table worked on as another text than its bytes are: UTF-8, in
// which no byte of a character passes for a delimiter, a quote or a letter. What
// is decoded and not changed is encoded to the very bytes that it was.
type coding interface {
	// decode appends what raw says, and returns what only the next bytes make
	// whole.
	decode(text, raw []byte, last bool) (decoded, rest []byte)
	// encode appends what a text is written as, and returns what only the next
	// bytes make whole.
	encode(raw, text []byte) (encoded, rest []byte, err error)
}

// coding returns nil where a table is worked on as it is.
func (d Dialect) coding() coding {
	if order, wide := d.ByteOrder(); wide {
		return utf16Coding{order}
	}
	if m := multibyteOf(d.Encoding); m != nil {
		return &multibyteCoding{decoder: m.codes.NewDecoder().Transformer, encoder: m.codes.NewEncoder().Transformer, usual: usualCodes()[m.encoding], kana: m.encoding == ShiftJIS}
	}
	return nil
}

// NewReader returns a reader of the text that is worked on.
func (d Dialect) NewReader(in io.Reader) io.Reader {
	coding := d.coding()
	if coding == nil {
		return in
	}
	return &reader{in: in, coding: coding, raw: make([]byte, 0, codedBytes), room: make([]byte, 0, 2*codedBytes)}
}

// NewWriter returns a writer to which that text is written, so that out gets it as
// it came in.
func (d Dialect) NewWriter(out io.Writer) io.Writer {
	coding := d.coding()
	if coding == nil {
		return out
	}
	return &writer{out: out, coding: coding}
}

type reader struct {
	in     io.Reader
	coding coding
	raw    []byte // read, and not decoded
	text   []byte // decoded, and not given out
	room   []byte // where text is
	err    error  // of the last read
}

const codedBytes = 32 << 10 // read at a time

func (r *reader) Read(p []byte) (int, error) {
	for len(r.text) == 0 && r.err == nil {
		n, err := r.in.Read(r.raw[len(r.raw):cap(r.raw)])
		r.raw, r.err = r.raw[:len(r.raw)+n], err
		var rest []byte
		r.text, rest = r.coding.decode(r.room[:0], r.raw, err != nil)
		r.raw = r.raw[:copy(r.raw, rest)]
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

type writer struct {
	out    io.Writer
	coding coding
	raw    []byte
	rest   []byte // of a character whose last bytes are still to come
}

func (w *writer) Write(p []byte) (int, error) {
	text := p
	if len(w.rest) > 0 {
		w.rest = append(w.rest, p...)
		text = w.rest
	}
	raw, rest, err := w.coding.encode(w.raw[:0], text)
	if err != nil {
		return 0, err
	}
	w.raw, w.rest = raw, append(w.rest[:0], rest...)
	if n, err := w.out.Write(raw); err != nil {
		return 0, err
	} else if n < len(raw) {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// multibyte is an encoding in which some characters have one byte, others two or four,
// of which all but the first may be letters, digits or signs of ASCII.
type multibyte struct {
	encoding Encoding
	codes    encoding.Encoding
	// common are the first bytes and the last, each from and to, of characters of
	// which most texts are.
	common [][4]byte
	// usual reports whether of two codes of one character others write the first, and the
	// encoder the second; nil: of none.
	usual func(code, coded uint16) bool
}

// multibytes are all of them. What one has in common with the next is the stricter
// one's: Hangul is in the place of a part of the Chinese characters.
var multibytes = []multibyte{
	{EUCKR, korean.EUCKR, [][4]byte{{0xa1, 0xa3, 0xa1, 0xfe}, {0xb0, 0xc8, 0xa1, 0xfe}}, nil},
	{ShiftJIS, japanese.ShiftJIS, [][4]byte{{0x81, 0x83, 0x40, 0xfc}, {0x88, 0x98, 0x40, 0xfc}}, func(_, coded uint16) bool {
		return coded>>8 == 0xed || coded>>8 == 0xee // what Windows has as IBM's extension
	}},
	{GB18030, simplifiedchinese.GB18030, [][4]byte{{0xa1, 0xa3, 0xa1, 0xfe}, {0xb0, 0xd7, 0xa1, 0xfe}}, nil},
	{Big5, traditionalchinese.Big5, [][4]byte{{0xa1, 0xa3, 0x40, 0xfe}, {0xa4, 0xc6, 0x40, 0xfe}}, func(code, coded uint16) bool {
		return code >= 0xa140 && code < coded && coded > 0xc6a0 && (code < 0xc6a1 || code > 0xc8fe) // it is no extension, of Hong Kong's or another
	}},
}

func multibyteOf(encoding Encoding) *multibyte {
	if i := slices.IndexFunc(multibytes, func(m multibyte) bool { return m.encoding == encoding }); i >= 0 {
		return &multibytes[i]
	}
	return nil
}

// multibyteCoding decodes with tables that know several bytes for some characters,
// and one of them when they encode. Bytes that would not come out as they came in,
// and those that are no character, become halves of surrogate pairs with their
// value, as in UTF-16: in a name they are a fault.
type multibyteCoding struct {
	decoder, encoder transform.Transformer
	kana             bool              // some characters that are not ASCII have one byte
	usual            map[uint16]uint16 // codes, by those that the encoder has for the same character
	text, back       [3 * pieceBytes]byte
}

// usualCodes are those of each encoding.
var usualCodes = sync.OnceValue(func() map[Encoding]map[uint16]uint16 {
	all := map[Encoding]map[uint16]uint16{}
	for _, m := range multibytes {
		if m.usual == nil {
			continue
		}
		all[m.encoding] = map[uint16]uint16{}
		for code := uint16(0x8140); code < 0xff00; code++ {
			text, err := m.codes.NewDecoder().Bytes([]byte{byte(code >> 8), byte(code)})
			back, unknown := m.codes.NewEncoder().Bytes(text)
			if err != nil || unknown != nil || len(back) != 2 {
				continue
			}
			if coded := binary.BigEndian.Uint16(back); coded != code && m.usual(code, coded) {
				all[m.encoding][coded] = code
			}
		}
	}
	return all
})

const pieceBytes = 256 // decoded at a time

func (c *multibyteCoding) decode(text, raw []byte, last bool) (decoded, rest []byte) {
	for len(raw) > 0 {
		piece := raw[:min(len(raw), pieceBytes)]
		n, said := c.exactly(piece)
		if said != nil {
			text, raw = append(text, said...), raw[n:]
			continue
		}
		if text, n = c.oneByOne(text, piece, last && len(piece) == len(raw)); n == 0 {
			break
		}
		raw = raw[n:]
	}
	return text, raw
}

// oneByOne decodes the characters of a piece, but for one that may go on behind it.
func (c *multibyteCoding) oneByOne(text, piece []byte, last bool) (decoded []byte, n int) {
	for n < len(piece) {
		size, said := c.first(piece[n:])
		if size == 0 && !last {
			break
		}
		if size = max(size, 1); said == nil {
			for _, b := range piece[n : n+size] {
				text = appendHalf(text, halves|rune(b))
			}
		}
		text, n = append(text, said...), n+size
	}
	return text, n
}

// transform encodes as much of a text as there is room for.
func (c *multibyteCoding) transform(text []byte, last bool) (encoded []byte, read int, err error) {
	size, read, err := c.encoder.Transform(c.back[:], text, last)
	encoded = c.back[:size]
	for i := 0; len(c.usual) > 0 && i+1 < size; i++ {
		if encoded[i] < 0x80 || encoded[i] > 0xa0 && encoded[i] < 0xe0 && c.kana {
			continue
		}
		if code, other := c.usual[binary.BigEndian.Uint16(encoded[i:])]; other {
			binary.BigEndian.PutUint16(encoded[i:], code)
		}
		i++
	}
	return encoded, read, err
}

// longest is how many bytes a character has at most, and halves the first of the
// characters that stand for single bytes.
const longest, halves = 4, 0xdc00

// exactly decodes the whole characters that a piece begins with; nil: there are none, or they
// would not all come out as they are.
func (c *multibyteCoding) exactly(piece []byte) (n int, text []byte) {
	decoded, n, _ := c.decoder.Transform(c.text[:], piece, false)
	encoded, _, err := c.transform(c.text[:decoded], true)
	if n == 0 || err != nil || !bytes.Equal(encoded, piece[:n]) {
		return 0, nil
	}
	return n, c.text[:decoded]
}

// first decodes the character that a piece begins with. nil: it is none, or has
// other bytes; n is 0 where it may go on, and 1 where it is none.
func (c *multibyteCoding) first(piece []byte) (n int, text []byte) {
	for size := 1; size <= min(longest, len(piece)); size++ {
		decoded, n, _ := c.decoder.Transform(c.text[:], piece[:size], false)
		switch {
		case n == 0:
			continue
		case bytes.ContainsRune(c.text[:decoded], '\ufffd'):
			n = 1
		}
		if size, text := c.exactly(piece[:n]); size == n {
			return n, text
		}
		return n, nil
	}
	return 0, nil
}

func (c *multibyteCoding) encode(raw, text []byte) (encoded, rest []byte, err error) {
	for len(text) > 0 {
		half := bytes.IndexByte(text, 0xed)
		for half >= 0 && half+1 < len(text) && text[half+1] < 0xa0 { // Hangul
			next := bytes.IndexByte(text[half+1:], 0xed)
			if half += 1 + next; next < 0 {
				half = -1
			}
		}
		switch {
		case half == 0 && len(text) < 3:
			return raw, text, nil
		case half == 0:
			raw, text = append(raw, text[1]<<6|text[2]&0x3f), text[3:]
			continue
		case half < 0:
			half = len(text)
		}
		n := 0
		raw, n, err = c.append(raw, text[:half])
		if text = text[n:]; err != nil || n < half {
			return raw, text, err
		}
	}
	return raw, text, nil
}

// append appends what a text is written as, but for what is part of a character at
// its end.
func (c *multibyteCoding) append(raw, text []byte) (encoded []byte, n int, err error) {
	for n < len(text) {
		piece, read, err := c.transform(text[n:], false)
		raw, n = append(raw, piece...), n+read
		if err == transform.ErrShortSrc {
			break
		}
		if err != nil && err != transform.ErrShortDst {
			return raw, n, err
		}
	}
	return raw, n, nil
}

// byteOrder reads and writes units of two bytes.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}
