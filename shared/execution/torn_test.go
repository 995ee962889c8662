package execution_test

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
)

var everyCut = flag.Bool("every-cut", false, "cut SQLite's log after every frame of every commit and in the middle of each")

// A power cut in the middle of a commit leaves a part of what SQLite was
// appending to its log. Wherever it is torn, the records are those of before
// the commit or of after it, and the life of the plan goes on to the same end.
func TestATornLogLosesNothing(t *testing.T) {
	s := open(t)
	planned := strings.Replace(planJSON, `"operations"`, `"approval": "always", "operations"`, 1)
	events := []execution.Event{s.drop(id+"/plan.json", planned), s.drop(id+"/p.csv", products)}
	watch := &watched{Store: s.store, shop: s}
	s.store, s.Ledger = watch, watch
	s.live(events)
	if len(watch.commits) < 12 {
		t.Fatalf("%d commits; want those of a whole life", len(watch.commits))
	}
	cuts := 0
	for i, c := range watch.commits {
		for _, size := range c.cuts() {
			cuts++
			left := filepath.Join(t.TempDir(), "left")
			linkTree(t, c.dir, left)
			if err := os.Truncate(filepath.Join(left, "state.db-wal"), size); err != nil {
				t.Fatal(err)
			}
			after := reopen(t, left, s.clock.Now().Add(time.Hour))
			if now := after.records(); now != c.before && (now != c.after || size < c.to) {
				t.Errorf("commit %d of %d, torn after %d of %d bytes, leaves what never was:\n%s", i+1, len(watch.commits), size-c.from, c.to-c.from, cmp.Diff(c.before, now))
			}
			after.live(events)
			after.undone()
			if t.Failed() {
				t.Fatalf("commit %d of %d, torn after %d of %d bytes", i+1, len(watch.commits), size-c.from, c.to-c.from)
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
		undo := ledger.NewStoredPlan(ledger.UndoPlan(id, undoesID, *record.Seal, s.clock.Now()))
		if _, err := ledger.Undo(s.t.Context(), s.store, id, undoesID, &undo.PlanRecord, s.clock.Now()); err != nil {
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
	for _, one := range []string{id, undoesID} {
		record, err := s.store.Execution(s.t.Context(), one)
		audit, audited := s.store.Audit(s.t.Context(), one, 0)
		if err != nil || audited != nil || len(audit) != 1 || audit[0].Status != ledger.Completed || !record.DueAt.IsZero() {
			s.t.Errorf("%s: %+v, %v, outcomes %+v, %v", one, record, err, audit, audited)
		}
	}
}

// records is all that is stored of the life, as text.
func (s *shop) records() string {
	s.t.Helper()
	var text strings.Builder
	for _, one := range []string{id, undoesID} {
		plan, _ := s.store.Plan(s.t.Context(), one)
		record, _ := s.store.Execution(s.t.Context(), one)
		audit, _ := s.store.Audit(s.t.Context(), one, 0)
		changes, _ := s.store.Changes(s.t.Context(), one, ledger.Page{})
		fmt.Fprintf(&text, "%s\n%s\n%s\n%d outcomes, %d changes\n", plan.SHA256, record.Status, record.Revision, len(audit), len(changes.Changes))
	}
	return text.String()
}

// watched is a ledger whose commits are kept: the folders as they were at each,
// and where SQLite's log ended before and after it.
type watched struct {
	ledger.Store
	shop    *shop
	commits []commit
}

type commit struct {
	dir           string
	from, to      int64
	before, after string // the records
}

// SQLite's log has a header, and a frame for each page that a commit writes.
const (
	walHeader = 32
	walFrame  = 24 + 4096
)

// cuts are sizes of the log that the commit may leave: at the ends of frames
// and within them.
func (c commit) cuts() (sizes []int64) {
	from := max(c.from, walHeader)
	for at := from; at < c.to; at += walFrame {
		switch {
		case *everyCut:
			sizes = append(sizes, at, at+12, at+24+2048, min(at+walFrame, c.to)-1)
		case at+walFrame >= c.to:
			sizes = append(sizes, at, at+24+2048)
		}
	}
	return append(sizes, c.to)
}

func (w *watched) commit(write func() error) error {
	before, from := w.shop.records(), w.logSize()
	err := write()
	if to := w.logSize(); to > from {
		dir := filepath.Join(w.shop.t.TempDir(), "at")
		linkTree(w.shop.t, w.shop.dir, dir)
		w.commits = append(w.commits, commit{dir, from, to, before, w.shop.records()})
	}
	return err
}

// linkTree copies the database, and links all else, of which no byte changes
// once it is there.
func linkTree(t *testing.T, from, to string) {
	t.Helper()
	copyTree(t, from, to, func(name string) bool { return name != "state.db" && name != "state.db-wal" })
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), "state.db") {
			return err
		}
		name, _ := filepath.Rel(from, path)
		return os.Link(path, filepath.Join(to, name))
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (w *watched) logSize() int64 {
	info, err := os.Stat(filepath.Join(w.shop.dir, "state.db-wal"))
	if err != nil {
		w.shop.t.Fatal(err)
	}
	return info.Size()
}

func (w *watched) CreatePlan(ctx context.Context, plan ledger.PlanRecord) error {
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
