-- Changes that stand in a file alone have rows in changes once somebody has asked
-- for them: an execution is here when it has all of its own.
CREATE TABLE indexed (execution_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE INDEX execution_records_of_commands ON execution_records (status, execution_id) WHERE audit_path IS NOT NULL;
