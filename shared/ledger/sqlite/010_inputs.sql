-- A table leads to the records that are sealed with it.
ALTER TABLE execution_records ADD COLUMN input_crc32c INTEGER; -- null until it is sealed
UPDATE execution_records SET input_crc32c = document ->> '$.seal.input.crc32c' WHERE json_valid(document);
CREATE INDEX execution_records_on ON execution_records (input_crc32c) WHERE input_crc32c IS NOT NULL;
