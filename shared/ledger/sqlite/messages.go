package sqlite

import (
	"context"
	"database/sql"
	"strconv"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/sqlitedb"
)

var _ ledger.MessageStore = (*Store)(nil)

func (s *Store) DueMessages(ctx context.Context, at time.Time, limit int) ([]ledger.Message, error) {
	return sqlitedb.Collect(ctx, s.db, "cannot list the messages that are due", scanMessage,
		`SELECT revision, document FROM messages WHERE due_at <= ? ORDER BY due_at, id LIMIT ?`, sqlitedb.Instant(at), limit)
}

func (s *Store) UpdateMessage(ctx context.Context, next ledger.Message) error {
	what := "cannot update the message " + next.ID
	stale := errs.New(errs.Stale, "the message %s was changed meanwhile", next.ID)
	read, err := strconv.ParseInt(next.Revision, 10, 64)
	if err != nil {
		return stale // no message has had that revision
	}
	document, err := encode(next.Rounded(), what)
	if err != nil {
		return err
	}
	return sqlitedb.Once(stale, what)(s.db.ExecContext(ctx, `UPDATE messages SET revision = revision + 1, due_at = ?, document = ?
		WHERE id = ? AND revision = ?`, messageDueAt(next), document, next.ID, read))
}

func putMessage(ctx context.Context, to writer, m ledger.Message) error {
	what := "cannot store the message " + m.ID
	document, err := encode(m.Rounded(), what)
	if err != nil {
		return err
	}
	_, err = to.ExecContext(ctx, `INSERT INTO messages (id, revision, due_at, document) VALUES (?, 1, ?, ?)
		ON CONFLICT (id) DO UPDATE SET revision = revision + 1, due_at = excluded.due_at, document = excluded.document`,
		m.ID, messageDueAt(m), document)
	return sqlitedb.Error(err, "%s", what)
}

// messageDueAt is the column that the messages are found by which are due.
func messageDueAt(m ledger.Message) sql.NullString {
	return sql.NullString{String: sqlitedb.Instant(m.DueAt), Valid: !m.DueAt.IsZero()}
}

func scanMessage(row sqlitedb.Row) (m ledger.Message, err error) {
	const what = "cannot read a message"
	var number int64
	var document string
	if err := row.Scan(&number, &document); err != nil {
		return m, sqlitedb.Error(err, what)
	}
	m.Revision = revision(number)
	return m, decode(document, &m, what)
}
