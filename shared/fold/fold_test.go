package fold

import (
	"fmt"
	"slices"
	"testing"
)

// TestFold: names of one line are one, and those of different lines are not.
func TestFold(t *testing.T) {
	for kind, lines := range map[Kind][][]string{
		Names: {
			{"Men's", "Men’s", "men‘s", "MEN`S", "Men&#39;s", "Men´s", "Ｍen's"},
			{"Mens"},
			{"T-Shirts", "T‑Shirts", "T–Shirts", "T−Shirts", "Т-Shirts", "T-Shirtѕ"},
			{"T Shirts", "T  Shirts", "T\u00a0Shirts", " T \tShirts ", "T\u2009Shirts"},
			{"TShirts", "T\u00adShirts", "T\u200bShirts"},
			{"Kids & Toys", "Kids &amp; Toys", "Kids and Toys", "Kids&Toys", "KIDS  AND TOYS", "Kids &amp;amp; Toys", "Kids ＆ Toys"},
			{"Kids Toys"},
			{"Candy Toys"},
			{"5' hose", "5′ hose"},
			{`5" hose`, "5″ hose", "5” hose", "5&quot; hose"},
			{"5 μm filter"},
			{"5 mm filter"},
			{"Café", "Cafe\u0301", "CAFÉ", "Cаfé"},
			{"Cafe", "Саfе"},
			{"Straße", "STRASSE", "strasse"},
			{"ТЕНТ", "тент"},
			{"ΝΕΑ", "νεα"},
			{"007"},
			{"7"},
			{"", "  "},
		},
		SKUs: {
			{"007", "7", " 07", "0000000000007"},
			{"A-1", "A‑1", "a–1", "А-1"},
			{"A1"}, {"0", "000"}, {"00A", "00a", "0a"},
			{"0042-RED", "42-red"},
		},
	} {
		for i, line := range lines {
			for _, name := range line {
				if got, want := kind.Fold(name), kind.Fold(line[0]); got != want {
					t.Errorf("%+q folds to %+q, and %+q to %+q", name, got, line[0], want)
				}
				for _, other := range lines[:i] {
					if kind.Fold(name) == kind.Fold(other[0]) {
						t.Errorf("%+q folds as %+q does", name, other[0])
					}
				}
				if folded := kind.Fold(name); kind.Fold(folded) != folded {
					t.Errorf("%+q folds to %+q, which is none", name, folded)
				}
			}
		}
	}
}

// TestSpellings: all spellings of a name fold together, and the usual ones are among them.
func TestSpellings(t *testing.T) {
	for _, test := range []struct {
		kind Kind
		name string
		has  []string
	}{
		{Names, "Kids & Toys", []string{"kids and toys", "kids & toys", "kids&toys", "kids &amp; toys"}},
		{Names, "and more", []string{"& more", "and more"}},
		{Names, "Men's big  shirts", []string{"men's big  shirts", "men&#39;s big shirts", "men's big shirts"}},
		{Names, "a b c d e & f's g h i", []string{"a  b c d e and f's g h i", "a b c d e &amp; f's g h i", "a  b  c  d  e & f&#39;s  g  h  i"}},
		{Names, `Johnson & Johnson's big "best" of a`, []string{`johnson &amp; johnson&#039;s big &quot;best&quot; of a`, `johnson & johnson's big "best"  of a`}},
		{SKUs, "007", []string{"7", "07", "007", "00000000000007"}},
		{SKUs, "A-1", []string{"a-1"}},
		{Names, "Café", nil},
	} {
		t.Run(fmt.Sprint(test.name), func(t *testing.T) {
			var all []string
			folded := test.kind.Fold(test.name)
			test.kind.Spellings(folded, func(spelling string) {
				if all = append(all, spelling); test.kind.Fold(spelling) != folded {
					t.Errorf("%q folds to %q", spelling, test.kind.Fold(spelling))
				}
			})
			for _, spelling := range test.has {
				if !slices.Contains(all, spelling) {
					t.Errorf("%q is none of %q", spelling, all)
				}
			}
		})
	}
}

// TestAppendASCIITakesNoMemory: it is asked of names of a table row by row.
func TestAppendASCIITakesNoMemory(t *testing.T) {
	var room [64]byte
	name := []byte("Kids & Toys")
	if allocs := testing.AllocsPerRun(100, func() { Names.AppendASCII(room[:0], name) }); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestDisguised: letters that are taken for Latin ones are named by their script, each once.
func TestDisguised(t *testing.T) {
	for name, want := range map[string]string{
		"Cable": "", "Café": "", "Straße": "", "День": "Cyrillic е, Cyrillic н",
		"\u0421able": "Cyrillic \u0421", "C\u0430b\u0430": "Cyrillic \u0430", "c\u03b1ble": "Greek \u03b1", "d\u0131y": "U+0131 \u0131",
	} {
		if got := Disguised(name); got != want {
			t.Errorf("%+q: %q, want %q", name, got, want)
		}
	}
}
