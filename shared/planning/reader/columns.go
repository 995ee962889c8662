package reader

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// roleWords are the classes of words for a role's names.
var roleWords = map[string]role{
	"BRANDWORD":   brand,
	"TAGWORD":     tag,
	"CATEGORY":    category,
	"PRODUCTLINE": category,
}

// otherColumn takes back a word for a role where the table has another column of that name: the
// vendor, where the brands are in a column Manufacturer and there is a Vendor Name.
func (t *text) otherColumn(i int) {
	t.edges[i] = slices.DeleteFunc(t.edges[i], func(e edge) bool {
		r, isWord := roleWords[e.meaning.symbol]
		if !isWord || t.known.otherColumn(t.norm(e.end-1), r) == "" {
			return false
		}
		asks := edge{refused, e.end - 1, &meaning{to: e.end, clause: clause{problem: "column"}}}
		t.refused = slices.Insert(t.refused, 0, asks) // before what no plan can say of vendors
		return true
	})
}

// otherColumn is the title of a column that is called as a word for a role is, where the column with
// the names of the role is not.
func (c *index) otherColumn(word string, r role) (other string) {
	said := singular(word)
	if said == "category" { // what every table's products have
		return ""
	}
	for i, title := range c.given.Titles[:min(len(c.given.Titles), len(c.given.Columns))] {
		words := columnWords(title)
		if len(words) == 0 || words[len(words)-1] != said {
			continue
		}
		if c.given.Columns[i] == string(columns[r]) {
			return ""
		}
		other = title
	}
	return other
}

// calledBy is the title of the column that a question is about.
func (c *index) calledBy(word string) (title string) {
	for _, r := range []role{brand, tag, category} {
		title = cmp.Or(title, c.otherColumn(word, r))
	}
	return title
}

// columnWords are the words of a column's title but for those that every title may end with:
// Vendor Name and vendorId.
func columnWords(title string) []string {
	var parted strings.Builder
	for i, char := range title {
		if i > 0 && unicode.IsUpper(char) && title[i-1] >= 'a' && title[i-1] <= 'z' {
			parted.WriteByte(' ')
		}
		parted.WriteRune(char)
	}
	words := titleOf(parted.String()).words
	for len(words) > 1 &&
		slices.Contains([]string{"name", "title", "id", "code", "no", "number"}, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return words
}
