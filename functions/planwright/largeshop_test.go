package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/shop/woocommercetest"
)

var largeRows = flag.Int("shop.rows", 2_000, "how many rows a large shop has")

// TestALargeShop fetches a shop of -shop.rows rows, most of them variations, 20 of each
// product, and writes every price back. Its requests grow with the rows. The memory of
// the server does not grow while it writes.
func TestALargeShop(t *testing.T) {
	t.Parallel()
	rows := *largeRows
	dir := t.TempDir()
	stand := woocommercetest.New()
	stand.Fill(rows, 20)
	s := &shopLine{t, stand, map[string]string{
		"SHOP_KIND": "woocommerce", "SHOP_URL": stand.Serve(t), "SHOP_KEY": woocommercetest.Key, "SHOP_SECRET": woocommercetest.Secret, quickShop: "large",
	}}
	data, plan := filepath.Join(dir, "local"), filepath.Join(dir, "plan.json")
	server := startWith(t, data, s.env)
	s.file(plan, `{"execution_id": "plan_large_v1", "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Increase prices by 10%.",
		"operations": [{"operation_id": "op_01", "filter": {}, "action": {"type": "percent_increase", "value": 10}}]}`)
	began := time.Now()
	s.must("shop", "fetch", "--data", data)
	fetched, requests := time.Since(began), stand.Requests()
	held := peakMemory(t, server)
	if most := 8 + rows/90; requests > most {
		t.Errorf("%d rows by %d requests, want %d at most", rows, requests, most)
	}
	s.must("shop", "fetch", "--data", data, "--plan", plan)
	carriedOut := peakMemory(t, server)
	began = time.Now()
	told := s.must("shop", "post", "--data", data)
	posted := time.Since(began)
	for id, prices := range stand.All() {
		if prices.Regular != "" && prices.Regular != "11.00" && prices.Regular != "88.00" {
			t.Errorf("%s costs %+v", id, prices)
		}
	}
	peak := peakMemory(t, server)
	if most := carriedOut + max(carriedOut/4, 24<<10); peak > most {
		t.Errorf("the server has %d KiB once all is written, and had %d before", peak, carriedOut)
	}
	t.Logf("%d rows: fetched by %d requests in %s; %d more requests wrote and read again in %s; the server had %d MiB at most once all was fetched, %d carried out, %d written\n%s",
		rows, requests, fetched.Round(time.Millisecond), stand.Requests()-2*requests, posted.Round(time.Millisecond),
		held>>10, carriedOut>>10, peak>>10, strings.TrimSpace(told))
	server.stop()
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory is the most that a process ever had, in KiB.
func peakMemory(t *testing.T, s *server) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Skip("only Linux says how much memory a process had")
	}
	kib, err := strconv.Atoi(string(highWater.FindSubmatch(status)[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kib
}
