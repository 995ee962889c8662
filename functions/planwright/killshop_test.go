package main

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/shop"
	"github.com/planwright/planwright/shared/shop/woocommercetest"
)

const (
	// diesAfter has a process of the program kill itself right after the line of its log
	// with that message: no step of it comes behind.
	diesAfter = "PLANWRIGHT_TEST_DIES_AFTER"
	// quickShop has it take the stand-in for a shop that answers within seconds, and
	// write "small" batches, or "large" ones.
	quickShop = "PLANWRIGHT_TEST_QUICK_SHOP"
)

func quickenShop(batches string) {
	switch batches {
	case "small":
		shop.WooLimits = shop.Limits{
			Most: 10, First: 5, Aim: 2 * time.Second,
			Timeout: 10 * time.Second, Settle: time.Second, Pause: time.Millisecond,
		}
	case "large":
		shop.WooLimits.Settle, shop.WooLimits.Pause = time.Second, 0
	}
}

// runUntil is main for a process that dies of its log.
func runUntil(mark string) int {
	return run(context.Background(), os.Args[1:], environment{
		stdin: os.Stdin, stdout: os.Stdout, stderr: &suicide{os.Stderr, []byte(`"message":"` + mark + `"`)}, lookup: os.LookupEnv,
	})
}

// suicide writes a log, and kills its own process behind a line.
type suicide struct {
	to   io.Writer
	mark []byte
}

func (s *suicide) Write(line []byte) (int, error) {
	n, err := s.to.Write(line)
	if bytes.Contains(line, s.mark) {
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
		select {}
	}
	return n, err
}

// death is a step at which a publisher is killed: at a request that reaches the shop, or
// behind a line of its log.
type death struct {
	step  string
	fault woocommercetest.Fault
	line  string
	then  func(*killedShop) // what happens in the shop while nobody runs
}

// deaths are in the order in which a posting comes to them. A batch is read by one request
// and written by the next.
var deaths = []death{
	{step: "the shop is taken, and nothing asked", fault: woocommercetest.Fault{On: "settings", Kind: woocommercetest.Lost}},
	{step: "the first batch is about to be read", fault: woocommercetest.Fault{On: "products", Kind: woocommercetest.Lost}},
	{step: "it is sent, and has not arrived", fault: woocommercetest.Fault{On: "batch", Kind: woocommercetest.Lost}},
	{step: "a part of it is written", fault: woocommercetest.Fault{On: "batch", Kind: woocommercetest.Killed, After: 2}},
	{step: "the rest is written, and not answered", fault: woocommercetest.Fault{On: "batch", Kind: woocommercetest.Unheard}, then: (*killedShop).editWritten},
	{step: "its results are stored, and not noted", line: "a batch is in the shop"},
	{step: "the next one is sent, and lands when the next process runs", fault: woocommercetest.Fault{On: "batch", Kind: woocommercetest.Ghost}},
	{step: "a batch is noted, and the next is read", fault: woocommercetest.Fault{On: "products", Skip: 2, Kind: woocommercetest.Lost}, then: (*killedShop).editUnwritten},
	{step: "all is written, and nothing read once more", line: "all batches are in the shop, and are read once more"},
	{step: "the first batch is about to be read once more", fault: woocommercetest.Fault{On: "products", Kind: woocommercetest.Lost}},
	{step: "it is noted as read once more", fault: woocommercetest.Fault{On: "products", Skip: 1, Kind: woocommercetest.Lost}},
	{step: "all is noted, and the shop not given back", line: "posted"},
}

// killedShop is a shop, and the folder of servers that are killed as they write to it.
type killedShop struct {
	*shopLine
	data   string
	want   map[string]shop.Prices
	edited []string // by hand
	server *server
	steps  int
}

// TestAPublisherThatIsKilledAtEachStep kills servers with SIGKILL, each at the next step
// of writing to a shop, also while a plan is undone. People edit prices by hand meanwhile.
// In the end the shop has what was planned, and then what it had before, but for those.
func TestAPublisherThatIsKilledAtEachStep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stand := woocommercetest.New()
	stand.Fill(70, 4)
	k := &killedShop{data: filepath.Join(dir, "local"), shopLine: &shopLine{t, stand, map[string]string{
		"SHOP_KIND": "woocommerce", "SHOP_URL": stand.Serve(t), "SHOP_KEY": woocommercetest.Key, "SHOP_SECRET": woocommercetest.Secret, quickShop: "small",
	}}}
	before := stand.All()
	table, planFile := filepath.Join(dir, "shop.csv"), filepath.Join(dir, "plan.json")
	k.start("")
	k.must("shop", "fetch", "--data", k.data, "--out", table)
	k.must("plan", "Increase prices by 10%.", "--csv", table, "--plan-out", planFile, "--execution-id", "plan_killed_v1")
	k.want = maps.Clone(before)
	for id, prices := range k.want {
		prices.Regular = map[string]string{"10.00": "11.00", "80.00": "88.00"}[prices.Regular]
		k.want[id] = prices
	}
	k.die("plan_killed_v1", "--plan", planFile)
	k.ends("plan_killed_v1", 2)
	k.want = before
	k.start("")
	eventually(t, "the shop is free again after a process that died with it", func() bool {
		code, _ := k.types("shop", "fetch", "--data", k.data)
		return code == exitDone
	})
	k.die("plan_killed_v1_undo", "--undo", "plan_killed_v1")
	k.ends("plan_killed_v1_undo", 2)
	t.Logf("killed at %d steps", k.steps)
}

