package english

import (
	"slices"
	"strings"
)

// maxNameTokens bounds the words outside the vocabulary that can be one name.
const maxNameTokens = 7 // four words and the hyphens between them

// Scanned is a text with the symbols that a list of categories makes of it. It
// never changes, so all who read an instruction can share it.
type Scanned struct {
	*Text
	Categories *Categories
	Symbols    []Symbol
}

// Scan names every token of a text.
func Scan(text *Text, categories *Categories) *Scanned {
	return scanned(text, categories, categories.in(text))
}

func scanned(text *Text, categories *Categories, named []match) *Scanned {
	return &Scanned{text, categories, symbols(text, categories, named)}
}

// Again is Scan for what may be the text and the categories that s is of.
func (s *Scanned) Again(text *Text, categories *Categories) *Scanned {
	if text == s.Text && categories == s.Categories {
		return s
	}
	named := categories.in(text)
	if text == s.Text && s.Categories == nil {
		if listed := s.listed(named); listed != nil {
			return &Scanned{text, categories, listed}
		}
	}
	return scanned(text, categories, named)
}

// listed is the symbols with their names as categories of a list, where that is all
// that the list changes: each name is one of its own, and no other words are. It is
// nil where the text has to be read anew.
func (s *Scanned) listed(named []match) []Symbol {
	symbols := slices.Clone(s.Symbols)
	categories := 0
	for i := range symbols {
		symbol := &symbols[i]
		if symbol.Class != Name {
			continue
		}
		category := named[symbol.From]
		if category.symbol == nil || category.symbol.Class != Category || category.end != symbol.To || symbol.Sense != 0 {
			return nil
		}
		symbol.Class, symbol.Text = Category, category.symbol.Text
		categories++
	}
	for i := range named {
		if named[i].symbol != nil {
			categories--
		}
	}
	if categories != 0 {
		return nil
	}
	return symbols
}

// symbols cuts the tokens into the symbols of the vocabulary, the category list,
// amounts and codes, the longest first, in one pass.
func symbols(text *Text, categories *Categories, named []match) []Symbol {
	tokens := text.Tokens
	s := scan{Text: text, tokens: tokens, categories: categories, named: named, begins: true}
	s.symbols = make([]Symbol, 0, len(tokens)+1)
	for s.pos < len(tokens) {
		s.next()
	}
	s.push(Symbol{Class: Stop}, len(tokens))
	symbols, listed := s.symbols, categories != nil
	symbols = news(tellings(rewritten(symbols, passes), tokens, listed), tokens, listed)
	return rewritten(symbols, lastPasses)
}

type scan struct {
	*Text
	tokens     []Token
	categories *Categories
	named      []match // by token, the category that begins there; nil where none is known
	pos        int
	symbols    []Symbol
	inSKUs     bool // after the word SKU: numbers and capitals are SKUs too
	items      int  // the number of the last item of a numbered list
	begins     bool // nothing but filler stands before in the sentence
	noCourtesy int  // up to here no sentence begins that is only polite
	noCapitals int  // up to here no code in capitals begins
}

// push adds a symbol over the tokens up to end and goes on there.
func (s *scan) push(symbol Symbol, end int) {
	symbol.From, symbol.To = s.pos, end
	if symbol.Text == "" && end > s.pos {
		symbol.Text = s.Source[s.tokens[s.pos].Start:s.tokens[end-1].End]
	}
	s.symbols = append(s.symbols, symbol)
	s.pos = end
	switch symbol.Class {
	case SKUNoun:
		s.inSKUs = true
	case SKU, Comma, And, Noise, Colon:
	default:
		s.inSKUs = false
	}
	switch symbol.Class {
	case Stop:
		s.begins = true
	case Noise, Comma, Colon:
	default:
		s.begins = false
	}
}

func (s *scan) next() {
	token := &s.tokens[s.pos]
	switch {
	case s.item():
	case token.Kind == Stray || token.Kind == Malformed:
		s.push(Symbol{Class: Unknown}, s.pos+1)
	case token.Text == "\n":
		s.line()
	case token.Text == ":" && s.follows(Except): // except: mugs, hats
		s.pos++
	case s.listsOn():
		s.push(Symbol{Class: Comma}, s.pos+1)
	case token.Text == "." && s.abbreviated():
		s.pos++
	case s.follows(Comma) && (token.Text == "…" || token.Text == ".." && !s.codeNext()): // "tea, coffee, ..." is not all
		s.push(Symbol{Class: Refused, Refusal: Vague}, s.pos+1)
	case token.Kind == Mark && strings.Contains(".;!?…", token.Text), token.Text == ".." && !s.codeNext():
		s.push(Symbol{Class: Stop}, s.pos+1)
	case s.pluralPossessive(s.pos):
		s.pos++
	case s.minus():
		s.push(Symbol{Class: Down, Sense: Particle}, s.pos+1)
	case s.pause():
		s.push(Symbol{Class: Comma, Text: "–"}, s.pos+1)
	case s.noneOf(), s.denied():
	case s.counts():
		s.push(Symbol{Class: Noise}, s.pos+1)
	case token.Kind == Word && s.repairs():
	case s.receiver():
	case s.aside():
	case s.sku():
	case token.Kind == Quoted:
		s.quoted()
	default:
		s.longest()
	}
}

