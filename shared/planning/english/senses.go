package english

// words are what begins at a token: a phrase of the vocabulary, a name of the list of
// categories, an amount, each the longest there is. Of what is not there the end is
// the token itself.
type words struct {
	phrase      *Symbol
	end         int
	category    *Symbol
	categoryEnd int
	amount      Value
	amountEnd   int
}

// is reports whether the phrase is of a class.
func (w *words) is(class Class) bool { return w.phrase != nil && w.phrase.Class == class }

// longest takes what covers the most tokens, a category, an amount or a phrase, for
// what it is in its sentence. The vocabulary alone does not say: "set" is a verb, and
// begins set menus. So it asks in turn what else the words may be.
func (s *scan) longest() {
	var w words
	w.phrase, w.end = s.phrase()
	w.category, w.categoryEnd = s.category(s.pos)
	w.amount, w.amountEnd = s.amountAt(s.pos)
	if s.measured(&w) || s.otherwise(&w) || s.filling(&w) || s.standsIn(&w) {
		return
	}
	s.asNamed(&w)
}

// measured takes a category of the list or an amount, where it is longer than the
// phrase and no verb.
func (s *scan) measured(w *words) bool {
	switch {
	case w.phrase == nil && s.headNoun():
		s.push(Symbol{Class: Product}, s.pos+1)
	case w.category != nil && w.category.Class == Refused && w.phrase != nil && actsClass(w.phrase) && w.end <= w.categoryEnd:
		s.push(*w.category, w.categoryEnd)
	case w.category != nil && s.begins && w.phrase != nil && (actsClass(w.phrase) || w.phrase.Class == Round || w.phrase.Class == Times) && w.end < w.categoryEnd && s.categoryAt(w.end): // to cut flowers, or cut flowers
		s.push(Symbol{Class: Refused, Refusal: Unclear}, w.categoryEnd)
	case w.category != nil && s.selects(w.phrase, w.end, w.categoryEnd):
		s.push(Symbol{Class: Refused, Refusal: Unclear}, w.categoryEnd)
	case w.category != nil && w.is(Price) && w.end > w.categoryEnd: // new prices, or the prices of New
		s.push(Symbol{Class: Refused, Refusal: Unclear}, w.end)
	case w.category != nil && w.categoryEnd >= w.end && w.categoryEnd > w.amountEnd && !s.verbHere(w.phrase, w.end, w.categoryEnd):
		s.push(*w.category, w.categoryEnd)
		if w.is(Refused) && w.end == w.categoryEnd {
			s.symbols[len(s.symbols)-1].Sense = Occasion
		}
	case w.amountEnd > s.pos && w.amountEnd >= w.end:
		s.push(Symbol{Class: Amount, Amount: w.amount}, w.amountEnd)
	case (w.phrase == nil || w.phrase.Class == Refused) && s.afterRange():
		s.push(Symbol{Class: Noise}, s.pos+1) // "the $10 to $20 range"
	default:
		return false
	}
	return true
}

// otherwise takes a phrase that what stands around it makes another of, or a question.
func (s *scan) otherwise(w *words) bool {
	if w.phrase == nil {
		return false
	}
	switch {
	case w.is(Stock) && s.counted():
		s.push(Symbol{Class: Refused, Refusal: OutsideData}, w.end)
	case s.pricedNoun(w.phrase, w.end) || s.bar(w.end) == Refused || s.limitNoun(w.phrase, w.end):
		s.push(Symbol{Class: Refused, Refusal: Unclear}, w.end)
	case s.begins && w.end == s.pos+1 && s.tokens[s.pos].Norm == "per": // "per Anna's email"
		s.push(Symbol{Class: Cause}, s.pos+1)
	case s.follows(If) && w.end == s.pos+1 && s.anyOf():
		s.push(Symbol{Class: Product}, w.end)
	case w.end == s.pos+1 && s.tokens[s.pos].Norm == "could" && (s.begins || (s.follows(Comma) || s.follows(And)) && s.namesSoon(w.end) || s.pleads()): // "could mugs be $5 cheaper?"
		s.push(Symbol{Class: Noise}, s.pos+1)
	case s.begins && s.mayBe():
		s.push(Symbol{Class: Noise}, s.pos+1)
	case s.firstOf(w.end) || s.endsChange() || s.lacks(w.phrase) || s.endsSale(w.phrase, w.end) || s.practised(w.phrase, w.end) || s.tooLate() || s.notOnly():
		s.push(Symbol{Class: Refused, Refusal: Unclear}, w.end)
	case s.eitherSign():
		s.push(Symbol{Class: Refused, Refusal: VagueAmount}, s.pos+2)
	case s.compares(w.end):
		s.push(Symbol{Class: Refused, Refusal: Vague}, w.end)
	case w.is(Stock) && negations[s.tokens[s.pos].Norm]: // A101 isn't available
		s.push(Symbol{Class: Copula}, s.pos+1)
		s.push(Symbol{Class: Stock, Sense: w.phrase.Sense}, w.end)
	case w.is(Refused) && w.phrase.Refusal == DeleteRows && s.removesFrom(w.end):
		s.push(Symbol{Class: Down}, w.end)
	case w.is(Refused) && (s.titled(w.end) || s.seasonal(w.end) || s.compound(w.end)):
		s.nameFrom(w.end)
		s.symbols[len(s.symbols)-1].Sense = Attributed
	case w.is(Except) && s.tokens[s.pos].Norm == "not" && s.saysWho():
		s.push(Symbol{Class: Refused, Refusal: Unclear}, w.end)
	case w.is(Cap) && w.end > s.pos+1 && s.tokens[s.pos].Norm == "limited" && s.namesSoon(w.end): // limited to items over $5
		s.push(Symbol{Class: Only}, w.end)
	default:
		return false
	}
	return true
}

