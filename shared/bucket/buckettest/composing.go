package buckettest

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/test/expect"
)

// parts writes so many objects and returns them, and their bytes together.
func (s Subject) parts(t *testing.T, n int) (parts []bucket.Object, all string) {
	t.Helper()
	for i := range n {
		text := strings.Repeat(fmt.Sprintf("row %d\n", i), i%4) // some are empty
		parts = append(parts, s.write(t, fmt.Sprintf("parts/%03d of %d", i, n), []byte(text)))
		all += text
	}
	return parts, all
}

func testCompose(t *testing.T, s Subject) {
	composer := s.Bucket.(bucket.Parts)
	options := bucket.CreateOptions{
		ContentType: "text/csv",
		Metadata:    map[string]string{"execution-id": "id_12345"},
	}
	for _, n := range []int{1, 2, 32, 33, 70} {
		name := fmt.Sprintf("id_12345/%d.csv", n)
		parts, all := s.parts(t, n)
		made, err := composer.Compose(t.Context(), name, options, parts)
		if err != nil {
			t.Fatalf("Compose of %d: %v", n, err)
		}
		s.checkBytes(t, made, all)
		checkObject(t, "the object that Stat describes", s.stat(t, name), made)
		if made.CRC32C != crc32c([]byte(all)) || made.ContentType != "text/csv" ||
			made.Metadata["execution-id"] != "id_12345" {
			t.Errorf("%d parts: %+v", n, made)
		}
		again, err := composer.Compose(t.Context(), name, options, parts)
		expect.ErrorIf(t, err != nil, "Compose again: %v", err)
		checkObject(t, "composed again", again, made)
		for _, part := range parts {
			checkObject(t, "a part", s.stat(t, part.Name), part)
		}
	}
}

func testComposeRefused(t *testing.T, s Subject) {
	composer := s.Bucket.(bucket.Parts)
	parts, _ := s.parts(t, 3)
	taken := s.write(t, "taken.csv", []byte("others"))
	there, err := composer.Compose(t.Context(), "taken.csv", bucket.CreateOptions{}, parts)
	checkKind(t, "a name that is taken", err, errs.Conflict)
	checkObject(t, "the object that is there", there, taken)
	s.checkBytes(t, taken, "others")

	gone := append(parts[:2:2], bucket.Object{Name: "parts/none", Generation: parts[0].Generation, Size: 1})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, refused := range []struct {
		what  string
		ctx   context.Context
		name  string
		parts []bucket.Object
		want  errs.Kind
	}{
		{"no parts", t.Context(), "new.csv", nil, errs.Invalid},
		{"no name", t.Context(), "", parts, errs.Invalid},
		{"a part that is gone", t.Context(), "new.csv", gone, errs.NotFound},
		{"a context that has ended", cancelled, "new.csv", parts, errs.Deadline},
	} {
		checkKind(t, refused.what, expect.ErrorOf(composer.Compose(refused.ctx, refused.name,
			bucket.CreateOptions{}, refused.parts)), refused.want)
	}
	s.checkMissing(t, "new.csv")
}

func testRanges(t *testing.T, s Subject) {
	const text = "sku,price\nA101,29.99\n"
	object := s.Put(t, "id_12345/products.csv", []byte(text), nil)
	s.Put(t, "id_12345/products.csv", []byte("overwritten since"), nil)
	from := s.Bucket.(bucket.Parts)
	for _, r := range []struct{ at, length int64 }{{0, 1}, {0, int64(len(text))}, {4, 9}, {10, 100}} {
		in, err := from.OpenRange(t.Context(), object.Name, object.Generation, r.at, r.length)
		if err != nil {
			t.Fatalf("OpenRange %v: %v", r, err)
		}
		got, err := io.ReadAll(in)
		if want := text[r.at:min(r.at+r.length, int64(len(text)))]; err != nil || string(got) != want {
			t.Errorf("%v = %q, %v; want %q", r, got, err, want)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
	checkKind(t, "a missing object", expect.ErrorOf(from.OpenRange(t.Context(), "none.csv",
		object.Generation, 0, 1)), errs.NotFound)
	checkKind(
		t,
		"no name",
		expect.ErrorOf(from.OpenRange(t.Context(), "../none.csv", object.Generation, 0, 1)),
		errs.Invalid,
	)
}

func testComposition(t *testing.T, s Subject) {
	parts, all := s.parts(t, 3)
	compose := func() bucket.Upload {
		return bucket.Composition(
			t.Context(),
			s.Bucket.(bucket.Parts),
			"id_12345/all.csv",
			bucket.CreateOptions{ContentType: "text/csv"},
			parts,
		)
	}
	abandoned := compose()
	if _, err := abandoned.Write([]byte("more")); err == nil {
		t.Error("more was written to a composition")
	}
	abandoned.Abandon()
	checkKind(t, "one that was abandoned", expect.ErrorOf(abandoned.Commit()), errs.Internal)
	s.checkMissing(t, "id_12345/all.csv")

	upload := compose()
	if size, sum := upload.Sum(); size != int64(len(all)) || sum != crc32c([]byte(all)) {
		t.Errorf("Sum = %d, %08x", size, sum)
	}
	made := expect.Result(upload.Commit())(t)
	s.checkBytes(t, made, all)
	again, err := bucket.Publish(compose())
	expect.ErrorIf(t, err != nil, "published again: %v", err)
	checkObject(t, "published again", again, made)
}
