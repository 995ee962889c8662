CREATE INDEX sessions_by_expiry ON sessions (expire_at);
