package inbox

import "golang.org/x/sys/unix"

// Stamp is what tells one drop of a path from the next. Times are nanoseconds
// since 1970. A rewrite changes ctime even where size and mtime are put back.
type Stamp struct {
	Size  int64
	MTime int64
	CTime int64
	Inode uint64
}

// stampAt reads the stamp of a path, without following a link.
func stampAt(path string) (Stamp, error) {
	var status unix.Stat_t
	if err := unix.Lstat(path, &status); err != nil {
		return Stamp{}, err
	}
	return Stamp{
		Size:  status.Size,
		MTime: status.Mtim.Nano(),
		CTime: status.Ctim.Nano(),
		Inode: status.Ino,
	}, nil
}
