-- One row for each drop, in the order of their generations.
CREATE TABLE inbox (
	generation      INTEGER PRIMARY KEY,
	path            TEXT    NOT NULL,
	size            INTEGER NOT NULL,
	mtime           INTEGER NOT NULL,
	ctime           INTEGER NOT NULL,
	inode           INTEGER NOT NULL,
	mode            INTEGER NOT NULL, -- these two change when a file's permissions or links do, and its bytes do not
	links           INTEGER NOT NULL,
	acknowledged_at TEXT
) STRICT;

CREATE INDEX inbox_path ON inbox (path, generation);
CREATE INDEX inbox_due  ON inbox (generation) WHERE acknowledged_at IS NULL;

-- The folder that the drops were last seen in. A copy, or one that was put
-- back, is another, in which every file looks new.
CREATE TABLE inbox_folder (
	only   INTEGER PRIMARY KEY CHECK (only = 1),
	device INTEGER NOT NULL,
	inode  INTEGER NOT NULL,
	born   INTEGER NOT NULL
) STRICT;
