package sqlitedb

import (
	"context"
	"database/sql"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// Row is a row, alone or of many.
type Row interface{ Scan(into ...any) error }

// Querier is a database or a transaction in it.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Collect reads every row that a query finds.
func Collect[T any](
	ctx context.Context,
	from Querier,
	what string,
	scan func(Row) (T, error),
	query string,
	args ...any,
) ([]T, error) {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, Error(err, "%s", what)
	}
	defer rows.Close()
	found := []T{}
	for rows.Next() {
		element, err := scan(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, element)
	}
	return found, Error(rows.Err(), "%s", what)
}

// One reads the row that a query finds; missing is the error where there is none.
func One[T any](
	ctx context.Context,
	from Querier,
	missing error,
	what string,
	scan func(Row) (T, error),
	query string,
	args ...any,
) (one T, err error) {
	found, err := Collect(ctx, from, what, scan, query, args...)
	switch {
	case err != nil:
		return one, err
	case len(found) == 0:
		return one, missing
	}
	return found[0], nil
}

// Once judges a statement that must have changed one row.
func Once(otherwise error, what string) func(sql.Result, error) error {
	return func(result sql.Result, err error) error {
		if err != nil {
			return Error(err, "%s", what)
		}
		if changed, err := Affected(result, what); err != nil || changed == 1 {
			return err
		}
		return otherwise
	}
}

// Affected returns how many rows a statement changed.
func Affected(result sql.Result, what string) (int64, error) {
	rows, err := result.RowsAffected()
	return rows, Error(err, "%s", what)
}

// Instant writes a time so that times sort as text.
func Instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// Time scans what Instant has written. NULL is the zero time.
type Time struct{ Into *time.Time }

// Scan implements sql.Scanner.
func (t Time) Scan(value any) error {
	text, written := value.(string)
	at, err := time.Parse(time.RFC3339Nano, text)
	switch {
	case value == nil:
		at = time.Time{}
	case !written || err != nil:
		return errs.New(errs.Internal, "the database holds something else than a time there")
	}
	*t.Into = at
	return nil
}
