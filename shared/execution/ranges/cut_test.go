package ranges

import (
	"testing"

	"github.com/planwright/planwright/shared/blake3"
)

// A table is cut into equal stretches of whole chunks, of which the last may be
// shorter and the first has the header.
func TestCut(t *testing.T) {
	for _, size := range []int64{0, 1, 1023, 1024, 1025, 10_000, 1 << 20} {
		for _, body := range []int64{0, 1, min(900, size), min(5000, size)} {
			for n := 1; n < 12; n++ {
				all := cut(body, size, n)
				at := int64(0)
				for _, s := range all {
					if s.From != at || s.From%blake3.ChunkBytes != 0 || s.To < s.From {
						t.Fatalf("%d bytes in %d stretches: %v", size, n, all)
					}
					at = s.To
				}
				chunks := (size + blake3.ChunkBytes - 1) / blake3.ChunkBytes
				each := max((chunks+int64(n)-1)/int64(n), 1)
				if body == 0 && all[0].To != min(each*blake3.ChunkBytes, size) {
					t.Fatalf("%d chunks in %d stretches of %d: %v", chunks, n, each, all)
				}
				if at != size || len(all) > n || all[0].To < min(body, size) {
					t.Fatalf("%d bytes behind %d in %d stretches: %v", size, body, n, all)
				}
			}
		}
	}
}