// start serves the folder, until a line of the log where one is named.
func (k *killedShop) start(line string) {
	k.t.Helper()
	variables := maps.Clone(k.env)
	if line != "" {
		variables[diesAfter] = line
	}
	k.server = startWith(k.t, k.data, variables)
}

// die has an execution completed, and its publishers die one after the other.
func (k *killedShop) die(id string, fetch ...string) {
	k.t.Helper()
	for i, d := range deaths {
		if d.line == "" {
			d.fault.Act = k.server.kill
			if i == 0 {
				d.fault.Skip++ // the one that fetches asks first
			}
			k.stand.Next(d.fault)
		}
		if i == 0 {
			k.types(append([]string{"shop", "fetch", "--data", k.data}, fetch...)...) // its server may die under it
		}
		k.dies(d)
		k.steps++
		if d.then != nil {
			d.then(k)
		}
		next := ""
		if i+1 < len(deaths) {
			next = deaths[i+1].line
		}
		k.isOwed(id)
		k.start(next)
		k.stand.Land()
	}
}

func (k *killedShop) dies(d death) {
	k.t.Helper()
	select {
	case err := <-k.server.ended:
		k.server.ended <- err
		if !killedBySignal(err) {
			k.t.Fatalf("%s: the server ended by itself: %v\n%s", d.step, err, k.server.log)
		}
	case <-time.After(time.Minute):
		k.t.Fatalf("it never came to that: %s\n%s", d.step, k.server.log)
	}
	for _, secret := range []string{woocommercetest.Key, woocommercetest.Secret} {
		if strings.Contains(k.server.log.String(), secret) {
			k.t.Errorf("a key is in the log of the server that died: %s", d.step)
		}
	}
}

// isOwed fails unless the folder, which nobody serves, has the posting.
func (k *killedShop) isOwed(id string) {
	k.t.Helper()
	store, err := sqlite.Open(k.t.Context(), filepath.Join(k.data, emulator.StateName), sqlite.Options{})
	if err != nil {
		k.t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.Posting(k.t.Context(), id); err != nil {
		k.t.Fatal(err)
	}
}

// editWritten sets a price by hand that the dead publisher has written and not noted.
func (k *killedShop) editWritten() { k.edit(func(now, want shop.Prices) bool { return now == want }) }

// editUnwritten sets one that no publisher has come to.
func (k *killedShop) editUnwritten() { k.edit(func(now, want shop.Prices) bool { return now != want }) }

func (k *killedShop) edit(is func(now, want shop.Prices) bool) {
	k.t.Helper()
	all := k.stand.All()
	for _, id := range slices.Backward(slices.Sorted(maps.Keys(all))) {
		if all[id].Regular != "" && is(all[id], k.want[id]) && !slices.Contains(k.edited, id) && all[id].Regular != "71.50" {
			k.stand.Edit(id, shop.Prices{Regular: "71.50"})
			k.edited = append(k.edited, id)
			return
		}
	}
	k.t.Fatal("there is no such price left")
}

// ends waits until all is written: the shop has what it should have, and what was edited
// by hand is as it was set, and is told.
func (k *killedShop) ends(id string, edited int) {
	k.t.Helper()
	k.must("shop", "post", "--data", k.data)
	told := k.must("shop", "status", id, "--data", k.data)
	if strings.Count(told, "the shop has 71.50") != edited {
		k.t.Errorf("of %d prices that were edited by hand it says: %s", edited, told)
	}
	k.server.stop()
	for id, now := range k.stand.All() {
		want := k.want[id]
		if slices.Contains(k.edited, id) {
			want = shop.Prices{Regular: "71.50"}
		}
		if now != want {
			k.t.Errorf("%s costs %+v, want %+v", id, now, want)
		}
	}
}
