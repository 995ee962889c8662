// Package files shows the files of one command line as the buckets that an
// executor reads and writes: the table given is the inbox, the table made is
// the outbox, and the changes file with the audit log is the audit bucket.
// Object names are the files' own absolute paths.
//
// Unlike a bucket proper it replaces: the output takes the place of an older
// one in one step, and the audit log grows by a line.
package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// Input is a bucket of files that are only read. A file stands for whatever
// generation of it is asked for.
type Input struct{}

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

// Output is a bucket whose objects take the place of the file of their name
// when they are committed. Nothing is there before, so that an older file is
// never in the way. Objects that are no absolute path are the notices for the
// person who dropped a file into a folder; a person who typed a command reads
// them on the terminal, and they are not written.
type Output struct {
	NoSync bool
}

// Audit is a bucket of changes files, which are created once, and of one
// audit log, which every object under its name is a line of.
type Audit struct {
	Log    string // the audit log's path
	NoSync bool
}

// Names of the buckets, as they stand in records.
const (
	InputName  = "input file"
	OutputName = "output file"
	AuditName  = "audit files"
)

var _, _, _ bucket.Bucket = Input{}, Output{}, Audit{}

// Name implements bucket.Bucket.
func (Input) Name() string { return InputName }

// Stat implements bucket.Bucket. It does not read the file for its checksum.
func (Input) Stat(_ context.Context, name string) (bucket.Object, error) {
	info, err := os.Stat(name)
	if err != nil {
		return bucket.Object{}, translate(err, name)
	}
	return object(InputName, name, info), nil
}

// Open implements bucket.Bucket.
func (Input) Open(_ context.Context, name string, _ int64) (io.ReadCloser, bucket.Object, error) {
	return open(InputName, name)
}

// Create implements bucket.Bucket: it refuses.
func (Input) Create(_ context.Context, name string, _ bucket.CreateOptions) (bucket.Upload, error) {
	return nil, errs.New(errs.Denied, "%s is an input and is never written.", name)
}

// Name implements bucket.Bucket.
func (Output) Name() string { return OutputName }

// Stat implements bucket.Bucket: nothing is ever in the way.
func (Output) Stat(_ context.Context, name string) (bucket.Object, error) {
	return bucket.Object{}, errs.New(errs.NotFound, "%s is not written yet.", name)
}

// Open implements bucket.Bucket.
func (Output) Open(_ context.Context, name string, _ int64) (io.ReadCloser, bucket.Object, error) {
	return open(OutputName, name)
}

// Create implements bucket.Bucket.
func (o Output) Create(ctx context.Context, name string, _ bucket.CreateOptions) (bucket.Upload, error) {
	if !filepath.IsAbs(name) {
		return &notice{name: name}, nil
	}
	return newUpload(ctx, OutputName, name, o.NoSync, replace)
}

// Name implements bucket.Bucket.
func (Audit) Name() string { return AuditName }

// Stat implements bucket.Bucket. The audit log is never in the way.
func (a Audit) Stat(ctx context.Context, name string) (bucket.Object, error) {
	if name == a.Log {
		return bucket.Object{}, errs.New(errs.NotFound, "The line is not in %s yet.", name)
	}
	return measure(AuditName, name)
}

// Open implements bucket.Bucket.
func (Audit) Open(_ context.Context, name string, _ int64) (io.ReadCloser, bucket.Object, error) {
	return open(AuditName, name)
}

// Create implements bucket.Bucket.
func (a Audit) Create(ctx context.Context, name string, _ bucket.CreateOptions) (bucket.Upload, error) {
	if name == a.Log {
		return &line{bucket: AuditName, path: name, noSync: a.NoSync}, nil
	}
	return newUpload(ctx, AuditName, name, a.NoSync, create)
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
