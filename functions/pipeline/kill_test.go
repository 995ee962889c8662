package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution/ranges"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
)

// command is the driver as a process, with its workers as processes of their own.
func (s *testShop) command() *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	return exec.Command(self, "--data", s.at.Data, "--ranges=8", "--workers=2", demoTable)
}

// workersOf returns the processes that a process has started.
func workersOf(pid int) (workers []int) {
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, task := range tasks {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				workers = append(workers, child)
			}
		}
	}
	return workers
}

// TestKilled kills drivers and workers at random moments. Whatever was killed,
// nothing is visible that was not sealed, and in the end it is done, once.
func TestKilled(t *testing.T) {
	whole := newShop(t, true)
	whole.execute(nil)
	const output = outboxName + "/" + demoID + "/products.csv"
	const changes = auditName + "/changes/" + demoID + ".jsonl"
	want := whole.published()
	random := rand.New(rand.NewPCG(3, uint64(*kills)))
	usual := 2 * time.Second // a run's length, as the last whole one took
	for done := 0; done < *kills; {
		s := newShop(t, true)
		for completed := false; !completed; {
			completed = s.runAndKill(random, &usual, &done)
			got, record := s.published(), s.record()
			if sealed := record.Seal != nil; !sealed && len(got) > 0 {
				t.Fatalf("visible before the seal: %d objects", len(got))
			}
			for _, name := range []string{output, changes} {
				if text, there := got[name]; there && text != want[name] {
					t.Fatalf("%s has other bytes than it must", name)
				}
			}
		}
		got := s.published()
		if got[output] != want[output] || got[changes] != want[changes] || len(got) != len(want) {
			t.Fatal("completed with other objects than those of one run")
		}
		outcomes, err := s.ledger.Audit(t.Context(), demoID, 100)
		if err != nil || len(outcomes) != 1 || outcomes[0].Status != ledger.Completed {
			t.Fatalf("%d outcomes, %v", len(outcomes), err)
		}
		s.proven()
	}
}

// parts returns the folders of parts that are there.
func (s *testShop) parts() (found []string) {
	for _, name := range []string{outboxName, auditName} {
		there, err := filepath.Glob(filepath.Join(s.at.Data, name, ranges.Folder, "*"))
		if err != nil {
			s.t.Fatal(err)
		}
		found = append(found, there...)
	}
	return found
}

func (s *testShop) record() ledger.Execution {
	s.t.Helper()
	record, err := s.ledger.Execution(s.t.Context(), demoID)
	if err != nil && errs.KindOf(err) != errs.NotFound {
		s.t.Fatal(err)
	}
	return record
}

// runAndKill starts the driver, kills it or one of its workers at a random
// moment, and reports whether the driver came to its end all the same.
func (s *testShop) runAndKill(random *rand.Rand, usual *time.Duration, done *int) bool {
	s.t.Helper()
	if _, err := s.ledger.(*sqlite.Store).ExpireLeases(s.t.Context(), time.Now()); err != nil {
		s.t.Fatal(err)
	}
	completed := s.record().Status == ledger.Completed
	driver := s.command()
	var said bytes.Buffer
	driver.Stderr = &said
	begun := time.Now()
	if err := driver.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- driver.Wait() }()
	var err error
	select {
	case err = <-ended:
		if !completed { // else there was nothing left but a head to sign
			*usual = time.Since(begun)
		}
	case <-time.After(time.Duration(random.Int64N(int64(*usual)))):
		victim := driver.Process.Pid
		if workers := workersOf(victim); len(workers) > 0 && random.IntN(2) == 0 {
			victim = workers[random.IntN(len(workers))]
		}
		if syscall.Kill(victim, syscall.SIGKILL) == nil {
			*done++
		}
		if err = <-ended; victim == driver.Process.Pid {
			return false // completed or not: the audit document's head may be missing
		}
	}
	if err != nil {
		s.t.Fatalf("the driver gave up: %v\n%s", err, said.String())
	}
	return true
}
