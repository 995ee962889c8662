-- What changes when a file's permissions or links do, and its bytes do not.
ALTER TABLE inbox ADD COLUMN mode  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE inbox ADD COLUMN links INTEGER NOT NULL DEFAULT 0;
