package files

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// upload is a file being written beside the one it will become.
type upload struct {
	ctx    context.Context
	bucket string
	path   string
	file   *os.File // under a hidden name of its own in the same folder
	show   func(draft, path string) error
	noSync bool
	digest bucket.Digest
	room   int64 // how far blocks of the disk are reserved
	ended  bool
}

// A file that is longer than smallFile gets its room on the disk an extent at
// a time.
const (
	smallFile = 1 << 20
	extent    = 64 << 20
)

// newUpload opens a draft beside path, whose folder is made where it is
// missing. show makes the finished draft visible under the path.
func newUpload(ctx context.Context, bucketName, path string, noSync bool, show func(draft, path string) error) (bucket.Upload, error) {
	dir := filepath.Dir(path)
	if err := makeFolder(dir, noSync); err != nil {
		return nil, translate(err, path)
	}
	file, err := openDraft(dir, filepath.Base(path))
	if err != nil {
		return nil, translate(err, path)
	}
	return &upload{ctx: ctx, bucket: bucketName, path: path, file: file, show: show, noSync: noSync}, nil
}

// openDraft opens an empty hidden file. Its name is the same each time, so that
// what a killed run left is used again and not left for ever; where another run
// is writing it, the name is a random one.
func openDraft(dir, base string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, "."+base+".part"), os.O_WRONLY|os.O_CREATE|unix.O_NOFOLLOW, 0o666)
	if err != nil {
		return nil, err
	}
	if unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil && stillNamed(file) {
		return file, empty(file)
	}
	file.Close()
	return os.OpenFile(filepath.Join(dir, "."+base+"."+rand.Text()+".part"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// empty drops what a killed run left. An empty file is left alone: a file that
// was ever truncated is one whose bytes ext4 hands to the disk when it is
// closed, whether or not anyone waits for them (auto_da_alloc, mount(8)).
func empty(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	return file.Truncate(0)
}

// stillNamed reports whether a file is still the one of its name: the run that
// held it before may have moved it to where it belongs.
func stillNamed(file *os.File) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(file.Name())
	return err == nil && os.SameFile(opened, named)
}

func (u *upload) Write(p []byte) (int, error) {
	if end := u.digest.Size + int64(len(p)); end > max(u.room, smallFile) {
		u.reserve(end)
	}
	n, err := u.file.Write(p)
	u.digest.Write(p[:n])
	return n, translate(err, u.path)
}

// reserve asks for the next extent. Where it is not to be had nothing is lost:
// whether there is room the writing says.
func (u *upload) reserve(end int64) {
	if from := u.digest.Size; reserve(u.file, from, end-from+extent) {
		u.room = end + extent
	} else {
		u.room = math.MaxInt64
	}
}

// release gives back what was reserved and not needed.
func (u *upload) release() error {
	if u.room == 0 {
		return nil
	}
	return u.file.Truncate(u.digest.Size)
}

func (u *upload) Sum() (int64, uint32) { return u.digest.Sum() }

// Commit implements bucket.Upload.
func (u *upload) Commit() (bucket.Object, error) {
	if u.ended {
		return bucket.Object{}, errs.New(errs.Internal, "%s was committed or abandoned before.", u.path)
	}
	defer u.Abandon()
	if err := u.ctx.Err(); err != nil {
		return bucket.Object{}, errs.Wrap(errs.Deadline, err, "%s was not written: the run was interrupted.", u.path)
	}
	if err := errors.Join(u.release(), u.sync(u.file)); err != nil {
		return bucket.Object{}, translate(err, u.path)
	}
	if err := u.show(u.file.Name(), u.path); errors.Is(err, fs.ErrExist) {
		if err := u.syncFolder(); err != nil { // the run that put it there may have died before
			return bucket.Object{}, translate(err, u.path)
		}
		there, readErr := measure(u.bucket, u.path)
		return there, errs.Wrap(errs.Conflict, errors.Join(err, readErr), "%s exists already.", u.path)
	} else if err != nil {
		return bucket.Object{}, translate(err, u.path)
	}
	u.ended = true
	if err := errors.Join(u.file.Close(), u.syncFolder()); err != nil {
		return bucket.Object{}, translate(err, u.path)
	}
	info, err := os.Stat(u.path)
	if err != nil {
		return bucket.Object{}, translate(err, u.path)
	}
	shown := object(u.bucket, u.path, info)
	shown.Size, shown.CRC32C = u.digest.Sum()
	return shown, nil
}

// Abandon implements bucket.Upload. The draft's lock goes last, here and in
// Commit: until then its name is ours.
func (u *upload) Abandon() {
	if u.ended {
		return
	}
	u.ended = true
	os.Remove(u.file.Name())
	u.file.Close()
}

// fsync is replaced by tests.
var fsync = (*os.File).Sync

func (u *upload) sync(file *os.File) error {
	if u.noSync {
		return nil
	}
	return fsync(file)
}

func (u *upload) syncFolder() error { return syncPath(filepath.Dir(u.path), u.noSync) }

// syncPath makes a file durable, or the names in a folder.
func syncPath(path string, noSync bool) error {
	if noSync {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return fsync(file)
}

// makeFolder makes a folder, and those above it that are missing, durable.
func makeFolder(dir string, noSync bool) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makeFolder(filepath.Dir(dir), noSync); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncPath(filepath.Dir(dir), noSync)
}

// replace puts the draft in the place of what is there, keeping its
// permissions. What is there must be a plain file.
func replace(draft, path string) error {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return errs.New(errs.Invalid, "%s is not a plain file and is not replaced.", path)
	}
	if err == nil {
		if err := os.Chmod(draft, info.Mode().Perm()); err != nil {
			return err
		}
	}
	return os.Rename(draft, path)
}

