package inbox

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/sqlitedb"
)

var schedules = flag.Int("schedules", 150, "how many random schedules the simulation plays")

// TestSimulation plays random schedules of writers, power cuts and restarts
// against the watcher. It never takes what somebody is still writing, and takes
// every file that is finished exactly once.
func TestSimulation(t *testing.T) {
	for seed := range uint64(*schedules) {
		if wrong := simulate(t, seed, nil); len(wrong) > 0 {
			t.Fatalf("schedule %d:\n%s", seed, strings.Join(wrong, "\n"))
		}
	}
}

// TestTheSimulationFinds gives the watcher wrong answers, one kind at a time,
// and expects the simulation to find what comes of it.
func TestTheSimulationFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("what runs side by side, TestSimulation has under the race detector")
	}
	for name, mutant := range map[string]mutant{
		"nobody is seen writing":     {end: func(e *End) { e.Writers = nobody }, want: "nobody ended with"},
		"no change times":            {stamp: func(s *Stamp) { s.CTime = 0 }, want: "never taken"},
		"no inodes and change times": {stamp: func(s *Stamp) { s.Inode, s.CTime = 0, 0 }, want: "never taken"},
		"a copy is not noticed":      {folder: func(f *Folder, _ int64) { f.Inode = 1 }, want: "taken twice"},
		"every start finds a copy":   {folder: func(f *Folder, started int64) { f.Born = started }, want: "never taken"},
		"no permissions and links":   {stamp: func(s *Stamp) { s.Mode, s.Links = 0, 0 }, want: "taken twice"},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(500) {
				wrong := simulate(t, seed, mutant.lying)
				if slices.ContainsFunc(wrong, func(w string) bool { return strings.Contains(w, mutant.want) }) {
					return
				}
			}
			t.Errorf("500 schedules found nothing that was %q", mutant.want)
		})
	}
}

// mutant makes some answers of files wrong.
type mutant struct {
	stamp  func(*Stamp)
	end    func(*End)
	folder func(*Folder, int64)
	want   string
}

func (m mutant) lying(files Files) Files {
	since, honest := time.Now().UnixNano(), files
	if m.folder != nil {
		files.Folder = func() (Folder, error) {
			found, err := honest.Folder()
			m.folder(&found, since)
			return found, err
		}
	}
	if m.stamp != nil {
		files.Stamp = func(name string) (Stamp, error) {
			stamp, err := honest.Stamp(name)
			m.stamp(&stamp)
			return stamp, err
		}
	}
	if m.end != nil {
		files.End = func(name string) (End, error) {
			end, err := honest.End(name)
			m.end(&end)
			return end, err
		}
	}
	return files
}

// simulate plays one schedule, with the watcher's files as given, and returns
// what went wrong.
func simulate(t *testing.T, seed uint64, files func(Files) Files) (wrong []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), fmt.Sprint(seed, ".db"))
	synctest.Test(t, func(t *testing.T) {
		db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		rows, err := NewRows(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		s := &schedule{t: t, world: newWorld(), rows: rows, seen: files, random: rand.New(rand.NewPCG(seed, 1)), beside: seed%2 == 1}
		s.play()
		wrong = s.world.wrong
	})
	return wrong
}

// schedule is one life of the world.
type schedule struct {
	t      *testing.T
	world  *world
	rows   *Rows
	seen   func(Files) Files
	random *rand.Rand
	writes int
	beside bool // copies are made beside the look
}

func (s *schedule) one(in int) bool { return s.random.IntN(in) == 0 }

// pause lets time pass: from moments to longer than anything waits for.
func (s *schedule) pause() {
	longest := []time.Duration{time.Millisecond, time.Second, 5 * time.Second, 90 * time.Second}[s.random.IntN(4)]
	time.Sleep(time.Duration(s.random.Int64N(int64(longest))) + 1)
}

// play is a time of writers, then quiet until all is settled.
func (s *schedule) play() {
	w := s.world
	w.leases = !s.one(4)
	cuts, busy, slow := rand.New(rand.NewPCG(s.random.Uint64(), 2)), rand.New(rand.NewPCG(s.random.Uint64(), 3)), rand.New(rand.NewPCG(s.random.Uint64(), 4))
	var quiet atomic.Bool
	w.cut = func() bool { return !quiet.Load() && cuts.IntN(8) == 0 }
	var drawing sync.Mutex // copies are made side by side
	w.pausing = func() {
		drawing.Lock()
		wait := time.Duration(slow.Int64N(int64(2 * time.Second)))
		drawing.Unlock()
		time.Sleep(wait)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for s.t.Context().Err() == nil && !s.live(func() bool { return !quiet.Load() && busy.IntN(4) == 0 }) {
			time.Sleep(3 * time.Second)
		}
	}()
	synctest.Wait()
	for range 12 {
		s.act()
		s.pause()
	}
	quiet.Store(true)
	for _, n := range w.names {
		for n.open > 0 {
			w.do(func() { w.close(n) })
		}
	}
	time.Sleep(10 * time.Minute)
	synctest.Wait()
	w.settled(func(name string) int64 { return s.last(name).Generation })
	quit := w.die
	w.die = nil
	quit()
	<-ended
}

