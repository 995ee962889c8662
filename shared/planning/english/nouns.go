package english

import (
	"strings"
)

// collectives are nouns for all products of the category that they follow. A
// list has to be known, for "fitness gear" could be a category's name too.
var collectives = set("gear goods line lines range ranges collection collections assortment selection lineup equipment merchandise stuff family catalog catalogue inventory")

// collective reports whether the word here is one after a category.
func (s *scan) collective(phrase *Symbol) bool {
	token := &s.tokens[s.pos]
	return (phrase == nil || phrase.Class == Refused) && token.Kind == Word && collectives[token.Norm] && (s.afterName() || phrase != nil && s.follows(Stock)) // "in-stock gear" may be of a category
}

// saleOf reports whether the word here is the sale of a percentage: "a 10% off
// sale".
func (s *scan) saleOf() bool {
	switch s.tokens[s.pos].Norm {
	case "sale", "promo", "promotion", "special", "deal":
	default:
		return false
	}
	if next := s.pos + 1; s.categoryAt(next) || s.nameable(next) { // "10% off sale toys"
		return false
	}
	n := len(s.symbols)
	return n > 0 && (s.symbols[n-1].Class == Amount && s.symbols[n-1].Amount.Unit == Percent || s.symbols[n-1].Class == Down && n > 1 && s.symbols[n-2].Class == Amount)
}

// throughout reports whether the word up to i speaks of everything, since nothing
// follows that it could be of: "up 2% throughout, except mugs". What is so everywhere
// may be so in other shops, unless it is a change.
func (s *scan) throughout(i int) bool {
	if word := s.tokens[s.pos].Norm; word != "throughout" && (word != "everywhere" || !s.directed()) {
		return false
	}
	next, _ := s.phraseAt(i)
	return s.endsSaying(i) || next != nil && (next.Class == Except || next.Class == But || next.Class == If || next.Class == By || next.Class == And && s.tokens[i].Norm == "and")
}

// bothOfThem reports whether "both" here stands for two things named before and
// does not begin a list: "mark both as sold out".
func (s *scan) bothOfThem() bool {
	next := s.pos + 1
	if s.tokens[s.pos].Norm != "both" || !s.noVerbHere() || next < len(s.tokens) && (s.tokens[next].Kind == Code || s.tokens[next].Kind == Quoted) || s.categoryAt(next) {
		return false
	}
	return !s.nameable(next)
}

// eachOfThem reports whether "each" ends what is said of things named before:
// "$2 more on each", "add $2 to each".
func (s *scan) eachOfThem() bool {
	n := len(s.symbols)
	return s.tokens[s.pos].Norm == "each" && n > 0 && (s.symbols[n-1].Class == In || s.symbols[n-1].Class == To) && (s.pos+1 == len(s.tokens) || s.pauses(s.pos+1))
}

// attributes are words that products are told apart by, and that begin the names
// of categories: Red Wine, Winter Coats, Small Appliances. Words that praise or
// date products, as best and new do, are none.
var attributes = set("red blue green black white yellow pink purple orange brown grey gray silver gold light heavy hot long short small large evening local")

// seasons begin such names too, and before a colon or a dash that of a sale.
var seasons = set("winter summer spring autumn christmas easter halloween holiday valentine's")

// proper are words with a capital of their own, wherever they stand in a sentence.
var proper = set("christmas easter halloween thanksgiving hanukkah diwali valentine's " +
	"british english scottish irish welsh french italian spanish portuguese german swiss austrian belgian dutch danish swedish norwegian finnish icelandic polish czech hungarian greek turkish persian moroccan egyptian russian " +
	"japanese chinese korean thai vietnamese indian mexican brazilian argentinian colombian cuban ethiopian kenyan australian canadian hawaiian victorian viennese bavarian")

// Proper reports whether a name begins with such a word.
func Proper(name string) bool {
	first, _, _ := strings.Cut(strings.ToLower(name), " ")
	return proper[first]
}

