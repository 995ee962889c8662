package fold

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNearest(t *testing.T) {
	long64 := strings.Repeat("l", maxCompared-1) // and a letter: as long as is compared
	shop := []string{"fitness", "Fitness Equipment", "yoga", "Clothing > Hoodies", "Clothing > T-Shirts", "Größe", "tea", "", "Bücher", long64 + "y", long64 + "yy", "<", "abcdefghi", "abcdefgxx", "T.V.", "M9 coat", "Rain coats", "rain_coats"}
	for _, test := range []struct {
		wanted string
		want   []string
	}{
		{"Fitness", []string{"fitness", "Fitness Equipment"}},
		{" fitness ", []string{"fitness", "Fitness Equipment"}},
		{"fitnes", []string{"fitness"}},
		{"Fitness  equipment", []string{"Fitness Equipment", "fitness"}},
		{"Hoodies", []string{"Clothing > Hoodies"}},
		{"TShirts", []string{}},
		{"Gro\u0308\u00dfe", []string{"Größe"}},
		{"bücher", []string{"Bücher"}},
		{"tee", []string{"tea"}},
		{"gardening", []string{}},
		{"", []string{}},
		{">", []string{}},
		{"abcdefghj", []string{"abcdefghi", "abcdefgxx"}},
		{"TV", []string{"T.V."}},
		{"yogaaa", []string{"yoga"}},
		{"yogaaaa", []string{}},
		{long64 + "x", []string{long64 + "y"}},
		{long64 + "xx", []string{}},
		{"M5", []string{}},
		{"Rain_coats", []string{"rain_coats", "Rain coats"}},
		{"clothing > hoodie", []string{"Clothing > Hoodies"}},
	} {
		n := NewNearest(Names, []string{test.wanted})
		for _, name := range shop {
			n.Add(name)
		}
		if diff := cmp.Diff(test.want, n.Of(test.wanted)); diff != "" {
			t.Errorf("nearest to %q (-want +got):\n%s", test.wanted, diff)
		}
	}
}

// A name that differs in nothing but its form is found in a table of any size.
func TestNearestKeepsWhatIsWanted(t *testing.T) {
	n := NewNearest(Names, []string{"SKU-7", "a"})
	for i := range maxSeen {
		n.Add(fmt.Sprintf("x%06d", i))
	}
	n.Add("y000000")
	n.Add("sku-7")
	if len(n.seen) != maxSeen+1 {
		t.Errorf("%d names are kept, want %d", len(n.seen), maxSeen+1)
	}
	if got := n.Of("SKU-7"); !slices.Equal(got, []string{"sku-7"}) {
		t.Errorf("nearest = %q", got)
	}
}

func TestNearestOfLongNames(t *testing.T) {
	long := strings.Repeat("long ", 100)
	n := NewNearest(Names, []string{long})
	n.Add(long + "x")
	n.Add(strings.ToUpper(long))
	if got := n.Of(long); len(got) != 2 || got[0] != strings.ToUpper(long) {
		t.Errorf("nearest = %.40q", got)
	}
}
