package dialect

import (
	"io"
)

// NewReader returns a reader of the text that is worked on: UTF-16 as UTF-8.
func (d Dialect) NewReader(in io.Reader) io.Reader {
	order, wide := d.ByteOrder()
	if !wide {
		return in
	}
	return &reader{
		in:     in,
		coding: utf16Coding{order},
		raw:    make([]byte, 0, codedBytes),
		room:   make([]byte, 0, 2*codedBytes),
	}
}

// NewWriter returns a writer to which that text is written, so that out gets it as
// it came in.
func (d Dialect) NewWriter(out io.Writer) io.Writer {
	order, wide := d.ByteOrder()
	if !wide {
		return out
	}
	return &writer{out: out, coding: utf16Coding{order}}
}

type reader struct {
	in     io.Reader
	coding utf16Coding
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
	coding utf16Coding
	raw    []byte
	rest   []byte // of a character whose last bytes are still to come
}

func (w *writer) Write(p []byte) (int, error) {
	text := p
	if len(w.rest) > 0 {
		w.rest = append(w.rest, p...)
		text = w.rest
	}
	raw, rest := w.coding.encode(w.raw[:0], text)
	w.raw, w.rest = raw, append(w.rest[:0], rest...)
	if n, err := w.out.Write(raw); err != nil {
		return 0, err
	} else if n < len(raw) {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}
