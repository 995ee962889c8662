package folder

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// Import takes a file that lies elsewhere on this machine as an upload, under a
// generation. Where the file system can, the bytes are a reflink of the file's. Elsewhere
// they are copied while they are read. The object is there once it has been read to its
// end: until then Open of the import reads it, and Open of the bucket does not find it.
// It must be closed, which drops what was not read to its end.
type Import struct {
	b       *Bucket
	name    string
	entry   entry
	options bucket.CreateOptions
	source  *os.File
	info    fs.FileInfo
	data    *os.File
	cloned  bool
	object  bucket.Object // zero until it is there
}

// Import begins an import. The file is closed with it. Conflict: the name has that
// generation already.
func (b *Bucket) Import(ctx context.Context, name string, generation int64, source *os.File, options bucket.CreateOptions) (*Import, error) {
	if err := b.admit(ctx, name); err != nil {
		return nil, err
	}
	info, err := source.Stat()
	if err != nil {
		return nil, translate(err, "%s cannot be read", name)
	}
	data, e, err := b.reserve(drops, name, generation)
	if err != nil {
		return nil, err
	}
	i := &Import{b: b, name: name, entry: e, options: options, source: source, info: info, data: data}
	i.cloned = Clone(data, source) == nil
	return i, nil
}

// Cloned reports whether the import shares the file's blocks.
func (i *Import) Cloned() bool { return i.cloned }

// Is reports whether a generation of a name is this import, and still to be read.
func (i *Import) Is(name string, generation int64) bool {
	return i.object.Generation == 0 && i.name == name && i.entry.generation == generation
}

// Open reads the import from its beginning. One reader at a time may be open. The object
// has no checksum: it is known at the end.
func (i *Import) Open(ctx context.Context) (io.ReadCloser, bucket.Object, error) {
	object := bucket.Object{
		Bucket: i.b.name, Name: i.name, Generation: i.entry.generation, Size: i.info.Size(),
		ContentType: i.options.ContentType, Metadata: i.options.Metadata, CreatedAt: i.b.now().UTC(),
	}
	from := i.source
	if i.cloned {
		var err error
		if from, err = i.b.root.Load().Open(i.entry.data()); err != nil {
			return nil, object, translate(err, "%s cannot be read", i.name)
		}
	} else if err := i.rewind(); err != nil {
		return nil, object, translate(err, "%s cannot be copied", i.name)
	}
	return &importReader{Import: i, from: &reader{ctx: ctx, name: i.name, file: from}}, object, nil
}

// rewind begins the copy anew.
func (i *Import) rewind() error {
	_, sourceErr := i.source.Seek(0, io.SeekStart)
	_, err := i.data.Seek(0, io.SeekStart)
	return errors.Join(sourceErr, err, i.data.Truncate(0))
}

// ReadAll reads the import to its end, into out too.
func (i *Import) ReadAll(ctx context.Context, out io.Writer) error {
	in, _, err := i.Open(ctx)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(out, in)
	return err
}

// Close drops what was not read to its end.
func (i *Import) Close() {
	if i.object.Generation == 0 {
		i.entry.remove()
	}
	i.data.Close()
	i.source.Close()
}

// importReader reads an import, copies it where it is no reflink, and completes it at its end.
type importReader struct {
	*Import
	from   *reader
	digest bucket.Digest
	room   Room
}

func (r *importReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if !r.cloned && n > 0 {
		r.room.Grow(r.data, r.digest.Size, int64(n))
		if _, err := (stepWriter{r.b, r.data}).Write(p[:n]); err != nil {
			return n, translate(err, "%s cannot be copied", r.name)
		}
	}
	r.digest.Write(p[:n])
	if err == io.EOF && r.object.Generation == 0 {
		failed := r.room.Release(r.data, r.digest.Size)
		if failed == nil {
			failed = r.complete(r.digest)
		}
		if failed != nil {
			return n, failed
		}
	}
	return n, err
}

// Close implements io.Closer. The import stays open.
func (r *importReader) Close() error {
	if r.cloned {
		return r.from.Close()
	}
	return nil
}

// complete saves the record, if what was read is the file as it was when it was opened and
// the copy has as many bytes.
func (i *Import) complete(read bucket.Digest) error {
	after, err := i.source.Stat()
	if err != nil {
		return translate(err, "%s cannot be read", i.name)
	}
	copied, err := i.data.Stat()
	if err != nil {
		return translate(err, "%s cannot be copied", i.name)
	}
	same := i.cloned || after.Size() == read.Size && after.ModTime().Equal(i.info.ModTime())
	if !same || copied.Size() != read.Size {
		return errs.New(errs.Unavailable, "The file changed while it was being read, and nothing was done: run it again once nobody writes to it.")
	}
	if err := i.b.syncFile(i.data); err != nil {
		return translate(err, "%s cannot be copied", i.name)
	}
	rec := i.entry.newRecord(i.name, read, i.options)
	if err := i.entry.save(rec); err != nil {
		return translate(err, "%s cannot be copied", i.name)
	}
	i.object = rec.object(i.b.name)
	return nil
}

// RemoveImport removes a generation that was imported or ingested. One that is gone is success.
func (b *Bucket) RemoveImport(ctx context.Context, name string, generation int64) error {
	if err := b.admit(ctx, name); err != nil {
		return err
	}
	entry{b, drops.dir(name), generation}.remove()
	return nil
}
