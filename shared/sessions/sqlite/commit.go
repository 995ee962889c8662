package sqlite

import (
	"context"
	"database/sql"
	"strconv"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/sqlitedb"
)

const committing = "cannot store the turn"

func (s *Store) Commit(ctx context.Context, change sessions.Change) error {
	return sqlitedb.Update(ctx, s.db, committing, func(tx *sql.Tx) error {
		// The transaction ends with ctx; for each statement that has it as well the
		// driver would start a goroutine.
		c := commit{context.WithoutCancel(ctx), s, tx, change}
		for _, write := range []func() error{
			c.session,
			func() error { return c.scope("", change.App) },
			func() error { return c.scope(change.Session.User, change.User) },
			c.turn, c.events,
		} {
			if err := write(); err != nil {
				return err
			}
		}
		return nil
	})
}

// commit is one transaction and what it writes.
type commit struct {
	ctx    context.Context
	store  *Store
	tx     *sql.Tx
	change sessions.Change
}

// writeOne runs a statement that must write exactly one row: none means that the
// stored one is at another revision, or there when it should not be.
func (c commit) writeOne(query string, args ...any) error {
	stale := errs.New(errs.Stale, "the session was changed by another writer")
	written := sqlitedb.Once(stale, committing)
	return written(c.tx.StmtContext(c.ctx, c.store.prepared[query]).ExecContext(c.ctx, args...))
}

func (c commit) session() error {
	r := c.change.Session
	values := []any{
		r.Epoch,
		r.State,
		r.Recent,
		r.NextSeq,
		sqlitedb.Instant(r.CreatedAt),
		sqlitedb.Instant(r.UpdatedAt),
		sqlitedb.Instant(r.ExpireAt),
		r.App,
		r.User,
		r.Session,
	}
	if r.Revision != "" {
		return c.writeOne(updateSession, append(values, r.Revision)...)
	}
	if err := c.writeOne(insertSession, values...); err != nil {
		return err
	}
	return c.sweep()
}

// mostSwept is how many expired sessions make room for a new one: more than
// one, so that they get fewer, and few, so that nobody waits for it.
const mostSwept = 20

// sweep removes those of the sessions that have expired by now, the oldest first.
func (c commit) sweep() error {
	expired, err := sqlitedb.Collect(
		c.ctx,
		c.tx,
		committing,
		func(row sqlitedb.Row) (key sessions.Key, err error) {
			err = row.Scan(&key.App, &key.User, &key.Session)
			return key, sqlitedb.Error(err, committing)
		},
		`SELECT app, user_id, session_id FROM sessions WHERE expire_at <= ? ORDER BY expire_at LIMIT ?`,
		sqlitedb.Instant(c.change.Session.UpdatedAt),
		mostSwept,
	)
	if err != nil {
		return err
	}
	for _, key := range expired {
		if err := remove(c.ctx, c.tx, key, committing); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes a session with its events and turns of every epoch.
func remove(ctx context.Context, tx *sql.Tx, key sessions.Key, what string) error {
	for _, table := range []string{"sessions", "session_events", "session_turns"} {
		_, err := tx.ExecContext(
			ctx,
			`DELETE FROM `+table+` WHERE app = ? AND user_id = ? AND session_id = ?`,
			key.App,
			key.User,
			key.Session,
		)
		if err != nil {
			return sqlitedb.Error(err, "%s", what)
		}
	}
	return nil
}

func (c commit) scope(user string, scope *sessions.Scope) error {
	if scope == nil {
		return nil
	}
	app := c.change.Session.App
	if scope.Revision == "" {
		return c.writeOne(insertScope, scope.State, app, user)
	}
	return c.writeOne(updateScope, scope.State, app, user, scope.Revision)
}

func (c commit) turn() error {
	if c.change.Turn == nil {
		return nil
	}
	query, values := writeTurn(c.change.Session.Key, *c.change.Turn, c.change.ChildrenExpireAt)
	return c.writeOne(query, values...)
}

// writeTurn returns the statement that creates a turn or replaces it at its revision.
func writeTurn(key sessions.Key, t sessions.Turn, expireAt time.Time) (query string, values []any) {
	var lease any // NULL where there is none
	if !t.LeaseUntil.IsZero() {
		lease = sqlitedb.Instant(t.LeaseUntil)
	}
	values = []any{t.Epoch, t.FirstSeq, t.LastSeq, t.RequestSHA256, lease, sqlitedb.Instant(expireAt),
		key.App, key.User, key.Session, t.ID}
	if t.Revision == "" {
		return insertTurn, values
	}
	return updateTurn, append(values, t.Revision)
}

// Claim implements sessions.Store. A turn's revision counts its writes.
func (s *Store) Claim(
	ctx context.Context,
	key sessions.Key,
	turn sessions.Turn,
) (revision string, err error) {
	const what = "cannot begin the turn"
	query, values := writeTurn(key, turn, turn.LeaseUntil)
	stale := errs.New(errs.Stale, "the turn was changed by another writer")
	if err := sqlitedb.Once(stale, what)(s.prepared[query].ExecContext(ctx, values...)); err != nil {
		return "", err
	}
	before := 0
	if turn.Revision != "" {
		if before, err = strconv.Atoi(turn.Revision); err != nil {
			return "", errs.Wrap(errs.Internal, err, "%s: its revision is no number", what)
		}
	}
	return strconv.Itoa(before + 1), nil
}

// ExpireLeases ends the leases of all turns. It is for a file whose other users
// are known to be dead.
func (s *Store) ExpireLeases(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM session_turns WHERE lease_until IS NOT NULL`)
	return sqlitedb.Error(err, "cannot end the leases of turns")
}

func (c commit) events() error {
	key, epoch := c.change.Session.Key, c.change.Session.Epoch
	for _, event := range c.change.Events {
		err := c.writeOne(
			insertEvent,
			key.App,
			key.User,
			key.Session,
			epoch,
			event.Seq,
			event.JSON,
			sqlitedb.Instant(c.change.ChildrenExpireAt),
		)
		if err != nil {
			return err
		}
	}
	return nil
}
