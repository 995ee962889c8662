package bucket_test

import (
	"hash/crc32"
	"math/rand/v2"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
)

// TestComposed cuts random bytes into parts: their digest is that of the whole.
func TestComposed(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		whole := make([]byte, random.IntN(5000))
		for i := range whole {
			whole[i] = byte(random.Uint32())
		}
		var parts []bucket.Object
		for rest := whole; len(rest) > 0; {
			size := random.IntN(len(rest) + 1)
			parts = append(parts, bucket.Object{Size: int64(size), CRC32C: crc32.Checksum(rest[:size], bucket.Castagnoli)})
			rest = rest[size:]
		}
		want := bucket.Digest{Size: int64(len(whole)), CRC32C: crc32.Checksum(whole, bucket.Castagnoli)}
		if got := bucket.Composed(parts); got != want {
			t.Fatalf("%d parts of %d bytes: %+v, want %+v", len(parts), len(whole), got, want)
		}
	}
}
