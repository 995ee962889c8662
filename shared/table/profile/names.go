package profile

import (
	"strings"
)

// Plain reports whether a cell of the column is one name as it stands.
func (c *NameColumn) Plain() bool { return c.List == "" && c.Path == "" }

// Names calls yield with each name that a cell gives: the whole cell, each
// entry of its list, and each segment of an entry's path. A name may be given
// more than once; empty ones are not.
func (c *NameColumn) Names(cell string, yield func(name string)) {
	give := func(name string) {
		if name != "" {
			yield(name)
		}
	}
	give(cell)
	if c.Plain() {
		return
	}
	for i := range max(1, len(c.List)) {
		c.split(cell, c.List[i:min(i+1, len(c.List))], func(entry string) {
			give(c.unescape(entry))
			c.split(entry, c.Path, func(segment string) { give(c.unescape(segment)) })
		})
	}
}

// Parts calls yield with each of the smallest names that a cell gives: those of its
// list, and of their paths the segments. A name may be given more than once; empty
// ones are not.
func (c *NameColumn) Parts(cell string, yield func(name string)) { c.parts(cell, c.List, yield) }

// parts parts a text at the separators of a list, then at the path's.
func (c *NameColumn) parts(text, list string, yield func(name string)) {
	if list != "" {
		c.split(text, list[:1], func(part string) { c.parts(part, list[1:], yield) })
		return
	}
	if c.Path == "" {
		if name := c.unescape(text); name != "" {
			yield(name)
		}
		return
	}
	c.split(text, c.Path, func(part string) {
		if name := c.unescape(part); name != "" {
			yield(name)
		}
	})
}

// split parts a text at a separator that is not escaped. Blanks around the
// parts are not theirs.
func (c *NameColumn) split(text, separator string, yield func(part string)) {
	for from := 0; separator != ""; {
		at := strings.Index(text[from:], separator)
		if at < 0 {
			break
		}
		if before := text[from : from+at]; c.Escape != "" && strings.HasSuffix(before, c.Escape) {
			from += at + len(separator)
			continue
		}
		yield(strings.TrimSpace(text[:from+at]))
		text, from = text[from+at+len(separator):], 0
	}
	yield(strings.TrimSpace(text))
}

func (c *NameColumn) unescape(name string) string {
	if c.Escape == "" {
		return name
	}
	for _, separator := range []string{c.List, c.Path} {
		if separator != "" {
			name = strings.ReplaceAll(name, c.Escape+separator, separator)
		}
	}
	return name
}

// form says the form to people.
func (c *NameColumn) Form() string {
	switch {
	case c.Plain():
		return "name"
	case c.Path == "":
		return "list (" + c.List + ")"
	case c.List == "":
		return "path (" + c.Path + ")"
	default:
		return "list (" + c.List + ") of paths (" + c.Path + ")"
	}
}