// live is a watcher from its start to its death. It reports whether that was
// the end of the schedule.
func (s *schedule) live(busy func() bool) (over bool) {
	w := s.world
	w.mu.Lock()
	life, die := context.WithCancel(context.Background())
	w.die = die
	w.mu.Unlock()
	files := Files{FS: w, Stamp: w.Stamp, Folder: w.Folder, End: w.End}
	if s.seen != nil {
		files = s.seen(files)
	}
	watcher := &Watcher{
		Files: files, Blobs: Blobs{Ingest: w.Ingest, Open: w.openBlob, Sweep: w.Sweep}, Rows: s.rows, Log: logging.Discard,
		Deliver: func(_ context.Context, row Row) error { return w.deliver(life, row, busy()) },
	}
	if s.beside {
		watcher.copies.small = -1 // every file is a large one
	}
	if err := watcher.Run(life); err != nil {
		s.t.Error(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.die == nil
}

// names that writers use: two tables, what is ignored, and another folder.
var names = []string{"a/p.csv", "b/q.csv", "a/.hidden.csv", "a/p.csv.part", "../outside.csv"}

func (s *schedule) name() string { return names[s.random.IntN(len(names))] }

// act does one thing that people and programs do to a folder.
func (s *schedule) act() {
	w := s.world
	name, other := s.name(), s.name()
	n := w.names[name]
	known, err := s.rows.folder(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	w.do(func() { w.moving = known.Inode != w.folder })
	switch s.random.IntN(12) {
	case 0, 1, 2:
		s.write(name, true)
	case 3:
		s.write(name, false)
	case 4: // written aside and moved there, by a writer that may not have ended
		n := s.write(name+".part", true)
		w.do(func() {
			if w.names[name+".part"] == n {
				w.bind(name, n)
				w.unbind(name + ".part")
			}
		})
	case 5:
		if n != nil && name != other {
			w.do(func() { w.bind(other, n); w.unbind(name) })
		}
	case 6:
		if n != nil && w.names[other] != n {
			w.do(func() { w.bind(other, n) })
		}
	case 7:
		if n != nil {
			w.do(func() { n.stamp.Mode++; w.touched(n) })
		}
	case 8:
		s.rewrite(n)
	case 9:
		w.do(func() { w.powerCut(func(most int) int { return s.random.IntN(most + 1) }) })
	case 10: // the machine is stopped, and started with a copy of the folder
		w.do(func() {
			w.powerCut(func(most int) int { return s.random.IntN(most + 1) })
			w.moving = true
			w.copyFolder(s.one(2))
		})
	case 11:
		s.dropAgain(name)
	}
}

// dropAgain puts another file with the same bytes and time into the place of one.
func (s *schedule) dropAgain(name string) {
	w := s.world
	w.do(func() {
		if n := w.names[name]; n != nil && n.open == 0 {
			again := w.open(name+".part", true)
			w.set(again, n.content)
			again.synced, again.stamp.MTime = n.content, n.stamp.MTime
			w.close(again)
			w.bind(name, again)
			w.unbind(name + ".part")
		}
	})
}

// last is the last drop of a name.
func (s *schedule) last(name string) Row {
	row, err := s.rows.last(context.Background(), name)
	if err != nil {
		s.t.Error(err)
	}
	return row
}

// write opens a file and writes rows in pieces that break anywhere, pausing
// between them. It may leave the file open, to be closed or written by nobody.
func (s *schedule) write(name string, truncate bool) *node {
	w := s.world
	var n *node
	w.do(func() { n = w.open(name, truncate) })
	for range 1 + s.random.IntN(4) {
		s.pause()
		w.do(func() {
			if n.open > 0 { // no power cut has ended it
				s.writes++
				w.set(n, n.content+fmt.Sprintf("A%d,%d%s", s.writes, s.random.IntN(1e6), []string{"", "\n", "\n"}[s.random.IntN(3)]))
				if s.one(2) {
					n.synced = n.content
				}
			}
		})
	}
	if s.one(3) {
		return n
	}
	s.pause()
	w.do(func() {
		if n.open > 0 {
			w.close(n)
		}
	})
	return n
}

// rewrite puts other bytes of the same length into a file at once, and the old
// time back.
func (s *schedule) rewrite(n *node) {
	w := s.world
	if n == nil || n.content == "" {
		return
	}
	w.do(func() {
		mtime := n.stamp.MTime
		s.writes++
		w.set(n, (fmt.Sprintf("B%d", s.writes) + n.content)[:len(n.content)])
		n.stamp.MTime = mtime
		if n.open == 0 {
			w.ended(n)
		}
	})
}
