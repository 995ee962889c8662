package main

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/emulator"
)

// TestASlowWriter is a program that writes half of a table, pauses for longer
// than a drop must stand still, and goes on: what it writes in the end is
// applied, once and whole.
func TestASlowWriter(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says who has a file open")
	}
	t.Parallel()
	const id = "plan_slow_v1"
	s := start(t, t.TempDir())
	s.putPlan(id)
	s.drop(id+"/notes.part", "") // makes the folder
	writer := exec.CommandContext(t.Context(), "sh", "-c", `exec >"$0"; printf "$1"; read go_on; printf "$2"`,
		filepath.Join(s.data, emulator.InboxName, id, "p.csv"), `sku,category,price,in_stock\nA1,fitness,10.00,true\nA2,fitness,12`, `9.99,true\nA3,fitness,30.00,true\n`)
	goOn, err := writer.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server waits for the writer", func() bool { return strings.Contains(s.log.String(), "open for writing") })
	if status := s.status(id); status != "" {
		t.Errorf("%s is %s while its table is being written", id, status)
	}
	goOn.Close()
	if err := writer.Wait(); err != nil {
		t.Fatal(err)
	}
	s.await(id, "completed")
	if got, want := s.outbox(id+"/p.csv"), "sku,category,price,in_stock\nA1,fitness,11.00,true\nA2,fitness,142.99,true\nA3,fitness,33.00,true\n"; got != want {
		t.Errorf("output %q, want %q", got, want)
	}
	if taken := strings.Count(s.log.String(), `"message":"taken"`); taken != 1 {
		t.Errorf("taken %d times", taken)
	}
}

// TestALastRowThatMayBeCutOff is applied, later than others, and named in the
// result.
func TestALastRowThatMayBeCutOff(t *testing.T) {
	t.Parallel()
	const id = "plan_cut_off_v1"
	s := start(t, t.TempDir())
	s.putPlan(id)
	s.drop(id+"/p.csv", "sku,category,price,in_stock\nA1,fitness,10.00,true\nA2,fitness,12.00,true")
	s.await(id, "completed")
	status, body := s.call("GET", "/planner/v1/executions/"+id, "", "")
	if !strings.Contains(body, "Row 3 is the last and has no line end") {
		t.Errorf("the result does not name the last row: %d %s", status, body)
	}
}
