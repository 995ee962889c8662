package inbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sqlitedb"
)

// blobs remembers what it was told to keep.
type blobs struct {
	dir    string
	mu     sync.Mutex
	taken  map[int64]string // "name=content" by generation
	refuse error
	during func() // called while the bytes are read
}

func (b *blobs) Ingest(_ context.Context, name string, options folder.IngestOptions) (bucket.Object, fs.FileInfo, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refuse != nil {
		return bucket.Object{}, nil, b.refuse
	}
	data, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil {
		return bucket.Object{}, nil, err
	}
	if b.during != nil {
		b.during()
	}
	b.taken[options.Generation] = name + "=" + string(data)
	return bucket.Object{Name: name, Generation: options.Generation}, nil, nil
}

func (b *blobs) asBlobs() Blobs { return Blobs{Ingest: b.Ingest, Open: b.Open, Sweep: b.Sweep} }

// set makes every later copy fail with err, or none.
func (b *blobs) set(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refuse = err
}

func (b *blobs) Open(_ context.Context, name string, generation int64) (io.ReadCloser, bucket.Object, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	blob, found := b.taken[generation]
	if !found {
		return nil, bucket.Object{}, errs.New(errs.NotFound, "swept")
	}
	content := strings.TrimPrefix(blob, name+"=")
	var digest bucket.Digest
	_, _ = io.WriteString(&digest, content)
	return io.NopCloser(strings.NewReader(content)), bucket.Object{Name: name, Generation: generation, Size: digest.Size, CRC32C: digest.CRC32C}, nil
}

func (b *blobs) Sweep(_ context.Context, claimed func(string, int64) bool) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := len(b.taken)
	for generation, blob := range b.taken {
		name, _, _ := strings.Cut(blob, "=")
		if !claimed(name, generation) {
			delete(b.taken, generation)
		}
	}
	return before - len(b.taken), nil
}

// bench is a folder, its state file and what was delivered.
type bench struct {
	ingest    func(context.Context, string, folder.IngestOptions) (bucket.Object, fs.FileInfo, error) // nil is that of blobs
	admit     func(name string, size int64) Refusal
	told      []string // "name: why"
	watcher   *Watcher // the last that was run
	whole     func(name string) int64
	t         *testing.T
	dir       string
	files     Files
	log       strings.Builder
	db        *sql.DB
	blobs     *blobs
	mu        sync.Mutex
	refuse    error
	work      func(context.Context)
	delivered []string      // "path ordinal"
	ordinals  map[int64]int // of generations, as first delivered
	began     time.Time
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir := t.TempDir()
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return &bench{t: t, dir: dir, files: Disk(dir), db: db, blobs: &blobs{dir: dir, taken: map[int64]string{}}, ordinals: map[int64]int{}, began: time.Now()}
}

// drop writes a file of one line as cp does: in place, over what is there.
func (b *bench) drop(name, line string) {
	b.t.Helper()
	b.close(b.open(name, line+"\n"))
}

// open begins a file as cp does and leaves it open.
func (b *bench) open(name, content string) *os.File {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		b.t.Fatal(err)
	}
	b.write(file, content)
	return file
}

func (b *bench) write(file *os.File, content string) {
	b.t.Helper()
	if _, err := file.WriteString(content); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) close(file *os.File) {
	b.t.Helper()
	if err := file.Close(); err != nil {
		b.t.Fatal(err)
	}
}

// run starts a watcher and returns the function that stops it.
func (b *bench) run() (stop func()) {
	b.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	rows, err := NewRows(ctx, b.db)
	if err != nil {
		b.t.Fatal(err)
	}
	blobs := b.blobs.asBlobs()
	if b.ingest != nil {
		blobs.Ingest = b.ingest
	}
	tell := func(_ context.Context, name string, _ int64, why Refusal) error {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.told = append(b.told, name+": "+string(why))
		return nil
	}
	watcher := &Watcher{Files: b.files, Blobs: blobs, Admit: b.admit, Refuse: tell, Rows: rows, Whole: b.whole, Deliver: b.deliver, Grace: grace, Log: slog.New(slog.NewTextHandler(io.MultiWriter(b.t.Output(), &b.log), nil))}
	b.watcher = watcher
	done := make(chan error)
	go func() { done <- watcher.Run(ctx) }()
	return func() {
		cancel()
		if err := <-done; err != nil {
			b.t.Errorf("Run: %v", err)
		}
	}
}

