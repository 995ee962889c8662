package english

import "strings"

// What the prices of a rule become may be said of each of them: "each price rounded
// to whole dollars", "all of them ending in .95", "rounding every price to one
// decimal". These are written out as "each rounded", "all ending" and "rounding each",
// which are said of what is asked for and never of the shop.

// shapedEach reads what begins at symbol i with the prices that are shaped, after a
// comma or "with", and with "rounding".
func shapedEach(symbols []Symbol, i int) (read []Symbol, end int) {
	with := i > 0 && symbols[i-1].Class == With
	joined := with || i > 0 && symbols[i-1].Class == Comma && !endsException(symbols[:i-1])
	opens := !joined && rounding(&symbols[i]) && opensBreath(symbols, i)
	if !joined && !opens {
		return nil, i
	}
	if rounding(&symbols[i]) {
		switch who, at := eachOf(symbols, i+1, false); {
		case who == nil || !rounded[symbols[at].Class]:
		case opens: // it is said of what follows
			return symbols[i : i+1], at
		default:
			return []Symbol{symbols[i], *who}, at
		}
		if with {
			return symbols[i : i+1], i + 1
		}
		return nil, i
	}
	who, at := eachOf(symbols, i, with)
	shape := symbols[at]
	switch {
	case at == i:
		return nil, i
	case shape.Class == EndIn && shape.Sense == EndNoun && symbols[at+1].Class == In && symbols[at+2].Class == Amount && strings.EqualFold(shape.Text, "price ending"):
		shape.Sense, shape.To, shape.Text = 1, symbols[at+1].To, "ending in"
		at++
	case shape.Class == EndIn && shape.Sense == 1, shape.Class == Round && (rounding(&shape) || strings.HasPrefix(strings.ToLower(shape.Text), "rounded")):
	default:
		return nil, i
	}
	if who != nil {
		read = append(read, *who)
	}
	return append(read, shape), at + 1
}

// endsException reports whether symbols end in names that are left out, of which more
// may be told: except mugs, all of them ending in .99.
func endsException(symbols []Symbol) bool {
	i := len(symbols) - 1
	for i >= 0 && (isName(&symbols[i]) || symbols[i].Class == And || symbols[i].Class == Comma || symbols[i].Class == Noise || symbols[i].Class == All) {
		i--
	}
	return i >= 0 && (symbols[i].Class == Except || symbols[i].Class == But || symbols[i].Class == Leave || symbols[i].Class == Skip)
}

// rounded are the classes that say after its prices what is rounded to.
var rounded = map[Class]bool{To: true, Nearest: true, RoundUnit: true, NoDigits: true, Digits: true}

func rounding(s *Symbol) bool {
	return s.Class == Round && strings.HasPrefix(strings.ToLower(s.Text), "rounding")
}

// eachOf reads "each price", "all of them" and "the results" at symbol i, and returns
// its end, or i. Those that are all of what is shaped are written as one word. After a
// comma, "all prices" may be those of the shop.
func eachOf(symbols []Symbol, i int, with bool) (who *Symbol, end int) {
	end = i
	for symbols[end].Class == Noise || symbols[end].Class == All {
		if symbols[end].Class == All {
			who = quantified(&symbols[end])
		}
		end++
	}
	said := &symbols[end]
	ending := said.Class == EndIn && said.Sense == EndNoun // price ending
	switch price := ending || said.Class == Price; {
	case said.Class == Pronoun && who == nil:
		if who = quantified(said); who == nil && !outcome[strings.ToLower(said.Text)] {
			return nil, i
		}
		end++
	case price && who != nil && (with || who.Text == "each"):
		if !ending {
			end++
		}
	case said.Class == Pronoun:
		end++
	case who == nil, price, !with:
		return nil, i
	}
	if with && opensBreath(symbols, i-1) {
		who = nil
	}
	return who, end
}

var outcome = set("result results them")

// quantified is one word for all of them that a symbol is for, or nil.
func quantified(s *Symbol) *Symbol {
	all := Symbol{Class: All, From: s.From, To: s.To}
	switch word := firstWord(strings.ToLower(s.Text)); {
	case word == "each", word == "every":
		all.Text = "each"
	case word == "all", word == "both":
		all.Text = word
	case strings.EqualFold(s.Text, "them all"):
		all.Text = "all"
	default:
		return nil
	}
	return &all
}

// shapedWith reads how prices of some of its products are shaped, which ends a sentence
// from "with" at symbol i on, as sentences: "mugs up 5% and hats 4%, with hats ending in
// .99".
func shapedWith(symbols []Symbol, i int) (read []Symbol, end int) {
	start, stop := sentenceAround(symbols, i)
	for at := i; at < stop; {
		names := namesFrom(symbols, at+1)
		shape := names
		if symbols[shape].Class == To { // with hats to end in .99
			shape++
		}
		after := shapeEnd(symbols, shape)
		if names == at+1 || after == shape || at > i && symbols[at].Class != And {
			return nil, i
		}
		shaped := symbols[shape]
		shaped.Sense = 0
		read = append(append(append(append(read, stopAfter(symbols, at)), symbols[at+1:names]...), shaped), symbols[shape+1:after]...)
		at = after
	}
	if !changesOf(symbols[start:i], read) {
		return nil, i
	}
	return read, stop
}

// shapeEnd is the end of a limit, an ending or a rounding at symbol i, or i.
func shapeEnd(symbols []Symbol, i int) int {
	switch next := &symbols[min(i+1, len(symbols)-1)]; symbols[i].Class {
	case Cap, Floor:
		if isMoney(next) {
			return i + 2
		}
	case EndIn:
		if next.Class == Amount && symbols[i].Sense != EndNoun {
			return i + 2
		}
	case Round:
		if next.Class == Nearest || next.Class == To {
			return i + 3
		}
	}
	return i
}

// changesOf reports whether symbols ask for changes of all products that are named in
// others, and of more.
func changesOf(symbols, others []Symbol) bool {
	changed := map[string]bool{}
	for i := range symbols {
		switch s := &symbols[i]; s.Class {
		case Name, Category, SKU:
			changed[strings.ToLower(s.Text)] = true
		case Except, But, Skip, Leave, DoNot, Alone, NoChange, If, Unless, Then:
			return false
		}
	}
	for i := range others {
		if isName(&others[i]) && !changed[strings.ToLower(others[i].Text)] {
			return false
		}
	}
	return len(changed) > 1
}
