// Package recognize finds what the columns of a table are: by its profile and the settings,
// and else by the words of their titles, in many languages, and by what stands in them.
//
// It does not choose among several columns that fit: it asks, and shows what each holds.
// Cells alone give no column a role.
package recognize

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/profile"
)

// The roles of which titles or cells say more than of others, by their words in
// titles.json.
const (
	sku       = "sku"
	name      = "name"
	price     = "price"
	inStock   = "in_stock"
	salePrice = "sale_price"
	cost      = "cost"
)

// taken marks a column of which something else says what it is.
const taken = "taken"

// SampledRows is how many of the first rows tell whether the cells of a column are
// what its title says.
const SampledRows = 1000

// Sample has of each column the cells of the first rows that are not blank.
type Sample struct {
	Cells [][]profile.Sampled
	Rows  int // of which the cells are
}

// Candidates are the columns of a table beside those that a profile reads. One that the profile reads as
// something is none of them.
type Candidates struct {
	profile  *profile.Profile
	titles   []string
	reads    []bool    // by the profile, of each title
	meanings []Meaning // of each title
	sampled  func() Sample
	dialect  dialect.Dialect
}

// NewCandidates returns the columns of a table. Its first rows are sampled once its titles do
// not tell all.
func NewCandidates(
	titled *profile.Titled, p *profile.Profile, d dialect.Dialect, sampled func() Sample,
) *Candidates {
	c := &Candidates{
		profile:  p,
		titles:   titled.Titles,
		reads:    p.Read(titled),
		dialect:  d,
		sampled:  sampled,
		meanings: make([]Meaning, len(titled.Titles)),
	}
	for i, title := range titled.Titles {
		if !c.reads[i] || p.Name == profile.Plain {
			c.meanings[i] = meaningOf(title)
		}
	}
	return c
}

// Cells are those of the first rows, by their columns.
func (c *Candidates) Cells() [][]profile.Sampled { return c.sampled().Cells }

// Take takes a column out: something else says what it is.
func (c *Candidates) Take(column int) { c.meanings[column] = Meaning{Mark: taken} }

// Options are the columns that say, by a word of their titles, in what variants differ.
func (c *Candidates) Options() (columns []int) {
	for i, m := range c.meanings {
		if m.Role == "" && m.Mark != taken && slices.ContainsFunc(titleWords(c.titles[i]),
			func(word string) bool { return known().options[word] }) {
			columns = append(columns, i)
		}
	}
	return columns
}

// Counts reports whether a column of stock is one of quantities, by its title.
func (c *Candidates) Counts(column int) bool { return c.meanings[column].Counts }

// Lists is what may separate the names in a column's cells, by its title; "": they
// have one each.
func (c *Candidates) Lists(column int) string {
	if meaningOf(c.titles[column]).Several {
		return ",;|"
	}
	return ""
}

// Fits reports whether what a column's cells have may be of a role.
func (c *Candidates) Fits(role string, column int) bool { return c.unlike(role, column) == "" }

// Plainest returns the columns of which title and cells say most plainly that they
// have a role: one, or several of which somebody has to say which.
func (c *Candidates) Plainest(role string) []int {
	best := c.plainest(role, c.fitting(role))
	if role == price && len(best) == 1 && c.meanings[best[0]].Rank == listPriceRank {
		best = append(best, c.Offers()...) // of which a shop's prices are either
	}
	return c.withTwins(role, best)
}

// withTwins adds the columns of which nothing tells that they have less of a role than
// some do: Price US beside Price DE, of which "de" is a word that says nothing, and a country.
func (c *Candidates) withTwins(role string, columns []int) []int {
	all := slices.Clone(columns)
	for i, m := range c.meanings {
		twin := func(of int) bool { return differInFiller(c.titles[of], c.titles[i]) }
		if m == (Meaning{}) && !c.reads[i] && slices.ContainsFunc(columns, twin) && c.unlike(role, i) == "" {
			all = append(all, i)
		}
	}
	return all
}

// EquallyTitled returns the columns whose titles say as plainly that they have the prices as
// that of one does.
func (c *Candidates) EquallyTitled(known int) []int {
	return slices.DeleteFunc(c.fitting(price), func(i int) bool {
		return i == known || c.rank(price, i) > c.rank(price, known)
	})
}

// Others returns the columns that may have prices, but for the one that has.
func (c *Candidates) Others(known int) []int {
	return slices.DeleteFunc(append(c.fitting(price), c.Offers()...), func(i int) bool { return i == known })
}

// Counted returns the columns of quantities, but for those that are known.
func (c *Candidates) Counted(known []int) []int {
	return slices.DeleteFunc(c.fitting(inStock), func(i int) bool {
		return !c.Counts(i) || slices.Contains(known, i)
	})
}

// AlsoStock returns the columns that tell what is in stock, but for the one that is known.
func (c *Candidates) AlsoStock(known int) []int {
	return slices.DeleteFunc(c.fitting(inStock), func(i int) bool { return i == known })
}

// fitting returns the columns of which title and cells say that they have a role. In
// a platform's table, whose columns have meanings of their own, only a title that
// says it plainly does.
func (c *Candidates) fitting(role string) (columns []int) {
	plainly := math.MaxInt
	if c.profile.Name != profile.Plain {
		plainly = plainRank(role)
	}
	for i, m := range c.meanings {
		if m.Role == role && m.Rank <= plainly && c.unlike(role, i) == "" {
			columns = append(columns, i)
		}
	}
	return columns
}

