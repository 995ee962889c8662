// Package buckettest is the suite that every implementation of bucket.Bucket
// passes: what is read, what is written, who wins, what is left behind.
package buckettest

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/test/expect"
)

// Subject is an empty bucket with what the suite needs to look behind it.
type Subject struct {
	Bucket bucket.Bucket
	// Put is an uploader: it makes data the live generation of the name,
	// whether or not there was one, and returns the object.
	Put func(t *testing.T, name string, data []byte, metadata map[string]string) bucket.Object
	// Contents lists the names of all visible objects, sorted, and whatever
	// else is stored that belongs to none of them.
	Contents func(t *testing.T) []string
	// Damage makes the bytes of the object come out wrong, its checksum not.
	Damage func(t *testing.T, object bucket.Object)
	// Address is what another process opens the bucket with: see Main.
	Address string
	// Large is the size in bytes of the object that is streamed.
	Large int64
	// LargeHeap is how much the heap may grow meanwhile, in bytes. 0 where the
	// server that holds the object lives in this process.
	LargeHeap int64
}

// Run runs the suite; open returns an empty bucket each time. The package's
// TestMain must call Main.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	for _, test := range []struct {
		name string
		run  func(t *testing.T, s Subject)
	}{
		{"what is written is read", testWrittenIsRead},
		{"an empty object", testEmptyObject},
		{"missing objects", testMissing},
		{"names refused", testNamesRefused},
		{"names accepted", testNamesAccepted},
		{"nothing is visible before commit", testInvisibleBeforeCommit},
		{"abandoned uploads leave nothing", testAbandon},
		{"abandon after commit does nothing", testAbandonAfterCommit},
		{"cancelled uploads leave nothing", testCancelledUpload},
		{"cancelled calls end", testCancelledCalls},
		{"a name is written once", testConflict},
		{"publishing again is success", testPublish},
		{"one generation is read", testGenerations},
		{"the same bytes again are a new generation", testSameBytesAgain},
		{"metadata of an uploader", testUploaderMetadata},
		{"every generation is listed", testList},
		{"one object of many", testCompose},
		{"compositions refused", testComposeRefused},
		{"an upload of parts", testComposition},
		{"stretches are read", testRanges},
		{"objects are removed", testRemove},
		{"an object is copied", testCopy},
		{"nothing is shared with the caller", testAliasing},
		{"uploads that have ended", testEnded},
		{"the running checksum", testSum},
		{"damaged bytes are told", testDamage},
		{"half a read", testHalfRead},
		{"many goroutines, one winner", testGoroutines},
		{"two processes, one winner a name", testProcesses},
		{"a large object", testLarge},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

// equal compares objects: instants rather than clocks, and no metadata is empty metadata.
var equal = cmp.Options{cmpopts.EquateEmpty(), cmpopts.EquateApproxTime(0)}

func checkObject(t *testing.T, what string, got, want bucket.Object) {
	t.Helper()
	expect.Equal(t, what, want, got, equal)
}

func checkKind(t *testing.T, what string, err error, want errs.Kind) {
	t.Helper()
	if got := errs.KindOf(err); got != want {
		t.Errorf("%s: kind %q, want %q (%v)", what, got, want, err)
	} else if _, coded := errors.AsType[*errs.Error](err); err != nil && !coded {
		t.Errorf("%s: %v has no message for people", what, err)
	}
}

func (s Subject) checkContents(t *testing.T, want ...string) {
	t.Helper()
	expect.Equal(t, "contents", want, s.Contents(t), cmpopts.EquateEmpty())
}

func (s Subject) create(t *testing.T, name string, options bucket.CreateOptions) bucket.Upload {
	t.Helper()
	upload, err := s.Bucket.Create(t.Context(), name, options)
	if err != nil {
		t.Fatalf("Create(%q): %v", name, err)
	}
	t.Cleanup(upload.Abandon)
	return upload
}

func mustWrite(t *testing.T, upload bucket.Upload, data []byte) {
	t.Helper()
	if n, err := upload.Write(data); n != len(data) || err != nil {
		t.Fatalf("Write of %d bytes = %d, %v", len(data), n, err)
	}
}

// upload is an upload of data that is not committed.
func (s Subject) upload(t *testing.T, name string, options bucket.CreateOptions, data []byte) bucket.Upload {
	t.Helper()
	upload := s.create(t, name, options)
	mustWrite(t, upload, data)
	return upload
}

func (s Subject) write(t *testing.T, name string, data []byte) bucket.Object {
	t.Helper()
	return expect.Result(s.upload(t, name, bucket.CreateOptions{}, data).Commit())(t)
}

func (s Subject) read(t *testing.T, name string, generation int64) ([]byte, bucket.Object) {
	t.Helper()
	r, object, err := s.Bucket.Open(t.Context(), name, generation)
	if err != nil {
		t.Fatalf("Open(%q, %d): %v", name, generation, err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("reading %q, %d: %v", name, generation, err)
	}
	return data, object
}

func (s Subject) checkBytes(t *testing.T, object bucket.Object, want string) {
	t.Helper()
	data, opened := s.read(t, object.Name, object.Generation)
	expect.Equal(t, fmt.Sprintf("bytes of %s, %d", object.Name, object.Generation), want, string(data))
	checkObject(t, "the object that Open describes", opened, object)
}

func (s Subject) stat(t *testing.T, name string) bucket.Object {
	t.Helper()
	return expect.Result(s.Bucket.Stat(t.Context(), name))(t)
}

func (s Subject) checkMissing(t *testing.T, name string) {
	t.Helper()
	checkKind(
		t,
		"Stat of "+name,
		expect.ErrorOf(s.Bucket.Stat(context.WithoutCancel(t.Context()), name)),
		errs.NotFound,
	)
}

func crc32c(data []byte) uint32 { return crc32.Checksum(data, bucket.Castagnoli) }
