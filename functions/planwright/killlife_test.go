package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
)

// planLife is the life of one plan over livedTable: its terms, what somebody
// asks for as it goes on, the steps after which a server is killed, and what
// must come of it.
type planLife struct {
	terms   func() string // of the plan, as JSON
	ask     func(stands) (method, body string)
	edited  string   // a table that is dropped for the undo once somebody has asked for it
	steps   []string // lines of the log, in their order
	status  map[string]ledger.Status
	outputs map[string]string // by execution id
	stale   int64             // rows that the undo leaves
}

// stands is how the planner shows an execution.
type stands struct {
	Status   ledger.Status
	Proposal *struct {
		SHA256      string `json:"proposal_sha256"`
		ApprovalDue bool   `json:"approval_due"`
	}
	Approval *ledger.Approval
	UndoneBy string           `json:"undone_by"`
	UndoDue  []ledger.UndoDue `json:"undo_due"`
}

const (
	livedID  = "plan_lived_v1"
	undoneID = livedID + "_undo"

	livedTable  = goodTable + "A102,fitness,10.00,true\nA103,fitness,20.00,true\nA104,fitness,30.00,true\n"
	livedRaised = raised + "A102,fitness,11.00,true\nA103,fitness,22.00,true\nA104,fitness,33.00,true\n"
	livedEdits  = "A102,fitness,9.99,true\nA103,fitness,25.00,true\nA104,fitness,33.33,true\n"
)

var planLives = map[string]planLife{
	"approved": {
		terms: func() string { return `"approval": "always",` },
		ask: func(e stands) (string, string) {
			if e.Proposal != nil && e.Approval == nil {
				return "approve", fmt.Sprintf(`{"proposal_sha256": %q}`, e.Proposal.SHA256)
			}
			return "", ""
		},
		steps:   []string{"plan stored", "claim", "proposed", "approved", "claim", "sealed", "published", "completed"},
		status:  map[string]ledger.Status{livedID: ledger.Completed},
		outputs: map[string]string{livedID: livedRaised},
	},
	"rejected": {
		terms: func() string { return `"approval": "always",` },
		ask: func(e stands) (string, string) {
			if e.Proposal != nil {
				return "reject", fmt.Sprintf(`{"proposal_sha256": %q, "reason": "Too much."}`, e.Proposal.SHA256)
			}
			return "", ""
		},
		steps:  []string{"claim", "proposed", "rejected"},
		status: map[string]ledger.Status{livedID: ledger.Failed},
	},
	"undone": {
		terms: func() string { return "" },
		ask: func(e stands) (string, string) {
			if e.Status == ledger.Completed && e.UndoneBy == "" && len(e.UndoDue) == 0 {
				return "undo", `{"table": "output"}`
			}
			return "", ""
		},
		steps:   []string{"completed", "undo", "claim", "sealed", "published", "completed"},
		status:  map[string]ledger.Status{livedID: ledger.Completed, undoneID: ledger.Completed},
		outputs: map[string]string{livedID: livedRaised, undoneID: livedTable},
	},
	"undone on a table edited since": {
		terms: func() string { return "" },
		ask: func(e stands) (string, string) {
			if e.Status == ledger.Completed && e.UndoneBy == "" {
				return "undo", `{"table": "upload"}`
			}
			return "", ""
		},
		edited:  raised + livedEdits,
		steps:   []string{"completed", "undo", "taken", "claim", "sealed", "published", "completed"},
		status:  map[string]ledger.Status{livedID: ledger.Completed, undoneID: ledger.Completed},
		outputs: map[string]string{livedID: livedRaised, undoneID: goodTable + livedEdits},
		stale:   3,
	},
	"scheduled and reverted": {
		terms: func() string {
			in := func(d time.Duration) string { return time.Now().Add(d).Format(time.RFC3339) }
			return fmt.Sprintf(`"apply_at": %q, "revert_at": %q,`, in(6*time.Second), in(8*time.Second))
		},
		ask:     func(stands) (string, string) { return "", "" },
		steps:   []string{"claim", "proposed", "sealed", "published", "completed", "claim", "sealed", "published", "completed"},
		status:  map[string]ledger.Status{livedID: ledger.Completed, undoneID: ledger.Completed},
		outputs: map[string]string{livedID: livedRaised, undoneID: livedTable},
	},
}

// TestKilledAtEveryStepOfALife kills the servers of one folder with SIGKILL,
// each right after the next step in the life of a plan; with more -kills also
// at lines of their logs and moments that a seed draws. The outcome is the one that the
// life has without a kill, and all of it is verified.
func TestKilledAtEveryStepOfALife(t *testing.T) {
	t.Parallel()
	for name, life := range planLives {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(*seed, 1))
			for killed, round := 0, 0; round == 0 || killed < *kills-12; round++ {
				c := &campaign{t: t, data: t.TempDir(), killed: map[string]int{}}
				c.begin(life)
				if round == 0 {
					for _, step := range life.steps {
						if c.isOver(life) { // on a slow machine more happens before a kill
							break
						}
						c.lifeUntil(life, `"message":"`+step+`"`, 1, 10*time.Second, step)
					}
				} else {
					for range 4 + rng.IntN(8) {
						c.lifeUntil(life, `"message"`, 1+rng.IntN(24), time.Duration(rng.IntN(4000))*time.Millisecond, "some line")
					}
				}
				c.end(life)
				killed += c.total()
				t.Logf("killed after: %v", c.killed)
			}
		})
	}
}

