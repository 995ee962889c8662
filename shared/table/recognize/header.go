package recognize

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
)

// NoHeader says why a first row is no header: it has one column alone, because nothing
// separates columns, or it holds a price. Rows are the first ones; nil: it may be a header.
func (l *Layout) NoHeader(rows []byte) *faults.Fault {
	titles, d := l.titles.Titles, l.Candidates.dialect
	if l.said.Header == HeaderNone || l.profile.Name != profile.Plain {
		return nil
	}
	if len(titles) == 1 && titlesBelow(d, rows) == 0 {
		return &faults.Fault{Row: 1, Value: faults.Shown(titles[0]), Message: "the table has one column alone, for none of comma, semicolon, tab and | separates columns: export it with one of them"}
	}
	at := slices.IndexFunc(titles, func(title string) bool { return isPrice(d, title) })
	if at < 0 || l.said.Header == HeaderFirst {
		return nil
	}
	return &faults.Fault{
		Row:   1,
		Value: faults.Shown(titles[at]),
		Message: "the first row is no header, for it holds a price: say so, and which column is what, with " +
			l.byNumbers(),
	}
}

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

// Ask makes the faults of a header the question that answers them: for the encoding, where
// a title may be read in several ways; for the row that has the titles; or, where no title is
// known, whether the first row is a header.
func (l *Layout) Ask(rows []byte) {
	if fault := l.unclearTitle(); fault != nil {
		l.Faults, l.Holding = []faults.Fault{*fault}, nil
		return
	}
	if row := titlesBelow(l.Candidates.dialect, rows); row > 0 {
		l.pointBelow(row)
	} else if fault := l.unknownTitles(); fault != nil {
		l.Faults[0] = *fault // the others ask for their columns, on a page in the same form
	}
}

// unclearTitle asks for the encoding where a title may be read in several ways.
func (l *Layout) unclearTitle() *faults.Fault {
	if l.said.Header == HeaderNone {
		return nil
	}
	d := l.Candidates.dialect
	for i, title := range l.titles.Titles {
		raw, _ := d.Bytes(title)
		if d.Unclear(raw) {
			return &faults.Fault{
				Row:     1,
				Column:  strconv.Itoa(i + 1),
				Value:   faults.Shown(title),
				Message: faults.Advice[faults.UnclearEncoding] + ": " + dialect.AskEncoding(raw),
			}
		}
	}
	return nil
}

// unknownTitles refuses a first row of which no title is known, and none is named by the
// setting columns: it may be no header.
func (l *Layout) unknownTitles() *faults.Fault {
	for _, title := range l.said.Titles {
		if len(l.titles.Named(title)) > 0 {
			return nil
		}
	}
	blank := strings.TrimSpace(strings.Join(l.titles.Titles, "")) == ""
	if l.said.Header == HeaderNone || l.profile.Name != profile.Plain || blank || l.Candidates.KnowsTitles() {
		return nil
	}
	role, title := l.Faults[0].Column, "TITLE"
	if at := l.Candidates.LikeliestFor(role, l.needs.Names[Role(role)]); at >= 0 {
		title = faults.Excerpt(l.Title(at))
	}
	message := "none of the titles in the first row is known. If it is no header, say so, and which column is what, with " + l.byNumbers()
	if title != "" {
		message += fmt.Sprintf("; if it is, say which column is which, with {columns=%s=%s}", role, title)
	}
	return &faults.Fault{Row: 1, Column: role, Message: message}
}

// byNumbers are the settings by which the table is read without a header: each column
// that the plan needs by its number, or by N where its cells do not show which it is.
func (l *Layout) byNumbers() string {
	var pairs []string
	for _, r := range Roles {
		if !l.needs.Has(r.Role) && r.Role != RolePrice {
			continue
		}
		number := "N"
		if at := l.Candidates.LikeliestFor(string(r.Role), l.needs.Names[r.Role]); at >= 0 {
			number = strconv.Itoa(at + 1)
		}
		if l.needs.Has(r.Role) || number != "N" {
			pairs = append(pairs, string(r.Role)+"="+number)
		}
	}
	return "{header=none}{columns=" + strings.Join(pairs, ",") + "}"
}
