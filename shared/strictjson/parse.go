package strictjson

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Parse reads one JSON document. Where there are problems the value holds what
// could be read, with KindInvalid where something could not: a caller goes on
// checking it, so that all problems are found, and then does not use it.
func Parse(data []byte) (Value, []Problem) {
	var list List
	value := parse(string(data), &list)
	return value, list.Problems()
}

func parse(text string, list *List) Value {
	p := &parser{text: text, list: list, line: 1}
	if strings.HasPrefix(text, "\ufeff") {
		p.problem("the document begins with a byte-order mark: save it as UTF-8 without one")
		p.next = len("\ufeff")
	}
	p.space()
	if p.next == len(text) {
		p.list.Add(nil, "the document is empty")
		return Value{}
	}
	value := p.value()
	p.space()
	if !p.broken && p.next < len(text) && value.kind != KindInvalid {
		p.problem("there is more text after the end of the document: %s", Quote(text[p.next:]))
	}
	return value
}

// parser is a recursive descent whose depth MaxDepth bounds. A problem inside
// a value is noted and reading goes on; after one that leaves the structure
// unclear, such as a missing comma, the parser is broken and unwinds.
type parser struct {
	text   string
	next   int // offset of the next byte
	broken bool
	list   *List
	steps  []step // the path to the value being read

	line, lineStart, counted int // newlines before counted are in line
}

func (p *parser) problem(format string, args ...any) {
	if p.list.full() {
		return
	}
	var path []byte
	for _, s := range p.steps {
		path = s.appendTo(path)
	}
	if p.next < p.counted { // an unclosed string is reported where it begins
		p.line, p.lineStart, p.counted = 1, 0, 0
	}
	passed := p.text[p.counted:p.next]
	if newline := strings.LastIndexByte(passed, '\n'); newline >= 0 {
		p.line += strings.Count(passed, "\n")
		p.lineStart = p.counted + newline + 1
	}
	p.counted = p.next
	position := fmt.Sprintf("line %d, byte %d: ", p.line, p.next-p.lineStart+1)
	p.list.problems = append(
		p.list.problems,
		Problem{Path: string(path), Message: position + fmt.Sprintf(format, args...)},
	)
}

// stop notes a problem after which nothing more can be read.
func (p *parser) stop(format string, args ...any) Value {
	if !p.broken {
		p.problem(format, args...)
	}
	p.broken = true
	return Value{}
}

func (p *parser) space() {
	for p.next < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.next]) >= 0 {
		p.next++
	}
}

// take moves past c, with the space around it, and reports whether it was
// there. A broken parser takes nothing more.
func (p *parser) take(c byte) bool {
	p.space()
	if p.broken || p.next == len(p.text) || p.text[p.next] != c {
		return false
	}
	p.next++
	p.space()
	return true
}

func (p *parser) value() Value {
	switch {
	case p.broken:
		return Value{}
	case p.next == len(p.text):
		return p.stop("expected a value, not %s", p.found())
	case p.text[p.next] == '{':
		return p.nested(p.object)
	case p.text[p.next] == '[':
		return p.nested(p.array)
	case p.text[p.next] == '"':
		return Value{kind: KindString, text: p.str()}
	default:
		return p.token()
	}
}

func (p *parser) nested(read func() Value) Value {
	if len(p.steps) == MaxDepth {
		return p.stop("is nested more than %d levels deep", MaxDepth)
	}
	p.steps = append(p.steps, here)
	value := read()
	p.steps = p.steps[:len(p.steps)-1]
	return value
}

// few is how many values most arrays and objects have room for: growing from
// one, each would be copied twice.
const few = 4

func (p *parser) array() Value {
	p.take('[')
	if p.take(']') {
		return Value{kind: KindArray}
	}
	items := make([]Value, 0, few)
	for !p.broken {
		p.at(step{index: len(items)})
		items = append(items, p.value())
		if p.take(']') {
			return Value{kind: KindArray, tree: &tree{items: items}}
		}
		p.comma("]")
	}
	return Value{}
}

func (p *parser) object() Value {
	p.take('{')
	if p.take('}') {
		return Value{kind: KindObject}
	}
	members := make([]Member, 0, few)
	seen := map[string]bool{}
	for !p.broken {
		p.at(here)
		name := p.name()
		p.at(step{name: name, index: named})
		repeated := !p.broken && seen[name]
		seen[name] = true
		if repeated {
			p.problem("the name appears twice in its object")
		}
		if !p.broken && !p.take(':') {
			p.stop("expected a colon after the name, not %s", p.found())
		}
		value := p.value()
		if !repeated {
			members = append(members, Member{Name: name, Value: value})
		}
		if p.take('}') {
			return Value{kind: KindObject, tree: &tree{members: members}}
		}
		p.comma("}")
	}
	return Value{}
}

// at says which value of the innermost array or object is read now.
func (p *parser) at(s step) { p.steps[len(p.steps)-1] = s }

func (p *parser) comma(end string) {
	switch {
	case p.broken:
	case !p.take(','):
		p.stop("expected a comma or %s, not %s", end, p.found())
	case strings.HasPrefix(p.text[p.next:], end):
		p.stop("a comma stands before the closing %s: remove it", end)
	}
}

// found names what stands where something else was expected.
func (p *parser) found() string {
	if p.next == len(p.text) {
		return "the end of the document"
	}
	_, size := utf8.DecodeRuneInString(p.text[p.next:])
	return Quote(p.text[p.next : p.next+size])
}
