-- Who had a plan stored, where it is known.
ALTER TABLE plans ADD COLUMN created_by TEXT NOT NULL DEFAULT '';
