// Package changelog reads what an execution changed, row by row: it reads the changes file,
// cuts it into the documents that a store keeps under changes/, and lists its first rows for
// the audit document. It writes neither, and changes no table.
package changelog

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/internal/stored"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/strictjson"
)

// Read reads a changes file line by line. Memory is bounded by the
// longest line. The first error ends the sequence.
func Read(file io.Reader) iter.Seq2[pricing.Change, error] {
	return func(yield func(pricing.Change, error) bool) {
		lines := bufio.NewReaderSize(file, 64<<10)
		for {
			line, err := readLine(lines)
			if err == io.EOF {
				return
			}
			var change pricing.Change
			if err == nil {
				change, err = parseChange(line)
			}
			if !yield(change, err) || err != nil {
				return
			}
		}
	}
}

// readLine reads a line with its newline. It is valid until the next read.
// io.EOF: there is none left.
func readLine(lines *bufio.Reader) ([]byte, error) {
	line, err := lines.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		var rest []byte
		line = slices.Clone(line)
		rest, err = lines.ReadBytes('\n')
		line = append(line, rest...)
	}
	switch {
	case err == io.EOF && len(line) == 0:
		return nil, io.EOF
	case err != nil:
		return nil, errs.Wrap(errs.KindOf(err), err, "the changes file ends in the middle of a line")
	default:
		return line, nil
	}
}

func parseChange(line []byte) (pricing.Change, error) {
	var change pricing.Change
	if err := strictjson.Decode(line, &change); err != nil {
		return pricing.Change{}, errs.Wrap(errs.Internal, err, "a line of the changes file is not a change")
	}
	return change, nil
}

// Recorded says how many of a sealed execution's change documents are known to
// be stored: those up to a number, made of the changes file's first bytes. The
// hash is of these bytes as they were read; a delivery that goes on after them
// reads the same ones, or begins again. It is a note on the way, and no part of what was sealed.
type Recorded struct {
	Documents int    `json:"documents"`
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"`
}

// SKUChange is a change with the execution that made it.
type SKUChange struct {
	ExecutionID string    `json:"execution_id"`
	ExecutedAt  time.Time `json:"executed_at"`
	pricing.Change
}

// Limits of a change document: it is closed when the next change would pass either.
const (
	MaxDocumentChanges = 500
	MaxDocumentBytes   = 700 << 10 // of changes, as JSON
	MaxDocuments       = 1_000_000 // of an execution: their names have 6 digits
)

// Document is part of what an execution changed, in row order.
type Document struct {
	Number      int // from 0; the document's name is its 6 digits
	ExecutionID string
	ExecutedAt  time.Time
	Changes     json.RawMessage // an array of Change
}

// Name returns the document's name under changes/.
func (d Document) Name() string { return fmt.Sprintf("%06d", d.Number) }

// Rounded returns the document with its time in UTC and whole microseconds.
func (d Document) Rounded() Document {
	d.ExecutedAt = stored.Time(d.ExecutedAt)
	return d
}