func (c *campaign) begin(life planLife) {
	write(c.t, filepath.Join(c.data, emulator.InboxName, livedID, "p.csv"), livedTable)
	text := strings.NewReplacer("plan_fitness_v1", livedID, `"operations":`, life.terms()+`"operations":`).Replace(goodPlan)
	write(c.t, filepath.Join(c.data, emulator.InboxName, livedID, "plan.json"), text)
}

// lifeUntil runs a server, and asks it for what is due, until it is killed at
// the nth line that holds mark, or later than that.
func (c *campaign) lifeUntil(life planLife, mark string, nth int, limit time.Duration, reason string) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), limit)
	defer cancel()
	cmd := program(ctx, c.t, "serve", "--data", c.data, "--port", "0")
	watched := &assassin{mark: []byte(mark), nth: nth, kill: cancel}
	cmd.Stderr = watched
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		c.t.Fatal(err)
	}
	first, _ := bufio.NewReader(stdout).ReadString('\n') // none, where it was killed before
	_, address, _ := strings.Cut(strings.TrimSpace(first), " on ")
	for again := time.NewTicker(25 * time.Millisecond); ctx.Err() == nil; <-again.C {
		c.askServer(ctx, address, life)
	}
	if err := cmd.Wait(); !killedBySignal(err) {
		c.t.Fatalf("the server ended by itself: %v\n%s", err, watched.log.String())
	}
	if watched.nth > 0 {
		reason = "some time"
	}
	c.died(reason)
}

// askServer asks for what is due; whether the server lives to answer does not
// matter.
func (c *campaign) askServer(ctx context.Context, address string, life planLife) {
	call := func(method, path, body string) (answer stands, done bool) {
		request, err := http.NewRequestWithContext(ctx, method, address+"/planner/v1/executions/"+livedID+path, strings.NewReader(body))
		if err != nil {
			return answer, false
		}
		request.Header.Set("Content-Type", "application/json")
		got, err := http.DefaultClient.Do(request)
		if err != nil {
			return answer, false
		}
		defer got.Body.Close()
		return answer, json.NewDecoder(got.Body).Decode(&answer) == nil && got.StatusCode < 300
	}
	e, found := call(http.MethodGet, "", "")
	if !found {
		return
	}
	method, body := life.ask(e)
	if method == "" {
		return
	}
	_, done := call(http.MethodPost, ":"+method, body)
	path := filepath.Join(c.data, emulator.InboxName, undoneID, "p.csv")
	if _, err := os.Stat(path); done && life.edited != "" && err != nil {
		write(c.t, path, life.edited)
	}
}

// end lets a last server finish, and checks what came of the life.
func (c *campaign) end(life planLife) {
	c.t.Helper()
	s := start(c.t, c.data)
	eventually(c.t, "the life has come to its end", func() bool {
		c.askServer(c.t.Context(), s.address, life)
		return c.isOver(life)
	})
	path := filepath.Join(c.data, emulator.StateName)
	store, err := sqlite.Open(c.t.Context(), path, sqlite.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	defer store.Close()
	for id, status := range life.status {
		audit, err := store.Audit(c.t.Context(), id, 0)
		if err != nil || len(audit) != 1 || audit[0].Status != status {
			c.t.Errorf("%s has the outcomes %+v, %v; want one, %s", id, audit, err, status)
		} else if id == undoneID && audit[0].Summary.RowsStale != life.stale {
			c.t.Errorf("%s left %d rows that were changed since, want %d", id, audit[0].Summary.RowsStale, life.stale)
		}
	}
	files, err := filepath.Glob(filepath.Join(c.data, emulator.OutboxName, "*", "*.csv"))
	if err != nil || len(files) != len(life.outputs) {
		c.t.Errorf("the outputs are %v, %v; want %d", files, err, len(life.outputs))
	}
	for id, want := range life.outputs {
		if got := read(c.t, filepath.Join(c.data, emulator.OutboxName, id, "p.csv")); got != want {
			c.t.Errorf("the output of %s is %q, want %q", id, got, want)
		}
	}
	if code, stdout, stderr := cli(c.t, "verify", "--db", path, "--all"); code != exitDone {
		c.t.Errorf("verify: exit code %d\n%s%s", code, stdout, stderr)
	}
	if notices, err := filepath.Glob(filepath.Join(c.data, emulator.OutboxName, livedID, "p.csv.failed-*.txt")); err != nil || (len(notices) == 1) != (life.status[livedID] == ledger.Failed) {
		c.t.Errorf("the notices of a failure: %v, %v", notices, err)
	}
}

// isOver reports whether all has come of a life that is to come of it.
func (c *campaign) isOver(life planLife) bool {
	c.t.Helper()
	store, err := sqlite.Open(c.t.Context(), filepath.Join(c.data, emulator.StateName), sqlite.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	defer store.Close()
	for id, status := range life.status {
		record, err := store.Execution(c.t.Context(), id)
		if err != nil || record.Status != status || !record.DueAt.IsZero() {
			return false
		}
	}
	return c.count(`SELECT count(*) FROM inbox WHERE acknowledged_at IS NULL`) == 0
}
