package english

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// item skips what marks an item of a list, and ends the sentence before it: a
// dash or a bullet at the start of a line; "1.", "1)", "(1)", "a)" or "step 1:"
// there too, and within a line where the number is the next one.
func (s *scan) item() bool {
	token := &s.tokens[s.pos]
	if token.LineStart && token.Kind == Mark && strings.Contains("-*•–—·", token.Text) && s.pos+1 < len(s.tokens) && s.tokens[s.pos+1].Spaced {
		s.pos++
		return true
	}
	number, end := s.marker()
	next := number == s.items+1 && (s.begins || s.items > 0 && s.tokens[end-1].Text == ")")
	if number == 0 || !token.LineStart && !next {
		return false
	}
	s.items = number
	if s.begins {
		s.pos = end
	} else {
		s.push(Symbol{Class: Stop}, end)
	}
	return true
}

// marker returns the number of the list's item that is marked here and the end of
// the mark, or nought. The number of a letter is its place in the alphabet.
func (s *scan) marker() (number, end int) {
	i := s.pos
	mark := ".)"
	switch {
	case s.tokens[i].Text == "(":
		i, mark = i+1, ")"
	case s.tokens[i].Norm == "step":
		i, mark = i+1, ".):"
	}
	if i+2 >= len(s.tokens) || s.tokens[i+1].Spaced || s.tokens[i+1].Kind != Mark || !strings.Contains(mark, s.tokens[i+1].Text) {
		return 0, s.pos
	}
	switch token := s.tokens[i]; {
	case token.Kind == Number && s.tokens[i+2].Spaced:
		number, _ = strconv.Atoi(token.Text)
	case token.Kind == Word && len(token.Norm) == 1 && s.tokens[i+1].Text == ")":
		number = int(token.Norm[0]-'a') + 1
	}
	return number, i + 2
}

// line ends the sentence at a line end, unless the next line goes on in lower
// case or is an item of a list of SKUs or names, one a line.
func (s *scan) line() {
	if s.loneName(s.pos + 1) {
		switch {
		case s.follows(Colon), s.follows(Except) && s.tokens[s.pos-1].Text == ":":
			s.pos++
			return
		case (s.follows(SKU) || s.follows(Category) || s.follows(Name)) && s.loneName(s.lineStart()):
			s.push(Symbol{Class: Comma}, s.pos+1)
			return
		}
	}
	if next := s.pos + 1; next < len(s.tokens) && s.tokens[next].Kind == Word && (s.wraps() || s.goesOn(next)) {
		if first, _ := utf8.DecodeRuneInString(s.tokens[next].Text); unicode.IsLower(first) {
			s.pos++
			return
		}
	}
	s.push(Symbol{Class: Stop}, s.pos+1)
}

// wrapped is the least width that lines are broken at which go on in the next.
const wrapped = 40

// wraps reports whether the line that ends here is as long as one that is broken
// by its width. Shorter ones are a list.
func (s *scan) wraps() bool {
	start := s.lineStart()
	return start < s.pos && utf8.RuneCountInString(s.Source[s.tokens[start].Start:s.tokens[s.pos].Start]) >= wrapped
}

// goesOn reports whether the line that begins at i can only go on with the one
// before it.
func (s *scan) goesOn(i int) bool {
	if s.follows(Comma) || s.follows(And) {
		return true
	}
	symbol, _ := s.phraseAt(i)
	if symbol == nil {
		return false
	}
	switch symbol.Class {
	case And, But, By, To, At, Of, In, With, As:
		return true
	}
	return false
}

// lineStart returns the first token of the line.
func (s *scan) lineStart() int {
	i := s.pos
	for i > 0 && s.tokens[i-1].Text != "\n" {
		i--
	}
	return i
}

// loneName reports whether one code or category is all of the line from token i
// on. Where no list is known, words after a bullet are one.
func (s *scan) loneName(i int) bool {
	bulleted := i+1 < len(s.tokens) && s.tokens[i].Kind == Mark && s.tokens[i+1].Spaced
	if bulleted {
		i++
	}
	if i >= len(s.tokens) {
		return false
	}
	_, end := s.category(i)
	switch {
	case s.tokens[i].Kind == Code:
		end = i + 1
	case s.categories == nil && bulleted:
		for s.nameable(end) && end < i+maxNameTokens {
			end++
		}
	}
	return end > i && (end == len(s.tokens) || s.tokens[end].Text == "\n")
}
