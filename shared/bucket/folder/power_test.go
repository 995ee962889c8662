package folder

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/test/powercut"
)

// cutting takes the power away before every step, and returns the folders that
// could be found then.
func cutting(b *Bucket, disk *powercut.Disk) *[]string {
	var found []string
	b.fsync = disk.Sync
	b.fault = func(step) error {
		found = append(found, disk.Cut()...)
		return nil
	}
	return &found
}

// After a power cut at whatever step the object is there whole or not at all,
// and once its writer was told so it is there.
func TestAPowerCutLeavesAnObjectWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	disk := powercut.Watch(t, dir)
	found := cutting(b, disk)
	if _, err := create(t, b, victimText); err != nil {
		t.Fatal(err)
	}
	b.fault = nil
	if len(*found) < 2*len(steps) {
		t.Fatalf("%d folders after a cut: not every step is taken", len(*found))
	}
	for _, left := range *found {
		b := open(t, left, Options{Exclusive: true})
		if _, err := b.Stat(t.Context(), victimName); errs.KindOf(err) == errs.NotFound {
			if _, err := create(t, b, victimText); err != nil {
				t.Errorf("writing after the cut: %v", err)
			}
		}
		if text := read(t, b, victimName); text != victimText {
			t.Errorf("%d bytes are left, want %d or no object", len(text), len(victimText))
		}
	}
	for _, left := range disk.Cut() {
		b := open(t, left, Options{Exclusive: true})
		if text := read(t, b, victimName); text != victimText {
			t.Errorf("%s: of an object that was committed %d bytes are left, want %d", filepath.Base(left), len(text), len(victimText))
		}
		if object, err := b.Stat(t.Context(), victimName); err != nil || object.ContentType != "text/csv" {
			t.Errorf("%s: what is said of it is %+v, %v", filepath.Base(left), object, err)
		}
	}
}

// The same of the copy of a file that was dropped.
func TestAPowerCutLeavesACopyWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	path := filepath.Join(dir, filepath.FromSlash(victimName))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(victimText), 0o644); err != nil {
		t.Fatal(err)
	}
	disk := powercut.Watch(t, dir)
	found := cutting(b, disk)
	object, _, err := b.Ingest(t.Context(), victimName, IngestOptions{Generation: 7})
	if err != nil {
		t.Fatal(err)
	}
	b.fault = nil
	for i, left := range append(*found, disk.Cut()...) {
		copied := open(t, left, Options{Exclusive: true})
		file, _, err := copied.Open(t.Context(), victimName, object.Generation)
		switch {
		case errs.KindOf(err) == errs.NotFound && i < len(*found):
			continue
		case err != nil:
			t.Errorf("cut %d: %v", i, err)
			continue
		}
		file.Close()
		if text := readGeneration(t, copied, victimName, object.Generation); text != victimText {
			t.Errorf("cut %d: %d bytes are left, want %d", i, len(text), len(victimText))
		}
	}
}
