-- One row for each drop, in the order of their generations.
CREATE TABLE inbox (
	generation      INTEGER PRIMARY KEY,
	path            TEXT    NOT NULL,
	size            INTEGER NOT NULL,
	mtime           INTEGER NOT NULL,
	ctime           INTEGER NOT NULL,
	inode           INTEGER NOT NULL,
	acknowledged_at TEXT
) STRICT;
CREATE INDEX inbox_path ON inbox (path, generation);
CREATE INDEX inbox_due  ON inbox (generation) WHERE acknowledged_at IS NULL;
