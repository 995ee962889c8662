package english

import (
	"slices"
	"strings"
)

// Before or between what they ask for people tell things: "the accountant had a
// word with me", "freight is killing us, so ...". A sentence or a premise is
// filler where it has a subject and a verb of its own, holds nothing that a rule
// is made of, and the rules around it name their products themselves.

// tellings makes filler of what only tells something.
func tellings(symbols []Symbol, tokens []Token, listed bool) []Symbol {
	for start := 0; start < len(symbols); {
		_, end := sentenceAround(symbols, start)
		if until := told(symbols, tokens, start, end, listed); until > start {
			filler := Symbol{Class: Noise, From: symbols[start].From, To: symbols[until-1].To, Text: "told"}
			symbols[start] = filler
			symbols = slices.Delete(symbols, start+1, until)
			_, end = sentenceAround(symbols, start)
		}
		start = end + 1
	}
	return symbols
}

// told is the end of what only tells something at the start of a sentence, or its
// start.
func told(symbols []Symbol, tokens []Token, start, end int, listed bool) int {
	t := telling{symbols: symbols, tokens: tokens, start: start, end: end, listed: listed}
	for k := start + 1; k < end; k++ {
		if symbols[k].Class == Noise && premised(&symbols[k]) {
			if t.end = k; t.premise(end) {
				return afterPause(symbols, k+1)
			}
			return start
		}
	}
	if t.sentence() {
		return end
	}
	return start
}

// premised reports whether filler parts a premise from what follows of it.
func premised(s *Symbol) bool {
	word := firstWord(s.Text)
	return word == "so" && !strings.EqualFold(s.Text, "so that")
}

// PartsRules reports whether filler stands between two rules, or a rule and its
// reason: so, while, whereas.
func PartsRules(s *Symbol) bool {
	if s.Class != Noise {
		return false
	}
	word := firstWord(s.Text)
	return premised(s) || word == "while" || word == "whereas"
}

// afterPause steps over the mark after "so".
func afterPause(symbols []Symbol, k int) int {
	if symbols[k].Class == Colon || symbols[k].Class == Comma {
		return k + 1
	}
	return k
}

// telling is a run of symbols that may only tell something.
type telling struct {
	symbols    []Symbol
	tokens     []Token
	start, end int
	listed     bool
}

// premise reports whether the run is why the rule up to end is asked for.
func (t *telling) premise(end int) bool {
	return t.inert() && !t.commands() && t.ruleIn(t.end, end)
}

// sentence reports whether the run is a sentence that only tells something before
// anything is asked for. After it, it could take something back.
func (t *telling) sentence() bool {
	return !t.asksIn(0, t.start) && t.inert() && t.predicates() && t.ruleIn(t.end, len(t.symbols))
}

// asksIn reports whether the symbols from i to end ask for something.
func (t *telling) asksIn(i, end int) bool {
	return slices.ContainsFunc(t.symbols[i:end], func(s Symbol) bool { return limiting[s.Class] || actsClass(&s) })
}

// commands reports whether the run begins with a verb, as a rule does.
func (t *telling) commands() bool {
	for k := t.start; k < t.end; k++ {
		switch class := t.symbols[k].Class; {
		case class == Noise || class == Comma:
		default:
			return actsClass(&t.symbols[k]) || class == Times || class == Amount
		}
	}
	return true
}

// inert reports whether nothing in the run can be part of a rule or take one back.
func (t *telling) inert() bool {
	if t.end <= t.start {
		return false
	}
	for k := t.start; k < t.end; k++ {
		if !t.harmless(k) {
			return false
		}
	}
	for k := t.start; k < t.end; k++ {
		s := &t.symbols[k]
		if s.Class == Noise && s.To > s.From+1 { // I want
			continue
		}
		for i := s.From; i < s.To; i++ {
			word := t.tokens[i].Norm
			degree := word == "over" || word == "too" && i+1 < len(t.tokens) && t.tokens[i+1].Kind == Word // too full
			if verdicts[word] || !degree && !inertWords(t.tokens[i:i+1]) {
				return false
			}
		}
	}
	return true
}

// verdicts say of products that they are to stay as they are, or take back what was
// asked for.
var verdicts = set("fine ok okay right perfect exception exceptions exempt enough safe special separate different unaffected already did mind against decide wonder wondered later skip skipped forget nothing everything")

