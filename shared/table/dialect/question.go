package dialect

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/table/faults"
)

// maxAskedEncodings is how many encodings a message offers.
const maxAskedEncodings = 6

// AskEncoding asks for the encoding, by what a cell says in each.
func AskEncoding(cell []byte) string {
	readings := Readings(cell)
	var offers []string
	for _, r := range readings[:min(len(readings), maxAskedEncodings)] {
		offers = append(offers, fmt.Sprintf("{encoding=%s} if it is %s", r.Encoding, faults.Shown(r.Says)))
	}
	if len(offers) == 0 {
		offers = append(offers, "{encoding}")
	}
	return "say its encoding, with " + strings.Join(offers, ", ") + "; or save the file as CSV (UTF-8)"
}

// AskPipes refuses a table whose columns are separated by pipes where its characters may
// have such a byte in them; nil: it may be read. Head is what the table begins with.
func (d Dialect) AskPipes(head []byte) *faults.Fault {
	switch {
	case d.Delimiter != Pipe || !d.Legacy():
		return nil
	case d.SeveralBytes():
		return &faults.Fault{
			Row: 1,
			Message: "columns are separated by |, which is a part of some characters in " +
				string(d.Encoding) + ": export the table with another separator, or as UTF-8",
		}
	case d.EncodingSaid:
		return nil
	}
	at := slices.IndexFunc(head, func(b byte) bool { return b >= utf8.RuneSelf })
	first := strings.LastIndexAny(string(head[:at]), "|\r\n") + 1
	last := strings.IndexAny(string(head[at:]), "|\r\n")
	if last < 0 {
		last = len(head) - at
	}
	cell := head[first : at+last]
	return &faults.Fault{
		Row:     int64(strings.Count(string(head[:first]), "\n")) + 1,
		Value:   faults.Shown(d.Text(cell)),
		Message: "not UTF-8, and columns are separated by |, which is a part of some characters in other encodings: " + AskEncoding(cell),
	}
}
