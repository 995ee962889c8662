package simulation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/plan"
)

// Mutants are the product with one guard removed each. A simulation that does
// not catch every one of them would prove nothing.
var Mutants = []Mutant{
	{Name: "a seal that ignores the revision", store: func(w *world) ledger.Store {
		return unfenced{w.store, func(next ledger.Execution, with ledger.Settlement) bool {
			return next.Seal != nil && with.Outcome == nil
		}}
	}},
	{Name: "a failure that ignores the revision", store: func(w *world) ledger.Store { return unfenced{w.store, failsBy("invalid_csv")} }},
	{Name: "a rejection that ignores the revision", likely: 13_240, store: func(w *world) ledger.Store { return unfenced{w.store, failsBy(ledger.CodeRejected)} }},
	{Name: "a superseding that ignores the revision", store: func(w *world) ledger.Store {
		return unfenced{w.store, func(_ ledger.Execution, with ledger.Settlement) bool {
			return with.Outcome != nil && with.Outcome.Status == ledger.Skipped
		}}
	}},
	{Name: "a proposal that ignores the revision", store: func(w *world) ledger.Store {
		return unfenced{w.store, func(next ledger.Execution, with ledger.Settlement) bool {
			return next.Status == ledger.Proposed && next.Approval == nil && with.Outcome == nil
		}}
	}},
	{Name: "an approval that is not waited for", store: func(w *world) ledger.Store {
		return edited{w.store, hurried(func(before, next ledger.Execution) bool {
			return next.Proposal.ApprovalDue && before.Approval == nil
		})}
	}},
	{Name: "an approval that is taken for one of other bytes", store: func(w *world) ledger.Store {
		return edited{w.store, hurried(func(before, _ ledger.Execution) bool { return before.Approval != nil })}
	}},
	{Name: "a time that is not waited for", store: func(w *world) ledger.Store {
		return edited{w.store, hurried(func(before, next ledger.Execution) bool {
			return !next.Proposal.ApprovalDue && next.Proposal.ApplyAt.After(next.Proposal.ExecutedAt)
		})}
	}},
	{Name: "a shop that is not fetched when the time has come", store: func(w *world) ledger.Store {
		return edited{w.store, hurried(func(_, next ledger.Execution) bool {
			return next.AwaitsFetch() && !next.Proposal.ApplyAt.After(next.Proposal.ExecutedAt)
		})}
	}},
	{Name: "decisions that no policy is held against", unruled: true},
	{Name: "an upload whose outcome is not looked at", store: func(w *world) ledger.Store { return unaware{w.store} }},
	{Name: "an approval that outlives its proposal", store: func(w *world) ledger.Store { return edited{w.store, keepApproval} }},
	{Name: "an undo that is not noted in the commit of its seal", store: func(w *world) ledger.Store { return edited{w.store, forgetUndone} }},
	{Name: "an undo that is said to stand although it was undone", tables: func(w *world) lineage.Tables { return shallow{w.store} }},
	{Name: "a rejection that is forgotten", store: func(w *world) ledger.Store { return edited{w.store, forgetRejection} }},
	{Name: "notices that nobody owes", store: func(w *world) ledger.Store { return edited{w.store, forgetOwed} }},
	{Name: "posts in a second write", store: func(w *world) ledger.Store { return &late{w.store, map[string][]ledger.Owed{}} }},
	{Name: "an approval that the webhook is not owed", store: func(w *world) ledger.Store { return edited{w.store, forgetPost} }},
	{Name: "a completion that owes the shop nothing", store: func(w *world) ledger.Store {
		return edited{w.store, func(_ ledger.Execution, _ *ledger.Execution, with *ledger.Settlement) { with.Posting = nil }}
	}},
	{Name: "posts that are never due", store: func(w *world) ledger.Store { return edited{w.store, forgetPosts} }},
	{Name: "posts that are noted before they are made", tell: hastily},
	{Name: "a note of a post that ignores the revision", store: func(w *world) ledger.Store { return unfenced{w.store, overwritesPosts(w)} }},
	{Name: "a lease whose end is never due", store: func(w *world) ledger.Store { return edited{w.store, forgetLease} }},
	{Name: "an undo that is never due", store: func(w *world) ledger.Store { return edited{w.store, forgetUndoDue} }},
	{Name: "a release that is never due", store: func(w *world) ledger.Store { return edited{w.store, forgetRelease} }},
	{Name: "a proposal that is never due", store: func(w *world) ledger.Store { return edited{w.store, forgetProposed} }},
	{Name: "several outcomes of one upload", store: func(w *world) ledger.Store { return replacing{w.store} }},
	{Name: "checksums that are not compared", bucket: func(w *world, o *objects) bucket.Bucket { return lying{o, w} }},
	{Name: "names that can be written again", bucket: func(_ *world, o *objects) bucket.Bucket { return overwriting{o} }},
	{Name: "names that can be written again, of parts too", ranges: true, bucket: func(_ *world, o *objects) bucket.Bucket { return overwriting{o} }},
}

