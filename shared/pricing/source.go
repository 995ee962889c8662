package pricing

import (
	"bytes"
	"io"
)

// source cuts the input into blocks that end where a record does: at a newline
// with an even number of quotes before it. That holds up to the first fault in
// the quoting, and nothing after a fault is written.
type source struct {
	in   io.Reader
	size int    // bytes to read at a time
	tail []byte // read, and not yet given out
	err  error  // of the last read; io.EOF at the end

	given int // blocks given out
}

// next reads a block into buffer, which grows as it must, and returns where
// its records end; 0 is the end of the input.
func (s *source) next(buffer []byte) (grown []byte, limit int, err error) {
	filled := copy(grow(&buffer, len(s.tail)), s.tail)
	s.tail = s.tail[:0]
	quotes, counted := 0, 0
	for size := s.size; ; size = filled + s.size {
		size = max(size, filled+1)
		filled += s.fill(grow(&buffer, size)[filled:size])
		quotes += bytes.Count(buffer[counted:filled], quote)
		counted = filled
		if s.err != nil && s.err != io.EOF {
			return buffer, 0, s.err
		}
		limit = lastRecordEnd(buffer[:filled], quotes)
		if s.err == io.EOF || limit == 0 && filled > maxRecordBytes+2 {
			limit = filled // the rest; or a record that is too long
		}
		if limit > 0 || filled == 0 {
			s.tail = append(s.tail, buffer[limit:filled]...)
			s.given++
			return buffer, limit, nil
		}
	}
}

var quote = []byte{'"'}

// unread gives back what the next block shall begin with.
func (s *source) unread(p []byte) { s.tail = append(bytes.Clone(p), s.tail...) }

// Read reads what no block was made of.
func (s *source) Read(p []byte) (int, error) {
	if len(s.tail) > 0 {
		n := copy(p, s.tail)
		s.tail = s.tail[n:]
		return n, nil
	}
	n := s.fill(p)
	if n > 0 {
		return n, nil
	}
	return 0, s.err
}

// fill fills p unless the input ends before.
func (s *source) fill(p []byte) (n int) {
	for idle := 0; n < len(p) && s.err == nil; {
		var read int
		read, s.err = s.in.Read(p[n:])
		n += read
		if idle++; read > 0 {
			idle = 0
		}
		if idle == maxIdleReads {
			s.err = io.ErrNoProgress
		}
	}
	return n
}

const maxIdleReads = 100 // as in bufio

// grow gives the buffer room for size bytes and the padding, and returns it.
func grow(buffer *[]byte, size int) []byte {
	if size += blockPadding; len(*buffer) < size {
		grown := make([]byte, size)
		copy(grown, *buffer)
		*buffer = grown
	}
	return *buffer
}

// lastRecordEnd returns where the last whole record of data ends, given the
// number of quotes in it; 0 where there is none.
func lastRecordEnd(data []byte, quotes int) int {
	for end := len(data); ; {
		newline := bytes.LastIndexByte(data[:end], '\n')
		if newline < 0 {
			return 0
		}
		quotes -= bytes.Count(data[newline:end], quote)
		if quotes%2 == 0 {
			return newline + 1
		}
		end = newline
	}
}
