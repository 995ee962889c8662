-- What people are told of: a row from the commit that it is about, until all who
-- are to hear of it have (due_at is null then).
CREATE TABLE messages (
    id       TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    due_at   TEXT,
    document TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX messages_due ON messages (due_at) WHERE due_at IS NOT NULL;
