-- What a changed stock's cell said, and whether a price got quotes around it, are
-- part of a change.
ALTER TABLE changes ADD COLUMN before_stock TEXT;
ALTER TABLE changes ADD COLUMN after_stock TEXT;
ALTER TABLE changes ADD COLUMN after_quoted INTEGER NOT NULL DEFAULT 0;
