package table

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
)

// Found says how it was found which role a column has.
type Found string

// The ways in which columns are found.
const (
	FoundBySetting Found = "setting"
	FoundByProfile Found = "profile" // or by the very name of its role
	FoundByTitle   Found = "title"   // by what the words of its title say, and by its cells
)

// Finding says of one column of a header what it was thought to be, and why it is not.
type Finding struct {
	Title   string   `json:"title"`
	Role    Role     `json:"role,omitempty"`    // "": it has none
	Found   Found    `json:"found,omitempty"`   // how its role was found
	Samples []string `json:"samples,omitempty"` // its first cells that are not blank, nor alike: at most three
	// WhyNot says, of one without a role, why that is.
	WhyNot string `json:"why_not,omitempty"`
}

// String says it in a line: Listino (12,50, 13,90): may be price, and so may others.
func (f Finding) String() string {
	text := Shown(f.Title)
	if text == "" {
		text = "(no title)"
	}
	if f.Role != "" {
		return text + ": " + string(f.Role)
	}
	if len(f.Samples) > 0 {
		text += " (" + strings.Join(f.Samples, ", ") + ")"
	}
	return text + ": " + f.WhyNot
}

// marks say what a column is that is never guessed at.
var marks = map[string]string{
	"cost": "a cost, by its title", "sale_price": "a sale's price, by its title, which is not guessed at",
	"compare_at": "an earlier price, by its title, which is not guessed at", "other": "none, by its title",
}

// findings are those of all columns, of which some have roles.
func (l *layout) findings(s Settings) (all []Finding) {
	roleOf := map[int]Role{}
	for _, r := range roles {
		for _, c := range l.columns[r.Role] {
			roleOf[c.Index] = r.Role
		}
	}
	for i, title := range l.titles {
		f := Finding{Title: faults.Excerpt(title), Role: roleOf[i], Samples: l.samples(i)}
		m := l.meanings[i]
		switch {
		case f.Role != "" && slices.Contains(l.byTitle, i):
			f.Found = FoundByTitle
		case f.Role != "" && *ruleOf(f.Role).setting(&s.Columns) != "":
			f.Found = FoundBySetting
		case f.Role != "":
			f.Found = FoundByProfile
		case m.Mark != "":
			f.WhyNot = marks[m.Mark]
		case m.Role == "" && l.profile.Name != profile.Plain && l.profile.Reads(title):
			f.WhyNot = "read by the profile where it is needed"
		case m.Role == "":
			f.WhyNot = "not known"
		case l.unlike(Role(m.Role), i) != "":
			f.WhyNot = "not " + m.Role + ", which its title says: " + l.unlike(Role(m.Role), i)
		default:
			f.WhyNot = "may be " + m.Role
		}
		all = append(all, f)
	}
	return all
}

// sampledRows is how many of the first rows tell whether the cells of a column are
// what its title says.
const sampledRows = 1000

// seeker finds columns by the words of their titles, where a profile knows none. A
// column that the profile reads is none of them.
type seeker struct {
	profile  *profile.Profile
	titles   profile.Titled
	meanings []profile.Meaning // of each title
	cells    func(column int) []profile.Sampled
	rows     int // of which the cells are
	dialect  dialect.Dialect
}

// newSeeker returns a seeker in the table that was opened, by a profile.
func (t *Table) newSeeker(p *profile.Profile, rows []byte) *seeker {
	s := &seeker{profile: p, titles: t.Header, dialect: t.Dialect, meanings: make([]profile.Meaning, len(t.Header))}
	for i, title := range t.Header {
		if !p.Reads(title) || p.Name == profile.Plain {
			s.meanings[i] = profile.MeaningOf(title)
		}
	}
	var sampled [][]profile.Sampled
	s.cells = func(column int) []profile.Sampled {
		if sampled == nil {
			sampled = make([][]profile.Sampled, len(t.Header))
			t.each(rows, func(text []byte, row int64, r dialect.Record) {
				if s.rows == sampledRows {
					return
				}
				s.rows++
				for i := range sampled {
					if at := r.Content(text, i); !at.Empty() {
						sampled[i] = append(sampled[i], profile.Sampled{Row: row, Content: at.Of(text)})
					}
				}
			})
		}
		return sampled[column]
	}
	return s
}

// fitting returns the columns of which title and cells say that they have a role. In
// a platform's table, whose columns have meanings of their own, only a title that
// says it plainly does.
func (s *seeker) fitting(role Role) (columns []int) {
	plainly := math.MaxInt
	if s.profile.Name != profile.Plain {
		plainly = plainRank(role)
	}
	for i, m := range s.meanings {
		if m.Role == string(role) && m.Rank <= plainly && s.unlike(role, i) == "" {
			columns = append(columns, i)
		}
	}
	return columns
}

// plainRank is the last rank of titles that say a role plainly.
func plainRank(role Role) int {
	if role == RolePrice {
		return listPriceRank - 1
	}
	return 0
}

