package folder

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
)

// A copy of a folder has its objects, though cp -r makes two files of each: to
// look through, and to go on with.
func TestACopyHasTheObjects(t *testing.T) {
	dir := t.TempDir()
	original := open(t, dir, Options{Exclusive: true})
	want, err := create(t, original, victimText)
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"-a", "-r"} {
		to := filepath.Join(t.TempDir(), "copy")
		if out, err := exec.CommandContext(t.Context(), "cp", how, dir, to).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for _, options := range []Options{{ReadOnly: true}, {Exclusive: true}, {Exclusive: true}} {
			options.Name = original.Name()
			b := open(t, to, options)
			got, err := b.Stat(t.Context(), victimName)
			if err != nil || !same(got, want) {
				t.Errorf("cp %s, %+v: %+v, %v; want %+v", how, options, got, err, want)
			}
			if text := read(t, b, victimName); text != victimText {
				t.Errorf("cp %s: %d bytes are read", how, len(text))
			}
		}
		data, visible := filepath.Join(to, objects.dir(victimName)), filepath.Join(to, victimName)
		hidden, _ := filepath.Glob(data + "/*.data")
		first, err := os.Stat(hidden[0])
		if err != nil {
			t.Fatal(err)
		}
		if second, err := os.Stat(visible); err != nil || !os.SameFile(first, second) {
			t.Errorf("cp %s: not linked again, %v", how, err)
		}
		edited := victimText[:len(victimText)-2] + "X\n"
		if err := os.Remove(visible); err != nil {
			t.Fatal(err)
		}
		drop(t, to, victimName, edited)
		if got, err := open(t, to, Options{ReadOnly: true}).Stat(t.Context(), victimName); err != nil || got.Generation == want.Generation {
			t.Errorf("cp %s, edited: %+v, %v", how, got, err)
		}
	}
}

func same(a, b bucket.Object) bool {
	return a.Generation == b.Generation && a.Size == b.Size && a.CRC32C == b.CRC32C && a.ContentType == b.ContentType
}
