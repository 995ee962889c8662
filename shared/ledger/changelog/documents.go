package changelog

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"iter"
	"time"
)

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
func (r *DocumentReader) Next() (Document, error) {
	changes, count, size := []byte{'['}, 0, 0
	for count < MaxDocumentChanges {
		line, err := r.line()
		if err == io.EOF {
			break
		} else if err != nil {
			return Document{}, err
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
		return Document{}, io.EOF
	}
	r.documents++
	return Document{
		Number:      r.documents - 1,
		ExecutionID: r.executionID,
		ExecutedAt:  r.executedAt,
		Changes:     append(changes, ']'),
	}, nil
}

// All goes through the documents that are left.
func (r *DocumentReader) All() iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
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

// Listing returns what an audit document lists of the changes: the first, up
// to one that does not fit. It must be asked for before anything is read.
func (r *DocumentReader) Listing() (Listing, error) {
	head, err := io.ReadAll(io.LimitReader(r.lines, listingBytes))
	if err != nil {
		return Listing{}, err
	}
	r.lines = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(head), r.lines), linesBytes)
	return listHead(bytes.NewReader(head), len(head) < listingBytes)
}
