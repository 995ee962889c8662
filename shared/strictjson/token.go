package strictjson

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// token reads a number, true, false or null: everything up to the next
// structural byte. So NaN, 01, +5 or True are one problem each, and reading
// goes on behind them.
func (p *parser) token() Value {
	length := strings.IndexAny(p.text[p.next:], " \t\r\n,:]}[{\"")
	if length < 0 {
		length = len(p.text) - p.next
	}
	token := p.text[p.next : p.next+length]
	var value Value
	switch {
	case token == "":
		return p.stop("expected a value, not %s", p.found())
	case token == "null":
		value = Value{kind: KindNull}
	case token == "true", token == "false":
		value = Value{kind: KindBool, text: token}
	case isNumber(token):
		value = Value{kind: KindNumber, text: token}
	default:
		p.problem("%s is not a JSON value", Quote(token))
	}
	p.next += length
	return value
}

// isNumber reports whether s is a number of RFC 8259:
// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, s := digits(s)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return false
	}
	if after, pointed := strings.CutPrefix(s, "."); pointed {
		var fraction string
		if fraction, s = digits(after); fraction == "" {
			return false
		}
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = s[1:]
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	exponent, rest := digits(s)
	return exponent != "" && rest == ""
}

// digits splits the digits that s begins with from the rest.
func digits(s string) (number, rest string) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

func (p *parser) name() string {
	if !strings.HasPrefix(p.text[p.next:], `"`) {
		p.stop("expected a name in double quotes, not %s", p.found())
		return ""
	}
	return p.str()
}

// str reads a string. Text without escapes is not copied.
func (p *parser) str() string {
	p.next++
	start := p.next
	for p.next < len(p.text) {
		switch c := p.text[p.next]; {
		case c == '"':
			text := p.text[start:p.next]
			p.next++
			return p.valid(text)
		case c == '\\':
			return p.escaped(start)
		case c < ' ':
			p.problem("a string has the control character %q: write it as an escape such as \\n", c)
		}
		p.next++
	}
	p.next = start - 1
	p.stop("the string has no closing quote")
	p.next = len(p.text)
	return ""
}

// escaped reads on from the first escape of a string that began at start.
func (p *parser) escaped(start int) string {
	var text strings.Builder
	run := start // of bytes that need no decoding
	for p.next < len(p.text) {
		switch c := p.text[p.next]; {
		case c == '"':
			text.WriteString(p.text[run:p.next])
			p.next++
			return p.valid(text.String())
		case c == '\\':
			text.WriteString(p.text[run:p.next])
			text.WriteRune(p.escape())
			run = p.next
			continue
		case c < ' ':
			p.problem("a string has the control character %q: write it as an escape such as \\n", c)
		}
		p.next++
	}
	p.next = start - 1
	p.stop("the string has no closing quote")
	p.next = len(p.text)
	return ""
}

const escapes = `"\/bfnrt`

var escapeMeans = [len(escapes)]rune{'"', '\\', '/', '\b', '\f', '\n', '\r', '\t'}

// escape reads one escape sequence, two for a surrogate pair.
func (p *parser) escape() rune {
	rest := p.text[p.next+1:]
	if rest == "" {
		p.next++
		return utf8.RuneError // the caller meets the end of the document
	}
	if i := strings.IndexByte(escapes, rest[0]); i >= 0 {
		p.next += 2
		return escapeMeans[i]
	}
	unit, ok := hexEscape(p.text[p.next:])
	if !ok {
		p.problem("a string has an escape that JSON does not know")
		p.next++ // the next byte is read as text, unless it is a quote
		return utf8.RuneError
	}
	if !utf16.IsSurrogate(unit) {
		p.next += 6
		return unit
	}
	low, _ := hexEscape(p.text[p.next+6:])
	char := utf16.DecodeRune(unit, low)
	if char == utf8.RuneError {
		p.problem("a string has half of a surrogate pair, \\u%04x, which is no character", unit)
		p.next += 6
		return char
	}
	p.next += 12
	return char
}

// hexEscape reads the code unit of the \uXXXX that s begins with.
func hexEscape(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var unit rune
	for _, c := range []byte(s[2:6]) {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 || c < '0' {
			return 0, false
		}
		unit = unit<<4 | rune(digit)
	}
	return unit, true
}

func (p *parser) valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	p.problem("a string is not valid UTF-8: save the document as UTF-8")
	return strings.ToValidUTF8(text, "\ufffd")
}
