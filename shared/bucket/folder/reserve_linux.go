package folder

import (
	"os"

	"golang.org/x/sys/unix"
)

// reserve asks for room on the disk from an offset on, without making the file
// any longer: blocks that are there need not be set aside page by page while
// they are written. It reports whether it was given.
func reserve(file *os.File, offset, size int64) bool {
	return unix.Fallocate(int(file.Fd()), unix.FALLOC_FL_KEEP_SIZE, offset, size) == nil
}
