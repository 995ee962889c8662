package inbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"testing/fstest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
)

// node is a file of the world, under any number of names.
type node struct {
	id      uint64 // also of its copies
	stamp   Stamp
	content string
	synced  string          // what a power cut leaves at least
	open    int             // writers
	dirty   bool            // by one that has it open
	version int             // of its bytes
	final   map[string]bool // contents that a writer ended with
	changed time.Time
}

// world is a folder, the writers in it and the watcher's copies, in memory.
type world struct {
	mu       sync.Mutex
	leases   bool // the system says who writes
	inodes   uint64
	ids      uint64
	folder   int64           // what the folder is
	moving   bool            // the drops may be known of another folder
	unsure   map[string]bool // files that came while that was so
	names    map[string]*node
	before   map[string]*node   // what a name led to last
	arrivals map[string]int     // of another file under a name
	die      context.CancelFunc // of the watcher that is up
	cut      func() bool        // whether the power goes in the middle of a copy
	last     int64              // of ctime
	blobs    map[int64]blob
	taken    map[int64]bool
	drops    map[string]int64 // generations by drop
	files    map[string]bool  // that were taken
	wrong    []string
	pausing  func() // while bytes are copied
}

// blob is a copy and what was true of its file.
type blob struct {
	object  bucket.Object
	content string
	file    string
	drop    string
	final   bool // a writer had ended with it
	still   time.Duration
}

func newWorld() *world {
	return &world{
		leases: true, names: map[string]*node{}, before: map[string]*node{}, arrivals: map[string]int{},
		blobs: map[int64]blob{}, taken: map[int64]bool{}, drops: map[string]int64{}, files: map[string]bool{}, unsure: map[string]bool{}, folder: 1, cut: func() bool { return false }, pausing: func() {},
	}
}

