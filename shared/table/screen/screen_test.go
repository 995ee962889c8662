package screen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/scan"
)

// ways are those to screen that the machine has beside the best.
var ways = map[string]func(s *Screen, block []byte, starts []uint32, notable []uint32) int{
	"words": func(s *Screen, block []byte, starts []uint32, notable []uint32) int {
		return s.rows(block, starts, 0, (len(starts)-1)*startBytes/int(s.record), notable)
	},
}

// TestVectors screens random blocks with any number of columns of each kind:
// vectors and words let the rows pass that their text says. The blocks are at the end of what
// is allocated for them, with the padding that they must have and no more.
func TestVectors(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	cells := []string{"", "", "A", "A101", "fitness", "Fitness", "FITNESS", "fitness ", " fitness", "a name that ends so ", "x\v", "true", "false", "YES", "0", "1", "12.50", "12,50", "1234567", "99999999", "999999999", ".5", "5.", "$12.50", "$", "$ 5", "12.50 AED", " AED", "Bs. 7", "Bs. 12345678 AED", "Bs. 123456789 AED", "$1€ krs", "$12 AED", "=x", "-5", "Ü", "a name that is rather long", `"quoted"`, strings.Repeat("n", 513)}
	passed := 0
	for range 20_000 {
		fields := 2 + random.IntN(8)
		lineEnd := pick("\n", "\n", "\r")
		held := NewBloom([]int{2, 2000}[random.IntN(2)])
		held.Add("fitness")
		held.Add("A101")
		var names []Name
		for range random.IntN(4) {
			names = append(names, Name{random.IntN(fields), []*Bloom{nil, &held}[random.IntN(2)]})
		}
		var numbers []Number
		for range random.IntN(4) {
			numbers = append(numbers, Number{random.IntN(fields), []byte{'.', ',', 0}[random.IntN(3)], pick("", "", "$", "Bs. "), pick("", "", " AED", "€ krs")})
		}
		var words []int
		for range random.IntN(3) {
			words = append(words, random.IntN(fields))
		}
		s := New(fields, lineEnd[0], names, numbers, words)
		skipped := map[bool]bool{}
		for range random.IntN(3) {
			inStock := random.IntN(2) == 0
			skipped[inStock] = true
			s.Skip(inStock)
		}
		usual := make([]string, fields)
		for i := range usual {
			usual[i] = pick(cells...)
		}
		var text strings.Builder
		var rows [][]string
		var ends []string
		many := 256 * (random.IntN(200) / 199) // more than a byte counts
		for range 1 + random.IntN(20) + many {
			row := slices.Clone(usual)
			for range random.IntN(3) {
				row[random.IntN(fields)] = pick(cells...)
			}
			end := lineEnd
			if lineEnd == "\n" && random.IntN(4) == 0 {
				end = "\r\n"
			}
			text.WriteString(strings.Join(row, ";") + end)
			rows, ends = append(rows, row), append(ends, end)
		}
		block := append([]byte(text.String()), lineEnd...)
		block = slices.Clip(append(block, strings.Repeat(" ", scan.Padding+cell.WordBytes)...))
		index := scan.Index{Fields: fields, Delimiter: ';', LineEnd: lineEnd[0], Quote: '"'}
		if !index.Read(block, text.Len()) {
			t.Fatalf("%q is not in order", text.String())
		}
		var want []uint32
		for i, row := range rows {
			if ends[i] != ends[0] || !plainly(row, ends[i], index.ASCII, names, numbers, words, skipped) {
				want = append(want, uint32(i))
			}
		}
		if got := s.Rows(nil, block, index.Starts, index.ASCII); !slices.Equal(got, want) {
			t.Fatalf("%q, names %+v, numbers %+v, words %v: %d, want %d", text.String(), names, numbers, words, got, want)
		}
		for name, rowsOf := range ways {
			got := make([]uint32, len(rows)+slack)
			if got = got[:rowsOf(s, block, index.Starts, got)]; !slices.Equal(got, want) {
				t.Fatalf("%q, names %+v, numbers %+v, words %v: %s %d, want %d", text.String(), names, numbers, words, name, got, want)
			}
		}
		passed += len(rows) - len(want)
	}
	if passed < 10_000 {
		t.Errorf("%d rows passed", passed)
	}
}

// plainly reads from a row's text whether it passes.
func plainly(row []string, end string, ascii bool, names []Name, numbers []Number, words []int, skipped map[bool]bool) bool {
	named := false
	for _, n := range names {
		text := row[n.Column]
		if len(text) > cell.MaxNameBytes || !ascii && (len(text) > 2*cell.WordBytes || strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })) {
			return false
		}
		if strings.Contains("=\"\r \v\f", (strings.Join(row[n.Column:], ";") + end)[:1]) { // of an empty cell, what is behind it
			return false
		}
		if n.Held != nil && strings.TrimRight(text, " \v") != text {
			return false
		}
		named = named || n.Held != nil && (strings.EqualFold(text, "fitness") || text == "A101" || n.Held.MayHold(cell.Block(text)))
	}
	for _, n := range numbers {
		text, before := strings.CutPrefix(row[n.Column], n.Prefix)
		text, behind := strings.CutSuffix(text, n.Suffix)
		whole, fraction, marked := strings.Cut(text, string(n.Point))
		if !before || !behind || len(text) > cell.WordBytes || whole == "" || marked && fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" {
			return false
		}
	}
	for _, column := range words {
		inStock, known := cell.StockWords[strings.ToLower(row[column])]
		if !known {
			return false
		}
		named = named && !skipped[inStock]
	}
	return !named
}

// TestNumberedNames: of names that differ in their numbers alone, as SKUs do, few
// are taken for those held.
func TestNumberedNames(t *testing.T) {
	const held, step = 40_000, 37
	for _, form := range []string{"S%d", "%d", "SHED-%06d", "AB-%d-M"} {
		filter, taken := NewBloom(held), 0
		for i := range held {
			filter.Add(fmt.Sprintf(form, i*step))
		}
		for i := range held * step {
			block, name := cell.Block(fmt.Sprintf(form, i))
			if i%step != 0 && filter.MayHold(block, name) {
				taken++
			}
		}
		if share := float64(taken) / (held * step); share > 0.05 {
			t.Errorf("%s: %.0f%% of other names are taken for those held, more than 5%%", form, 100*share)
		}
	}
}