// harmless reports whether the symbol at k can be part of no rule.
func (t *telling) harmless(k int) bool {
	switch s := &t.symbols[k]; s.Class {
	case Over, Under:
		return t.symbols[k+1].Class != Amount && t.symbols[k+1].Class != Noise
	case Up, Down:
		return t.listed || k == t.start || !isName(&t.symbols[k-1]) && !(t.symbols[k-1].Class == Do && isName(&t.symbols[max(k-2, 0)])) // mugs go up
	case Amount:
		return counts(t.symbols, k) || t.past()
	case Category, Name:
		return t.namedElsewhere(s) || people[strings.ToLower(s.Text)] || s.Class == Name && (t.listed || !t.wide())
	case Refused:
		word := strings.ToLower(t.symbols[max(k-1, t.start)].Text)
		return asideRefusals[s.Refusal] || isPast(s.Text) || seasons[strings.ToLower(s.Text)] && (word == "this" || word == "last") || strings.EqualFold(s.Text, "after") && isPast(t.symbols[k+1].Text)
	case Rest:
		return false
	case For: // this is for the other shop
		return t.symbols[max(k-1, t.start)].Class != Copula
	default:
		return !limiting[s.Class] || counts(t.symbols, k)
	}
}

// past reports whether the run is about a time that nothing can be asked for at.
func (t *telling) past() bool {
	return slices.ContainsFunc(t.symbols[t.start:t.end], func(s Symbol) bool { return s.Class == Refused && isPast(s.Text) })
}

// people are no products.
var people = set("people folks shoppers customers everyone everybody")

// namedElsewhere reports whether a name stands outside the run too.
func (t *telling) namedElsewhere(s *Symbol) bool {
	for k := range t.symbols {
		if (k < t.start || k >= t.end) && isName(&t.symbols[k]) && strings.EqualFold(t.symbols[k].Text, s.Text) {
			return true
		}
	}
	return false
}

// wide reports whether a rule outside the run is for all products, which a name in
// it could narrow.
func (t *telling) wide() bool {
	for k := range t.symbols {
		if k >= t.start && k < t.end {
			continue
		}
		if class := t.symbols[k].Class; class == Everything || (class == Price || class == Product) && !isName(&t.symbols[max(k-1, 0)]) && t.symbols[k+1].Class != Of {
			return true
		}
	}
	return false
}

// ruleIn reports whether the symbols from i to end ask for something, and name
// products before any word that would stand for others.
func (t *telling) ruleIn(i, end int) bool {
	named, acts := false, false
	for k := i; k < end; k++ {
		switch t.symbols[k].Class {
		case Name, Category, SKU, Everything, All:
			named = true
		case Amount, Stock, Restock, Times, RoundUnit, NoDigits:
			acts = true
		case Pronoun, Rest:
			if !named {
				return false
			}
		default:
			if !named && OneThing(t.symbols, k) {
				return false
			}
		}
	}
	return named && acts
}

// predicates reports whether the run has a subject that is no product, and a verb.
func (t *telling) predicates() bool {
	unclear := false
	for k := t.start; k < t.end; k++ {
		s := &t.symbols[k]
		unclear = unclear || s.Class == Refused && s.Refusal == Unclear
		if s.Class == Refused && speakers[strings.ToLower(s.Text)] {
			return true
		}
	}
	first := t.start
	for first < t.end && (t.symbols[first].Class == Comma || t.symbols[first].Class == Noise && !article(&t.symbols[first]) && !speaks(&t.symbols[first])) {
		first++
	}
	switch s := &t.symbols[first]; {
	case s.Class == Noise && speaks(s):
		return unclear
	case article(s) && !strings.EqualFold(s.Text, "just"):
		return t.subjectAt(first + 1)
	case s.Class == Name && t.listed:
		return t.symbols[first+1].Class == Copula
	}
	return false
}

// speakers are those who tell something of themselves.
var speakers = set("i we he she i'm i've i'd i'll we're we've we'd we'll he's she's")

// speaks reports whether filler begins with who tells something: i want.
func speaks(s *Symbol) bool {
	word := firstWord(s.Text)
	return strings.Contains(s.Text, " ") && (word == "i" || word == "we")
}

// subjectAt reports whether a noun with a verb stands at k: accountant had.
func (t *telling) subjectAt(k int) bool {
	first := k
	for ; t.symbols[k].Class == Name || t.symbols[k].Class == Category || t.symbols[k].Class == Refused && t.symbols[k].Refusal != Unclear; k++ {
	}
	if k == first || k >= t.end {
		return false
	}
	switch verb := &t.symbols[k]; verb.Class {
	case Copula, Fact, Report:
		return true
	case Refused:
		return pastVerbs[strings.ToLower(verb.Text)]
	}
	return false
}

