package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
)

// place gives the files here their names. What another run has carried out is copied from
// the store where it is missing, for the same table alone.
func (a *applying) place(ctx context.Context, record ledger.Execution, another bool) error {
	if !another {
		if err := a.noteOwn(ctx, "csv", a.csv); err != nil {
			return err
		}
	}
	for _, w := range []struct {
		*wanted
		kind   string
		sealed ledger.File
	}{{a.changes, "changes", record.Seal.Changes}, {a.output, "out", record.Seal.Output}} {
		w.object = w.sealed.Object
		w.stored = filepath.Join(a.store.Folder, w.sealed.Bucket, w.sealed.Object)
		is, err := a.placeFile(ctx, w.wanted, w.sealed, record, another)
		if err == nil && is {
			err = a.noteOwn(ctx, w.kind, w.path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// placeFile gives a file its name, and reports whether it is there then.
func (a *applying) placeFile(
	ctx context.Context, w *wanted, sealed ledger.File, record ledger.Execution, another bool,
) (is bool, err error) {
	there, err := w.there(sealed)
	switch {
	case err != nil, there == theSame:
		return err == nil, err
	case there == other && another:
		return false, nil
	case there == other:
		return false, errs.New(errs.Conflict,
			"%s was written by somebody else meanwhile, and is not written over. The result is %s.",
			near(w.path), near(w.stored))
	case another && !a.isInputOf(record):
		a.left = append(a.left, w)
		return false, nil
	}
	if err := w.place(ctx, sealed.Size, sealed.CRC32C); err != nil {
		return false, err
	}
	if another {
		a.restored = append(a.restored, w.path)
	}
	return true, nil
}

// noteOwn notes whose a file is that this command named, for verify to find it.
func (a *applying) noteOwn(ctx context.Context, kind, path string) error {
	return a.store.Records.NoteOwnFile(ctx, a.plan.ExecutionID, sqlite.OwnFile{Path: path, Kind: kind})
}

// isInputOf reports whether --csv may be the table that an execution read: it has its name
// and, where it is there, its size.
func (a *applying) isInputOf(record ledger.Execution) bool {
	info, err := os.Stat(a.csv)
	return record.Source.Object == a.object() && (err != nil || info.Size() == record.Seal.Input.Size)
}
