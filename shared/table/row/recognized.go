package row

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// Recognized is what a table was found to be. It is stated in every summary of
// a run, in every preview and with every refusal of a header.
type Recognized struct {
	Dialect dialect.Dialect `json:"dialect"`
	Profile string          `json:"profile"`
	// Columns are those that are read, in the header's order, each with what
	// it was taken for.
	Columns []Column `json:"columns"`
	Header  []string `json:"-"` // all the titles
	// Findings say of each column what it was thought to be, where the header is at
	// fault or a query asks for them.
	Findings []recognize.Finding `json:"-"`
}

// Column is one column of a header and what it was taken for.
type Column struct {
	Title string         `json:"title"`
	Role  recognize.Role `json:"role"`
	// of its cells, for people: "list (|) of paths (>)", "1.234,56 €", "quantity"
	Form string `json:"form,omitempty"`
	// Found is recognize.ByTitle where no profile and no setting says what the column is.
	Found recognize.Found `json:"found,omitempty"`
	// PassedOver are the titles of columns that might have been it, less plainly.
	PassedOver []string `json:"passed_over,omitempty"`
	Index      int      `json:"-"`
}

// String says the column to people: price from "Rate" (1234.56), found by its title.
func (c Column) String() string {
	text := fmt.Sprintf("%s from %q", c.Role, c.Title)
	if c.Form != "" {
		text += " (" + c.Form + ")"
	}
	if c.Found == recognize.ByTitle {
		text += ", found by its title"
	}
	if len(c.PassedOver) > 0 {
		text += "; passed over: " + faults.QuotedList(c.PassedOver)
	}
	return text
}

// ByTitles says which columns were found by their titles, a line each; "": none were.
func (r *Recognized) ByTitles() string {
	var lines []string
	for _, c := range r.Columns {
		if c.Found == recognize.ByTitle || len(c.PassedOver) > 0 {
			lines = append(lines, c.String())
		}
	}
	return strings.Join(lines, "\n")
}

// Pin returns the settings by which another table is read as this one was, of
// which s were the settings.
func (r *Recognized) Pin(s setting.Settings) setting.Settings {
	s.Profile, s.Dialect = r.Profile, r.Dialect
	return s
}

// ReadAgain returns the settings by which a later version of a table is read as
// this one was, of which s were the settings: by its profile, its columns of SKU,
// price and stock, its delimiter, its encoding, its carriage returns where they
// end its lines, its form of prices, and what becomes of its odd rows. All else is as own says, the
// settings of the later version. One of own that would have it read in another
// way is refused, as a *SettingError.
func (r *Recognized) ReadAgain(s, own setting.Settings) (setting.Settings, error) {
	as := own
	as.Profile, as.Columns, as.PriceForm = r.Profile, s.Columns, cmp.Or(s.PriceForm, r.priceForm())
	for _, c := range r.Columns {
		if c.Role == recognize.RoleSKU && c.Found == recognize.ByTitle {
			as.Columns.SKU = r.only(recognize.RoleSKU)
		}
	}
	as.StockWords, as.Header, as.OddRows = s.StockWords, s.Header, cmp.Or(own.OddRows, s.OddRows)
	as.Dialect.Delimiter, as.Dialect.Encoding = r.Dialect.Delimiter, r.Dialect.Encoding
	as.Dialect.LiteralQuotes = r.Dialect.LiteralQuotes
	as.Dialect.TrailingDelimiter = r.Dialect.TrailingDelimiter
	// LF and CRLF may both stand in one table
	if end := r.Dialect.LineEnd; end == dialect.CR || end == dialect.CRCRLF {
		as.Dialect.LineEnd = end
	}
	for _, of := range recognize.Roles {
		if of.Kind != recognize.OfNames {
			*as.Columns.Title(of.Role) = cmp.Or(*s.Columns.Title(of.Role), r.only(of.Role))
		}
		if of.Optional && !slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Role == of.Role }) {
			*as.Columns.Title(of.Role) = "" // it was not read, and may be something else
		}
		said, was := *own.Columns.Title(of.Role), cmp.Or(*as.Columns.Title(of.Role), r.only(of.Role))
		if said != "" && was != "" && !profile.SameTitle(said, was) {
			return as, otherSetting("columns", string(of.Role)+"="+was, string(of.Role)+"="+said)
		}
	}
	if profile.SameTitle(as.Columns.Quantity, as.Columns.InStock) {
		as.Columns.Quantity = "" // it is the stock's own
	}
	hasSKU := slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Role == recognize.RoleSKU })
	for _, of := range recognize.Roles {
		// It may be read as something else too, where nobody looks for names in it, but
		// for what names the rows where they have no SKU.
		if of.Kind == recognize.OfNames && of.Role != recognize.RoleSKU && hasSKU {
			*as.Columns.Title(of.Role) = ""
		}
	}
	for _, part := range []struct {
		name      setting.Name
		was, said string
	}{
		{"profile", as.Profile, own.Profile},
		{"delimiter", string(as.Dialect.Delimiter), string(own.Dialect.Delimiter)},
		{"encoding", string(as.Dialect.Encoding), string(own.Dialect.Encoding)},
		{"price_form", string(as.PriceForm), string(own.PriceForm)},
		{"stock_words", as.StockWords.String(), own.StockWords.String()},
		{"header", cmp.Or(string(as.Header), string(setting.HeaderFirst)), string(own.Header)},
	} {
		if part.said != "" && part.was != "" && part.said != part.was {
			return as, otherSetting(part.name, part.was, part.said)
		}
	}
	return as, nil
}

func otherSetting(name setting.Name, was, said string) error {
	return setting.Invalid(name, "the table was read with %s, and is to be read as it was: leave %s out",
		was, said)
}

// only returns the title of the one column of a role; "": there is none, or
// several.
func (r *Recognized) only(role recognize.Role) (title string) {
	for _, c := range r.Columns {
		if c.Role != role {
			continue
		}
		if title != "" || len(c.Title) > faults.MaxExcerptBytes {
			return ""
		}
		title = strings.TrimSpace(c.Title)
	}
	return title
}

// priceForm is the form of the prices as a setting names it; "": none does.
func (r *Recognized) priceForm() profile.PriceForm {
	for _, c := range r.Columns {
		if at := strings.Index(c.Form, "56"); c.Role == recognize.RolePrice && at >= 0 {
			number := strings.Map(func(mark rune) rune {
				switch {
				case profile.IsBlank(mark):
					return ' '
				case mark == '’':
					return '\''
				}
				return mark
			}, c.Form[:at+2])
			if form := profile.PriceForm(number); slices.Contains(profile.PriceForms, form) {
				return form
			}
		}
	}
	return ""
}