// abouts reads "about the mugs" at the start of a sentence as names that lead it,
// or the sentence after it.
func abouts(symbols []Symbol) []Symbol {
	for i := range symbols {
		if symbols[i].Class != Refused || !strings.EqualFold(symbols[i].Text, "about") || i > 0 && symbols[i-1].Class != Stop && symbols[i-1].Class != Noise {
			continue
		}
		end := i + 1
		for symbols[end].Class == Noise || isName(&symbols[end]) || symbols[end].Class == And || symbols[end].Class == Product {
			end++
		}
		if !isName(&symbols[end-1]) || symbols[end].Class != Stop && symbols[end].Class != Colon || end+1 >= len(symbols) || shopwide(symbols[end+1:]) {
			continue
		}
		symbols[i].Class, symbols[end].Class = In, Colon
	}
	return symbols
}

// onlies reads "only the mugs should change" as names that lead the sentence after it,
// or as filler beside rules that name them, where nothing else is named anywhere.
func onlies(symbols []Symbol) []Symbol {
	for start := 0; start < len(symbols); {
		_, end := sentenceAround(symbols, start)
		first, last := onlyNames(symbols[start:end])
		names, before, after := symbols[start+first:start+last], symbols[:start], symbols[end:]
		switch {
		case last == first || symbols[end].Text == "?" || !speaksOf(before, names) || !speaksOf(after, names):
		case speaksOf(names, slices.Concat(before, after)):
			filler := Symbol{Class: Noise, From: symbols[start].From, To: symbols[end].From, Text: "only"}
			return slices.Concat(before, []Symbol{filler}, after)
		case speaksOf(before, nil) && speaksOf(after, nil) && !asks(before) && asks(after):
			lead := Symbol{Class: In, From: symbols[start].From, To: names[0].From, Text: "in"}
			colon := Symbol{Class: Colon, From: symbols[end].From, To: symbols[end].To, Text: ":"}
			return slices.Concat(before, []Symbol{lead}, names, []Symbol{colon}, after[1:])
		}
		start = end + 1
	}
	return symbols
}

// onlyNames are the names in a sentence that says no more of them than that only
// they are to change.
func onlyNames(sentence []Symbol) (first, last int) {
	only := slices.IndexFunc(sentence, func(s Symbol) bool { return s.Class == Only })
	if only < 0 {
		return 0, 0
	}
	for k := 0; k < len(sentence); k++ {
		switch s := &sentence[k]; s.Class {
		case Name, Category, SKU:
			if last > 0 {
				return 0, 0
			}
			first, last = k, namesFrom(sentence, k)
			k = last - 1
		case Change:
			if strings.HasSuffix(strings.ToLower(s.Text), "ed") && classAt(sentence, max(k-1, 0)) != Copula { // only mugs changed
				return 0, 0
			}
		case Noise, All, To, Copula, Comma:
		case Do:
			if !wanting[firstWord(s.Text)] {
				return 0, 0
			}
		case Only:
			if k != only {
				return 0, 0
			}
		default:
			return 0, 0
		}
	}
	return first, last
}

// speaksOf reports whether symbols name no other products than names do.
func speaksOf(symbols, names []Symbol) bool {
	return !slices.ContainsFunc(symbols, func(s Symbol) bool {
		switch s.Class {
		case Name, Category, SKU:
			return !slices.ContainsFunc(names, func(name Symbol) bool { return strings.EqualFold(name.Text, s.Text) })
		}
		return s.Class == Everything || s.Class == Product || s.Class == Rest || s.Class == CatNoun
	})
}

// asks reports whether symbols ask for a change.
func asks(symbols []Symbol) bool {
	return slices.ContainsFunc(symbols, func(s Symbol) bool { return s.Class == Amount || s.Class == Stock || s.Class == Times })
}

// shopwide reports whether the sentence that symbols begin with is about all of the
// shop.
func shopwide(symbols []Symbol) bool {
	for k := range symbols {
		text := strings.ToLower(symbols[k].Text)
		switch {
		case symbols[k].Class == Stop:
			return false
		case symbols[k].Class == Everything && text != "anything" && text != "everything", Shopwide(&symbols[k]):
			return true
		}
	}
	return false
}
