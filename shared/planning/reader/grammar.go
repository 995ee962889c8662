package reader

import (
	_ "embed"
	"fmt"
	"iter"
	"strconv"
	"strings"
)

//go:embed grammar.txt
var grammarText string

// grammar is the rules of grammar.txt. Symbols are numbers: the nonterminals come
// first, then the classes of the lexicon and the words that rules quote.
type grammar struct {
	names   []string
	numbers map[string]int
	rules   [][]*rule // by nonterminal
	first   []symbols // the terminals with which a nonterminal begins
}

// rule is one way to make a nonterminal.
type rule struct {
	symbol int
	parts  []part
	builds []build
	cost   int
	line   int
	number int // among all rules
}

// build is a builder with the features given to it.
type build struct {
	builder builder
	given   clause
}

// part is a place in a rule. What may be repeated, and groups, are nonterminals of
// their own, whose names begin with "_".
type part struct {
	symbol   int
	optional bool
}

// symbols is a set of symbols.
type symbols [16]uint64

func (b *symbols) add(symbol int) { b[symbol/64] |= 1 << (symbol % 64) }

func (b *symbols) meets(other *symbols) bool {
	for i := range b {
		if b[i]&other[i] != 0 {
			return true
		}
	}
	return false
}

// mayBegin reports whether what a nonterminal makes may begin with a symbol.
func (g *grammar) mayBegin(nonterminal string, symbol int) bool {
	return g.first[g.numbers[nonterminal]][symbol/64]&(1<<(symbol%64)) != 0
}

// parseGrammar reads rules such as
//
//	target = ALL? names NOUN? ("," names)* => union
//	       | "everything"                  => all cost=1
//
// Capitals are classes of the lexicon, quotation marks hold words, and what is in
// lower case is defined by another rule. After => stands the name of a builder.
// What follows # is a comment. The text is part of the program: what is wrong with it
// ends the program, as soon as a test starts it.
func parseGrammar(text string) *grammar {
	g := &grammar{numbers: map[string]int{}}
	p := &grammarParser{grammar: g}
	lines := strings.Split(text, "\n")
	for _, line := range lines { // nonterminals first: they have the low numbers
		if name, _, found := strings.Cut(line, "="); found && !strings.HasPrefix(line, " ") &&
			!strings.HasPrefix(line, "#") {
			must(p.symbol(strings.TrimSpace(name)) == len(g.names)-1, "grammar.txt defines twice: "+name)
		}
	}
	p.defined = len(g.names)
	var current int
	for i, line := range written(text) {
		if !strings.HasPrefix(line, " ") {
			name, rest, _ := strings.Cut(line, "=")
			current, line = g.numbers[strings.TrimSpace(name)], rest
		} else {
			line = strings.TrimPrefix(strings.TrimSpace(line), "|")
		}
		p.rule(current, line, i+1)
	}
	p.finish()
	return g
}

// written are the lines of a data file that say something, without their comments.
func written(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i, line := range strings.Split(text, "\n") {
			line, _, _ = strings.Cut(line, "#")
			if strings.TrimSpace(line) != "" && !yield(i, line) {
				return
			}
		}
	}
}

// must ends the program where the data is not as it should be.
func must(is bool, fault string) {
	if !is {
		panic(fault)
	}
}

type grammarParser struct {
	*grammar
	defined int // nonterminals that have a name of their own
	words   []string
	at      int
	count   int
}

func (p *grammarParser) symbol(name string) int {
	n, known := p.numbers[name]
	if !known {
		n = len(p.names)
		p.names, p.numbers[name] = append(p.names, name), n
	}
	return n
}

// rule reads one alternative of a nonterminal, with what it means.
func (p *grammarParser) rule(symbol int, line string, number int) {
	pattern, meaning, _ := strings.Cut(line, "=>")
	p.words, p.at = patternWords(pattern), 0
	alternatives := p.alternatives()
	must(p.at == len(p.words), "grammar.txt closes what is not open: "+line)
	for _, parts := range alternatives {
		r := &rule{symbol: symbol, parts: parts, line: number}
		for _, word := range strings.Fields(meaning) {
			if cost, is := strings.CutPrefix(word, "cost="); is {
				r.cost, _ = strconv.Atoi(cost)
				continue
			}
			name, features, given := strings.Cut(strings.TrimSuffix(word, ")"), "(")
			b := build{builder: builders[name]}
			must(b.builder != nil, "grammar.txt names no builder: "+name)
			if given {
				b.given.features(features)
			}
			r.builds = append(r.builds, b)
		}
		if r.builds == nil {
			r.builds = []build{{builder: with}}
		}
		p.add(r)
	}
}

