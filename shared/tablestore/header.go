package tablestore

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// maxHeaderBytes is how far the end of a table's first line is looked for.
const maxHeaderBytes = 64 << 10

// ReadHeader reads the first line of a table, and returns its SHA-256 with a reader of the
// whole table. The line is taken as bytes, without what ends it and without a byte-order
// mark, before anybody knows how the table is read. A line that only names the delimiter
// counts as part of the one below it. It is "" where no line ends.
func ReadHeader(in io.Reader) (sum string, whole io.Reader, err error) {
	start := make([]byte, maxHeaderBytes)
	n, err := io.ReadFull(in, start)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return sumOfHeader(start[:n]), io.MultiReader(bytes.NewReader(start[:n]), in), err
}

func sumOfHeader(start []byte) string {
	start = bytes.TrimPrefix(start, []byte("\xef\xbb\xbf"))
	end := lineEnd(start, 0)
	if end > 0 && namesDelimiter(start[:end]) {
		next := end + 1
		for next < len(start) && (start[next] == '\n' || start[next] == '\r' || start[next] == 0) {
			next++
		}
		end = lineEnd(start, next)
	}
	if end <= 0 {
		return ""
	}
	sum := sha256.Sum256(start[:end])
	return hex.EncodeToString(sum[:])
}

// lineEnd is where the line ends that begins at a byte; -1: it does not.
func lineEnd(text []byte, from int) int {
	end := bytes.IndexAny(text[from:], "\r\n")
	if end < 0 {
		return -1
	}
	return from + end
}

// namesDelimiter reports whether a line is sep=; or the like, in any encoding.
func namesDelimiter(line []byte) bool {
	return len(line) <= 16 &&
		bytes.Contains(bytes.ToLower(bytes.ReplaceAll(line, []byte{0}, nil)), []byte("sep="))
}
