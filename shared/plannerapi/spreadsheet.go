package plannerapi

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SpreadsheetRow returns the cells of a row of a download, in place. What a spreadsheet may
// take for a formula begins with a quote, so that none is computed.
func SpreadsheetRow(cells []string) []string {
	for i, cell := range cells {
		if IsFormula(cell) {
			cells[i] = "'" + cell
		}
	}
	return cells
}

// formulaSigns are what spreadsheets take for the beginning of a formula: ASCII signs, the
// same in small and full width, and the sign for minus.
const formulaSigns = "=+-@＝＋－＠﹦﹢﹣﹫−"

// number is a number as changes are written with, which may begin with a sign.
var number = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// IsFormula reports whether a spreadsheet may take a cell for a formula, also behind what it
// does not show: blanks, control characters, marks of direction and of no width.
func IsFormula(cell string) bool {
	shown := strings.TrimLeftFunc(cell, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zs)
	})
	first, _ := utf8.DecodeRuneInString(shown)
	hidden := strings.HasPrefix(cell, "\t") || strings.HasPrefix(cell, "\r")
	return hidden || shown != "" && strings.ContainsRune(formulaSigns, first) && !number.MatchString(cell)
}
