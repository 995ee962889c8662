package reader

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// index is a shop's names, by what people type for each: in any case, singular or plural,
// without accents and apostrophes, in one word or several, and the parts around "and" in
// any order. SKUs and the products' titles are typed as they are, in any case.
type index struct {
	given  planning.Names
	closed [roles]bool // the names of a role are all that there are
	listedNames
	productNames
	column []columnName // how other columns are called; nil: not asked yet
	now    time.Time    // of the request, in the caller's zone
}

// listedNames are categories, brands and tags.
type listedNames struct {
	list   []string
	as     []role                     // of each
	spelt  [roles]map[string][]string // all that look the same
	words  [][]string                 // of each name, without number
	plain  []string                   // the same in one, as they are spelt
	has    map[string]bool            // all of them
	near   spelled                    // the same, to find slips of the pen
	folded map[string][]typed         // by the words without number, in one
	bare   map[string][]typed         // by the words without accents, in one
	length int                        // of the longest, in bytes
}

// productNames are SKUs and titles.
type productNames struct {
	skus       map[string][]string // in any case, and by how they look
	longestSKU int                 // in tokens
	titles     []title             // of all names
	titled     map[string][]int    // of products, by their words
	begins     map[string]bool     // the first words of products' titles
}

// tells reports whether the table has a column of one of some roles.
func (c *index) tells(roles ...string) bool {
	return slices.ContainsFunc(c.given.Columns,
		func(role string) bool { return slices.Contains(roles, role) })
}

// typed is a name of the list as it may be typed.
type typed struct {
	name   int
	words  int
	turned bool // the parts around "and" in another order
	parted bool // there are several
	leaf   bool // the last of a path alone
}

// indexed is a shop's names by what is typed for them.
func indexed(given planning.Names) *index {
	c := &index{
		given: given,
		listedNames: listedNames{
			has: map[string]bool{}, near: spelled{}, folded: map[string][]typed{}, bare: map[string][]typed{},
		},
		productNames: productNames{
			skus: map[string][]string{}, titled: map[string][]int{}, begins: map[string]bool{},
		},
	}
	for r, names := range [roles][]string{
		category: given.Categories,
		brand:    given.Brands,
		tag:      given.Tags,
		phrase:   given.Products,
		sku:      given.SKUs,
	} {
		c.closed[r], c.spelt[r] = given.Whole || len(names) > 0, map[string][]string{}
		for _, name := range names {
			switch role(r) {
			case sku:
				keys := []string{strings.ToLower(name), looksLike + fold.SKUs.Fold(name)}
				for _, key := range slices.Compact(keys) {
					c.skus[key] = append(c.skus[key], name)
				}
				c.longestSKU = min(
					maxTitle,
					max(c.longestSKU, len(tokenize(name))+2, len(tokenize(fold.SKUs.Fold(name)))+2),
				)
			case phrase:
				c.titled[asTitle(name)] = append(c.titled[asTitle(name)], len(c.titles))
				c.titles = append(c.titles, titleOf(name))
				if first, _, _ := strings.Cut(asTitle(name), " "); first != "" {
					c.begins[first] = true
				}
			default:
				folded := fold.Names.Fold(name)
				if c.spelt[r][folded] = append(c.spelt[r][folded], name); given.Whole &&
					len(c.spelt[r][folded]) > 1 {
					continue // weft and Weft, of one table
				}
				c.list = append(c.list, name)
				c.as = append(c.as, role(r))
				c.titles = append(c.titles, titleOf(name))
				c.titles[len(c.titles)-1].role = role(r)
			}
		}
	}
	rows := sync.OnceValue(c.rowsByWord)
	for i, name := range c.list {
		parts := partsOf(name)
		words := slices.Concat(parts...)
		var single []string
		plain := ""
		for _, w := range words {
			single = append(single, singular(w))
			plain += unnumbered(w)
			if s := singular(w); !c.has[s] {
				c.has[s] = true
				c.near.add(s)
			}
		}
		c.words, c.plain = append(c.words, single), append(c.plain, plain)
		c.length = max(c.length, len(strings.Join(words, "")))
		for n, order := range orders(parts) {
			c.add(slices.Concat(order...), typed{
				name:   i,
				words:  len(words),
				turned: n > 0,
				parted: len(parts) > 1,
			})
		}
		if looks := partsOf(fold.Names.Fold(name)); !slices.EqualFunc(
			looks,
			parts,
			slices.Equal,
		) { // Kids &amp; Toys
			for n, order := range orders(looks) {
				words := slices.Concat(order...)
				c.add(words, typed{name: i, words: len(words), turned: n > 0, parted: len(looks) > 1})
			}
		}
		if n := len(words) - 1; n > 0 && c.as[i] == brand && load().listed["COMPANY"][words[n]] &&
			slices.ContainsFunc(single[:n], func(w string) bool {
				// else it may be no name: Tea & Co
				return !load().words[w] && rows()[w] <= given.Rows[plan.ColumnBrand][name]
			}) { // Greenmantle Ltd
			c.add(words[:n], typed{name: i, words: n, leaf: true})
		}
		// of Guitars > Electric, electric and electric guitars
		if at := strings.LastIndexByte(name, '>'); at >= 0 {
			leaf, above := partsOf(name[at:]), slices.Concat(partsOf(name[:at])...)
			for n, order := range orders(leaf) {
				words := slices.Concat(order...)
				c.add(words, typed{i, len(words), n > 0, len(leaf) > 1, true})
				c.add(slices.Concat(words, above), typed{i, len(words) + len(above), n > 0, true, true})
			}
		}
	}
	return c
}

