package english

import (
	"slices"
	"strings"
	"sync"
)

// Categories is a closed list of category names that can be found in text, in
// any case, singular or plural, with "and" for "&", and with a slip of the
// pen. A nil *Categories is a list that is not known.
type Categories struct {
	names  []string
	listed map[string]Spelling // the same as a set, with how each is spelt
	tree   *tree
	spelt  func() spellings
	words  func() nearby // those of the names
	most   int           // words in the longest name
}

// spellings are the names of a list by how they are spelt, and how they are written.
// Only an instruction that misspells a name needs them.
type spellings struct {
	names map[string]string // by spelling, "" where two share it
	near  nearby
}

// NewCategories indexes a list. It returns nil for an empty one.
func NewCategories(names []string) *Categories {
	if len(names) == 0 {
		return nil
	}
	n := len(names)
	c := &Categories{names: make([]string, 0, n), listed: make(map[string]Spelling, n), tree: newTree(2 * n)}
	c.spelt, c.words = sync.OnceValue(c.spell), sync.OnceValue(c.nearby)
	symbols := make([]Symbol, n)
	var speller Speller
	for i, name := range names {
		if _, twice := c.listed[name]; twice {
			continue
		}
		c.names = append(c.names, name)
		c.listed[name] = speller.Spell(name)
		c.most = max(c.most, len(speller.key))
		symbols[i] = Symbol{Class: Category, Text: name}
		c.insert(speller.tokens, speller.key, &symbols[i])
	}
	return c
}

// Names returns the list.
func (c *Categories) Names() []string { return c.names }

func (c *Categories) spell() spellings {
	n := len(c.names)
	s := spellings{names: make(map[string]string, n), near: make(nearby, n)}
	for _, name := range c.names {
		spelling := c.listed[name].text
		s.add(spelling, name)
		if written := strings.ToLower(name); slips(len(spelling)) > 0 { // wathces are no slip of watch, nor jewlery of jewellery
			s.add(written, name)
		}
	}
	return s
}

func (s *spellings) add(spelling, name string) {
	if other, taken := s.names[spelling]; taken && other != name {
		name = ""
	}
	s.names[spelling] = name
	s.near.add(spelling)
}

func (c *Categories) nearby() nearby {
	near := make(nearby, len(c.tree.words))
	for word := range c.tree.words {
		near.add(word)
	}
	return near
}

// insert adds a name to the tree, with its marks and without.
func (c *Categories) insert(tokens []Token, key []string, symbol *Symbol) {
	plain := c.tree.root()
	for _, word := range key {
		plain = plain.add(word)
	}
	c.claim(plain, symbol)
	if !slices.ContainsFunc(tokens, func(t Token) bool { return t.Kind == Mark }) {
		return
	}
	full := c.tree.root()
	for i := range tokens {
		full = full.add(stem(tokens[i].Norm))
	}
	c.claim(full, symbol)
}

// claim marks the end of a name. Two names that read the same are one symbol
// without a text: only the exact spelling tells them apart.
func (c *Categories) claim(at node, symbol *Symbol) {
	if at == c.tree.root() {
		return
	}
	if have := at.symbol(); have != nil && have.Text != symbol.Text {
		symbol = &Symbol{Class: Category}
	}
	at.symbols[at.at] = symbol
}

// keyWord is a token's part in the spelling key: "&" reads as "and", other
// marks as nothing.
func keyWord(token *Token) string {
	switch {
	case token.Norm == "&":
		return "and"
	case token.Kind == Mark:
		return ""
	default:
		return stem(token.Norm)
	}
}

// in finds the longest name that starts at each token of a text.
func (c *Categories) in(text *Text) []match {
	if c == nil {
		return nil
	}
	named := make([]match, len(text.Tokens))
	for i := range named {
		named[i].symbol, named[i].end = c.longest(text.Source, text.Tokens, i)
	}
	c.elided(text.Tokens, named)
	return named
}