// pluralPossessive reports whether the apostrophe of kids' stands at i.
func (s *scan) pluralPossessive(i int) bool {
	token := &s.tokens[i]
	return i > 0 && (token.Text == "'" || token.Text == "’") && !token.Spaced && s.tokens[i-1].Kind == Word && strings.HasSuffix(s.tokens[i-1].Norm, "s")
}

// minus reports whether a hyphen between spaces stands for a minus: beside amounts
// with a plus, as in "mugs + 5%, hats - 3%".
func (s *scan) minus() bool {
	if s.tokens[s.pos].Text != "-" || !s.pause() || !s.afterSubject() {
		return false
	}
	if _, end := s.amountAt(s.pos + 1); end == s.pos+1 {
		return false
	}
	for i := range s.tokens {
		if s.tokens[i].Text == "+" && i+1 < len(s.tokens) && s.tokens[i+1].Kind == Number {
			return true
		}
	}
	return false
}

// pause reports whether a hyphen between spaces stands for a dash.
func (s *scan) pause() bool {
	token := &s.tokens[s.pos]
	return token.Text == "-" && token.Spaced && !token.LineStart && s.pos+1 < len(s.tokens) && s.tokens[s.pos+1].Spaced
}

// follows reports whether the last symbol is of a class.
func (s *scan) follows(class Class) bool {
	return len(s.symbols) > 0 && s.symbols[len(s.symbols)-1].Class == class
}

// listsOn reports whether a semicolon parts two SKUs of a list.
func (s *scan) listsOn() bool {
	return s.tokens[s.pos].Text == ";" && s.inSKUs && s.follows(SKU) && s.pos+1 < len(s.tokens) && s.tokens[s.pos+1].Kind == Code
}

func (s *scan) categoryHere() bool {
	symbol, _ := s.category(s.pos)
	return symbol != nil
}

func (s *scan) quoted() {
	token := &s.tokens[s.pos]
	symbol := Symbol{Class: Name, Sense: InQuotes, Text: token.Text}
	if s.inSKUs {
		symbol = Symbol{Class: SKU, Text: token.Text}
	} else if s.categories != nil {
		if name, ok := s.categories.Find(token.Text); ok {
			symbol = Symbol{Class: Category, Text: name}
		}
	} else if token.Text == "" {
		symbol = Symbol{Class: Unknown}
	} else if IsCode(token.Text) {
		symbol = Symbol{Class: SKU, Text: token.Text}
	}
	s.push(symbol, s.pos+1)
}

// phrase finds the longest phrase. "And over" and its like belong to the price
// before them, and are two words anywhere else: "and over $50".
func (s *scan) phrase() (*Symbol, int) {
	phrase, end := s.phraseAt(s.pos)
	if phrase == nil || phrase.Class != AndUp && phrase.Class != AndDown {
		return phrase, end
	}
	price := len(s.symbols) > 0 && s.symbols[len(s.symbols)-1].Class == Amount && s.symbols[len(s.symbols)-1].Amount.Unit != Percent
	amount, amountEnd := s.amountAt(end)
	if price && (amountEnd == end || amount.Sign != 0) && !(end < len(s.tokens) && s.tokens[end].Norm == "than") {
		return phrase, end
	}
	if next := s.pos + 1; s.tokens[s.pos].Norm == "+" && s.tokens[s.pos].Spaced && next < len(s.tokens) && s.tokens[next].Spaced && s.tokens[next].Kind != Number && s.afterSubject() { // "tea + mugs"
		return &Symbol{Class: And}, next
	}
	if amountEnd > end && (s.afterSubject() || s.beginsWithSign()) { // "tea: plus 5%", "tea + 50c", "less 5% on tea. Plus 5% on mugs."
		return &Symbol{Class: Up, Sense: Particle}, end
	}
	if price && amountEnd > end && end == s.pos+1 { // "set mugs to $5 + $1"
		return &Symbol{Class: Refused, Refusal: Unclear}, end
	}
	first, _ := lexicon().follow(s.tokens[s.pos].word)
	return first.symbol(), s.pos + 1
}

// afterRange reports whether the word "range" stands after two amounts.
func (s *scan) afterRange() bool {
	n := len(s.symbols)
	if n > 0 && s.symbols[n-1].Class == Price { // "the $10 to $20 price range"
		n--
	}
	return spans[s.tokens[s.pos].Norm] && n >= 3 && s.symbols[n-1].Class == Amount && s.symbols[n-3].Class == Amount
}

// afterSubject reports whether products are named right before.
func (s *scan) afterSubject() bool {
	if len(s.symbols) == 0 {
		return false
	}
	switch s.symbols[len(s.symbols)-1].Class {
	case Colon, Name, Category, SKU, Product, Price, Everything:
		return true
	}
	return false
}

