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

// GrowingFile is a file that is written from its beginning to its end. Blocks of the disk
// are reserved for it ahead of what is written.
type GrowingFile struct {
	File     *os.File
	size     int64
	reserved int64 // up to where; 0: nothing is yet
}

// Write implements io.Writer.
func (g *GrowingFile) Write(p []byte) (int, error) {
	g.grow(int64(len(p)))
	n, err := g.File.Write(p)
	g.size += int64(n)
	return n, err
}

// grow asks for the next extent where the file is about to get longer than what is
// reserved. Where it is not to be had nothing is lost: the write says whether there is room.
func (g *GrowingFile) grow(more int64) {
	end := g.size + more
	if end <= max(g.reserved, smallFile) {
		return
	}
	g.reserved = math.MaxInt64
	if reserve(g.File, g.size, more+extent) {
		g.reserved = end + extent
	}
}

// Release gives back what was reserved and is not needed.
func (g *GrowingFile) Release() error {
	if g.reserved == 0 {
		return nil
	}
	return g.File.Truncate(g.size)
}

// Empty drops what is in a file. An empty file is left alone: a file that was ever truncated
// to nothing is one whose bytes ext4 hands to the disk when it is closed, whether or not
// anyone waits for them (auto_da_alloc, mount(8)).
func Empty(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	return file.Truncate(0)
}
