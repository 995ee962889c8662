package scan

import (
	"bytes"
	"io"
	"slices"

	"github.com/planwright/planwright/shared/table/cell"
)

// Blocks cuts a table's text into blocks that end where a record does: at a
// line end with an even number of quotes before it. That holds up to the first quote
// within a field that does not begin with one. From there on they are cut exactly: a
// quote that begins no field does not count.
type Blocks struct {
	quote   byte
	lineEnd byte
	exact   bool
	before  [2]byte // what a field begins behind: the delimiter and the line end
	ahead   []byte  // text that was looked at and is still to be read
	in      io.Reader
	size    int    // bytes to read at a time
	tail    []byte // read, and not yet given out
	err     error  // of the last read; io.EOF at the end
	last    byte   // the last one that was read

	Given int // blocks given out

	// Where blocks are shown when they are read, and given out later: what
	// shows them, and how many bytes wait.
	show    func(block []byte, limit int) (inOrder bool)
	window  int
	waiting []readBlock
	waits   int
	spare   [][]byte // buffers
	rest    []byte   // of a block that is read

	keeps    bool // what is read is kept, as far as there is room
	kept     [][]byte
	keptSize int
}

// readBlock is a block that was read ahead.
type readBlock struct {
	text  []byte
	limit int
}

// AheadOf has blocks read so many bytes ahead of those that are given out, and
// shown to show, which reports whether no quote in them begins no field.
func (s *Blocks) AheadOf(window int, show func(block []byte, limit int) (inOrder bool)) {
	s.window, s.show = window, show
}

// Next returns a block, for which it takes the buffer, and where its records
// end; 0 is the end of the input.
func (s *Blocks) Next(buffer []byte) (block []byte, limit int, err error) {
	s.Given++
	if s.show == nil {
		return s.read(buffer)
	}
	s.spare = append(s.spare, buffer)
	for s.waits < s.window {
		last := len(s.spare) - 1
		if last >= 0 {
			buffer, s.spare = s.spare[last], s.spare[:last]
		}
		if block, limit, err = s.read(buffer); limit == 0 || err != nil {
			break
		}
		buffer = nil
		if !s.show(block, limit) && !s.exact {
			s.CutExactly(block[:limit])
			continue
		}
		s.waiting, s.waits = append(s.waiting, readBlock{block, limit}), s.waits+limit
	}
	if len(s.waiting) == 0 || err != nil {
		return block, 0, err
	}
	first := s.waiting[0]
	s.waiting, s.waits = s.waiting[1:], s.waits-first.limit
	return first.text, first.limit, nil
}

// read reads a block into buffer, which grows as it must, and returns where
// its records end; 0 is the end of the input.
func (s *Blocks) read(buffer []byte) (grown []byte, limit int, err error) {
	filled := copy(Grow(&buffer, len(s.tail)), s.tail)
	s.tail = s.tail[:0]
	quotes, counted := 0, 0
	for size := s.size; ; size = filled + s.size {
		size = max(size, filled+1)
		filled += s.Fill(Grow(&buffer, size)[filled:size])
		if !s.exact {
			quotes += bytes.Count(buffer[counted:filled], []byte{s.quote})
			counted = filled
		}
		err := s.Err()
		if err != nil && err != io.EOF {
			return buffer, 0, err
		}
		if s.exact {
			limit = s.exactRecordEnd(buffer[:filled])
		} else {
			limit = s.lastRecordEnd(buffer[:filled], quotes)
		}
		if err == io.EOF || limit == 0 && filled > MaxRecordBytes+2 {
			limit = filled // the rest; or a record that is too long
		}
		if limit > 0 || filled == 0 {
			s.tail = append(s.tail, buffer[limit:filled]...)
			return buffer, limit, nil
		}
	}
}

// CutExactly has blocks cut exactly from a text on, which was given out and is read again.
func (s *Blocks) CutExactly(from []byte) {
	s.exact = true
	s.Unread(from)
}

// Exact reports whether blocks are cut exactly.
func (s *Blocks) Exact() bool { return s.exact }

// Unread gives back what the next block shall begin with.
func (s *Blocks) Unread(p []byte) { s.tail = append(bytes.Clone(p), s.tail...) }

// Peek returns the next so many bytes, or all that there are, which are
// still to be read. Behind them is room for a line end and a word.
func (s *Blocks) Peek(size int) ([]byte, error) {
	ahead := append(s.tail, s.ahead...)
	s.tail, s.ahead = nil, nil
	for len(ahead) < size && s.err == nil {
		ahead = slices.Grow(ahead, min(size-len(ahead), max(len(ahead), aheadBytes))+cell.WordBytes)
		n := s.Fill(ahead[len(ahead) : cap(ahead)-cell.WordBytes])
		ahead = ahead[:len(ahead)+n]
	}
	if s.err != nil && s.err != io.EOF {
		return nil, s.err
	}
	s.ahead = slices.Grow(ahead, cell.WordBytes)
	return s.ahead, nil
}

// aheadBytes is how much is read at first to look ahead; then as much again.
const aheadBytes = 1 << 20

// Err returns the error of the last read, once all that was read before it has
// been given out; io.EOF at the end.
func (s *Blocks) Err() error {
	if len(s.ahead) > 0 {
		return nil
	}
	return s.err
}

// Read reads what no block was made of.
func (s *Blocks) Read(p []byte) (int, error) {
	if len(s.rest) == 0 && s.show != nil {
		block, limit, err := s.Next(nil)
		if err != nil {
			return 0, err
		}
		s.rest = block[:limit]
	}
	if n := copy(p, s.rest); n > 0 {
		s.rest = s.rest[n:]
		return n, nil
	}
	n := copy(p, s.tail)
	s.tail = s.tail[n:]
	if n > 0 {
		return n, nil
	}
	if n = s.Fill(p); n > 0 {
		return n, nil
	}
	return 0, s.Err()
}

