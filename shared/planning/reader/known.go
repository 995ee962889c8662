package reader

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// index is a shop's names, by what people type for each: in any case, singular or plural,
// without accents and apostrophes, in one word or several, and the parts around "and" in
// any order. SKUs and the products' titles are typed as they are, in any case.
type index struct {
	given  planning.Names
	closed [roles]bool                // the names of a role are all that there are
	list   []string                   // categories, brands and tags
	as     []role                     // of each
	spelt  [roles]map[string][]string // all that look the same
	words  [][]string                 // of each name, without number
	plain  []string                   // the same in one, as they are spelt
	has    map[string]bool            // all of them
	near   spelled                    // the same, to find slips of the pen
	folded map[string][]typed         // by the words without number, in one
	bare   map[string][]typed         // by the words without accents, in one
	length int                        // of the longest, in bytes
	skus   map[string][]string        // in any case, and by how they look
	titles []title                    // all names
	titled map[string][]int           // of products, by their words
	column []columnName               // how other columns are called; nil: not asked yet
	now    time.Time                  // of the request, in the caller's zone

	begins     map[string]bool // the first words of products' titles
	longestSKU int             // of all SKUs, in tokens
}

// tells reports whether the table has a column of one of some roles.
func (c *index) tells(roles ...string) bool {
	return slices.ContainsFunc(c.given.Columns, func(role string) bool { return slices.Contains(roles, role) })
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
	c := &index{given: given, has: map[string]bool{}, near: spelled{}, folded: map[string][]typed{}, bare: map[string][]typed{}, skus: map[string][]string{}, titled: map[string][]int{}, begins: map[string]bool{}}
	for r, names := range [roles][]string{category: given.Categories, brand: given.Brands, tag: given.Tags, phrase: given.Products, sku: given.SKUs} {
		c.closed[r], c.spelt[r] = given.Whole || len(names) > 0, map[string][]string{}
		for _, name := range names {
			switch role(r) {
			case sku:
				for _, key := range slices.Compact([]string{strings.ToLower(name), looksLike + fold.SKUs.Fold(name)}) {
					c.skus[key] = append(c.skus[key], name)
				}
				c.longestSKU = min(maxTitle, max(c.longestSKU, len(tokenize(name))+2, len(tokenize(fold.SKUs.Fold(name)))+2))
			case phrase:
				c.titled[asTitle(name)] = append(c.titled[asTitle(name)], len(c.titles))
				c.titles = append(c.titles, titleOf(name))
				if first, _, _ := strings.Cut(asTitle(name), " "); first != "" {
					c.begins[first] = true
				}
			default:
				folded := fold.Names.Fold(name)
				if c.spelt[r][folded] = append(c.spelt[r][folded], name); given.Whole && len(c.spelt[r][folded]) > 1 {
					continue // weft and Weft, of one table
				}
				c.list, c.as, c.titles = append(c.list, name), append(c.as, role(r)), append(c.titles, titleOf(name))
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
			c.add(slices.Concat(order...), typed{name: i, words: len(words), turned: n > 0, parted: len(parts) > 1})
		}
		if looks := partsOf(fold.Names.Fold(name)); !slices.EqualFunc(looks, parts, slices.Equal) { // Kids &amp; Toys
			for n, order := range orders(looks) {
				words := slices.Concat(order...)
				c.add(words, typed{name: i, words: len(words), turned: n > 0, parted: len(looks) > 1})
			}
		}
		if n := len(words) - 1; n > 0 && c.as[i] == brand && load().listed["COMPANY"][words[n]] && slices.ContainsFunc(single[:n], func(w string) bool {
			return !load().words[w] && rows()[w] <= given.Rows[plan.ColumnBrand][name] // else it may be no name: Tea & Co
		}) { // Greenmantle Ltd
			c.add(words[:n], typed{name: i, words: n, leaf: true})
		}
		if at := strings.LastIndexByte(name, '>'); at >= 0 { // of Guitars > Electric, electric and electric guitars
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
		case token.kind != mark && !(token.norm == "s" && len(parts[last]) > 0 && strings.HasSuffix(normal(name[:token.start]), "'")):
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

// singular is a word without what its number and spelling add.
func singular(word string) string {
	for _, form := range []string{word, unnumbered(word)} {
		if same := load().same[form]; same != "" {
			return same
		}
	}
	return unnumbered(word)
}

// unnumbered is a word without what its number adds.
func unnumbered(word string) string {
	for _, n := range numberEndings {
		if stem, has := strings.CutSuffix(word, n.plural); has && len(word) >= n.least {
			return stem + n.singular
		}
	}
	return word
}

// numberEndings are how words end that have a number, in words that are long enough.
var numberEndings = []struct {
	plural, singular string
	least            int
}{
	{"ies", "y", 5}, {"sses", "ss", 0}, {"shes", "sh", 0}, {"ches", "ch", 0}, {"xes", "x", 0}, {"ves", "f", 5},
	{"ife", "if", 0}, {"eave", "eave", 0}, {"ve", "f", 5}, {"ie", "y", 5}, {"ss", "ss", 0}, {"s", "", 4}, // knives; gloves, not leave; cookies
}

// unaccented is a word with plain letters.
func unaccented(word string) string {
	if !strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII }) {
		return word
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, norm.NFD.String(word))
}

// typing is what of a name was typed so far.
type typing struct {
	single, raw string // without number, and as it is
	plain       string // without number, as it is spelt
	words       int
	free        bool // a word of it has nothing else to do
	joined      bool // with "and" or a sign for it
	listed      bool // with a comma
	mends, cost int  // slips of the pen
}

// match is a name of the list that was typed, how unlike it and at what cost.
type match struct {
	name, unlike, cost int
	noted              bool // it is another word, or a part of the name
}

// listedNames adds the names of the lists.
func (t *text) listedNames() {
	for i := range t.tokens {
		if len(t.known.list) > 0 {
			t.knownNames(i)
		}
	}
	t.occasions()
	t.traits = make([]bool, len(t.tokens))
	for i, edges := range t.edges {
		for _, e := range edges {
			for k := i; k < e.end && e.meaning.symbol == "TRAIT" && !t.known.closed[category]; k++ {
				t.traits[k] = true
			}
		}
	}
	for i := range t.tokens {
		t.exactNames(i)
	}
	t.shortenedNames()
}

// occasions takes back tags that are rather when something is: lights up 8% for the winter.
func (t *text) occasions() {
	for i, edges := range t.edges {
		before := i - 1
		for before > 0 && t.is(before, "DET", "A") {
			before--
		}
		if t.is(i, "SEASON") && t.is(before, "BEFORESEASON") {
			t.edges[i] = slices.DeleteFunc(edges, func(e edge) bool {
				return e.meaning.symbol == "TRAIT" && (e.end == len(t.tokens) || !t.isListed(e.end) && !t.begins(e.end, "noun"))
			})
		}
	}
}

// exactNames adds the SKUs that begin with a token, and the titles of products where no
// other name has the words.
func (t *text) exactNames(i int) {
	first, _ := t.titleWord(i)
	first, _, _ = strings.Cut(first, " ")
	most := t.known.longestSKU
	if t.known.begins[first] {
		most = maxTitle
	}
	for end := i + 1; end <= min(len(t.tokens), i+most); end++ {
		if end == i+1 && (t.standing(i) == reserved && t.tokens[i].kind != code && t.tokens[i].kind != number || t.lex.words[t.tokens[i].norm]) {
			continue
		}
		source := t.source(i, end)
		if t.tokens[i].kind == quoted && end == i+1 {
			source = t.tokens[i].text
		}
		for _, n := range t.known.titled[asTitle(source)] {
			t.exactTitle(i, end, source, t.known.titles[n].name)
		}
		for _, name := range t.known.skusOf(source) {
			made := &meaning{clause: clause{sets: setOf(sku, name)}}
			if name != source {
				made.meant = name
			}
			if end > i+1 || t.tokens[i].kind != number {
				t.addSet("CODE", i, end, made)
			} else if t.cued(i) {
				t.addSet("NUMCODE", i, end, made)
			}
		}
	}
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

// exactTitle adds a title that was typed where no other name has the words, or has them in
// another number: bird feeder is the product, where Bird Feeders are a category.
func (t *text) exactTitle(from, end int, source, title string) {
	loose := func(t token, at func(string, string) bool) bool { return t.kind == mark && !at(title, t.text) }
	if loose(t.tokens[from], strings.HasPrefix) || loose(t.tokens[end-1], strings.HasSuffix) {
		return // a mark that the title does not have parts it from another name: Armor, Clear Case
	}
	for k := from + 1; k < end-1; k++ {
		parts := isPause(t.tokens[k].text) && t.tokens[k].text != "-" || isStop(t.tokens[k].text) || t.tokens[k].text == "&" || t.tokens[k].text == "+"
		if parts && !strings.Contains(title, t.tokens[k].text) && (t.tokens[k].text == "," || t.isListed(from) || t.isListed(k+1)) {
			return // basil, seeds: both, where there are Basil Seeds
		}
	}
	same := func(name string) bool { return strings.EqualFold(fold.WithoutSigns(source), fold.WithoutSigns(name)) }
	tagsMore := func(s set) bool { // and is in other rows than those of the product
		n, known := t.known.given.Both[[2]planning.Name{{Column: plan.ColumnName, Name: title}, {Column: plan.ColumnTags, Name: s.first()}}]
		return s.of[tag] != nil && known && n < t.known.count(s)
	}
	if t.tokens[from].kind == quoted && !same(title) || slices.ContainsFunc(t.edges[from], func(e edge) bool {
		return e.end == end && e.meaning.sets != nil && e.meaning.cost == 0 && (!same(title) || same(lastOf(e.meaning.sets[0].first())) && !tagsMore(e.meaning.sets[0]))
	}) {
		return
	}
	whole, others := setOf(phrase, title), t.known.within(title)
	if !same(title) && others != nil {
		return // linen shirts, of a shop that has Linen Shirts, pack of 2
	}
	made := &meaning{clause: clause{sets: whole}}
	if !same(title) {
		made.meant = title
	}
	others = slices.DeleteFunc(others, func(other string) bool { return strings.HasPrefix(other, title+" - ") }) // its variants
	if alone := setOf(phrase, title); len(others) > 0 && len(others) <= maxKinds && t.known.given.Whole {
		alone[0].out[phrase] = others
		t.addSet("NAME", from, end, &meaning{clause: clause{sets: alone}})
		last := len(t.edges[from]) - 1 // the likeliest is the first
		t.edges[from] = slices.Insert(t.edges[from][:last], 0, t.edges[from][last])
	}
	t.addSet("NAME", from, end, made)
}

// lastOf is the last part of a category's path.
func lastOf(name string) string { return strings.TrimSpace(name[strings.LastIndexByte(name, '>')+1:]) }

// within are the titles that have one in them.
func (c *index) within(title string) (all []string) {
	said := rowsOf([]string{title})
	for i := range c.titles {
		if other := &c.titles[i]; other.row != said[0] && other.has(said) {
			all = append(all, other.name)
		}
	}
	return planning.SortedOnce(all)
}

// say puts the titles that have all phrases of sets in their place. It is false where a set
// has what no filter says.
func (c *index) say(sets []set) bool {
	for i := range sets {
		s := &sets[i]
		for _, phrases := range s.also {
			var both []string
			first, second := rowsOf(s.of[phrase]), rowsOf(phrases)
			for k := range c.titles {
				if c.titles[k].has(first) && c.titles[k].has(second) {
					both = append(both, c.titles[k].name)
				}
			}
			s.of[phrase], s.unsaid = both, s.unsaid || len(both) == 0 || len(both) > maxPhrases
		}
		if s.also = nil; s.unsaid {
			return false
		}
	}
	return true
}

// rowsOf are phrases as titles have them in a row.
func rowsOf(phrases []string) []string {
	rows := make([]string, len(phrases))
	for i, phrase := range phrases {
		rows[i] = titleOf(phrase).row
	}
	return rows
}

// has reports whether a title has one of some rows of words.
func (t *title) has(rows []string) bool {
	return t.role == phrase && slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(t.row, row) })
}

// apart reports whether no product's name of the table is let in by two filters.
func (c *index) apart(a, b plan.Filter) bool {
	lets := func(f plan.Filter) func(t *title) bool {
		in, out := rowsOf(f.NameContains), rowsOf(f.ExcludeNameContains)
		return func(t *title) bool { return t.role == phrase && (f.NameContains == nil || t.has(in)) && !t.has(out) }
	}
	named := a.NameContains != nil || b.NameContains != nil // the titles with other words are not known
	if !c.closed[phrase] || len(c.given.Products) >= maxProducts || !named {
		return false
	}
	letsA, letsB := lets(a), lets(b)
	for i := range c.titles {
		if letsA(&c.titles[i]) && letsB(&c.titles[i]) {
			return false
		}
	}
	return true
}

// columns are the columns of roles.
var columns = [roles]plan.Column{category: plan.ColumnCategory, brand: plan.ColumnBrand, tag: plan.ColumnTags, phrase: plan.ColumnName, sku: plan.ColumnSKU}

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

// called are the words of a name as titles have them, and of how many rows, and how many of
// those have not the name. They must be of one of the names within, if there are any.
func (c *index) called(named, within set) (phrases []string, rows, lacking int64) {
	return c.calledAs(named.first(), named, within)
}

// calledAs is the same of a name as it was typed.
func (c *index) calledAs(typed string, named, within set) (phrases []string, rows, lacking int64) {
	said := strings.Fields(asTitle(typed))
	for i := range c.titles {
		of := &c.titles[i]
		with := func(names [roles][]string) (n int64) {
			for r := range phrase {
				for _, name := range names[r] {
					n += c.given.Both[[2]planning.Name{{Column: plan.ColumnName, Name: of.name}, {Column: columns[r], Name: name}}]
				}
			}
			return n
		}
		if at := of.find(said, strings.EqualFold); at >= 0 && of.role == phrase && (!within.named() || with(within.of) > 0) {
			n := c.given.Rows[plan.ColumnName][of.name]
			phrases, rows, lacking = append(phrases, of.phrase(at, len(said))), rows+n, lacking+max(0, n-with(named.of))
		}
	}
	return planning.SortedOnce(phrases), rows, lacking
}

// common is how many rows have both names; known: that was counted.
func (c *index) common(r role, name string, q role, other string) (n int64, known bool) {
	if q == phrase {
		r, name, q, other = q, other, r, name
	}
	one, two := planning.Name{Column: columns[r], Name: name}, planning.Name{Column: columns[q], Name: other}
	if r != phrase {
		n, known = c.given.Both[[2]planning.Name{one, two}]
		return n, known
	}
	if _, known = c.given.Both[[2]planning.Name{two, two}]; !known || len(c.given.Products) >= maxProducts {
		return 0, false
	}
	said := rowsOf([]string{name})
	for i := range c.titles {
		if of := &c.titles[i]; of.has(said) {
			one.Name = of.name
			n += c.given.Both[[2]planning.Name{one, two}]
			known = known && c.given.Rows[plan.ColumnName][of.name] == 1 // or else some of them may have it
		}
	}
	return n, known
}

// shared is how many rows two sets share at most, by their names; known: that was counted.
func (c *index) shared(a, b set) (least int64, known bool) {
	without := func(s set) set { s.of[category], s.out[category] = nil, nil; return s }
	if _, meet := without(a).intersect(without(b)); !meet {
		return 0, false // by more than names
	}
	for r := range sku {
		for q := range sku {
			rows, counted := int64(0), a.of[r] != nil && b.of[q] != nil
			for _, one := range a.of[r] {
				for _, two := range b.of[q] {
					n, has := c.common(r, one, q, two)
					if counted = counted && has; !slices.Contains(a.out[q], two) && !slices.Contains(b.out[r], one) {
						rows += n
					}
				}
			}
			if counted && (!known || rows < least) {
				least, known = rows, true
			}
		}
	}
	return least, known
}

// excepted are operations for what is called so instead of a category or a brand that they leave out
// or a later one is for, and of which they have no row: helmets except kids, or helmets up 5%, kids
// 3%, where none is of the category Kids and one is for kids. It is nil where there are none.
func (c *index) excepted(ops []plan.Operation) (byName []plan.Operation) {
	for i, op := range ops {
		scope := set{}
		for r := range phrase {
			scope.of[r], _ = op.Filter.Names(columns[r])
		}
		for r := range tag {
			_, out := op.Filter.Names(columns[r])
			within := make([]set, len(out))
			for _, other := range ops[i+1:] {
				if names, _ := other.Filter.Names(columns[r]); len(names) == 1 && scope.named() && !slices.Contains(out, names[0]) {
					out, within = append(slices.Clip(out), names[0]), append(within, scope)
				}
			}
			for n, name := range out {
				left := setOf(r, name)
				phrases, _, lacking := c.called(left[0], within[n])
				if rows, known := c.shared(scope, left[0]); !known || rows > 0 || lacking == 0 {
					continue
				}
				if byName == nil {
					byName = slices.Clone(ops)
				}
				byName[i].Filter = calledOut(byName[i].Filter, name, phrases)
				for k, other := range ops {
					if names, _ := other.Filter.Names(columns[r]); slices.Equal(names, []string{name}) {
						f := &byName[k].Filter
						f.Categories, f.Brands, f.Tags, f.NameContains = scope.of[category], scope.of[brand], scope.of[tag], phrases
					}
				}
			}
		}
	}
	return byName
}

// calledOut is a filter that leaves out what is called so instead of a category or brand.
func calledOut(f plan.Filter, name string, phrases []string) plan.Filter {
	for _, out := range []*[]string{&f.ExcludeCategories, &f.ExcludeBrands} {
		*out = append([]string(nil), slices.DeleteFunc(slices.Clone(*out), func(other string) bool { return other == name })...) // nil: none is left
	}
	f.ExcludeNameContains = planning.SortedOnce(slices.Concat(f.ExcludeNameContains, phrases))
	return f
}

// others says which titles have that of another product in them, or a name that their products
// do not have.
func (c *index) others(s set) string {
	for r, kind := range []string{category: "category", brand: "brand"} {
		if phrases, _, lacking := c.called(s, set{}); s.of[r] != nil && lacking > 0 {
			return quote(s.first()) + " is the " + kind + "; other products have " + some(phrases) + " in their names."
		}
	}
	if all := c.within(s.first()); s.of[phrase] != nil && s.out[phrase] == nil && len(all) > 0 {
		return quote(s.first()) + " is also in the name of " + some(all) + "."
	}
	return ""
}

// title is a name, and its words as people type those of products.
type title struct {
	name  string
	role  role
	words []string // without case, accents, marks and number
	row   string   // the same in one, with a blank around each
	at    []piece  // of each, its bytes in the name
}

func titleOf(name string) title {
	made := title{name: name, role: phrase}
	for at, char := range name + " " {
		in, last := unicode.IsLetter(char) || unicode.IsDigit(char) || unicode.IsMark(char), len(made.at)-1
		switch open := last >= 0 && made.at[last].end == 0; {
		case in && !open:
			made.at = append(made.at, piece{from: at})
		case !in && open:
			made.at[last].end = at
			made.words = append(made.words, singular(unaccented(strings.ToLower(name[made.at[last].from:at]))))
		}
	}
	made.row = " " + strings.Join(made.words, " ") + " "
	return made
}

// find is where words stand in a title one after another; -1: they do not.
func (t *title) find(said []string, same func(string, string) bool) int {
	for at := 0; at+len(said) <= len(t.words); at++ {
		if slices.EqualFunc(said, t.words[at:at+len(said)], same) {
			return at
		}
	}
	return -1
}

// phrase is some words of a title as it has them, in small letters.
func (t *title) phrase(at, words int) string {
	return strings.ToLower(t.name[t.at[at].from:t.at[at+words-1].end])
}

// asTitle is the words of a title in one.
func asTitle(text string) string { return strings.Join(titleOf(text).words, " ") }

// cued reports whether a number is a SKU: one of four digits that is no year, or stands
// after a verb as an order has it, and any after the word, after an exception, and in a
// list of SKUs.
func (t *text) cued(i int) bool {
	if said := t.tokens[i].text; len(said) > 3 && !strings.ContainsAny(said, ",./") {
		if !year.MatchString(said) || i > 0 && t.commands(i-1) && !t.lex.listed["PRICE"][t.norm(i+1)] {
			return true
		}
	}
	for from := max(0, i-maxNameWords); from < i; from++ {
		if slices.ContainsFunc(t.edges[from], func(e edge) bool { return e.end == i && (e.meaning.symbol == "SKU" || e.meaning.symbol == "EXCEPT") }) {
			return true
		}
	}
	joined := i > 1 && (joins(t.tokens[i-1].norm) || t.tokens[i-1].norm == "or")
	return joined && slices.ContainsFunc(t.edges[i-2], func(e edge) bool { return e.end == i-1 && e.meaning.sets != nil && e.meaning.sets[0].of[sku] != nil })
}

// knownNames adds the names of the list that begin with a token: of those that end at the
// same one, the most alike. Words of a name may be misspelt.
func (t *text) knownNames(i int) {
	if kind := t.tokens[i].kind; kind != word && kind != code && kind != number {
		return
	}
	best := map[int][]match{}
	t.follow(i, i, typing{}, best)
	for end, matches := range best {
		for _, m := range matches {
			r, name := t.known.as[m.name], t.known.list[m.name]
			made := &meaning{cost: m.cost, clause: clause{sets: t.known.all(r, name)}}
			if m.cost > 0 || m.noted {
				made.meant = name
			}
			if end < len(t.tokens) && t.tokens[end].kind == mark && t.tokens[end].start == t.tokens[end-1].end && strings.HasSuffix(name, t.tokens[end].text) { // ages 8+, Sony Ent.
				whole := *made
				t.addSet(symbolOf[r], i, end+1, &whole)
			}
			t.addSet(symbolOf[r], i, end, made)
		}
	}
}

// follow takes one token more to what was typed of a name, in each way in which it can
// be meant.
func (t *text) follow(from, at int, so typing, best map[int][]match) {
	if at == len(t.tokens) || len(so.raw) > t.known.length+2 {
		return
	}
	token := t.tokens[at]
	switch {
	case so.words > 0 && (token.text == "'" || token.text == "’" || token.norm == "s" && (t.tokens[at-1].text == "'" || t.tokens[at-1].text == "’")):
		t.matches(from, at+1, so, best)
		t.follow(from, at+1, so, best)
	case so.words > 0 && (joins(token.norm) || token.norm == ">"):
		so.joined, so.listed = so.joined || token.norm != "the" && token.norm != ">", so.listed || token.norm == ","
		t.follow(from, at+1, so, best)
	case token.kind == word || token.kind == code || token.kind == number:
		piece := fold.WithoutSigns(token.norm)
		next := so
		next.words, next.raw, next.single, next.free = so.words+1, so.raw+piece, so.single+singular(piece), so.free || t.standing(at) != reserved
		next.plain = so.plain + unnumbered(piece)
		t.matches(from, at+1, next, best)
		t.follow(from, at+1, next, best)
		for _, near := range t.near[at] {
			if next.mends, next.cost = so.mends+1, so.cost+near.cost; next.mends > 1 && next.cost > 2*costSlip {
				continue
			}
			next.raw, next.single = so.raw+near.meant, so.single+near.meant
			t.matches(from, at+1, next, best)
			t.follow(from, at+1, next, best)
		}
	}
}

// matches notes the names that were typed up to a token.
func (t *text) matches(from, end int, so typing, best map[int][]match) {
	found := t.known.folded[so.single]
	if so.mends == 0 {
		found = joined(slices.Clip(found), t.known.folded[singular(so.raw)])
		if found == nil {
			found = t.known.bare[unaccented(so.raw)]
		}
	}
	for _, as := range found {
		if as.turned && !so.joined || so.listed && (so.mends > 0 || !as.parted) || as.words != so.words && !so.free || t.tokens[from].kind == number && so.words < 2 {
			continue // "over all" is no Overalls; nor is light, store the Light Store, or garden, hose a slip for it
		}
		last, plain := fold.WithoutSigns(t.tokens[end-1].norm), !hasCapital(t.tokens[from].text) || t.beginsSentence(from)
		if plain && so.mends == 0 && t.known.as[as.name] == brand && unnumbered(last) != last && (as.leaf && as.words == 1 || !slices.Contains(t.known.bare[unaccented(so.raw)], as)) {
			continue // carriers may be things to carry with, of all brands, in a shop that has Carrier Co
		}
		m := match{name: as.name, unlike: 2 + so.cost, cost: so.cost, noted: as.leaf}
		if spelt := strings.NewReplacer("s", ""); so.mends == 0 && !as.turned && !as.leaf { // tires, in a shop that has Tyres
			m.noted = spelt.Replace(unaccented(so.plain)) != spelt.Replace(unaccented(t.known.plain[as.name]))
		}
		switch source := t.source(from, end); {
		case source == t.known.list[as.name]:
			m.unlike = 0
		case strings.EqualFold(source, t.known.list[as.name]):
			m.unlike = 1
		}
		best[end] = t.known.better(best[end], m)
	}
}

// better adds a match to others that end with it, of which the most alike of each role
// are kept.
func (c *index) better(others []match, m match) []match {
	same := func(other match) bool { return c.as[other.name] == c.as[m.name] }
	if slices.ContainsFunc(others, func(other match) bool { return same(other) && (other.unlike < m.unlike || other.name == m.name) }) {
		return others
	}
	return append(slices.DeleteFunc(others, func(other match) bool { return same(other) && other.unlike > m.unlike }), m)
}

// shortenedNames adds the names of which some words are said with another name only: the first
// of "road and mountain bikes", and the second of "garden tables and chairs".
func (t *text) shortenedNames() {
	for i := range t.tokens {
		for at := max(0, i-maxNameWords); joins(t.tokens[i].norm) && at < min(len(t.tokens), i+maxNameWords); at++ {
			for _, e := range slices.Clone(t.edges[at]) {
				if e.meaning.sets == nil || e.meaning.problem != "" || at < i && e.end != i {
					continue
				}
				other := titleOf(lastOf(e.meaning.sets[0].first())).words // of Flowers > Bouquets one: rose and bouquets is no Rose Bouquet
				for n := 1; n < len(other); n++ {
					for from := max(0, i-maxNameWords); at > i && from < i; from++ {
						t.shortened(from, i, nil, other[n:])
					}
					for end := i + 2; at < i && end <= min(len(t.tokens), i+maxNameWords); end++ {
						t.shortened(i+1, end, other[:n], nil)
					}
				}
			}
		}
	}
}

// shortened adds the names that some tokens make with words before or after them.
func (t *text) shortened(from, end int, before, after []string) {
	said := slices.Clone(before)
	for _, token := range t.tokens[from:end] {
		said = append(said, singular(fold.WithoutSigns(token.norm)))
	}
	said = append(said, after...)
	for _, as := range t.known.folded[strings.Join(said, "")] {
		if as.words == len(said) && !as.turned {
			t.addName(from, end, t.known.as[as.name], t.known.list[as.name], 0)
		}
	}
	for _, n := range t.known.titled[strings.Join(said, " ")] {
		title := t.known.titles[n].name
		t.addSet("NAME", from, end, &meaning{cost: costKnownWord, meant: title, clause: clause{sets: setOf(phrase, title)}})
	}
}

// quotedName adds a name in quotation marks.
func (t *text) quotedName(i int) {
	said := strings.Join(slices.Concat(partsOf(t.tokens[i].text)...), "")
	var found []match
	looks := fold.Names.Fold(t.tokens[i].text)
	for name, words := range t.known.words {
		if same := looks == fold.Names.Fold(t.known.list[name]); same || singular(said) == strings.Join(words, "") {
			found = t.known.better(found, match{name: name, unlike: map[bool]int{false: 1}[same]})
		}
	}
	for _, m := range found {
		r, name := t.known.as[m.name], t.known.list[m.name]
		sets := t.known.all(r, name)
		if slices.Contains(sets[0].of[r], t.tokens[i].text) { // no other case
			sets = setOf(r, t.tokens[i].text)
		}
		t.addSet(symbolOf[r], i, i+1, &meaning{clause: clause{sets: sets}})
	}
	switch {
	case found != nil || len(t.known.skusOf(t.tokens[i].text))+len(t.known.titled[asTitle(t.tokens[i].text)]) > 0:
	case t.known.closed[category]:
		t.notKnown(i, i+1, category)
	default:
		t.addName(i, i+1, category, t.tokens[i].text, 0)
	}
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
