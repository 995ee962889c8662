package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/ledger"
)

// Output, changes and audit are those of the executor, to the byte, whatever the
// ranges and the processes.
func TestSameBytes(t *testing.T) {
	for _, wide := range []bool{false, true} {
		whole := newShop(t, wide)
		whole.execute(nil)
		want := whole.published()
		for _, f := range []flags{
			{runner: "prism", ranges: 1}, {runner: "prism", ranges: 3}, {runner: "prism", ranges: 8}, {runner: "prism", ranges: 8, workers: 3},
		} {
			t.Run(fmt.Sprintf("wide %v, %d ranges, %d processes", wide, f.ranges, f.workers), func(t *testing.T) {
				s := newShop(t, wide)
				s.execute(&f)
				if diff := cmp.Diff(want, s.published()); diff != "" {
					t.Errorf("published (-by the executor +in ranges):\n%s", diff)
				}
				s.proven()
			})
		}
	}
}

// What the executor refuses for its size goes through here, under the same id,
// and a second time is found done.
func TestRefusedForItsSize(t *testing.T) {
	s := newShop(t, true)
	x := s.executor()
	x.Limits.TableBytes = 1000
	event, err := s.event(t.Context(), s.object)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Handle(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if refused := s.record(); refused.Status != ledger.Failed || !strings.Contains(refused.Error.Message, "planwright-pipeline --runner=dataflow gs://") {
		t.Fatalf("refused: %+v", refused)
	}
	f := flags{runner: "prism", ranges: 3}
	s.execute(&f)
	s.proven()
	if done := s.record(); done.Status != ledger.Completed || done.Source.Reads() != s.object.Generation || done.Source.Generation == s.object.Generation {
		t.Errorf("completed: %+v", done)
	}
	s.execute(&f)
	outcomes, err := s.ledger.Audit(t.Context(), demoID, 10)
	if err != nil || len(outcomes) != 2 || outcomes[0].Status != ledger.Completed || outcomes[1].Code() != "too_large" {
		t.Errorf("%d outcomes, %v", len(outcomes), err)
	}
}

// The command says what came of it, and leaves no part behind.
func TestCommand(t *testing.T) {
	s := newShop(t, false)
	said, err := s.command().Output()
	if err != nil || !strings.HasPrefix(string(said), "completed "+demoID) {
		t.Fatalf("%q, %v", said, err)
	}
	if parts := s.parts(); len(parts) > 0 {
		t.Errorf("parts are left: %v", parts)
	}
	begun := time.Now()
	said, err = s.command().Output()
	if err != nil || !strings.HasPrefix(string(said), "completed "+demoID) && !strings.HasPrefix(string(said), "skipped "+demoID) {
		t.Fatalf("again, after %s: %q, %v", time.Since(begun), said, err)
	}
}

// What is carried out is a copy of the file, which is read whatever becomes of
// the file, and which is found again as long as the file is the same.
func TestTheTableIsCopied(t *testing.T) {
	s := newShop(t, false)
	again, err := s.find(t.Context(), demoTable)
	if err != nil || again.Generation != s.object.Generation {
		t.Fatalf("generation %d, then %d, %v", s.object.Generation, again.Generation, err)
	}
	if err := os.WriteFile(filepath.Join(s.at.Data, demoTable), []byte("sku,category,price\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	in, copied, err := s.Inbox.Open(t.Context(), s.object.Name, s.object.Generation)
	if err != nil || copied.Size != s.object.Size {
		t.Fatalf("%+v, %v", copied, err)
	}
	in.Close()
	if other, err := s.find(t.Context(), demoTable); err != nil || other.Generation == s.object.Generation || other.Size != 19 {
		t.Errorf("another file: %+v, %v", other, err)
	}
}