func (w *world) fail(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

// do is one system call: nothing else happens meanwhile.
func (w *world) do(call func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	call()
}

// touched gives a node another ctime.
func (w *world) touched(n *node) {
	w.last = max(w.last+1, time.Now().UnixNano())
	n.stamp.CTime = w.last
}

// file names the bytes that a name leads to.
func (w *world) file(name string) string {
	n := w.names[name]
	return fmt.Sprintf("%s#%d.%d", name, n.id, n.version)
}

// drop names what a watcher may take once: a file, as often as it comes to a
// name that was another's in between.
func (w *world) drop(name string) string {
	return fmt.Sprintf("%s, arrival %d", w.file(name), w.arrivals[name])
}

// relinked counts upwards whether a link is made or removed, as it does permissions:
// a file that has been through one and back looks like one that was dropped again.
func (w *world) relinked(n *node) {
	n.stamp.Links++
	w.touched(n)
}

// bind makes a name lead to a node, instead of what it led to.
func (w *world) bind(name string, n *node) {
	w.unbind(name)
	if w.before[name] != n {
		w.before[name] = n
		w.arrivals[name]++
	}
	w.names[name] = n
	w.relinked(n)
	w.came(name)
}

// came notes a file that came to a name while the drops were known of another
// folder, where its bytes may make it the last drop.
func (w *world) came(name string) {
	if w.moving {
		w.unsure[w.file(name)] = true
	}
}

// copyFolder puts a copy of the folder into its place, as cp -a or cp -r makes it.
func (w *world) copyFolder(times bool) {
	w.folder++
	copied := map[*node]bool{}
	for name, n := range w.names {
		if !copied[n] {
			copied[n] = true
			w.inodes++
			n.stamp.Inode = w.inodes
			w.touched(n)
			if !times {
				n.stamp.MTime = n.stamp.CTime
			}
		}
		w.came(name)
	}
	for name, n := range w.before { // what is elsewhere at the first look comes back as another file
		if w.names[name] != n {
			delete(w.before, name)
		}
	}
}

func (w *world) unbind(name string) {
	if n := w.names[name]; n != nil {
		w.relinked(n)
		delete(w.names, name)
		if w.moving {
			delete(w.before, name)
		}
	}
}

// open opens a name for writing, creating it where it is missing.
func (w *world) open(name string, truncate bool) *node {
	n := w.names[name]
	if n == nil {
		w.inodes++
		w.ids++
		n = &node{id: w.ids, stamp: Stamp{Inode: w.inodes, Mode: unix.S_IFREG | 0o644}, final: map[string]bool{}}
		w.set(n, "")
		w.bind(name, n)
	} else if truncate {
		w.set(n, "")
	}
	n.open++
	return n
}

// set gives a node other bytes.
func (w *world) set(n *node, content string) {
	n.content, n.dirty, n.changed = content, true, time.Now()
	n.version++
	w.touched(n)
	n.stamp.Size, n.stamp.MTime = int64(len(content)), n.stamp.CTime
	for name, other := range w.names {
		if other == n {
			w.came(name)
		}
	}
}

func (w *world) close(n *node) {
	if n.open--; n.open == 0 {
		w.ended(n)
	}
}

func (w *world) ended(n *node) {
	n.dirty = false
	n.final[n.content] = true
}

// powerCut ends every writer and the watcher, and what was not synced may be
// lost from some byte on.
func (w *world) powerCut(keep func(most int) int) {
	w.die()
	for _, n := range w.names {
		if n.open > 0 && len(n.content) > len(n.synced) {
			w.set(n, n.content[:len(n.synced)+keep(len(n.content)-len(n.synced))])
		}
		n.open = 0
		w.ended(n)
	}
}

// Open implements fs.FS. Names that begin with ../ are outside the folder.
func (w *world) Open(name string) (fs.File, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	files := fstest.MapFS{}
	for name, n := range w.names {
		if !strings.HasPrefix(name, "../") {
			files[name] = &fstest.MapFile{Data: []byte(n.content), Mode: 0o644}
		}
	}
	return files.Open(name)
}

// Stamp implements Files.
func (w *world) Stamp(name string) (Stamp, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.names[name]
	if n == nil {
		return Stamp{}, fs.ErrNotExist
	}
	return n.stamp, nil
}

// Folder implements Files.
func (w *world) Folder() (Folder, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Folder{Device: 1, Inode: w.folder}, nil
}

// End implements Files.
func (w *world) End(name string) (End, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.names[name]
	switch {
	case n == nil:
		return End{}, fs.ErrNotExist
	case !w.leases:
		return End{InLine: !strings.HasSuffix(n.content, "\n")}, nil
	case n.open > 0:
		return End{Writers: somebody}, nil
	}
	return End{Writers: nobody, InLine: !strings.HasSuffix(n.content, "\n")}, nil
}

// Ingest implements Blobs as a folder.Bucket does: what changes meanwhile is
// Stale. A power cut may come when the copy is there and its row is not.
func (w *world) Ingest(ctx context.Context, name string, options folder.IngestOptions) (bucket.Object, fs.FileInfo, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.names[name]
	if n == nil {
		return bucket.Object{}, nil, errs.New(errs.NotFound, "gone")
	}
	before, content := n.stamp, n.content
	b := blob{file: w.file(name), drop: w.drop(name), final: n.final[content] && !n.dirty, still: time.Since(n.changed)}
	w.mu.Unlock()
	w.pausing()
	w.mu.Lock()
	b.content = content[:len(content)/2] + n.content[min(len(content)/2, len(n.content)):]
	if ctx.Err() != nil {
		return bucket.Object{}, nil, ctx.Err()
	}
	if n.stamp.Size != before.Size || n.stamp.MTime != before.MTime {
		return bucket.Object{}, nil, errs.New(errs.Stale, "changed")
	}
	var digest bucket.Digest
	_, _ = io.WriteString(&digest, b.content)
	b.object = bucket.Object{Name: name, Generation: options.Generation, Size: digest.Size, CRC32C: digest.CRC32C}
	w.blobs[options.Generation] = b
	if w.cut() {
		w.die()
	}
	return b.object, nil, nil
}

// openBlob is the Open of Blobs: that of the world itself is of files.
func (w *world) openBlob(_ context.Context, _ string, generation int64) (io.ReadCloser, bucket.Object, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	b, found := w.blobs[generation]
	if !found {
		return nil, bucket.Object{}, errs.New(errs.NotFound, "swept")
	}
	return io.NopCloser(strings.NewReader(b.content)), b.object, nil
}

// Sweep is that of Blobs.
func (w *world) Sweep(_ context.Context, claimed func(string, int64) bool) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for generation, b := range w.blobs {
		if !claimed(b.object.Name, generation) {
			delete(w.blobs, generation)
		}
	}
	return 0, nil
}

// deliver hears of a row: what was taken is judged once.
func (w *world) deliver(ctx context.Context, row Row, busy bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	b, found := w.blobs[row.Generation]
	switch {
	case !found:
		w.fail("generation %d of %s has no copy", row.Generation, row.Path)
	case !w.taken[row.Generation]:
		w.taken[row.Generation] = true
		w.judge(row, b)
	}
	if busy {
		return errors.New("busy")
	}
	return ctx.Err()
}

func (w *world) judge(row Row, b blob) {
	if w.leases && !b.final {
		w.fail("%s: took %q, which nobody ended with", b.drop, b.content)
	}
	if !w.leases && b.still < patience*settle {
		w.fail("%s: took %q, which stood still for %v", b.drop, b.content, b.still)
	}
	if earlier, twice := w.drops[b.drop]; twice {
		w.fail("%s: taken twice, %d and %d", b.drop, earlier, row.Generation)
	}
	w.drops[b.drop], w.files[b.file] = row.Generation, true
}

// settled judges the end: every file that nobody writes any more was taken, but
// for one that has the bytes of its last drop and came in another folder.
func (w *world) settled(lastDrop func(name string) int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, n := range w.names {
		if w.unsure[w.file(name)] && w.blobs[lastDrop(name)].content == n.content {
			continue
		}
		if !w.files[w.file(name)] && !strings.HasPrefix(name, "../") && !ignored(name) {
			w.fail("%s: never taken", w.file(name))
		}
	}
}
