package folder

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// upload writes the .data file of an entry and links it to its name.
type upload struct {
	ctx     context.Context
	b       *Bucket
	name    string
	options bucket.CreateOptions
	entry   entry
	file    *growing
	buffer  *bufio.Writer
	digest  bucket.Digest
	ended   bool
}

func newUpload(
	ctx context.Context, name string, options bucket.CreateOptions, file *os.File, e entry,
) *upload {
	u := &upload{ctx: ctx, b: e.b, name: name, options: options, entry: e, file: newGrowing(e.b, file)}
	u.options.Metadata = e.newRecord(name, bucket.Digest{}, options).Metadata // a copy
	u.buffer = bufio.NewWriterSize(u.file, 64<<10)
	return u
}

func (u *upload) Write(p []byte) (int, error) {
	if u.ended {
		return 0, errs.New(errs.Internal, "%s was written to after its upload had ended.", u.name)
	}
	if err := bucket.InTime(u.ctx, u.name); err != nil {
		return 0, err
	}
	n, err := u.buffer.Write(p)
	u.digest.Write(p[:n])
	if err != nil {
		return n, translate(err, "%s cannot be written", u.name)
	}
	return n, nil
}

func (u *upload) Sum() (size int64, crc32c uint32) { return u.digest.Sum() }

func (u *upload) Abandon() {
	if u.ended {
		return
	}
	u.ended = true
	u.file.File.Close()
	u.entry.remove()
}

func (u *upload) Commit() (bucket.Object, error) {
	if u.ended {
		return bucket.Object{}, errs.New(errs.Internal,
			"%s was committed after its upload had ended.", u.name)
	}
	u.ended = true
	defer u.file.File.Close()
	rec := u.entry.newRecord(u.name, u.digest, u.options)
	if err := u.store(rec); err != nil {
		u.entry.remove()
		return bucket.Object{}, err
	}
	there, err := u.link(rec)
	if there.Generation != rec.Generation {
		u.entry.remove()
	}
	return there, err
}

// store makes bytes and record durable under the hidden folder.
func (u *upload) store(rec record) error {
	err := u.buffer.Flush()
	if err == nil {
		err = u.file.Release()
	}
	if err == nil {
		err = u.b.syncFile(u.file.File)
	}
	if err == nil {
		err = u.entry.save(rec)
	}
	if err != nil {
		return translate(err, "%s cannot be written", u.name)
	}
	return bucket.InTime(u.ctx, u.name)
}

// link makes the object visible. It returns the object that has the name in
// the end, which is the record's unless there is an error before the link or
// another was quicker.
func (u *upload) link(rec record) (bucket.Object, error) {
	parent := path.Dir(u.name)
	for range attempts {
		err := u.tryLink(parent)
		switch {
		case err == nil:
			return rec.object(u.b.name), u.b.syncUp(parent, ".")
		case errors.Is(err, fs.ErrExist):
			there, err := u.meet(rec, parent)
			if errs.KindOf(err) == errs.NotFound {
				continue // removed in between
			}
			return there, err
		case errors.Is(err, fs.ErrNotExist):
			continue // another process removed the empty folder
		default:
			u.b.prune(parent)
			return bucket.Object{}, translate(err, "%s cannot be written", u.name)
		}
	}
	return bucket.Object{}, errs.New(errs.Unavailable,
		"%s cannot be written: its folder keeps changing, or a folder of that name is in the way.", u.name)
}

func (u *upload) tryLink(parent string) error {
	if err := u.b.root.Load().MkdirAll(parent, 0o755); err != nil {
		return err
	}
	if err := u.b.before(stepLink); err != nil {
		return err
	}
	return u.b.root.Load().Link(u.entry.data(), u.name)
}

// meet describes who has the name. The link is made durable first: the caller
// may take the object for its own, and its writer may not have come so far.
// Network file systems report a link of ours as existing when their first
// answer was lost (link(2), BUGS).
func (u *upload) meet(rec record, parent string) (bucket.Object, error) {
	if err := u.b.syncUp(parent, "."); err != nil {
		return bucket.Object{}, err
	}
	there, err := u.b.Stat(context.WithoutCancel(u.ctx), u.name)
	if err != nil || there.Generation == rec.Generation {
		return there, err
	}
	return there, errs.New(errs.Conflict, "%s exists already in %s.", u.name, u.b.name)
}
