package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/ledger"
)

// disk mounts a small disk of its own for a test, which takes root.
func disk(t *testing.T, mebibytes int) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%dm", mebibytes), "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED without the right to mount a small disk: %v %s", err, out)
	}
	t.Cleanup(func() {
		// A process that another test is just starting may still hold a file of the disk.
		if out, err := exec.Command("umount", "--lazy", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	return dir
}

// fill leaves about that many bytes of a disk free.
func fill(t *testing.T, dir string, free int) (empty func()) {
	t.Helper()
	path := dir + "/.filler"
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(file, many("x", 1<<40)) // until the disk is full
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Truncate(max(info.Size()-int64(free), 0)); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Truncate(path, 0); err != nil { // another process may still hold it
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFullDiskDuringEveryWriteOfApply gives apply a little more room each time,
// so that the disk is full during every write in turn, until it gets through.
// Each time nothing is half visible, and once there is room it completes.
func TestFullDiskDuringEveryWriteOfApply(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs beside it, and it is slow under the race detector")
	}
	t.Parallel()
	dir := disk(t, 16)
	table := "sku,category,price,in_stock\n" + strings.Repeat("A101,fitness,29.99,true\n", 4_000)
	want := strings.ReplaceAll(table, "29.99", "32.99")
	refused := 0
	for free, through := 0, false; !through; free += 48 << 10 {
		d := &desk{t: t, dir: fmt.Sprintf("%s/%d", dir, free)}
		write(t, d.path("plan.json"), goodPlan)
		write(t, d.path("in.csv"), table)
		empty := fill(t, dir, free)
		code, _, stderr := d.apply("--sync=true")
		through = code == exitDone
		if got := read(t, d.path("out.csv")); got != want && (got != "" || through) {
			t.Fatalf("%d bytes free: half an output of %d bytes is visible", free, len(got))
		}
		if !through {
			refused++
			if !strings.Contains(stderr, "disk") && !strings.Contains(stderr, "space") || strings.Contains(stderr, "goroutine") {
				t.Errorf("%d bytes free: does not say that the disk is full: %s", free, stderr)
			}
		}
		empty()
		d.expireLease()
		if code, stdout, stderr := d.apply(); code != exitDone {
			t.Fatalf("%d bytes were free, then all: exit code %d\n%s%s", free, code, stdout, stderr)
		}
		if got := read(t, d.path("out.csv")); got != want {
			t.Fatalf("%d bytes were free, then all: output of %d bytes", free, len(got))
		}
		if code, stdout, stderr := cli(t, "verify", "--db", d.path("executions.db"), "--execution", "plan_fitness_v1"); code != exitDone {
			t.Fatalf("%d bytes were free, then all: verify: %s%s", free, stdout, stderr)
		}
		completed := 0
		for _, status := range d.statuses() {
			if status == ledger.Completed {
				completed++
			}
		}
		if completed != 1 {
			t.Errorf("%d bytes free: %d completed lines", free, completed)
		}
		if err := os.RemoveAll(d.dir); err != nil {
			t.Fatal(err)
		}
	}
	if refused < 5 {
		t.Errorf("the disk was full %d times only", refused)
	}
	t.Logf("full %d times", refused)
}

// TestFullDiskUnderAServer fills a server's disk to several heights while a
// table is dropped. The server lives, and completes once there is room.
func TestFullDiskUnderAServer(t *testing.T) {
	t.Parallel()
	dir := disk(t, 32)
	s := start(t, dir)
	table := "sku,category,price,in_stock\n" + strings.Repeat("A101,fitness,29.99,true\n", 4_000)
	want := strings.ReplaceAll(table, "29.99", "32.99")
	for step := range 5 {
		id := fmt.Sprintf("plan_full_%d_v1", step)
		s.putPlan(id)
		s.drop(id+"/p.csv", table)
		empty := fill(t, dir, step*112<<10)
		troubled := func() bool {
			return strings.Contains(s.log.String(), id) && strings.Contains(s.log.String()[strings.LastIndex(s.log.String(), id):], "full")
		}
		eventually(t, "the server meets the full disk, or gets through", func() bool { return troubled() || s.status(id) == "completed" })
		empty()
		s.await(id, "completed")
		if got := s.outbox(id + "/p.csv"); got != want {
			t.Errorf("step %d: output of %d bytes", step, len(got))
		}
	}
	s.unharmed()
	s.stop()
	for step := range 5 {
		if code, stdout, stderr := cli(t, "verify", "--db", dir+"/"+emulator.StateName, "--execution", fmt.Sprintf("plan_full_%d_v1", step)); code != exitDone {
			t.Errorf("verify: %s%s", stdout, stderr)
		}
	}
}

// TestReadOnlyDisk: a server and a run say so and end; nothing else can be
// done.
func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	dir := disk(t, 4)
	d := &desk{t: t, dir: dir}
	write(t, d.path("plan.json"), goodPlan)
	write(t, d.path("in.csv"), goodTable)
	if out, err := exec.Command("mount", "-o", "remount,ro", dir).CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED without the right to remount a disk: %v %s", err, out)
	}
	for _, args := range [][]string{
		{"serve", "--data", d.path("local"), "--port", "0"}, {"serve", "--data", dir, "--port", "0"},
		{"apply", "--plan", d.path("plan.json"), "--csv", d.path("in.csv"), "--out", d.path("out.csv"), "--audit", d.path("audit.jsonl"), "--db", d.path("x.db")},
	} {
		said, code, _ := runProgram(t, args...)
		if code != exitFailed || !strings.Contains(said, dir) || strings.Contains(said, "goroutine") {
			t.Errorf("%v: exit code %d: %s", args, code, said)
		}
		t.Logf("%s: %s", args[0], said)
	}
}

// TestAFullDiskIsReportedToTheUploader fills the disk before a drop is copied, and before its result
// is written. Who dropped it is told where the results are; once there is room it is
// carried out without being dropped again.
func TestAFullDiskIsReportedToTheUploader(t *testing.T) {
	t.Parallel()
	table := "sku,category,price,in_stock\nA101,fitness,29.99,true\n" + strings.Repeat("A102,other,29.99,true\n", 450_000) // of 10 MB
	for name, free := range map[string]int{"no room for a copy": 4 << 20, "no room for what becomes of it": len(table) + 3<<20} {
		t.Run(name, func(t *testing.T) {
			dir := disk(t, 64)
			s := start(t, dir+"/local")
			const id = "plan_full_v1"
			s.putPlan(id)
			s.drop(id+"/p.csv", table)
			empty := fill(t, dir, free)
			if notice := s.outbox(id + "/p.csv.not-taken-*.txt"); !strings.Contains(notice, "no room on the disk") || !strings.Contains(notice, "taken by itself") {
				t.Errorf("notice = %q", notice)
			}
			empty()
			s.await(id, "completed")
			if got := s.outbox(id + "/p.csv"); !strings.Contains(got, "A101,fitness,32.99,true\n") || len(got) != len(table) {
				t.Errorf("%d bytes came of %d", len(got), len(table))
			}
		})
	}
}

// TestADropOverTheLimit drops files that are larger than what can be done with them. They
// are refused by their sizes: nothing of them is copied.
func TestADropOverTheLimit(t *testing.T) {
	t.Parallel()
	s := startWith(t, t.TempDir(), map[string]string{"TABLE_LIMIT_GIB": "1"})
	const id = "plan_large_v1"
	s.putPlan(id)
	for name, size := range map[string]int64{id + "/p.csv": 1<<30 + 1, "plan_other_v1/plan.json": 1<<20 + 1, id + "/photos.zip": 1<<40 + 1} {
		s.drop(name, "")
		if err := os.Truncate(s.data+"/inbox/"+name, size); err != nil {
			t.Fatal(err)
		}
	}
	s.drop(id+"/small.csv", goodTable)
	s.await(id, "completed")
	for name, want := range map[string]string{id + "/p.csv": "1.0 GiB", "plan_other_v1/plan.json": "no plan is", id + "/photos.zip": "neither a table nor a plan"} {
		if notice := s.outbox(name + ".not-taken-*.txt"); !strings.Contains(notice, want) {
			t.Errorf("the notice about %s is %q", name, notice)
		}
	}
	size, err := exec.Command("du", "-sk", s.data).Output()
	if kib, _, _ := strings.Cut(string(size), "\t"); err != nil || len(kib) > 4 {
		t.Errorf("the data folder takes %s KiB, %v", kib, err)
	}
}
