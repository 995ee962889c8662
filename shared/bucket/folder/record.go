package folder

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// Hidden is the folder inside the folder that people need not look into.
const Hidden = ".planwright"

// shelf is where .data files and records of one kind lie.
type shelf string

const (
	objects shelf = Hidden + "/objects" // written by Create, linked to their name
	drops   shelf = Hidden + "/drops"   // copied by Ingest
)

func (s shelf) dir(name string) string {
	return fmt.Sprintf("%s/%x", s, sha256.Sum256([]byte(name)))
}

// entry is one generation on a shelf.
type entry struct {
	b          *Bucket
	dir        string
	generation int64
}

func (e entry) data() string   { return e.path(".data") }
func (e entry) record() string { return e.path(".json") }
func (e entry) draft() string  { return e.path(".tmp") }

func (e entry) path(extension string) string {
	return fmt.Sprintf("%s/%020d%s", e.dir, e.generation, extension)
}

// remove drops the entry, and its folder with the last one. What cannot be
// removed is hidden and harmless, and tried again when the folder is opened.
func (e entry) remove() {
	for _, file := range []string{e.record(), e.draft(), e.data()} {
		e.b.root.Load().Remove(file)
	}
	e.b.root.Load().Remove(e.dir)
}

// record is what the .json file holds.
type record struct {
	Name        string            `json:"name"`
	Generation  int64             `json:"generation,string"`
	Size        int64             `json:"size"`
	CRC32C      uint32            `json:"crc32c"`
	ContentType string            `json:"content_type,omitempty"`
	Metadata    map[string]string `json:"metadata,omitempty"`
	CreatedAt   time.Time         `json:"created_at"`
	Check       uint32            `json:"check,omitempty"` // of all the others
}

func (r record) object(bucketName string) bucket.Object {
	return bucket.Object{
		Bucket: bucketName, Name: r.Name, Generation: r.Generation, Size: r.Size, CRC32C: r.CRC32C,
		ContentType: r.ContentType, Metadata: r.Metadata, CreatedAt: r.CreatedAt,
	}
}

func (e entry) newRecord(name string, digest bucket.Digest, options bucket.CreateOptions) record {
	return record{
		Name:        name,
		Generation:  e.generation,
		Size:        digest.Size,
		CRC32C:      digest.CRC32C,
		ContentType: options.ContentType,
		Metadata:    maps.Clone(options.Metadata),
		CreatedAt:   e.b.now().UTC().Round(0),
	}
}

// reserve makes the .data file of a generation nobody else has. Generation 0
// asks for a new one; any other that is taken is Conflict.
func (b *Bucket) reserve(s shelf, name string, generation int64) (*os.File, entry, error) {
	if b.readOnly {
		return nil, entry{}, errs.New(errs.Denied,
			"%s cannot be written: %s was opened for reading only.", name, b.name)
	}
	chosen := generation != 0
	for range attempts {
		if !chosen {
			generation = b.nextGeneration()
		}
		e := entry{b, s.dir(name), generation}
		file, err := b.makeData(e)
		switch {
		case err == nil:
			return file, e, nil
		case chosen && errors.Is(err, fs.ErrExist):
			return nil, e, errs.Wrap(errs.Conflict, err, "%s has a generation %d already.", name, generation)
		case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist):
			// or another process removed the empty folder
			continue
		default:
			return nil, e, translate(err, "%s cannot be written", name)
		}
	}
	return nil, entry{}, errs.New(errs.Unavailable,
		"%s cannot be written: too many others are writing it.", name)
}

// attempts bounds the loops in which another process may get in between.
const attempts = 100

