package emulator

import (
	"context"
	"sync"

	"github.com/planwright/planwright/shared/bucket/files"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
)

// history are the records of a data folder with the changes of those executions
// that a command line made: their changes stand in a file alone, and get their
// documents when somebody first asks for changes.
type history struct {
	*sqlite.Store
	mu sync.Mutex // one reads a changes file at a time
}

// Changes implements ledger.Store.
func (h *history) Changes(ctx context.Context, executionID string, page ledger.Page) (ledger.List[ledger.Change], error) {
	if err := h.index(ctx, func(e ledger.Execution) bool { return e.ExecutionID == executionID }); err != nil {
		return ledger.List[ledger.Change]{}, err
	}
	return h.Store.Changes(ctx, executionID, page)
}

// SKUChanges implements ledger.Store. A history that lacks what one execution did
// would be a wrong one, so that there is none while a changes file is missing.
func (h *history) SKUChanges(ctx context.Context, sku string, page ledger.Page) (ledger.List[ledger.SKUChange], error) {
	if err := h.index(ctx, func(ledger.Execution) bool { return true }); err != nil {
		return ledger.List[ledger.SKUChange]{}, err
	}
	return h.Store.SKUChanges(ctx, sku, page)
}

func (h *history) index(ctx context.Context, wanted func(ledger.Execution) bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	waiting, err := h.Unindexed(ctx)
	if err != nil {
		return err
	}
	for _, record := range waiting {
		if !wanted(record) {
			continue
		}
		if err := h.indexOne(ctx, record); err != nil {
			return errs.Wrap(errs.KindOf(err), err, "What execution %s changed stands in %s alone: %s", record.ExecutionID, record.Seal.Changes.Object, errs.Message(err))
		}
	}
	return nil
}

// indexOne reads the changes file twice: nothing of one that was changed since is stored.
func (h *history) indexOne(ctx context.Context, record ledger.Execution) error {
	lost := errs.New(errs.Conflict, "put that file back as it was written.")
	for _, store := range []bool{false, true} {
		file, _, err := files.Changes.Open(ctx, record.Seal.Changes.Object, 0)
		if err != nil {
			return lost
		}
		documents := ledger.NewDocumentReader(file, record.ExecutionID, record.Seal.ExecutedAt)
		if store {
			err = h.Index(ctx, record.ExecutionID, documents.All())
		} else {
			for _, err = range documents.All() {
			}
		}
		file.Close()
		if err != nil || documents.Recorded().SHA256 != record.Seal.ChangesSHA256 {
			return lost
		}
	}
	return nil
}
