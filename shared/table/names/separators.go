package names

import (
	"strings"

	"github.com/planwright/planwright/shared/table/dialect"
)

// Separators are what parts several names in a cell, and a category from those above it.
const Separators = ",;|>/"

// FirstAmong returns the first of a cell's parts that looks like one of a query's names;
// "": none does.
func FirstAmong(cell string, looks func(part string) *string) string {
	for part := range strings.FieldsFuncSeq(cell,
		func(r rune) bool { return strings.ContainsRune(Separators, r) }) {
		if part = strings.TrimSpace(part); part != "" && looks(part) != nil {
			return part
		}
	}
	return ""
}

// Marks are the separators that a cell of a table may have and be no field of several.
func Marks(d dialect.Dialect) string {
	return strings.ReplaceAll(Separators, string(d.Delimiter.Byte()), "")
}
