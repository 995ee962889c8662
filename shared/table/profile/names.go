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
		for _, entry := range c.split(cell, c.List[i:min(i+1, len(c.List))]) {
			give(c.unescape(entry))
			for _, segment := range c.split(entry, c.Path) {
				give(c.unescape(segment))
			}
		}
	}
}

// Parts calls yield with each of the smallest names that a cell gives: those of its
// list, and of their paths the segments. A name may be given more than once; empty
// ones are not.
func (c *NameColumn) Parts(cell string, yield func(name string)) {
	parts := []string{cell}
	for _, separator := range append(strings.Split(c.List, ""), c.Path) {
		if separator == "" {
			continue
		}
		var smaller []string
		for _, part := range parts {
			smaller = append(smaller, c.split(part, separator)...)
		}
		parts = smaller
	}
	for _, part := range parts {
		if name := c.unescape(part); name != "" {
			yield(name)
		}
	}
}

// split parts a text at a separator that is not escaped. Blanks around the
// parts are not theirs.
func (c *NameColumn) split(text, separator string) []string {
	if separator == "" {
		return []string{strings.TrimSpace(text)}
	}
	var parts []string
	part := ""
	for {
		before, behind, found := strings.Cut(text, separator)
		part += before
		if found && c.Escape != "" && strings.HasSuffix(before, c.Escape) {
			part, text = part+separator, behind
			continue
		}
		parts = append(parts, strings.TrimSpace(part))
		if !found {
			return parts
		}
		part, text = "", behind
	}
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
