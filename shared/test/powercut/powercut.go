// Package powercut is a disk for tests that loses its power: it knows what was
// synced of a folder, and makes what could be found in it afterwards.
package powercut

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Disk watches one folder. What is written there is to be synced through Sync.
type Disk struct {
	t     testing.TB
	root  string
	files map[string]file // by id: what was synced of it
	kept  []*os.File      // open, so that no file gets the number of another
	cuts  int
}

// file is what is durable of a file or a folder.
type file struct {
	isDir   bool
	content []byte
	entries map[string]string // of a folder: ids by name
}

// Watch watches a folder all of whose content is durable.
func Watch(t testing.TB, root string) *Disk {
	t.Helper()
	d := &Disk{t: t, root: root, files: map[string]file{}}
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			d.note(path)
		}
		return err
	})
	d.check(err)
	t.Cleanup(func() {
		for _, open := range d.kept {
			open.Close()
		}
	})
	return d
}

// Sync stands for the method of a file or folder of that name: it makes it
// durable as it is now.
func (d *Disk) Sync(synced *os.File) error {
	d.t.Helper()
	info, err := synced.Stat()
	d.check(err)
	found := false
	d.check(filepath.WalkDir(d.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if there, err := os.Lstat(path); err == nil && os.SameFile(there, info) && !found {
			found = true
			d.note(path)
		}
		return nil
	}))
	return nil
}

func (d *Disk) note(path string) {
	d.t.Helper()
	opened, err := os.Open(path)
	d.check(err)
	d.kept = append(d.kept, opened)
	info, err := opened.Stat()
	d.check(err)
	now := file{isDir: info.IsDir()}
	if now.isDir {
		now.entries = d.entries(path)
	} else {
		now.content, err = os.ReadFile(path)
		d.check(err)
	}
	d.files[id(info)] = now
}

func (d *Disk) entries(path string) map[string]string {
	d.t.Helper()
	list, err := os.ReadDir(path)
	d.check(err)
	found := map[string]string{}
	for _, entry := range list {
		info, err := entry.Info()
		d.check(err)
		found[entry.Name()] = id(info)
		if _, known := d.files[id(info)]; !known { // it is there, and nothing of it is durable
			opened, err := os.Open(filepath.Join(path, entry.Name()))
			d.check(err)
			d.kept = append(d.kept, opened)
			d.files[id(info)] = file{isDir: info.IsDir()}
		}
	}
	return found
}

// Cut returns two folders as they could be found if the power failed now. In
// the first nothing is there that was not synced; in the second every name is
// as it was last, and files have the bytes that were synced of them.
func (d *Disk) Cut() []string {
	d.t.Helper()
	d.cuts++
	parent := d.t.TempDir()
	info, err := os.Stat(d.root)
	d.check(err)
	synced, named := filepath.Join(parent, "synced"), filepath.Join(parent, "named")
	d.restore(synced, id(info), maps.Clone(d.files), map[string]string{})
	newest := maps.Clone(d.files)
	d.check(filepath.WalkDir(d.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		newest[id(info)] = file{isDir: true, entries: d.entries(path)}
		return err
	}))
	for inode, f := range d.files { // those that were seen for the first time just now
		if _, known := newest[inode]; !known {
			newest[inode] = f
		}
	}
	d.restore(named, id(info), newest, map[string]string{})
	return []string{synced, named}
}

// restore makes a folder, or a file, and links that lead to it once more.
func (d *Disk) restore(path, inode string, files map[string]file, made map[string]string) {
	d.t.Helper()
	f := files[inode]
	switch first, again := made[inode]; {
	case f.isDir:
		d.check(os.Mkdir(path, 0o755))
		for name, entry := range f.entries {
			d.restore(filepath.Join(path, name), entry, files, made)
		}
	case again:
		d.check(os.Link(first, path))
	default:
		made[inode] = path
		d.check(os.WriteFile(path, f.content, 0o644))
	}
}

// id tells files apart by their number on the disk.
func id(info fs.FileInfo) string { return fmt.Sprint(info.Sys().(*syscall.Stat_t).Ino) }

func (d *Disk) check(err error) {
	if err != nil {
		d.t.Helper()
		d.t.Fatal(err)
	}
}
