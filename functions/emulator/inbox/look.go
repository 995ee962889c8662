package inbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/table"
)

// look walks the folder, takes what has settled, and returns how long the next
// look can wait.
func (w *Watcher) look(ctx context.Context, now time.Time) time.Duration {
	next := w.Poll
	present := make(map[string]sighting, len(w.seen))
	err := fs.WalkDir(os.DirFS(w.Folder), ".", func(name string, entry fs.DirEntry, err error) error {
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
		case !entry.Type().IsRegular():
			return nil // folders, and links, which could lead anywhere
		}
		if stamp, err := w.stampOf(name); err == nil {
			sighted := w.judge(ctx, name, stamp, now)
			present[name] = sighted
			if !sighted.taken {
				next = min(next, max(w.Settle-now.Sub(sighted.since), time.Millisecond))
			}
		}
		return nil
	})
	if err != nil {
		w.Log.ErrorContext(ctx, "cannot read the inbox", "error", err)
		return w.Poll
	}
	w.seen = present
	return next
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

// judge decides about one file: seen for the first time, changed since, known,
// or settled and so taken.
func (w *Watcher) judge(ctx context.Context, name string, stamp Stamp, now time.Time) sighting {
	before, known := w.seen[name]
	switch {
	case known && before.stamp == stamp && before.taken:
		return before
	case known && before.stamp == stamp:
		if now.Sub(before.since) < w.Settle {
			return before
		}
		before.taken = w.take(ctx, name, stamp)
		if !before.taken {
			before.since = now // look again after the same time
		}
		return before
	case known:
		return sighting{stamp: stamp, since: now}
	}
	last, err := w.Rows.Last(ctx, name)
	if err != nil {
		w.Log.ErrorContext(ctx, "cannot read what was taken before", "object", name, "error", err)
	}
	return sighting{stamp: stamp, since: now, taken: err == nil && last.Stamp == stamp}
}

// take copies the file, writes its row and starts delivering it.
func (w *Watcher) take(ctx context.Context, name string, stamp Stamp) bool {
	if err := bucket.ValidateName(name); err != nil {
		w.Log.WarnContext(ctx, "ignored, rename it", "object", name, "error", err)
		return true
	}
	row, err := w.copy(ctx, name, stamp)
	switch errs.KindOf(err) {
	case "":
		w.Log.InfoContext(ctx, "taken", "object", name, "generation", row.Generation, "bytes", stamp.Size)
		w.see(ctx, row)
		return true
	case errs.Stale, errs.NotFound: // it is still being written, or gone
	default:
		w.Log.ErrorContext(ctx, "cannot take a dropped file, trying again", "object", name, "error", err)
	}
	return false
}

// copy makes the blob and then its row. A blob that gets no row is swept at
// the next start. The stamp of the file before and after tells that the blob
// holds what had settled.
func (w *Watcher) copy(ctx context.Context, name string, stamp Stamp) (Row, error) {
	generation, err := w.Rows.Next(ctx, time.Now())
	if err != nil {
		return Row{}, err
	}
	row := Row{Path: name, Stamp: stamp, Generation: generation}
	if _, _, err := w.Blobs.Ingest(ctx, name, folder.IngestOptions{Generation: generation, ContentType: contentType(name)}); err != nil {
		return Row{}, err
	}
	if after, err := w.stampOf(name); err != nil || after != stamp {
		return Row{}, errs.Wrap(errs.Stale, err, "%s changed while it was being copied.", name)
	}
	return row, w.Rows.Add(ctx, row)
}

func (w *Watcher) stampOf(name string) (Stamp, error) {
	return stampAt(filepath.Join(w.Folder, filepath.FromSlash(name)))
}

func contentType(name string) string {
	if tableType, isTable := table.ContentType(path.Base(name)); isTable {
		return tableType
	}
	if strings.EqualFold(path.Ext(name), ".json") {
		return "application/json"
	}
	return "application/octet-stream"
}
