package buckettest

import (
	"bytes"
	"context"
	"io"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/test/expect"
)

func testWrittenIsRead(t *testing.T, s Subject) {
	const text = "sku,price\r\nA101,29.99\n\x00\xff"
	metadata := map[string]string{"execution-id": "plan_one_v1", "columns": "sku=Variant SKU,price=Größe"}
	upload := s.upload(t, "plan_one_v1/p.csv", bucket.CreateOptions{
		ContentType: "text/csv",
		Metadata:    maps.Clone(metadata),
	}, []byte(text))
	object := expect.Result(upload.Commit())(t)
	if object.Generation <= 0 || object.CreatedAt.IsZero() || time.Since(object.CreatedAt).Abs() > time.Hour {
		t.Errorf("generation %d, created at %v", object.Generation, object.CreatedAt)
	}
	checkObject(t, "the object that Commit returns", object, bucket.Object{
		Bucket:      s.Bucket.Name(),
		Name:        "plan_one_v1/p.csv",
		Generation:  object.Generation,
		Size:        int64(len(text)),
		CRC32C:      crc32c([]byte(text)),
		ContentType: "text/csv",
		Metadata:    metadata,
		CreatedAt:   object.CreatedAt,
	})
	checkObject(t, "the object that Stat returns", s.stat(t, object.Name), object)
	s.checkBytes(t, object, text)
	s.checkContents(t, object.Name)
}

func testEmptyObject(t *testing.T, s Subject) {
	object := s.write(t, "empty.jsonl", nil)
	expect.ErrorIf(t, object.Size != 0 || object.CRC32C != 0, "size %d, CRC32C %08x",
		object.Size, object.CRC32C)
	s.checkBytes(t, object, "")
}

func testMissing(t *testing.T, s Subject) {
	object := s.write(t, "folder/there.csv", []byte("x"))
	for _, name := range []string{"nothing.csv", "folder", "folder/there", "folder/there.csv.bak"} {
		s.checkMissing(t, name)
		_, _, err := s.Bucket.Open(t.Context(), name, object.Generation)
		checkKind(t, "Open of "+name, err, errs.NotFound)
	}
	for _, generation := range []int64{object.Generation + 1, object.Generation - 1, 1, 0, -1} {
		_, _, err := s.Bucket.Open(t.Context(), object.Name, generation)
		checkKind(t, "Open of another generation", err, errs.NotFound)
	}
}

func testNamesRefused(t *testing.T, s Subject) {
	for what, name := range map[string]string{
		"empty":               "",
		"a slash":             "/",
		"a dot":               ".",
		"two dots":            "..",
		"absolute":            "/etc/passwd",
		"up":                  "../p.csv",
		"up in the middle":    "a/../b.csv",
		"up at the end":       "a/..",
		"dot segment":         "a/./b.csv",
		"dot segment first":   "./b.csv",
		"empty segment":       "a//b.csv",
		"a folder":            "a/",
		"NUL":                 "a\x00.csv",
		"newline":             "a\nb.csv",
		"carriage return":     "a\rb.csv",
		"delete":              "a\x7f.csv",
		"C1 control":          "a\u0085.csv",
		"backslash":           `a\b.csv`,
		"backslash up":        `..\b.csv`,
		"invalid UTF-8":       "a\xff.csv",
		"one byte too long":   strings.Repeat("a/", bucket.MaxNameBytes/2) + "b",
		"a megabyte":          strings.Repeat("x", 1<<20),
		"up after many":       strings.Repeat("a/", 9) + strings.Repeat("../", 10) + "etc/passwd",
		"drive with backlash": `C:\p.csv`,
	} {
		checkKind(t, "Stat: "+what, expect.ErrorOf(s.Bucket.Stat(t.Context(), name)), errs.Invalid)
		_, _, err := s.Bucket.Open(t.Context(), name, 1)
		checkKind(t, "Open: "+what, err, errs.Invalid)
		checkKind(
			t,
			"Create: "+what,
			expect.ErrorOf(s.Bucket.Create(t.Context(), name, bucket.CreateOptions{})),
			errs.Invalid,
		)
	}
	s.checkContents(t)
}

func testNamesAccepted(t *testing.T, s Subject) {
	for _, name := range []string{
		"p.csv", "P2.CSV", "a/b/c/d/e/f.csv", "...", "a..b/..c", "with space/my prices (1).csv",
		"Größe/цены/价格.csv", "%2e%2e/%00.csv", "what?/a#b&c=d+e.csv", "[x]*'\"<>|.csv",
		"_unclaimed/p.csv.txt",
		"-rf/--help", "plan.json.failed-00000000000000000001.txt", ".dotfile/.csv",
		strings.Repeat("n", 255), strings.Repeat("deep/", 100) + "p.csv",
	} {
		object := s.write(t, name, []byte(name))
		expect.ErrorIf(t, object.Name != name, "the object has the name %q, want %q", object.Name, name)
		s.checkBytes(t, s.stat(t, name), name)
	}
}

