-- A plan reads only the columns that it looks at or changes: of the others
-- there is no price and no state to store.
ALTER TABLE changes RENAME TO changes_before;
DROP INDEX changes_by_sku;

CREATE TABLE changes (
    execution_id    TEXT    NOT NULL,
    number          INTEGER NOT NULL,
    row             INTEGER NOT NULL,
    executed_at     TEXT    NOT NULL,
    sku             TEXT    NOT NULL,
    operation_ids   TEXT    NOT NULL, -- JSON array
    before_price    TEXT,
    before_in_stock INTEGER,
    after_price     TEXT,
    after_in_stock  INTEGER,
    PRIMARY KEY (execution_id, number, row)
) STRICT, WITHOUT ROWID;

INSERT INTO changes SELECT * FROM changes_before;
DROP TABLE changes_before;

CREATE INDEX changes_by_sku ON changes (sku, executed_at DESC, execution_id DESC, number, row);