// grace of the watchers here.
const grace = 5 * time.Second

func (b *bench) deliver(ctx context.Context, row Row) error {
	b.note(row)
	if b.work != nil {
		b.work(ctx)
	}
	return errors.Join(b.refuse, ctx.Err())
}

func (b *bench) note(row Row) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ordinals[row.Generation] == 0 {
		b.ordinals[row.Generation] = len(b.ordinals) + 1
	}
	b.delivered = append(b.delivered, fmt.Sprint(row.Path, " ", b.ordinals[row.Generation]))
}

// stored returns what the blobs hold, sorted, without the end of the last line.
func (b *bench) stored() []string {
	b.blobs.mu.Lock()
	defer b.blobs.mu.Unlock()
	kept := slices.Sorted(maps.Values(b.blobs.taken))
	for i := range kept {
		kept[i] = strings.TrimSuffix(kept[i], "\n")
	}
	return kept
}

// expect waits and compares what was delivered since the last call.
func (b *bench) expect(after time.Duration, want ...string) {
	b.t.Helper()
	time.Sleep(after) // a bubble's clock
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	if diff := cmp.Diff(want, b.delivered); diff != "" {
		b.t.Errorf("after %v, delivered (-want +got):\n%s", time.Since(b.began), diff)
	}
	b.delivered = nil
}

func TestADropIsTakenOnceItHasSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.run()()
		b.drop("plan_x_v1/p.csv", "one")
		b.expect(1500 * time.Millisecond)
		b.drop("plan_x_v1/p.csv", "two")
		b.expect(2 * time.Second) // the change was seen at 2 s
		b.expect(2*time.Second, "plan_x_v1/p.csv 1")
		if diff := cmp.Diff([]string{"plan_x_v1/p.csv=two"}, b.stored()); diff != "" {
			t.Errorf("blobs (-want +got):\n%s", diff)
		}
		b.expect(time.Hour)
	})
}

func TestTheSameBytesAgainAreANewUpload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.run()()
		b.drop("a/p.csv", "same")
		b.expect(10*time.Second, "a/p.csv 1")
		b.drop("a/p.csv", "same")
		b.expect(10*time.Second, "a/p.csv 2")
	})
}

func TestARestartAnnouncesNothingTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		stop := b.run()
		b.drop("a/p.csv", "one")
		b.expect(10*time.Second, "a/p.csv 1")
		stop()
		b.drop("b/q.csv", "while it was down")
		defer b.run()()
		b.expect(10*time.Second, "b/q.csv 2")
		b.expect(time.Hour)
	})
}

// In a copy of the folder every file looks new, and is known by its bytes, once.
func TestACopiedFolderAnnouncesNothingTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		stop := b.run()
		b.drop("a/p.csv", "one")
		b.expect(10*time.Second, "a/p.csv 1")
		b.drop("a/q.csv", "one")
		b.expect(10*time.Second, "a/q.csv 2")
		stop()
		b.dir = filepath.Join(t.TempDir(), "copy")
		b.blobs.dir, b.files = b.dir, Disk(b.dir)
		b.files.FS = &denied{FS: b.files.FS, name: "a/p.csv"}
		b.drop("a/p.csv", "one")
		b.drop("a/q.csv", "two")
		stop = b.run()
		b.expect(10*time.Second, "a/q.csv 3") // p.csv cannot be read at first
		b.drop("b/p.csv", "one")
		b.expect(10*time.Second, "b/p.csv 4")
		b.drop("a/q.csv", "two")
		b.expect(10*time.Second, "a/q.csv 5")
		stop()
		defer b.run()()
		b.drop("a/p.csv", "one")
		b.expect(10*time.Second, "a/p.csv 6") // the copy is the folder now
	})
}

