package tree_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/sync/errgroup"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/merkle"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/sqlitedb"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// records are a store and an audit folder with their tree.
type records struct {
	t     *testing.T
	dir   string
	store *sqlite.Store
	audit *folder.Bucket
	key   string
	log   *tree.Log
	next  int64
}

func open(t *testing.T) *records {
	t.Helper()
	r := &records{t: t, dir: t.TempDir()}
	var err error
	r.store, err = sqlite.Open(t.Context(), filepath.Join(r.dir, "state.db"), sqlitedb.Options{NoSync: true})
	must(t, err)
	t.Cleanup(func() { r.store.Close() })
	r.audit, err = folder.Open(filepath.Join(r.dir, "audit"), folder.Options{NoSync: true})
	must(t, err)
	t.Cleanup(func() { r.audit.Close() })
	r.key, err = tree.LocalKey(filepath.Join(r.dir, "key"))
	must(t, err)
	r.log, err = tree.New(r.store, r.audit, r.key)
	must(t, err)
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// end stores so many outcomes and returns them.
func (r *records) end(n int) (documents []ledger.AuditDocument) {
	r.t.Helper()
	for range n {
		r.next++
		source := ledger.Source{Upload: ledger.Upload{Bucket: "inbox", Object: "p.csv", Generation: r.next}, UploadedAt: noon}
		d := ledger.FailedDocument(ledger.Execution{ExecutionID: fmt.Sprintf("execution_%d", r.next%7), Source: source}, ledger.Failure{Code: "invalid_csv"},
			noon.Add(time.Duration(r.next)*time.Second), plans.Stored{})
		must(r.t, r.store.CreateOutcome(r.t.Context(), d))
		documents = append(documents, d)
	}
	return documents
}

// all checks everything and returns how many leaves there are.
func (r *records) all() (int, error) {
	r.t.Helper()
	checker, err := tree.NewChecker(r.t.Context(), r.store, r.audit, "")
	if err != nil {
		return 0, err
	}
	leaves, err := checker.All(r.t.Context())
	return len(leaves), err
}

func TestEveryOutcomeIsALeafOnce(t *testing.T) {
	r := open(t)
	var documents []ledger.AuditDocument
	for _, n := range []int{1, 1, 254, 3, 150, 400} { // over a tile's edge, and more than one commit takes
		documents = append(documents, r.end(n)...)
		must(t, r.log.Append(t.Context()))
	}
	if n, err := r.all(); err != nil || n != len(documents) {
		t.Fatalf("%d leaves, %v; want %d", n, err, len(documents))
	}
	checker, err := tree.NewChecker(t.Context(), r.store, r.audit, "")
	must(t, err)
	head, err := checker.Newest(t.Context())
	must(t, err)
	for i, d := range documents {
		must(t, checker.Includes(t.Context(), head, d))
		d.RowsChanged++
		if i%50 == 0 && checker.Includes(t.Context(), head, d) == nil {
			t.Errorf("document %d is a leaf with another content too", i)
		}
	}
	must(t, r.log.Append(t.Context())) // nothing is due
	if again, err := checker.Newest(t.Context()); err != nil || again != head {
		t.Errorf("the head is another though nothing was added (%v)", err)
	}
}

func TestManyAppendAtOnce(t *testing.T) {
	r := open(t)
	var group errgroup.Group
	for range 6 {
		r.end(40)
		for range 3 {
			group.Go(func() error { return r.log.Append(context.Background()) })
		}
	}
	must(t, group.Wait())
	must(t, r.log.Append(t.Context()))
	if n, err := r.all(); err != nil || n != 240 {
		t.Errorf("%d leaves, %v; want 240", n, err)
	}
}

// failing fails the call with a number, before it or after it was carried out.
type failing struct {
	merkle.LeafStore
	bucket.Bucket
	left  int
	after bool
}

var errCut = errs.New(errs.Unavailable, "cut")

func (f *failing) cut() bool { f.left--; return f.left == 0 }

func (f *failing) Grow(ctx context.Context, next merkle.Tree, leaves []merkle.Leaf) error {
	cut := f.cut()
	if cut && !f.after {
		return errCut
	}
	if err := f.LeafStore.Grow(ctx, next, leaves); err != nil || !cut {
		return err
	}
	return errCut
}

func (f *failing) Create(ctx context.Context, name string, options bucket.CreateOptions) (bucket.Upload, error) {
	upload, err := f.Bucket.Create(ctx, name, options)
	if err != nil || !f.cut() {
		return upload, err
	}
	if !f.after {
		upload.Abandon()
		return nil, errCut
	}
	return cutUpload{upload}, nil
}

// cutUpload becomes visible, and nobody hears of it.
type cutUpload struct{ bucket.Upload }

func (u cutUpload) Commit() (bucket.Object, error) {
	if _, err := u.Upload.Commit(); err != nil {
		return bucket.Object{}, err
	}
	return bucket.Object{}, errCut
}

// Wherever it is stopped, the next goes on: no number is left out or given
// twice.
func TestItGoesOnWhereItWasStopped(t *testing.T) {
	step := 1
	if testing.Short() { // nothing runs beside it, and it is slow under the race detector
		step = 7
	}
	for _, after := range []bool{false, true} {
		for at, reached := 1, true; reached; at += step {
			r := open(t)
			documents := r.end(3)
			must(t, r.log.Append(t.Context()))
			documents = append(documents, r.end(256)...)
			f := &failing{r.store, r.audit, at, after}
			log, err := tree.New(f, f, r.key)
			must(t, err)
			if err := log.Append(t.Context()); err != nil && !errors.Is(err, errs.Unavailable) {
				t.Fatal(err)
			}
			reached = f.left <= 0
			documents = append(documents, r.end(2)...)
			must(t, r.log.Append(t.Context()))
			if n, err := r.all(); err != nil || n != len(documents) {
				t.Fatalf("stopped at call %d (after it: %v): %d leaves, %v; want %d", at, after, n, err, len(documents))
			}
		}
	}
}

func TestWhatWasSignedCannotBeChanged(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, r *records){
		"a leaf's hash": func(t *testing.T, r *records) {
			r.exec(`UPDATE leaves SET hash = (SELECT hash FROM leaves WHERE number = 1) WHERE number = 5`)
		},
		"a leaf more": func(t *testing.T, r *records) {
			r.exec(`INSERT INTO leaves SELECT 12, execution_id, 'another', hash FROM leaves WHERE number = 11`)
		},
		"a leaf less":   func(t *testing.T, r *records) { r.exec(`DELETE FROM leaves WHERE number = 5`) },
		"the last leaf": func(t *testing.T, r *records) { r.exec(`DELETE FROM leaves WHERE number = 11`) },
		"two leaves": func(t *testing.T, r *records) {
			r.exec(`UPDATE leaves SET number = CASE number WHEN 3 THEN 104 ELSE 103 END WHERE number IN (3, 4)`)
		},
		"the size":        func(t *testing.T, r *records) { r.exec(`UPDATE tree SET size = 11`) },
		"an older head":   func(t *testing.T, r *records) { r.exec(`UPDATE tree SET size = 6, published = 6`) },
		"a tile":          func(t *testing.T, r *records) { r.edit("log/tile/8/0/000.p/6") },
		"the first head":  func(t *testing.T, r *records) { r.edit(tree.HeadObject(6)) },
		"the newest head": func(t *testing.T, r *records) { r.edit(tree.HeadObject(12)) },
		"an older head in the records": func(t *testing.T, r *records) {
			older, err := os.ReadFile(filepath.Join(r.dir, "audit", tree.HeadObject(6)))
			must(t, err)
			r.exec(`UPDATE tree SET head = '` + string(older) + `'`)
		},
		"records of an earlier state": func(t *testing.T, r *records) {
			older, err := os.ReadFile(filepath.Join(r.dir, "audit", tree.HeadObject(6)))
			must(t, err)
			r.exec(`UPDATE tree SET size = 6, published = 6, head = '` + string(older) + `'`)
			r.exec(`DELETE FROM leaves WHERE number >= 6`)
		},
		"a head in an older one's place": func(t *testing.T, r *records) {
			newest, err := os.ReadFile(filepath.Join(r.dir, "audit", tree.HeadObject(12)))
			must(t, err)
			older := filepath.Join(r.dir, "audit", tree.HeadObject(6))
			must(t, os.Remove(older))
			must(t, os.WriteFile(older, newest, 0o600))
		},
		"a head is missing": func(t *testing.T, r *records) { must(t, os.Remove(filepath.Join(r.dir, "audit", tree.HeadObject(6)))) },
	} {
		t.Run(name, func(t *testing.T) {
			r := open(t)
			for range 2 {
				r.end(6)
				must(t, r.log.Append(t.Context()))
			}
			if n, err := r.all(); err != nil || n != 12 {
				t.Fatalf("%d leaves, %v", n, err)
			}
			change(t, r)
			if n, err := r.all(); err == nil {
				t.Errorf("it is not found: %d leaves", n)
			}
		})
	}
}