func (b *Bucket) makeData(e entry) (*os.File, error) {
	if err := b.before(stepReserve); err != nil {
		return nil, err
	}
	if err := b.root.Load().MkdirAll(e.dir, 0o755); err != nil {
		return nil, err
	}
	// Read-only for everybody else from the start: an editor that opens the
	// file cannot change it in place.
	return b.root.Load().OpenFile(e.data(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
}

// save makes the record durable, whole or not at all.
func (e entry) save(rec record) error {
	rec.Check = rec.sum()
	if err := e.b.writeFile(e.draft(), rec.text()); err != nil {
		return err
	}
	if err := e.b.before(stepRename); err != nil {
		return err
	}
	if err := e.b.root.Load().Rename(e.draft(), e.record()); err != nil {
		return err
	}
	return e.b.syncUp(e.dir, path.Dir(e.dir))
}

func (r record) text() []byte {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		panic("folder: a description that is not JSON: " + err.Error()) // strings and numbers
	}
	return append(text, '\n')
}

// load reads the entry's record. fs.ErrNotExist: there is none.
func (e entry) load() (*record, error) {
	text, err := e.b.root.Load().ReadFile(e.record())
	if err != nil {
		return nil, err
	}
	var rec record
	if err := json.Unmarshal(text, &rec); err != nil {
		return nil, errs.Wrap(errs.Internal, err, "The record of generation %d in %s is damaged, probably by a power cut. Remove the file it belongs to and write it again.", e.generation, e.b.name)
	}
	return &rec, nil
}

// read opens the entry's bytes. fs.ErrNotExist: there is no such entry.
func (b *Bucket) read(e entry) (*os.File, *record, error) {
	rec, err := e.load()
	if err != nil {
		return nil, nil, err
	}
	file, err := b.root.Load().Open(e.data())
	if err != nil {
		return nil, nil, err
	}
	return file, rec, nil
}

// Created returns the generation under which Create put the file of that name there,
// all at once; 0: it was dropped by hand, or cannot be read.
func (b *Bucket) Created(name string) (generation int64) {
	info, err := b.visible(name)
	if err != nil {
		return 0
	}
	if rec, err := b.created(name, info); err == nil && rec != nil {
		return rec.Generation
	}
	return 0
}

// created finds the record of the visible file, or nil where Create did not write it.
func (b *Bucket) created(name string, visible fs.FileInfo) (*record, error) {
	entries, err := b.entries(objects.dir(name), "data")
	if err != nil {
		return nil, translate(err, "%s cannot be looked up", name)
	}
	for _, e := range entries {
		if data, err := b.root.Load().Lstat(e.data()); err != nil ||
			!os.SameFile(data, visible) && !b.copied(e, visible) {
			continue
		}
		rec, err := e.load()
		if err != nil {
			return nil, translate(err, "%s cannot be looked up", name)
		}
		return rec, nil
	}
	return nil, nil
}

// copied reports whether a visible file is an entry's in a copy of the folder
// that has no links, as cp -r makes it: it is linked to nothing and has its bytes.
func (b *Bucket) copied(e entry, visible fs.FileInfo) bool {
	rec, err := e.load()
	status, ok := visible.Sys().(*syscall.Stat_t)
	if err != nil || !ok || status.Nlink != 1 || visible.Size() != rec.Size {
		return false
	}
	file, _, err := b.openVisible(rec.Name)
	if err != nil {
		return false
	}
	defer file.Close()
	var digest bucket.Digest
	_, err = io.Copy(&digest, file)
	return err == nil && digest.CRC32C == rec.CRC32C
}

// newestDrop finds the record of the copy taken last, or nil.
func (b *Bucket) newestDrop(name string) (*record, error) {
	entries, err := b.entries(drops.dir(name), "data")
	if err != nil {
		return nil, translate(err, "%s cannot be looked up", name)
	}
	for _, e := range slices.Backward(entries) {
		rec, err := e.load()
		if errors.Is(err, fs.ErrNotExist) {
			continue // being copied
		}
		if err != nil {
			return nil, translate(err, "%s cannot be looked up", name)
		}
		return rec, nil
	}
	return nil, nil
}

// entries lists the generations in one folder of a shelf that have a file with
// an extension, oldest first. A folder that does not exist has none.
func (b *Bucket) entries(dir, with string) ([]entry, error) {
	files, err := fs.ReadDir(b.root.Load().FS(), dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var found []entry
	for _, file := range files { // sorted by name, which is by generation
		number, extension, _ := strings.Cut(file.Name(), ".")
		generation, err := strconv.ParseInt(number, 10, 64)
		if err == nil && extension == with {
			found = append(found, entry{b, dir, generation})
		}
	}
	return found, nil
}

// nextGeneration is the time in microseconds, as Cloud Storage counts, or one
// more than the last where the clock has not moved on.
func (b *Bucket) nextGeneration() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last = max(b.now().UnixMicro(), b.last+1)
	return b.last
}