// longest finds the longest name that starts at token i.
func (c *Categories) longest(text string, tokens []Token, i int) (*Symbol, int) {
	var found *Symbol
	start, end := i, i
	for at := c.tree.root(); i < len(tokens); i++ {
		next, goesOn := at.next(stem(tokens[i].Norm))
		if !goesOn && (tokens[i].Kind == Mark || tokens[i].Norm == "&") {
			next, goesOn = at.next(keyWord(&tokens[i]))
		}
		if !goesOn && at != c.tree.root() && joins(tokens, i) {
			continue
		}
		if !goesOn {
			break
		}
		at = next
		if at.symbol() != nil {
			found, end = at.symbol(), i+1
		}
	}
	if found != nil && found.Text == "" {
		return c.exactly(text[tokens[start].Start:tokens[end-1].End]), end
	}
	if found != nil && c.oneOrTwo(found.Text, text[tokens[start].Start:tokens[end-1].End]) {
		return &Symbol{Class: Refused, Refusal: OneOrTwo}, end
	}
	return found, end
}

// oneOrTwo reports whether text could be the name or two others joined by
// "and": home and kitchen, where Home, Kitchen and Home & Kitchen are names.
func (c *Categories) oneOrTwo(name, text string) bool {
	if name == text {
		return false
	}
	words := strings.Fields(strings.ToLower(text))
	at := slices.Index(words, "and")
	if at < 1 || at+1 == len(words) {
		return false
	}
	first, second := spellingKey(strings.Join(words[:at], " ")), spellingKey(strings.Join(words[at+1:], " "))
	return c.spelt().names[first] != "" && c.spelt().names[second] != ""
}

// exactly finds a name by its bytes, or returns nil.
func (c *Categories) exactly(text string) *Symbol {
	if _, listed := c.listed[text]; !listed {
		return nil
	}
	return &Symbol{Class: Category, Text: text}
}

// Find returns the name that text spells, with slips allowed.
func (c *Categories) Find(text string) (string, bool) {
	if symbol := c.exactly(text); symbol != nil {
		return text, true
	}
	spelling := spellingKey(text)
	if name := c.spelt().names[spelling]; name != "" {
		return name, true
	}
	if near := c.Nearest(spelling); len(near) == 1 {
		return near[0], true
	}
	return "", false
}

func spellingKey(text string) string { return Spell(text).text }

// Nearest returns the names within a slip of the pen of a spelling key, those
// at the least distance.
func (c *Categories) Nearest(spelling string) []string {
	allowed, swaps := slips(len(spelling)), false
	if allowed == 0 && len(spelling) == 4 {
		allowed, swaps = 1, true // bieks are bikes
	}
	if allowed == 0 {
		return nil
	}
	var found []string
	least := allowed + 1
	for candidate, distance := range c.spelt().near.within(spelling, allowed) {
		name := c.spelt().names[candidate]
		switch {
		case name == "" || distance > least || swaps && !swapped(spelling, candidate) || !nearByWord(spelling, candidate):
		case distance < least:
			found, least = []string{name}, distance
		case !slices.Contains(found, name):
			found = append(found, name)
		}
	}
	return found
}

// selects reports whether the category here, which ends at categoryEnd, is
// spelt as words that select products: all, others, in stock, and after other
// products under $20. A capital of its own makes it the category.
func (s *scan) selects(phrase *Symbol, phraseEnd, categoryEnd int) bool {
	own := !s.begins && capital(s.tokens[s.pos].Text)
	if _, end := s.amountAt(s.pos); end > s.pos && end < categoryEnd { // take 5% off everything, where 5% Off is a category
		off, offEnd := s.phraseAt(end)
		return offEnd == categoryEnd && (off.Class == Down || off.Class == Up) && !capital(s.tokens[end].Text)
	}
	if phrase == nil {
		return false
	}
	switch phrase.Class {
	case Up, Down:
		return phrase.Sense == Particle && phraseEnd == categoryEnd && !own && s.afterSubject()
	case All, Everything, Rest, Stock, Product, Price, By, To, In, For, Of, At, From, With, As, And:
		return phraseEnd == categoryEnd && !own
	case Under, Over, AtLeast, AtMost, Between:
		return s.afterSubject() || s.follows(All)
	}
	return false
}

