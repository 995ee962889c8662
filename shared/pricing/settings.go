package pricing

import (
	"encoding/csv"
	"strings"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
)

// The columns that every table needs, in the order used throughout.
const (
	skuColumn = iota
	categoryColumn
	priceColumn
	stockColumn
	neededColumns
)

// defaultNames are the columns' names where no mapping gives others; they are
// the left-hand sides of a mapping too.
var defaultNames = [neededColumns]string{"sku", "category", "price", "in_stock"}

// ParseColumns reads a mapping such as
//
//	sku=Variant SKU,category=Type,price=Variant Price,in_stock=Published
//
// Columns left out keep their default name. A pair whose column name has a
// comma is quoted as in CSV: sku=SKU,"price=Price, EUR". Errors are errs.Invalid.
func ParseColumns(text string) (Columns, error) {
	var c Columns
	if strings.TrimSpace(text) == "" {
		return c, nil
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.TrimLeadingSpace = true
	pairs, err := reader.Read()
	if err != nil || reader.InputOffset() != int64(len(text)) {
		return c, errs.New(errs.Invalid, "columns: %q is not a list of name=column pairs separated by commas", excerpt(text))
	}
	for _, pair := range pairs {
		if err := c.set(pair); err != nil {
			return Columns{}, err
		}
	}
	return c, c.validate()
}

func (c *Columns) set(pair string) error {
	name, column, found := strings.Cut(pair, "=")
	name, column = strings.TrimSpace(name), strings.TrimSpace(column)
	if !found || column == "" {
		return errs.New(errs.Invalid, "columns: %q must be written as name=column, such as sku=Variant SKU", excerpt(pair))
	}
	for i, field := range c.fields() {
		if name != defaultNames[i] {
			continue
		}
		if *field != "" {
			return errs.New(errs.Invalid, "columns: %s is named twice", name)
		}
		*field = column
		return nil
	}
	return errs.New(errs.Invalid, "columns: %q is not one of sku, category, price, in_stock", excerpt(name))
}

func (c *Columns) fields() [neededColumns]*string {
	return [...]*string{&c.SKU, &c.Category, &c.Price, &c.InStock}
}

// names returns the column names in force, defaults filled in.
func (c Columns) names() [neededColumns]string {
	names := defaultNames
	for i, field := range c.fields() {
		if *field != "" {
			names[i] = *field
		}
	}
	return names
}

// String returns the mapping as ParseColumns reads it; columns under their
// default name are left out, so the zero value is "".
func (c Columns) String() string {
	var pairs []string
	for i, field := range c.fields() {
		if *field != "" {
			pairs = append(pairs, defaultNames[i]+"="+*field)
		}
	}
	if len(pairs) == 0 {
		return ""
	}
	var text strings.Builder
	writer := csv.NewWriter(&text)
	_ = writer.Write(pairs) // a strings.Builder accepts everything
	writer.Flush()
	return strings.TrimSuffix(text.String(), "\n")
}

// validate refuses a column that stands for two things: its cells would be
// read as a price and as a category at once.
func (c Columns) validate() error {
	names := c.names()
	for i, name := range names {
		if strings.ContainsAny(name, "\r\n\x00") {
			return errs.New(errs.Invalid, "columns: the column for %s must be named on one line", defaultNames[i])
		}
		for j := range i {
			if sameName(name, names[j]) {
				return errs.New(errs.Invalid, "columns: %s and %s are both read from the column %q; name two columns", defaultNames[j], defaultNames[i], excerpt(name))
			}
		}
	}
	return nil
}

// sameName reports whether two column names are one: case and the blanks
// around a name do not tell columns apart.
func sameName(a, b string) bool { return strings.EqualFold(trimName(a), trimName(b)) }

func trimName(s string) string { return strings.Trim(s, " \t") }

// Validate refuses settings that no table can be read with, as errs.Invalid.
func (s Settings) Validate() error {
	switch s.BlankPrice {
	case "", BlankPriceError, BlankPriceKeep:
		return s.Columns.validate()
	default:
		return errs.New(errs.Invalid, "blank_price: %q must be %q or %q", excerpt(string(s.BlankPrice)), BlankPriceError, BlankPriceKeep)
	}
}

// SettingsFromMetadata returns the settings that an object's metadata asks
// for: its keys "columns" (as ParseColumns reads it) and "blank_price" win over
// the defaults. Whether formula cells are allowed is never the upload's choice.
func SettingsFromMetadata(md map[string]string, defaults Settings) (Settings, error) {
	s := defaults
	if text, found := md["columns"]; found {
		columns, err := ParseColumns(text)
		if err != nil {
			return Settings{}, err
		}
		s.Columns = columns
	}
	if text, found := md["blank_price"]; found {
		s.BlankPrice = BlankPrice(text)
	}
	return s, s.Validate()
}

// ReadSettings reads how tables are read where an upload does not say:
// CSV_COLUMNS (default: the columns' own names), BLANK_PRICE (error or keep)
// and ALLOW_FORMULA_CELLS (default false).
func ReadSettings(r *config.Reader) Settings {
	columns, err := ParseColumns(r.String("CSV_COLUMNS", ""))
	if err != nil {
		r.Problem("CSV_COLUMNS: %v", err)
	}
	return Settings{
		Columns:           columns,
		BlankPrice:        BlankPrice(r.OneOf("BLANK_PRICE", string(BlankPriceError), string(BlankPriceKeep))),
		AllowFormulaCells: r.Bool("ALLOW_FORMULA_CELLS", false),
	}
}
