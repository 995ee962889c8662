package row

import (
	"bytes"
	"io"

	"github.com/planwright/planwright/shared/table/scan"
)

// A table may be read in ranges, each by itself and all at the same time, and
// every row still belongs to one of them: where a row begins follows from
// whether the quotes before it are even in number, up to the first that begins no field.
// What is behind is one range.
// First each range is surveyed, without a look at the others. Then the surveys
// say, in their order, where the rows of each range begin and which number the
// first of them has.

// Survey is what a stretch of a table's text behind its header says by itself.
type Survey struct {
	Bytes int64
	Odd   bool // the number of quotes in it
	// First and Last are the bytes that it begins and ends with.
	First, Last byte
	// Reading is what its line ends mean where it begins outside quotes, and
	// where it begins within them.
	Reading [2]Reading
}

// Reading is how a stretch reads, given what stands before it.
type Reading struct {
	Rows  int64 // that end in it
	First int64 // where the first row behind such an end begins; -1: none ends in it
	Stray bool  // a quote in it begins no field
}

// Range is a stretch of a table in which whole rows stand.
type Range struct {
	From, To int64 // in the table's bytes
	Row      int64 // the first row's number
}

// Unit is the number of bytes of which one may not be cut from the others.
func (t *Table) Unit() int64 {
	if _, wide := t.Dialect.ByteOrder(); wide {
		return 2
	}
	return 1
}

// Body returns where the bytes behind the header begin.
func (t *Table) Body() int64 {
	var head counter
	_, _ = t.Writer(&head).Write(t.Head) // a counter has no errors
	return int64(head)
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// InLine reports whether the header ends within a line.
func (t *Table) InLine() bool {
	return !bytes.HasSuffix(t.Head, []byte("\n")) && !bytes.HasSuffix(t.Head, []byte("\r"))
}

// Survey surveys a stretch, which begins whole units behind the header.
func (t *Table) Survey(in io.Reader) (Survey, error) {
	s := Survey{Reading: [2]Reading{{First: -1}, {First: -1}}}
	unit := int(t.Unit())
	buffer := make([]byte, surveyBytes)
	for {
		n, err := io.ReadFull(in, buffer)
		s.add(
			t.narrow(buffer[:n]),
			surveyed{t.quote, t.Dialect.LineEnd.Byte(), t.Dialect.Delimiter.Byte()},
			unit,
		)
		s.Bytes += int64(n)
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return s, nil
		case err != nil:
			return Survey{}, err
		}
	}
}

const surveyBytes = 128 << 10 // whole units

// narrow returns a byte for each unit: itself where it is ASCII.
func (t *Table) narrow(raw []byte) []byte {
	order, wide := t.Dialect.ByteOrder()
	if !wide {
		return raw
	}
	units := raw[:0]
	for i := 0; i+1 < len(raw); i += 2 {
		units = append(units, byte(min(order.Uint16(raw[i:]), 0xff)))
	}
	return units
}

// surveyed are the bytes that a survey looks for.
type surveyed struct{ quote, lineEnd, delimiter byte }

// begins reports whether a quote behind a byte begins a field, or is the second of two.
func (of surveyed) begins(behind byte) bool {
	return behind == of.delimiter || behind == of.lineEnd || behind == of.quote
}

// add surveys more of the stretch, of which a byte stands for so many.
func (s *Survey) add(text []byte, of surveyed, unit int) {
	if len(text) == 0 {
		return
	}
	quote, lineEnd := of.quote, of.lineEnd
	if s.Bytes == 0 {
		s.First = text[0]
	}
	last := s.Last
	s.Last = text[len(text)-1]
	for at := 0; at < len(text); {
		end := len(text)
		if quote != 0 {
			if i := bytes.IndexByte(text[at:], quote); i >= 0 {
				end = at + i
			}
		}
		reading := &s.Reading[s.parity()]
		if reading.First < 0 {
			if i := bytes.IndexByte(text[at:end], lineEnd); i >= 0 {
				reading.First = s.Bytes + int64((at+i+1)*unit)
			}
		}
		reading.Rows += int64(bytes.Count(text[at:end], []byte{lineEnd}))
		if end < len(text) {
			if end > 0 {
				last = text[end-1]
			}
			if (end > 0 || s.Bytes > 0) && !of.begins(last) {
				reading.Stray = true
			}
			s.Odd = !s.Odd
			end++
		}
		at = end
	}
}

func (s *Survey) parity() int {
	if s.Odd {
		return 1
	}
	return 0
}

// Ranges returns the ranges of a table by the surveys of all stretches behind
// its header, in their order. A stretch in which no row begins has none. Where
// rows take from others what is not their own, there is one range: they are
// read in their order.
func (t *Table) Ranges(surveys []Survey) []Range {
	body, of := t.Body(), surveyed{t.quote, t.Dialect.LineEnd.Byte(), t.Dialect.Delimiter.Byte()}
	ranges := []Range{{From: body, Row: t.firstRow()}}
	at, row, within, strayed := body, t.firstRow(), 0, false
	for i, s := range surveys {
		reading := s.Reading[within]
		strayed = strayed || reading.Stray ||
			i > 0 && within == 0 && t.quote != 0 && s.First == t.quote && !of.begins(surveys[i-1].Last)
		if start := at + reading.First; i > 0 && reading.First >= 0 && t.family == nil && !strayed {
			ranges[len(ranges)-1].To = start
			ranges = append(ranges, Range{From: start, Row: row + 1})
		}
		row += reading.Rows
		within ^= s.parity()
		at += s.Bytes
	}
	ranges[len(ranges)-1].To = at
	return ranges
}

// of returns the table as it is read from one of its ranges.
func (t *Table) of(in io.Reader, size int) *Table {
	part := *t
	part.Head = nil
	part.blocks = scan.NewBlocks(t.Dialect.NewReader(in), size, t.quote, t.Dialect.LineEnd.Byte())
	part.blocks.Parts(t.quote, t.Dialect.LineEnd.Byte(), t.Dialect.Delimiter.Byte())
	if t.family != nil {
		part.family = t.family.Of(part.handsOn(t.family.Naming()))
		part.showAhead()
	}
	return &part
}

// ReadNear reads as much of a table that was only opened as is looked through for near names.
func (t *Table) ReadNear() error {
	_, err := t.blocks.Peek(scan.KeptBytes)
	return err
}