// denied is a folder in which one file cannot be opened the first time.
type denied struct {
	fs.FS
	name string
}

func (d *denied) Open(name string) (fs.File, error) {
	if name == d.name {
		d.name = ""
		return nil, fs.ErrPermission
	}
	return d.FS.Open(name)
}

func TestWhatIsNotAcknowledgedIsDeliveredAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.refuse = errors.New("busy")
		b.drop("a/p.csv", "one")
		stop := b.run()
		b.expect(2500*time.Millisecond, "a/p.csv 1")          // at 2 s
		b.expect(time.Second, "a/p.csv 1")                    // 1 s later
		b.expect(2*time.Second, "a/p.csv 1")                  // 2 s later
		b.expect(4*time.Second, "a/p.csv 1")                  // 4 s later
		b.expect(8*time.Second+16*time.Second+32*time.Second, // 8, 16, 32 s later
			"a/p.csv 1", "a/p.csv 1", "a/p.csv 1")
		b.expect(2*time.Minute, "a/p.csv 1", "a/p.csv 1") // and every minute
		stop()
		b.refuse = nil
		defer b.run()()
		b.expect(0, "a/p.csv 1") // at once after a restart
		b.expect(time.Hour)
	})
}

func TestWhatIsNotADropIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		outside := filepath.Join(t.TempDir(), "secret.csv")
		if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
			t.Fatal(err)
		}
		b.drop("a/.hidden.csv", "x")
		b.drop("a/p.csv.part", "x")
		b.drop("a/P.CSV.PART", "x")
		b.drop(".git/p.csv", "x")
		b.drop("a/empty/folder/.keep", "")
		for _, link := range []string{"link.csv", "a/link.csv"} {
			if err := os.Symlink(outside, filepath.Join(b.dir, link)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(filepath.Dir(outside), filepath.Join(b.dir, "linked")); err != nil {
			t.Fatal(err)
		}
		defer b.run()()
		b.expect(time.Hour)
	})
}

func TestAFileAnywhereIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.drop("top.csv", "x")
		defer b.run()()
		b.expect(10*time.Second, "top.csv 1")
		b.drop("a/b/c/deep.csv", "x")
		b.expect(10*time.Second, "a/b/c/deep.csv 2")
	})
}

func TestAFileThatChangesWhileItIsCopiedIsNotAnnounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.drop("a/p.csv", "early")
		b.blobs.during = func() {
			b.drop("a/p.csv", "late.")
			b.blobs.during = nil
		}
		stop := b.run()
		b.expect(10*time.Second, "a/p.csv 1")
		stop()
		defer b.run()() // sweeps the copy that was made in vain
		b.expect(10 * time.Second)
		if diff := cmp.Diff([]string{"a/p.csv=late."}, b.stored()); diff != "" {
			t.Errorf("blobs (-want +got):\n%s", diff)
		}
	})
}

func TestAFailedCopyIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.blobs.set(errs.New(errs.Unavailable, "disk full"))
		b.drop("a/p.csv", "x")
		defer b.run()()
		b.expect(time.Minute)
		b.blobs.set(nil)
		b.expect(time.Minute, "a/p.csv 1")
	})
}

func TestGenerationsRiseThoughTheClockGoesBack(t *testing.T) {
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := NewRows(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	want := noon.UnixMicro()
	for _, now := range []time.Time{noon, noon.Add(-time.Hour), noon} {
		got, err := rows.Next(t.Context(), now)
		if err != nil || got != want {
			t.Fatalf("Next at %v: %d, %v; want %d", now, got, err, want)
		}
		if err := rows.add(t.Context(), Row{Path: "p", Generation: got}); err != nil {
			t.Fatal(err)
		}
		want++
	}
	if err := rows.add(t.Context(), Row{Path: "p", Generation: noon.UnixMicro()}); !errors.Is(err, errs.Conflict) {
		t.Errorf("a generation given out twice: %v, want Conflict", err)
	}
}

func TestManyDropsAreAllDeliveredAFewAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		for i := range 40 {
			b.drop(fmt.Sprintf("a/%02d.csv", i), "x")
		}
		var running, most, all atomic.Int32
		b.work = func(context.Context) {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second)
			running.Add(-1)
			all.Add(1)
		}
		defer b.run()()
		time.Sleep(time.Minute)
		if all.Load() != 40 || most.Load() != parallel {
			t.Errorf("%d delivered, at most %d at a time; want 40 and %d", all.Load(), most.Load(), parallel)
		}
	})
}