// Leaseless is the product without its lease, which is no guard: everything
// must hold without it.
var Leaseless = Mutant{Name: "no lease", store: func(w *world) ledger.Store { return leaseless{w.store} }}

// RecordingMutants are the product with one guard of the recording of changes
// removed each. They show where it is interrupted.
var RecordingMutants = []Mutant{
	{Name: "a note of a document that is not stored", store: func(w *world) ledger.Store { return hasty{w.store} }},
	{Name: "a note that is believed without its hash", store: func(w *world) ledger.Store { return trusting{w.store, w} }},
	{Name: "documents that are said to be stored and are not", store: func(w *world) ledger.Store { return forgetful{w.store} }},
}

// hasty notes one document more than is stored.
type hasty struct{ *store }

func (h hasty) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	if next.Recorded.Documents > h.records[next.ExecutionID].Recorded.Documents {
		next.Recorded.Documents++
	}
	return h.store.UpdateExecution(ctx, next, with)
}

// trusting gives every note the hash of the file that is there.
type trusting struct {
	*store
	w *world
}

func (t trusting) Snapshot(ctx context.Context, id, upload string) (ledger.Snapshot, error) {
	found, err := t.store.Snapshot(ctx, id, upload)
	if found.Execution != nil && found.Execution.Recorded.Documents > 0 {
		file, _ := t.w.audit.live(found.Execution.Seal.Changes.Object)
		sum := sha256.Sum256(file.data[:found.Execution.Recorded.Bytes])
		found.Execution.Recorded.SHA256 = hex.EncodeToString(sum[:])
	}
	return found, err
}

// forgetful keeps every document but the second.
type forgetful struct{ *store }

func (f forgetful) PutChanges(ctx context.Context, id string, documents iter.Seq2[changelog.Document, error]) error {
	return f.store.PutChanges(ctx, id, func(yield func(changelog.Document, error) bool) {
		for document, err := range documents {
			if document.Number != 1 && !yield(document, err) {
				return
			}
		}
	})
}

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

// failsBy is for what fails an execution with a code.
func failsBy(code string) func(ledger.Execution, ledger.Settlement) bool {
	return func(next ledger.Execution, _ ledger.Settlement) bool {
		return next.Status == ledger.Failed && next.Error.Code == code
	}
}

// unaware does not see the outcome of an upload before the execution has
// completed.
type unaware struct{ *store }

func (u unaware) Snapshot(ctx context.Context, id, upload string) (ledger.Snapshot, error) {
	found, err := u.store.Snapshot(ctx, id, upload)
	if found.Execution != nil && found.Execution.Status != ledger.Completed {
		found.Outcome = nil
	}
	return found, err
}

// edited changes what is written to a record that was read as before.
type edited struct {
	*store
	edit func(before ledger.Execution, next *ledger.Execution, with *ledger.Settlement)
}

