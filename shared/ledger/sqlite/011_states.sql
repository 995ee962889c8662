-- A change keeps whole what its row said before and afterwards. The columns had no room
-- for a sale: changes that were taken from a file are taken from it again.
ALTER TABLE changes RENAME TO changes_before;
DROP INDEX changes_by_sku;

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

INSERT INTO changes SELECT execution_id, number, row, executed_at, sku, operation_ids,
    json_patch(
        json_object('price', before_price, 'in_stock', json(CASE before_in_stock WHEN 0 THEN 'false' WHEN 1 THEN 'true' ELSE 'null' END)),
        json_object('stock', before_stock)),
    json_patch(
        json_object('price', after_price, 'in_stock', json(CASE after_in_stock WHEN 0 THEN 'false' WHEN 1 THEN 'true' ELSE 'null' END)),
        json_object('stock', after_stock, 'quoted', json(CASE after_quoted WHEN 1 THEN 'true' ELSE 'null' END)))
    FROM changes_before;
DROP TABLE changes_before;
DELETE FROM indexed;

CREATE INDEX changes_by_sku ON changes (sku, executed_at DESC, execution_id DESC, number, row);