// misspelt finds the longest run of words from token i that is a slip of the
// pen away from one name.
func (c *Categories) misspelt(tokens []Token, i int) (*Symbol, int) {
	if c == nil {
		return nil, i
	}
	var key []string
	var found *Symbol
	end := i
	for j := i; j < len(tokens) && len(key) < c.most && (tokens[j].Kind == Word || joins(tokens, j)); j++ {
		if joins(tokens, j) {
			continue
		}
		key = append(key, stem(tokens[j].Norm))
		near := c.Nearest(strings.Join(key, " "))
		if near == nil {
			near = c.Nearest(strings.Join(append(key[:len(key)-1:len(key)-1], tokens[j].Norm), " "))
		}
		if len(near) == 1 {
			found, end = &Symbol{Class: Category, Text: near[0]}, j+1
		}
	}
	return found, end
}

// Spelling is what a category's name is compared by: case, plural and "&" for
// "and" do not count.
type Spelling struct{ spelling }

// Spell returns the spelling of a name.
func Spell(name string) Spelling { return new(Speller).Spell(name) }

// Speller spells one name after the other.
type Speller struct {
	tokens []Token  // of the last name
	key    []string // the words that it is compared by
}

// Spell returns the spelling of a name.
func (s *Speller) Spell(name string) Spelling {
	s.tokens, s.key = tokenize(s.tokens[:0], name), s.key[:0]
	for i := range s.tokens {
		if word := keyWord(&s.tokens[i]); word != "" {
			s.key = append(s.key, word)
		}
	}
	return Spelling{spelled(strings.Join(s.key, " "))}
}

// Spell returns the spelling of a name, of the list or not.
func (c *Categories) Spell(name string) Spelling {
	if c != nil {
		if spelling, listed := c.listed[name]; listed {
			return spelling
		}
	}
	return Spell(name)
}

// hasWord reports whether a word is one of a name.
func (c *Categories) hasWord(word string) bool {
	if c == nil {
		return false
	}
	_, has := c.tree.words[stem(word)]
	return has
}

// hasWordNear reports whether a word, which is none of a name, is as many slips of
// the pen or fewer away from one.
func (c *Categories) hasWordNear(word string, most int) bool {
	if c == nil {
		return false
	}
	text := stem(word)
	for range c.words().within(text, min(most, slips(len(text)))) {
		return true
	}
	return false
}

// Same reports whether two names read the same, or are a slip of the pen apart.
func (s Spelling) Same(other Spelling) bool {
	x, y := s.text, other.text
	if x == "" || y == "" || x[0] != y[0] {
		return x == y
	}
	allowed := slips(min(len(x), len(y)))
	return s.distance(other.spelling, allowed) <= allowed && nearByWord(x, y)
}

// stem makes the singular of a plural, takes off a possessive, and spells as the
// British do.
func stem(word string) string {
	return british(singular(strings.TrimSuffix(word, "'s")))
}

// british spells a word that is spelt otherwise in America.
func british(word string) string {
	switch word {
	case "tire":
		return "tyre"
	case "jewelry":
		return "jewellery"
	case "gray":
		return "grey"
	case "color":
		return "colour"
	case "cozy":
		return "cosy"
	case "pajama":
		return "pyjama"
	case "donut":
		return "doughnut"
	case "yogurt":
		return "yoghurt"
	case "aluminum":
		return "aluminium"
	case "flavor":
		return "flavour"
	case "liter":
		return "litre"
	case "center":
		return "centre"
	}
	return word
}

// singular makes the singular of a plural, and spells the end of one that is said
// already as it does: cookies and cookie, potatoes and potato.
func singular(word string) string {
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ves"), len(word) > 3 && strings.HasSuffix(word, "ve"):
		return strings.TrimSuffix(strings.TrimSuffix(word, "s"), "e") // shelves and shelf, sleeves and sleeve
	case len(word) > 3 && (strings.HasSuffix(word, "fe") || word[len(word)-1] == 'f') && !strings.Contains(word[len(word)-3:], "ff"): // but cuff and giraffe
		return strings.TrimRight(word, "fe") + "v"
	case len(word) > 4 && strings.HasSuffix(strings.TrimSuffix(word, "s"), "ie"):
		return strings.TrimSuffix(strings.TrimSuffix(word, "s"), "ie") + "y"
	case len(word) > 5 && strings.HasSuffix(word, "oes"), len(word) > 4 && strings.HasSuffix(word, "oe"):
		return strings.TrimSuffix(strings.TrimSuffix(word, "s"), "e")
	case len(word) < 4 || word[len(word)-1] != 's':
		return word
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "xes"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"):
		return word
	default:
		return word[:len(word)-1]
	}
}