func TestStopLetsARunningDeliveryEnd(t *testing.T) {
	for name, test := range map[string]struct {
		takes time.Duration
		want  []string // delivered again after the restart
	}{
		"within the grace":     {takes: 3 * time.Second},
		"longer than it lasts": {takes: time.Hour, want: []string{"a/p.csv 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				b.drop("a/p.csv", "x")
				b.work = func(ctx context.Context) { pause(ctx, test.takes, nil) }
				stop := b.run()
				b.expect(2500*time.Millisecond, "a/p.csv 1")
				stopped := time.Now()
				stop()
				if took := time.Since(stopped); took > grace {
					t.Errorf("stopping took %v", took)
				}
				b.work = nil
				defer b.run()()
				b.expect(time.Minute, test.want...)
			})
		})
	}
}

func TestANameThatNoBucketTakesIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.drop("a/back\\slash.csv", "x")
		b.drop("a/control\x01.csv", "x")
		defer b.run()()
		b.expect(time.Hour)
	})
}

func TestStopBeforeItHasBegunIsNoFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		rows, err := NewRows(t.Context(), b.db)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := (&Watcher{Files: Disk(b.dir), Blobs: b.blobs.asBlobs(), Rows: rows, Deliver: b.deliver, Grace: grace, Log: slog.New(slog.DiscardHandler)}).Run(ctx); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

// logged returns how often the log says something.
func (b *bench) logged(text string) int { return strings.Count(b.log.String(), text) }

func TestAFileThatIsOpenForWritingIsNotTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.run()()
		writer := b.open("a/p.csv", "A1,12\nA2,1")
		b.expect(time.Hour)
		b.write(writer, "3\n")
		b.expect(time.Hour)
		b.close(writer)
		b.expect(3*time.Second, "a/p.csv 1")
		if diff := cmp.Diff([]string{"a/p.csv=A1,12\nA2,13"}, b.stored()); diff != "" {
			t.Errorf("blobs (-want +got):\n%s", diff)
		}
		if n := b.logged("waiting: a program has the file open"); n != 2 { // once for each length
			t.Errorf("said %d times that it waits", n)
		}
	})
}

func TestAnUnfinishedFileWaitsLonger(t *testing.T) {
	for name, drop := range map[string]func(b *bench){
		"a last row without an end": func(b *bench) { b.close(b.open("a/p.csv", "A1,12\nA2,1")) },
		"one in UTF-16":             func(b *bench) { b.close(b.open("a/p.csv", "A\x00\n\x001\x00")) },
		"nothing in it yet":         func(b *bench) { b.close(b.open("a/p.csv", "")) },
		"it grew": func(b *bench) {
			b.drop("a/p.csv", "A1,12")
			b.expect(settle / 2) // it is seen meanwhile
			b.drop("a/p.csv", "A1,12\nA2,13")
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				defer b.run()()
				synctest.Wait()
				drop(b)
				b.expect(patience * settle)
				b.expect(2*usualPoll, "a/p.csv 1")
			})
		})
	}
}

// What a program of ours put there whole is taken at the first look, whatever its end.
func TestWhatIsWholeIsTakenAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		const written = 7
		b.whole = func(name string) int64 {
			if name == "a/p.csv" {
				return written
			}
			return 0
		}
		defer b.run()()
		synctest.Wait()
		b.close(b.open("a/p.csv", "A1,12\nA2,1"))
		b.close(b.open("a/q.csv", "A1,12\nA2,1"))
		b.expect(usualPoll, "a/p.csv 1")
		if b.blobs.taken[written] == "" {
			t.Errorf("it is not taken under the generation that it was written under: %v", b.blobs.taken)
		}
	})
}

