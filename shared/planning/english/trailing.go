package english

import (
	"slices"
	"strings"
)

// What stands after the last comma of several rules may be said of the last or of all.
// It is of all after "but", which sets it against them, in the form of "leaving out",
// where it says that something stays as it is, where it leaves out items or anything of
// a kind, and where it leaves out a category and no rule names any. It is written out as
// a sentence of its own.

// trailing writes out what the rules of an instruction share at their end: "raise tea by
// 5% and mugs by 3%, but only those in stock". Other sentences must have no rules, for
// one of its own holds for those as well.
func trailing(symbols []Symbol) []Symbol {
	for i := range symbols {
		if symbols[i].Class != Comma || !opensTrail[symbols[i+1].Class] || strings.ContainsAny(symbols[i].Text, "([") {
			continue
		}
		start, end := sentenceAround(symbols, i)
		t, found := trailOf(symbols[i+1 : end])
		if !found || !t.ofAll(symbols, start, i) || slices.ContainsFunc(symbols[:start], ruling) || slices.ContainsFunc(symbols[end:], ruling) {
			continue
		}
		stop := Symbol{Class: Stop, From: symbols[i].From, To: symbols[i].To}
		return slices.Concat(symbols[:i], []Symbol{stop}, t.words, symbols[end:])
	}
	return symbols
}

var opensTrail = [256]bool{But: true, Noise: true, Except: true}

// ruling reports whether a symbol may be of a rule: no sentence has one without.
func ruling(s Symbol) bool {
	return s.Class == Amount || s.Class == Times || s.Class == Stock || s.Class == Restock
}

// trail is what a sentence ends in after a comma: some products that alone change, or
// that do not.
type trail struct {
	words  []Symbol
	but    bool // it is set against what is before
	only   bool
	names  bool // it leaves out categories
	skus   bool
	leaves bool // "leaving out", "which stay as they are"
	any    bool // it leaves out items or anything that it describes, and names none
}

// trailOf reads the words after a comma as a trail, if they are no more than that.
func trailOf(words []Symbol) (t trail, found bool) {
	head, just := 0, false
	for ; head < len(words) && (words[head].Class == But || words[head].Class == Noise); head++ {
		t.but = t.but || words[head].Class == But
		just = just || strings.EqualFold(words[head].Text, "just")
	}
	if head == len(words) {
		return t, false
	}
	text := strings.ToLower(words[head].Text)
	switch word := firstWord(text); {
	case words[head].Class == Except:
		t.but, t.leaves = t.but || just || word == "but", strings.HasSuffix(word, "ing")
	case word == "only", word == "just":
		t.only = true
	case just:
		t.only = true
		head--
	default:
		return t, false
	}
	t.words = slices.Clone(words[head:])
	found = t.read()
	t.any = !t.only && !t.names && !t.skus && slices.ContainsFunc(t.words, anyOf)
	if t.only {
		t.words[0].Class = Only
	}
	return t, found
}

// read takes up what the words of a trail name, and reports whether they only tell
// products.
func (t *trail) read() bool {
	for i := 1; i < len(t.words); i++ {
		switch s := &t.words[i]; s.Class {
		case Name, Category:
			t.names = true
		case SKU:
			t.skus = true
		case Amount:
			if !isMoney(s) || !bounds[t.words[i-1].Class] {
				return false
			}
		case Product:
			if t.only { // "ones" is of products named before in its sentence
				s.Text = "items"
			}
		case Which:
			t.leaves = i > 2 && t.words[i-1].Class == Comma && unchangedFrom(t.words[i+1:])
			t.words = t.words[:i-1]
			return t.leaves
		case Under, Over, AtLeast, AtMost: // "but only up to $20" is no condition
			if !boundable[t.words[i-1].Class] {
				return false
			}
		case If: // but only if they cost under $20
			if !t.only || i > 1 {
				return false
			}
		case Noise, And, Comma, Stock, Rel, Pronoun, All, Everything, AndUp, AndDown, SKUNoun, CatNoun, In:
		default:
			return false
		}
	}
	return len(t.words) > 1
}

// bounds stand before a price that tells products, and what they are of before those.
var (
	bounds    = map[Class]bool{Under: true, Over: true, AtLeast: true, AtMost: true, Rel: true}
	boundable = map[Class]bool{Product: true, Everything: true, Pronoun: true, Rel: true, If: true}
)

// unchangedFrom reports whether words say that products stay as they are, and no more.
func unchangedFrom(words []Symbol) bool {
	leaves := false
	for i := range words {
		switch words[i].Class {
		case Leave, Alone, NoChange:
			leaves = true
		case Noise, Copula, Do:
		default:
			return false
		}
	}
	return leaves
}

// ofAll reports whether a trail is of all rules between two symbols: of two or more, none
// of which sets the stock, comes after another or has an exception.
func (t *trail) ofAll(symbols []Symbol, from, end int) bool {
	rules, named, rest := 0, false, false
	for i := from; i < end; i++ {
		switch s := &symbols[i]; s.Class {
		case Name, Category, SKU:
			named = true
		case Amount, Times:
			if asksChange(symbols, i) {
				rules++
			}
		case Stock:
			if t.only || !describesStock(symbols, i) {
				return false
			}
		case Rest:
			rest = true
		case Then, Restock, Except, Skip, Leave, Only:
			return false
		}
	}
	switch {
	case rules < 2 || t.only && (t.names || t.skus):
		return false
	case t.names:
		return t.leaves || !named && !rest
	}
	return t.leaves || t.but || t.any
}

// anyOf reports whether a symbol stands for products of any kind.
func anyOf(s Symbol) bool {
	return s.Class == Everything || s.Class == Product && !strings.EqualFold(s.Text, "ones")
}

// describesStock reports whether the stock word at i tells which products are meant.
func describesStock(symbols []Symbol, i int) bool {
	next := i + 1
	for symbols[next].Class == Noise {
		next++
	}
	if isName(&symbols[next]) || symbols[next].Class == Product || symbols[next].Class == Price {
		return true
	}
	return i > 0 && (symbols[i-1].Class == Everything || symbols[i-1].Class == Rel || symbols[i-1].Class == Product || symbols[i-1].Class == Pronoun)
}
