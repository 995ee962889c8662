// Package files shows the files that a command line names as buckets: the table
// that is read, the table that is made, the changes file and the audit log. An
// object is a plain file where its user has it, under its own absolute path: what an
// execution read and wrote is known by the checksums in its seal. A table is also kept
// beside the records, where the file system can have that share the file's blocks.
package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// Bucket is the files of one kind.
type Bucket struct {
	name   string
	kept   string // the folder of what is kept of tables; "": nothing is
	noSync bool
}

// The kinds of file that are written. An output takes the place of what is
// there in one step; a changes file is created once; a log gets a line.
var (
	Output  = Bucket{name: ledger.TypedOutput}
	Changes = Bucket{name: ledger.TypedChanges}
	Log     = Bucket{name: ledger.TypedLog}
)

// Tables are the tables that command lines read, with what is kept of them beside the
// records.
func Tables(db string, noSync bool) Bucket {
	return Bucket{name: ledger.TypedInput, kept: Kept(db), noSync: noSync}
}

// All are the buckets of every kind, with what is kept of tables beside the records. With
// noSync they do not wait until what is written is on the disk.
func All(db string, noSync bool) []bucket.Bucket {
	all := []bucket.Bucket{Tables(db, noSync)}
	for _, kind := range []Bucket{Output, Changes, Log} {
		kind.noSync = noSync
		all = append(all, kind)
	}
	return all
}

// Same reports whether a file still has the content that was read of it.
func Same(path string, file ledger.File) bool {
	opened, err := os.Open(path)
	if err != nil {
		return false
	}
	defer opened.Close()
	read := bucket.NewFingerprint()
	_, err = io.Copy(read, opened)
	return err == nil && read.Size == file.Size && read.BLAKE3() == file.BLAKE3
}

// Name implements bucket.Bucket.
func (b Bucket) Name() string { return b.name }

// Stat implements bucket.Bucket. It reads what was written for its checksum, and
// neither a table, which is read once, nor a log.
func (b Bucket) Stat(_ context.Context, name string) (bucket.Object, error) {
	if b.name == Output.name || b.name == Changes.name {
		return measure(b.name, name)
	}
	info, err := os.Stat(name)
	if err != nil {
		return bucket.Object{}, translate(err, name)
	}
	return object(b.name, name, info), nil
}

// Open implements bucket.Bucket: what is kept of a generation of a table, whose object
// has the name of that; else a file stands for whatever generation is asked for.
func (b Bucket) Open(_ context.Context, name string, generation int64) (io.ReadCloser, bucket.Object, error) {
	if kept := b.keptOf(ledger.Upload{Bucket: b.name, Object: name, Generation: generation}); kept != "" {
		return open(b.name, kept)
	}
	return open(b.name, name)
}

// Create implements bucket.Bucket. Denied: it is a table that is only read.
func (b Bucket) Create(ctx context.Context, name string, _ bucket.CreateOptions) (bucket.Upload, error) {
	switch b.name {
	case Output.name:
		return newUpload(ctx, b.name, name, b.noSync, replace)
	case Changes.name:
		return newUpload(ctx, b.name, name, b.noSync, create)
	case Log.name:
		return &line{path: name, noSync: b.noSync}, nil
	default:
		return nil, errs.New(errs.Denied, "%s is an input and is never written.", name)
	}
}

func open(bucketName, path string) (io.ReadCloser, bucket.Object, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, bucket.Object{}, translate(err, path)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, bucket.Object{}, translate(err, path)
	}
	return file, object(bucketName, path, info), nil
}

func object(bucketName, path string, info fs.FileInfo) bucket.Object {
	return bucket.Object{
		Bucket: bucketName, Name: path, Generation: info.ModTime().UnixMicro(),
		Size: info.Size(), CreatedAt: info.ModTime(),
	}
}

// measure describes a file with its checksum, which it reads the file for.
func measure(bucketName, path string) (bucket.Object, error) {
	file, described, err := open(bucketName, path)
	if err != nil {
		return bucket.Object{}, err
	}
	defer file.Close()
	var digest bucket.Digest
	if _, err := io.Copy(&digest, file); err != nil {
		return bucket.Object{}, translate(err, path)
	}
	described.Size, described.CRC32C = digest.Sum()
	return described, nil
}

// translate gives an error of the system its kind, and a message that names
// the file: here the reader owns it.
func translate(err error, path string) error {
	var known *errs.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return errs.Wrap(errs.NotFound, err, "%s does not exist.", path)
	case errors.Is(err, fs.ErrPermission):
		return errs.Wrap(errs.Denied, err, "%s cannot be read or written: check its permissions and its folder's.", path)
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, fs.ErrExist):
		return errs.Wrap(errs.Invalid, err, "%s cannot be written: a part of its path is a file and not a folder.", path)
	case errors.Is(err, unix.ENOSPC):
		return errs.Wrap(errs.Exhausted, err, "%s cannot be written: the disk is full. Make room and run it again.", path)
	default:
		return errs.Wrap(errs.Unavailable, err, "%s cannot be read or written.", path)
	}
}
