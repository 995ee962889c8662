package sqlite

import (
	"context"
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
	document, err := encode(next.Rounded(), what)
	if err != nil {
		return err
	}
	return sqlitedb.Once(stale, what)(s.db.ExecContext(ctx, `UPDATE messages SET revision = revision + 1, due_at = ?, document = ?
		WHERE id = ? AND revision = ?`, dueAt(next.DueAt), document, next.ID, number(next.Revision)))
}

func putMessage(ctx context.Context, to writer, m ledger.Message) error {
	what := "cannot store the message " + m.ID
	document, err := encode(m.Rounded(), what)
	if err != nil {
		return err
	}
	_, err = to.ExecContext(ctx, `INSERT INTO messages (id, revision, due_at, document) VALUES (?, 1, ?, ?)
		ON CONFLICT (id) DO UPDATE SET revision = revision + 1, due_at = excluded.due_at, document = excluded.document`,
		m.ID, dueAt(m.DueAt), document)
	return sqlitedb.Error(err, "%s", what)
}

func scanMessage(row sqlitedb.Row) (m ledger.Message, err error) {
	var number int64
	_, err = scanDocument(row, &m, "cannot read a message", &number)
	m.Revision = revision(number)
	return m, err
}
