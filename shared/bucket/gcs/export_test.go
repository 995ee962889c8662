package gcs

import (
	"cmp"
	"time"

	"cloud.google.com/go/storage"
)

// DefaultChunkSize is what New takes.
const DefaultChunkSize = chunkSize

// Options are what tests choose; 0 is what New takes.
type Options struct {
	CallTimeout time.Duration
	ChunkSize   int
}

// NewWith is New with options.
func NewWith(client *storage.Client, name string, options Options) *Bucket {
	b := New(client, name)
	b.callTimeout, b.chunkSize = cmp.Or(options.CallTimeout, callTimeout), cmp.Or(options.ChunkSize, chunkSize)
	return b
}
