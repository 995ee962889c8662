package strictjson

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Path says where in a document something is. The nil *Path is the document
// itself. Paths are never changed, so one may be the start of many.
type Path struct {
	parent *Path
	step   step
}

// step is an array index, or a member's name where index is named.
type step struct {
	name  string
	index int
}

const named = -1

// here is the step to no member: the object itself, between its members.
var here = step{index: -2}

// Name returns the path of the member of that name.
func (p *Path) Name(name string) *Path {
	return &Path{parent: p, step: step{name: name, index: named}}
}

// Index returns the path of the array's i-th value, counted from 0.
func (p *Path) Index(i int) *Path { return &Path{parent: p, step: step{index: i}} }

// String returns the path as people read it: operations[1].filter.price_gte.
// A name that is no plain word is quoted, and shortened if it is long: ["max price"].
func (p *Path) String() string { return string(p.appendTo(nil)) }

func (p *Path) appendTo(dst []byte) []byte {
	if p == nil {
		return dst
	}
	return p.step.appendTo(p.parent.appendTo(dst))
}

func (s step) appendTo(dst []byte) []byte {
	switch {
	case s == here:
		return dst
	case s.index >= 0:
		dst = append(dst, '[')
		dst = strconv.AppendInt(dst, int64(s.index), 10)
		return append(dst, ']')
	case !plainWord(s.name):
		dst = append(dst, '[')
		dst = append(dst, Quote(s.name)...)
		return append(dst, ']')
	case len(dst) > 0:
		dst = append(dst, '.')
	}
	return append(dst, s.name...)
}

const maxQuoted = 60 // bytes of foreign text shown in a message

func plainWord(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	return name != "" && len(name) <= maxQuoted && strings.Trim(name, letters+"0123456789-$") == "" &&
		strings.ContainsAny(name[:1], letters+"$")
}

// Quote returns foreign text for a message: in quotes, on one line, without
// control or invisible characters, and shortened as Shorten does.
func Quote(text string) string { return strconv.Quote(Shorten(text)) }

// Shorten returns text, or its first 60 bytes or so and an ellipsis.
func Shorten(text string) string {
	if len(text) <= maxQuoted {
		return text
	}
	end := maxQuoted
	for end > maxQuoted-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}
