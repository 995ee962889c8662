package english

import "strings"

// noneAround reads "no toy may end up above $9", from its "no".
func noneAround(symbols []Symbol, i int) (read []Symbol, end int) {
	subject, named := objects(symbols, i+1)
	at := subject
	who := noneOfAll(symbols, i)
	goesOn, bare := named && goesOnNone(symbols, i), who == "both" && ofChanged(symbols, i)
	said := priceNamed(symbols[i:subject]) || i > 0 && symbols[i-1].Class == With && (named || who != "") || i > 1 && symbols[i-1].Class == And && symbols[i-2].Class == Amount || noneOfThem(symbols, i) || goesOn || onlyNones(symbols) // "no price under $8 and none over $80"
	if goesOn && symbols[subject-1].Class == For {
		subject-- // "no mug may sell for over $9, no tea for under $4"
	}
	for at < len(symbols) && predicate(&symbols[at], at > i+1 || !strings.EqualFold(symbols[i].Text, "no")) {
		said = said || symbols[at].Class != Noise && symbols[at].Class != Rel // "nothing that is over $9" may be which are left alone
		at++
	}
	limit, limits := limitOf(&symbols[at])
	if !limits {
		return nil, i
	}
	if !said && !bare || !isMoney(&symbols[at+1]) || !endsBreath(&symbols[at+2]) {
		return nil, i
	}
	if named {
		all := Symbol{Class: All, From: symbols[i].From, To: symbols[i].To, Text: "all"}
		if symbols[i+1].Class == In {
			all.Class = Everything
		}
		read = append(append(read, all), symbols[i+1:subject]...)
	}
	if !named && who != "" {
		read = append(read, Symbol{Class: Pronoun, From: symbols[i].From, To: symbols[subject-1].To, Text: who})
	}
	sense := int32(OfAll)
	switch {
	case named:
		sense = 0
	case symbols[i+1].Class == Price:
		sense = OfPrices
	}
	written := limitFrom(limit, sense, symbols[i:at+1], named)
	if !said { // it may be one of the change
		written.Text = "nothing " + written.Text
	}
	return append(read, written), at + 1
}

// ofChanged reports whether "neither" at symbol i stands, after a pause, behind what
// changes: "hats up 5%, mugs up 3%, neither above $9".
func ofChanged(symbols []Symbol, i int) bool {
	return i > 1 && symbols[i-1].Class == Comma && (symbols[i-2].Class == Amount || symbols[i-2].Class == Up || symbols[i-2].Class == Down)
}

// priceNamed reports whether symbols end in a word for prices, or in "ever", so that
// what follows is never to be: no price below.
func priceNamed(symbols []Symbol) bool {
	i := len(symbols) - 1
	for ; symbols[i].Class == Noise; i-- {
		if strings.EqualFold(symbols[i].Text, "ever") {
			return true
		}
	}
	return symbols[i].Class == Price
}

// goesOnNone reports whether a limit of the same kind, said in full of other products,
// stands right before symbol i: "nothing in hats may cost less than $2, nothing in mugs".
// So may any limit that begins the sentence.
func goesOnNone(symbols []Symbol, i int) bool {
	for i--; i > 0 && (symbols[i].Class == Comma || symbols[i].Class == And); i-- {
	}
	if i < 2 || !isMoney(&symbols[i]) {
		return false
	}
	said, limited, acts := false, false, false
	for i--; i >= 0 && symbols[i].Class != Stop && symbols[i].Class != Amount; i-- {
		switch s := &symbols[i]; {
		case isLimit(s.Class): // cap mugs at $12, and no tea below $5
			limited = true
		case actsClass(s):
			acts = true
		case s.Class == Copula, s.Class == Refused && strings.EqualFold(s.Text, "may"):
			said = true
		case s.Class == Refused && nones[strings.ToLower(s.Text)]:
			return said || goesOnNone(symbols, i)
		}
	}
	return limited && !acts && (i < 0 || symbols[i].Class == Stop)
}

// onlyNones reports whether an instruction says nothing but that none of some products
// may be under a price, or over one, and none of others: "no canoe under $100, no hat
// over $60". Said once, it may as well be of what there is.
func onlyNones(symbols []Symbol) bool {
	none, bounds := false, 0 // of the products before; in all
	for i := range symbols {
		switch s := &symbols[i]; s.Class {
		case Refused:
			if none = nones[strings.ToLower(s.Text)]; !none {
				return false
			}
		case Under, Over:
			if !none || !isMoney(&symbols[i+1]) || !endsBreath(&symbols[i+2]) {
				return false
			}
			none = false
			bounds++
		case Noise, Name, Category, SKU, CatNoun, All, Product, Price, In, Comma, And, Amount, Stop:
		default:
			return false
		}
	}
	return bounds > 1
}

// noneOfAll is what stands for all of those that "neither", "none of them" or, after
// what is said of them, "none" at symbol i is said of. What "is" may be told of them.
func noneOfAll(symbols []Symbol, i int) string {
	text := strings.ToLower(symbols[i].Text)
	told := strings.Contains(text, " is ") && !strings.Contains(text, " is to ")
	switch first := firstWord(text); {
	case told:
	case first == "neither":
		return "both"
	case first == "none" && (strings.HasPrefix(text, "none of") || symbols[i+1].Class == Of || symbols[i+1].Class == Pronoun || !opensBreath(symbols, i)):
		return "all"
	}
	return ""
}

// noneOfThem reports whether "but none of them" or "but none of it" stands at symbol i
// after a change, so that what follows is no word for which products it is of: "raise
// mugs by 5%, but none of them over $9". "None of those over $9" may be left out, and
// after a comma alone it may be told of what there is, but for the products of several.
func noneOfThem(symbols []Symbol, i int) bool {
	if i == 0 || symbols[i-1].Class != But && symbols[i-1].Class != Comma || symbols[i+1].Class != Of || symbols[i+2].Class != Pronoun || !them[strings.ToLower(symbols[i+2].Text)] {
		return false
	}
	if _, limits := limitOf(&symbols[i+3]); !limits || classAt(symbols, i+5) == Noise { // none of it above $9 now, none of it above $9 should change
		return false
	}
	changes := 0
	for k := i - 1; k >= 0 && symbols[k].Class != Stop; k-- {
		if asksChange(symbols, k) {
			changes++
		}
	}
	return changes > 1 || changes == 1 && symbols[i-1].Class == But
}

var them = set("it them")

// predicate reports whether a symbol can be of what is said of a price before
// its limit: may end up, should be.
func predicate(s *Symbol, verb bool) bool {
	switch s.Class {
	case Copula, Rel, Noise, Do:
		return true
	case Up, Down:
		return verb && moves[strings.ToLower(s.Text)]
	case Refused:
		return strings.EqualFold(s.Text, "may") || strings.EqualFold(s.Text, "ever")
	}
	return false
}

// moves are what a price does that comes to be under or over a limit.
var moves = set("fall falls falling drop drops dropping rise rises rising climb climbs climbing")
