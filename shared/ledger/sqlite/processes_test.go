package sqlite_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"golang.org/x/sync/errgroup"
)

const claimed = 40 // executions that the processes race for

// TestProcesses lets processes race for executions in one file, which they
// meet while it has no tables yet: each execution has one winner.
func TestProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	outputs := make([][]byte, 3)
	var processes errgroup.Group
	for i := range outputs {
		processes.Go(func() (err error) {
			command := exec.Command(os.Args[0], "-test.run=^TestClaimant$", "-test.v")
			command.Env = append(os.Environ(), "CLAIM_IN="+path)
			outputs[i], err = command.CombinedOutput()
			return err
		})
	}
	err := processes.Wait()
	winners := map[string]int{}
	for _, output := range outputs {
		if err != nil {
			t.Errorf("%v: %s", err, output)
		}
		for line := range strings.Lines(string(output)) {
			if id, won := strings.CutPrefix(strings.TrimSpace(line), "won "); won {
				winners[id]++
			}
		}
	}
	if len(winners) != claimed {
		t.Errorf("%d executions were won, want %d", len(winners), claimed)
	}
	for id, n := range winners {
		if n != 1 {
			t.Errorf("%s was won %d times", id, n)
		}
	}
}

// TestClaimant is one of the processes.
func TestClaimant(t *testing.T) {
	path := os.Getenv("CLAIM_IN")
	if path == "" {
		t.Skip("runs as a process of TestProcesses")
	}
	store := open(t, path)
	var group errgroup.Group
	group.SetLimit(8)
	for i := range claimed {
		group.Go(func() error {
			id := fmt.Sprintf("plan_number_%d", i)
			claim, err := ledger.Acquire(t.Context(), store, ledger.ClaimRequest{
				ExecutionID: id, Source: upload(1), Holder: fmt.Sprint(os.Getpid()), Now: noon, LeaseUntil: noon.Add(time.Minute)})
			if claim.Lease != nil {
				fmt.Println("won", id)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}