func TestALineEndInUTF16(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.close(b.open("a/little.csv", "A\x00\n\x00"))
		b.close(b.open("a/big.csv", "\x00A\x00\n"))
		defer b.run()()
		time.Sleep(settle + time.Second)
		if kept := b.stored(); len(kept) != 2 {
			t.Errorf("taken as soon as others: %q", kept)
		}
	})
}

// blind are files of which the system does not say who writes.
func blind(files Files) Files {
	seen := files.End
	files.End = func(name string) (End, error) {
		end, err := seen(name)
		end.Writers = unknown
		return end, err
	}
	return files
}

func TestWhereNobodySaysWhoWritesAFileStandsStillForLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.files = blind(b.files)
		b.drop("a/p.csv", "x")
		b.close(b.open("a/q.csv", "x"))
		defer b.run()()
		b.expect(patience*settle - 1)
		b.expect(time.Second, "a/p.csv 1")
		b.expect(patience*patience*settle - patience*settle - 2*time.Second)
		b.expect(2*time.Second, "a/q.csv 2")
		if n := b.logged("does not say who has a file open"); n != 1 {
			t.Errorf("said %d times that nobody says who writes", n)
		}
	})
}

func TestOtherPermissionsOrLinksAreNoNewDrop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		stop := b.run()
		b.drop("a/p.csv", "x")
		b.expect(10*time.Second, "a/p.csv 1")
		path := filepath.Join(b.dir, "a/p.csv")
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
		b.expect(time.Minute)
		stop()
		if err := os.Link(path, filepath.Join(t.TempDir(), "p.csv")); err != nil {
			t.Fatal(err)
		}
		stop = b.run()
		b.expect(time.Minute)
		stop()
		defer b.run()()
		b.expect(time.Minute) // nor are those that were noted
	})
}

func TestOtherBytesUnderAnOldTimeAreANewDrop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.run()()
		b.drop("a/p.csv", "one")
		b.expect(10*time.Second, "a/p.csv 1")
		path := filepath.Join(b.dir, "a/p.csv")
		before, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		b.drop("a/p.csv", "two")
		if err := errors.Join(os.Chtimes(path, before.ModTime(), before.ModTime()), os.Chmod(path, 0o600)); err != nil {
			t.Fatal(err)
		}
		b.expect(time.Minute, "a/p.csv 2")
	})
}

func TestALinkIsNamedInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.drop("elsewhere.part", "x")
		if err := os.Symlink("elsewhere.part", filepath.Join(b.dir, "link.csv")); err != nil {
			t.Fatal(err)
		}
		defer b.run()()
		b.expect(time.Minute)
		if n := b.logged("object=link.csv"); n != 1 {
			t.Errorf("the link was named %d times, want once", n)
		}
	})
}

// After a long time off a table comes first, and its plan lies beside it: taken
// before and not acknowledged, or not even taken.
func TestATableWaitsForItsPlan(t *testing.T) {
	for name, test := range map[string]struct {
		before, later func(b *bench)
	}{
		"taken with it": {func(b *bench) { b.drop("a/plan.json", "{}") }, func(*bench) {}},
		"dropped later": {func(*bench) {}, func(b *bench) { b.drop("a/plan.json", "{}") }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				b.refuse = errors.New("not yet")
				b.drop("a/p.csv", "x")
				test.before(b)
				stop := b.run()
				time.Sleep(2500 * time.Millisecond)
				stop()
				b.refuse, b.delivered = nil, nil
				clear(b.ordinals) // which of them was first before is the file system's clock's
				test.later(b)
				defer b.run()()
				b.expect(time.Minute, "a/plan.json 1", "a/p.csv 2")
			})
		})
	}
}

// large drops a file that is copied beside the look.
func (b *bench) large(name string) {
	b.t.Helper()
	file := b.open(name, "x\n")
	if err := file.Truncate(largeBytes + 1); err != nil {
		b.t.Fatal(err)
	}
	if _, err := file.WriteAt([]byte("\n"), largeBytes); err != nil {
		b.t.Fatal(err)
	}
	b.close(file)
}

