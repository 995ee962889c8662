package execution_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/sqlitedb"
)

var everyCut = flag.Bool("every-cut", false, "cut SQLite's log after every frame of every commit and in the middle of each")

// A power cut in the middle of a commit leaves a part of what SQLite was
// appending to its log, or, after a checkpoint, was writing over its beginning;
// one in the middle of a checkpoint leaves some of its pages in the database.
// Wherever it is torn, the records are those of before the commit or of after
// it, and the life of the plan goes on to the same end.
func TestATornLogLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs beside it, and it is slow under the race detector")
	}
	for name, checkpoints := range map[string]bool{"appended to": false, "after a checkpoint": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tearLog(t, checkpoints)
		})
	}
}

func tearLog(t *testing.T, checkpoints bool) {
	s := open(t)
	planned := strings.Replace(planJSON, `"operations"`, `"approval": "always", "operations"`, 1)
	events := []execution.Event{s.drop(id+"/plan.json", planned), s.drop(id+"/p.csv", products)}
	watch := &watched{Store: s.store, shop: s, checkpoints: checkpoints}
	s.store, s.Ledger = watch, watch
	s.live(events)
	if len(watch.commits) < 12 {
		t.Fatalf("%d commits; want those of a whole life", len(watch.commits))
	}
	cuts := 0
	for i, c := range watch.commits {
		for _, torn := range c.torn() {
			cuts++
			left := filepath.Join(t.TempDir(), "left")
			linkTree(t, c.dir, left)
			writeState(t, left, torn.db, torn.log)
			after := reopen(t, left, s.clock.Now().Add(time.Hour))
			if now := after.records(); now != c.before && (now != c.after || !torn.whole) {
				t.Errorf("commit %d of %d, %s, leaves what never was:\n%s", i+1, len(watch.commits), torn.where, cmp.Diff(c.before, now))
			}
			after.live(events)
			after.undone()
			if t.Failed() {
				t.Fatalf("commit %d of %d, %s", i+1, len(watch.commits), torn.where)
			}
			after.store.(interface{ Close() error }).Close()
		}
	}
	t.Logf("%d commits, torn in %d places", len(watch.commits), cuts)
}

// live lets a plan be proposed, approved, applied and undone on its output, from
// wherever it stands.
func (s *shop) live(events []execution.Event) {
	s.t.Helper()
	for _, event := range events {
		s.handle(event)
	}
	if record := s.record(); record.Proposal != nil && record.Approval == nil {
		if err := s.approve(record.Proposal.ProposalSHA256); err != nil {
			s.t.Fatal(err)
		}
	}
	s.sweep()
	if record := s.record(); record.UndoneBy == "" && len(record.UndoDue) == 0 {
		undo := plans.New(s.undoPlan(undoesID))
		if _, err := ledger.Undo(s.t.Context(), s.store, id, undoesID, &undo.Record, s.clock.Now()); err != nil {
			s.t.Fatal(err)
		}
	}
	s.sweep()
}

const undoesID = "plan_undoes_v1"

// undone asserts what a life comes to.
func (s *shop) undone() {
	s.t.Helper()
	outputs := map[string]string{}
	for name, text := range s.files("outbox") {
		if strings.HasSuffix(name, ".csv") {
			outputs[name] = text
		}
	}
	if diff := cmp.Diff(map[string]string{id + "/p.csv": updated, undoesID + "/p.csv": products}, outputs); diff != "" {
		s.t.Errorf("the outputs (-want +got):\n%s", diff)
	}
	for _, id := range []string{id, undoesID} {
		record, err := s.store.Execution(s.t.Context(), id)
		audit, audited := s.store.Audit(s.t.Context(), id, 0)
		if err != nil || audited != nil || len(audit) != 1 || audit[0].Status != ledger.Completed || !record.DueAt.IsZero() {
			s.t.Errorf("%s: %+v, %v, outcomes %+v, %v", id, record, err, audit, audited)
		}
	}
}

// records is all that is stored of the life, as text.
func (s *shop) records() string {
	s.t.Helper()
	var text strings.Builder
	for _, id := range []string{id, undoesID} {
		plan, _ := s.store.Plan(s.t.Context(), id)
		record, _ := s.store.Execution(s.t.Context(), id)
		audit, _ := s.store.Audit(s.t.Context(), id, 0)
		changes, _ := s.store.Changes(s.t.Context(), id, paging.Page{})
		fmt.Fprintf(&text, "%s\n%s\n%s\n%d outcomes, %d changes\n", plan.SHA256, record.Status, record.Revision, len(audit), len(changes.Items))
	}
	return text.String()
}

// watched is a ledger whose commits are kept: the folders as they were at each,
// and SQLite's files before and after it.
type watched struct {
	ledger.Store
	shop        *shop
	checkpoints bool // one before each commit
	commits     []commit
}

