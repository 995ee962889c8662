// Package setting is what a person says of a table where it cannot be found: how it is read,
// which column is what, and what becomes of odd cells and of names that no row has. It also
// knows how each place where people give settings writes them.
//
// It checks that a setting can be read and stands for something. Whether it fits a table is
// found when the table is opened.
package setting

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// Settings are what a person or the configuration says about a table; what is
// left empty is found. They come with the upload and are stored with the claim,
// because they shape the bytes that are written. The zero value is the default.
//
// The surfaces (object metadata, query, flags, configuration) turn their own
// names into this value; Validate judges it for all of them.
type Settings struct {
	Columns Columns `json:"columns"`
	// Profile is the name of the profile to read the table by; empty: the one
	// that the header matches.
	Profile string `json:"profile,omitempty"`
	// Dialect has the parts that are not to be found but taken as said.
	Dialect dialect.Dialect `json:"dialect,omitzero"`
	// PriceForm is the number 1234.56 as this table's prices would write it:
	// one of PriceForms. Empty: found in the first rows.
	PriceForm profile.PriceForm `json:"price_form,omitempty"`
	// BlankPrice says what an empty price means; empty: as the profile says,
	// and BlankPriceError where it says nothing.
	BlankPrice profile.BlankPrice `json:"blank_price,omitempty"`
	// BlankStock says what an empty cell of stock means; empty: as the profile says,
	// and BlankStockError where it says nothing.
	BlankStock profile.BlankStock `json:"blank_stock,omitempty"`
	// StockWords are the two words of the column that tells what is in stock. The zero
	// value: those that the column shows, if it does.
	StockWords profile.StockWords `json:"stock_words,omitzero"`
	// OddRows says what becomes of a row that has a cell which an operation needs and
	// which cannot be read; empty: OddRowsRefuse.
	OddRows OddRows `json:"odd_rows,omitempty"`
	// Header says whether the first row has titles; empty: it has.
	Header recognize.Header `json:"header,omitempty"`
	// InStockQuantity is written where a plan puts a row in stock whose
	// quantity is 0. Nil: such a row is refused.
	InStockQuantity *int64 `json:"in_stock_quantity,omitempty"`
	// Unmatched says what becomes of a plan that names what no row has; empty:
	// unmatchedError.
	Unmatched Unmatched `json:"unmatched,omitempty"`
	// NearNames says what becomes of a plan that names one of several names of
	// the table that look the same; empty: nearNamesError.
	NearNames NearNames `json:"near_names,omitempty"`
	// SaleDates says what becomes of the dates of sales that a plan looks at or
	// changes; empty: a table with some is refused.
	SaleDates SaleDates `json:"sale_dates,omitempty"`
}

// OddRows says what becomes of rows with cells that cannot be read.
type OddRows string

const (
	OddRowsRefuse OddRows = "refuse" // the table is refused
	OddRowsLeave  OddRows = "leave"  // an operation that needs the cell leaves the row alone
)

const (
	HeaderFirst = recognize.HeaderFirst
	HeaderNone  = recognize.HeaderNone
)

// SaleDates says what the dates of a sale are to a plan.
type SaleDates string

const (
	// nothing, and they go where a plan puts a row on sale or ends its sale
	SaleDatesClear  SaleDates = "clear"
	SaleDatesIgnore SaleDates = "ignore" // nothing, and they stay
)

// Unmatched says what becomes of names that no row has: unmatchedError, or as CSV what is
// let go, which is UnmatchedAllow and the words of Reprice.
type Unmatched string

const (
	unmatchedError Unmatched = "error" // the run fails with unknown_names
	UnmatchedAllow Unmatched = "allow" // the run goes on, with a warning, but for what the plan leaves out
)

// Reprice are the words by which a person lets go of a name that a plan leaves out and
// no row has: with the wrong name, no flag of a few letters may reprice the very product.
// What cannot be seen of a name is written as U+FFFD.
func Reprice(name string) string {
	visible := strings.Map(func(r rune) rune {
		if !unicode.IsSpace(r) && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d') {
			return unicode.ReplacementChar
		}
		return r
	}, name)
	return strings.Join(strings.Fields("reprice "+visible+" too"), " ")
}

// RepriceAll lets go of these names, beside those that no plan leaves out.
func RepriceAll(names ...string) Unmatched {
	list := []string{string(UnmatchedAllow)}
	for _, name := range names {
		list = append(list, Reprice(name))
	}
	return Unmatched(JoinList(list))
}

