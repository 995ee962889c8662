package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/emulator"
)

// TestVerifyOnAReadOnlyCopy verifies a server's folder that cannot be written
// to: the superuser needs a mount for that, others a permission taken away.
func TestVerifyOnAReadOnlyCopy(t *testing.T) {
	t.Parallel()
	const id = "plan_read_only_v1"
	s := start(t, t.TempDir())
	s.putPlan(id)
	s.drop(id+"/p.csv", "sku,category,price,in_stock\nA1,fitness,10.00,true\n")
	s.await(id, "completed")
	db := filepath.Join(s.data, emulator.StateName)
	eventually(t, "the execution is in the signed tree", func() bool {
		code, _, _ := cli(t, "verify", "--db", db, "--execution", id)
		return code == exitDone
	})
	s.kill() // what it wrote last is in the write-ahead log alone
	verify := program(t.Context(), t, "verify", "--db", db, "--execution", id)
	if os.Geteuid() == 0 {
		if runtime.GOOS != "linux" {
			t.Skip("needs a read-only mount")
		}
		mounted := exec.CommandContext(t.Context(), "unshare", append([]string{"-m", "sh", "-c", `mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"`, s.data}, verify.Args...)...)
		mounted.Env = verify.Env
		verify = mounted
	} else if err := os.Chmod(s.data, 0o500); err != nil {
		t.Fatal(err)
	}
	out, err := verify.CombinedOutput()
	if strings.Contains(string(out), "unshare failed") {
		t.Skipf("no mounts here: %s", out)
	}
	if err != nil || !strings.Contains(string(out), "verified") {
		t.Errorf("verify: %v\n%s", err, out)
	}
	if err := os.Chmod(s.data, 0o700); err != nil {
		t.Fatal(err)
	}
}
