package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/errs"
)

// need is how much a folder needs at least, and of what.
type need struct {
	folder string
	bytes  int64
	of     string
}

// checkRoom refuses to begin where a disk surely has no room for what is written. How many
// rows change is not known yet: the changes are not counted.
func (a *applying) checkRoom(hasTable bool) error {
	store := need{folder: a.store.Folder, bytes: a.size, of: "the result"}
	if !hasTable {
		store.bytes, store.of = 2*a.size, "a copy of the table and the result"
	}
	needs := []need{store}
	if !a.output.shares {
		needs = append(needs, need{folder: filepath.Dir(a.out), bytes: a.size, of: "the result"})
	}
	disks := map[uint64][]need{}
	for _, n := range needs {
		var status unix.Stat_t
		if unix.Stat(n.folder, &status) == nil {
			disks[uint64(status.Dev)] = append(disks[uint64(status.Dev)], n)
		}
	}
	for _, on := range disks {
		if err := checkDisk(on); err != nil {
			return err
		}
	}
	return nil
}

// checkDisk refuses needs of folders on one disk that are more than it has.
func checkDisk(needs []need) error {
	var disk unix.Statfs_t
	if unix.Statfs(needs[0].folder, &disk) != nil {
		return nil
	}
	free, all := int64(disk.Bavail)*int64(disk.Bsize), int64(0)
	var named []string
	for _, n := range needs {
		all += n.bytes
		named = append(named, fmt.Sprintf("%s needs %s for %s", near(n.folder), megabytes(n.bytes), n.of))
	}
	if all <= free {
		return nil
	}
	return errs.New(errs.Exhausted,
		"There is no room on the disk, and nothing was done: %s, and %s is free. Make room and run it again.",
		strings.Join(named, ", "), megabytes(free))
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
