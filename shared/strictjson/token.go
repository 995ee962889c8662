package strictjson

import (
	"encoding/json"
	"strconv"
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
	case strings.IndexByte("-0123456789", token[0]) >= 0 && json.Valid([]byte(token)):
		value = Value{kind: KindNumber, text: token}
	default:
		p.problem("%s is not a JSON value", Quote(token))
	}
	p.next += length
	return value
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
	run := start                // of bytes that need no decoding
	var decoded strings.Builder // of those before it
	for p.next < len(p.text) {
		switch c := p.text[p.next]; {
		case c == '"':
			text := p.text[run:p.next]
			p.next++
			if decoded.Len() > 0 {
				decoded.WriteString(text)
				text = decoded.String()
			}
			return p.valid(text)
		case c == '\\':
			decoded.WriteString(p.text[run:p.next])
			decoded.WriteRune(p.escape())
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
	unit, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(unit), err == nil
}

func (p *parser) valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	p.problem("a string is not valid UTF-8: save the document as UTF-8")
	return strings.ToValidUTF8(text, "\ufffd")
}
