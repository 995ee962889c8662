-- Plans are listed, the newest first.
CREATE INDEX plans_newest ON plans (created_at, execution_id);
