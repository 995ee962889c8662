package inbox

import (
	"context"
	"errors"
	"io"
	"path"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/table/files"
)

// A file of more than largeBytes is copied beside the scan of the folder, so that those
// who drop small ones do not wait for it. So many are copied at a time.
const (
	largeBytes    = 8 << 20
	largeParallel = 2
)

// copies are the copies that are made of files.
type copies struct {
	small   int64         // the most bytes of a file that is copied within the scan
	large   chan struct{} // has room for as many large files as are copied at a time
	running sync.WaitGroup
	last    generations
}

// take copies the file, writes its row and starts delivering it: under the generation
// that it was written under, where that is known and no drop has it, so that who wrote
// it finds it again. It returns also whether somebody was told that it waits.
func (w *Watcher) take(ctx context.Context, name string, s sighting, written int64) (taken, told bool) {
	stamp := s.stamp
	if bucket.ValidateName(name) != nil {
		return w.refuse(ctx, name, stamp, BadName), s.told
	}
	known, err := w.isKnown(ctx, name, s)
	if known {
		return true, s.told
	}
	switch why := w.Admit(name, stamp.Size); {
	case why == NoRoom:
		return false, s.told || w.refuse(ctx, name, stamp, NoRoom)
	case why != "":
		return w.refuse(ctx, name, stamp, why), s.told
	}
	var row Row
	if err == nil {
		row, err = w.copy(ctx, name, stamp, written)
	}
	switch errs.KindOf(err) {
	case "":
		w.Log.InfoContext(ctx, "taken", "object", name, "generation", row.Generation, "bytes", stamp.Size)
		w.deliveries.start(ctx, row)
		return true, s.told
	case errs.Stale, errs.NotFound: // it is still being written, or gone
	default:
		w.Log.ErrorContext(ctx, "cannot take a dropped file, trying again", "object", name, "error", err)
		if isFull(err) && !s.told {
			return false, w.refuse(ctx, name, stamp, NoRoom)
		}
	}
	return false, s.told
}

// isFull reports whether an error says that the disk is full.
func isFull(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || sqlitedb.IsFull(err)
}

// isKnown reports whether a file is its last drop, by the one rule that the same path with the
// same bytes is the same drop: where the inbox was moved, and where permissions or links alone
// have changed. Else a file that was put there again, or written again, is a new drop.
func (w *Watcher) isKnown(ctx context.Context, name string, s sighting) (bool, error) {
	last, err := w.Rows.last(ctx, name)
	mayBe := s.moved && last.Generation != 0 && last.Stamp.Size == s.stamp.Size ||
		s.stamp.attributesOnly(last.Stamp)
	switch {
	case err != nil:
		return false, err
	case last.Stamp == s.stamp:
		return true, nil
	case !mayBe:
		return false, nil
	}
	same, err := w.holds(ctx, last)
	if err != nil || !same {
		return false, err
	}
	if s.moved {
		w.seen.recognized.Add(1)
		w.Log.InfoContext(ctx, "known from where the inbox was before",
			"object", name, "generation", last.Generation)
	}
	return true, w.Rows.restamp(ctx, last.Generation, s.stamp)
}

// holds reports whether a file has the bytes of its drop. A drop whose copy is
// gone is like none.
func (w *Watcher) holds(ctx context.Context, row Row) (bool, error) {
	blob, object, err := w.Blobs.Open(ctx, row.Path, row.Generation)
	if errs.KindOf(err) == errs.NotFound {
		return false, nil
	} else if err != nil {
		return false, err
	}
	blob.Close() // its checksum is enough
	file, err := w.Files.Open(row.Path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	var digest bucket.Digest
	if _, err := io.Copy(&digest, file); err != nil {
		return false, err
	}
	return digest.Matches(object), nil
}

// copy makes the blob and then its row. A blob that gets no row is swept at
// the next start. The stamp of the file before and after tells that the blob
// holds what had settled.
func (w *Watcher) copy(ctx context.Context, name string, stamp Stamp, generation int64) (Row, error) {
	last, err := w.Rows.last(ctx, name)
	given := false
	if err == nil {
		given, err = w.Rows.Has(ctx, generation)
	}
	if err == nil && (given || generation <= last.Generation) {
		generation, err = w.copies.last.next(ctx, w.Rows)
	}
	if err != nil {
		return Row{}, err
	}
	row := Row{Path: name, Stamp: stamp, Generation: generation}
	if _, _, err := w.Blobs.Ingest(ctx, name,
		folder.IngestOptions{Generation: generation, ContentType: ContentType(name)}); err != nil {
		return Row{}, err
	}
	if after, err := w.Files.Stamp(name); err != nil || after != stamp {
		return Row{}, errs.Wrap(errs.Stale, err, "%s changed while it was being copied.", name)
	}
	return row, w.Rows.add(ctx, row)
}

// generations gives each to one copy, also of those that have no row yet.
type generations struct {
	mu   sync.Mutex
	last int64
}

func (g *generations) next(ctx context.Context, rows *Rows) (int64, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	next, err := rows.Next(ctx, time.Now())
	if err == nil {
		g.last = max(next, g.last+1)
	}
	return g.last, err
}

// ContentType is the media type of a drop of that name.
func ContentType(name string) string {
	if tableType, isTable := files.ContentType(path.Base(name)); isTable {
		return tableType
	}
	if strings.EqualFold(path.Ext(name), ".json") {
		return "application/json"
	}
	return "application/octet-stream"
}
