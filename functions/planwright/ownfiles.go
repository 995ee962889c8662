package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/merkle"
)

// A target is a path that a command writes.
type target struct {
	flag, path string
	// own reports whether the file that is there is one to go on with, or to replace. What is
	// is said of one that is not.
	own  func(path string) bool
	what string
}

// guard refuses to write over what is there: a file of these records or of others, and
// whatever the command does not go on with by itself. In an empty file nothing is lost.
func guard(db string, targets ...target) error {
	if err := checkRecordsFile(db); err != nil {
		return err
	}
	for _, t := range targets {
		if t.path == "" {
			continue
		}
		if what := ownFile(db, t.path); what != "" {
			return usagef("%s %s is %s. Choose another.", t.flag, t.path, what)
		}
		info, err := os.Stat(t.path)
		if err == nil && info.Mode().IsRegular() && info.Size() > 0 && !t.own(t.path) {
			return usagef("%s %s is there already, and is %s: nothing is written over it. Choose another.",
				t.flag, t.path, t.what)
		}
	}
	return nil
}

// named is a path with the flag that names it.
type named struct{ flag, path string }

// checkDistinct refuses flags that name one file, and files that are none. Those that may
// be pipes are only compared.
func checkDistinct(files []named, pipes ...string) error {
	for i, first := range files {
		info, err := os.Stat(first.path)
		if err == nil && !info.Mode().IsRegular() && !slices.Contains(pipes, first.flag) {
			return usagef("%s %s is not a plain file.", first.flag, first.path)
		}
		for _, second := range files[i+1:] {
			if first.path != "" && same(first.path, second.path) {
				return usagef("%s and %s are the same file, %s. Choose another for one of them.",
					first.flag, second.flag, second.path)
			}
		}
	}
	return nil
}

// checkRecordsFile refuses a --db that is there and holds no records, and one that has two
// names: SQLite keeps what is not written yet beside the name that it was opened by.
func checkRecordsFile(db string) error {
	info, err := os.Stat(db)
	switch {
	case err != nil || !info.Mode().IsRegular() || info.Size() == 0:
		return nil
	case !bytes.HasPrefix(beginning(db), []byte(sqliteHeader)):
		return usagef("--db %s is there already, and holds no records. Choose another.", db)
	case links(info) > 1:
		return usagef("--db %s has two names on this disk (a hard link), and records are lost where both are used. Copy the file, or choose another.", db)
	}
	return nil
}

// sqliteHeader is how a file of SQLite begins.
const sqliteHeader = "SQLite format 3\x00"

// checkTargets refuses to write over what is there, and to write records that a server uses.
func (j *job) checkTargets(ctx context.Context) error {
	place := emulator.PlaceOf(j.db)
	if err := emulator.CheckFolder(place); err != nil {
		return err
	}
	if address := emulator.Address(place); address != "" {
		return usagef("--db %s is a server's, which runs at %s. Have the server do it: copy the plan into %s as plan.json and the table beside it. Or choose another --db.",
			j.db, address, filepath.Join(place.Folder, emulator.InboxName, j.plan.ExecutionID))
	}
	var record ledger.Execution
	if isFile(j.out) || isFile(j.changes) {
		var err error
		if record, err = j.recorded(ctx); err != nil {
			return err
		}
	}
	// Planwright writes nothing of a completed execution again.
	completed := func(string) bool { return record.Status == ledger.Completed }
	isChanges := func(path string) bool { // other changes fail the execution
		return record.Status == ledger.Completed || bytes.HasPrefix(beginning(path), []byte(`{"row":`))
	}
	return guard(j.db,
		target{"--out", j.out, completed, "not what this execution wrote"},
		target{"--changes", j.changes, isChanges, "no file of changes"},
		target{"--audit", j.audit, isLog, "no audit log, or has two names on this disk"})
}

// isLog reports whether a file is an audit log, to which a line can be added without
// another file getting it, too.
func isLog(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || links(info) > 1 {
		return false
	}
	reader := bufio.NewReader(io.LimitReader(file, maxFirstLines))
	for {
		line, err := reader.ReadBytes('\n')
		var document ledger.AuditDocument
		switch {
		case !bytes.HasPrefix(line, []byte(`{"execution_id":"`)):
			return false
		case json.Unmarshal(line, &document) == nil && document.IsWrittenAs(string(line)):
			return true
		case err != nil: // a power cut in the middle of the only line
			return true
		} // else of a line before
	}
}

// maxFirstLines is more than the first lines of a log have, up to the first whole one.
const maxFirstLines = 64 << 20

// links counts the names that a file has.
func links(info os.FileInfo) uint64 {
	if system, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(system.Nlink)
	}
	return 1
}

// isPlan reports whether a file holds a plan.
func isPlan(path string) bool {
	_, err := readPlan(path)
	return err == nil
}

// recorded is what the records have of the plan's execution; zero where that is nothing.
func (j *job) recorded(ctx context.Context) (record ledger.Execution, err error) {
	ids, err := openPlanIDs(ctx, j.db)
	if err != nil || ids.store == nil {
		return record, err
	}
	defer ids.Close()
	record, err = ids.store.Execution(ctx, j.plan.ExecutionID)
	if errs.KindOf(err) == errs.NotFound {
		return ledger.Execution{}, nil
	}
	return record, err
}

// ownFile says what of ours a path is, of the records in db or of others; "": nothing.
func ownFile(db, path string) string {
	for _, own := range append(sqliteFiles(db), emulator.PlaceOf(db).Folder) {
		if same(path, own) {
			return "a file of the records in --db"
		}
	}
	dir, name := filepath.Split(path)
	if isFile(dir+emulator.StateName) && strings.HasPrefix(strings.ToLower(name), "state.") {
		return "a file of a server's records"
	}
	for _, beside := range sqliteFiles("") {
		if records, is := strings.CutSuffix(path, beside); is && isFile(records) {
			return "a file of records"
		}
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if what := ownFolder(db, dir); what != "" {
			return what
		}
	}
	switch begins := beginning(path); {
	case bytes.HasPrefix(begins, []byte(sqliteHeader)):
		return "a file of records"
	case bytes.HasPrefix(begins, []byte("PRIVATE+KEY+")):
		return "a key that signs audit documents"
	}
	return ""
}

// sqliteFiles are the files that SQLite keeps beside records.
func sqliteFiles(db string) []string { return []string{db + "-wal", db + "-shm", db + "-journal"} }

// ownFolder says what of ours a folder is, of the records in db or of others; "": nothing.
func ownFolder(db, dir string) string {
	if records, is := strings.CutSuffix(dir, emulator.FolderSuffix); is &&
		(isFile(records) || same(records, db)) {
		return "in a folder of records"
	}
	data := filepath.Dir(dir)
	if filepath.Base(dir) == folder.Hidden {
		return "in a folder of a server"
	}
	for _, own := range []string{emulator.OutboxName, emulator.AuditName, emulator.TablesName} {
		if same(dir, filepath.Join(data, own)) && isFile(filepath.Join(data, emulator.StateName)) {
			return "in a folder of a server"
		}
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
func checkRecords(ctx context.Context, db string, store merkle.LeafStore) error {
	return emulator.CheckRecords(ctx, emulator.PlaceOf(db), store)
}