// List are the entries, each with single blanks between its words.
func (u Unmatched) List() []string {
	list, err := splitList(string(u))
	if err != nil {
		return nil // refused by validate
	}
	for i, entry := range list {
		list[i] = strings.Join(strings.Fields(entry), " ")
	}
	return list
}

func (u Unmatched) validate() error {
	if u == "" || u == unmatchedError {
		return nil
	}
	list := u.List()
	for _, entry := range list {
		if entry != string(UnmatchedAllow) &&
			!(strings.HasPrefix(entry, "reprice ") && strings.HasSuffix(entry, " too")) {
			list = nil
		}
	}
	if len(list) == 0 {
		return Invalid("unmatched",
			`%q must be %q, %q or words such as "reprice cc-beanie too", with commas between several`,
			faults.Excerpt(string(u)), unmatchedError, UnmatchedAllow)
	}
	return nil
}

// NearNames says what names are that look the same: see package fold.
type NearNames string

const (
	nearNamesError NearNames = "error" // perhaps one: the run fails with unknown_names
	NearNamesExact NearNames = "exact" // different ones, as they are written
)

func validateStockWords(w profile.StockWords) error {
	switch {
	case w == profile.StockWords{}:
		return nil
	case w.In == "" || w.Out == "" || strings.EqualFold(w.In, w.Out):
		return Invalid("stock_words", "there are two words, such as in=Disponibile,out=Esaurito")
	case formulaStart.MatchString(w.In) || formulaStart.MatchString(w.Out):
		return Invalid("stock_words", "a word may not begin with = + - or @, because a spreadsheet would run the cells that are written so as formulas")
	}
	return nil
}

// formulaStart is how a cell begins that spreadsheets take for a formula.
var formulaStart = regexp.MustCompile(`^\s*[=+\-@]`)

// Columns names a table's columns by what they are to a plan; an empty name is
// found by the profile.
type Columns struct {
	SKU      string `json:"sku,omitempty"`
	Category string `json:"category,omitempty"`
	Brand    string `json:"brand,omitempty"`
	Tags     string `json:"tags,omitempty"`
	Name     string `json:"name,omitempty"`
	Price    string `json:"price,omitempty"`
	Cost     string `json:"cost,omitempty"`
	// SalePrice is what customers pay while a row is on sale, and CompareAt what they
	// paid before.
	SalePrice string `json:"sale_price,omitempty"`
	CompareAt string `json:"compare_at,omitempty"`
	InStock   string `json:"in_stock,omitempty"`
	// Quantity is how many pieces there are, where the table does not show which column
	// has them.
	Quantity string `json:"quantity,omitempty"`
}

// Title is the field of a role's column.
func (c *Columns) Title(role recognize.Role) *string {
	switch role {
	case recognize.RoleSKU:
		return &c.SKU
	case recognize.RoleCategory:
		return &c.Category
	case recognize.RoleBrand:
		return &c.Brand
	case recognize.RoleTags:
		return &c.Tags
	case recognize.RoleName:
		return &c.Name
	case recognize.RolePrice:
		return &c.Price
	case recognize.RoleCost:
		return &c.Cost
	case recognize.RoleSalePrice:
		return &c.SalePrice
	case recognize.RoleCompareAt:
		return &c.CompareAt
	case recognize.RoleInStock:
		return &c.InStock
	}
	return &c.Quantity
}

// LayoutSettings are the settings that name columns.
func (s *Settings) LayoutSettings() recognize.Settings {
	said := recognize.Settings{
		Titles:    map[recognize.Role]string{},
		SaleDates: s.SaleDates != "",
		Header:    s.Header,
	}
	for _, r := range recognize.Roles {
		if title := *s.Columns.Title(r.Role); title != "" {
			said.Titles[r.Role] = title
		}
	}
	return said
}

// With returns the mapping with columns that have roles beside.
func (c Columns) With(titles map[recognize.Role]string) Columns {
	for role, title := range titles {
		*c.Title(role) = title
	}
	return c
}

// Validate refuses settings that no table can be read with, as errs.Invalid.
func (s Settings) Validate() error {
	for _, known := range All {
		if known.Values == nil {
			continue
		}
		if value := *known.field(&s); value != "" && !slices.Contains(known.Values(), value) {
			return Invalid(known.Name, "%q must be one of %q: %s",
				faults.Excerpt(value), known.Values(), known.Help)
		}
	}
	if s.InStockQuantity != nil && *s.InStockQuantity < 1 {
		return Invalid("in_stock_quantity", "%d must be at least 1", *s.InStockQuantity)
	}
	return cmp.Or(s.Unmatched.validate(), s.Columns.validate(), validateStockWords(s.StockWords))
}
