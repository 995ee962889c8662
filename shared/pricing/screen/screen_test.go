package screen

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/scan"
)

// TestVectors screens random blocks with any number of columns of each kind:
// vectors and words let the same rows pass. The blocks are at the end of what
// is allocated for them, with the padding that they must have and no more.
func TestVectors(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	cells := []string{"", "", "A", "A101", "fitness", "true", "false", "YES", "0", "1", "12.50", "12,50", "1234567", "99999999", "999999999", ".5", "5.", "$12.50", "$", "$ 5", "12.50 AED", " AED", "Bs. 7", "Bs. 12345678 AED", "Bs. 123456789 AED", "$1€ krs", "$12 AED", "=x", "-5", "Ü", "a name that is rather long", `"quoted"`, strings.Repeat("n", 513)}
	passed := 0
	for range 20_000 {
		fields := 2 + random.IntN(8)
		lineEnd := one("\n", "\n", "\r")
		held := NewBloom(2)
		held.Add("fitness")
		held.Add("A101")
		var names []Name
		for range random.IntN(4) {
			names = append(names, Name{random.IntN(fields), []*Bloom{nil, &held}[random.IntN(2)]})
		}
		var numbers []Number
		for range random.IntN(4) {
			numbers = append(numbers, Number{random.IntN(fields), []byte{'.', ',', 0}[random.IntN(3)], one("", "", "$", "Bs. "), one("", "", " AED", "€ krs")})
		}
		var words []int
		for range random.IntN(3) {
			words = append(words, random.IntN(fields))
		}
		s := New(fields, lineEnd[0], names, numbers, words)
		usual := make([]string, fields)
		for i := range usual {
			usual[i] = one(cells...)
		}
		var text strings.Builder
		for range 1 + random.IntN(20) {
			row := slices.Clone(usual)
			for range random.IntN(3) {
				row[random.IntN(fields)] = one(cells...)
			}
			end := lineEnd
			if lineEnd == "\n" && random.IntN(4) == 0 {
				end = "\r\n"
			}
			text.WriteString(strings.Join(row, ";") + end)
		}
		block := append([]byte(text.String()), lineEnd...)
		block = slices.Clip(append(block, strings.Repeat(" ", scan.Padding+cell.WordBytes)...))
		index := scan.Index{Fields: fields, Delimiter: ';', LineEnd: lineEnd[0], Quote: '"'}
		if !index.Read(block, text.Len()) {
			t.Fatalf("%q is not in order", text.String())
		}
		rows := (len(index.Starts) - 1) / fields
		s.expect(block, index.Starts, index.ASCII)
		want := make([]uint32, rows+slack)
		want = want[:s.rows(block, index.Starts, 0, rows, want)]
		got := s.Rows(nil, block, index.Starts, index.ASCII)
		if !slices.Equal(got, want) {
			t.Fatalf("%q, names %+v, numbers %+v, words %v: vectors %d, words %d", text.String(), names, numbers, words, got, want)
		}
		passed += rows - len(got)
	}
	if passed < 10_000 {
		t.Errorf("%d rows passed", passed)
	}
}
