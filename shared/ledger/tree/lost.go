package tree

import (
	"context"
	"errors"
	"io/fs"
	"strconv"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/merkle"
)

// CheckRecords compares a file of records with the signed heads that lie beside
// it, in the folder that holds log/. Store is nil where there is no such file.
// Conflict: heads were signed of more documents than there are: the records
// were deleted, or older ones were put in their place. Remedy is what to do then.
func CheckRecords(ctx context.Context, store merkle.LeafStore, beside fs.FS, records, remedy string) error {
	signed, err := signedSize(beside) // before the records, which grow first
	if err != nil || signed == 0 {
		return err
	}
	var found merkle.Tree
	if store != nil {
		if found, err = store.Tree(ctx); err != nil {
			return err
		}
	}
	if found.Size >= signed {
		return nil
	}
	return errs.New(errs.Conflict, "%s has %d audit documents, and the signed tree beside it has %d: it was deleted, or an older copy was put in its place. Nothing was done, for without its records a plan that was carried out would be carried out again.\nPut the newest copy of %s back. %s",
		records, found.Size, signed, records, remedy)
}

// signedSize is the size that the newest head in a folder is named after.
func signedSize(folder fs.FS) (size int64, err error) {
	entries, err := fs.ReadDir(folder, headRoot[:len(headRoot)-1])
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, errs.Wrap(errs.Denied, err,
			"The signed tree beside the records cannot be read: check its permissions.")
	}
	for _, entry := range entries {
		if n, err := strconv.ParseInt(entry.Name(), 10, 64); err == nil {
			size = max(size, n)
		}
	}
	return size, nil
}
