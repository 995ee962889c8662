package recognize

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
)

// Found says how it was found which role a column has.
type Found string

// The ways in which columns are found.
const (
	BySetting Found = "setting"
	ByProfile Found = "profile" // or by the very name of its role
	ByTitle   Found = "title"   // by what the words of its title say, and by its cells
)

// Finding says of one column of a header what it was thought to be, and why it is not.
type Finding struct {
	Title   string
	Role    string   // "": it has none
	Found   Found    // how its role was found
	Samples []string // its first cells that are not blank, nor alike: at most three
	// WhyNot says, of one without a role, why that is.
	WhyNot string
}

// String says it in a line: Listino (12,50, 13,90): may be price, and so may others.
func (f Finding) String() string {
	text := faults.Shown(f.Title)
	if text == "" {
		text = "(no title)"
	}
	if f.Role != "" {
		return text + ": " + f.Role
	}
	if len(f.Samples) > 0 {
		text += " (" + strings.Join(f.Samples, ", ") + ")"
	}
	return text + ": " + f.WhyNot
}

// marks say what a column is that is never guessed at.
var marks = map[string]string{
	"cost":       "a cost, by its title",
	salePrice:    "a sale's price, by its title, which is not guessed at",
	"compare_at": "an earlier price, by its title, which is not guessed at",
	"other":      "none, by its title",
	taken:        "not known",
}

// Finding says of a column what it was thought to be, where it has a role and that
// was found so.
func (c *Candidates) Finding(column int, role string, found Found) Finding {
	f := Finding{Title: faults.Excerpt(c.titles[column]), Role: role, Samples: c.samples(column)}
	m := c.meanings[column]
	switch {
	case role != "":
		f.Found = found
	case m.Mark != "":
		f.WhyNot = marks[m.Mark]
	case m.Role == "" && c.profile.Name != profile.Plain && c.reads[column]:
		f.WhyNot = "read by the profile where it is needed"
	case m.Role == "":
		f.WhyNot = "not known"
	case c.unlike(m.Role, column) != "":
		f.WhyNot = "not " + m.Role + ", which its title says: " + c.unlike(m.Role, column)
	default:
		f.WhyNot = "may be " + m.Role
	}
	return f
}

// shownCells is how many cells show what a column has, of so many bytes at most.
const shownCells, shownBytes = 3, 40

// samples are the first cells of a column that are not alike.
func (c *Candidates) samples(column int) (texts []string) {
	for _, sample := range c.sampled().Cells[column] {
		text := faults.Shown(c.dialect.Text(bytes.ReplaceAll(sample.Content, []byte(`""`), []byte(`"`))))
		if len(sample.Content) <= shownBytes && !slices.Contains(texts, text) {
			if texts = append(texts, text); len(texts) == shownCells {
				break
			}
		}
	}
	return texts
}

// named are columns by their titles, each with what its cells show.
func (c *Candidates) named(columns []int) string {
	var names []string
	for _, i := range columns {
		name := fmt.Sprintf("%q", faults.Excerpt(strings.TrimSpace(c.titles[i])))
		if samples := c.samples(i); len(samples) > 0 {
			name += " (" + strings.Join(samples, ", ") + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, " or ")
}

// Question asks which of several columns has a role.
func (c *Candidates) Question(role string, columns []int) faults.Fault {
	says := ""
	if role == inStock {
		says = c.contradictions(columns)
	}
	return faults.Fault{Row: 1, Column: role, Message: "could be " + c.named(columns) + says +
		": say which, with {columns=" + Mapping(role, c.titles[columns[0]]) + "}"}
}

// contradictions counts the first rows of which columns of stock say otherwise of each other;
// "": they agree.
func (c *Candidates) contradictions(columns []int) string {
	said, differ := map[int64]bool{}, map[int64]bool{}
	for _, i := range columns {
		for _, sample := range c.sampled().Cells[i] {
			says, ok := profile.SaysStock(c.dialect, sample.Content)
			if first, seen := said[sample.Row]; ok && seen && first != says {
				differ[sample.Row] = true
			} else if ok {
				said[sample.Row] = says
			}
		}
	}
	if len(differ) == 0 {
		return ""
	}
	return fmt.Sprintf(", which say otherwise of each other in %d of the first %d rows",
		len(differ), c.sampled().Rows)
}

// Holding asks about the one column of which nothing else is known, and in which some
// of a plan's names stand; "": there is none, or several. The setting says that the
// column of the title has the role.
func (c *Candidates) Holding(role string, names []string) (question, setting, title string) {
	held, found := c.holder(names)
	if held < 0 {
		return "", "", ""
	}
	title = strings.TrimSpace(c.titles[held])
	return fmt.Sprintf("; %q stands in %s: if that is the %s",
		faults.Excerpt(found), c.named([]int{held}), role), Mapping(role, title), title
}

// holder is the one column of which nothing is known and in which one of the names
// stands; -1: there is none, or several.
func (c *Candidates) holder(names []string) (held int, found string) {
	held = -1
	for i, m := range c.meanings {
		if m != (Meaning{}) || c.reads[i] || strings.TrimSpace(c.titles[i]) == "" {
			continue
		}
		for _, sample := range c.sampled().Cells[i] {
			text := strings.TrimSpace(c.dialect.Text(sample.Content))
			at := slices.IndexFunc(names, func(name string) bool {
				return fold.Names.Fold(name) == fold.Names.Fold(text)
			})
			if at < 0 {
				continue
			}
			if held >= 0 && held != i {
				return -1, ""
			}
			held, found = i, names[at]
		}
	}
	return held, found
}

// Hint names the columns that may have a role for which nothing is guessed, and the
// setting that takes the first of them; "" and one without a title: there are none.
func (c *Candidates) Hint(role string) (text, setting string) {
	var may []int
	for i, m := range c.meanings {
		unread := c.profile.Name == profile.Plain && m == (Meaning{}) && !c.reads[i] &&
			mayMean(c.titles[i], role) || role == price && m.Mark == salePrice
		if len(may) < shownCells && (m.Role == role || m.Mark == role || unread && c.unlike(role, i) == "") {
			may = append(may, i)
		}
	}
	if len(may) == 0 {
		return "", role + "=TITLE"
	}
	return "; it may be " + c.named(may), Mapping(role, c.titles[may[0]])
}

// headingRows is in how many rows behind the first the titles are looked for.
const headingRows = 10

// titlesBelow returns the number of the row that has the titles of prices and of
// something else, where a table begins with a report's headings; 0: there is none.
func titlesBelow(d dialect.Dialect, rows []byte) int {
	for i := range headingRows {
		line, rest, _ := bytes.Cut(rows, []byte{d.LineEnd.Byte()})
		said := map[string]bool{}
		// it was found by the headings
		for cell := range strings.FieldsFuncSeq(d.Text(line),
			func(r rune) bool { return strings.ContainsRune(",;|\t\r", r) }) {
			said[meaningOf(cell).Role] = true
		}
		if delete(said, ""); said[price] && len(said) > 1 {
			return i + 2
		}
		rows = rest
	}
	return 0
}

// Mapping is a pair of the setting columns.
func Mapping(role, title string) string {
	pair := role + "=" + strings.TrimSpace(title)
	if strings.ContainsAny(pair, ",\"") {
		pair = `"` + strings.ReplaceAll(pair, `"`, `""`) + `"`
	}
	return pair
}
