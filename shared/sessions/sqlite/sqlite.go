// Package sqlite keeps the agents' sessions in an SQLite file, which other rooms may share.
// A turn reads with one statement and writes in one transaction, each part of which names
// the revision it was read at. Creating a session removes some of those that have expired.
package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/sqlitedb"
)

//go:embed schema.sql
var schema string

// Store is a sessions.Store in an SQLite file.
type Store struct {
	db       *sql.DB
	prepared map[string]*sql.Stmt // by query: parsing one costs as much as running it
}

var _ sessions.Store = (*Store)(nil)

// Options are how a file is opened; the zero value is safe.
type Options = sqlitedb.Options

// Open opens the sessions in the SQLite file at path, which it creates where there is none.
func Open(ctx context.Context, path string, options Options) (*Store, error) {
	db, err := sqlitedb.Open(ctx, path, options)
	if err != nil {
		return nil, err
	}
	if err := sqlitedb.CreateTables(ctx, db, "sessions", schema); err != nil {
		db.Close()
		return nil, err
	}
	s := &Store{db: db, prepared: map[string]*sql.Stmt{}}
	for _, query := range queries {
		if s.prepared[query], err = db.PrepareContext(ctx, query); err != nil {
			return nil, errors.Join(sqlitedb.Error(err, "cannot prepare the database"), db.Close())
		}
	}
	return s, nil
}

// Close closes the file.
func (s *Store) Close() error { return sqlitedb.Error(s.db.Close(), "cannot close the database") }

func (s *Store) Load(ctx context.Context, key sessions.Key, turnID string) (sessions.Snapshot, error) {
	const what = "cannot read the session"
	var found sessions.Snapshot
	found.Session.Key, found.Turn.ID = key, turnID
	t, a, u := &found.Turn, &found.App, &found.User
	err := s.prepared[selectTurn].QueryRowContext(ctx, key.App, key.User, key.Session, turnID).
		Scan(append(columns(&found.Session), &t.Epoch, &t.RequestSHA256, &t.FirstSeq, &t.LastSeq,
			sqlitedb.Time{Into: &t.LeaseUntil}, &t.Revision,
			&a.State, &a.Revision, &u.State, &u.Revision)...)
	return found, sqlitedb.Error(err, what)
}

// columns scan a session, which where it is not there has empty ones.
func columns(r *sessions.Record) []any {
	return []any{&r.Epoch, &r.State, &r.Recent, &r.NextSeq, &r.Revision,
		sqlitedb.Time{
			Into: &r.CreatedAt,
		}, sqlitedb.Time{Into: &r.UpdatedAt}, sqlitedb.Time{Into: &r.ExpireAt}}
}

func (s *Store) Events(
	ctx context.Context,
	key sessions.Key,
	epoch string,
	from, to int64,
) ([]sessions.Event, error) {
	const what = "cannot read the session's events"
	return sqlitedb.Collect(ctx, s.db, what, func(row sqlitedb.Row) (event sessions.Event, err error) {
		err = row.Scan(&event.Seq, &event.JSON)
		return event, sqlitedb.Error(err, what)
	}, `SELECT seq, json FROM session_events
		WHERE app = ? AND user_id = ? AND session_id = ? AND epoch = ? AND seq BETWEEN ? AND ? ORDER BY seq`,
		key.App, key.User, key.Session, epoch, from, to)
}

func (s *Store) List(
	ctx context.Context,
	app, user string,
	after sessions.Place,
	limit int,
) ([]sessions.Record, error) {
	const what = "cannot list the sessions"
	from := ""
	if !after.UpdatedAt.IsZero() {
		from = sqlitedb.Instant(after.UpdatedAt)
	}
	return sqlitedb.Collect(ctx, s.db, what, func(row sqlitedb.Row) (record sessions.Record, err error) {
		record.App = app
		err = row.Scan(append([]any{&record.User, &record.Session}, columns(&record)...)...)
		return record, sqlitedb.Error(err, what)
	}, `SELECT user_id, session_id,
			epoch, state, '', next_seq, epoch || '-' || revision, created_at, updated_at, expire_at
		FROM sessions WHERE app = ?1 AND (?2 = '' OR user_id = ?2)
			AND (?3 = '' OR (updated_at, user_id, session_id) < (?3, ?4, ?5))
		ORDER BY updated_at DESC, user_id DESC, session_id DESC LIMIT ?6`,
		app, user, from, after.User, after.Session, limit)
}

func (s *Store) Delete(ctx context.Context, key sessions.Key) error {
	const what = "cannot delete the session"
	return sqlitedb.Update(ctx, s.db, what, func(tx *sql.Tx) error {
		return remove(ctx, tx, key, what)
	})
}