// titled reports whether the word up to end begins a name that is written with
// capitals, in a text that does not write all its words so.
func (s *scan) titled(end int) bool {
	token := &s.tokens[s.pos]
	if s.categories == nil && !s.begins && end == s.pos+1 && shelves[token.Norm] && capital(token.Text) && !s.nameable(end) && !s.shouted { // 5% off Clearance
		return true
	}
	if s.categories != nil || end != s.pos+1 || !attributes[token.Norm] && !(seasons[token.Norm] && !s.heads(end)) || !capital(token.Text) || !s.nameable(end) || !capital(s.tokens[end].Text) {
		return false
	}
	return s.uncapital || (s.begins || s.follows(Comma)) && s.startsChange(end+1)
}

// seasonal reports whether the season up to end begins a name without capitals,
// of goods: all winter coats. It must stand where only a name or a time can, and
// no time has such a noun behind it.
func (s *scan) seasonal(end int) bool {
	if s.categories != nil || end != s.pos+1 || !seasons[s.tokens[s.pos].Norm] || !s.nameable(end) || s.nameable(end+1) || !s.begins && !s.noVerbHere() && !s.namesOn() {
		return false
	}
	noun := s.tokens[end].Norm
	return strings.HasSuffix(noun, "s") && !strings.HasSuffix(noun, "ss") && !assortments[noun]
}

// compounds are the nouns, in the singular, that make the name of other goods with an
// attribute: black tea is a tea of its own, and black mugs are mugs.
var compounds = map[string]map[string]bool{
	"black":  set("tea pepper bean olive pudding rice"),
	"blue":   set("cheese"),
	"brown":  set("bread rice sugar sauce lentil"),
	"green":  set("tea bean olive lentil pesto curry"),
	"hot":    set("chocolate dog sauce drink"),
	"light":  set("bulb fixture fitting switch"),
	"orange": set("juice squash marmalade"),
	"red":    set("wine meat cabbage lentil pesto onion"),
	"white":  set("wine bread rice sugar chocolate tea vinegar pepper rum fish"),
}

// compound reports whether the attribute up to end begins such a name, of which the
// word after it is the last.
func (s *scan) compound(end int) bool {
	if s.categories != nil || end != s.pos+1 || end >= len(s.tokens) || end+1 < len(s.tokens) && (s.nameable(end+1) || joins(s.tokens, end+1)) {
		return false
	}
	return compounds[s.tokens[s.pos].Norm][stem(s.tokens[end].Norm)]
}

// namesOn reports whether a name and "and" stand right before.
func (s *scan) namesOn() bool {
	n := len(s.symbols)
	return n > 1 && s.symbols[n-1].Class == And && s.symbols[n-2].Class == Name
}

// assortments are nouns for goods of any kind, of which a season is no name.
var assortments = set("lines specials collections ranges deals offers arrivals favourites favorites bestsellers sellers")

// startsChange reports whether a signed amount stands at i: Black Tea +5%.
func (s *scan) startsChange(i int) bool {
	amount, end := s.amountAt(i)
	return end > i && amount.Sign != 0
}

// removesFrom reports whether "remove" takes an amount off prices and no products
// away: remove $5 from all mugs.
func (s *scan) removesFrom(i int) bool {
	if s.tokens[s.pos].Norm != "remove" && s.tokens[s.pos].Norm != "removing" {
		return false
	}
	amount, end := s.amountAt(i)
	return amount.Unit != NoUnit && end < len(s.tokens) && (s.tokens[end].Norm == "from" || s.tokens[end].Norm == "off")
}

// negations are copulas that a stock word is part of: isn't available.
var negations = set("isn't aren't")

