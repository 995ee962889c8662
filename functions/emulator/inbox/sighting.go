package inbox

import (
	"context"
	"path"
	"sync"
	"sync/atomic"
	"time"

	"github.com/planwright/planwright/shared/table/files"
)

// sightings are what the scans of the folder have seen.
type sightings struct {
	files      map[string]sighting      // nil before the first scan
	folder     Folder                   // that they are in
	moved      bool                     // the drops were in another
	recognized atomic.Int64             // files that were dropped where the inbox was before
	waiting    atomic.Pointer[[]string] // drops for which there is no room
	blind      sync.Once                // says that nobody can say who writes
}

// sighting is what the folder showed under a path.
type sighting struct {
	stamp     Stamp
	since     time.Time // unchanged since
	due       time.Time // to be looked at again
	grew      bool      // while it was watched
	announced bool      // that somebody has it open
	taken     bool
	// told: somebody was told why it waits.
	told bool
	// copying is the copy of it that is being made beside the scan; nil: none is.
	copying *copying
	// moved: it was there at the first scan after the inbox was found to be another folder, so
	// that it may be its last drop, under another stamp.
	moved bool
}

// copying is a copy that is being made. What became of it stands here once done is closed.
type copying struct {
	done        chan struct{}
	taken, told bool
}

// patience is how many times longer a file must stand still that looks
// unfinished, and again one of which nobody can say whether it is being written.
const patience = 5

// judge decides about one file: seen for the first time, changed since, known,
// or settled and so taken.
func (w *Watcher) judge(ctx context.Context, name string, stamp Stamp, now time.Time) sighting {
	before, known := w.seen.files[name]
	if before.copying != nil && !before.copied(now.Add(settle)) {
		before.due = now.Add(w.poll())
		return before
	}
	fresh := sighting{stamp: stamp, since: now, due: now.Add(settle)}
	switch {
	case !known:
		fresh.moved = w.seen.moved && w.seen.files == nil
		return w.meet(ctx, name, fresh)
	case before.stamp != stamp:
		fresh.moved = before.moved && stamp.attributesOnly(before.stamp)
		inPlace := before.stamp.Inode == stamp.Inode && !before.taken
		fresh.grew = inPlace && (before.grew || before.stamp.Size > 0 && before.stamp.Size != stamp.Size)
		return fresh
	case before.taken || now.Before(before.due):
		return before
	}
	return w.takeStill(ctx, name, before, now)
}

// meet looks whether a file is its last drop by its stamp, and takes at once what is whole.
func (w *Watcher) meet(ctx context.Context, name string, s sighting) sighting {
	last, err := w.Rows.last(ctx, name)
	if err != nil {
		w.Log.ErrorContext(ctx, "cannot read what was taken before", "object", name, "error", err)
	}
	s.taken = err == nil && last.Stamp == s.stamp
	if s.taken || w.Whole == nil {
		return s
	}
	if written := w.Whole(name); written != 0 {
		return w.takeInTurn(ctx, name, s, written)
	}
	return s
}

// takeStill takes a file that has stood still, unless it must for longer.
func (w *Watcher) takeStill(ctx context.Context, name string, s sighting, now time.Time) sighting {
	end, err := w.Files.End(name)
	switch {
	case err != nil:
		w.Log.WarnContext(ctx, "cannot read a dropped file, trying again", "object", name, "error", err)
		s.due = now.Add(settle)
		return s
	case end.Writers == somebody:
		if !s.announced {
			w.Log.InfoContext(ctx, "waiting: a program has the file open for writing", "object", name)
		}
		s.announced, s.due = true, now.Add(settle)
		return s
	}
	s.due = s.since.Add(w.stillness(ctx, name, s, end))
	if now.Before(s.due) {
		return s
	}
	return w.takeInTurn(ctx, name, s, 0)
}

// takeInTurn takes a file. A large one is copied beside the scan, when it is its turn.
func (w *Watcher) takeInTurn(ctx context.Context, name string, s sighting, written int64) sighting {
	if s.stamp.Size <= w.copies.small {
		if s.taken, s.told = w.take(ctx, name, s, written); !s.taken {
			s.since = time.Now() // look again after the same time
			s.due = s.since.Add(settle)
		}
		return s
	}
	select {
	case w.copies.large <- struct{}{}:
	default:
		s.due = time.Now().Add(w.poll())
		return s
	}
	s.copying = &copying{done: make(chan struct{})}
	w.copies.running.Go(func() {
		defer func() { <-w.copies.large }()
		defer close(s.copying.done)
		s.copying.taken, s.copying.told = w.take(ctx, name, s, written)
	})
	return s
}

// copied notes what became of a copy beside the scan, once it is known.
func (s *sighting) copied(due time.Time) bool {
	select {
	case <-s.copying.done:
	default:
		return false
	}
	s.taken, s.told, s.due = s.copying.taken, s.copying.told, due
	s.copying = nil
	return true
}

// stillness is how long a file that ends so must have stood still.
func (w *Watcher) stillness(ctx context.Context, name string, s sighting, end End) time.Duration {
	wait := settle
	if _, isTable := files.ContentType(path.Base(name)); s.grew || isTable && end.InLine {
		wait *= patience
	}
	if end.Writers == unknown {
		wait *= patience
		w.seen.blind.Do(func() {
			w.Log.WarnContext(ctx, "this system does not say who has a file open here, so dropped files are taken once they have stood still for longer: copy a table under a name that ends in .part and rename it", "object", name, "seconds", wait.Seconds())
		})
	}
	return wait
}
