package scan

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// ways are those to scan: the best of this machine, and others that it has.
var ways = map[string]func(text []byte, starts []uint32, base int, q *quoting) int{"scan": scan, "scanWords": scanWords}

// TestScan compares every way to scan with one byte by byte.
func TestScan(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 10_000 {
		of := []marked{{',', '\n', '\r', '"'}, {';', '\n', '\r', '"'}, {'\t', '\r', 0, '"'}, {'|', '\n', '\r', 0}}[i%4]
		text := make([]byte, (1+random.IntN(4))*stride)
		kinds := (string(of.delimiter) + "\n\r\"a\x00\x01-+!\x0b\x0c\x0e#\x8d\xac")[:3+random.IntN(14)]
		for i := range text {
			text[i] = kinds[random.IntN(len(kinds))]
			if random.IntN(2) == 0 {
				text[i] = 'a' + byte(random.IntN(26))
			}
		}
		before := quoting{marked: of, start: random.Uint64() % 2, closed: random.Uint64() % 2, returned: random.Uint64() % 2, records: random.IntN(9)}
		if random.IntN(2) == 0 {
			before = quoting{marked: of, inside: ^uint64(0)}
		}
		want := before
		wantStarts := scanPlainly(text, 7, &want)
		for name, scan := range ways {
			starts, got := make([]uint32, len(text)+scanSlack), before
			starts = starts[:scan(text, starts, 7, &got)]
			got.faults, got.beyond = min(got.faults, 1), min(got.beyond, 1)
			if !slices.Equal(starts, wantStarts) || got != want {
				t.Fatalf("%s(%q) from %+v: %d and %+v, want %d and %+v", name, text, before, starts, got, wantStarts, want)
			}
		}
	}
}

// scanPlainly scans one byte after the other. Any fault is a 1.
func scanPlainly(text []byte, base int, q *quoting) (starts []uint32) {
	bit := map[bool]uint64{true: 1}
	for i, b := range text {
		q.beyond |= uint64(b >> 7)
		inside := q.inside != 0
		quoted := inside != (b == q.quote) // an opening quote is, a closing one is not
		opens, closes := b == q.quote && quoted, b == q.quote && !quoted
		delimits, returns := (b == q.delimiter || b == q.lineEnd) && !quoted, b == q.before && !quoted
		if b == 0 || opens && q.start == 0 || q.closed == 1 && !delimits && !returns && !opens || q.returned == 1 && (!delimits || b != q.lineEnd) {
			q.faults = 1
		}
		if delimits {
			starts = append(starts, uint32(base+i+1))
			q.records += int(bit[b == q.lineEnd])
		}
		q.inside, q.start, q.closed, q.returned = -bit[quoted], bit[delimits || closes], bit[closes], bit[returns]
	}
	return starts
}
