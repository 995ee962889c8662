package inbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// sharedMemory is a tmpfs wherever Linux runs.
const sharedMemory = "/dev/shm"

// TestWhoWrites asks on the file systems at hand, while another process has the
// file open, under this name or another hard link, and when none has.
func TestWhoWrites(t *testing.T) {
	folders := map[string]string{"the temporary folder's": t.TempDir()}
	if dir, err := os.MkdirTemp(sharedMemory, "inbox"); err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		folders["tmpfs"] = dir
	}
	for name, dir := range folders {
		t.Run(name, func(t *testing.T) {
			path, link := filepath.Join(dir, "p.csv"), filepath.Join(dir, "q.csv")
			if err := os.WriteFile(path, []byte("A1\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Link(path, link); err != nil {
				t.Fatal(err)
			}
			expect := func(when string, want Writers) {
				t.Helper()
				if end, err := Disk(dir).End("p.csv"); err != nil || end.Writers != want || end.InLine {
					t.Errorf("%s: %+v, %v; want writers %d", when, end, err, want)
				}
			}
			if end, err := Disk(dir).End("p.csv"); err == nil && end.Writers == unknown && name != "tmpfs" {
				t.Skip("this file system does not say who writes")
			}
			expect("at first", nobody)
			for _, redirected := range []string{path, link} {
				release := hold(t, `exec 3>>"$0"; echo; read end`, redirected)
				expect("while it is written as "+redirected, somebody)
				release()
				expect("when it has been written as "+redirected, nobody)
			}
			release := hold(t, `exec 3<"$0"; echo; read end`, path)
			expect("while it is read", nobody)
			release()
		})
	}
}

// hold runs a shell script until it is released. It has begun when it says a
// line.
func hold(t *testing.T, script, path string) (release func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script, path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return func() {
		in.Close()
		_ = cmd.Wait() // read has found the end
	}
}
