package strictjson

import (
	"slices"
	"strconv"
	"strings"
)

// ReadObject parses a document that is an object and gives it to read, which
// asks for the fields it knows. It returns every problem of text and shape;
// what was read must not be used unless there is none.
func ReadObject(data []byte, read func(*Object)) []Problem {
	value, problems := Parse(data)
	list := &List{problems: problems[:min(len(problems), MaxProblems)], more: len(problems) > MaxProblems}
	FieldOf(value, nil, list).Object(read)
	return list.Problems()
}

// Object reads the members of one object. Members that are never asked for are
// reported as unknown when reading ends.
type Object struct {
	members []Member
	path    *Path
	list    *List
	asked   []string
	lenient bool
}

// Required returns the field of that name. A missing or null one is a problem.
func (o *Object) Required(name string) Field {
	f := o.field(name)
	if f.missing() {
		f.Problem("is required")
		f.value = Value{}
	}
	return f
}

// Optional returns the field of that name. A missing or null one reads as not given.
func (o *Object) Optional(name string) Field {
	f := o.field(name)
	if f.missing() {
		f.value = Value{}
	}
	return f
}

// AllowUnknown keeps members that are never asked for from being a problem.
func (o *Object) AllowUnknown() { o.lenient = true }

func (o *Object) field(name string) Field {
	o.asked = append(o.asked, name)
	f := Field{
		value:  Value{kind: KindNull},
		parent: o.path,
		step:   step{name: name, index: named},
		list:   o.list,
	}
	for i := range o.members {
		if o.members[i].Name == name {
			f.value = o.members[i].Value
		}
	}
	return f
}

func (o *Object) reportUnknown() {
	for i := range o.members {
		if name := o.members[i].Name; !o.lenient && !slices.Contains(o.asked, name) {
			o.list.Add(o.path.Name(name), "is not a known field; known are %s", strings.Join(o.asked, ", "))
		}
	}
}

// Field is a value at its place in a document. Its reading methods report a
// value of another type as a problem and return ok false for it, as they do,
// without a problem, for an optional field that is not given.
type Field struct {
	value  Value
	parent *Path
	step   step
	list   *List
}

// FieldOf reads a value that is already parsed and stands at path, adding its problems to list.
func FieldOf(value Value, path *Path, list *List) Field {
	return Field{value: value, parent: path, step: here, list: list}
}

// Value returns the field's value, KindInvalid if it is not given.
func (f Field) Value() Value { return f.value }

// Given reports whether there is a value to read, of whatever type.
func (f Field) Given() bool { return f.value.kind != KindInvalid }

// Path returns the field's place.
func (f Field) Path() *Path {
	if f.step == here {
		return f.parent
	}
	return &Path{parent: f.parent, step: f.step}
}

// Problem notes a problem with this field.
func (f Field) Problem(format string, args ...any) {
	f.list.Add(f.Path(), format, args...)
}

func (f Field) missing() bool { return f.value.kind == KindNull }

func (f Field) is(kind Kind) bool {
	if f.value.kind == kind {
		return true
	}
	switch path := f.Path(); {
	case !f.Given():
	case path == nil:
		f.Problem("the document must be %s, but is %s", kind, f.value.kind)
	default:
		f.Problem("must be %s, but is %s", kind, f.value.kind)
	}
	return false
}

// String reads a string.
func (f Field) String() (text string, ok bool) {
	if !f.is(KindString) {
		return "", false
	}
	return f.value.text, true
}

// Bool reads a boolean.
func (f Field) Bool() (value, ok bool) {
	if !f.is(KindBool) {
		return false, false
	}
	return f.value.text == "true", true
}

// Number reads a number as it is written.
func (f Field) Number() (text string, ok bool) {
	if !f.is(KindNumber) {
		return "", false
	}
	return f.value.text, true
}

// Int reads a whole number between least and most. 2.0 is 2; an exponent is refused.
func (f Field) Int(least, most int) (n int, ok bool) {
	if !f.is(KindNumber) {
		return 0, false
	}
	whole, fraction, _ := strings.Cut(f.value.text, ".")
	n, err := strconv.Atoi(whole)
	if err != nil || strings.Trim(fraction, "0") != "" || n < least || n > most {
		f.Problem("must be a whole number from %d to %d, but is %s", least, most, Shorten(f.value.text))
		return 0, false
	}
	return n, true
}

// Object gives the object to read, and reports the members it did not ask for.
func (f Field) Object(read func(*Object)) (ok bool) {
	if !f.is(KindObject) {
		return false
	}
	members := f.value.Members()
	o := &Object{members: members, path: f.Path(), list: f.list, asked: make([]string, 0, len(members)+few)}
	read(o)
	o.reportUnknown()
	return true
}

// Array gives each value of an array to read, in order.
func (f Field) Array(read func(i int, item Field)) (ok bool) {
	if !f.is(KindArray) {
		return false
	}
	path := f.Path()
	for i, item := range f.value.Items() {
		read(i, Field{value: item, parent: path, step: step{index: i}, list: f.list})
	}
	return true
}

// Strings reads an array of strings: nil when it is not given, and otherwise never nil.
func (f Field) Strings() (texts []string, ok bool) {
	if f.value.kind == KindArray {
		texts = make([]string, 0, len(f.value.Items()))
	}
	ok = f.Array(func(_ int, item Field) {
		text, _ := item.String()
		texts = append(texts, text)
	})
	return texts, ok
}
