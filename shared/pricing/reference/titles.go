package reference

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/currency"
	"golang.org/x/text/unicode/norm"

	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// sought are the columns of a table that no profile tells, by the words of their titles.
type sought struct {
	titles []string // as they are written
	tells  profile.Profile
	rows   []record
}

var (
	humps   = regexp.MustCompile(`(\p{Ll}\p{M}*)(\p{Lu})|(\p{L}\p{M}*)(\p{Nd})`)
	accents = regexp.MustCompile(`[\x{300}-\x{36f}]`)
	parting = regexp.MustCompile(`[^\p{L}\p{Nd}\p{M}]+`)
)

// titleWords are the words of a title.
func titleWords(title string) []string {
	text := accents.ReplaceAllString(norm.NFKD.String(title), "")
	for before := ""; before != text; {
		before, text = text, humps.ReplaceAllString(text, "$1$3 $2$4")
	}
	return strings.Fields(parting.ReplaceAllString(strings.ReplaceAll(strings.ToLower(text), "ı", "i"), " "))
}

func oneWord(title string) string { return strings.Join(titleWords(title), "") }

// offered are columns of prices whose titles say that something is offered.
func (s *sought) offered() (columns []int) {
	for i, title := range s.titles {
		if s.reads(title) {
			continue
		}
		plain, aside := apart(title)
		if role, _, _ := means(title); role == "" && s.cellsFit("price", i) &&
			markOf(append(titleWords(plain), titleWords(aside)...)) == "sale_price" {
			columns = append(columns, i)
		}
	}
	return columns
}

// otherPrices are columns of prices, but for one, whose titles say so, in a table of no
// platform's.
func (s *sought) otherPrices(but int) (columns []int) {
	for i, title := range s.titles {
		plain, aside := apart(title)
		role, _, _ := means(title)
		mark := markOf(append(titleWords(plain), titleWords(aside)...))
		has := func(word string) bool { return word != "rate" && vocabulary().roles[word].role == "price" }
		says := role == "price" || role == "" && !s.reads(title) && mark != "cost" && mark != "sale_price" &&
			slices.ContainsFunc(titleWords(title), has)
		if i != but && s.tells.Name == profile.Plain && says && s.cellsFit("price", i) {
			columns = append(columns, i)
		}
	}
	return columns
}

// apart parts a title from what is in brackets: a store's name in square ones, and
// in round ones what may say something.
func apart(title string) (plain, aside string) {
	rest := norm.NFKC.String(title)
	for {
		last := strings.LastIndexAny(rest, "([") // none opens within the pair
		if last < 0 {
			return rest + plain, aside
		}
		closing := map[byte]string{'(': ")", '[': "]"}[rest[last]]
		end := strings.IndexAny(rest[last+1:], ")]")
		if end < 0 || rest[last+1+end:][:1] != closing {
			rest, plain = rest[:last], rest[last:]+plain // it is no pair
			continue
		}
		if closing == ")" {
			aside = rest[last:last+2+end] + " " + aside
		}
		rest = rest[:last] + " " + rest[last+2+end:]
	}
}

// means returns the role that a title says, how plainly, and whether it is counted.
func means(title string) (role string, rank int, counted bool) {
	plain, aside := apart(title)
	words := titleWords(plain)
	for _, without := range []string{"", "fillers", "nouns"} {
		words = slices.DeleteFunc(slices.Clone(words), func(word string) bool {
			return leftOut(word, without)
		})
		if m := vocabulary().roles[strings.Join(words, "")]; m.role != "" && len(words) > 0 {
			if marked(titleWords(aside)) ||
				without != "" && marked(append(titleWords(plain), titleWords(aside)...)) {
				return "", 0, false
			}
			return m.role, m.rank, m.counted
		}
	}
	return "", 0, false
}