// plainRank is the last rank of titles that say a role plainly.
func plainRank(role string) int {
	if role == price {
		return listPriceRank - 1
	}
	return 0
}

// plainest returns those of the columns whose titles say most plainly that they have
// a role.
func (c *Candidates) plainest(role string, columns []int) (plainest []int) {
	for _, i := range columns {
		switch {
		case len(plainest) == 0 || c.rank(role, i) < c.rank(role, plainest[0]):
			plainest = []int{i}
		case c.rank(role, i) == c.rank(role, plainest[0]):
			plainest = append(plainest, i)
		}
	}
	return plainest
}

// rank says how plainly a title says a role; the lower, the more. A list's price is as
// good as any of which its title does not say that customers pay it.
func (c *Candidates) rank(role string, column int) int {
	if rank := c.meanings[column].Rank; role != price || rank != listPriceRank {
		return rank
	}
	return listPriceRank - 1
}

// Offers are columns of prices for which something is offered, of which the profile
// does not know.
func (c *Candidates) Offers() (columns []int) {
	for i, m := range c.meanings {
		if m.Mark == salePrice && !c.reads[i] && c.unlike(price, i) == "" {
			columns = append(columns, i)
		}
	}
	return columns
}

// OtherPrices are more columns of prices than the one that is read: those of offers, and
// in a table of no platform's those whose titles say that they have some. What a shop
// pays, and a rate of something else, is none.
func (c *Candidates) OtherPrices(known int) []int {
	all := c.Offers()
	for i, m := range c.meanings {
		says := m.Role == price || !c.reads[i] && m.Mark != taken && m.Mark != salePrice && m.Mark != cost &&
			mayMean(c.titles[i], price, "rate")
		if c.profile.Name == profile.Plain && says && c.unlike(price, i) == "" {
			all = append(all, i)
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(all, func(i int) bool { return i == known })
}

// listPriceRank is that of titles which say a list's price.
const listPriceRank = 2

// KnowsTitles reports whether some title says what its column is.
func (c *Candidates) KnowsTitles() bool {
	for i, m := range c.meanings {
		if m != (Meaning{}) || c.reads[i] {
			return true
		}
	}
	return false
}

// LikeliestFor is the column whose cells look most like those of a role, or have some of
// a plan's names; -1: none does.
func (c *Candidates) LikeliestFor(role string, names []string) int {
	best, most := -1, 0
	for i := range c.titles {
		cells := c.sampled().Cells[i]
		fits := 0
		for _, sample := range cells {
			text := strings.TrimSpace(c.dialect.Text(sample.Content))
			switch {
			case role == price && profile.IsMoney(c.dialect, sample.Content) &&
				strings.ContainsAny(text, ".,") && strings.ContainsAny(text, "123456789"),
				role == inStock && c.unlike(role, i) == "",
				slices.ContainsFunc(names,
					func(name string) bool { return fold.Names.Fold(name) == fold.Names.Fold(text) }):
				fits++
			}
		}
		if fits > most && (role != price || 2*fits >= len(cells)) {
			best, most = i, fits
		}
	}
	return best
}

// unlike says why the cells of a column are not those of a role; "": they may be.
func (c *Candidates) unlike(role string, column int) string {
	cells := c.sampled().Cells[column]
	if role == price { // a few words may stand for none
		priced := slices.DeleteFunc(slices.Clone(cells), func(sample profile.Sampled) bool {
			return !bytes.ContainsAny(sample.Content, "0123456789")
		})
		if 2*len(priced) >= len(cells) {
			cells = priced
		}
	}
	if len(cells) == 0 {
		return "its first cells are blank"
	}
	like := func(is func([]byte) bool) bool {
		n := 0
		for _, sample := range cells {
			if is(sample.Content) {
				n++
			}
		}
		return 5*n >= 4*len(cells)
	}
	switch {
	case role == price &&
		like(func(text []byte) bool { return len(text) == 1 && (text[0] == '0' || text[0] == '1') }):
		return "its cells are 0 and 1"
	case role == price && like(func(text []byte) bool { return len(text) > 7 && isDigits(text) }):
		return "its cells are codes"
	case role == price && !like(func(text []byte) bool { return profile.IsMoney(c.dialect, text) }):
		return "its cells are no prices"
	case role == inStock && !like(func(text []byte) bool { return profile.IsStock(c.dialect, text) }):
		return "its cells are neither quantities nor words for in stock and out of it"
	case role == sku && 5*len(cells) < 4*c.sampled().Rows:
		return "many of its cells are blank"
	case role == sku && c.meanings[column].Rank <= idRank && 2*distinct(cells) < len(cells),
		role == sku && c.meanings[column].Rank > idRank && 20*distinct(cells) < 19*len(cells):
		return "several rows have the same"
	case role == name && like(isDigits):
		return "its cells are numbers"
	}
	return ""
}

// idRank is the last rank of titles of SKUs that are no barcodes. A spreadsheet makes one of
// several barcodes.
const idRank = 3

func isDigits(text []byte) bool { return len(bytes.Trim(text, "0123456789")) == 0 }

func distinct(cells []profile.Sampled) int {
	seen := map[string]bool{}
	for _, c := range cells {
		seen[string(c.Content)] = true
	}
	return len(seen)
}
