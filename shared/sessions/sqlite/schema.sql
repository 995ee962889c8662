CREATE TABLE sessions (
  app           TEXT NOT NULL,
  user_id       TEXT NOT NULL,
  session_id    TEXT NOT NULL,
  epoch         TEXT NOT NULL,
  state         TEXT NOT NULL,
  recent        TEXT NOT NULL,
  next_seq      INTEGER NOT NULL,
  revision      INTEGER NOT NULL,
  created_at    TEXT NOT NULL,
  updated_at    TEXT NOT NULL,
  expire_at     TEXT NOT NULL,
  PRIMARY KEY (app, user_id, session_id)
) STRICT;

CREATE INDEX sessions_by_expiry ON sessions (expire_at);

CREATE TABLE session_events (
  app        TEXT NOT NULL,
  user_id    TEXT NOT NULL,
  session_id TEXT NOT NULL,
  epoch      TEXT NOT NULL,
  seq        INTEGER NOT NULL,
  json       TEXT NOT NULL,
  expire_at  TEXT NOT NULL,
  PRIMARY KEY (app, user_id, session_id, epoch, seq)
) STRICT;

CREATE TABLE session_turns (
  app            TEXT NOT NULL,
  user_id        TEXT NOT NULL,
  session_id     TEXT NOT NULL,
  turn_id        TEXT NOT NULL,
  epoch          TEXT NOT NULL,
  first_seq      INTEGER NOT NULL,
  last_seq       INTEGER NOT NULL,
  request_sha256 TEXT NOT NULL,
  revision       INTEGER NOT NULL,
  expire_at      TEXT NOT NULL,
  lease_until    TEXT, -- null once it has its events
  PRIMARY KEY (app, user_id, session_id, turn_id)
) STRICT, WITHOUT ROWID;

-- State shared by an app (user_id is empty) or by a user's sessions.
CREATE TABLE session_scopes (
  app      TEXT NOT NULL,
  user_id  TEXT NOT NULL,
  state    TEXT NOT NULL,
  revision INTEGER NOT NULL,
  PRIMARY KEY (app, user_id)
) STRICT, WITHOUT ROWID;
