package english

import (
	"slices"
	"strings"
)

// stocksApart parts "hats: in stock -10%, out of stock +5%", and names the hats
// again. "Hats in stock -10%, sold out +5%" may be of all that is sold out.
func stocksApart(sentence []Symbol) []Symbol {
	first := 0
	for class := classAt(sentence, first); class == Noise || class == For || class == In; class = classAt(sentence, first) {
		first++
	}
	end := namesFrom(sentence, first)
	if end == first && classAt(sentence, first) == Everything {
		end++
	}
	k := end
	switch class := classAt(sentence, k); {
	case end > first && (class == Colon || class == Comma):
		k++
	case end > first && isName(&sentence[end-1]) && class == Stock:
		return nil
	}
	one, next := stockHalf(sentence, k)
	from := joint(sentence, next)
	other, last := stockHalf(sentence, from)
	if one == nil || other == nil || from == next || one[0].Sense == other[0].Sense || !onlyNoise(sentence[last:]) {
		return nil
	}
	subject := sentence[first:end]
	written := append(stocked(subject, one), stopAfter(sentence, next))
	return append(append(written, stocked(subject, other)...), sentence[last:]...)
}

// stocked is a rule for the products of a stock, or for all products of it.
func stocked(subject, half []Symbol) []Symbol {
	stock, happens := half[0], half[1:]
	other := stock
	if len(subject) == 0 {
		other.Class = Product
		return slices.Concat([]Symbol{stock, other}, happens)
	}
	other.Class, other.Text = Rel, "that are" // of all that are joined
	return slices.Concat(subject, []Symbol{other, stock}, happens)
}

// happening are the classes of what happens to a price.
var happening = [256]bool{Noise: true, Do: true, Up: true, Down: true, By: true, To: true, At: true, Amount: true, Times: true}

// stockHalf reads "in stock -10%" or "10% off if in stock" from symbol k on: the
// stock, and what happens. It is nil where something else stands there.
func stockHalf(sentence []Symbol, k int) (half []Symbol, end int) {
	stock, from := stockAt(sentence, k)
	change, amounts := from, 0
	for ; happening[classAt(sentence, change)]; change++ {
		if class := classAt(sentence, change); class == Amount || class == Times {
			amounts++
		}
	}
	end = change
	if stock == nil {
		stock, end = stockAt(sentence, change)
	}
	if stock == nil || amounts != 1 {
		return nil, k
	}
	return append([]Symbol{*stock}, sentence[from:change]...), end
}

// stockAt reads the stock at symbol k with the words around it: if sold out, (in
// stock).
func stockAt(sentence []Symbol, k int) (*Symbol, int) {
	i := k
	for class := classAt(sentence, i); class == If || class == Rel || class == Noise || class == For || class == Comma && sentence[i].Text == "("; class = classAt(sentence, i) {
		i++
	}
	if classAt(sentence, i) != Stock {
		return nil, k
	}
	stock := &sentence[i]
	for i++; classAt(sentence, i) == Product || classAt(sentence, i) == Colon || classAt(sentence, i) == Comma && sentence[i].Text == ")"; i++ {
	}
	return stock, i
}

func onlyNoise(symbols []Symbol) bool {
	return !slices.ContainsFunc(symbols, func(s Symbol) bool { return s.Class != Noise })
}

// stockHeading puts "sold out:" behind the names that are all it is said of.
func stockHeading(sentence []Symbol) []Symbol {
	at := 0
	for classAt(sentence, at) == Noise {
		at++
	}
	if classAt(sentence, at) != Stock || classAt(sentence, at+1) != Colon {
		return nil
	}
	names := at + 2
	end := namesFrom(sentence, names)
	if end == names || !onlyNoise(sentence[end:]) {
		return nil
	}
	return slices.Concat(sentence[:at], sentence[names:end], []Symbol{sentence[at+1], sentence[at]}, sentence[end:])
}

// nonStock reads "non-sold-out" as the stock that it says by its opposite.
func (s *scan) nonStock() bool {
	next := s.pos + 1
	if s.tokens[s.pos].Norm != "non" || next >= len(s.tokens) {
		return false
	}
	if joins(s.tokens, next) {
		next++
	}
	stock, end := s.phraseAt(next)
	if stock == nil || stock.Class != Stock {
		return false
	}
	s.push(Symbol{Class: Stock, Sense: InStock + OutOfStock - stock.Sense}, end)
	return true
}

// backs reads "mugs are back" as what their stock is to be where an instruction says
// nothing of prices and takes nothing up: then that is all it can ask for.
func backs(symbols []Symbol) []Symbol {
	arrived := slices.IndexFunc(symbols, isBack)
	if arrived < 0 || slices.ContainsFunc(symbols, func(s Symbol) bool { return s.Class == Amount || s.Class == Times || s.Class == Pronoun }) {
		return symbols
	}
	for i := arrived; i < len(symbols); i++ {
		if !isBack(symbols[i]) {
			continue
		}
		subject := i - 1
		if symbols[max(subject, 0)].Class == Copula && copulas[strings.ToLower(symbols[subject].Text)] {
			subject--
		} else if strings.HasPrefix(strings.ToLower(symbols[i].Text), "back") {
			continue
		}
		if subject >= 0 && isName(&symbols[subject]) && (symbols[subject].Class != Name || goodsBack(symbols, subject)) && joinsOrEnds(&symbols[i+1]) {
			symbols[i].Class, symbols[i].Sense = Restock, InStock
		}
	}
	return symbols
}

// goodsBack reports whether the name at i, which no list has, is of several goods and
// not of who came back: where nothing else is asked for, nobody tells of people.
func goodsBack(symbols []Symbol, i int) bool {
	name := strings.ToLower(symbols[i].Text)
	asks := slices.ContainsFunc(symbols, func(s Symbol) bool { return s.Class == Stock || s.Class == Do })
	return !asks && strings.HasSuffix(name, "s") && !reporters[name[strings.LastIndexByte(name, ' ')+1:]]
}

// isBack reports whether a symbol says of products that there are some again: back,
// have been restocked.
func isBack(s Symbol) bool {
	if s.Class != Arrived {
		return false
	}
	text := strings.ToLower(s.Text)
	return text == "back" || text == "back again" || strings.HasSuffix(text, " restocked")
}

func joinsOrEnds(s *Symbol) bool {
	return s.Class == Stop || s.Class == Comma || s.Class == And || s.Class == But
}
