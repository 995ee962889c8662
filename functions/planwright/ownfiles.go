package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/bucket/files"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/tree"
)

// checkOwn refuses to write over a file of our own, of these records or of
// others, and to write records that a server uses.
func (j *job) checkOwn() error {
	if folder := filepath.Dir(j.db); served(j.db) && emulator.Serving(folder) {
		return usagef("--db %s is a server's. Have the server do it: copy the plan into %s as plan.json and the table beside it. Or choose another --db.",
			j.db, filepath.Join(folder, emulator.InboxName, j.plan.ExecutionID))
	}
	for _, written := range []struct{ flag, path string }{{"--out", j.out}, {"--changes", j.changes}, {"--audit", j.audit}} {
		if what := ownFile(j.db, written.path, written.flag == "--out"); what != "" {
			return usagef("%s %s is %s. Choose another.", written.flag, written.path, what)
		}
	}
	return nil
}

// ownFile says what of ours a file is, of the records in db or of others; "":
// nothing. No table begins as the other files of a run do.
func ownFile(db, path string, table bool) string {
	if path == "" {
		return ""
	}
	for _, own := range []string{db + "-wal", db + "-shm", db + "-journal", keyFile(db)} {
		if same(path, own) {
			return "a file of the records in --db"
		}
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if same(dir, files.Kept(db)) {
			return "in the folder of the tables that are kept"
		}
		if same(dir, treeFolder(db)) || strings.HasSuffix(dir, treeSuffix) && isFile(strings.TrimSuffix(dir, treeSuffix)) {
			return "in the folder of a signed tree"
		}
	}
	switch begins := beginning(path); {
	case bytes.HasPrefix(begins, []byte("SQLite format 3\x00")):
		return "a file of records"
	case bytes.HasPrefix(begins, []byte("PRIVATE+KEY+")):
		return "a key that signs audit documents"
	case table && bytes.HasPrefix(begins, []byte(`{"`)):
		return "a plan, an audit log or a changes file"
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// beginning is how a file begins; nil where there is none.
func beginning(path string) []byte {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	begins := make([]byte, 16)
	n, _ := io.ReadFull(file, begins)
	return begins[:n]
}

// checkRecords refuses records that are not those which the tree beside them
// was signed of. Store is nil where there is no file.
func checkRecords(ctx context.Context, db string, store ledger.LeafStore) error {
	if served(db) {
		return emulator.CheckRecords(ctx, db, store)
	}
	name := filepath.Base(db)
	return tree.CheckRecords(ctx, store, os.DirFS(db+treeSuffix), name, fmt.Sprintf(
		"To begin anew all the same, move %s and %s into another folder first.", name+treeSuffix, name+keySuffix))
}
