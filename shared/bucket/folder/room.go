package folder

import (
	"math"
	"os"
)

// A file that is longer than smallFile gets its room on the disk an extent at a time.
const (
	smallFile = 1 << 20
	extent    = 64 << 20
)

// Room is how far blocks of the disk are reserved for a file that is being written. The
// zero value reserves none yet.
type Room struct{ until int64 }

// Grow asks for the next extent where a file of a size is about to get longer than what is
// reserved. Where it is not to be had nothing is lost: the write says whether there is room.
func (r *Room) Grow(file *os.File, size, more int64) {
	end := size + more
	if end <= max(r.until, smallFile) {
		return
	}
	r.until = math.MaxInt64
	if reserve(file, size, more+extent) {
		r.until = end + extent
	}
}

// Release gives back what was reserved and is not needed by a file of a size.
func (r *Room) Release(file *os.File, size int64) error {
	if r.until == 0 {
		return nil
	}
	return file.Truncate(size)
}
