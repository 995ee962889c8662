package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/sqlitedb"
)

var (
	kills = flag.Int("kills", 8, "how often to kill a server")
	seed  = flag.Uint64("seed", 1, "decides what is dropped, and when servers are killed")
)

// crashPoints are the lines of the server's log after which it is killed: each
// is written right after a durable step. Most lives of a server take one as
// their end, the others a moment of their own.
var crashPoints = []string{"taken", "claim", "applying", "sealed", "published", "completed", "failed", "skipped: the execution has completed already", "plan stored"}

// TestKilledAgainAndAgainItLosesNothing kills servers of one folder with
// SIGKILL while uploads pour in. After each kill the database is whole and no
// output is half visible; in the end every upload has its one outcome and
// every execution is verified.
func TestKilledAgainAndAgainItLosesNothing(t *testing.T) {
	t.Parallel()
	c := &campaign{t: t, data: t.TempDir(), rng: rand.New(rand.NewPCG(*seed, 0)), drops: map[string][]string{}, killed: map[string]int{}, whole: map[string]bool{}}
	for c.total() < *kills {
		c.pour()
		for c.due() > 0 && c.total() < *kills {
			c.life()
		}
	}
	s := start(t, c.data)
	eventually(t, "everything is taken and acknowledged", func() bool {
		return c.count(`SELECT count(*) FROM inbox WHERE acknowledged_at IS NOT NULL`) == c.uploads()+len(c.drops)
	})
	s.stop()
	clear(c.whole)
	c.checkOutputs()
	c.checkOutcomes()
	t.Logf("seed %d: %d kills of a server, %d uploads; killed after: %v", *seed, c.total(), c.uploads(), c.killed)
}

// campaign is what was dropped into one folder, and how its servers ended.
type campaign struct {
	t      *testing.T
	data   string
	rng    *rand.Rand
	drops  map[string][]string // contents, by execution id
	killed map[string]int      // by crash point
	whole  map[string]bool     // outputs that have been checked
}

func (c *campaign) total() int {
	n := 0
	for _, count := range c.killed {
		n += count
	}
	return n
}

func (c *campaign) uploads() int {
	n := 0
	for _, contents := range c.drops {
		n += len(contents)
	}
	return n
}

// pour lets a server take a batch of uploads and then kills it. What it has
// taken is due at once in every later life.
func (c *campaign) pour() {
	c.t.Helper()
	s := start(c.t, c.data)
	for range 16 {
		c.drop()
	}
	eventually(c.t, "the batch is taken", func() bool { return c.count(`SELECT count(*) FROM inbox`) == c.uploads()+len(c.drops) })
	s.kill()
	c.died("a whole batch was taken")
}

// drop puts one more plan and the uploads for it into the inbox.
func (c *campaign) drop() {
	id := fmt.Sprintf("plan_killed_%d_v1", len(c.drops))
	for file := range 1 + c.rng.IntN(3) {
		content := c.content()
		c.drops[id] = append(c.drops[id], content)
		write(c.t, filepath.Join(c.data, emulator.InboxName, id, fmt.Sprintf("p%d.csv", file)), content)
	}
	write(c.t, filepath.Join(c.data, emulator.InboxName, id, "plan.json"), strings.Replace(goodPlan, "plan_fitness_v1", id, 1))
}

// content is a table: mostly a good one, from one row to some 10,000.
func (c *campaign) content() string {
	switch c.rng.IntN(8) {
	case 0:
		return badRow
	case 1, 2, 3:
		return "sku,category,price,in_stock\n" + strings.Repeat("A101,fitness,29.99,true\n", 1+c.rng.IntN(20_000))
	default:
		return "sku,category,price,in_stock\n" + strings.Repeat("A101,fitness,29.99,true\n", 1+c.rng.IntN(20))
	}
}

// life runs a server until it is killed: at a line of its log, or some time
// after it was started where that comes first. More is dropped meanwhile.
func (c *campaign) life() {
	c.t.Helper()
	reason, limit := crashPoints[c.rng.IntN(len(crashPoints))], 4*time.Second
	if c.rng.IntN(5) == 0 {
		reason, limit = "no line", time.Duration(c.rng.IntN(1500))*time.Millisecond
	}
	ctx, cancel := context.WithTimeout(c.t.Context(), limit)
	defer cancel()
	cmd := program(ctx, c.t, "serve", "--data", c.data, "--port", "0")
	watched := &assassin{mark: []byte(`"message":"` + reason + `"`), nth: 1 + c.rng.IntN(3), kill: cancel}
	cmd.Stderr = watched
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.drop()
	if err := cmd.Wait(); !killedBySignal(err) {
		c.t.Fatalf("the server ended by itself: %v\n%s", err, watched.log.String())
	}
	if watched.nth > 0 {
		reason = "some time"
	}
	c.died(reason)
}

