package ledger

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

// ReadChanges reads a changes file line by line. Memory is bounded by the
// longest line. The first error ends the sequence.
func ReadChanges(file io.Reader) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		lines := bufio.NewReaderSize(file, 64<<10)
		for {
			line, err := readLine(lines)
			if err == io.EOF {
				return
			}
			var change Change
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

func parseChange(line []byte) (Change, error) {
	var change Change
	if err := strictjson.Decode(line, &change); err != nil {
		return Change{}, errs.Wrap(errs.Internal, err, "a line of the changes file is not a change")
	}
	return change, nil
}

// DocumentReader cuts a changes file into change documents, filled in order,
// each closed only when the next change would not fit: the same file gives the
// same documents, wherever the reading of it was interrupted. The lines are
// passed on as they stand in the file.
type DocumentReader struct {
	executionID string
	executedAt  time.Time
	lines       *bufio.Reader
	next        []byte    // a line that did not fit into the document before
	hash        hash.Hash // of the lines that are in documents
	documents   int
	bytes       int64
}

// linesBytes are read at once: most changes files are smaller, and each
// execution reads its own.
const linesBytes = 32 << 10

// NewDocumentReader reads the changes file of a sealed execution.
func NewDocumentReader(file io.Reader, executionID string, executedAt time.Time) *DocumentReader {
	return &DocumentReader{
		executionID: executionID,
		executedAt:  executedAt,
		lines:       bufio.NewReaderSize(file, linesBytes),
		hash:        sha256.New(),
	}
}

// Recorded describes the documents that were read or skipped.
func (r *DocumentReader) Recorded() Recorded {
	return Recorded{Documents: r.documents, Bytes: r.bytes, SHA256: hex.EncodeToString(r.hash.Sum(nil))}
}

// Skip passes over the documents that are stored already. It reports whether
// they were made of the bytes that the file begins with; if they were not,
// nothing more can be read.
func (r *DocumentReader) Skip(stored Recorded) (same bool, err error) {
	if stored.Documents == 0 {
		return true, nil
	}
	if _, err := io.CopyN(r.hash, r.lines, stored.Bytes); err != nil && err != io.EOF {
		return false, err
	}
	r.documents, r.bytes = stored.Documents, stored.Bytes
	return r.Recorded() == stored, nil
}

// Next returns the next document. io.EOF: there is none left.
func (r *DocumentReader) Next() (ChangeDocument, error) {
	changes, count, size := []byte{'['}, 0, 0
	for count < MaxDocumentChanges {
		line, err := r.line()
		if err == io.EOF {
			break
		} else if err != nil {
			return ChangeDocument{}, err
		}
		change := bytes.TrimSuffix(line, []byte("\n"))
		if count > 0 {
			if size+len(change) > MaxDocumentBytes {
				r.next = line
				break
			}
			changes = append(changes, ',')
		}
		changes = append(changes, change...)
		count, size = count+1, size+len(change)
		r.hash.Write(line)
		r.bytes += int64(len(line))
	}
	if count == 0 {
		return ChangeDocument{}, io.EOF
	}
	r.documents++
	return ChangeDocument{
		Number: r.documents - 1, ExecutionID: r.executionID, ExecutedAt: r.executedAt, Changes: append(changes, ']'),
	}, nil
}

// All goes through the documents that are left.
func (r *DocumentReader) All() iter.Seq2[ChangeDocument, error] {
	return func(yield func(ChangeDocument, error) bool) {
		for {
			document, err := r.Next()
			if err == io.EOF || !yield(document, err) || err != nil {
				return
			}
		}
	}
}

func (r *DocumentReader) line() ([]byte, error) {
	if line := r.next; line != nil {
		r.next = nil
		return line, nil
	}
	return readLine(r.lines)
}

// Listing is what an audit document lists of the changes.
type Listing struct {
	SKUs      []string
	Changes   []Change
	Truncated bool
}

// listingBytes hold all lines that a listing can have, and of the one after
// them enough to know that it is there.
const listingBytes = MaxAuditChangesBytes + MaxAuditChanges + 64<<10

// Listing returns what an audit document lists of the changes: the first, up
// to one that does not fit. It must be asked for before anything is read.
func (r *DocumentReader) Listing() (Listing, error) {
	head, err := io.ReadAll(io.LimitReader(r.lines, listingBytes))
	if err != nil {
		return Listing{}, err
	}
	r.lines = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(head), r.lines), linesBytes)
	return listChanges(bytes.NewReader(head), len(head) < listingBytes)
}

// ListChanges is Listing for a changes file of which nothing else is read.
func ListChanges(file io.Reader) (Listing, error) {
	return NewDocumentReader(file, "", time.Time{}).Listing()
}

// listChanges lists the changes of the head of a file, which may be all of it.
func listChanges(head io.Reader, all bool) (Listing, error) {
	var listing Listing
	lines, room := bufio.NewReaderSize(head, 16<<10), MaxAuditChangesBytes
	seen := map[string]bool{}
	for {
		line, err := readLine(lines)
		switch {
		case err == io.EOF:
			return listing, nil
		case err != nil && !all: // a line that is longer than there is room
			listing.Truncated = true
			return listing, nil
		case err != nil:
			return Listing{}, err
		}
		change, err := parseChange(line)
		if err != nil {
			return Listing{}, err
		}
		if room -= len(line) - 1; !seen[change.SKU] {
			room -= len(change.SKU)
		}
		if room < 0 || len(listing.Changes) == MaxAuditChanges {
			listing.Truncated = true
			return listing, nil
		}
		listing.Changes = append(listing.Changes, change)
		if !seen[change.SKU] {
			seen[change.SKU] = true
			listing.SKUs = append(listing.SKUs, change.SKU)
		}
	}
}
