package inbox

import (
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Files is the folder that is watched. Names are slash-separated paths in it.
type Files struct {
	fs.FS
	// Stamp returns the stamp of a name, without following a link.
	Stamp func(name string) (Stamp, error)
	// Folder returns what the folder is.
	Folder func() (Folder, error)
	// End says how the file of that name ends for now.
	End func(name string) (End, error)
}

// End is how a file ends for now.
type End struct {
	Writers Writers
	InLine  bool // its last line has no end
}

// Writers says whether anybody has a file open for writing.
type Writers int

const (
	// unknown: this system or this file system does not say.
	unknown Writers = iota
	nobody
	somebody
)

// Disk returns the folder of that path on this machine.
func Disk(path string) Files {
	of := func(name string) string { return filepath.Join(path, filepath.FromSlash(name)) }
	return Files{
		FS:     os.DirFS(path),
		Stamp:  func(name string) (Stamp, error) { return stampOf(of(name)) },
		Folder: func() (Folder, error) { return folderAt(path) },
		End:    func(name string) (End, error) { return endOf(of(name)) },
	}
}

// Stamp is what tells one drop of a path from the next. Times are nanoseconds
// since 1970. A rewrite changes ctime even where size and mtime are put back.
type Stamp struct {
	Size  int64
	MTime int64
	CTime int64
	Inode uint64
	Mode  uint32
	Links uint64
}

// attributesOnly reports whether the difference of two stamps of a path is
// explained by other permissions or another hard link.
func (s Stamp) attributesOnly(before Stamp) bool {
	return s.Size == before.Size && s.MTime == before.MTime && s.Inode == before.Inode &&
		(s.Mode != before.Mode || s.Links != before.Links)
}

func (s Stamp) regular() bool { return s.Mode&unix.S_IFMT == unix.S_IFREG }

func stampOf(path string) (Stamp, error) {
	var status unix.Stat_t
	if err := unix.Lstat(path, &status); err != nil {
		return Stamp{}, err
	}
	return Stamp{
		Size:  status.Size,
		MTime: status.Mtim.Nano(),
		CTime: status.Ctim.Nano(),
		Inode: status.Ino,
		Mode:  uint32(status.Mode),
		Links: uint64(status.Nlink),
	}, nil
}

// endOf says how a file ends. What has become a link or a pipe since it was seen is
// not waited for.
func endOf(path string) (End, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return End{}, err
	}
	defer file.Close()
	inLine, err := endsInLine(file)
	return End{Writers: writersOf(file), InLine: inLine}, err
}

// endsInLine reports whether the last line of a file has no end. In UTF-16 a
// line end has a zero beside it.
func endsInLine(file *os.File) (bool, error) {
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	last := make([]byte, min(info.Size(), 2))
	if _, err := file.ReadAt(last, info.Size()-int64(len(last))); err != nil {
		return false, err
	}
	if n := len(last); n == 2 && last[1] == 0 {
		last = last[:1]
	}
	return len(last) == 0 || last[len(last)-1] != '\n' && last[len(last)-1] != '\r', nil
}
