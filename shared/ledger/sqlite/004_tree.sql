-- The Merkle tree over all audit documents. A document has a row in unlogged
-- from the commit that creates it until it has one in leaves.
CREATE TABLE tree (
    one       INTEGER PRIMARY KEY CHECK (one = 1),
    revision  INTEGER NOT NULL,
    size      INTEGER NOT NULL,
    published INTEGER NOT NULL,
    head      TEXT NOT NULL
) STRICT;

INSERT INTO tree VALUES (1, 1, 0, 0, '');

CREATE TABLE leaves (
    number       INTEGER PRIMARY KEY,
    execution_id TEXT NOT NULL,
    upload_id    TEXT NOT NULL,
    hash         TEXT NOT NULL,
    UNIQUE (execution_id, upload_id)
) STRICT;

CREATE TABLE unlogged (
    execution_id TEXT NOT NULL,
    upload_id    TEXT NOT NULL,
    PRIMARY KEY (execution_id, upload_id)
) STRICT, WITHOUT ROWID;

INSERT INTO unlogged SELECT execution_id, upload_id FROM audit_documents;
