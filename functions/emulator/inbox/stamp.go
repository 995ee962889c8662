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
