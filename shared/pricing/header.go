package pricing

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/table"
)

const byteOrderMark = "\ufeff"

// header reads the header row, finds the needed columns in it and writes it as
// it came, with a byte-order mark if there was one.
func (r *run) header(ctx context.Context) error {
	block, limit, err := r.source.next(nil)
	if err != nil {
		return err
	}
	if fault := encodingFault(block[:limit]); fault != nil {
		return &InputError{Faults: []Fault{*fault}}
	}
	start := 0
	if bytes.HasPrefix(block[:limit], []byte(byteOrderMark)) {
		start = len(byteOrderMark)
	}
	block[limit] = '\n'
	splitter := newSplitter(countFields(block[start:limit]))
	end, next, found := splitter.split(block, limit, start)
	switch {
	case found != fine:
	case end-start > maxRecordBytes:
		found = recordTooLong
	case bytes.IndexByte(block[start:end], 0) >= 0:
		found = nulByte
	}
	if found != fine {
		return &InputError{Faults: []Fault{{Row: 1, Value: shown(block[start:cellEnd(block, end, limit)]), Message: advice[found]}}}
	}
	for i := range splitter.fields {
		name := splitter.record().field(uint32(i))
		r.names = append(r.names, headerName(block[name.from:name.to]))
	}
	if faults := r.findColumns(); len(faults) > 0 {
		return &InputError{Faults: faults}
	}
	next = min(next, limit)
	r.source.unread(block[next:limit])
	return r.out.put(ctx, block[:next])
}

// countFields returns a count that no header of these bytes exceeds.
func countFields(text []byte) int {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if bytes.IndexByte(line, '"') >= 0 {
		line = text
	}
	return bytes.Count(line, []byte(",")) + 1
}

// encodingFault refuses a file that is empty or no text of the kind a table is.
func encodingFault(text []byte) *Fault {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case len(text) == 0:
		return &Fault{Row: 1, Message: "the file is empty: it needs a header row with the columns' names"}
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}), bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		return &Fault{Row: 1, Message: "the file begins with a UTF-16 byte-order mark: save it as CSV (UTF-8)"}
	case bytes.HasPrefix(text, []byte("PK\x03\x04")):
		return &Fault{Row: 1, Message: "the file is a workbook or an archive, not a table of text: export it as CSV (UTF-8)"}
	case bytes.IndexByte(line, 0) >= 0:
		return &Fault{Row: 1, Message: "there are NUL bytes in the header; is the file UTF-16? Save it as CSV (UTF-8)"}
	default:
		return nil
	}
}

// headerName returns the name in a header's cell.
func headerName(cell []byte) string {
	if len(cell) > 1 && cell[0] == '"' {
		return strings.ReplaceAll(string(cell[1:len(cell)-1]), `""`, `"`)
	}
	return string(cell)
}

// findColumns finds the needed columns among the header's names. A header
// that lacks one or has it twice is refused.
func (r *run) findColumns() (faults []Fault) {
	for column, name := range columnNames(r.settings.Columns) {
		is := func(other string) bool { return table.SameTitle(other, name) }
		found := slices.IndexFunc(r.names, is)
		r.columns[column] = found
		message := ""
		switch {
		case found < 0:
			message = "the header has no such column" + likelyQuestion(r.names)
		case slices.ContainsFunc(r.names[found+1:], is):
			message = "the header has this column more than once: rename all but one, or map another with the columns setting"
		default:
			continue
		}
		faults = append(faults, Fault{Row: 1, Column: name, Value: shown([]byte(strings.Join(r.names, ","))), Message: message})
	}
	return faults
}

// likelyQuestion asks what most likely went wrong with a header that lacks a
// column.
func likelyQuestion(names []string) string {
	header := strings.Join(names, ",")
	switch {
	case strings.Trim(header, ",") == "":
		return "; is its first line empty?"
	case !utf8.ValidString(header):
		return "; is the file in an old encoding? Save it as CSV (UTF-8)"
	case len(names) < neededColumns && strings.Contains(header, ";"):
		return "; are its columns separated by semicolons? Save it with commas"
	case len(names) < neededColumns && strings.Contains(header, "\t"):
		return "; are its columns separated by tabs? Save it with commas"
	case strings.Contains(header, byteOrderMark):
		return "; is there a second byte-order mark before a name? Remove it"
	default:
		return "; has it another name? Map it with the columns setting, such as sku=Variant SKU"
	}
}