// create gives the draft the name, which must be free.
func create(draft, path string) error {
	if err := os.Link(draft, path); err != nil {
		return err
	}
	return os.Remove(draft)
}

// line is a line on its way to the end of a log.
type line struct {
	path   string
	noSync bool
	text   bytes.Buffer
}

func (l *line) Write(p []byte) (int, error) { return l.text.Write(p) }

func (l *line) Sum() (int64, uint32) {
	var digest bucket.Digest
	digest.Write(l.text.Bytes())
	return digest.Sum()
}

// Commit implements bucket.Upload: the log gets the line, unless it has it.
func (l *line) Commit() (bucket.Object, error) {
	if err := Append(l.path, l.text.Bytes(), l.noSync); err != nil {
		return bucket.Object{}, err
	}
	size, sum := l.Sum()
	return bucket.Object{Bucket: Log.name, Name: l.path, Size: size, CRC32C: sum}, nil
}

// Abandon implements bucket.Upload.
func (l *line) Abandon() {}

// Append adds a line to the end of a log, which it creates where there is
// none. A line that the log has already is not added again: a run that was
// interrupted after it had written its line is finished by the next. Without
// text it only proves that the log can be written.
func Append(path string, text []byte, noSync bool) error {
	if err := makeFolder(filepath.Dir(path), noSync); err != nil {
		return translate(err, path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return translate(err, path)
	}
	defer file.Close()
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX); err != nil {
		return translate(err, path)
	}
	has, torn, err := search(file, text)
	if err != nil || len(text) == 0 {
		return translate(err, path)
	}
	if has {
		text = nil // by a run that may have died before the line was durable
	} else if torn { // a power cut in the middle of a line: end it, to keep ours whole
		text = append([]byte("\n"), text...)
	}
	if err := appendWhole(file, text); err != nil {
		return translate(err, path)
	}
	if noSync {
		return nil
	}
	return translate(errors.Join(fsync(file), syncPath(filepath.Dir(path), noSync)), path)
}

// appendWhole takes back the half line that a full disk has left.
func appendWhole(file *os.File, text []byte) error {
	before, err := file.Stat()
	if err != nil {
		return err
	}
	if _, err := file.Write(text); err != nil {
		return errors.Join(err, file.Truncate(before.Size()))
	}
	return nil
}

// search reports whether the log has the line, and whether it ends without a
// newline.
func search(file *os.File, text []byte) (has, torn bool, err error) {
	reader := bufio.NewReaderSize(file, 64<<10)
	for {
		found, err := reader.ReadBytes('\n')
		if bytes.Equal(found, text) {
			return true, false, nil
		}
		if len(found) > 0 {
			torn = found[len(found)-1] != '\n'
		}
		if err == io.EOF {
			return false, torn, nil
		} else if err != nil {
			return false, torn, err
		}
	}
}