// beginsWithSign reports whether a rule begins here that may begin with a sign: the
// first of an instruction, or one after a rule that does. After others, plus may be
// "and".
func (s *scan) beginsWithSign() bool {
	first := slices.IndexFunc(s.symbols, func(symbol Symbol) bool { return !endsBreath(&symbol) })
	if first < 0 {
		return true
	}
	last := s.symbols[len(s.symbols)-1].Class
	return signs[strings.ToLower(s.symbols[first].Text)] && (last == Stop || last == Comma || last == And)
}

var signs = set("plus minus less +")

// spans are nouns for a range of prices.
var spans = set("range bracket band span")

// partOfWord reports whether a phrase is less than a word: the A of "A-series
// products" and of "grade A" is no article.
func (s *scan) partOfWord(phrase *Symbol, end int) bool {
	token := &s.tokens[s.pos]
	if token.Text == "A" && len(s.symbols) > 0 && s.symbols[len(s.symbols)-1].Class != Stop && phrase.Class == Noise && end == s.pos+1 {
		return !s.shouted
	}
	return token.Kind == Word && s.pos+1 == end && joins(s.tokens, end) && phrase.Class != Except && phrase.Class != Stock
}

// verbHere lets a verb win over a category of the same spelling where a rule
// begins: "Sets" the category, "set" the verb. A rule begins with the plain verb,
// and not with "running" or "lifts".
func (s *scan) verbHere(phrase *Symbol, phraseEnd, categoryEnd int) bool {
	if phrase == nil || phraseEnd != categoryEnd || phrase.Class != Up && phrase.Class != Down && phrase.Class != Do && phrase.Class != Change {
		return false
	}
	if word := s.tokens[s.pos].Norm; phraseEnd == s.pos+1 && (strings.HasSuffix(word, "ing") && word != "bring" || strings.HasSuffix(word, "s")) {
		return false
	}
	if phraseEnd < len(s.tokens) && strings.Contains(",:", s.tokens[phraseEnd].Text) { // mince, chops, ribs: ...
		return false
	}
	if len(s.symbols) == 0 {
		return true
	}
	switch s.symbols[len(s.symbols)-1].Class {
	case Stop, And, Then, But, Comma, Noise:
		return true
	}
	return false
}

// name takes a run of words that nothing else knows.
func (s *scan) name() {
	if s.tokens[s.pos].Kind != Word {
		s.push(Symbol{Class: Unknown}, s.pos+1)
		return
	}
	if s.misspelt() {
		return
	}
	if s.categories == nil && s.saysWho() { // I'm told mugs go up 5%
		s.push(Symbol{Class: Refused, Refusal: Unclear}, s.pos+1)
		return
	}
	s.nameFrom(s.pos + 1)
}

// misspelt takes a category that is a slip of the pen away.
func (s *scan) misspelt() bool {
	symbol, end := s.categories.misspelt(s.tokens, s.pos)
	if symbol == nil {
		return false
	}
	s.push(*symbol, end)
	return true
}

// misspeltHere is the end of a category that is a slip of the pen away, or none.
func (s *scan) misspeltHere() int {
	symbol, end := s.categories.misspelt(s.tokens, s.pos)
	if symbol == nil {
		return s.pos
	}
	return end
}

// nameFrom takes a name of which the tokens up to end are part.
func (s *scan) nameFrom(end int) {
	for end < len(s.tokens) && end-s.pos < maxNameTokens && s.nameGoesOn(end) {
		end++
	}
	if s.judges(end) {
		s.push(Symbol{Class: Refused, Refusal: Vague}, end)
		return
	}
	if s.predicates(end) {
		s.push(Symbol{Class: Refused, Refusal: Unclear}, end)
		return
	}
	s.push(Symbol{Class: Name}, end)
}

// afterName reports whether a category stands right before, known or in quotation
// marks.
func (s *scan) afterName() bool {
	if len(s.symbols) == 0 {
		return false
	}
	last := &s.symbols[len(s.symbols)-1]
	return last.Class == Category || last.Class == Name && last.Sense == InQuotes
}

func (s *scan) nameGoesOn(i int) bool {
	if joins(s.tokens, i) || s.pluralPossessive(i) && s.nameable(i+1) {
		return true
	}
	if s.tokens[i].Kind != Word {
		return false
	}
	if joins(s.tokens, i-1) { // the second half of T-shirt, whatever it means alone
		return true
	}
	if s.endsName(i) {
		return true
	}
	if s.tailAt(i) > i {
		return false
	}
	if _, end := s.phraseAt(i); end > i {
		return false
	}
	if s.categoryAt(i) {
		return false
	}
	_, end := s.amountAt(i)
	return end == i
}

func (s *scan) categoryAt(i int) bool {
	symbol, _ := s.category(i)
	return symbol != nil
}

// category is the longest name of the list that begins at token i, and where it
// ends, or nil and i.
func (s *scan) category(i int) (*Symbol, int) {
	if i >= len(s.named) {
		return nil, i
	}
	return s.named[i].symbol, s.named[i].end
}
