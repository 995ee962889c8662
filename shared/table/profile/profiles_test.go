package profile

import (
	"slices"
	"strings"
	"testing"
)

// columnTitles returns the titles of every column that a profile reads.
func (p Profile) columnTitles() []Titles {
	all := append(slices.Clone(p.Signature), p.Identity...)
	all = append(all, p.SKU, p.Price)
	for _, c := range p.Categories {
		all = append(all, c.Titles)
	}
	for _, s := range p.Stock {
		all = append(all, s.Titles)
	}
	for _, r := range p.rows() {
		all = append(all, r.Titles)
	}
	if i := p.Inheritance; i != nil {
		all = append(all, i.Above, i.Parent, i.Same)
		for _, key := range i.Keys {
			all = append(all, key.Titles)
		}
		all = append(all, i.Children)
	}
	return all
}

// rows returns the kinds of rows that a profile tells apart.
func (p Profile) rows() []Rows {
	var all []Rows
	add := func(r *Rows) {
		if r != nil {
			all = append(all, *r)
		}
	}
	add(p.Skip)
	for _, s := range p.Stock {
		add(s.Untracked)
	}
	if p.Inheritance != nil {
		add(p.Inheritance.Below)
		add(p.Inheritance.Childless)
	}
	return all
}

// TestProfileTitles: no title is there twice, has blanks around it, or is the
// beginning of another's that would never be looked at.
func TestProfileTitles(t *testing.T) {
	for _, p := range Profiles() {
		for _, titles := range p.columnTitles() {
			for i, title := range titles {
				stem, begins := strings.CutSuffix(title, "*")
				if strings.TrimSpace(stem) == "" || stem != strings.TrimLeft(title, " ") && !begins {
					t.Errorf("%s: %q is no title", p.Name, title)
				}
				if begins && i != len(titles)-1 {
					t.Errorf("%s: %q must be the last of %q", p.Name, title, titles)
				}
				if slices.ContainsFunc(titles[:i], func(other string) bool { return SameTitle(other, title) }) {
					t.Errorf("%s: %q is there twice", p.Name, title)
				}
			}
		}
	}
}

// TestProfileWords: words are compared in lower case and without blanks around
// them, so that is how they are written; and what a column is given is a word
// that it has.
func TestProfileWords(t *testing.T) {
	for _, p := range Profiles() {
		var words []string
		for _, r := range p.rows() {
			if len(r.Words) == 0 || len(r.Titles) == 0 {
				t.Errorf("%s: rows %+v: a column and its words", p.Name, r)
			}
			words = append(words, r.Words...)
		}
		for _, s := range p.Stock {
			for word, in := range s.Words {
				words = append(words, word)
				if !s.Quantity && (s.In == "" || s.Out == "") {
					t.Errorf("%s: %q is %v: what is written over it?", p.Name, word, in)
				}
			}
			if len(s.Words) == 0 && (s.In != "" || s.Out != "") {
				t.Errorf("%s: a number is written over a quantity", p.Name)
			}
		}
		for _, word := range words {
			if word != strings.ToLower(strings.TrimSpace(word)) {
				t.Errorf("%s: %q is never met", p.Name, word)
			}
		}
	}
}
