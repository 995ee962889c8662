package english

// head is the last words of a name, from one token up to another.
type head struct{ from, to int }

// elided finds the names of a list whose last words are said once for several: dog
// and cat food, where Dog Food and Cat Food are names. It goes backwards, for red,
// white and rosé wine.
func (c *Categories) elided(tokens []Token, named []match) {
	var last head // of the name that begins at token at
	at := -1
	for i := len(tokens) - 1; i >= 0; i-- {
		if whole := named[i]; whole.symbol != nil && whole.end > i+1 {
			last, at = head{i + 1, whole.end}, i
			continue
		}
		if at < 0 || tokens[i].Kind != Word {
			continue
		}
		next, joined := listedNext(tokens, i)
		if next != at || next == i+1 || !joined && named[at].end >= last.to {
			continue
		}
		symbol := c.withHead(tokens, i, last)
		if symbol == nil || symbol == named[at].symbol { // mugs and mug sets
			continue
		}
		alone, _ := c.tree.root().next(stem(tokens[i].Norm))
		verb, known := lexicon().follow(tokens[i].word)
		if alone.symbol() != nil || known && verb.symbol() != nil && actsClass(verb.symbol()) { // Dog is a name, too; cut and dried flowers
			symbol = &Symbol{Class: Refused, Refusal: OneOrTwo}
		}
		named[i], at = match{symbol, i + 1}, i
	}
}

// listedNext is where a list may go on after token i: after a comma, or where it
// is joined by "and".
func listedNext(tokens []Token, i int) (next int, joined bool) {
	next = i + 1
	if next < len(tokens) && tokens[next].Text == "," {
		next++
	}
	if next < len(tokens) && joining[tokens[next].Norm] {
		return next + 1, true
	}
	return next, false
}

var joining = set("and & or")

// withHead is the name of a word and the head of another, or nil.
func (c *Categories) withHead(tokens []Token, i int, h head) *Symbol {
	at, listed := c.tree.root().next(stem(tokens[i].Norm))
	for k := h.from; k < h.to && listed; k++ {
		at, listed = at.next(stem(tokens[k].Norm))
	}
	if !listed || at.symbol() == nil || at.symbol().Text == "" {
		return nil
	}
	return at.symbol()
}
