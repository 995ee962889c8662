package buckettest

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/test/expect"
)

func testLarge(t *testing.T, s Subject) {
	heap := NewHeap()
	upload := s.create(t, "large.csv", bucket.CreateOptions{})
	sent := sha256.New()
	expect.NoError(t, expect.ErrorOf(io.Copy(io.MultiWriter(upload, sent, heap), randomBytes(s.Large))))
	object := expect.Result(upload.Commit())(t)
	r, _, err := s.Bucket.Open(t.Context(), object.Name, object.Generation)
	expect.NoError(t, err)
	defer r.Close()
	received := sha256.New()
	n, err := io.Copy(io.MultiWriter(received, heap), r)
	if err != nil || n != s.Large || object.Size != s.Large {
		t.Fatalf("read %d of %d bytes, %v", n, s.Large, err)
	}
	if a, b := hex.EncodeToString(sent.Sum(nil)), hex.EncodeToString(received.Sum(nil)); a != b {
		t.Errorf("SHA-256 %s came back as %s", a, b)
	}
	if s.LargeHeap > 0 && heap.Growth() > s.LargeHeap {
		t.Errorf("the heap grew by %d bytes, at most %d are allowed", heap.Growth(), s.LargeHeap)
	}
}

func randomBytes(size int64) io.Reader {
	return io.LimitReader(rand.NewChaCha8([32]byte{1}), size)
}

// Heap is a writer that watches how large the heap is as bytes pass.
type Heap struct {
	start, highest uint64
	passed         int
}

// NewHeap begins to watch.
func NewHeap() *Heap {
	debug.SetGCPercent(100) // the usual one, whatever the tests run with
	runtime.GC()
	start := heapInUse()
	return &Heap{start: start, highest: start}
}

// Write looks at the heap once a mebibyte. It never fails.
func (h *Heap) Write(p []byte) (int, error) {
	if h.passed += len(p); h.passed >= 1<<20 {
		h.passed, h.highest = 0, max(h.highest, heapInUse())
	}
	return len(p), nil
}

// Growth is by how many bytes the heap has exceeded its size at the start.
func (h *Heap) Growth() int64 { return int64(h.highest - h.start) }

func heapInUse() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