type commit struct {
	dir            string
	before, after  string // the records
	unmoved        []byte // the database before the checkpoint
	db             []byte
	logBefore, log []byte
	from, to       int64 // what the commit wrote of the log
}

// torn are files that a power cut may leave.
type torn struct {
	where   string
	db, log []byte
	whole   bool // the commit is in them
}

// SQLite's log has a header, and a frame for each page that a commit writes.
const (
	walHeader = 32
	walPage   = 4096
	walFrame  = 24 + walPage
)

func (c commit) torn() (all []torn) {
	for _, at := range c.cuts() {
		log := append(c.log[:at:at], c.logBefore[min(at, int64(len(c.logBefore))):]...)
		all = append(all, torn{fmt.Sprintf("torn after %d of %d bytes", at-c.from, c.to-c.from), c.db, log, at >= c.to})
	}
	// Pages reach the disk in any order, and in parts.
	for keep := int64(walPage / 2); keep < int64(len(c.db)) && !bytes.Equal(c.db, c.unmoved); keep *= 2 {
		db := slices.Clone(c.db)
		for at := int64(0); at < int64(len(c.unmoved)); at += 2 * keep {
			copy(db[at:min(at+keep, int64(len(db)))], c.unmoved[at:])
		}
		all = append(all, torn{fmt.Sprintf("a checkpoint torn in stretches of %d bytes", keep), db, c.logBefore, false})
		if !*everyCut {
			break
		}
	}
	return all
}

// cuts are places in what the commit wrote of the log: at the ends of frames
// and within them.
func (c commit) cuts() (places []int64) {
	if c.from < walHeader {
		places = append(places, walHeader/2+4) // within the salt
	}
	for at := max(c.from, walHeader); at < c.to; at += walFrame {
		switch {
		case *everyCut:
			places = append(places, at, at+12, at+24+walPage/2, min(at+walFrame, c.to)-1)
		case at+walFrame >= c.to:
			places = append(places, at, at+24+walPage/2)
		}
	}
	return append(places, c.to)
}

func (w *watched) commit(write func() error) error {
	c := commit{before: w.shop.records(), unmoved: w.read("state.db")}
	c.logBefore = w.read("state.db-wal")
	c.from = int64(len(c.logBefore))
	if w.checkpoints {
		w.checkpoint()
		c.from = 0 // the next commit begins the log anew
	}
	c.db = w.read("state.db")
	err := write()
	c.log = w.read("state.db-wal")
	c.to = int64(len(c.log))
	for c.to > c.from && c.to <= int64(len(c.logBefore)) && c.log[c.to-1] == c.logBefore[c.to-1] {
		c.to--
	}
	if c.to > c.from {
		c.dir, c.after = filepath.Join(w.shop.t.TempDir(), "at"), w.shop.records()
		linkTree(w.shop.t, w.shop.dir, c.dir)
		w.commits = append(w.commits, c)
	}
	return err
}

// checkpoint moves all of the log into the database.
func (w *watched) checkpoint() {
	w.shop.t.Helper()
	db, err := sqlitedb.Open(w.shop.t.Context(), filepath.Join(w.shop.dir, "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		w.shop.t.Fatal(err)
	}
	defer db.Close()
	var busy, frames, moved int
	if err := db.QueryRow("PRAGMA wal_checkpoint(RESTART)").Scan(&busy, &frames, &moved); err != nil || busy != 0 || moved != frames {
		w.shop.t.Fatalf("checkpoint: %v; busy %d, moved %d of %d frames", err, busy, moved, frames)
	}
}

func (w *watched) read(name string) []byte {
	w.shop.t.Helper()
	content, err := os.ReadFile(filepath.Join(w.shop.dir, name))
	if err != nil {
		w.shop.t.Fatal(err)
	}
	return content
}

func writeState(t *testing.T, dir string, db, log []byte) {
	t.Helper()
	for name, content := range map[string][]byte{"state.db": db, "state.db-wal": log} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// linkTree links a folder's files, of which no byte changes once they are
// there, without the records.
func linkTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(from, path)
		switch {
		case err != nil || strings.HasPrefix(name, "state.db"):
			return err
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		return os.Link(path, filepath.Join(to, name))
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (w *watched) CreatePlan(ctx context.Context, plan plans.Record) error {
	return w.commit(func() error { return w.Store.CreatePlan(ctx, plan) })
}

func (w *watched) CreateExecution(ctx context.Context, first ledger.Execution) (e ledger.Execution, err error) {
	err = w.commit(func() error { e, err = w.Store.CreateExecution(ctx, first); return err })
	return e, err
}

func (w *watched) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (e ledger.Execution, err error) {
	err = w.commit(func() error { e, err = w.Store.UpdateExecution(ctx, next, with); return err })
	return e, err
}
