-- The ledger's tables. Times are RFC 3339 in UTC with six digits after the
-- second, so that they sort as text; documents are JSON.

CREATE TABLE plans (
    execution_id TEXT PRIMARY KEY,
    plan_json    TEXT NOT NULL, -- canonical: the bytes that plan_sha256 is of
    plan_sha256  TEXT NOT NULL,
    planner      TEXT NOT NULL,
    instruction  TEXT NOT NULL,
    categories   TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    created_by   TEXT NOT NULL  -- who had it stored, where it is known
) STRICT;

CREATE INDEX plans_newest ON plans (created_at, execution_id);

CREATE TABLE execution_records (
    execution_id TEXT PRIMARY KEY,
    revision     INTEGER NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('running', 'proposed', 'completed', 'failed')),
    created_at   TEXT NOT NULL,
    due_at       TEXT, -- null is never
    post_at      TEXT, -- when the webhook is owed something; null is never
    document     TEXT NOT NULL,
    input_crc32c INTEGER -- null until it is sealed
) STRICT;

CREATE INDEX execution_records_newest ON execution_records (created_at DESC, execution_id DESC);
CREATE INDEX execution_records_newest_by_status ON execution_records (status, created_at DESC, execution_id DESC);
CREATE INDEX execution_records_due ON execution_records (due_at, execution_id) WHERE due_at IS NOT NULL;
CREATE INDEX execution_records_posts ON execution_records (post_at, execution_id) WHERE post_at IS NOT NULL;
CREATE INDEX execution_records_completed ON execution_records (execution_id) WHERE status = 'completed';
-- A table leads to the records that are sealed with it.
CREATE INDEX execution_records_on ON execution_records (input_crc32c) WHERE input_crc32c IS NOT NULL;

CREATE TABLE audit_documents (
    execution_id TEXT NOT NULL,
    upload_id    TEXT NOT NULL,
    executed_at  TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('completed', 'failed', 'skipped')),
    document     TEXT NOT NULL,
    UNIQUE (execution_id, upload_id)
) STRICT;

CREATE INDEX audit_documents_newest ON audit_documents (execution_id, executed_at DESC, upload_id DESC);

-- A row for each changed row, in the change document of that number.
CREATE TABLE changes (
    execution_id  TEXT    NOT NULL,
    number        INTEGER NOT NULL,
    row           INTEGER NOT NULL,
    executed_at   TEXT    NOT NULL,
    sku           TEXT    NOT NULL,
    operation_ids TEXT    NOT NULL, -- JSON array
    before        TEXT    NOT NULL, -- JSON object, as the next
    after         TEXT    NOT NULL,
    PRIMARY KEY (execution_id, number, row)
) STRICT, WITHOUT ROWID;

CREATE INDEX changes_by_sku ON changes (sku, executed_at DESC, execution_id DESC, number, row);

-- Where the changes files can be read, rows in changes are made of them when somebody
-- first asks: an execution is here when it has all of its own.
CREATE TABLE indexed (execution_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- Who imported the result of an execution into the shop, and when.
CREATE TABLE imports (
    execution_id TEXT PRIMARY KEY,
    document     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How tables with a header are read, by the header's SHA-256.
CREATE TABLE layouts (
    header   TEXT PRIMARY KEY,
    document TEXT NOT NULL
) STRICT, WITHOUT ROWID;

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

-- What completed executions have to write to shops, from the commit that completes.
CREATE TABLE postings (
    execution_id TEXT PRIMARY KEY,
    revision     INTEGER NOT NULL,
    created_at   TEXT NOT NULL,
    due_at       TEXT, -- null once all is done
    document     TEXT NOT NULL
) STRICT;

CREATE INDEX postings_newest ON postings (created_at DESC, execution_id DESC);
CREATE INDEX postings_due ON postings (due_at, execution_id) WHERE due_at IS NOT NULL;

-- Who talks to a shop, one at a time.
CREATE TABLE shop_leases (
    shop     TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    holder   TEXT NOT NULL,
    until    TEXT NOT NULL
) STRICT;

-- The audit logs of command lines.
CREATE TABLE logs (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- Runs of command lines whose lines are not known to be in their logs.
CREATE TABLE unwritten_lines (
    execution_id TEXT NOT NULL,
    upload_id    TEXT NOT NULL,
    PRIMARY KEY (execution_id, upload_id)
) STRICT, WITHOUT ROWID;

-- The files that command lines named: the table that an execution read and what was written
-- of it. A path belongs to the execution that had it last.
CREATE TABLE own_files (
    path         TEXT PRIMARY KEY,
    execution_id TEXT NOT NULL,
    kind         TEXT NOT NULL CHECK (kind IN ('csv', 'out', 'changes'))
) STRICT, WITHOUT ROWID;

CREATE INDEX own_files_of ON own_files (execution_id);

-- The one table of the first executor, whose question was
-- SELECT status FROM executions WHERE execution_id = ?
CREATE VIEW executions (execution_id, status, executed_at, plan_json, audit_path) AS
SELECT
    record.execution_id,
    record.status,
    (SELECT max(executed_at) FROM audit_documents AS outcome
     WHERE outcome.execution_id = record.execution_id AND outcome.status <> 'skipped'),
    (SELECT plan_json FROM plans WHERE plans.execution_id = record.execution_id),
    CASE WHEN record.status = 'completed' THEN coalesce(
        record.document ->> '$.source.log',
        record.document ->> '$.seal.changes.bucket' || '/executions/' || record.execution_id || '.jsonl')
    ELSE record.document ->> '$.source.log' END
FROM execution_records AS record;
