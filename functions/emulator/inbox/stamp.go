package inbox

import "golang.org/x/sys/unix"

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

// Folder is what tells a folder from a copy of it. Born is when it was made, in
// nanoseconds since 1970, for an inode is given out again; 0 where the system
// does not say.
type Folder struct {
	Device, Inode, Born int64
}

// attributesOnly reports whether the difference of two stamps of a path is
// explained by other permissions or another hard link.
func (s Stamp) attributesOnly(before Stamp) bool {
	return s.Size == before.Size && s.MTime == before.MTime && s.Inode == before.Inode &&
		(s.Mode != before.Mode || s.Links != before.Links)
}

func (s Stamp) regular() bool { return s.Mode&unix.S_IFMT == unix.S_IFREG }

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
		Mode:  uint32(status.Mode),
		Links: uint64(status.Nlink),
	}, nil
}

// folderAt reads what the folder of a path is, also behind a link.
func folderAt(path string) (Folder, error) {
	var status unix.Stat_t
	if err := unix.Stat(path, &status); err != nil {
		return Folder{}, err
	}
	return Folder{Device: int64(status.Dev), Inode: int64(status.Ino), Born: bornAt(path)}, nil
}
