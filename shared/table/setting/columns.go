package setting

import (
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

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
	pairs, err := splitPairs(text)
	if err != nil {
		return c, Invalid("columns", "%q is not a list of name=column pairs separated by commas",
			faults.Excerpt(text))
	}
	for _, pair := range pairs {
		if err := c.set(pair); err != nil {
			return Columns{}, err
		}
	}
	return c, c.validate()
}

// String is the setting that ParseColumns reads.
func (c Columns) String() string {
	var pairs []string
	for _, r := range recognize.Roles {
		if title := *c.Title(r.Role); title != "" {
			pairs = append(pairs, string(r.Role)+"="+title)
		}
	}
	if pairs == nil {
		return ""
	}
	return JoinList(pairs)
}

// quotedTitle is a pair whose column alone stands in quotes.
var quotedTitle = regexp.MustCompile(`(^|,)\s*([a-z_]+)\s*=\s*"((?:[^"]|"")*)"\s*(,|$)`)

// splitPairs reads a list of pairs, of which a column's name may stand in quotes, too:
// price="Price, EUR".
func splitPairs(text string) ([]string, error) {
	for quotedTitle.MatchString(text) {
		text = quotedTitle.ReplaceAllString(text, `$1"$2=$3"$4`)
	}
	return splitList(text)
}

// splitList reads a list as CSV writes it, on one line.
func splitList(text string) ([]string, error) {
	reader := csv.NewReader(strings.NewReader(text))
	reader.TrimLeadingSpace = true
	list, err := reader.Read()
	if err == nil && reader.InputOffset() != int64(len(text)) {
		err = errors.New("there is more than one line")
	}
	return list, err
}

func JoinList(list []string) string {
	var text strings.Builder
	to := csv.NewWriter(&text)
	_ = to.Write(list) // into memory
	to.Flush()
	return strings.TrimSuffix(text.String(), "\n")
}

func (c *Columns) set(pair string) error {
	name, column, found := strings.Cut(pair, "=")
	name, column = strings.TrimSpace(name), strings.TrimSpace(column)
	if !found || column == "" {
		return Invalid("columns", "%q must be written as name=column, such as sku=Variant SKU",
			faults.Excerpt(pair))
	}
	var known []string
	for _, r := range recognize.Roles {
		known = append(known, string(r.Role))
		if name != string(r.Role) {
			continue
		}
		field := c.Title(r.Role)
		if *field != "" {
			return Invalid("columns", "%s is named twice", name)
		}
		*field = column
		return nil
	}
	return Invalid("columns", "%q is not one of %s", faults.Excerpt(name), strings.Join(known, ", "))
}

// Beyond says which columns are named here and not there: category from "Aisle".
func (c Columns) Beyond(there Columns) (said []string) {
	for _, r := range recognize.Roles {
		if title := *c.Title(r.Role); title != "" && title != *there.Title(r.Role) {
			said = append(said, fmt.Sprintf("%s from %q", r.Role, faults.Excerpt(title)))
		}
	}
	return said
}

// validate refuses a column that stands for two things: its cells would be
// read as a price and as a category at once.
func (c Columns) validate() error {
	for i, r := range recognize.Roles {
		title := *c.Title(r.Role)
		if strings.ContainsAny(title, "\r\n\x00") {
			return Invalid("columns", "the column for %s must be named on one line", r.Role)
		}
		for _, other := range recognize.Roles[:i] {
			if title != "" && profile.SameTitle(title, *c.Title(other.Role)) {
				return Invalid("columns", "%s and %s are both read from the column %q; name two columns",
					other.Role, r.Role, faults.Excerpt(title))
			}
		}
	}
	return nil
}