func testGenerations(t *testing.T, s Subject) {
	var objects []bucket.Object
	texts := []string{"first", "the second, longer", "3"}
	for _, text := range texts {
		objects = append(objects, s.Put(t, "id_12345/p.csv", []byte(text), nil))
		checkObject(t, "Stat after an upload", s.stat(t, "id_12345/p.csv"), objects[len(objects)-1])
	}
	for i, object := range objects {
		if i > 0 && object.Generation <= objects[i-1].Generation {
			t.Errorf("generation %d after %d does not rise", object.Generation, objects[i-1].Generation)
		}
		s.checkBytes(t, object, texts[i])
	}
	_, _, err := s.Bucket.Open(t.Context(), "id_12345/p.csv", objects[2].Generation+1)
	checkKind(t, "Open of a generation to come", err, errs.NotFound)
	_, _, err = s.Bucket.Open(t.Context(), "id_12345/other.csv", objects[0].Generation)
	checkKind(t, "Open of another name's generation", err, errs.NotFound)
}

func testSameBytesAgain(t *testing.T, s Subject) {
	first := s.Put(t, "p.csv", []byte("same"), nil)
	second := s.Put(t, "p.csv", []byte("same"), nil)
	if second.Generation <= first.Generation || second.CRC32C != first.CRC32C {
		t.Errorf("generations %d, %d; checksums %08x, %08x",
			first.Generation, second.Generation, first.CRC32C, second.CRC32C)
	}
	s.checkBytes(t, first, "same")
	s.checkBytes(t, second, "same")
}

func testUploaderMetadata(t *testing.T, s Subject) {
	first := s.Put(t, "p.csv", []byte("1"), map[string]string{
		"execution-id": "plan_one_v1",
		"blank_price":  "keep",
	})
	second := s.Put(t, "p.csv", []byte("2"), map[string]string{"execution-id": "plan_two_v1"})
	for _, object := range []bucket.Object{first, second} {
		_, opened := s.read(t, "p.csv", object.Generation)
		checkObject(t, "metadata of one generation", opened, object)
	}
	if first.Metadata["blank_price"] != "keep" || second.Metadata["execution-id"] != "plan_two_v1" ||
		len(second.Metadata) != 1 {
		t.Errorf("metadata %v, then %v", first.Metadata, second.Metadata)
	}
}

func testDamage(t *testing.T, s Subject) {
	object := s.write(t, "p.csv", bytes.Repeat([]byte("sku,price\n"), 10_000))
	s.Damage(t, object)
	r, _, err := s.Bucket.Open(t.Context(), object.Name, object.Generation)
	if err == nil { // telling it at once is as good as at the end
		defer r.Close()
		_, err = io.Copy(io.Discard, r)
	}
	checkKind(t, "reading damaged bytes", err, errs.Internal)
}

func testHalfRead(t *testing.T, s Subject) {
	object := s.write(t, "p.csv", bytes.Repeat([]byte("x"), 1<<20))
	r, _, err := s.Bucket.Open(t.Context(), object.Name, object.Generation)
	expect.NoError(t, err)
	if _, err := io.ReadFull(r, make([]byte, 1000)); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Errorf("Close after half a read: %v", err)
	}
	if _, err := r.Read(make([]byte, 1)); err == nil || err == io.EOF {
		t.Errorf("Read after Close: %v", err)
	}
}

func testCancelledCalls(t *testing.T, s Subject) {
	object := s.write(t, "p.csv", bytes.Repeat([]byte("x"), 1<<20))
	ctx, cancel := context.WithCancel(t.Context())
	r, _, err := s.Bucket.Open(ctx, object.Name, object.Generation)
	expect.NoError(t, err)
	defer r.Close()
	cancel()
	checkKind(t, "reading after the context ended", expect.ErrorOf(io.Copy(io.Discard, r)), errs.Deadline)
	checkKind(t, "Stat", expect.ErrorOf(s.Bucket.Stat(ctx, object.Name)), errs.Deadline)
	_, _, err = s.Bucket.Open(ctx, object.Name, object.Generation)
	checkKind(t, "Open", err, errs.Deadline)
	checkKind(
		t, "Create", expect.ErrorOf(s.Bucket.Create(ctx, "q.csv", bucket.CreateOptions{})), errs.Deadline,
	)
	s.checkContents(t, "p.csv")
}

func testList(t *testing.T, s Subject) {
	lister := s.Bucket.(bucket.Store)
	want := map[int64]bucket.Object{}
	for range lister.List(t.Context(), "") {
		t.Error("an empty bucket lists something")
	}
	for _, name := range []string{"plan_one_v1/p.csv", "plan_one_v1/p.csv", "q.csv"} {
		object := s.Put(t, name, []byte("text"), map[string]string{"execution-id": "plan_one_v1"})
		want[object.Generation] = object
	}
	for object, err := range lister.List(t.Context(), "") {
		expect.NoError(t, err)
		listed := want[object.Generation]
		delete(want, object.Generation)
		if object.Name != listed.Name || object.Size != 4 || object.CRC32C != listed.CRC32C ||
			object.Metadata["execution-id"] != "plan_one_v1" || !object.CreatedAt.Equal(listed.CreatedAt) {
			t.Errorf("listed: %+v, want %+v", object, listed)
		}
	}
	expect.ErrorIf(t, len(want) > 0, "not listed: %v", want)
	for range lister.List(t.Context(), "") {
		break // which ends it
	}
	for object, err := range lister.List(t.Context(), "plan_one_v1/q.csv") {
		expect.ErrorIf(t, err != nil || object.Name != "q.csv", "from a name on: %+v, %v", object, err)
	}
	var names []string
	for object := range lister.List(t.Context(), "plan_one_v1/p.csv") {
		names = append(names, object.Name)
	}
	expect.Equal(t, "in order", []string{"plan_one_v1/p.csv", "plan_one_v1/p.csv", "q.csv"}, names)
}
