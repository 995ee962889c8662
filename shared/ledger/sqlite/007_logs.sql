-- Audit logs that runs without an output left their lines in: a record has the one
-- of its newest run alone, and of runs that were skipped none.
CREATE TABLE logs (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
