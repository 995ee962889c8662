package reader

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/fold"
)

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
				return e.meaning.symbol == "TRAIT" &&
					(e.end == len(t.tokens) || !t.isListed(e.end) && !t.begins(e.end, "noun"))
			})
		}
	}
}

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
		if slices.ContainsFunc(
			t.edges[from],
			func(e edge) bool {
				return e.end == i &&
					(e.meaning.symbol == "SKU" || e.meaning.symbol == "EXCEPT")
			},
		) {
			return true
		}
	}
	joined := i > 1 && (joins(t.tokens[i-1].norm) || t.tokens[i-1].norm == "or")
	return joined &&
		slices.ContainsFunc(
			t.edges[i-2],
			func(e edge) bool {
				return e.end == i-1 && e.meaning.sets != nil && e.meaning.sets[0].of[sku] != nil
			},
		)
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
			if end < len(t.tokens) && t.tokens[end].kind == mark &&
				t.tokens[end].start == t.tokens[end-1].end &&
				strings.HasSuffix(name, t.tokens[end].text) { // ages 8+, Sony Ent.
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
	case so.words > 0 && (token.text == "'" || token.text == "’" ||
		token.norm == "s" && (t.tokens[at-1].text == "'" || t.tokens[at-1].text == "’")):
		t.matches(from, at+1, so, best)
		t.follow(from, at+1, so, best)
	case so.words > 0 && (joins(token.norm) || token.norm == ">"):
		so.joined, so.listed = so.joined ||
			token.norm != "the" && token.norm != ">", so.listed || token.norm == ","
		t.follow(from, at+1, so, best)
	case token.kind == word || token.kind == code || token.kind == number:
		piece := fold.WithoutSigns(token.norm)
		next := so
		next.words, next.raw, next.single, next.free = so.words+1, so.raw+piece, so.single+singular(
			piece,
		), so.free ||
			t.useOf(at) != reserved
		next.plain = so.plain + unnumbered(piece)
		t.matches(from, at+1, next, best)
		t.follow(from, at+1, next, best)
		for _, near := range t.near[at] {
			if next.mends, next.cost = so.mends+1, so.cost+near.cost; next.mends > 1 &&
				next.cost > 2*costSlip {
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
		if as.turned && !so.joined || so.listed && (so.mends > 0 || !as.parted) ||
			as.words != so.words && !so.free ||
			t.tokens[from].kind == number && so.words < 2 {
			// "over all" is no Overalls; nor is light, store the Light Store, or garden, hose a
			// slip for it
			continue
		}
		last := fold.WithoutSigns(t.tokens[end-1].norm)
		plain := !hasCapital(t.tokens[from].text) || t.beginsSentence(from)
		if plain && so.mends == 0 && t.known.as[as.name] == brand && unnumbered(last) != last &&
			(as.leaf && as.words == 1 || !slices.Contains(t.known.bare[unaccented(so.raw)], as)) {
			continue // carriers may be things to carry with, of all brands, in a shop that has Carrier Co
		}
		m := match{name: as.name, unlike: 2 + so.cost, cost: so.cost, noted: as.leaf}
		if spelt := strings.NewReplacer("s", ""); so.mends == 0 && !as.turned &&
			!as.leaf { // tires, in a shop that has Tyres
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
	if slices.ContainsFunc(
		others,
		func(other match) bool { return same(other) && (other.unlike < m.unlike || other.name == m.name) },
	) {
		return others
	}
	return append(
		slices.DeleteFunc(others, func(other match) bool { return same(other) && other.unlike > m.unlike }),
		m,
	)
}

// shortenedNames adds the names of which some words are said with another name only: the first
// of "road and mountain bikes", and the second of "garden tables and chairs".
func (t *text) shortenedNames() {
	for i := range t.tokens {
		for at := max(0, i-maxNameWords); joins(t.tokens[i].norm) &&
			at < min(len(t.tokens), i+maxNameWords); at++ {
			for _, e := range slices.Clone(t.edges[at]) {
				if e.meaning.sets == nil || e.meaning.problem != "" || at < i && e.end != i {
					continue
				}
				other := titleOf(
					lastOf(e.meaning.sets[0].first()),
				).words // of Flowers > Bouquets one: rose and bouquets is no Rose Bouquet
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
		t.addSet(
			"NAME",
			from,
			end,
			&meaning{cost: costKnownWord, meant: title, clause: clause{sets: setOf(phrase, title)}},
		)
	}
}

// quotedName adds a name in quotation marks.
func (t *text) quotedName(i int) {
	said := strings.Join(slices.Concat(partsOf(t.tokens[i].text)...), "")
	var found []match
	looks := fold.Names.Fold(t.tokens[i].text)
	for name, words := range t.known.words {
		if same := looks == fold.Names.Fold(t.known.list[name]); same ||
			singular(said) == strings.Join(words, "") {
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
	case found != nil ||
		len(t.known.skusOf(t.tokens[i].text))+len(t.known.titled[asTitle(t.tokens[i].text)]) > 0:
	case t.known.closed[category]:
		t.notKnown(i, i+1, category)
	default:
		t.addName(i, i+1, category, t.tokens[i].text, 0)
	}
}
