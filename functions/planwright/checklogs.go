package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/functions/emulator/userfile"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/sqlite"
)

// checkLogs compares the audit logs with the records: each document has its line
// in one of them, and each line its document. A run that could not even begin
// leaves a line that says so and no document; it says nothing of anything done.
func checkLogs(ctx context.Context, store *sqlite.Store, logs []string) error {
	documents, err := store.Logged(ctx)
	if err != nil {
		return err
	}
	places, err := leafNumbers(ctx, store)
	if err != nil {
		return err
	}
	lines := map[string]*logged{} // one that was copied with the records shares lines
	known := map[string]bool{}    // executions
	for _, document := range documents {
		line := &logged{
			began: document.Upload.UploadedAt,
			ended: document.ExecutedAt,
			leaf:  places[document.ExecutionID+"/"+document.Upload.ID],
		}
		lines[string(document.Line())], known[document.ExecutionID] = line, true
	}
	for _, log := range logs {
		if err := checkLog(log, lines, known); err != nil {
			return err
		}
	}
	pending, err := store.Unwritten(ctx)
	if err != nil {
		return err
	}
	for _, document := range pending { // the next run or server writes it
		delete(lines, string(document.Line()))
	}
	maps.DeleteFunc(lines, func(_ string, line *logged) bool { return line.found })
	if len(lines) > 0 {
		return errs.New(
			errs.Internal,
			"%s: %s missing",
			strings.Join(logs, ", "),
			plural(int64(len(lines)), "line"),
		)
	}
	return nil
}

// checkLine looks for a document's line in its log. A line that was not written yet, for the
// run was killed, is written by the next run or server.
func checkLine(ctx context.Context, store *sqlite.Store, d ledger.AuditDocument) error {
	has, err := userfile.HasLine(d.Upload.Log, d.Line())
	if err == nil && has {
		return nil
	}
	pending, pendingErr := store.Unwritten(ctx)
	switch {
	case pendingErr != nil:
		return pendingErr
	case slices.ContainsFunc(pending, func(p ledger.AuditDocument) bool { return p.SHA256 == d.SHA256 }):
		return nil
	case err != nil:
		return errs.Wrap(errs.NotFound, err, "the audit log %s cannot be read", d.Upload.Log)
	}
	return errs.New(errs.Internal, "%s does not have its line", d.Upload.Log)
}

// logged is a line that a log has, or is to have: of a run that began and ended, and the
// number of its leaf in the signed tree.
type logged struct {
	began, ended time.Time
	leaf         int64
	found        bool
}

// isAfter reports whether the line must stand after another. Runs at the same time may add
// their lines in any order, and one that was cut off is finished later.
func (l *logged) isAfter(other *logged) bool {
	return other.ended.Before(l.began) && other.leaf < l.leaf
}

// leafNumbers are the numbers of all leaves, by execution and upload.
func leafNumbers(ctx context.Context, store *sqlite.Store) (map[string]int64, error) {
	numbers := map[string]int64{}
	for {
		leaves, err := store.Leaves(ctx, int64(len(numbers)), paging.MaxSize)
		if err != nil || len(leaves) == 0 {
			return numbers, err
		}
		before := len(numbers)
		for _, leaf := range leaves {
			numbers[leaf.ExecutionID+"/"+leaf.UploadID] = leaf.Number
		}
		if len(numbers) == before { // the tree's own check says what is wrong with it
			return numbers, nil
		}
	}
}

// checkLog finds the lines of one log, in their order.
func checkLog(path string, lines map[string]*logged, known map[string]bool) error {
	file, err := os.Open(path)
	if err != nil {
		return errs.Wrap(errs.NotFound, err, "the audit log %s cannot be read", path)
	}
	defer file.Close()
	here := map[string]bool{}
	var before *logged
	reader := bufio.NewReader(file)
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		found, ours := lines[string(line)]
		if here[string(line)] {
			return errs.New(errs.Internal, "line %d of %s is there twice", number, path)
		} else if ours {
			if before != nil && before.isAfter(found) {
				return errs.New(errs.Internal,
					"line %d of %s is older than the line above it: lines were put in another order",
					number, path)
			}
			found.found, here[string(line)], before = true, true, found
		} else if fault := checkStray(line, known); len(line) > 0 && fault != "" {
			return errs.New(errs.Internal, "line %d of %s %s", number, path, fault)
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return errs.Wrap(errs.Unavailable, err, "the audit log %s cannot be read", path)
		}
	}
}

// checkStray says what is wrong with a line that no record has. Other files of
// records may share the log, with executions of their own.
func checkStray(line []byte, known map[string]bool) string {
	var document ledger.AuditDocument
	if json.Unmarshal(line, &document) != nil || !document.Intact() || !bytes.Equal(document.Line(), line) {
		return "is not an audit document as it was written"
	}
	if known[document.ExecutionID] && (document.Status != ledger.Failed || document.PreviousSHA256 != "") {
		return "is of " + document.ExecutionID + ", whose records do not have it"
	}
	return ""
}