// vocabulary are the words of all languages, read once: a table asks for thousands.
var vocabulary = sync.OnceValue(func() (v struct {
	fillers, nouns map[string]bool
	roles          map[string]meaning
	marks          map[string]string
}) {
	v.fillers = map[string]bool{}
	v.nouns = map[string]bool{}
	v.roles = map[string]meaning{}
	v.marks = map[string]string{}
	for _, language := range recognize.Languages() {
		for _, filler := range language.Fillers {
			v.fillers[oneWord(filler)] = true
		}
		for _, noun := range language.Nouns {
			v.nouns[oneWord(noun)] = true
		}
		for role, ranks := range language.Roles {
			for rank, titles := range ranks {
				for _, title := range titles {
					if word := oneWord(title); v.roles[word].role == "" {
						v.roles[word] = meaning{
							strings.TrimSuffix(role, "_count"), rank, role == recognize.CountedStock,
							slices.Contains(language.Lists, title),
						}
					}
				}
			}
		}
		for mark, phrases := range language.Marks {
			for _, phrase := range phrases {
				if word := oneWord(phrase); v.marks[word] == "" {
					v.marks[word] = mark
				}
			}
		}
	}
	return v
})

// meaning is the role that a title says, how plainly, and whether it is counted.
type meaning struct {
	role    string
	rank    int
	counted bool
	several bool // in a cell
}

// severalIn reports whether a title is one of several names in a cell.
func severalIn(title string) bool {
	plain, _ := apart(title)
	words := titleWords(plain)
	for _, without := range []string{"", "fillers", "nouns"} {
		words = slices.DeleteFunc(words, func(word string) bool { return leftOut(word, without) })
		if m := vocabulary().roles[strings.Join(words, "")]; m.role != "" {
			return m.several
		}
	}
	return false
}

func leftOut(word, as string) bool {
	return as == "nouns" && vocabulary().nouns[word] ||
		as == "fillers" && (vocabulary().fillers[word] || isISO(word))
}

func isISO(word string) bool {
	_, err := currency.ParseISO(word)
	return err == nil && len(word) == 3
}

func marked(words []string) bool { return markOf(words) != "" }

// markOf is what the first words in a row say that are of what is never guessed.
func markOf(words []string) string {
	for i := range words {
		for j := i + 1; j <= len(words); j++ {
			if mark := vocabulary().marks[strings.Join(words[i:j], "")]; mark != "" {
				return mark
			}
		}
	}
	return ""
}

// fits are the columns whose titles and cells say a role, by how plainly.
func (s *sought) fits(role string) (ranked map[int][]int) {
	ranked = map[int][]int{}
	for i, title := range s.titles {
		says, rank, _ := means(title)
		plainly := s.tells.Name == profile.Plain || rank == 0 || role == "price" && rank == 1
		if says == role && plainly && !s.known(title) && s.cellsFit(role, i) {
			ranked[rank] = append(ranked[rank], i)
		}
	}
	return ranked
}

// known: the platform says what the column is.
func (s *sought) known(title string) bool { return s.tells.Name != profile.Plain && s.reads(title) }

// reads: the profile has the title.
func (s *sought) reads(title string) bool {
	p := s.tells
	h := header{plainTitle(title)}
	all := append([]profile.Titles{p.SKU, p.ProductName, p.Price, p.Cost, profile.Currency}, p.Identity...)
	for _, columns := range [][]profile.NameColumn{p.Categories, p.Brands, p.Tags} {
		for _, c := range columns {
			all = append(all, c.Titles)
		}
	}
	rows := []*profile.Rows{p.Skip}
	for _, c := range p.Stock {
		all, rows = append(all, c.Titles), append(rows, c.Untracked)
	}
	for _, c := range p.Sales {
		all = append(all, c.Titles, c.From, c.Until, c.Flag)
	}
	if family := p.Inheritance; family != nil {
		all = append(all, family.Above, family.Parent, family.Same)
		rows = append(rows, family.Below, family.Childless)
		for _, key := range family.Keys {
			all = append(all, key.Titles)
		}
	}
	for _, kind := range rows {
		if kind != nil && h.has(kind.Titles) {
			return true
		}
	}
	return slices.ContainsFunc(all, h.has)
}