// rowsByWord are how many rows have each word in a title, or more where a kind of products has it.
func (c *index) rowsByWord() map[string]int64 {
	rows := map[string]int64{}
	for _, t := range c.titles {
		for _, w := range t.words {
			if t.role == phrase {
				rows[w] += max(1, c.given.Rows[plan.ColumnName][t.name])
			} else if t.role != brand {
				rows[w] += 1 << 32
			}
		}
	}
	return rows
}

// partsOf are the words of a name, by the parts around "and" and signs for it.
func partsOf(name string) [][]string {
	parts := [][]string{nil}
	for _, token := range tokenize(name) {
		switch last := len(parts) - 1; {
		case joins(token.norm):
			if parts[last] != nil {
				parts = append(parts, nil)
			}
		case token.kind != mark && !(token.norm == "s" && len(parts[last]) > 0 &&
			strings.HasSuffix(normal(name[:token.start]), "'")):
			parts[last] = append(parts[last], fold.WithoutSigns(token.norm))
		}
	}
	return slices.DeleteFunc(parts, func(part []string) bool { return part == nil })
}

// joins reports whether a word or sign joins the words of a name.
func joins(norm string) bool {
	return slices.Contains([]string{"and", "&", ",", "-", "/", "+", "the", "n"}, norm)
}

// orders are the orders in which the parts of a name may be typed, as they stand first.
func orders(parts [][]string) [][][]string {
	if len(parts) < 2 || len(parts) > maxTurned {
		return [][][]string{parts}
	}
	var all [][][]string
	for i := range parts {
		rest := slices.Delete(slices.Clone(parts), i, i+1)
		for _, order := range orders(rest) {
			all = append(all, append([][]string{parts[i]}, order...))
		}
	}
	return all
}

func (c *index) add(words []string, as typed) {
	var single string
	for _, w := range words {
		single += singular(w)
	}
	raw := strings.Join(words, "")
	for _, key := range []string{single, singular(raw)} {
		if !slices.Contains(c.folded[key], as) {
			c.folded[key] = append(c.folded[key], as)
		}
	}
	c.bare[unaccented(raw)] = append(c.bare[unaccented(raw)], as)
}

// skusOf are the SKUs that a text is: in another case, or else those that look the same.
func (c *index) skusOf(text string) []string {
	if found := c.skus[strings.ToLower(text)]; found != nil {
		return found
	}
	return c.skus[looksLike+fold.SKUs.Fold(text)]
}

// looksLike tells how a SKU looks from a SKU.
const looksLike = "\x00"

// columns are the columns of roles.
var columns = [roles]plan.Column{
	category: plan.ColumnCategory,
	brand:    plan.ColumnBrand,
	tag:      plan.ColumnTags,
	phrase:   plan.ColumnName,
	sku:      plan.ColumnSKU,
}

// all is the products of a name, and of those that look the same.
func (c *index) all(r role, name string) []set {
	if spelt := c.spelt[r][fold.Names.Fold(name)]; c.given.Whole && len(spelt) > 0 {
		return setOf(r, spelt...)
	}
	return setOf(r, name)
}

// count is how many products the table has of a set that is one name, or rows where titles do not
// tell it; 0 is not known.
func (c *index) count(s set) (n int64) {
	for r := range roles {
		for _, name := range s.of[r] {
			if r != phrase {
				n += c.given.Rows[columns[r]][name]
			}
		}
	}
	said := rowsOf(s.of[phrase])
	for i := range c.titles {
		if c.titles[i].has(said) {
			n++
		}
	}
	return n
}

// under are the categories below one of which only they tell, by its name as titles have it.
func (c *index) under(said string) (names []string) {
	for _, name := range c.given.Categories {
		if above, _, below := strings.Cut(name, ">"); below && asTitle(above) == said {
			names = append(names, name)
		}
	}
	return names
}

// slips are the words of the list for which an unknown word may stand.
func (c *index) slips(norm string) []slip {
	if len(norm) < 4 {
		return nil
	}
	if found := slips(singular(norm), c.near); found != nil {
		return found
	}
	return slips(norm, c.near)
}
