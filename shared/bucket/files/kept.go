package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/planwright/planwright/shared/ledger"
)

// Kept is the folder, beside a file of records, in which tables are kept as they were
// read.
func Kept(db string) string { return db + ".inputs" }

// clone makes a file that shares the blocks of another until one of them is written to.
var clone = cloneFile

// Keep keeps a table as it is at this moment for an upload of an execution, where the file
// system can have it share the file's blocks. Elsewhere the file itself stands for the
// upload, with the checksum in its seal. It is never a hard link, which an edit in place
// would follow.
func (b Bucket) Keep(executionID string, of ledger.Upload) {
	path := filepath.Join(b.kept, executionID+"."+of.ID())
	_, err := os.Stat(path)
	if b.kept == "" || !errors.Is(err, fs.ErrNotExist) || os.MkdirAll(b.kept, 0o700) != nil {
		return
	}
	draft := path + ".draft"
	err = clone(of.Object, draft)
	if err == nil {
		err = syncPath(draft, b.noSync)
	}
	if err == nil {
		err = os.Rename(draft, path)
	}
	if err != nil {
		os.Remove(draft)
		os.Remove(b.kept) // unless others are in it
	}
}

// Forget removes what is kept of an execution, but of one upload.
func (b Bucket) Forget(executionID string, but ledger.Upload) {
	names, _ := fs.Glob(os.DirFS(b.kept), executionID+".*") // no pattern's sign is in an id
	for _, name := range names {
		if name != executionID+"."+but.ID() {
			os.Remove(filepath.Join(b.kept, name))
		}
	}
	os.Remove(b.kept) // unless others are in it
}

// keptOf returns what is kept of an upload; "": nothing is.
func (b Bucket) keptOf(of ledger.Upload) string {
	if b.kept == "" {
		return ""
	}
	names, _ := fs.Glob(os.DirFS(b.kept), "*."+of.ID())
	if len(names) == 0 {
		return ""
	}
	return filepath.Join(b.kept, names[0])
}
