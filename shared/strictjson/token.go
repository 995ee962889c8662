package strictjson

import (
	"encoding/json"
	"encoding/json/jsontext"
	"errors"
	"strings"
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
	end := p.next + 1
	for end < len(p.text) && p.text[end] != '"' {
		if p.text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(p.text) {
		p.stop("the string has no closing quote")
		p.next = len(p.text)
		return ""
	}
	quoted := p.text[p.next : end+1]
	text := quoted[1 : len(quoted)-1]
	control := strings.IndexFunc(text, func(r rune) bool { return r < ' ' })
	switch {
	case !utf8.ValidString(text):
		p.problem("a string is not valid UTF-8: save the document as UTF-8")
		text = strings.ToValidUTF8(text, "\ufffd")
	case control >= 0:
		p.next += 1 + control
		p.problem("a string has the control character %q: write it as an escape such as \\n", text[control])
	case strings.Contains(text, `\`):
		unquoted, err := jsontext.AppendUnquote(nil, quoted)
		if err != nil {
			p.problem("%v", errors.Unwrap(err)) // which quotes the escape
		}
		text = string(unquoted)
	}
	p.next = end + 1
	return text
}
