package tree_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/merkle"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/sqlitedb"
)

// openLog proves the log with the public key and no records.
func (r *records) openLog() (*tree.SignedLog, error) {
	r.t.Helper()
	public, err := tree.PublicKey(r.key)
	must(r.t, err)
	return tree.OpenLog(os.DirFS(filepath.Join(r.dir, "audit", "log")), public)
}

func figures(log *tree.SignedLog) string {
	if log == nil {
		return "no log"
	}
	return fmt.Sprintf("%d heads, %d leaves, %d epochs, %d lost", log.Heads, log.Size, log.Epochs, log.Lost)
}

func has(log *tree.SignedLog, d ledger.AuditDocument) bool {
	return log.Has(bytes.TrimSuffix(d.Line(), []byte("\n")))
}

func TestALogIsProvenWithoutRecords(t *testing.T) {
	r := open(t)
	var documents []ledger.AuditDocument
	for _, n := range []int{300, 5, 1} {
		documents = append(documents, r.end(n)...)
		must(t, r.log.Append(t.Context()))
	}
	log, err := r.openLog()
	if err != nil || log.Heads != 5 || log.Size != 306 || log.Epochs != 1 || log.Lost != 0 { // 100 a head
		t.Fatalf("%s, %v", figures(log), err)
	}
	for i, d := range documents {
		if !has(log, d) {
			t.Fatalf("document %d is not in it", i)
		}
	}
	forged := documents[7]
	forged.RowsChanged = 5
	if has(log, forged.Chained(forged.PreviousSHA256)) || log.Has(nil) {
		t.Error("what nobody signed is in it")
	}
}

func TestAnEditedLogIsFound(t *testing.T) {
	for what, edit := range map[string]func(r *records){
		"a head":               func(r *records) { r.edit(tree.HeadObject(300)) },
		"the newest head":      func(r *records) { r.edit(tree.HeadObject(305)) },
		"a head that is gone":  func(r *records) { r.remove(tree.HeadObject(300)) },
		"a head of other name": func(r *records) { r.rename(tree.HeadObject(300), tree.HeadObject(299)) },
		"a tile":               func(r *records) { r.edit("log/tile/8/0/000") },
		"a tile that is gone":  func(r *records) { r.remove("log/tile/8/0/001.p/49") },
	} {
		t.Run(what, func(t *testing.T) {
			r := open(t)
			r.end(300)
			must(t, r.log.Append(t.Context()))
			r.end(5)
			must(t, r.log.Append(t.Context()))
			edit(r)
			if _, err := r.openLog(); errs.KindOf(err) != errs.Internal {
				t.Errorf("got %v, want Internal", err)
			}
		})
	}
}

func (r *records) path(object string) string {
	return filepath.Join(r.dir, "audit", filepath.FromSlash(object))
}

func (r *records) remove(object string) {
	r.t.Helper()
	must(r.t, os.Remove(r.path(object)))
}

func (r *records) rename(from, to string) {
	r.t.Helper()
	must(r.t, os.Rename(r.path(from), r.path(to)))
}

func TestALogOfAnotherKeyIsRefused(t *testing.T) {
	r := open(t)
	if _, err := r.openLog(); errs.KindOf(err) != errs.NotFound {
		t.Errorf("without a head: %v", err)
	}
	r.end(1)
	must(t, r.log.Append(t.Context()))
	other, err := tree.Generate()
	must(t, err)
	public, err := tree.PublicKey(other)
	must(t, err)
	log := os.DirFS(filepath.Join(r.dir, "audit", "log"))
	if _, err := tree.OpenLog(log, public); errs.KindOf(err) != errs.Internal {
		t.Errorf("another key: %v", err)
	}
	if _, err := tree.OpenLog(log, "none"); errs.KindOf(err) != errs.Invalid {
		t.Errorf("no key: %v", err)
	}
}

// restored is a store after a restore: its tree begins an epoch.
type restored struct {
	*sqlite.Store
	after string
}

func (s restored) Tree(ctx context.Context) (merkle.Tree, error) {
	found, err := s.Store.Tree(ctx)
	found.Epoch, found.After = 1, s.after
	return found, err
}

// After a restore a new epoch has what is left. It names the last head of the one
// before, so that a later head cannot be taken away with what it signed.
func TestALogOfTwoEpochs(t *testing.T) {
	r := open(t)
	r.end(3)
	must(t, r.log.Append(t.Context()))
	lost := r.end(2)
	must(t, r.log.Append(t.Context()))
	last, err := r.store.Tree(t.Context())
	must(t, err)
	head, err := tree.OpenHead(last.Head, r.log.Key)
	must(t, err)

	anew, err := sqlite.Open(t.Context(), filepath.Join(r.dir, "restored.db"), sqlitedb.Options{NoSync: true})
	must(t, err)
	defer anew.Close()
	r.store, r.next = anew, 0
	kept := r.end(3)
	log, err := tree.New(restored{anew, fmt.Sprintf("epoch 1 after epoch 0 size 5 root %s", head.Hash)}, r.audit, r.key)
	must(t, err)
	log.Epoch = 1
	must(t, log.Append(t.Context()))

	signed, err := r.openLog()
	if err != nil || signed.Heads != 3 || signed.Size != 3 || signed.Epochs != 2 || signed.Lost != 2 || !has(signed, lost[1]) || !has(signed, kept[0]) {
		t.Fatalf("%s, %v", figures(signed), err)
	}
	r.remove(tree.HeadObject(5))
	if _, err := r.openLog(); errs.KindOf(err) != errs.Internal {
		t.Errorf("without the last head of the epoch before: %v", err)
	}
}
