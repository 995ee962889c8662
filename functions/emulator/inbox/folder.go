package inbox

import (
	"context"

	"golang.org/x/sys/unix"
)

// Folder is what tells a folder from a copy of it. Born is when it was made, in
// nanoseconds since 1970, for an inode is given out again; 0 where the system
// does not say.
type Folder struct {
	Device, Inode, Born int64
}

// folderAt says what a folder is, also behind a link.
func folderAt(path string) (Folder, error) {
	var status unix.Stat_t
	if err := unix.Stat(path, &status); err != nil {
		return Folder{}, err
	}
	return Folder{Device: int64(status.Dev), Inode: int64(status.Ino), Born: bornAt(path)}, nil
}

// checkFolder looks which folder the inbox is. In another than the drops are known of,
// a copy or one that was put back, every file has a new stamp.
func (w *Watcher) checkFolder(ctx context.Context) error {
	found, err := w.Files.Folder()
	if err != nil || found == w.seen.folder {
		return err
	}
	known, err := w.Rows.folder(ctx)
	if err != nil {
		return err
	}
	w.seen.folder, w.seen.files, w.seen.moved = found, nil, found != known
	w.seen.recognized.Store(0)
	if w.seen.moved && known != (Folder{}) {
		w.Log.WarnContext(ctx, "the inbox is another folder than it was: in the first scan, a file that has the path and the bytes of its last drop is no new drop")
	}
	return nil
}

// adoptFolder notes the folder as the one that the drops are in, once every file
// that was there at the first scan has been compared.
func (w *Watcher) adoptFolder(ctx context.Context) {
	for _, s := range w.seen.files {
		if s.moved && !s.taken {
			return
		}
	}
	if err := w.Rows.setFolder(ctx, w.seen.folder); err != nil {
		w.Log.ErrorContext(ctx, "cannot note which folder the inbox is", "error", err)
		return
	}
	w.seen.moved = false
	if n := w.seen.recognized.Load(); n > 0 {
		w.Log.WarnContext(ctx, "not taken again, for they were taken where the inbox was before: to have one of them taken again, drop it again", "files", n)
	}
}
