ALTER TABLE session_turns ADD COLUMN lease_until TEXT;
