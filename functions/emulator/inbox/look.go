package inbox

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/table"
)

// look walks the folder, takes what has settled, and returns how long the next
// look can wait.
func (w *Watcher) look(ctx context.Context) time.Duration {
	next := w.Poll
	if err := w.find(ctx); err != nil {
		w.Log.ErrorContext(ctx, "cannot tell which folder the inbox is", "error", err)
		return w.Poll
	}
	present := make(map[string]sighting, len(w.seen))
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
		return w.Poll
	}
	w.seen = present
	w.noteWaiting()
	if w.strange && ctx.Err() == nil {
		w.adoptFolder(ctx)
	}
	return next
}

// noteWaiting notes which drops wait for room on the disk.
func (w *Watcher) noteWaiting() {
	var names []string
	for name, s := range w.seen {
		if s.told && !s.taken {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	w.waiting.Store(&names)
}

// Waiting names the drops that are taken once there is room on the disk. It may be called at
// any time.
func (w *Watcher) Waiting() []string {
	if names := w.waiting.Load(); names != nil {
		return *names
	}
	return nil
}

// find looks which folder the inbox is. In another than the drops are known of,
// a copy or one that was put back, every file has a new stamp.
func (w *Watcher) find(ctx context.Context) error {
	found, err := w.Files.Folder()
	if err != nil || found == w.folder {
		return err
	}
	known, err := w.Rows.Folder(ctx)
	if err != nil {
		return err
	}
	w.folder, w.seen, w.strange, w.recognized = found, nil, found != known, 0
	if w.strange && known != (Folder{}) {
		w.Log.WarnContext(ctx, "the inbox is another folder than it was: in the first look, a file that has the path and the bytes of its last drop is no new drop")
	}
	return nil
}

// adoptFolder notes the folder as the one that the drops are in, once every file
// that was there at the first look has been compared.
func (w *Watcher) adoptFolder(ctx context.Context) {
	for _, s := range w.seen {
		if s.doubted {
			return
		}
	}
	if err := w.Rows.SetFolder(ctx, w.folder); err != nil {
		w.Log.ErrorContext(ctx, "cannot note which folder the inbox is", "error", err)
		return
	}
	w.strange = false
	if w.recognized > 0 {
		w.Log.WarnContext(ctx, "not taken again, for they were taken where the inbox was before: to have one of them taken again, drop it again", "files", w.recognized)
	}
}

// pass leaves what is no file, such as a link, which could lead anywhere, and
// has who put it there told.
func (w *Watcher) pass(ctx context.Context, name string) sighting {
	stamp, err := w.Files.Stamp(name)
	if before, known := w.seen[name]; err != nil || known && before.stamp == stamp && before.taken {
		return before // told, or gone while we walked
	}
	return sighting{stamp: stamp, taken: w.refuse(ctx, name, stamp, NoFile)}
}

// refuse has somebody told that what they dropped is not taken, and reports
// whether they were.
func (w *Watcher) refuse(ctx context.Context, name string, stamp Stamp, why Refusal) bool {
	w.Log.WarnContext(ctx, "not taken", "object", name, "reason", why)
	if err := w.Refuse(ctx, name, stamp.CTime/1000, why); err != nil {
		w.Log.ErrorContext(ctx, "cannot tell that a drop is not taken, trying again", "object", name, "error", err)
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
	// copying is the copy of it that is being made beside the look; nil: none is.
	copying *copying
	// doubted: it was there at the first look in another folder, and could not
	// be compared with its last drop yet.
	doubted bool
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
	before, known := w.seen[name]
	if before.copying != nil && !before.copied(now.Add(w.Settle)) {
		before.due = now.Add(w.Poll)
		return before
	}
	fresh := sighting{stamp: stamp, since: now, due: now.Add(w.Settle)}
	switch {
	case !known, before.doubted:
		met := w.meet(ctx, name, fresh, w.strange && (before.doubted || w.seen == nil))
		if !met.taken && !met.doubted && w.Whole != nil {
			if written := w.Whole(name); written != 0 {
				met = w.takeBeside(ctx, name, met, written)
			}
		}
		return met
	case before.stamp != stamp:
		inPlace := before.stamp.Inode == stamp.Inode && !before.taken
		fresh.grew = inPlace && (before.grew || before.stamp.Size > 0 && before.stamp.Size != stamp.Size)
		return fresh
	case before.taken || now.Before(before.due):
		return before
	}
	return w.takeStill(ctx, name, before, now)
}

// meet compares a file with its last drop: by their stamps, and by their bytes
// where it lay in another folder then.
func (w *Watcher) meet(ctx context.Context, name string, s sighting, elsewhere bool) sighting {
	last, err := w.Rows.Last(ctx, name)
	s.taken = err == nil && last.Stamp == s.stamp
	if err == nil && elsewhere && !s.taken && last.Generation != 0 && last.Stamp.Size == s.stamp.Size {
		if s.taken, err = w.holds(ctx, last); s.taken && err == nil {
			err = w.Rows.Restamp(ctx, last.Generation, s.stamp)
		}
		if s.taken && err == nil {
			w.recognized++
			w.Log.InfoContext(ctx, "known from where the inbox was before", "object", name, "generation", last.Generation)
		}
	}
	if err != nil {
		w.Log.ErrorContext(ctx, "cannot read what was taken before", "object", name, "error", err)
	}
	s.doubted = elsewhere && err != nil
	return s
}

// takeStill takes a file that has stood still, unless it must for longer.
func (w *Watcher) takeStill(ctx context.Context, name string, s sighting, now time.Time) sighting {
	end, err := w.Files.End(name)
	switch {
	case err != nil:
		w.Log.WarnContext(ctx, "cannot read a dropped file, trying again", "object", name, "error", err)
		s.due = now.Add(w.Settle)
		return s
	case end.Writers == Somebody:
		if !s.announced {
			w.Log.InfoContext(ctx, "waiting: a program has the file open for writing", "object", name)
		}
		s.announced, s.due = true, now.Add(w.Settle)
		return s
	}
	s.due = s.since.Add(w.stillness(ctx, name, s, end))
	if now.Before(s.due) {
		return s
	}
	return w.takeBeside(ctx, name, s, 0)
}

// takeBeside takes a file. A large one is copied beside the look, when it is its turn.
func (w *Watcher) takeBeside(ctx context.Context, name string, s sighting, written int64) sighting {
	if s.stamp.Size <= w.small {
		if s.taken, s.told = w.take(ctx, name, s, written); !s.taken {
			s.since = time.Now() // look again after the same time
			s.due = s.since.Add(w.Settle)
		}
		return s
	}
	select {
	case w.large <- struct{}{}:
	default:
		s.due = time.Now().Add(w.Poll)
		return s
	}
	s.copying = &copying{done: make(chan struct{})}
	w.under.Go(func() {
		defer func() { <-w.large }()
		defer close(s.copying.done)
		s.copying.taken, s.copying.told = w.take(ctx, name, s, written)
	})
	return s
}

// copied notes what became of a copy beside the look, once it is known.
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
	wait := w.Settle
	if _, isTable := table.ContentType(path.Base(name)); s.grew || isTable && end.InLine {
		wait *= patience
	}
	if end.Writers == Unknown {
		wait *= patience
		w.blind.Do(func() {
			w.Log.WarnContext(ctx, "this system does not say who has a file open here, so dropped files are taken once they have stood still for longer: copy a table under a name that ends in .part and rename it", "object", name, "seconds", wait.Seconds())
		})
	}
	return wait
}

// take copies the file, writes its row and starts delivering it: under the generation
// that it was written under, where that is known and no drop has it, so that who wrote
// it finds it again. It returns also whether somebody was told that it waits.
func (w *Watcher) take(ctx context.Context, name string, s sighting, written int64) (taken, told bool) {
	stamp := s.stamp
	if bucket.ValidateName(name) != nil {
		return w.refuse(ctx, name, stamp, BadName), s.told
	}
	known, err := w.isKnown(ctx, name, stamp)
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
		w.see(ctx, row)
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

// isKnown reports whether a file is the one that was taken last, with other
// permissions or another link, which makes it no new drop.
func (w *Watcher) isKnown(ctx context.Context, name string, stamp Stamp) (bool, error) {
	last, err := w.Rows.Last(ctx, name)
	if err != nil || !stamp.attributesOnly(last.Stamp) {
		return false, err
	}
	same, err := w.holds(ctx, last)
	if err != nil || !same {
		return false, err
	}
	return true, w.Rows.Restamp(ctx, last.Generation, stamp)
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
	last, err := w.Rows.Last(ctx, name)
	given := false
	if err == nil {
		given, err = w.Rows.Has(ctx, generation)
	}
	if err == nil && (given || generation <= last.Generation) {
		generation, err = w.last.next(ctx, w.Rows)
	}
	if err != nil {
		return Row{}, err
	}
	row := Row{Path: name, Stamp: stamp, Generation: generation}
	if _, _, err := w.Blobs.Ingest(ctx, name, folder.IngestOptions{Generation: generation, ContentType: ContentType(name)}); err != nil {
		return Row{}, err
	}
	if after, err := w.Files.Stamp(name); err != nil || after != stamp {
		return Row{}, errs.Wrap(errs.Stale, err, "%s changed while it was being copied.", name)
	}
	return row, w.Rows.Add(ctx, row)
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
	if tableType, isTable := table.ContentType(path.Base(name)); isTable {
		return tableType
	}
	if strings.EqualFold(path.Ext(name), ".json") {
		return "application/json"
	}
	return "application/octet-stream"
}
