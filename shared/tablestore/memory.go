package tablestore

import (
	"bytes"
	"context"
	"io"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plannerapi"
)

// memoryBytes bound the tables that one process keeps in memory, so that a table which
// somebody looks at again and again is read from its bucket once. One of more than half of
// them is never kept: it is too large to be previewed.
const memoryBytes = 64 << 20

// memory keeps the bytes of tables that were opened lately. Where there is no room, the
// table that was not opened for the longest time goes.
type memory struct {
	bound int64

	mu      sync.Mutex
	tables  *simplelru.LRU[generation, []byte]
	shown   *simplelru.LRU[overviewKey, plannerapi.StoredTable]
	held    int64 // bytes of the tables, with the one that is being read
	reading bool  // somebody is reading one: others read theirs from the bucket
}

// maxOverviews is of how many tables one process keeps what it found.
const maxOverviews = 64

// overviewKey is what is found in an object as it is read by settings.
type overviewKey struct {
	generation
	settings string
}

// generation is one object, whose bytes never change.
type generation struct {
	name   string
	number int64
}

func newMemory(bound int64) *memory {
	m := &memory{bound: bound}
	// a size above 0 is no error
	m.tables, _ = simplelru.NewLRU(1<<30, func(_ generation, text []byte) { m.held -= int64(len(text)) })
	m.shown, _ = simplelru.NewLRU[overviewKey, plannerapi.StoredTable](maxOverviews, nil)
	return m
}

// note keeps what was found.
func (m *memory) note(key overviewKey, shown plannerapi.StoredTable) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shown.Add(key, shown)
}

// found is what was found before, where it is kept.
func (m *memory) found(key overviewKey) (shown plannerapi.StoredTable, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shown.Get(key)
}

// open opens an object from memory, or from the bucket, after which it is in memory if it
// has room there.
func (m *memory) open(ctx context.Context, in bucket.Store, object bucket.Object) (io.ReadCloser, error) {
	key := generation{object.Name, object.Generation}
	text, keep := m.find(key, object.Size)
	if text != nil {
		return io.NopCloser(bytes.NewReader(text)), nil
	}
	stored, _, err := in.Open(ctx, object.Name, object.Generation)
	if err != nil || !keep {
		if keep {
			m.done(key, object.Size, nil)
		}
		return stored, err
	}
	defer stored.Close()
	text = make([]byte, object.Size)
	if _, err := io.ReadFull(stored, text); err != nil {
		m.done(key, object.Size, nil)
		return nil, readError(err)
	}
	m.done(key, object.Size, text)
	return io.NopCloser(bytes.NewReader(text)), nil
}

// readError is an error of the bucket, or says that the object ended early.
func readError(err error) error {
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		return errs.Wrap(errs.Unavailable, err, "The table was cut off while it was read. Try again.")
	}
	return err
}

// find returns what is in memory of an object. Keep says that it is not, and that there is
// room for it now: the caller reads it and calls done.
func (m *memory) find(key generation, size int64) (text []byte, keep bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if text, found := m.tables.Get(key); found {
		return text, false
	}
	if size == 0 || size > m.bound/2 || m.reading {
		return nil, false
	}
	for m.held+size > m.bound {
		m.tables.RemoveOldest()
	}
	m.held, m.reading = m.held+size, true
	return nil, true
}

// done keeps what was read, or gives the room for it back where text is nil.
func (m *memory) done(key generation, size int64, text []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reading = false
	if text == nil {
		m.held -= size
		return
	}
	m.tables.Add(key, text)
}

// drop lets go of an object.
func (m *memory) drop(object bucket.Object) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tables.Remove(generation{object.Name, object.Generation})
}
