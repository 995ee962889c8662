package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
)

// checkOwnFiles compares the files that command lines named with what was sealed. What was
// written must be as it was written, where it still is. The table is its owner's: another one
// in its place is only said, for the store has the one that was read.
func checkOwnFiles(
	ctx context.Context, store *sqlite.Store, e ledger.Execution,
) (count int, notes []string, err error) {
	files, err := store.OwnFiles(ctx, e.ExecutionID)
	for _, file := range files {
		is, readErr := compareFile(file.Path, sealedAs(e.Seal, file.Kind))
		switch {
		case errors.Is(readErr, fs.ErrNotExist):
			notes = append(notes, fmt.Sprintf("--%s %s is not there any more", file.Kind, file.Path))
		case readErr != nil:
			err = errors.Join(err, errs.New(errs.NotFound, "--%s %s cannot be read", file.Kind, file.Path))
		case is == theSame:
		case file.Kind == "csv":
			notes = append(notes, fmt.Sprintf("--csv %s is another table by now", file.Path))
		default:
			err = errors.Join(err,
				errs.New(errs.Internal, "--%s %s is not as it was written", file.Kind, file.Path))
		}
	}
	return len(files), notes, err
}

// sealedAs is what a file of a kind was sealed as.
func sealedAs(seal *ledger.Seal, kind string) ledger.File {
	switch kind {
	case "csv":
		return seal.Input
	case "out":
		return seal.Output
	default:
		return seal.Changes
	}
}

// presence is what lies at a path.
type presence int

const (
	nothing presence = iota // or an empty file
	theSame                 // the very bytes
	other
)

// compareFile compares what lies at a path with a sealed file.
func compareFile(path string, sealed ledger.File) (presence, error) {
	file, err := os.Open(path)
	if err != nil {
		return nothing, err
	}
	defer file.Close()
	var read bucket.Digest
	_, err = io.Copy(&read, file)
	switch {
	case err != nil:
		return other, err
	case read.Size == sealed.Size && read.CRC32C == sealed.CRC32C:
		return theSame, nil
	case read.Size == 0:
		return nothing, nil
	}
	return other, nil
}