// A document is the leaf that the records say it is, or none.
func TestTheRecordsNameAnotherLeaf(t *testing.T) {
	r := open(t)
	documents := r.end(6)
	must(t, r.log.Append(t.Context()))
	checker, err := tree.NewChecker(t.Context(), r.store, r.audit, "")
	must(t, err)
	head, err := checker.Newest(t.Context())
	must(t, err)
	must(t, checker.Includes(t.Context(), head, documents[5]))
	r.exec(`UPDATE leaves SET hash = (SELECT hash FROM leaves WHERE number = 1) WHERE number = 5`)
	if err := checker.Includes(t.Context(), head, documents[5]); errs.KindOf(err) != errs.Internal {
		t.Errorf("Includes: %v", err)
	}
}

// A head that is gone is not called another one.
func TestTheNewestHeadIsGone(t *testing.T) {
	r := open(t)
	r.end(6)
	must(t, r.log.Append(t.Context()))
	checker, err := tree.NewChecker(t.Context(), r.store, r.audit, "")
	must(t, err)
	must(t, os.Remove(filepath.Join(r.dir, "audit", tree.HeadObject(6))))
	if _, err := checker.Newest(t.Context()); errs.KindOf(err) != errs.NotFound {
		t.Errorf("Newest: %v", err)
	}
	must(t, r.store.Close())
	if head, err := checker.Newest(t.Context()); errs.KindOf(err) != errs.Internal {
		t.Errorf("Newest of records that cannot be read: %+v, %v", head, err)
	}
}