func killedBySignal(err error) bool {
	exit, ok := err.(*exec.ExitError)
	return ok && !exit.Exited()
}

// died counts a kill and checks what must hold at any time.
func (c *campaign) died(reason string) {
	c.t.Helper()
	c.killed[reason]++
	db, err := sqlitedb.Open(c.t.Context(), filepath.Join(c.data, emulator.StateName), sqlitedb.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	defer db.Close()
	var integrity string
	if err := db.QueryRowContext(c.t.Context(), `PRAGMA integrity_check`).Scan(&integrity); err != nil || integrity != "ok" {
		c.t.Fatalf("after a kill the database is damaged: %s, %v", integrity, err)
	}
	c.checkOutputs()
}

// checkOutputs: what is visible is whole, and made of one of its uploads.
func (c *campaign) checkOutputs() {
	c.t.Helper()
	for id, contents := range c.drops {
		outputs, err := filepath.Glob(filepath.Join(c.data, emulator.OutboxName, id, "*.csv"))
		if err != nil || len(outputs) > 1 {
			c.t.Fatalf("%s has the outputs %v, %v", id, outputs, err)
		}
		for _, output := range outputs {
			if c.whole[output] {
				continue
			}
			c.whole[output] = true
			got := read(c.t, output)
			if !slices.ContainsFunc(contents, func(in string) bool { return in != badRow && got == strings.ReplaceAll(in, "29.99", "32.99") }) {
				c.t.Fatalf("%s of %d bytes is the output of none of its uploads", output, len(got))
			}
		}
	}
}

// checkOutcomes: one outcome for each upload, none twice; completed once where
// there was a good upload; and what verify says of it.
func (c *campaign) checkOutcomes() {
	c.t.Helper()
	path := filepath.Join(c.data, emulator.StateName)
	store, err := sqlite.Open(c.t.Context(), path, sqlite.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	defer store.Close()
	for _, id := range slices.Sorted(maps.Keys(c.drops)) {
		audit, err := store.Audit(c.t.Context(), id, 0)
		if err != nil {
			c.t.Fatal(err)
		}
		got, want := map[ledger.Status]int{}, wantOutcomes(c.drops[id], audit)
		for _, document := range audit {
			got[document.Status]++
		}
		if !maps.Equal(got, want) {
			c.t.Errorf("%s: %d uploads have the outcomes %v, want %v", id, len(c.drops[id]), got, want)
		}
		if got[ledger.Completed] == 0 {
			continue
		}
		if code, stdout, stderr := cli(c.t, "verify", "--db", path, "--execution", id); code != exitDone {
			c.t.Errorf("verify %s: exit code %d\n%s%s", id, code, stdout, stderr)
		}
	}
}

// wantOutcomes: bad uploads fail if they come before the first good one, which
// completes; what comes later is skipped. Which came first, audit says.
func wantOutcomes(contents []string, audit []ledger.AuditDocument) map[ledger.Status]int {
	good, failed := 0, 0
	for _, content := range contents {
		if content != badRow {
			good++
		}
	}
	for _, document := range audit {
		if document.Status == ledger.Failed {
			failed++
		}
	}
	want := map[ledger.Status]int{}
	if failed > 0 {
		want[ledger.Failed] = min(failed, len(contents)-good)
	}
	if good > 0 {
		want[ledger.Completed] = 1
	}
	if skipped := len(contents) - want[ledger.Failed] - want[ledger.Completed]; skipped > 0 {
		want[ledger.Skipped] = skipped
	}
	return want
}

// due is how many uploads are not acknowledged.
func (c *campaign) due() int {
	c.t.Helper()
	return c.count(`SELECT count(*) FROM inbox WHERE acknowledged_at IS NULL`)
}

func (c *campaign) count(query string) int {
	c.t.Helper()
	db, err := sqlitedb.Open(c.t.Context(), filepath.Join(c.data, emulator.StateName), sqlitedb.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	defer db.Close()
	var n int
	if err := db.QueryRowContext(c.t.Context(), query).Scan(&n); err != nil {
		c.t.Fatal(err)
	}
	return n
}

// assassin reads a server's log and kills it at the nth line that holds mark.
type assassin struct {
	mark []byte
	nth  int
	kill func()
	mu   sync.Mutex
	log  bytes.Buffer
}

func (a *assassin) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.log.Write(p)
	if n := bytes.Count(p, a.mark); n > 0 && a.nth > 0 {
		if a.nth -= n; a.nth <= 0 {
			a.kill()
		}
	}
	return len(p), nil
}
