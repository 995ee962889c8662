package dialect

import (
	"bytes"
	"io"
	"slices"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"
)

// FuzzUTF16 reads any units, in pieces of any size, and writes them again: they
// come out as they came in, and what is text is read as the standard library
// reads it.
func FuzzUTF16(f *testing.F) {
	f.Add([]byte("s\x00k\x00u\x00,\x00p\x00r\x00i\x00c\x00e\x00\n\x00"), uint8(3), false)
	f.Add([]byte("\xff\xfea\x00\xac\x20\x3d\xd8\x00\xde\x00\xd8b\x00\x00\xdc"), uint8(1), false)
	f.Add([]byte("\xd8\x00\xd8\x3d\xde\x00\x00a\x00\x00"), uint8(2), true)
	f.Add(bytes.Repeat([]byte("a\x00b\x00\xe9\x00"), 20_000), uint8(77), false)
	f.Fuzz(func(t *testing.T, raw []byte, size uint8, bigEndian bool) {
		d := Dialect{Encoding: UTF16LE}
		if bigEndian {
			d.Encoding = UTF16BE
		}
		order, _ := d.ByteOrder()
		text, err := io.ReadAll(d.NewReader(iotest.HalfReader(bytes.NewReader(raw))))
		if err != nil {
			t.Fatal(err)
		}
		slow, err := io.ReadAll(d.NewReader(iotest.OneByteReader(bytes.NewReader(raw))))
		if err != nil || !bytes.Equal(slow, text) {
			t.Fatalf("read byte by byte % x is %q, %v; at once it is %q", raw, slow, err, text)
		}
		if len(raw)%2 == 1 {
			if text[len(text)-1] != 0 {
				t.Errorf("half a unit at the end of % x: %q", raw, text)
			}
			text, raw = text[:len(text)-1], raw[:len(raw)-1]
		}
		if out := written(t, d, text, 1+int(size)); !bytes.Equal(out, raw) {
			t.Errorf("% x comes out as % x", raw, out)
		}
		var units []uint16
		for at := 0; at < len(raw); at += 2 {
			units = append(units, order.Uint16(raw[at:]))
		}
		if want := string(utf16.Decode(units)); utf8.Valid(text) && string(text) != want {
			t.Errorf("% x is read as %q, want %q", raw, text, want)
		}
	})
}

// written is text in a dialect's encoding, written in parts of a size.
func written(t *testing.T, d Dialect, text []byte, size int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := d.NewWriter(&out)
	for part := range slices.Chunk(text, size) {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}