// A head that somebody edited in the records, or a tile, is followed by none.
func TestWhatWasEditedIsNotFollowed(t *testing.T) {
	r := open(t)
	r.end(6)
	must(t, r.log.Append(t.Context()))
	r.exec(`UPDATE tree SET head = 'edited'`)
	r.end(1)
	if err := r.log.Append(t.Context()); errs.KindOf(err) != errs.Internal {
		t.Errorf("Append: %v", err)
	}
	r = open(t)
	r.end(6)
	must(t, r.log.Append(t.Context()))
	r.edit("log/tile/8/0/000.p/6")
	r.end(1)
	if err := r.log.Append(t.Context()); errs.KindOf(err) != errs.Internal || !strings.Contains(errs.Message(err), "do not have the signed hash") {
		t.Errorf("Append behind a tile that is edited: %v", err)
	}
	if tiles, err := filepath.Glob(filepath.Join(r.dir, "audit", "log/tile/8/0/*/*")); len(tiles) != 1 {
		t.Errorf("it has written tiles all the same: %v, %v", tiles, err)
	}
}

// A signed head that follows itself would be followed for ever.
func TestAHeadFollowsASmallerOne(t *testing.T) {
	r := open(t)
	r.end(6)
	must(t, r.log.Append(t.Context()))
	signed, err := os.ReadFile(filepath.Join(r.dir, "audit", tree.HeadObject(6)))
	must(t, err)
	lines := strings.Split(string(signed), "\n")
	for previous, ok := range map[string]bool{"-1": false, "0": true, "5": true, "6": false} {
		lines[3] = previous
		signed, err := note.Sign(&note.Note{Text: strings.Join(lines[:4], "\n") + "\n"}, r.log.Signer)
		must(t, err)
		if _, err := tree.OpenHead(string(signed), r.log.Key); (err == nil) != ok {
			t.Errorf("6 leaves after %s: %v", previous, err)
		}
	}
}

