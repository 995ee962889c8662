package buckettest

import (
	"bytes"
	"context"
	"testing"
	"testing/iotest"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/test/expect"
)

func testInvisibleBeforeCommit(t *testing.T, s Subject) {
	upload := s.create(t, "id_12345/p.csv", bucket.CreateOptions{})
	data := bytes.Repeat([]byte("0123456789abcdef"), 64<<10) // more than any buffer
	mustWrite(t, upload, data)
	s.checkMissing(t, "id_12345/p.csv")
	expect.NoError(t, expect.ErrorOf(upload.Commit()))
	s.checkBytes(t, s.stat(t, "id_12345/p.csv"), string(data))
}

func testAbandon(t *testing.T, s Subject) {
	for _, size := range []int{0, 1, 1 << 20} {
		upload := s.upload(t, "id_12345/p.csv", bucket.CreateOptions{}, make([]byte, size))
		upload.Abandon()
		upload.Abandon()
		s.checkMissing(t, "id_12345/p.csv")
		s.checkContents(t)
	}
	broken := errs.New(errs.Denied, "the content cannot be read")
	checkKind(t, "Put", expect.ErrorOf(bucket.Put(
		t.Context(), s.Bucket, "id_12345/p.csv", bucket.CreateOptions{}, iotest.ErrReader(broken),
	)), errs.Denied)
	s.checkMissing(t, "id_12345/p.csv")
	s.checkBytes(t, s.write(t, "id_12345/p.csv", []byte("free")), "free")
}

func testAbandonAfterCommit(t *testing.T, s Subject) {
	upload := s.upload(t, "p.csv", bucket.CreateOptions{}, []byte("kept"))
	object := expect.Result(upload.Commit())(t)
	upload.Abandon()
	s.checkBytes(t, object, "kept")
	s.checkContents(t, "p.csv")
}

func testCancelledUpload(t *testing.T, s Subject) {
	for _, size := range []int{0, 10, 1 << 20} {
		ctx, cancel := context.WithCancel(t.Context())
		upload := expect.Result(s.Bucket.Create(ctx, "id_12345/p.csv", bucket.CreateOptions{}))(t)
		mustWrite(t, upload, make([]byte, size))
		cancel()
		if size > 0 {
			checkKind(t, "Write", expect.ErrorOf(upload.Write([]byte("too late"))), errs.Deadline)
		}
		checkKind(t, "Commit", expect.ErrorOf(upload.Commit()), errs.Deadline)
		s.checkMissing(t, "id_12345/p.csv")
		s.checkContents(t)
	}
}

func testConflict(t *testing.T, s Subject) {
	first := s.write(t, "id_12345/p.csv", []byte("first"))
	for _, text := range []string{"other", "first", ""} {
		upload := s.upload(
			t,
			"id_12345/p.csv",
			bucket.CreateOptions{Metadata: map[string]string{"who": "second"}},
			[]byte(text),
		)
		there, err := upload.Commit()
		checkKind(t, "Commit of a name that exists", err, errs.Conflict)
		checkObject(t, "the object that is there", there, first)
	}
	s.checkBytes(t, s.stat(t, "id_12345/p.csv"), "first")
	s.checkContents(t, "id_12345/p.csv")

	dropped := s.Put(t, "id_12345/q.csv", []byte("an uploader's"), nil)
	upload := s.create(t, "id_12345/q.csv", bucket.CreateOptions{})
	there, err := upload.Commit()
	checkKind(t, "Commit of an uploader's name", err, errs.Conflict)
	checkObject(t, "the uploader's object", there, dropped)
}

func testPublish(t *testing.T, s Subject) {
	first := s.write(t, "p.csv", []byte("sealed"))
	for _, test := range []struct {
		name, text string
		want       errs.Kind
	}{
		{"same bytes", "sealed", ""},
		{"other bytes of the same size", "SEALED", errs.Conflict},
		{"more bytes", "sealed and more", errs.Conflict},
		{"no bytes", "", errs.Conflict},
	} {
		upload := s.upload(t, "p.csv", bucket.CreateOptions{}, []byte(test.text))
		object, err := bucket.Publish(upload)
		checkKind(t, test.name, err, test.want)
		checkObject(t, test.name, object, first)
	}
	upload := s.upload(t, "new.csv", bucket.CreateOptions{}, []byte("sealed"))
	object, err := bucket.Publish(upload)
	checkKind(t, "a new name", err, "")
	s.checkBytes(t, object, "sealed")
}

func testAliasing(t *testing.T, s Subject) {
	metadata := map[string]string{"key": "value"}
	upload := s.create(t, "p.csv", bucket.CreateOptions{Metadata: metadata})
	metadata["key"] = "changed after Create"
	chunk := []byte("before")
	mustWrite(t, upload, chunk)
	copy(chunk, "AFTER!")
	object := expect.Result(upload.Commit())(t)
	expect.ErrorIf(t, object.Metadata["key"] != "value", "metadata %v follow the caller's map",
		object.Metadata)
	object.Metadata["key"] = "changed after Commit"
	found := s.stat(t, "p.csv")
	expect.ErrorIf(t, found.Metadata["key"] != "value", "metadata %v follow a returned object",
		found.Metadata)
	s.checkBytes(t, found, "before")
}

func testEnded(t *testing.T, s Subject) {
	for _, test := range []struct {
		name string
		end  func(bucket.Upload)
	}{
		{"committed", func(u bucket.Upload) { u.Commit() }},
		{"abandoned", func(u bucket.Upload) { u.Abandon() }},
	} {
		upload := s.upload(t, test.name, bucket.CreateOptions{}, []byte("bytes"))
		test.end(upload)
		checkKind(t, "Write after being "+test.name,
			expect.ErrorOf(upload.Write([]byte("more"))), errs.Internal)
		checkKind(t, "Commit after being "+test.name, expect.ErrorOf(upload.Commit()), errs.Internal)
		if size, sum := upload.Sum(); size != 5 || sum != crc32c([]byte("bytes")) {
			t.Errorf("Sum after being %s = %d, %08x", test.name, size, sum)
		}
	}
	s.checkBytes(t, s.stat(t, "committed"), "bytes")
	s.checkContents(t, "committed")
}

func testSum(t *testing.T, s Subject) {
	upload := s.create(t, "p.csv", bucket.CreateOptions{})
	var written []byte
	for _, chunk := range []string{"", "a", "bc", string(make([]byte, 100_000)), "end"} {
		mustWrite(t, upload, []byte(chunk))
		written = append(written, chunk...)
		if size, sum := upload.Sum(); size != int64(len(written)) || sum != crc32c(written) {
			t.Errorf("Sum = %d, %08x, want %d, %08x", size, sum, len(written), crc32c(written))
		}
	}
	object := expect.Result(upload.Commit())(t)
	if size, sum := upload.Sum(); size != object.Size || sum != object.CRC32C {
		t.Errorf("Sum = %d, %08x, the object has %d, %08x", size, sum, object.Size, object.CRC32C)
	}
}
