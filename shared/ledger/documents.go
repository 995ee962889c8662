package ledger

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// Line is one change with its size as JSON, newline not counted.
type Line struct {
	Change Change
	Bytes  int
}

// ReadChanges reads a changes file line by line. Memory is bounded by the
// longest line. The first error ends the sequence.
func ReadChanges(file io.Reader) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		lines := bufio.NewReaderSize(file, 64<<10)
		for number := 1; ; number++ {
			text, err := lines.ReadBytes('\n')
			if err == io.EOF && len(text) == 0 {
				return
			}
			if err != nil {
				yield(Line{}, errs.Wrap(errs.KindOf(err), err, "the changes file ends in the middle of line %d", number))
				return
			}
			line := Line{Bytes: len(text) - 1}
			if err := json.Unmarshal(bytes.TrimSuffix(text, []byte("\n")), &line.Change); err != nil {
				yield(Line{}, errs.Wrap(errs.Internal, err, "line %d of the changes file is not a change", number))
				return
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// Documents cuts changes into change documents, filled in order, each closed
// only when the next change would not fit: the same changes give the same
// documents, whoever cuts them.
func Documents(executionID string, executedAt time.Time, lines iter.Seq2[Line, error]) iter.Seq2[ChangeDocument, error] {
	return func(yield func(ChangeDocument, error) bool) {
		open := newDocument(0, executionID, executedAt)
		for line, err := range lines {
			if err != nil {
				yield(ChangeDocument{}, err)
				return
			}
			if !open.fits(line) {
				if !yield(open.ChangeDocument, nil) {
					return
				}
				open = newDocument(open.Number+1, executionID, executedAt)
			}
			open.add(line)
		}
		if len(open.Changes) > 0 {
			yield(open.ChangeDocument, nil)
		}
	}
}

// document is a change document being filled.
type document struct {
	ChangeDocument
	bytes int
	seen  map[string]bool
}

func newDocument(number int, executionID string, executedAt time.Time) *document {
	return &document{
		ChangeDocument: ChangeDocument{Number: number, ExecutionID: executionID, ExecutedAt: executedAt},
		seen:           map[string]bool{},
	}
}

func (d *document) fits(line Line) bool {
	return len(d.Changes) == 0 ||
		len(d.Changes) < MaxDocumentChanges && d.bytes+line.Bytes <= MaxDocumentBytes
}

func (d *document) add(line Line) {
	d.bytes += line.Bytes
	d.Changes = append(d.Changes, line.Change)
	if !d.seen[line.Change.SKU] {
		d.seen[line.Change.SKU] = true
		d.SKUs = append(d.SKUs, line.Change.SKU)
	}
}

// Listing is what an audit document lists of the changes.
type Listing struct {
	SKUs      []string
	Changes   []Change
	Truncated bool
	bytes     int
	seen      map[string]bool
}

// Add lists a change while there is room. The first that does not fit ends
// the list: what follows it is in the changes file only.
func (l *Listing) Add(line Line) {
	size := line.Bytes
	if !l.seen[line.Change.SKU] {
		size += len(line.Change.SKU)
	}
	if l.Truncated || len(l.Changes) == MaxAuditChanges || l.bytes+size > MaxAuditChangesBytes {
		l.Truncated = true
		return
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.bytes += size
	l.Changes = append(l.Changes, line.Change)
	if !l.seen[line.Change.SKU] {
		l.seen[line.Change.SKU] = true
		l.SKUs = append(l.SKUs, line.Change.SKU)
	}
}

// Listed passes lines on and lists them on the way.
func (l *Listing) Listed(lines iter.Seq2[Line, error]) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for line, err := range lines {
			if err == nil {
				l.Add(line)
			}
			if !yield(line, err) {
				return
			}
		}
	}
}
