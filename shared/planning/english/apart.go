package english

import (
	"slices"
	"strings"
)

// Rules of one form are joined with what they share said once: "round mugs to the
// nearest dollar and hats to the nearest dime", "hats: in stock -10%, out of stock
// +5%". They are written out as a sentence each.

// apart writes the sentences of symbols out.
func apart(symbols []Symbol) []Symbol {
	for start := 0; start < len(symbols); {
		_, end := sentenceAround(symbols, start)
		for _, form := range forms {
			if sentences := form(symbols[start:end]); sentences != nil {
				symbols = slices.Replace(symbols, start, end, sentences...)
				end = start + len(sentences)
				break
			}
		}
		start = end + 1
	}
	return symbols
}

// forms write a sentence out, or return nil where it has another form.
var forms = []func([]Symbol) []Symbol{limitsApart, shapesApart, stocksApart, stockHeading, restockedAt, risenFirst}

// joint is the end of the comma, the "and" or both at k, or k.
func joint(symbols []Symbol, k int) int {
	end := k
	for end < len(symbols) && (symbols[end].Class == Comma || symbols[end].Class == And || symbols[end].Class == But) {
		end++
	}
	return end
}

func classAt(symbols []Symbol, k int) Class {
	if k >= len(symbols) {
		return Stop
	}
	return symbols[k].Class
}

// namesFrom is the end of the names joined from symbol k on, or k. The last of
// them has something said of it.
func namesFrom(symbols []Symbol, k int) int {
	named := k
	for i := k; i < len(symbols); i++ {
		switch symbols[i].Class {
		case Name, Category, SKU:
			named = i + 1
		case Noise, All, Price, Product:
			if named > k && symbols[i].Class != Noise {
				named = i + 1
			}
		case And, Comma:
			if named != i {
				return named
			}
		default:
			return named
		}
	}
	return named
}

func stopAfter(symbols []Symbol, k int) Symbol {
	return Symbol{Class: Stop, From: symbols[k].From, To: symbols[k].To, Text: symbols[k].Text}
}

// limitsApart parts "hats max $60 and mugs min $5" and its like, where each limit
// has been written out.
func limitsApart(sentence []Symbol) []Symbol {
	var joints [][2]int
	for k := 0; k < len(sentence); {
		for classAt(sentence, k) == Noise {
			k++
		}
		end := limitOfNames(sentence, k, len(joints) > 0)
		if end == k {
			return nil
		}
		if next := joint(sentence, end); next > end && next < len(sentence) {
			joints = append(joints, [2]int{end, next})
			k = next
			continue
		}
		if end != len(sentence) {
			return nil
		}
		k = end
	}
	return parted(sentence, joints)
}

// limitOfNames is the end of "nothing in hats may cost more than $60" or "cap hats at
// $60" at symbol k, or k. After a limit, what is "at least $5" is a limit as well.
func limitOfNames(sentence []Symbol, k int, another bool) int {
	first := k
	if isLimit(classAt(sentence, k)) {
		first++
	}
	at := limitedFrom(sentence, first)
	if at == first {
		return k
	}
	for classAt(sentence, at) == Colon || classAt(sentence, at) == Noise {
		at++
	}
	if classAt(sentence, at+1) != Amount {
		return k
	}
	switch class := classAt(sentence, at); {
	case first > k && (class == At || class == To), first == k && isLimit(class):
		return at + 2
	case first == k && another && (class == AtLeast || class == AtMost):
		sentence[at].Class = limitWhere[class]
		return at + 2
	}
	return k
}

// limitWhere is the limit that a bound of the prices to be is.
var limitWhere = map[Class]Class{AtLeast: Floor, AtMost: Cap}

func isLimit(class Class) bool {
	return class == Cap || class == Floor || class == NotOver || class == NotUnder
}

// limitedFrom is the end of the products of a limit at symbol k, or k: "nothing in
// hats", "the price of hats".
func limitedFrom(sentence []Symbol, k int) int {
	from := k
	for from < len(sentence) && sentence[from].Class == Noise {
		from++
	}
	if class := classAt(sentence, from); class == All || class == Everything || class == Price {
		from++
	}
	if class := classAt(sentence, from); class == In || class == Of {
		from++
	}
	if end := namesFrom(sentence, from); end > from {
		return end
	}
	return k
}

// parted puts a full stop for each joint.
func parted(sentence []Symbol, joints [][2]int) []Symbol {
	if len(joints) == 0 {
		return nil
	}
	var written []Symbol
	from := 0
	for _, j := range joints {
		written = append(append(written, sentence[from:j[0]]...), stopAfter(sentence, j[0]))
		from = j[1]
	}
	return append(written, sentence[from:]...)
}

// shapesApart parts "round mugs to the nearest dollar and hats to the nearest dime" and
// "cap mugs at $40, hats at $35 and raise pans by 5%", and says the verb again where it
// is left out. What stands before the first verb or after the last rule may be said of
// all of them.
func shapesApart(sentence []Symbol) []Symbol {
	verb := slices.IndexFunc(sentence, func(s Symbol) bool { return shapesPrices(s.Class) })
	if verb < 0 || !rulesOnly(sentence[:verb]) {
		return nil
	}
	from, again := 0, sentence[verb] // from is where what is not written yet begins
	at, end := shapedFrom(sentence, verb+1, again.Class)
	if end == verb+1 {
		return nil
	}
	var written []Symbol
	if joined := verb - 1; joined > 0 && slices.ContainsFunc(sentence[:joined], func(s Symbol) bool { return s.Class == Amount }) && joint(sentence, joined) == verb {
		written, from = append(slices.Clone(sentence[:joined]), stopAfter(sentence, joined)), verb
	}
	for {
		next := joint(sentence, end)
		if next == end || onlyNoise(sentence[next:]) {
			break
		}
		if bids(&sentence[next]) {
			written = append(append(written, sentence[from:end]...), stopAfter(sentence, end))
			from, end = next, next
			break
		}
		first := next
		if shapesPrices(sentence[next].Class) {
			again = sentence[next]
			first++
		}
		value, last := shapedFrom(sentence, first, again.Class)
		if last == first || first == next && classAt(sentence, value) != classAt(sentence, at) {
			return nil
		}
		written = append(append(written, sentence[from:end]...), stopAfter(sentence, end), again)
		from, at, end = first, value, last
	}
	if written == nil || !rulesOnly(sentence[end:]) {
		return nil
	}
	return append(written, sentence[from:]...)
}

