package inbox

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// scan walks the folder, takes what has settled, and returns how long the next
// scan can wait.
func (w *Watcher) scan(ctx context.Context) time.Duration {
	next := w.poll()
	if err := w.checkFolder(ctx); err != nil {
		w.Log.ErrorContext(ctx, "cannot tell which folder the inbox is", "error", err)
		return w.poll()
	}
	present := make(map[string]sighting, len(w.seen.files))
	err := fs.WalkDir(w.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return fs.SkipAll
		case errors.Is(err, fs.ErrNotExist):
			return nil // it went while we walked
		case err != nil:
			w.Log.WarnContext(ctx, "cannot read part of the inbox", "object", name, "error", err)
			return nil
		case name != "." && ignored(name):
			return skip(entry)
		case entry.IsDir():
			w.Changes.watch(name)
			return nil
		case !entry.Type().IsRegular():
			present[name] = w.pass(ctx, name)
			return nil
		}
		now := time.Now() // to copy the file before may have taken long
		if stamp, err := w.Files.Stamp(name); err == nil {
			sighted := w.judge(ctx, name, stamp, now)
			present[name] = sighted
			if !sighted.taken {
				next = min(next, max(time.Until(sighted.due), time.Millisecond))
			}
		}
		return nil
	})
	if err != nil {
		w.Log.ErrorContext(ctx, "cannot read the inbox", "error", err)
		return w.poll()
	}
	w.seen.files = present
	w.noteWaiting()
	if w.seen.moved && ctx.Err() == nil {
		w.adoptFolder(ctx)
	}
	return next
}

// noteWaiting notes which drops wait for room on the disk.
func (w *Watcher) noteWaiting() {
	var names []string
	for name, s := range w.seen.files {
		if s.told && !s.taken {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	w.seen.waiting.Store(&names)
}

// Waiting names the drops that are taken once there is room on the disk. It may be called at
// any time.
func (w *Watcher) Waiting() []string {
	if names := w.seen.waiting.Load(); names != nil {
		return *names
	}
	return nil
}

// pass leaves what is no file, such as a link, which could lead anywhere, and
// has who put it there told.
func (w *Watcher) pass(ctx context.Context, name string) sighting {
	stamp, err := w.Files.Stamp(name)
	if before, known := w.seen.files[name]; err != nil || known && before.stamp == stamp && before.taken {
		return before // told, or gone while we walked
	}
	return sighting{stamp: stamp, taken: w.refuse(ctx, name, stamp, noFile)}
}

// refuse has somebody told that what they dropped is not taken, and reports
// whether they were.
func (w *Watcher) refuse(ctx context.Context, name string, stamp Stamp, why Refusal) bool {
	w.Log.WarnContext(ctx, "not taken", "object", name, "reason", why)
	if err := w.Refuse(ctx, name, stamp.CTime/1000, why); err != nil {
		w.Log.ErrorContext(ctx, "cannot tell that a drop is not taken, trying again",
			"object", name, "error", err)
		return false
	}
	return true
}

// ignored names what people and programs leave while they are still writing.
func ignored(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, ".") || strings.EqualFold(path.Ext(base), ".part")
}

func skip(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}
