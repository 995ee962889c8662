package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/ledger/tree"
)

// The tree over the audit documents of a file of records lies beside it, and so
// does the key that signs it.
const (
	treeSuffix = ".tree"
	keySuffix  = ".key"
	treeName   = "the tree's folder"
)

// served reports whether records are those of a server's data folder, or the first
// that there are in one. A state.db that has a tree of its own is a command's, from
// before commands wrote into data folders.
func served(db string) bool {
	_, err := os.Stat(db + treeSuffix)
	return emulator.IsState(db) || filepath.Base(db) == emulator.StateName && errors.Is(err, fs.ErrNotExist)
}

func treeFolder(db string) string {
	if served(db) {
		return filepath.Join(filepath.Dir(db), emulator.AuditName)
	}
	return db + treeSuffix
}

func keyFile(db string) string {
	if served(db) {
		return filepath.Join(filepath.Dir(db), emulator.KeyName)
	}
	return db + keySuffix
}

// sign takes the run's audit documents into the signed tree.
func (j job) sign(ctx context.Context, store *sqlite.Store) error {
	err := j.appendTree(ctx, store)
	if err == nil {
		return nil
	}
	return errs.Wrap(errs.KindOf(err), err, "This run is not in the signed tree of %s yet: %s\nThe next run with the same --db adds it.", near(j.db), errs.Message(err))
}

func (j job) appendTree(ctx context.Context, store *sqlite.Store) error {
	key, err := tree.LocalKey(keyFile(j.db))
	if err != nil {
		return err
	}
	signed, err := folder.Open(treeFolder(j.db), folder.Options{Name: treeName, NoSync: j.noSync})
	if err != nil {
		return err
	}
	defer signed.Close()
	log, err := tree.New(store, signed, key)
	if err != nil {
		return err
	}
	return log.Append(ctx)
}

// checkLogs compares the audit logs with the records: each document has its
// line, and each line its document. A run that could not even begin leaves a
// line that says so and no document; it says nothing of anything done.
func checkLogs(ctx context.Context, store *sqlite.Store, logs map[string]string) error {
	wanted := map[string]map[string]bool{} // by log, the lines that it must have
	of := map[string]string{}              // lines, and the log of each
	for id, log := range logs {
		documents, err := store.Audit(ctx, id, 0)
		if err != nil {
			return err
		}
		for _, document := range documents {
			if wanted[log] == nil {
				wanted[log] = map[string]bool{}
			}
			if document.Upload.Typed() {
				line := string(document.Line())
				wanted[log][line], of[line] = true, log
			}
		}
	}
	for log, lines := range wanted {
		if err := checkLog(log, lines, of, logs); err != nil {
			return err
		}
	}
	return nil
}

// checkLog compares one log. A line of another log's is there where the log was
// copied with the records, and went on.
func checkLog(path string, wanted map[string]bool, of, known map[string]string) error {
	file, err := os.Open(path)
	if err != nil {
		return errs.Wrap(errs.NotFound, err, "the audit log %s cannot be read", path)
	}
	defer file.Close()
	lines := bufio.NewReader(file)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if at := of[string(line)]; len(line) > 0 && !wanted[string(line)] && (at == "" || at == path) {
			if fault := checkStray(line, known); fault != "" {
				return errs.New(errs.Internal, "line %d of %s %s", number, path, fault)
			}
		}
		delete(wanted, string(line))
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return errs.Wrap(errs.Unavailable, err, "the audit log %s cannot be read", path)
		}
	}
	if len(wanted) > 0 {
		return errs.New(errs.Internal, "%s lacks %s", path, plural(int64(len(wanted)), "line"))
	}
	return nil
}

// checkStray says what is wrong with a line that no record has. Other files of
// records may share the log, with executions of their own.
func checkStray(line []byte, known map[string]string) string {
	var document ledger.AuditDocument
	if json.Unmarshal(line, &document) != nil || !document.Intact() || !bytes.Equal(document.Line(), line) {
		return "is not an audit document as it was written"
	}
	if _, ours := known[document.ExecutionID]; ours && (document.Status != ledger.Failed || document.PreviousSHA256 != "") {
		return "is of " + document.ExecutionID + ", whose records do not have it"
	}
	return ""
}