// filling takes prepositions, verbs and filler that mean a thing of their own beside
// their neighbours: the price in two, a bottle, back to stock.
func (s *scan) filling(w *words) bool {
	switch {
	case s.returns():
		s.push(Symbol{Class: Do}, s.pos+1)
	case w.is(To) && s.returned(w.end):
		s.push(Symbol{Class: Stock, Sense: InStock}, w.end+1)
	case w.is(To) && s.purposeEnd(w.end) > w.end:
		s.push(Symbol{Class: Noise}, s.purposeEnd(w.end))
	case s.portionOf() > s.pos:
		s.push(Symbol{Class: Noise}, s.portionOf())
	case w.is(In) && s.inTwo(w.end): // cut the price in two
		s.push(Symbol{Class: Times, Sense: -50}, w.end+1)
	case w.phrase != nil && (w.phrase.Class == In || w.phrase.Class == Refused) && s.throughout(w.end):
		s.push(Symbol{Class: Everything}, w.end)
	case w.phrase != nil && w.end == s.pos+2 && s.onTop(w.end):
		s.push(Symbol{Class: Up, Sense: Particle}, w.end)
	case w.is(Pronoun) && s.points(w.end):
		s.push(Symbol{Class: Noise}, w.end)
	case w.phrase != nil && s.wants():
		s.push(Symbol{Class: Do}, s.pos+1)
	case w.is(Alone) && s.whereSo(w.end):
		s.push(Symbol{Class: If}, w.end)
	case s.floats():
		s.push(Symbol{Class: Noise}, s.pos+1)
	case w.phrase != nil && s.alsoAre():
		s.push(Symbol{Class: Rel}, s.pos+1)
	case w.phrase != nil && s.wished():
		s.wish()
	default:
		return false
	}
	return true
}

// standsIn takes what stands for something else: both of them, anything but, a
// misspelt name, the collection.
func (s *scan) standsIn(w *words) bool {
	switch {
	case w.is(Refused) && s.misspeltHere() > w.end:
		s.misspelt()
	case s.nonStock():
	case s.again():
		s.push(Symbol{Class: Arrived}, s.pos+1)
	case s.putsOn():
		s.symbols[len(s.symbols)-1].Class = Up
		s.push(Symbol{Class: Noise}, s.pos+1)
	case s.bothOfThem(), s.eachOfThem():
		s.push(Symbol{Class: Pronoun}, s.pos+1)
	case w.is(All) && s.allOfThem(w.end):
		s.push(Symbol{Class: Pronoun, Text: "all of them"}, w.end+1)
	case s.unlike():
	case w.is(Noise) && s.orNot(w.end): // in stock or not over $5
		s.push(Symbol{Class: Refused, Refusal: Unclear}, w.end)
	case w.phrase != nil && s.addsNothing(w.end):
		s.push(Symbol{Class: Noise}, w.end)
	case w.phrase != nil && s.closesOnly(w.end):
		s.push(Symbol{Class: Noise}, w.end)
	case s.collective(w.phrase), s.countNoun(w.phrase):
		s.push(Symbol{Class: Product}, s.pos+1)
	case w.is(Refused) && s.saleOf():
		s.push(Symbol{Class: Down, Sense: Particle}, s.pos+1)
	case w.is(Refused) && s.categories == nil && s.namesCategory(w.end):
		s.nameFrom(w.end)
	case w.is(Refused) && (w.phrase.Refusal == Vague && s.categoryWanted(w.end) || s.soldHere(w.end)):
		s.push(Symbol{Class: Name}, w.end)
	case w.is(AtMost) && s.movesTo():
		s.push(Symbol{Class: Up, Sense: Particle}, s.pos+1)
		s.push(Symbol{Class: To}, s.pos+1)
	default:
		return false
	}
	return true
}

// asNamed takes names, and phrases for what the vocabulary says they are.
func (s *scan) asNamed(w *words) {
	inName := w.phrase != nil && s.inName(w.phrase, w.end)
	switch {
	case inName && s.tokens[s.pos].Norm == "first" && s.begins:
		s.push(Symbol{Class: Refused, Refusal: Unclear}, w.end)
	case inName:
		s.nameFrom(w.end)
	case w.phrase != nil && s.afterName() && s.endsName(s.pos):
		s.push(Symbol{Class: Name}, s.pos+1)
	case w.phrase != nil && !s.partOfWord(w.phrase, w.end):
		if w.phrase.Class == Again {
			s.same(*w.phrase, w.end)
			return
		}
		s.push(*w.phrase, w.end)
		if s.pos < len(s.tokens) && joins(s.tokens, s.pos) { // non-yoga
			s.pos++
		}
	default:
		s.name()
	}
}
