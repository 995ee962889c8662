package tablestore

import (
	"bytes"
	"context"
	"io"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// store is a bucket whose objects are so many bytes of their generation. It counts how
// often it is read.
type store struct {
	bucket.Store
	mu    sync.Mutex
	reads map[int64]int
	begun chan struct{} // closed once a read has begun; nil: nobody waits for that
	wait  chan struct{} // a read waits for it; nil: it does not
	cut   bool          // reads end early
}

func (s *store) Open(_ context.Context, _ string, generation int64) (io.ReadCloser, bucket.Object, error) {
	s.mu.Lock()
	s.reads[generation]++
	s.mu.Unlock()
	text := bytes.Repeat([]byte{byte(generation)}, 10)
	if s.cut {
		text = text[:4]
	}
	var in io.Reader = iotest.OneByteReader(bytes.NewReader(text))
	if s.wait != nil {
		close(s.begun)
		in = io.MultiReader(waiting{s.wait}, in)
	}
	return io.NopCloser(in), bucket.Object{}, nil
}

type waiting struct{ until chan struct{} }

func (w waiting) Read([]byte) (int, error) {
	<-w.until
	return 0, io.EOF
}

func objectOf(generation int64) bucket.Object {
	return bucket.Object{Name: "table", Generation: generation, Size: 10}
}

// readAll opens an object and reads it.
func readAll(t *testing.T, m *memory, s *store, generation int64) {
	t.Helper()
	in, err := m.open(t.Context(), s, objectOf(generation))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if text, err := io.ReadAll(in); err != nil || !bytes.Equal(text, bytes.Repeat([]byte{byte(generation)}, 10)) {
		t.Errorf("%d: %q, %v", generation, text, err)
	}
}

// The table that was not opened for the longest time goes, and never more is kept than
// there is room for.
func TestMemoryKeepsWhatWasOpenedLately(t *testing.T) {
	s, m := &store{reads: map[int64]int{}}, newMemory(25)
	for _, generation := range []int64{1, 2, 1, 3, 1, 2} {
		readAll(t, m, s, generation)
		if m.held > 25 || m.held != int64(10*m.tables.Len()) {
			t.Errorf("%d bytes are kept in %d tables", m.held, m.tables.Len())
		}
	}
	if s.reads[1] != 1 || s.reads[2] != 2 || s.reads[3] != 1 {
		t.Errorf("read %v", s.reads)
	}
	m.drop(objectOf(1))
	if readAll(t, m, s, 1); s.reads[1] != 2 || m.held != 20 {
		t.Errorf("after it was dropped: read %v, %d bytes kept", s.reads, m.held)
	}
}

// A table above the bound is read from its bucket each time, and so is one while another
// is being read into memory.
func TestMemoryReadsAgainWhereThereIsNoRoom(t *testing.T) {
	s, m := &store{reads: map[int64]int{}}, newMemory(9)
	readAll(t, m, s, 1)
	readAll(t, m, s, 1)
	if s.reads[1] != 2 || m.held != 0 {
		t.Errorf("read %v, %d bytes kept", s.reads, m.held)
	}
	slow, m := &store{reads: map[int64]int{}, begun: make(chan struct{}), wait: make(chan struct{})}, newMemory(100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		readAll(t, m, slow, 1)
	}()
	<-slow.begun
	readAll(t, m, s, 2)
	close(slow.wait)
	<-done
	if m.held != 10 || s.reads[2] != 1 {
		t.Errorf("%d bytes kept, read %v", m.held, s.reads)
	}
}

// What is cut off is not kept.
func TestMemoryKeepsNoPartOfATable(t *testing.T) {
	s, m := &store{reads: map[int64]int{}, cut: true}, newMemory(100)
	if _, err := m.open(t.Context(), s, objectOf(1)); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("%v", err)
	}
	s.cut = false
	if readAll(t, m, s, 1); m.held != 10 || s.reads[1] != 2 {
		t.Errorf("%d bytes kept, read %v", m.held, s.reads)
	}
}
