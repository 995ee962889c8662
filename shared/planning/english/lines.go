package english

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// bullet skips "- ", "* ", "1. " and "1) " at the start of a line.
func (s *scan) bullet() bool {
	token := s.tokens[s.pos]
	if !token.LineStart || s.pos+1 >= len(s.tokens) {
		return false
	}
	next := s.tokens[s.pos+1]
	if token.Kind == Mark && strings.Contains("-*•–—·", token.Text) {
		return next.Spaced
	}
	if letter := token.Kind == Word && len(token.Text) == 1 && next.Text == ")" && !next.Spaced; letter { // a) and b)
		s.pos++
		return true
	}
	if token.Kind == Number && (next.Text == "." || next.Text == ")") && !next.Spaced && s.pos+2 < len(s.tokens) && s.tokens[s.pos+2].Spaced {
		s.pos++ // the mark goes with the number
		s.item = token.Text
		return true
	}
	return false
}

// enumerated reports whether the next item of a list on one line begins here:
// "1) mugs +5% 2) hats -3%".
func (s *scan) enumerated() bool {
	token := s.tokens[s.pos]
	if s.item == "" || token.Kind != Number || !token.Spaced || s.pos+2 >= len(s.tokens) || s.tokens[s.pos+1].Text != ")" || s.tokens[s.pos+1].Spaced {
		return false
	}
	last, err := strconv.Atoi(s.item)
	if err != nil || token.Text != strconv.Itoa(last+1) {
		return false
	}
	s.item = token.Text
	return true
}

// parenthesised reports whether the next item of a list begins here with its number
// in parentheses: "(1) mugs +5%; (2) hats -3%".
func (s *scan) parenthesised() bool {
	if s.pos+3 >= len(s.tokens) || s.tokens[s.pos].Text != "(" || s.tokens[s.pos+1].Kind != Number || s.tokens[s.pos+2].Text != ")" {
		return false
	}
	last, err := strconv.Atoi("0" + s.item)
	if err != nil || s.tokens[s.pos+1].Text != strconv.Itoa(last+1) || s.item == "" && !s.begins {
		return false
	}
	s.item = s.tokens[s.pos+1].Text
	return true
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
