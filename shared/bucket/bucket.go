// Package bucket is the port to objects. A read names one generation of an object. A write
// creates a new object, which becomes visible whole or not at all.
//
// gcs/ and folder/ implement it; buckettest/ is the suite that both pass. Implementations are
// built from ValidateName, Digest and Verify. Publish is for objects that somebody else may
// write at the same time.
package bucket

import (
	"context"
	"hash/crc32"
	"io"
	"time"
)

// Castagnoli is the polynomial of every checksum here.
var Castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Object describes one generation of an object.
type Object struct {
	Bucket      string
	Name        string
	Generation  int64
	Size        int64
	CRC32C      uint32
	ContentType string
	Metadata    map[string]string
	CreatedAt   time.Time
}

// Bucket is the port. Names are those that ValidateName accepts; others are
// Invalid. Every error carries a kind of package
// errs; a method without a word on a kind returns only Unavailable, Deadline,
// Exhausted, Denied or Internal.
type Bucket interface {
	// Name returns the bucket's name.
	Name() string
	// Stat describes the live generation. NotFound: there is no such object.
	Stat(ctx context.Context, name string) (Object, error)
	// Open reads exactly one generation, also one that was overwritten since.
	// NotFound: it is gone. Reading fails with kind Internal where the bytes
	// do not have the object's CRC32C.
	Open(ctx context.Context, name string, generation int64) (io.ReadCloser, Object, error)
	// Create opens an upload of an object that must not exist yet. Nothing is
	// visible until Commit. The context governs the whole upload: once it is
	// cancelled nothing can become visible.
	Create(ctx context.Context, name string, options CreateOptions) (Upload, error)
}

// CreateOptions are fixed when an upload is opened.
type CreateOptions struct {
	ContentType string
	Metadata    map[string]string
}

// Upload is an object being written. It must be ended by Commit or Abandon.
// It is used by one goroutine at a time.
type Upload interface {
	io.Writer
	// Sum returns the number of bytes written so far and their CRC32C, which
	// a caller records before Commit makes them visible. It stays readable
	// after Commit and Abandon.
	Sum() (size int64, crc32c uint32)
	// Commit makes the object visible and returns once it is durable.
	// Conflict: the name exists already; what was written is dropped, and the
	// object that is there is returned, so that the caller can compare its
	// checksum. That is also the answer where a back end says "denied" about a
	// name that exists, and where the object is our own, its first answer
	// having been lost. After any other error the object may or may not be
	// visible. A second Commit, or one after Abandon, is Internal, as is a
	// Write after either.
	Commit() (Object, error)
	// Abandon drops what was written. After Commit it does nothing, so it can be deferred.
	Abandon()
}
