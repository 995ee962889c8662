package english

import "strings"

// letting is where the verb of "don't let" ends that begins at i, or i.
func letting(symbols []Symbol, i int) int {
	verb := i + 1
	for symbols[verb].Class == Noise {
		verb++
	}
	if text := strings.ToLower(symbols[verb].Text); symbols[verb].Class == Do && text == "let" {
		return verb + 1
	}
	return i
}

// notLet reads "don't let any mug sell for less than $5", from its "don't".
func notLet(symbols []Symbol, i int) (read []Symbol, end int) {
	first := letting(symbols, i)
	subject, named := objects(symbols, first)
	at, moved := subject, false
	for ; predicate(&symbols[at], true) || symbols[at].Class == For || symbols[at].Class == At; at++ {
		moved = true
	}
	limit := Floor
	switch symbols[at].Class {
	case Under:
	case Over:
		limit = Cap
	default:
		return nil, i
	}
	if !moved || !isMoney(&symbols[at+1]) || !endsBreath(&symbols[at+2]) {
		return nil, i
	}
	if named {
		read = append(read, symbols[first:subject]...)
	}
	return append(read, limitFrom(limit, 0, symbols[i:at+1], named), symbols[at+1]), at + 2
}

// opensBreath reports whether nothing but filler stands before i in its sentence.
func opensBreath(symbols []Symbol, i int) bool {
	for i--; i >= 0 && symbols[i].Class == Noise; i-- {
	}
	return i < 0 || symbols[i].Class == Stop
}

// limitFor reads the sentence "no more than $25 for any mug", from its limit.
func limitFor(symbols []Symbol, i int) (read []Symbol, end int) {
	limit := Floor
	if symbols[i].Class == AtMost {
		limit = Cap
	}
	if symbols[i+1].Class != Amount || symbols[i+1].Amount.Unit != Money || symbols[i+2].Class != For {
		return nil, i
	}
	last, named := objects(symbols, i+3)
	if !named || symbols[last].Class != Stop {
		return nil, i
	}
	read = append(read, symbols[i+3:last]...)
	return append(read, limitFrom(limit, 0, symbols[i:i+1], true), symbols[i+1]), last
}
