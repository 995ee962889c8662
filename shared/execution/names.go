package execution

// OutputName is what the changed table is called, in the outbox: file is the last
// segment of the upload's name. It stands in the seal, as that of the changes does:
// every delivery that finishes an execution writes the same ones.
func OutputName(executionID, file string) string { return executionID + "/" + file }

// ChangesName is what the list of changed rows is called, in the audit bucket.
func ChangesName(executionID string) string { return "changes/" + executionID + ".jsonl" }

// AuditName is what the completed audit document is called, in the audit bucket.
func AuditName(executionID string) string { return "executions/" + executionID + ".jsonl" }
