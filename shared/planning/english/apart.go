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
var forms = []func([]Symbol) []Symbol{limitsApart, roundingsApart, stocksApart, stockHeading, restockedAt, risenFirst}

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

// roundingsApart parts "round mugs to the nearest dollar and hats to the nearest
// dime", and says "round" again.
func roundingsApart(sentence []Symbol) []Symbol {
	verb := 0
	for classAt(sentence, verb) == Noise {
		verb++
	}
	if classAt(sentence, verb) != Round {
		return nil
	}
	var written []Symbol
	for k := verb + 1; ; {
		end := namesFrom(sentence, k)
		if end == k || classAt(sentence, end) != Nearest && classAt(sentence, end) != To || classAt(sentence, end+1) != RoundUnit && classAt(sentence, end+1) != Amount {
			return nil
		}
		end += 2
		written = append(append(written, sentence[verb]), sentence[k:end]...)
		next := joint(sentence, end)
		if next == end || next == len(sentence) {
			if k == verb+1 || !onlyNoise(sentence[next:]) {
				return nil
			}
			return append(written, sentence[next:]...)
		}
		written = append(written, stopAfter(sentence, end))
		k = next
	}
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
