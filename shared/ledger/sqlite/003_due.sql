-- A record may be proposed, and has a time at which somebody should look at it:
-- where it runs, the end of its lease.
DROP VIEW executions;
ALTER TABLE execution_records RENAME TO execution_records_before;
DROP INDEX execution_records_newest;
DROP INDEX execution_records_newest_by_status;

CREATE TABLE execution_records (
    execution_id TEXT PRIMARY KEY,
    revision     INTEGER NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('running', 'proposed', 'completed', 'failed')),
    created_at   TEXT NOT NULL,
    due_at       TEXT, -- null is never
    audit_path   TEXT, -- where the audit line is, when a command named the place
    document     TEXT NOT NULL
) STRICT;

INSERT INTO execution_records
SELECT execution_id, revision, status, created_at,
    CASE WHEN status = 'running' THEN document ->> '$.lease_until' END,
    audit_path,
    CASE WHEN status = 'running' THEN json_set(document, '$.due_at', document ->> '$.lease_until') ELSE document END
FROM execution_records_before;
DROP TABLE execution_records_before;

CREATE INDEX execution_records_newest ON execution_records (created_at DESC, execution_id DESC);
CREATE INDEX execution_records_newest_by_status ON execution_records (status, created_at DESC, execution_id DESC);
CREATE INDEX execution_records_due ON execution_records (due_at, execution_id) WHERE due_at IS NOT NULL;

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