// Those who drop small files do not wait while large ones are copied, and neither is
// taken twice.
func TestALargeDropHoldsUpNoSmallOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		kept := b.blobs.asBlobs()
		var copying atomic.Int32
		b.ingest = func(ctx context.Context, name string, options folder.IngestOptions) (bucket.Object, fs.FileInfo, error) {
			if strings.HasPrefix(name, "large/") {
				copying.Add(1)
				time.Sleep(time.Minute)
				copying.Add(-1)
			}
			return kept.Ingest(ctx, name, options)
		}
		b.large("large/a.csv")
		b.large("large/b.csv")
		b.large("large/c.csv")
		b.drop("small/p.csv", "x")
		defer b.run()()
		b.expect(4*time.Second, "small/p.csv 1")
		if copying := copying.Load(); copying != largeParallel {
			t.Errorf("%d large files are copied at a time, want %d", copying, largeParallel)
		}
		b.drop("small/q.csv", "x")
		b.expect(4*time.Second, "small/q.csv 2")
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		slices.Sort(b.delivered)
		if got := strings.Join(b.delivered, ", "); len(b.delivered) != 3 || !strings.Contains(got, "large/a.csv") || !strings.Contains(got, "large/b.csv") || !strings.Contains(got, "large/c.csv") {
			t.Errorf("delivered %s", got)
		}
		if len(b.blobs.taken) != 5 {
			t.Errorf("%d copies", len(b.blobs.taken))
		}
	})
}

// A large file that changes while it is copied is copied again, whole.
func TestALargeDropThatChangesIsCopiedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		kept := b.blobs.asBlobs()
		changed := false
		b.ingest = func(ctx context.Context, name string, options folder.IngestOptions) (bucket.Object, fs.FileInfo, error) {
			time.Sleep(time.Minute)
			if !changed {
				changed = true
				b.large("a/p.csv")
			}
			return kept.Ingest(ctx, name, options)
		}
		b.large("a/p.csv")
		defer b.run()()
		b.expect(70 * time.Second)
		b.expect(10*time.Minute, "a/p.csv 1")
	})
}

// What is too large is told by its size alone, once; what there is no room for waits,
// and is taken once there is.
func TestASizeIsCheckedBeforeAByteIsCopied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		var full atomic.Bool
		full.Store(true)
		b.admit = func(name string, _ int64) Refusal {
			switch {
			case name == "a/huge.csv":
				return TooLarge
			case full.Load():
				return NoRoom
			}
			return ""
		}
		b.large("a/huge.csv")
		b.drop("a/p.csv", "x")
		defer b.run()()
		b.expect(time.Hour)
		if diff := cmp.Diff([]string{"a/huge.csv: " + string(TooLarge), "a/p.csv: " + string(NoRoom)}, slices.Sorted(slices.Values(b.told))); diff != "" || len(b.blobs.taken) > 0 {
			t.Errorf("%d copies; told (-want +got):\n%s", len(b.blobs.taken), diff)
		}
		if got := b.watcher.Waiting(); !slices.Equal(got, []string{"a/p.csv"}) {
			t.Errorf("%q wait for room", got)
		}
		full.Store(false)
		b.expect(time.Minute, "a/p.csv 1")
		if got := b.watcher.Waiting(); len(got) > 0 {
			t.Errorf("%q still wait for room", got)
		}
	})
}

// A disk that gets full during the copy, or during what is done with it, is told too.
func TestAFullDiskIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.blobs.set(errs.Wrap(errs.Unavailable, syscall.ENOSPC, "the disk is full"))
		b.drop("a/p.csv", "x")
		defer b.run()()
		b.expect(time.Minute)
		b.blobs.set(nil)
		b.refuse = errs.Wrap(errs.Unavailable, syscall.ENOSPC, "the disk is full")
		b.drop("a/q.csv", "x")
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		told := slices.Sorted(slices.Values(b.told))
		if len(told) != 3 || told[0] != "a/p.csv: "+string(NoRoom) || told[2] != "a/q.csv: "+string(NoRoom) {
			t.Errorf("told %q", told)
		}
	})
}
