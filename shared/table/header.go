package table

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// hasCents is a number with two digits behind a decimal mark, as prices have them.
var hasCents = regexp.MustCompile(`[0-9][.,][0-9]{2}$`)

// isPrice reports whether a text is plainly a price: a number with cents, or with a
// currency.
func isPrice(d dialect.Dialect, text string) bool {
	text = strings.TrimSpace(text)
	raw, ok := d.Bytes(text)
	if !ok || !profile.IsMoney(d, raw) {
		return false
	}
	number := strings.Trim(text, "0123456789.,' ") == ""
	return !number || hasCents.MatchString(text)
}

// noHeader refuses a first row that is none: it has one column alone, because nothing
// separates columns, or it holds a price.
func (o *opening) noHeader() *Fault {
	t := o.Table
	if !t.hasHeader() || t.profile.Name != profile.Plain {
		return nil
	}
	if len(t.Header) == 1 && recognize.TitlesBelow(t.Dialect, o.rows) == 0 {
		return &Fault{Row: 1, Value: Shown(t.Header[0]), Message: "the table has one column alone, for none of comma, semicolon, tab and | separates columns: export it with one of them"}
	}
	if o.said.Header == HeaderFirst {
		return nil
	}
	at := slices.IndexFunc(t.Header, func(title string) bool { return isPrice(t.Dialect, title) })
	if at < 0 {
		return nil
	}
	return &Fault{Row: 1, Value: Shown(t.Header[at]), Message: "the first row is no header, for it holds a price: say so, and which column is what, with " + o.byNumbers()}
}

// unknownTitles refuses a first row of which no title is known, and none is named by the
// setting columns: it may be no header.
func (o *opening) unknownTitles() *Fault {
	t := o.Table
	named := slices.ContainsFunc(roles, func(r roleRule) bool {
		said := *o.said.Columns.title(r.Role)
		return said != "" && len(o.titled.Named(said)) > 0
	})
	if !t.hasHeader() || t.profile.Name != profile.Plain || named || strings.TrimSpace(strings.Join(t.Header, "")) == "" || o.layout.Candidates.KnowsTitles() {
		return nil
	}
	role, title := o.layout.Faults[0].Column, "TITLE"
	if at := o.unknown(o.titled, o.rows).LikeliestFor(role, o.needs.Names[Role(role)]); at >= 0 {
		title = faults.Excerpt(strings.TrimSpace(t.Header[at]))
	}
	message := "none of the titles in the first row is known. If it is no header, say so, and which column is what, with " + o.byNumbers()
	if title != "" {
		message += fmt.Sprintf("; if it is, say which column is which, with {columns=%s=%s}", role, title)
	}
	return &Fault{Row: 1, Column: role, Message: message}
}

// byNumbers are the settings by which the table is read without a header: each column
// that the plan needs by its number, or by N where its cells do not show which it is.
func (o *opening) byNumbers() string {
	columns := o.unknown(o.titled, o.rows)
	var pairs []string
	for _, r := range roles {
		if !o.needs.Has(r.Role) && r.Role != RolePrice {
			continue
		}
		number := "N"
		if at := columns.LikeliestFor(string(r.Role), o.needs.Names[r.Role]); at >= 0 {
			number = strconv.Itoa(at + 1)
		}
		if o.needs.Has(r.Role) || number != "N" {
			pairs = append(pairs, string(r.Role)+"="+number)
		}
	}
	return "{header=none}{columns=" + strings.Join(pairs, ",") + "}"
}

// pipes refuses a table whose columns are separated by pipes where its characters may
// have such a byte in them.
func (t *Table) pipes(head []byte) *Fault {
	d := t.Dialect
	switch {
	case d.Delimiter != dialect.Pipe || !d.Legacy():
		return nil
	case d.SeveralBytes():
		return &Fault{Row: 1, Message: "columns are separated by |, which is a part of some characters in " + string(d.Encoding) + ": export the table with another separator, or as UTF-8"}
	case d.EncodingSaid:
		return nil
	}
	at := slices.IndexFunc(head, func(b byte) bool { return b >= 0x80 })
	first, last := strings.LastIndexAny(string(head[:at]), "|\r\n")+1, strings.IndexAny(string(head[at:]), "|\r\n")
	if last < 0 {
		last = len(head) - at
	}
	cell := head[first : at+last]
	return &Fault{Row: int64(strings.Count(string(head[:first]), "\n")) + 1, Value: Shown(d.Text(cell)),
		Message: "not UTF-8, and columns are separated by |, which is a part of some characters in other encodings: " + t.askEncoding(cell)}
}

// maxAskedEncodings is how many encodings a message offers.
const maxAskedEncodings = 6

// askEncoding asks for the encoding, by what a cell says in each.
func (t *Table) askEncoding(cell []byte) string {
	var offers []string
	for _, r := range dialect.Readings(cell)[:min(len(dialect.Readings(cell)), maxAskedEncodings)] {
		offers = append(offers, fmt.Sprintf("{encoding=%s} if it is %s", r.Encoding, Shown(r.Says)))
	}
	if len(offers) == 0 {
		offers = append(offers, "{encoding}")
	}
	return "say its encoding, with " + strings.Join(offers, ", ") + "; or save the file as CSV (UTF-8)"
}

// unclearTitle asks for the encoding where a column is missing and a title may be read in
// several ways.
func (o *opening) unclearTitle() *Fault {
	t := o.Table
	if !t.hasHeader() {
		return nil
	}
	for i, title := range t.Header {
		raw, _ := t.Dialect.Bytes(title)
		if t.Dialect.Unclear(raw) {
			return &Fault{Row: 1, Column: strconv.Itoa(i + 1), Value: Shown(title), Message: faults.Advice[faults.UnclearEncoding] + ": " + t.askEncoding(raw)}
		}
	}
	return nil
}

// leavesOdd reports whether rows with cells that cannot be read are left alone.
func (t *Table) leavesOdd() bool { return t.settings.OddRows == OddRowsLeave }