// shortPages gives fewer leaves than it is asked for.
type shortPages struct{ merkle.LeafStore }

func (s shortPages) Leaves(ctx context.Context, from int64, n int) ([]merkle.Leaf, error) {
	return s.LeafStore.Leaves(ctx, from, min(n, 2))
}

func TestLeavesComeInPages(t *testing.T) {
	r := open(t)
	r.end(11)
	log, err := tree.New(shortPages{r.store}, r.audit, r.key)
	must(t, err)
	must(t, log.Append(t.Context()))
	checker, err := tree.NewChecker(t.Context(), shortPages{r.store}, r.audit, "")
	must(t, err)
	if leaves, err := checker.All(t.Context()); err != nil || len(leaves) != 11 || leaves[10].Number != 10 {
		t.Errorf("%d leaves, %v", len(leaves), err)
	}
	tree.Report(t.Context(), nil, nil) // nothing to report needs no log
}

// silent is a store that does not answer.
type silent struct{ merkle.LeafStore }

func (silent) Tree(context.Context) (merkle.Tree, error) {
	return merkle.Tree{}, errs.New(errs.Unavailable, "no answer")
}

// TestLeftoversAreReported: what passes by itself is no alert, what is
// wrong is one at once.
func TestLeftoversAreReported(t *testing.T) {
	r := open(t)
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	alerts := func() int { return strings.Count(out.String(), "alert=tree_behind") }
	broken, err := tree.New(silent{r.store}, r.audit, r.key)
	must(t, err)
	for range 9 {
		tree.Report(t.Context(), log, broken.Append(t.Context()))
	}
	if alerts() != 0 || strings.Count(out.String(), "no answer") != 9 {
		t.Errorf("after nine times: %s", out.String())
	}
	tree.Report(t.Context(), log, broken.Append(t.Context()))
	if alerts() != 1 {
		t.Errorf("after ten times: %s", out.String())
	}
	tree.Report(t.Context(), log, errs.New(errs.Internal, "another hash"))
	if alerts() != 2 {
		t.Errorf("of what does not pass: %s", out.String())
	}
}

func (r *records) exec(statement string) {
	r.t.Helper()
	db, err := sqlitedb.Open(r.t.Context(), filepath.Join(r.dir, "state.db"), sqlitedb.Options{NoSync: true})
	must(r.t, err)
	defer db.Close()
	_, err = db.ExecContext(r.t.Context(), statement)
	must(r.t, err)
}

// edit flips one bit in an object and in what the bucket notes of it.
func (r *records) edit(name string) {
	r.t.Helper()
	path := filepath.Join(r.dir, "audit", filepath.FromSlash(name))
	data, err := os.ReadFile(path)
	must(r.t, err)
	data[len(data)/2] ^= 1
	must(r.t, os.Remove(path))
	must(r.t, os.WriteFile(path, data, 0o600))
}

func TestALocalKeyIsMadeOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	var keys [8]string
	var group errgroup.Group
	for i := range keys {
		group.Go(func() (err error) { keys[i], err = tree.LocalKey(path); return err })
	}
	must(t, group.Wait())
	for _, key := range keys {
		if strings.TrimSpace(key) != strings.TrimSpace(keys[0]) {
			t.Error("two keys were made")
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v; want mode 0600", info.Mode(), err)
	}
	if key, err := tree.LocalKey(filepath.Join(t.TempDir(), "missing", "key")); err == nil {
		t.Errorf("a key that is kept nowhere: %q", key)
	}
	must(t, os.WriteFile(path, []byte("PRIVATE+KEY+broken\n"), 0o600))
	key, err := tree.LocalKey(path)
	must(t, err)
	if _, err := tree.New(nil, nil, key); !errors.Is(err, errs.Invalid) {
		t.Errorf("a damaged key: %v, want Invalid", err)
	}
	if public, err := tree.PublicKey(key); !errors.Is(err, errs.Invalid) {
		t.Errorf("of a damaged key: %q, %v, want Invalid", public, err)
	}
}
