package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Parse reads one JSON document. A document that breaks JSON's grammar has no
// value, and one problem that says where: what follows there is not read. Names
// that appear twice are all found, and the value holds the first of each.
func Parse(data []byte) (Value, []Problem) {
	var list List
	value := parse(data, &list)
	return value, list.Problems()
}

func parse(data []byte, list *List) Value {
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		list.Add(nil, "line 1, byte 1: the document begins with a byte-order mark: save it as UTF-8 without one")
		return Value{}
	}
	p := &parser{data: data, tokens: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true)), list: list}
	value, err := p.value()
	if err == io.EOF {
		list.Add(nil, "the document is empty")
		return Value{}
	} else if err != nil {
		p.broken(err)
		return Value{}
	}
	if rest := bytes.TrimLeft(data[p.tokens.InputOffset():], " \t\r\n"); len(rest) > 0 {
		p.problem(len(data)-len(rest), "there is more text after the end of the document: %s", Quote(string(rest)))
	}
	return value
}

// parser is a recursive descent over tokens, whose depth MaxDepth bounds.
type parser struct {
	data   []byte
	tokens *jsontext.Decoder
	list   *List
	steps  []step // the path to the value being read
}

// problem notes what is wrong at an offset.
func (p *parser) problem(offset int, format string, args ...any) {
	if p.list.full() {
		return
	}
	var path []byte
	for _, s := range p.steps {
		path = s.appendTo(path)
	}
	before := p.data[:offset]
	position := fmt.Sprintf("line %d, byte %d: ", bytes.Count(before, []byte("\n"))+1, offset-bytes.LastIndexByte(before, '\n'))
	p.list.problems = append(p.list.problems, Problem{Path: string(path), Message: position + fmt.Sprintf(format, args...)})
}

// broken notes why nothing more can be read.
func (p *parser) broken(err error) {
	offset := p.tokens.InputOffset()
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset, err = syntax.ByteOffset, syntax.Err
	}
	switch {
	case err == io.ErrUnexpectedEOF:
		p.problem(int(offset), "the document ends too early")
	case strings.Contains(err.Error(), "UTF-8"):
		p.problem(int(offset), "%v: save the document as UTF-8", err)
	default:
		p.problem(int(offset), "%v", err)
	}
}

func (p *parser) value() (Value, error) {
	token, err := p.tokens.ReadToken()
	if err != nil {
		return Value{}, err
	}
	switch token.Kind() {
	case 'n':
		return Value{kind: KindNull}, nil
	case 't', 'f':
		return Value{kind: KindBool, text: token.String()}, nil
	case '0':
		return Value{kind: KindNumber, text: token.String()}, nil
	case '"':
		return Value{kind: KindString, text: token.String()}, nil
	}
	if p.tokens.StackDepth() > MaxDepth {
		return Value{}, &jsontext.SyntacticError{ByteOffset: p.tokens.InputOffset() - 1, Err: fmt.Errorf("is nested more than %d levels deep", MaxDepth)}
	}
	read := p.array
	if token.Kind() == '{' {
		read = p.object
	}
	p.steps = append(p.steps, here)
	value, err := read()
	if err != nil {
		return Value{}, err // at the path where it happened
	}
	p.steps = p.steps[:len(p.steps)-1]
	_, err = p.tokens.ReadToken() // the closing bracket
	return value, err
}

// few is how many values most arrays and objects have room for: growing from
// one, each would be copied twice.
const few = 4

func (p *parser) array() (Value, error) {
	if p.tokens.PeekKind() == ']' {
		return Value{kind: KindArray}, nil
	}
	items := make([]Value, 0, few)
	for p.tokens.PeekKind() != ']' {
		p.at(step{index: len(items)})
		item, err := p.value()
		if err != nil {
			return Value{}, err
		}
		items = append(items, item)
	}
	return Value{kind: KindArray, tree: &tree{items: items}}, nil
}

func (p *parser) object() (Value, error) {
	if p.tokens.PeekKind() == '}' {
		return Value{kind: KindObject}, nil
	}
	members := make([]Member, 0, few)
	seen := map[string]bool{}
	for p.tokens.PeekKind() != '}' {
		p.at(here)
		token, err := p.tokens.ReadToken()
		if err != nil {
			return Value{}, err
		}
		name := token.String()
		p.at(step{name: name, index: named})
		repeated := seen[name]
		if repeated {
			p.problem(int(p.tokens.InputOffset()), "the name appears twice in its object")
		}
		seen[name] = true
		value, err := p.value()
		if err != nil {
			return Value{}, err
		}
		if !repeated {
			members = append(members, Member{Name: name, Value: value})
		}
	}
	return Value{kind: KindObject, tree: &tree{members: members}}, nil
}

// at says which value of the innermost array or object is read now.
func (p *parser) at(s step) { p.steps[len(p.steps)-1] = s }
