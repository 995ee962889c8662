package english

// bar is what the word "bar" up to end is before a word that nothing else knows:
// Except after a noun for all products, "everything bar stools", the beginning of a
// Name where nothing can be left out, "the bar stools", and Refused where it may be
// either, "all bar stools". Any other word is Unknown.
func (s *scan) bar(end int) Class {
	if s.tokens[s.pos].Norm != "bar" || end != s.pos+1 || !s.nameable(end) || s.tokens[end].Norm == "none" {
		return Unknown
	}
	switch {
	case s.follows(And), s.pos > 0 && determiners[s.tokens[s.pos-1].Norm]:
		return Name
	case s.follows(Everything), s.follows(Product), s.follows(Rest):
		return Except
	case s.follows(Amount), s.follows(Comma):
		return Refused
	}
	for i := len(s.symbols) - 1; i >= 0 && s.symbols[i].Class != Stop; i-- {
		switch s.symbols[i].Class {
		case All, Everything, Product, Price, Rest, Pronoun, Name, Category, SKU:
			return Refused
		}
	}
	if s.begins && s.breaks(end) { // bar stools, raise everything by 5%
		return Refused
	}
	return Name
}

// breaks reports whether the unknown words from i on, maybe joined by "and", end in a
// comma.
func (s *scan) breaks(i int) bool {
	for s.nameable(i) || i+1 < len(s.tokens) && s.tokens[i].Norm == "and" {
		i++
	}
	return i < len(s.tokens) && s.tokens[i].Text == ","
}