// counts reports whether the number here only says of how many products something
// is said: these three are gone.
func (s *scan) counts() bool {
	if s.follows(Noise) && smallNumbers[s.tokens[s.pos].Norm] > 1 { // none of the three
		n := len(s.symbols)
		return n > 2 && s.symbols[n-2].Class == Of && strings.EqualFold(s.symbols[n-3].Text, "none") && s.namesSoFar() == smallNumbers[s.tokens[s.pos].Norm]
	}
	if !s.follows(Pronoun) {
		return false
	}
	amount, end := s.amountAt(s.pos)
	if end == s.pos || amount.Unit != NoUnit || s.tokens[s.pos].Kind != Word || amount.Fraction {
		return false
	}
	next, _ := s.phraseAt(end)
	return next != nil && (next.Class == Copula || next.Class == Colon)
}

// purposeEnd is the end of what a change is for, after "to" up to i, or i: down 15%
// to fill the gap. It is an unknown verb with an object that has an article, and
// ends what was said.
func (s *scan) purposeEnd(i int) int {
	article := i + 1
	if !s.directed() || !s.nameable(i) || strings.HasSuffix(s.tokens[i].Norm, "s") || article+1 >= len(s.tokens) || !determiners[s.tokens[article].Norm] || !s.nameable(article+1) {
		return i
	}
	if end := article + 2; end == len(s.tokens) || s.pauses(end) || s.tokens[end].Text == "?" {
		return end
	}
	return i
}

// directed reports whether an amount with its direction stands right before.
func (s *scan) directed() bool {
	n := len(s.symbols)
	return n > 1 && (s.symbols[n-1].Class == Amount && (s.symbols[n-2].Class == By || s.symbols[n-2].Class == Up || s.symbols[n-2].Class == Down) || s.symbols[n-2].Class == Amount && (s.symbols[n-1].Class == Up || s.symbols[n-1].Class == Down))
}

// saysWho reports whether filler right before says who is something or does it: we are
// not sure, I'm cutting mugs by $1.
func (s *scan) saysWho() bool {
	if !s.follows(Noise) {
		return false
	}
	text := strings.ToLower(s.symbols[len(s.symbols)-1].Text)
	return strings.HasSuffix(text, " be") || strings.HasSuffix(text, " are") || strings.HasSuffix(text, "'re") || strings.HasSuffix(text, " am") || strings.HasSuffix(text, "'m")
}

// onTop reports whether "on top" up to i only says that an amount is added.
func (s *scan) onTop(i int) bool {
	return s.tokens[s.pos].Norm == "on" && s.tokens[i-1].Norm == "top" && s.follows(Amount) && (i == len(s.tokens) || s.pauses(i))
}

// points reports whether "those" up to i is the article of products that a condition
// follows: those items whose price is at most $5.
func (s *scan) points(i int) bool {
	if word := s.tokens[s.pos].Norm; word != "those" && word != "these" || i != s.pos+1 {
		return false
	}
	noun, end := s.phraseAt(i)
	if noun == nil || noun.Class != Product || end >= len(s.tokens) {
		return false
	}
	next, _ := s.phraseAt(end)
	return next != nil && (next.Class == Rel || next.Class == Under || next.Class == Over || next.Class == AtLeast || next.Class == AtMost || next.Class == Between)
}

// alsoAre reports whether "they're" here goes on with a condition: if the price is
// over $30 and they're in stock.
func (s *scan) alsoAre() bool {
	if word := s.tokens[s.pos].Norm; word != "they're" && word != "it's" || !s.follows(And) {
		return false
	}
	if next, _ := s.phraseAt(s.pos + 1); next == nil || next.Class != Stock {
		return false
	}
	for i := len(s.symbols) - 1; i >= 0 && s.symbols[i].Class != Stop; i-- {
		if s.symbols[i].Class == If {
			return true
		}
	}
	return false
}

// Shopwide reports whether filler says that all of the shop is meant: "all prices
// in the shop".
func Shopwide(s *Symbol) bool {
	return s.Class == Noise && shops[strings.ToLower(s.Text)]
}

var shops = map[string]bool{"in the shop": true, "in the store": true, "in our shop": true, "in our store": true, "in my shop": true, "in my store": true, "in the catalog": true, "in the catalogue": true, "in our catalog": true, "in our catalogue": true}

