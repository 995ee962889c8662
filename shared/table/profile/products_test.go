package profile

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/dialect"
)

// TestProducts looks for names among products that a map has too: those that
// count up, in any order, some of them twice.
func TestProducts(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs beside it, and it is slow under the race detector")
	}
	random := rand.New(rand.NewPCG(1, 2))
	var p products
	table := &Handed{}
	if p.number(table, nil, dialect.Record{}); p.kept < productBytes {
		t.Errorf("a product counts for %d bytes", p.kept)
	}
	for range 999 {
		p.all = append(p.all, &Product{})
	}
	want, long := map[string]*Product{}, strings.Repeat("x", 100)
	for i := range 200_000 {
		name := fmt.Sprint("S", i)
		if i%3 == 0 {
			name = fmt.Sprint("id:", random.IntN(100_000))
		}
		if i%10 < 4 { // more than one behind the other
			name += long
		}
		number := uint32(random.IntN(len(p.all)))
		p.add([]byte(name), number)
		if want[name] == nil {
			want[name] = p.all[number]
		}
		if i%1000 == 0 {
			p.insertFresh()
		}
	}
	p.insertFresh()
	for i := range 300_000 {
		for _, name := range []string{fmt.Sprint("S", i), fmt.Sprint("S", i, long), fmt.Sprint("id:", i), fmt.Sprint("id:", random.IntN(100_000))} {
			if got := p.find([]byte(name)); got != want[name] {
				t.Fatalf("%s: %p, want %p", name, got, want[name])
			}
		}
	}
	for !p.full {
		p.add(fmt.Append(nil, "more ", p.kept), 0)
	}
	if p.kept < familyBytes || p.find([]byte("")) != nil {
		t.Errorf("full with %d bytes", p.kept)
	}
}