// InLine reports whether what has been read so far ends within a line.
func (s *Blocks) InLine() bool { return s.last != '\n' && s.last != '\r' }

// Fill fills p with what no block was made of, unless the input ends before:
// then Err says so.
func (s *Blocks) Fill(p []byte) (n int) {
	n = copy(p, s.ahead)
	s.ahead = s.ahead[n:]
	for idle := 0; n < len(p) && s.err == nil; {
		var read int
		read, s.err = s.in.Read(p[n:])
		s.keep(p[n : n+read])
		n += read
		if idle++; read > 0 {
			idle, s.last = 0, p[n-1]
		}
		if idle == maxIdleReads {
			s.err = io.ErrNoProgress
		}
	}
	return n
}

const maxIdleReads = 100 // as in bufio

// Grow gives the buffer room for size bytes and the padding, and returns it.
func Grow(buffer *[]byte, size int) []byte {
	if size += BlockPadding; len(*buffer) < size {
		grown := make([]byte, size)
		copy(grown, *buffer)
		*buffer = grown
	}
	return *buffer
}

// lastRecordEnd returns where the last whole record of data ends, given the
// number of quotes in it; 0 where there is none.
func (s *Blocks) lastRecordEnd(data []byte, quotes int) int {
	for end := len(data); ; {
		newline := bytes.LastIndexByte(data[:end], s.lineEnd)
		if newline < 0 {
			return 0
		}
		quotes -= bytes.Count(data[newline:end], []byte{s.quote})
		if quotes%2 == 0 {
			return newline + 1
		}
		end = newline
	}
}

// exactRecordEnd returns where the last whole record of data ends, which begins where one
// does; 0 where there is none.
func (s *Blocks) exactRecordEnd(data []byte) (end int) {
	for at := 0; at < len(data); {
		stretch := data[at:]
		quote := bytes.IndexByte(stretch, s.quote)
		if s.quote == 0 {
			quote = -1
		}
		if quote >= 0 {
			stretch = stretch[:quote]
		}
		if newline := bytes.LastIndexByte(stretch, s.lineEnd); newline >= 0 {
			end = at + newline + 1
		}
		if quote < 0 {
			break
		}
		at += quote
		if at > 0 && bytes.IndexByte(s.before[:], data[at-1]) < 0 {
			at++
			continue
		}
		if at = ClosingQuote(data, len(data), at); at < 0 {
			break
		}
	}
	return end
}

// ClosingQuote returns where the quoted field that begins at pos ends, past
// its closing quote, or -1 where it has none.
func ClosingQuote(block []byte, limit, pos int) int {
	for pos++; pos < limit; pos += 2 {
		i := bytes.IndexByte(block[pos:limit], '"')
		if i < 0 {
			break
		}
		if pos += i; pos+1 == limit || block[pos+1] != '"' {
			return pos + 1
		}
	}
	return -1
}

// KeptBytes is how much of a table's beginning is kept, to find in it which
// names somebody may have meant by those that the table has not.
const KeptBytes = 4 << 20

// keep keeps what was read, up to a limit.
func (s *Blocks) keep(read []byte) {
	if room := KeptBytes - s.keptSize; s.keeps && room > 0 && len(read) > 0 {
		kept := bytes.Clone(read[:min(len(read), room)])
		s.kept = append(s.kept, kept)
		s.keptSize += len(kept)
	}
}

// KeepFrom begins to keep what is read, with what was looked at already.
func (s *Blocks) KeepFrom(keeps bool) {
	s.keeps = keeps
	s.keep(s.ahead)
}

// Keeps reports whether what is read is still kept.
func (s *Blocks) Keeps() bool { return s.keeps && s.keptSize < KeptBytes }

// Forget drops what was kept and keeps no more: all names have been found.
func (s *Blocks) Forget() { s.keeps, s.kept = false, nil }

// Remembered is what was kept.
func (s *Blocks) Remembered() []byte { return bytes.Join(s.kept, nil) }

// MaxRecordBytes is the longest record of a table.
const MaxRecordBytes = 4 << 20

// Behind a block's last byte, at block[limit], stands a line end that is not part
// of it, so that a file without a final one needs no case of its own, then blanks
// to scan whole strides, and room for names without their doubled quotes. Words can
// be loaded anywhere.
const (
	// BlockPadding is how much a block is longer than its records.
	BlockPadding = Padding + unquotedNames*UnquotedRoom
	// UnquotedRoom is that of one name.
	UnquotedRoom = cell.MaxNameBytes + 1 + cell.WordBytes
	// unquotedNames is how many names of one record may have doubled quotes.
	unquotedNames = 16
)

// NewBlocks returns the blocks of a text, of which so many bytes are read at a time.
// In begins with what was looked at already.
func NewBlocks(in io.Reader, size int, quote, lineEnd byte) *Blocks {
	return &Blocks{in: in, size: size, quote: quote, lineEnd: lineEnd}
}

// Parts tells the blocks by what records end and fields are separated, and by what fields
// are quoted: NUL where none are.
func (s *Blocks) Parts(quote, lineEnd, delimiter byte) {
	s.quote, s.lineEnd, s.before = quote, lineEnd, [2]byte{delimiter, lineEnd}
}

// Ended reports whether all of the input was read, though not all given out.
func (s *Blocks) Ended() bool { return s.Err() == io.EOF || s.err == io.EOF }
