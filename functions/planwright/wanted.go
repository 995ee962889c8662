package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/planwright/planwright/functions/emulator/userfile"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// wanted is a file that a command line wants of an object that an execution publishes. It
// is written in the same pass, and gets its name once the execution has completed.
type wanted struct {
	in      bucket.Bucket // of the object
	object  string
	stored  string // the path of the object
	path    string
	noSync  bool
	shares  bool          // the file can share the blocks of the object, and is not written beside it
	writing bucket.Upload // of the object, until it is committed or abandoned; nil: none
	whole   *userfile.Draft
	sum     bucket.Digest // of the whole draft
}

// probe looks whether the file can share blocks with what lies in the store's folder.
func (w *wanted) probe(store string) error {
	d, err := userfile.Create(w.path, w.noSync)
	if err != nil {
		return err
	}
	defer d.Drop()
	probe, err := os.CreateTemp(store, ".probe-")
	if err != nil {
		return userfile.Error(err, store)
	}
	defer os.Remove(probe.Name())
	defer probe.Close()
	w.shares = d.Clone(probe) == nil
	return nil
}

// there compares what lies at the path with a sealed file.
func (w *wanted) there(sealed ledger.File) (presence, error) {
	is, err := compareFile(w.path, sealed)
	if errors.Is(err, fs.ErrNotExist) {
		return nothing, nil
	}
	return is, userfile.Error(err, w.path)
}

// place gives the file its name: the draft's bytes, where they are the object's, or a copy of it.
func (w *wanted) place(ctx context.Context, size int64, crc32c uint32) error {
	if d := w.whole; d != nil {
		w.whole = nil
		if w.sum == (bucket.Digest{Size: size, CRC32C: crc32c}) {
			return d.Place()
		}
		d.Drop()
	}
	if w.shares && w.clone() == nil {
		return nil
	}
	in, _, err := bucket.OpenLive(ctx, w.in, w.object)
	if err != nil {
		return err
	}
	defer in.Close()
	return userfile.Write(w.path, in, w.noSync)
}

// clone makes the file of the object's blocks.
func (w *wanted) clone() error {
	object, err := os.Open(w.stored)
	if err != nil {
		return err
	}
	defer object.Close()
	d, err := userfile.Create(w.path, w.noSync)
	if err != nil {
		return err
	}
	if err := d.Clone(object); err != nil {
		d.Drop()
		return err
	}
	return d.Place()
}

// drop removes a draft that was not placed.
func (w *wanted) drop() {
	if w.whole != nil {
		w.whole.Drop()
		w.whole = nil
	}
}

// both is a bucket of which one object is written to a file, too.
type both struct {
	bucket.Bucket
	*wanted
}

// Stat implements bucket.Bucket. Before the seal it refuses an object that is being written,
// if the file holds other bytes already.
func (b both) Stat(ctx context.Context, name string) (bucket.Object, error) {
	if b.writing != nil && name == b.object {
		var sealed ledger.File
		sealed.Size, sealed.CRC32C = b.writing.Sum()
		there, err := b.there(sealed)
		if err == nil && there == other {
			err = errs.New(errs.Invalid, "%s exists already with other content, and nothing is ever overwritten. Choose another path for it, or plan it under another id.", b.path)
		}
		if err != nil {
			return bucket.Object{}, err
		}
	}
	return b.Bucket.Stat(ctx, name)
}

// Create implements bucket.Bucket.
func (b both) Create(ctx context.Context, name string, options bucket.CreateOptions) (bucket.Upload, error) {
	upload, err := b.Bucket.Create(ctx, name, options)
	if err != nil || name != b.object {
		return upload, err
	}
	written := &bothUpload{Upload: upload, wanted: b.wanted}
	if !b.shares {
		if written.draft, err = userfile.Create(b.path, b.noSync); err != nil {
			upload.Abandon()
			return nil, err
		}
	}
	b.writing = upload
	return written, nil
}

// bothUpload writes an object and a draft.
type bothUpload struct {
	bucket.Upload
	draft *userfile.Draft // nil where none is written, or it was handed over or dropped
	*wanted
}

// Write implements bucket.Upload.
func (u *bothUpload) Write(p []byte) (int, error) {
	n, err := u.Upload.Write(p)
	if err == nil && u.draft != nil {
		_, err = u.draft.Write(p)
	}
	return n, err
}

// Commit implements bucket.Upload. The draft waits until the execution has completed.
func (u *bothUpload) Commit() (bucket.Object, error) {
	object, err := u.Upload.Commit()
	u.writing = nil
	if u.draft != nil && (err == nil || errs.KindOf(err) == errs.Conflict) {
		u.wanted.drop()
		u.whole, u.draft = u.draft, nil
		u.sum.Size, u.sum.CRC32C = u.Sum()
	}
	return object, err
}

// Abandon implements bucket.Upload.
func (u *bothUpload) Abandon() {
	u.Upload.Abandon()
	u.writing = nil
	if u.draft != nil {
		u.draft.Drop()
		u.draft = nil
	}
}