// limitNoun reports whether "floor" or "cap" stands between a verb of setting and an
// unknown word: to set floor lamps to $5 is their price, or the floor of all lamps.
func (s *scan) limitNoun(phrase *Symbol, end int) bool {
	return (phrase.Class == Floor || phrase.Class == Cap) && end == s.pos+1 && s.follows(Do) && s.nameable(end) && !s.inName(phrase, end)
}

// pricedNoun reports whether "price" stands before an unknown word where it is
// neither a verb nor what changes: price guns.
func (s *scan) pricedNoun(phrase *Symbol, end int) bool {
	return phrase.Class == Price && s.categories == nil && strings.HasSuffix(s.tokens[end-1].Norm, "price") && s.nameable(end) && (s.noVerbHere() || s.linked() || s.subjectTo(end))
}

// counted reports whether a bare number stands before a stock word here: how
// many are in stock, which no plan knows.
func (s *scan) counted() bool {
	n := len(s.symbols)
	if n > 0 && (s.symbols[n-1].Class == AndUp || s.symbols[n-1].Class == AndDown) {
		n--
	}
	return n > 0 && s.symbols[n-1].Class == Amount && s.symbols[n-1].Amount.Unit == NoUnit
}

// shelves are nouns that shops name categories by, where it is plain that a
// category is named.
var shelves = set("clearance seasonal luxury surplus overstock refurbished")

// sold are nouns for goods as well as for how they are paid for or put together.
var sold = set("vouchers bundles")

// soldHere reports whether the word up to end is one of them where only products can
// stand: leave vouchers alone.
func (s *scan) soldHere(end int) bool {
	n := len(s.symbols)
	if s.categories != nil || n == 0 || !sold[s.tokens[s.pos].Norm] || s.nameable(end) {
		return false
	}
	switch last := &s.symbols[n-1]; last.Class {
	case Leave, Skip, Except:
		return true
	case Up, Down:
		return last.Sense == Verb
	}
	return s.namesOn()
}

// namesCategory reports whether the words from i on are the rest of the name of a
// category: "the power tools category".
func (s *scan) namesCategory(i int) bool {
	start := i
	for i-start < maxNameTokens && (s.nameable(i) || joins(s.tokens, i)) {
		i++
	}
	symbol, _ := s.phraseAt(i)
	return i > start && symbol != nil && symbol.Class == CatNoun
}

// categoryWanted reports whether the vague word up to end can only be the name
// of a category: "the premium section", "everything in clearance".
func (s *scan) categoryWanted(end int) bool {
	if s.categories != nil {
		return false
	}
	if symbol, _ := s.phraseAt(end); symbol != nil && symbol.Class == CatNoun {
		return true
	}
	n := len(s.symbols)
	return n > 1 && s.symbols[n-1].Class == In && (s.symbols[n-2].Class == Everything || s.symbols[n-2].Class == Product) && shelves[s.tokens[s.pos].Norm] && !s.nameable(end)
}

// movesTo tells "take A101 up to $20", a new price, and "round it up to the
// nearest dollar" from "items up to $20": a verb of moving has no amount yet.
func (s *scan) movesTo() bool {
	if !strings.EqualFold(s.tokens[s.pos].Norm, "up") || s.pos+1 >= len(s.tokens) || s.tokens[s.pos+1].Norm != "to" || s.changesAfterAmount(s.pos+2) {
		return false
	}
	bounded := false
	for i := len(s.symbols) - 1; i >= 0; i-- {
		switch symbol := s.symbols[i]; symbol.Class {
		case Name, Category, SKU, Product, Price, Noise, All, And, Pronoun, Under, Of, For, In:
		case Everything: // "bring everything up to $5" is none of those above it
			if !bounded {
				return false
			}
		case Amount: // "bring mugs under $5 up to $5"
			before := s.symbols[max(0, i-1)].Class
			if before == To && s.endsAfterAmount(s.pos+2) { // "bring mugs down to $5 and hats up to $6"
				continue
			}
			if before != Under {
				return false
			}
			bounded = true
		case To, Comma:
		case Up, Down:
			if symbol.Sense == Verb { // "raise mugs under $5 up to $5"
				return bounded && symbol.Class == Up
			}
		case Do:
			return moving[strings.ToLower(symbol.Text)]
		default:
			return symbol.Class == Round
		}
	}
	return false
}

