package simulation

import (
	"bytes"
	"context"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// objects is a bucket.Bucket in memory whose state the invariants can see: all
// generations of each name, the live one last.
type objects struct {
	name        string
	generations map[string][]stored
	last        int64
	clock       func() time.Time // of what is committed; nil: at no time
	written     map[string]int64 // the last generation of each execution's objects
}

type stored struct {
	object bucket.Object
	data   []byte
}

func newObjects(name string) *objects {
	return &objects{name: name, generations: map[string][]stored{}, written: map[string]int64{}}
}

func (o *objects) Name() string { return o.name }

func (o *objects) Stat(_ context.Context, name string) (bucket.Object, error) {
	if err := bucket.ValidateName(name); err != nil {
		return bucket.Object{}, err
	}
	live, exists := o.live(name)
	if !exists {
		return bucket.Object{}, errs.New(errs.NotFound, "there is no %s", name)
	}
	return live.object, nil
}

func (o *objects) live(name string) (stored, bool) {
	all := o.generations[name]
	if len(all) == 0 {
		return stored{}, false
	}
	return all[len(all)-1], true
}

func (o *objects) Open(_ context.Context, name string, generation int64) (io.ReadCloser, bucket.Object, error) {
	for _, s := range o.generations[name] {
		if s.object.Generation == generation {
			return bucket.Verify(io.NopCloser(&pieces{bytes.NewReader(s.data)}), s.object), s.object, nil
		}
	}
	return nil, bucket.Object{}, errs.New(errs.NotFound, "there is no generation %d of %s", generation, name)
}

// List is bucket.Store's; a sweep of the simulation begins at the first name.
func (o *objects) List(context.Context, string) iter.Seq2[bucket.Object, error] {
	return func(yield func(bucket.Object, error) bool) {
		for _, name := range slices.Sorted(maps.Keys(o.generations)) {
			for _, s := range o.generations[name] {
				if !yield(s.object, nil) {
					return
				}
			}
		}
	}
}

// pieces is read in pieces, as a large object is.
type pieces struct{ *bytes.Reader }

const pieceBytes = 128 << 10

func (p *pieces) Read(into []byte) (int, error) {
	return p.Reader.Read(into[:min(len(into), pieceBytes)])
}

func (o *objects) Create(_ context.Context, name string, options bucket.CreateOptions) (bucket.Upload, error) {
	if err := bucket.ValidateName(name); err != nil {
		return nil, err
	}
	return &pending{to: o, name: name, options: options}, nil
}

// put makes data the live generation of a name.
func (o *objects) put(name string, data []byte, options bucket.CreateOptions, at time.Time) bucket.Object {
	var digest bucket.Digest
	digest.Write(data)
	o.last++
	o.written[executionOf(name)] = o.last
	s := stored{data: slices.Clone(data), object: bucket.Object{
		Bucket: o.name, Name: name, Generation: o.last, Size: digest.Size, CRC32C: digest.CRC32C,
		Metadata: options.Metadata, CreatedAt: at,
	}}
	o.generations[name] = append(o.generations[name], s)
	return s.object
}

// executionOf is the execution that an object of any bucket is named after.
func executionOf(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "changes/"), "executions/")
	id, _, _ := strings.Cut(strings.TrimSuffix(name, ".jsonl"), "/")
	return id
}

// pending is an upload that is not visible yet.
type pending struct {
	to      *objects
	name    string
	options bucket.CreateOptions
	data    []byte
	digest  bucket.Digest
	ended   bool
}

func (p *pending) Write(data []byte) (int, error) {
	p.data = append(p.data, data...)
	return p.digest.Write(data)
}

func (p *pending) Sum() (int64, uint32) { return p.digest.Sum() }

func (p *pending) Abandon() { p.ended = true }

func (p *pending) Commit() (bucket.Object, error) {
	if p.ended {
		return bucket.Object{}, errs.New(errs.Internal, "%s was ended before", p.name)
	}
	p.ended = true
	if live, exists := p.to.live(p.name); exists {
		return live.object, errs.New(errs.Conflict, "there is a %s", p.name)
	}
	var at time.Time
	if p.to.clock != nil {
		at = p.to.clock()
	}
	return p.to.put(p.name, p.data, p.options, at), nil
}