func (p *grammarParser) add(r *rule) {
	for len(p.rules) <= r.symbol {
		p.rules = append(p.rules, nil)
	}
	r.number = p.count
	p.count++
	p.rules[r.symbol] = append(p.rules[r.symbol], r)
}

var signs = strings.NewReplacer("(", " ( ", ")", " ) ", "|", " | ", "?", " ? ", "*", " * ", "+", " + ")

// patternWords are the words of a pattern, of which one in quotation marks keeps its blanks.
func patternWords(pattern string) []string {
	var words []string
	for i, piece := range strings.Split(pattern, `"`) {
		if i%2 == 1 {
			words = append(words, `"`+piece)
			continue
		}
		words = append(words, strings.Fields(signs.Replace(piece))...)
	}
	return words
}

func (p *grammarParser) alternatives() [][]part {
	all := [][]part{nil}
	for ; p.at < len(p.words) && p.words[p.at] != ")"; p.at++ {
		if p.words[p.at] == "|" {
			all = append(all, nil)
			continue
		}
		all[len(all)-1] = append(all[len(all)-1], p.part())
	}
	return all
}

// part reads a symbol or group with its suffix, and leaves p.at on its last word.
func (p *grammarParser) part() part {
	var read part
	w := p.words[p.at]
	number, known := p.numbers[w]
	switch {
	case w == "(":
		p.at++
		inner := p.alternatives()
		must(p.at < len(p.words), "grammar.txt does not close what it opens: "+strings.Join(p.words, " "))
		read = part{symbol: p.symbol(fmt.Sprint("_", inner))}
		p.group(read.symbol, inner)
	case strings.HasPrefix(w, `"`):
		read = part{symbol: p.symbol(w)}
	case w == strings.ToLower(w) && (number >= p.defined || !known):
		panic("grammar.txt does not define " + w)
	default:
		read = part{symbol: p.symbol(w)}
	}
	if p.at+1 >= len(p.words) {
		return read
	}
	switch p.words[p.at+1] {
	case "?":
		p.at++
		read.optional = true
	case "*", "+":
		p.at++
		again := p.symbol(fmt.Sprint("_+", read))
		p.group(again, [][]part{{read, {symbol: again, optional: true}}})
		read = part{symbol: again, optional: p.words[p.at] == "*"}
	}
	return read
}

// group gives a nonterminal its alternatives, once for all rules that have the same group.
func (p *grammarParser) group(symbol int, alternatives [][]part) {
	if symbol < len(p.rules) && p.rules[symbol] != nil {
		return
	}
	for _, parts := range alternatives {
		p.add(&rule{symbol: symbol, parts: parts, builds: []build{{builder: list}}})
	}
}

// finish computes what nonterminals begin with.
func (p *grammarParser) finish() {
	for len(p.rules) < len(p.names) {
		p.rules = append(p.rules, nil)
	}
	must(len(p.names) <= 64*len(symbols{}), "grammar.txt has more symbols than a set of them holds")
	p.first = make([]symbols, len(p.names))
	for changed := true; changed; {
		changed = false
		for symbol := range p.names {
			before := p.first[symbol]
			p.addFirst(symbol)
			changed = changed || before != p.first[symbol]
		}
	}
}

func (p *grammarParser) addFirst(symbol int) {
	if len(p.rules[symbol]) == 0 {
		p.first[symbol].add(symbol)
	}
	for _, r := range p.rules[symbol] {
		for _, part := range r.parts {
			for i := range p.first[symbol] {
				p.first[symbol][i] |= p.first[part.symbol][i]
			}
			if !part.optional {
				break
			}
		}
	}
}