// best are the columns whose titles say a role most plainly, and those whose titles have
// another word in the place of one that says nothing.
func (s *sought) best(role string) []int {
	best := s.plainest(role)
	for i, title := range s.titles {
		if s.unknown(title) && s.cellsFit(role, i) &&
			slices.ContainsFunc(best, func(of int) bool { return otherwise(s.titles[of], title) }) {
			best = append(best, i)
		}
	}
	return best
}

// unknown: neither the profile nor the words say what the column is.
func (s *sought) unknown(title string) bool {
	plain, aside := apart(title)
	role, _, _ := means(title)
	return role == "" && !s.reads(title) && !marked(append(titleWords(plain), titleWords(aside)...))
}

// otherwise reports whether two titles differ in one word that says nothing in the first,
// or do so without their currencies.
func otherwise(title, other string) bool {
	a, _ := apart(title)
	b, _ := apart(other)
	for _, without := range []bool{false, true} {
		drop := func(word string) bool { return without && isISO(word) }
		of, as := slices.DeleteFunc(titleWords(a), drop), slices.DeleteFunc(titleWords(b), drop)
		if len(of) != len(as) {
			continue
		}
		var differ []string
		for i, word := range of {
			if word != as[i] {
				differ = append(differ, word)
			}
		}
		if len(differ) == 1 && leftOut(differ[0], "fillers") {
			return true
		}
	}
	return false
}

// plainest are the columns whose titles say a role most plainly. Prices and those of a
// list are alike, where no title says what customers pay.
func (s *sought) plainest(role string) []int {
	ranked := s.fits(role)
	if role == "price" {
		ranked[1] = append(ranked[1], ranked[2]...)
		slices.Sort(ranked[1])
		delete(ranked, 2)
	}
	for rank := range 10 {
		if len(ranked[rank]) > 0 {
			return ranked[rank]
		}
	}
	return nil
}

// twice: another column has the title too.
func (s *sought) twice(column int) bool {
	title := plainTitle(s.titles[column])
	return slices.ContainsFunc(s.titles[:column], func(other string) bool {
		return plainTitle(other) == title
	}) ||
		slices.ContainsFunc(s.titles[column+1:], func(other string) bool {
			return plainTitle(other) == title
		})
}

// cellsFit reports whether what a column holds in its first thousand rows may be of
// a role.
func (s *sought) cellsFit(role string, column int) bool {
	rows := s.rows[:min(len(s.rows), 1000)]
	var cells []string
	all := map[string]bool{}
	for _, r := range rows {
		if text := r.text(column); text != "" {
			cells, all[text] = append(cells, text), true
		}
	}
	hasNone := func(cell string) bool { return !strings.ContainsAny(cell, "0123456789") }
	priced := slices.DeleteFunc(slices.Clone(cells), hasNone)
	if role == "price" && 2*len(priced) >= len(cells) {
		cells = priced
	}
	most := func(is func(string) bool) bool {
		n := 0
		for _, c := range cells {
			if is(c) {
				n++
			}
		}
		return float64(n) >= 0.8*float64(len(cells))
	}
	digits := regexp.MustCompile(`^[0-9]*$`).MatchString
	switch role {
	case "price":
		return len(cells) > 0 && most(func(c string) bool {
			p, ok := dress(c)
			both := read(p.number)
			return ok && (both.point != nil || both.comma != nil)
		}) && !most(func(c string) bool { return c == "0" || c == "1" }) &&
			!most(func(c string) bool { return len(c) > 7 && digits(c) })
	case "in_stock":
		return len(cells) > 0 && most(func(c string) bool {
			_, word := usual[strings.ToLower(c)]
			return word || quantity.MatchString(c) || grouped(c) || slices.ContainsFunc(
				profile.StockPairs,
				func(pair [2]string) bool { return slices.Contains(pair[:], strings.ToLower(c)) },
			)
		})
	case "sku":
		least := 0.5
		if says, rank, _ := means(s.titles[column]); says != "sku" || rank > 3 {
			least = 0.95 // of barcodes
		}
		return len(cells) > 0 && float64(len(cells)) >= 0.8*float64(len(rows)) &&
			float64(len(all)) >= least*float64(len(cells))
	case "name":
		return len(cells) > 0 && !most(digits)
	}
	return len(cells) > 0
}
