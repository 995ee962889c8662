package reader

import (
	"fmt"
	"slices"
)

// assumed says which words of a meaning were read as others.
func (t *text) assumed(m *meaning) []string {
	var notes []string
	tell := func(from, to int, meant string) {
		notes = append(notes, fmt.Sprintf("Read %q as %q.", t.source(from, to), meant))
	}
	used := t.used(m)
	for _, p := range t.passedOver {
		within := slices.ContainsFunc(
			t.passedOver,
			func(other piece) bool { return other != p && other.from <= p.from && p.end <= other.end },
		)
		if !within &&
			!slices.ContainsFunc(used[p.from:p.end], func(leaf *meaning) bool { return leaf != nil }) {
			notes = append(notes, "Passed over "+quote(t.source(p.from, p.end))+".")
		}
	}
	for i, leaf := range used {
		switch {
		case leaf == nil:
			for _, e := range t.edges[i] {
				if e.meaning.mended == i+1 && slices.Contains(t.skips[i], hop{piece{i, e.end}, 0}) {
					tell(i, i+1, e.meaning.meant)
					break
				}
			}
		case leaf.sets != nil && (leaf.symbol == "NAME" || leaf.symbol == "TRAIT") && leaf.from == i &&
			leaf.guess == "" && (leaf.sets[0].of[phrase] != nil || leaf.mended == 0):
			if leaf.meant != "" {
				tell(i, leaf.to, leaf.meant)
			}
			if also := t.known.others(leaf.sets[0]); also != "" {
				notes = append(notes, also)
			}
		case leaf.guess != "" && leaf.from == i:
			notes = append(notes, "Read "+quote(t.source(i, leaf.to))+" as "+leaf.guess+".")
		case leaf.mended == i+1:
			tell(i, i+1, leaf.meant)
		case leaf.meant != "" && leaf.mended == 0 && leaf.from == i:
			tell(i, leaf.to, leaf.meant)
		}
	}
	return notes
}

// eachLeaf calls for each phrase of the lexicon, number and name that a meaning is of.
func (m *meaning) eachLeaf(do func(*meaning)) {
	if len(m.parts) == 0 {
		do(m)
	}
	for _, part := range m.parts {
		part.eachLeaf(do)
	}
}
