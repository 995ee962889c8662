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
// generation. Where the file system can, the upload shares the blocks of the file. Elsewhere
// the system copies the file, a stretch at a time, just before the stretch is read. Only the
// upload is ever read: what was computed from it and what is stored are the same bytes. The
// object is there once it has been read to its end: until then Open of the import reads it,
// and Open of the bucket does not find it. It must be closed, which drops what was not read
// to its end.
type Import struct {
	b       *Bucket
	name    string
	entry   entry
	options bucket.CreateOptions
	source  *os.File
	info    fs.FileInfo // of the file as it was opened
	to      *os.File    // the bytes of the upload
	shares  bool
	copied  int64 // bytes of the file that the upload has
	whole   bool  // it has them all
	// written is the metadata where the options have none; nil: there is none.
	written func(read bucket.Digest) (map[string]string, error)
	object  bucket.Object // zero until it is there
}

// errChanged is why a file is not taken that was written to meanwhile.
var errChanged = errors.New("the file changed while it was being read")

const (
	// stretch is how much is copied at a time: what was copied is read from memory.
	stretch   = 4 << 20
	readBytes = 256 << 10 // of what is only read
)

// Import begins an import. The file is closed with it. Conflict: the name has that
// generation already.
func (b *Bucket) Import(
	ctx context.Context, name string, generation int64, source *os.File, options bucket.CreateOptions,
) (*Import, error) {
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
	i := &Import{b: b, name: name, entry: e, options: options, source: source, info: info, to: data}
	i.shares = Clone(data, source) == nil
	i.whole = i.shares
	return i, nil
}

// Shares reports whether the upload shares the file's blocks.
func (i *Import) Shares() bool { return i.shares }

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
	data, err := i.b.root.Load().Open(i.entry.data())
	if err != nil {
		return nil, object, translate(err, "%s cannot be read", i.name)
	}
	return &importReader{Import: i, data: &reader{ctx: ctx, name: i.name, file: data}}, object, nil
}

// ReadAll reads the import to its end, into out too.
func (i *Import) ReadAll(ctx context.Context, out io.Writer) error {
	in, _, err := i.Open(ctx)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.CopyBuffer(struct{ io.Writer }{out}, in, make([]byte, readBytes))
	return err
}

// Close drops what was not read to its end.
func (i *Import) Close() {
	if i.object.Generation == 0 {
		i.entry.remove()
	}
	i.to.Close()
	i.source.Close()
}

// importReader reads an import, which is copied ahead of it and completed at its end.
type importReader struct {
	*Import
	data *reader
	read bucket.Digest
}

func (r *importReader) Read(p []byte) (int, error) {
	if !r.whole && r.read.Size == r.copied {
		if err := r.copyOn(); err != nil {
			return 0, err
		}
	}
	n, err := r.data.Read(p)
	r.read.Write(p[:n])
	if err == io.EOF && r.object.Generation == 0 {
		if failed := r.complete(); failed != nil {
			return n, failed
		}
	}
	return n, err
}

// Close implements io.Closer. The import stays open.
func (r *importReader) Close() error { return r.data.Close() }

// copyOn copies the next stretch of the file.
func (i *Import) copyOn() error {
	err := i.b.before(stepWrite)
	if err == nil {
		var n int64
		n, err = io.CopyN(i.to, i.source, stretch) // by copy_file_range(2) where there is one
		i.copied += n
	}
	if err == io.EOF {
		i.whole, err = true, nil
	}
	if err != nil {
		return translate(err, "%s cannot be copied", i.name)
	}
	return nil
}

// complete saves the record, if the file still has the bytes of the upload.
func (r *importReader) complete() error {
	if err := r.compare(); err != nil {
		return err
	}
	err := r.b.syncFile(r.to)
	if err == nil && r.written != nil && r.options.Metadata == nil {
		r.options.Metadata, err = r.written(r.read)
	}
	rec := r.entry.newRecord(r.name, r.read, r.options)
	if err == nil {
		err = r.entry.save(rec)
	}
	if err != nil {
		return translate(err, "%s cannot be copied", r.name)
	}
	r.object = rec.object(r.b.name)
	return nil
}

// compare reads the file once more: one that was written to while it was copied would be
// half of what it was and half of what it is. Shared blocks are of one moment.
func (r *importReader) compare() error {
	if r.shares {
		return nil
	}
	var now bucket.Digest
	after, err := r.source.Stat()
	if err == nil {
		_, err = r.source.Seek(0, io.SeekStart)
	}
	if err == nil {
		from := &reader{ctx: r.data.ctx, name: r.name, file: r.source}
		_, err = io.CopyBuffer(&now, from, make([]byte, readBytes))
	}
	switch {
	case err != nil:
		return translate(err, "%s cannot be read", r.name)
	case now == r.read && now.Size == r.info.Size() && after.ModTime().Equal(r.info.ModTime()):
		return nil
	}
	return errs.Wrap(errs.Unavailable, errChanged, "The file changed while it was being read, and nothing was done: run it again once nobody writes to it.")
}

// RemoveImport removes a generation that was imported or ingested. One that is gone is success.
func (b *Bucket) RemoveImport(ctx context.Context, name string, generation int64) error {
	if err := b.admit(ctx, name); err != nil {
		return err
	}
	entry{b, drops.dir(name), generation}.remove()
	return nil
}
