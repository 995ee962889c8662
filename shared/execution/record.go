package execution

import (
	"context"
	"io"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/changelog"
)

// recordChanges reads the changes file back into change documents, from where
// the delivery before stopped. A single one rides in the completing commit and
// is returned; more are stored before it. The file that this reads, from its
// first byte to its last, has the sealed hash, or nothing completes.
func (a *attempt) recordChanges(ctx context.Context, changes bucket.Object) (changelog.Listing, []changelog.Document, error) {
	seal := a.lease.Execution().Seal
	file, documents, err := a.openDocuments(ctx, changes)
	if err != nil {
		return changelog.Listing{}, nil, err
	}
	defer file.Close()
	listing, err := documents.Listing()
	if err != nil {
		return listing, nil, err
	}
	same, err := documents.Skip(a.lease.Execution().Recorded)
	if err != nil {
		return listing, nil, err
	}
	if !same { // one of the two readings was wrong: which, the sealed hash tells
		a.Log.WarnContext(ctx, "the changes that were stored are not those in the file; they are stored again")
		if err := a.lease.NoteRecorded(ctx, changelog.Recorded{}, a.leaseUntil(a.delivery)); err != nil {
			return listing, nil, err
		}
		return a.recordChanges(ctx, changes)
	}
	if seal.IsOneDocument() {
		document, err := documents.Next()
		if err == nil {
			err = a.checkEnd(documents)
		}
		return listing, []changelog.Document{document}, err
	}
	return listing, nil, a.storeDocuments(ctx, documents)
}

func (a *attempt) openDocuments(ctx context.Context, changes bucket.Object) (io.Closer, *changelog.DocumentReader, error) {
	file, _, err := a.Audit.Open(ctx, changes.Name, changes.Generation)
	if err != nil {
		return nil, nil, err
	}
	return file, changelog.NewDocumentReader(file, a.executionID, a.lease.Execution().Seal.ExecutedAt), nil
}

// storeDocuments stores the documents that are left. Each time the lease is
// due it waits until all that was handed over is stored and notes it in the
// record, and where the delivery's time is nearly up it leaves the rest to the next.
func (a *attempt) storeDocuments(ctx context.Context, documents *changelog.DocumentReader) error {
	for more := true; more; {
		var late bool
		more = false
		renewAt := a.now().Add(a.Limits.Lease / 3)
		err := a.Ledger.PutChanges(ctx, a.executionID, func(yield func(changelog.Document, error) bool) {
			for !more {
				document, err := documents.Next()
				if err == io.EOF {
					if err = a.checkEnd(documents); err == nil {
						return
					}
				}
				if !yield(document, err) || err != nil {
					return
				}
				late = a.isLate()
				more = late || !a.now().Before(renewAt)
			}
		})
		if err != nil {
			return err
		}
		if late {
			return a.leaveToNext(ctx, documents.Recorded())
		}
		if more {
			if err := a.note(ctx, documents.Recorded()); err != nil {
				return err
			}
		}
	}
	return nil
}

// leaveToNext notes what is stored and asks for another delivery.
func (a *attempt) leaveToNext(ctx context.Context, recorded changelog.Recorded) error {
	if err := a.note(ctx, recorded); err != nil {
		return err
	}
	return errs.Wrap(errs.Deadline, outOfTime{bytesRead: recorded.Bytes}, "execution %s has recorded %d of %d bytes of its changes; the next delivery goes on",
		a.executionID, recorded.Bytes, a.lease.Execution().Seal.Changes.Size)
}

// checkEnd compares what was read, skipped and stored with what was sealed.
func (a *attempt) checkEnd(documents *changelog.DocumentReader) error {
	if documents.Recorded().SHA256 == a.lease.Execution().Seal.Changes.SHA256 {
		return nil
	}
	return errs.New(errs.Internal, "the changes file of execution %s does not have the sealed hash", a.executionID)
}
