-- The folder that the drops were last seen in. A copy, or one that was put
-- back, is another, in which every file looks new.
CREATE TABLE inbox_folder (
	only   INTEGER PRIMARY KEY CHECK (only = 1),
	device INTEGER NOT NULL,
	inode  INTEGER NOT NULL,
	born   INTEGER NOT NULL
) STRICT;
