package simulation

import (
	"context"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// Mutants are the product with one guard removed each. A simulation that does
// not catch every one of them would prove nothing.
var Mutants = []Mutant{
	{Name: "a seal that ignores the revision", store: func(s *store) ledger.Store {
		return unfenced{s, func(next ledger.Execution, with ledger.Settlement) bool {
			return next.Seal != nil && with.Outcome == nil
		}}
	}},
	{Name: "a failure that ignores the revision", store: func(s *store) ledger.Store {
		return unfenced{s, func(next ledger.Execution, _ ledger.Settlement) bool { return next.Status == ledger.Failed }}
	}},
	{Name: "several outcomes of one upload", store: func(s *store) ledger.Store { return replacing{s} }},
	{Name: "checksums that are not compared", bucket: func(w *world, o *objects) bucket.Bucket { return lying{o, w} }},
	{Name: "names that can be written again", bucket: func(_ *world, o *objects) bucket.Bucket { return overwriting{o} }},
}

// Leaseless is the product without its lease, which is no guard: everything
// must hold without it.
var Leaseless = Mutant{Name: "no lease", store: func(s *store) ledger.Store { return leaseless{s} }}

// unfenced updates records whatever their revision, where it applies.
type unfenced struct {
	*store
	applies func(ledger.Execution, ledger.Settlement) bool
}

func (u unfenced) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	if u.applies(next, with) {
		next.Revision = u.records[next.ExecutionID].Revision
	}
	return u.store.UpdateExecution(ctx, next, with)
}

// replacing stores an outcome over another.
type replacing struct{ *store }

func (r replacing) CreateOutcome(_ context.Context, outcome ledger.AuditDocument) error {
	r.putOutcome(outcome)
	return nil
}

// lying says of every upload that it has the sealed checksum.
type lying struct {
	*objects
	w *world
}

func (l lying) Create(ctx context.Context, name string, options bucket.CreateOptions) (bucket.Upload, error) {
	upload, err := l.objects.Create(ctx, name, options)
	if err != nil {
		return nil, err
	}
	return lyingUpload{upload.(*pending), l}, nil
}

type lyingUpload struct {
	*pending
	l lying
}

func (u lyingUpload) Sum() (int64, uint32) {
	for _, record := range u.l.w.store.records {
		if record.Seal == nil {
			continue
		}
		for _, file := range []ledger.File{record.Seal.Output, record.Seal.Changes} {
			if file.Bucket == u.l.name && file.Object == u.pending.name {
				return file.Size, file.CRC32C
			}
		}
	}
	return u.pending.Sum()
}

// overwriting writes whether or not the name exists.
type overwriting struct{ *objects }

func (o overwriting) Create(ctx context.Context, name string, options bucket.CreateOptions) (bucket.Upload, error) {
	upload, err := o.objects.Create(ctx, name, options)
	if err != nil {
		return nil, err
	}
	return overwritingUpload{upload.(*pending)}, nil
}

type overwritingUpload struct{ *pending }

func (u overwritingUpload) Commit() (bucket.Object, error) {
	object, err := u.pending.Commit()
	if errs.KindOf(err) == errs.Conflict {
		return u.to.put(u.name, u.data, u.options, object.CreatedAt), nil
	}
	return object, err
}

// leaseless forgets every lease.
type leaseless struct{ *store }

func (l leaseless) Look(ctx context.Context, id, upload string) (ledger.Snapshot, error) {
	found, err := l.store.Look(ctx, id, upload)
	if found.Execution != nil {
		found.Execution.LeaseUntil = found.Execution.CreatedAt.Add(-limits.UnknownFor)
	}
	return found, err
}
