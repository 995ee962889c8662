package sqlitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/planwright/planwright/shared/errs"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Error gives an error of the driver its kind and a message that says what
// was tried, what stood against it and what to do. The original is kept for
// the log. Nil stays nil.
func Error(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	kind, reason := reading(err)
	return errs.Wrap(kind, err, "%s: %s", fmt.Sprintf(format, args...), reason)
}

// Busy reports whether an error says that another connection holds the file.
func Busy(err error) bool {
	coded, ok := errors.AsType[*sqlite.Error](err)
	return ok && coded.Code()&0xff == sqlite3.SQLITE_BUSY
}

// IsFull reports whether an error says that the disk of the file is full.
func IsFull(err error) bool {
	coded, ok := errors.AsType[*sqlite.Error](err)
	return ok && coded.Code()&0xff == sqlite3.SQLITE_FULL
}

func reading(err error) (kind errs.Kind, reason string) {
	// ErrTxDone: the transaction was rolled back when its context ended.
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, sql.ErrTxDone) {
		return errs.Deadline, "time ran out"
	}
	if _, known := errors.AsType[*errs.Error](err); known {
		return errs.KindOf(err), errs.Message(err)
	}
	coded, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return errs.Internal, "the database failed in an unexpected way"
	}
	switch coded.Code() & 0xff { // the low byte is the primary code: sqlite.org/rescode.html
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return errs.Unavailable, "the database is busy with other writes; try again"
	case sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_ABORT:
		return errs.Deadline, "time ran out"
	case sqlite3.SQLITE_FULL:
		return errs.Exhausted, "the disk is full; make room and try again"
	case sqlite3.SQLITE_NOMEM:
		return errs.Exhausted, "there is not enough memory"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return errs.Denied, "the database file may not be written; check its permissions and its folder's"
	case sqlite3.SQLITE_CANTOPEN:
		return errs.Denied, "the database file cannot be opened; check its path and permissions"
	case sqlite3.SQLITE_IOERR:
		return errs.Unavailable, "the disk could not be read or written; try again"
	case sqlite3.SQLITE_NOTADB:
		return errs.Invalid, "the file is not an SQLite database; choose another"
	case sqlite3.SQLITE_TOOBIG:
		return errs.Invalid, "a value is too large to be stored"
	case sqlite3.SQLITE_CORRUPT:
		return errs.Internal, "the database file is damaged; restore it from a copy"
	default:
		return errs.Internal, "the database failed in an unexpected way"
	}
}
