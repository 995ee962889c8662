package main

import (
	"os"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/ledger/tree"
)

// A log is verified by a folder and a key alone: the database is gone.
func TestVerifyOfALogNeedsNoDatabase(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	public, err := tree.PublicKey(read(t, d.path("executions.db.d/state.key")))
	if err != nil {
		t.Fatal(err)
	}
	log, audit := d.path("executions.db.d/audit/log"), d.path("logs/audit.jsonl")
	for _, name := range []string{"executions.db", "executions.db.d/state.key"} {
		if err := os.Remove(d.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(want int, said string, args ...string) {
		t.Helper()
		code, stdout, stderr := cli(t, append([]string{"verify", "--log", log}, args...)...)
		if code != want || !strings.Contains(stdout+stderr, said) {
			t.Errorf("%q: exit code %d, want %d and %q\n%s%s", args, code, want, said, stdout, stderr)
		}
	}
	expect(exitDone, "verified   1 document of 1 file in the signed log", "--key", public, audit)
	expect(exitDone, "1 head of one tree of 1 document", "--key", public)
	expect(exitDone, `"what"`, "--key", public, audit, "-o", "json")
	expect(exitUsage, "--log needs --key", audit)
	expect(exitUsage, "is not a public key", "--key", "none", audit)
	expect(exitUsage, "cannot be read", "--key", public, d.path("none.jsonl"))
	expect(exitUsage, "none of the others can be", "--key", public, "--all")

	line := read(t, audit)
	forged := strings.Replace(line, `"rows_changed":`, `"rows_changed":1`, 1)
	if err := os.WriteFile(audit, []byte(line+forged), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(exitFailed, "line 2 is not in the signed log", "--key", public, audit)
	if err := os.WriteFile(audit, []byte(line+line), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(exitFailed, "line 2 is line 1 again", "--key", public, audit)
	log = d.path("nowhere")
	expect(exitUsage, "no signed head", "--key", public, audit)
}
