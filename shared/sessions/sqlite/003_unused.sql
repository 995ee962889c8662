-- No query was answered in its order, and each turn wrote it.
DROP INDEX sessions_by_use;
