package inbox

import (
	"errors"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// zfs is the type of a file system that package unix does not name.
const zfs = 0x2fc12fc1

// local are the types of file systems on which a lease sees everybody who has a
// file open. On a network's, and on one that shares a folder with another
// machine, a file may be open elsewhere, and NFS and SMB refuse a lease that has
// nothing to do with writers.
var local = []uint32{
	unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
	unix.BCACHEFS_SUPER_MAGIC, zfs,
	unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC,
}

// writersOf asks for a read lease, which the system grants where nobody has the
// file open for writing, and gives it back (fcntl(2), F_SETLEASE). A file of
// another user gets none.
func writersOf(file *os.File) Writers {
	descriptor := int(file.Fd())
	var system unix.Statfs_t
	if err := unix.Fstatfs(descriptor, &system); err != nil || !slices.Contains(local, uint32(system.Type)) {
		return unknown
	}
	_, err := unix.FcntlInt(uintptr(descriptor), unix.F_SETLEASE, unix.F_RDLCK)
	switch {
	case errors.Is(err, unix.EAGAIN):
		return somebody
	case err != nil:
		return unknown
	}
	_, _ = unix.FcntlInt(uintptr(descriptor), unix.F_SETLEASE, unix.F_UNLCK) // closing the file does it too
	return nobody
}