func (e edited) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	e.edit(e.records[next.ExecutionID], &next, &with)
	return e.store.UpdateExecution(ctx, next, with)
}

// hurried seals what would be proposed, where it applies.
func hurried(applies func(before, next ledger.Execution) bool) func(ledger.Execution, *ledger.Execution, *ledger.Settlement) {
	return func(before ledger.Execution, next *ledger.Execution, _ *ledger.Settlement) {
		if before.Status != ledger.Running || next.Status != ledger.Proposed || before.Source.OutputOf != "" || !applies(before, *next) {
			return
		}
		seal := next.Proposal.Seal
		next.Status, next.Seal, next.Proposal, next.Approval = ledger.Running, &seal, nil, before.Approval
	}
}

func keepApproval(before ledger.Execution, next *ledger.Execution, _ *ledger.Settlement) {
	if next.Status == ledger.Proposed && next.Approval == nil && before.Approval != nil {
		approval := *before.Approval
		approval.ProposalSHA256 = next.Proposal.ProposalSHA256
		next.Approval = &approval
	}
}

// shallow reads of no undo that it was undone.
type shallow struct{ *store }

func (s shallow) Execution(ctx context.Context, id string) (ledger.Execution, error) {
	e, err := s.store.Execution(ctx, id)
	if p, decoded := plan.Decode(s.plans[id].Canonical); decoded == nil && p.Undo != nil {
		e.Links = ledger.Links{}
	}
	return e, err
}

func forgetUndone(_ ledger.Execution, _ *ledger.Execution, with *ledger.Settlement) { with.Also = nil }

func forgetRejection(_ ledger.Execution, next *ledger.Execution, _ *ledger.Settlement) {
	next.Rejected = false
}

func forgetOwed(_ ledger.Execution, next *ledger.Execution, _ *ledger.Settlement) {
	next.Owed = slices.Clone(next.Owed)
	for i := range next.Owed {
		next.Owed[i].Upload = nil
	}
}

// forgetPost owes the webhook no approval.
func forgetPost(_ ledger.Execution, next *ledger.Execution, _ *ledger.Settlement) {
	next.Owed = slices.DeleteFunc(slices.Clone(next.Owed), func(p ledger.Owed) bool { return p.Kind == notices.Approved })
}

// forgetPosts has every post due after the end of the world.
func forgetPosts(_ ledger.Execution, next *ledger.Execution, _ *ledger.Settlement) {
	next.Owed = slices.Clone(next.Owed)
	for i := range next.Owed {
		if !next.Owed[i].PostAt.IsZero() {
			next.Owed[i].PostAt = postings.Forever
		}
	}
}

func forgetLease(_ ledger.Execution, next *ledger.Execution, _ *ledger.Settlement) {
	if next.Status == ledger.Running && !next.LeaseUntil.IsZero() {
		next.DueAt = time.Time{}
	}
}

func forgetUndoDue(_ ledger.Execution, next *ledger.Execution, _ *ledger.Settlement) {
	if next.Status == ledger.Completed && len(next.Unwritten()) == 0 {
		next.DueAt = time.Time{}
	}
}

func forgetRelease(_ ledger.Execution, next *ledger.Execution, _ *ledger.Settlement) {
	if next.Status == ledger.Running && next.LeaseUntil.IsZero() {
		next.DueAt = time.Time{}
	}
}

func forgetProposed(_ ledger.Execution, next *ledger.Execution, _ *ledger.Settlement) {
	if next.Status == ledger.Proposed && len(next.Unwritten()) == 0 {
		next.DueAt = time.Time{}
	}
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

func (l leaseless) Snapshot(ctx context.Context, id, upload string) (ledger.Snapshot, error) {
	found, err := l.store.Snapshot(ctx, id, upload)
	if found.Execution != nil {
		found.Execution.LeaseUntil = found.Execution.CreatedAt.Add(-limits.UnknownFor)
	}
	return found, err
}
