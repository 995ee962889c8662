-- The ledger's tables. Times are RFC 3339 in UTC with six digits after the
-- second, so that they sort as text; documents are JSON.

CREATE TABLE plans (
    execution_id TEXT PRIMARY KEY,
    plan_json    TEXT NOT NULL, -- canonical: the bytes that plan_sha256 is of
    plan_sha256  TEXT NOT NULL,
    planner      TEXT NOT NULL,
    instruction  TEXT NOT NULL,
    categories   TEXT NOT NULL,
    created_at   TEXT NOT NULL
) STRICT;

CREATE TABLE execution_records (
    execution_id TEXT PRIMARY KEY,
    revision     INTEGER NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed')),
    created_at   TEXT NOT NULL,
    audit_path   TEXT, -- where the audit line is, when a command named the place
    document     TEXT NOT NULL
) STRICT;

CREATE INDEX execution_records_newest ON execution_records (created_at DESC, execution_id DESC);
CREATE INDEX execution_records_newest_by_status ON execution_records (status, created_at DESC, execution_id DESC);

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
    execution_id    TEXT    NOT NULL,
    number          INTEGER NOT NULL,
    row             INTEGER NOT NULL,
    executed_at     TEXT    NOT NULL,
    sku             TEXT    NOT NULL,
    operation_ids   TEXT    NOT NULL, -- JSON array
    before_price    TEXT    NOT NULL,
    before_in_stock INTEGER NOT NULL,
    after_price     TEXT    NOT NULL,
    after_in_stock  INTEGER NOT NULL,
    PRIMARY KEY (execution_id, number, row)
) STRICT, WITHOUT ROWID;

CREATE INDEX changes_by_sku ON changes (sku, executed_at DESC, execution_id DESC, number, row);

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
        record.audit_path,
        record.document ->> '$.seal.changes.bucket' || '/executions/' || record.execution_id || '.jsonl')
    ELSE record.audit_path END
FROM execution_records AS record;
