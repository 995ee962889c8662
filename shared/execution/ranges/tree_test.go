package ranges

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
)

// The stretches of a table give the hash of its bytes, as it is computed of the
// whole, wherever it is cut between chunks and however the bytes come.
func TestStretchesGiveTheHashOfTheWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	sizes := []int{0, 3<<20 + 5}
	for power := 1; power <= 2<<20; power *= 2 {
		sizes = append(sizes, power-1, power, power+1)
	}
	for chunks := 1; chunks < 70; chunks++ {
		sizes = append(sizes, chunks*chunkBytes-1, chunks*chunkBytes, chunks*chunkBytes+1, random.IntN(4<<20))
	}
	text := make([]byte, 4<<20+1)
	for i := range text {
		text[i] = byte(random.Uint32())
	}
	for _, size := range sizes {
		whole := bucket.NewFingerprint()
		whole.Write(text[:size])
		for stretches := 1; stretches <= 9; stretches++ {
			cuts := []int{0, size}
			for range stretches - 1 {
				cuts = append(cuts, random.IntN(size/chunkBytes+1)*chunkBytes)
			}
			slices.Sort(cuts)
			cuts = slices.Compact(cuts)
			var all tree
			for i, from := range cuts[:max(len(cuts)-1, 1)] {
				all.join(hashed(t, random, text[from:cuts[min(i+1, len(cuts)-1)]], from))
			}
			if got := all.sum(); got != whole.BLAKE3() {
				t.Fatalf("%d bytes cut at %v: %s, want %s", size, cuts, got, whole.BLAKE3())
			}
		}
	}
}

// hashed is what a stretch adds, as it was stored.
func hashed(t *testing.T, random *rand.Rand, text []byte, from int) (stored Hashed) {
	t.Helper()
	h := newHasher(int64(from))
	for rest := text; len(rest) > 0; {
		n := min(1+random.IntN(100_000), len(rest))
		h.Write(rest[:n])
		rest = rest[n:]
	}
	data, err := json.Marshal(h.end())
	if err == nil {
		err = json.Unmarshal(data, &stored)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(stored.Before) > 2*13 || len(data) > 8<<10 {
		t.Errorf("%d bytes from %d on: %d subtrees, %d bytes", len(text), from, len(stored.Before)+1, len(data))
	}
	return stored
}

// A table is cut into equal stretches of whole chunks, of which the last may be
// shorter and the first has the header.
func TestCut(t *testing.T) {
	for _, size := range []int64{0, 1, 1023, 1024, 1025, 10_000, 1 << 20} {
		for _, body := range []int64{0, 1, min(900, size), min(5000, size)} {
			for n := 1; n < 12; n++ {
				all := cut(body, size, n)
				at := int64(0)
				for _, s := range all {
					if s.From != at || s.From%chunkBytes != 0 || s.To < s.From {
						t.Fatalf("%d bytes in %d stretches: %v", size, n, all)
					}
					at = s.To
				}
				chunks := (size + chunkBytes - 1) / chunkBytes
				each := max((chunks+int64(n)-1)/int64(n), 1)
				if body == 0 && all[0].To != min(each*chunkBytes, size) {
					t.Fatalf("%d chunks in %d stretches of %d: %v", chunks, n, each, all)
				}
				if at != size || len(all) > n || all[0].To < min(body, size) {
					t.Fatalf("%d bytes behind %d in %d stretches: %v", size, body, n, all)
				}
			}
		}
	}
}