// endsAfterAmount reports whether an amount at i ends what was said.
func (s *scan) endsAfterAmount(i int) bool {
	_, end := s.amountAt(i)
	return end > i && (end == len(s.tokens) || s.pauses(end) || s.tokens[end].Norm == "and" || s.tokens[end].Norm == "please")
}

// changesAfterAmount reports whether a change stands after an amount at i: "put
// anything up to $10 up by 5%".
func (s *scan) changesAfterAmount(i int) bool {
	_, end := s.amountAt(i)
	return end > i && end < len(s.tokens) && strings.Contains(" up down by ", " "+s.tokens[end].Norm+" ")
}

// compares reports whether the phrase up to end tells products from others of
// their kind by their price, "our more expensive rugs", and is no direction:
// "make tea more expensive", "5% cheaper tea", "Cheaper tea: 5% off".
func (s *scan) compares(end int) bool {
	return s.comparative(end) && !s.follows(Amount) && s.namesAt(end) && !(s.begins && s.heads(end))
}

// comparative reports whether the phrase up to end compares prices.
func (s *scan) comparative(end int) bool {
	switch first := s.tokens[s.pos].Norm; end - s.pos {
	case 1:
		return comparatives[first]
	case 2:
		return s.tokens[s.pos+1].Norm == "expensive" && (first == "more" || first == "less")
	}
	return false
}

// heads reports whether the words from token i on end in a colon.
func (s *scan) heads(i int) bool {
	for i < len(s.tokens) && s.tokens[i].Kind == Word {
		i++
	}
	return i < len(s.tokens) && s.tokens[i].Text == ":"
}

var comparatives = set("pricier dearer costlier cheaper")

// namesAt reports whether products are named from token i on: "mugs", "items",
// "of the mugs".
func (s *scan) namesAt(i int) bool {
	phrase, _ := s.phraseAt(i)
	return s.nameable(i) || s.categoryAt(i) || phrase != nil && (phrase.Class == Product || phrase.Class == Of)
}

// OneThing reports whether the noun at i stands for one thing that was named
// before: "the item", "the category". "A product", "each item" and "item prices"
// speak of all.
func OneThing(symbols []Symbol, i int) bool {
	switch symbols[i].Class {
	case Product, CatNoun, SKUNoun:
	default:
		return false
	}
	if word := strings.ToLower(symbols[i].Text); strings.HasSuffix(word, "s") || masses[word] {
		return false
	}
	for k := i - 1; k >= 0; k-- {
		switch text := strings.ToLower(symbols[k].Text); {
		case symbols[k].Class == All, symbols[k].Class == Rest, symbols[k].Class == Noise && (text == "a" || text == "an"), isName(&symbols[k]):
			return false
		case symbols[k].Class != Noise && symbols[k].Class != Stock:
			k = 0
		}
	}
	next := i + 1
	for symbols[next].Class == Noise {
		next++
	}
	switch symbols[next].Class {
	case Product, Price, CatNoun, SKUNoun, Name, Category, SKU, Of:
		return false
	}
	return true
}

// masses are nouns of which the singular is all there is.
var masses = set("stuff merchandise inventory")

// putsOn reports whether "on" stands between a verb of putting and its amount:
// "put on 10p".
func (s *scan) putsOn() bool {
	n := len(s.symbols)
	if s.tokens[s.pos].Norm != "on" || n == 0 || s.symbols[n-1].Class != Do || !putting[strings.ToLower(s.symbols[n-1].Text)] {
		return false
	}
	_, end := s.amountAt(s.pos + 1)
	return end > s.pos+1
}

var moving = set("go goes going take takes taking bring brings bringing move moves moving push pushes put puts")
