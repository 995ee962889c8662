// Package strictjson reads JSON that other people wrote, strictly, and says
// everything that is wrong with it at once, each problem with its path.
//
// encoding/json keeps the last of two equal keys, replaces invalid text in
// silence, ignores the case of names, turns numbers into floats and stops at
// the first fault. Plans, request bodies and answers of a model must not be
// read like that. Here a duplicate key, trailing data, invalid UTF-8, a lone
// surrogate and NaN are problems, numbers keep their text, nesting is bounded,
// and reading takes time linear in the input.
//
// A caller describes the shape it expects as a function over an Object:
//
//	problems := strictjson.ReadObject(body, func(o *strictjson.Object) {
//		request.Instruction, _ = o.Required("instruction").String()
//		request.Categories, _ = o.Optional("categories").Strings()
//	})
//
// A field that the function never asks for is unknown, which is a problem. A
// null in an optional field means that the field is omitted.
package strictjson

import (
	"encoding/json"
	"fmt"
	"strconv"
)

const (
	// MaxDepth is how deeply arrays and objects may nest.
	MaxDepth = 64
	// MaxProblems is how many problems are listed. One more says that there were others.
	MaxProblems = 1_000
)

// Problem is one thing wrong with a document. Path is "" for the document as a
// whole and else like operations[1].filter.price_gte; Message reads on from
// it: "is required", "must be a string, but is a number".
type Problem struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// String returns the path and the message in one line.
func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

// Summary says the first problem and how many more there are, in one line. It
// is "" when there is none.
func Summary(problems []Problem) string {
	switch len(problems) {
	case 0:
		return ""
	case 1:
		return problems[0].String()
	case 2:
		return problems[0].String() + " (and 1 more problem)"
	default:
		return fmt.Sprintf("%s (and %d more problems)", problems[0], len(problems)-1)
	}
}

// List collects problems. Past MaxProblems it only notes that there are more,
// so that a hostile document cannot make a huge answer.
type List struct {
	problems []Problem
	more     bool
}

// Add notes a problem.
func (l *List) Add(path *Path, format string, args ...any) {
	if !l.full() {
		l.problems = append(l.problems, Problem{Path: path.String(), Message: fmt.Sprintf(format, args...)})
	}
}

// full reports whether there is no room for one more problem, and if so notes
// that there was one.
func (l *List) full() bool {
	l.more = l.more || len(l.problems) == MaxProblems
	return l.more
}

// Problems returns what was added, in that order, nil when nothing was.
func (l *List) Problems() []Problem {
	if !l.more {
		return l.problems
	}
	more := Problem{Message: fmt.Sprintf("there are more problems than the first %d", MaxProblems)}
	return append(l.problems[:MaxProblems:MaxProblems], more)
}

// Kind is the JSON type of a Value.
type Kind uint8

const (
	// KindInvalid stands where the text was not JSON. Its problem is already
	// reported, so readers pass over it without another.
	KindInvalid Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// String names the kind as a message does: "a string".
func (k Kind) String() string {
	return [...]string{"invalid", "null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// Value is one JSON value. The zero value is KindInvalid.
type Value struct {
	kind Kind
	text string // a boolean or number as written, a string decoded
	tree *tree  // of an array or object that is not empty
}

type tree struct {
	items   []Value
	members []Member
}

// Member is one name and value of an object.
type Member struct {
	Name  string
	Value Value
}

// Kind returns the JSON type.
func (v Value) Kind() Kind { return v.kind }

// Text returns a string's text, or a number or boolean as it was written.
func (v Value) Text() string { return v.text }

// Items returns an array's values. They must not be changed.
func (v Value) Items() []Value {
	if v.tree == nil {
		return nil
	}
	return v.tree.items
}

// Members returns an object's members as they came, without the second of two
// of the same name. They must not be changed.
func (v Value) Members() []Member {
	if v.tree == nil {
		return nil
	}
	return v.tree.members
}

// Member returns the value of an object's member of that name.
func (v Value) Member(name string) (value Value, found bool) {
	for _, member := range v.Members() {
		if member.Name == name {
			return member.Value, true
		}
	}
	return Value{}, false
}

// Any returns the value as encoding/json would, numbers as json.Number. Null and
// what was not valid are nil.
func (v Value) Any() any {
	return v.decode(func(number string) any { return json.Number(number) })
}

// Plain is Any with numbers as float64, as encoding/json decodes them by itself.
// One beyond a float's range stays the text that it was.
func (v Value) Plain() any {
	return v.decode(func(number string) any {
		if float, err := strconv.ParseFloat(number, 64); err == nil {
			return float
		}
		return number
	})
}

func (v Value) decode(number func(string) any) any {
	switch v.kind {
	case KindBool:
		return v.text == "true"
	case KindNumber:
		return number(v.text)
	case KindString:
		return v.text
	case KindArray:
		items := make([]any, 0, len(v.Items()))
		for _, item := range v.Items() {
			items = append(items, item.decode(number))
		}
		return items
	case KindObject:
		members := make(map[string]any, len(v.Members()))
		for _, member := range v.Members() {
			members[member.Name] = member.Value.decode(number)
		}
		return members
	default:
		return nil
	}
}

// Size returns how many bytes the value takes as JSON without spaces, what
// escapes add not counted.
func (v Value) Size() int {
	switch v.kind {
	case KindNull:
		return len("null")
	case KindString:
		return len(v.text) + len(`""`)
	case KindArray:
		size := len("[]") + max(0, len(v.Items())-1)
		for _, item := range v.Items() {
			size += item.Size()
		}
		return size
	case KindObject:
		size := len("{}") + max(0, len(v.Members())-1)
		for _, member := range v.Members() {
			size += len(member.Name) + len(`"":`) + member.Value.Size()
		}
		return size
	default:
		return len(v.text)
	}
}