// bids reports whether a symbol is a verb that begins a rule.
func bids(s *Symbol) bool {
	return (s.Class == Up || s.Class == Down) && s.Sense == Verb || s.Class == Do || s.Class == Change
}

// rulesOnly reports whether symbols are rules that begin with verbs, and say nothing
// that other rules could be meant by.
func rulesOnly(symbols []Symbol) bool {
	begun := false
	for i := range symbols {
		switch s := &symbols[i]; {
		case s.Class == Noise || s.Class == And || s.Class == Comma && (i+1 == len(symbols) || bids(&symbols[i+1]) || symbols[i+1].Class == And || isName(&symbols[i+1]) && i > 0 && isName(&symbols[i-1])):
		case bids(s):
			begun = true
		case !begun, shapesPrices(s.Class):
			return false
		case s.Class == If, s.Class == Unless, s.Class == Only, s.Class == Except, s.Class == But, s.Class == Pronoun, s.Class == Rest, s.Class == Comma, s.Class == Otherwise, s.Class == Then, s.Class == With:
			return false
		}
	}
	return true
}

// shapedFrom is the end of the products at symbol k, and of what their prices are
// rounded to, or capped at, or k.
func shapedFrom(sentence []Symbol, k int, verb Class) (at, end int) {
	at = describedFrom(sentence, k)
	if at == k {
		return k, k
	}
	value := at + 1
	for classAt(sentence, value) == Noise {
		value++
	}
	switch class := classAt(sentence, at); verb {
	case Round:
		if (class == Nearest || class == To) && (classAt(sentence, value) == RoundUnit || classAt(sentence, value) == Amount) {
			end = value + 1
			if classAt(sentence, end) == Digits {
				end++
			}
			return at, end
		}
	case Floor, Cap:
		if (class == At || class == To) && classAt(sentence, value) == Amount && isMoney(&sentence[value]) {
			return at, value + 1
		}
	}
	return at, k
}

// describedFrom is the end of the products at symbol k, with what they cost now and
// their stock, or k. Some of them have to be told from the others.
func describedFrom(sentence []Symbol, k int) int {
	told := false
	for i := k; i < len(sentence); i++ {
		switch sentence[i].Class {
		case Name, Category, SKU, Stock:
			told = true
		case Noise, All, Price, Product, Of, For, In, Rel, CatNoun, SKUNoun:
		case And, Comma:
			if i == k || !isName(&sentence[i-1]) || i+1 == len(sentence) || !isName(&sentence[i+1]) {
				return ifTold(told, i, k)
			}
		case Under, Over, AtLeast, AtMost:
			if classAt(sentence, i+1) != Amount {
				return ifTold(told, i, k)
			}
			told = true
			i++
		case At, Amount:
			end := i
			if sentence[i].Class == At {
				end++
			}
			if next := classAt(sentence, end+1); classAt(sentence, end) != Amount || next != AndUp && next != AndDown {
				return ifTold(told, i, k)
			}
			told = true
			i = end + 1
		default:
			return ifTold(told, i, k)
		}
	}
	return k
}

func ifTold(told bool, end, k int) int {
	if told {
		return end
	}
	return k
}

// risenFirst puts the change of "mugs should end in .50 after going up 4%" before
// what comes after it.
func risenFirst(sentence []Symbol) []Symbol {
	ending := slices.IndexFunc(sentence, func(s Symbol) bool { return s.Class == EndIn })
	if ending < 1 || classAt(sentence, ending+1) != Amount || classAt(sentence, ending+2) != Refused || !strings.EqualFold(sentence[ending+2].Text, "after") {
		return nil
	}
	change, end := changeFrom(sentence, ending+3)
	if end == change || !onlyNoise(sentence[end:]) {
		return nil
	}
	return slices.Concat(sentence[:ending], sentence[change:end], []Symbol{{Class: Comma, From: sentence[ending].From, To: sentence[ending].From, Text: ","}}, sentence[ending:ending+2], sentence[end:])
}

// changeFrom reads "going up 4%", "a 4% rise" or "an increase of 4%" from symbol k on.
func changeFrom(sentence []Symbol, k int) (change, end int) {
	for class := classAt(sentence, k); class == Noise && !definite(&sentence[k]) || class == Do || class == Copula; class = classAt(sentence, k) {
		k++
	}
	switch first, next := classAt(sentence, k), classAt(sentence, k+1); {
	case first == Amount && (next == Up || next == Down):
		return k, k + 2
	case first != Up && first != Down:
		return k, k
	case next == By || next == Of:
		end = k + 3
	default:
		end = k + 2
	}
	if classAt(sentence, end-1) != Amount {
		return k, k
	}
	return k, end
}

// definite reports whether filler points at what is known already: the rise.
func definite(s *Symbol) bool {
	text := strings.ToLower(s.Text)
	return text == "the" || text == "our" || text == "my"
}
