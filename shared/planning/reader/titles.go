package reader

import (
	"slices"
	"strings"
	"unicode"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

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
		if end == i+1 &&
			(t.useOf(i) == reserved && t.tokens[i].kind != code && t.tokens[i].kind != number ||
				t.lex.words[t.tokens[i].norm]) {
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

// exactTitle adds a title that was typed where no other name has the words, or has them in
// another number: bird feeder is the product, where Bird Feeders are a category.
func (t *text) exactTitle(from, end int, source, title string) {
	loose := func(t token, at func(string, string) bool) bool { return t.kind == mark && !at(title, t.text) }
	if loose(t.tokens[from], strings.HasPrefix) || loose(t.tokens[end-1], strings.HasSuffix) {
		return // a mark that the title does not have parts it from another name: Armor, Clear Case
	}
	for k := from + 1; k < end-1; k++ {
		parts := isPause(t.tokens[k].text) && t.tokens[k].text != "-" || isStop(t.tokens[k].text) ||
			t.tokens[k].text == "&" ||
			t.tokens[k].text == "+"
		if parts && !strings.Contains(title, t.tokens[k].text) &&
			(t.tokens[k].text == "," || t.isListed(from) || t.isListed(k+1)) {
			return // basil, seeds: both, where there are Basil Seeds
		}
	}
	same := func(name string) bool {
		return strings.EqualFold(fold.WithoutSigns(source), fold.WithoutSigns(name))
	}
	tagsMore := func(s set) bool { // and is in other rows than those of the product
		n, known := t.known.given.Both[[2]planning.Name{
			{Column: plan.ColumnName, Name: title},
			{Column: plan.ColumnTags, Name: s.first()},
		}]
		return s.of[tag] != nil && known && n < t.known.count(s)
	}
	if t.tokens[from].kind == quoted && !same(title) || slices.ContainsFunc(t.edges[from], func(e edge) bool {
		return e.end == end && e.meaning.sets != nil && e.meaning.cost == 0 &&
			(!same(title) || same(lastOf(e.meaning.sets[0].first())) && !tagsMore(e.meaning.sets[0]))
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
	isVariant := func(other string) bool { return strings.HasPrefix(other, title+" - ") }
	others = slices.DeleteFunc(others, isVariant)
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
			s.of[phrase], s.inexpressible = both, s.inexpressible || len(both) == 0 || len(both) > maxPhrases
		}
		if s.also = nil; s.inexpressible {
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
	return t.role == phrase &&
		slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(t.row, row) })
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
			made.words = append(made.words,
				singular(unaccented(strings.ToLower(name[made.at[last].from:at]))))
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