// plainest returns those of the columns whose titles say most plainly that they have
// a role.
func (s *seeker) plainest(role Role, columns []int) (plainest []int) {
	for _, i := range columns {
		switch {
		case len(plainest) == 0 || s.rank(role, i) < s.rank(role, plainest[0]):
			plainest = []int{i}
		case s.rank(role, i) == s.rank(role, plainest[0]):
			plainest = append(plainest, i)
		}
	}
	return plainest
}

// rank says how plainly a title says a role; the lower, the more. A list's price is as
// good as any of which its title does not say that customers pay it.
func (s *seeker) rank(role Role, column int) int {
	if rank := s.meanings[column].Rank; role != RolePrice || rank != listPriceRank {
		return rank
	}
	return listPriceRank - 1
}

// offers are columns of prices for which something is offered, of which the profile
// does not know.
func (s *seeker) offers() (columns []int) {
	for i, m := range s.meanings {
		if m.Mark == string(RoleSalePrice) && !s.profile.Reads(s.titles[i]) && s.unlike(RolePrice, i) == "" {
			columns = append(columns, i)
		}
	}
	return columns
}

// listPriceRank is that of titles which say a list's price.
const listPriceRank = 2

// unlike says why the cells of a column are not those of a role; "": they may be.
func (s *seeker) unlike(role Role, column int) string {
	cells := s.cells(column)
	if role == RolePrice { // where there is none is no price
		cells = slices.DeleteFunc(slices.Clone(cells), func(c profile.Sampled) bool { return s.profile.Priceless(c.Content) })
	}
	if len(cells) == 0 {
		return "its first cells are blank"
	}
	like := func(is func([]byte) bool) bool {
		n := 0
		for _, c := range cells {
			if is(c.Content) {
				n++
			}
		}
		return 5*n >= 4*len(cells)
	}
	switch {
	case role == RolePrice && like(func(text []byte) bool { return len(text) == 1 && (text[0] == '0' || text[0] == '1') }):
		return "its cells are 0 and 1"
	case role == RolePrice && like(func(text []byte) bool { return len(text) > 7 && isDigits(text) }):
		return "its cells are codes"
	case role == RolePrice && !like(func(text []byte) bool { return profile.IsMoney(s.dialect, text) }):
		return "its cells are no prices"
	case role == RoleInStock && !like(func(text []byte) bool { return profile.IsStock(s.dialect, text) }):
		return "its cells are neither quantities nor words for in stock and out of it"
	case role == RoleSKU && 5*len(cells) < 4*s.rows:
		return "many of its cells are blank"
	case role == RoleSKU && slices.ContainsFunc(cells, func(c profile.Sampled) bool { return cell.BeginsFormula(c.Content) }):
		return "some of its cells begin like a formula"
	case role == RoleSKU && 20*distinct(cells) < 19*len(cells):
		return "several rows have the same"
	case role == RoleName && like(isDigits):
		return "its cells are numbers"
	}
	return ""
}

func isDigits(text []byte) bool { return len(bytes.Trim(text, "0123456789")) == 0 }

func distinct(cells []profile.Sampled) int {
	seen := map[string]bool{}
	for _, c := range cells {
		seen[string(c.Content)] = true
	}
	return len(seen)
}

// shownCells is how many cells show what a column has, of so many bytes at most.
const shownCells, shownBytes = 3, 40

// samples are the first cells of a column that are not alike.
func (s *seeker) samples(column int) (texts []string) {
	for _, c := range s.cells(column) {
		text := faults.Shown(s.dialect.Text(bytes.ReplaceAll(c.Content, []byte(`""`), []byte(`"`))))
		if len(c.Content) <= shownBytes && !slices.Contains(texts, text) {
			if texts = append(texts, text); len(texts) == shownCells {
				break
			}
		}
	}
	return texts
}

// named is a column by its title, with what its cells show.
func (s *seeker) named(column int) string {
	name := fmt.Sprintf("%q", faults.Excerpt(strings.TrimSpace(s.titles[column])))
	if samples := s.samples(column); len(samples) > 0 {
		name += " (" + strings.Join(samples, ", ") + ")"
	}
	return name
}

// question asks which of several columns has a role.
func (s *seeker) question(role Role, columns []int) Fault {
	var names []string
	for _, i := range columns {
		names = append(names, s.named(i))
	}
	return Fault{Row: 1, Column: string(role), Message: "could be " + strings.Join(names, " or ") + ": say which, with {columns=" + mapping(role, s.titles[columns[0]]) + "}"}
}

// hint names the columns that may have a role for which nothing is guessed; "":
// there are none.
func (s *seeker) hint(role Role) string {
	var names []string
	for i, m := range s.meanings {
		may := m.Role == string(role) || m.Mark == string(role) || role == RolePrice && m.Mark == string(RoleSalePrice) && s.unlike(role, i) == ""
		if may && len(names) < shownCells {
			names = append(names, s.named(i))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; it may be " + strings.Join(names, " or ")
}

// mapping is a pair of the setting columns.
func mapping(role Role, title string) string {
	pair := string(role) + "=" + strings.TrimSpace(title)
	if strings.ContainsAny(pair, ",\"") {
		pair = `"` + strings.ReplaceAll(pair, `"`, `""`) + `"`
	}
	return pair
}
