// Package sqlite keeps the agents' sessions in an SQLite file, which may be
// shared with other rooms. A turn reads with one statement and writes in one
// transaction, each part of which names the revision it was read at. Sessions
// that have expired are removed, some at a time, when new ones are made.
package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"strconv"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/sqlitedb"
)

//go:embed *.sql
var scripts embed.FS

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
	if err := sqlitedb.Migrate(ctx, db, "sessions", scripts); err != nil {
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
	var record recordColumns
	var turn struct {
		epoch, request        sql.NullString
		first, last, revision sql.NullInt64
	}
	var app, user scopeColumns
	err := s.prepared[selectTurn].QueryRowContext(ctx, key.App, key.User, key.Session, turnID).
		Scan(append(record.columns(), &turn.epoch, &turn.request, &turn.first, &turn.last, &turn.revision,
			&app.state, &app.revision, &user.state, &user.revision)...)
	if err != nil {
		return sessions.Snapshot{}, sqlitedb.Error(err, what)
	}
	if turn.revision.Valid {
		found.Turn = sessions.Turn{ID: turnID, Epoch: turn.epoch.String, FirstSeq: turn.first.Int64, LastSeq: turn.last.Int64,
			RequestSHA256: turn.request.String, Revision: revision(turn.revision.Int64)}
	}
	found.App, found.User = app.scope(), user.scope()
	return found, record.read(&found.Session, what)
}

// recordColumns scans a session that may not be there.
type recordColumns struct {
	epoch, state, recent, revision, created, updated, expires sql.NullString
	nextSeq                                                   sql.NullInt64
}

func (c *recordColumns) columns() []any {
	return []any{&c.epoch, &c.state, &c.recent, &c.nextSeq, &c.revision, &c.created, &c.updated, &c.expires}
}

func (c *recordColumns) read(into *sessions.Record, what string) error {
	if !c.revision.Valid {
		return nil
	}
	into.Epoch, into.State, into.Recent = c.epoch.String, c.state.String, c.recent.String
	into.NextSeq, into.Revision = c.nextSeq.Int64, c.revision.String
	return errors.Join(
		sqlitedb.DecodeTime(c.created.String, &into.CreatedAt, what),
		sqlitedb.DecodeTime(c.updated.String, &into.UpdatedAt, what),
		sqlitedb.DecodeTime(c.expires.String, &into.ExpireAt, what))
}

type scopeColumns struct {
	state    sql.NullString
	revision sql.NullInt64
}

func (c scopeColumns) scope() sessions.Scope {
	if !c.revision.Valid {
		return sessions.Scope{}
	}
	return sessions.Scope{State: c.state.String, Revision: revision(c.revision.Int64)}
}

func (s *Store) Events(ctx context.Context, key sessions.Key, epoch string, from, to int64) ([]sessions.Event, error) {
	const what = "cannot read the session's events"
	return sqlitedb.Collect(ctx, s.db, what, func(row sqlitedb.Row) (event sessions.Event, err error) {
		err = row.Scan(&event.Seq, &event.JSON)
		return event, sqlitedb.Error(err, what)
	}, `SELECT seq, json FROM session_events
		WHERE app = ? AND user_id = ? AND session_id = ? AND epoch = ? AND seq BETWEEN ? AND ? ORDER BY seq`,
		key.App, key.User, key.Session, epoch, from, to)
}

func (s *Store) List(ctx context.Context, app, user string, after sessions.Place, limit int) ([]sessions.Record, error) {
	const what = "cannot list the sessions"
	from := ""
	if !after.UpdatedAt.IsZero() {
		from = sqlitedb.Instant(after.UpdatedAt)
	}
	return sqlitedb.Collect(ctx, s.db, what, func(row sqlitedb.Row) (sessions.Record, error) {
		record := sessions.Record{Key: sessions.Key{App: app}}
		var columns recordColumns
		if err := row.Scan(append([]any{&record.User, &record.Session}, columns.columns()...)...); err != nil {
			return record, sqlitedb.Error(err, what)
		}
		return record, columns.read(&record, what)
	}, `SELECT user_id, session_id,
			epoch, state, '', next_seq, epoch || '-' || revision, created_at, updated_at, expire_at
		FROM sessions WHERE app = ?1 AND (?2 = '' OR user_id = ?2)
			AND (?3 = '' OR (updated_at, user_id, session_id) < (?3, ?4, ?5))
		ORDER BY updated_at DESC, user_id DESC, session_id DESC LIMIT ?6`, app, user, from, after.User, after.Session, limit)
}

func (s *Store) Delete(ctx context.Context, key sessions.Key) error {
	const what = "cannot delete the session"
	return sqlitedb.Update(ctx, s.db, what, func(tx *sql.Tx) error {
		return remove(ctx, tx, key, what)
	})
}

func revision(number int64) string { return strconv.FormatInt(number, 10) }
