package execution

// Names says what the objects are called that an execution writes. They stand
// in its seal: every delivery that finishes it writes the same ones.
type Names interface {
	// Output is the changed table, in the outbox. File is the last segment of
	// the upload's name.
	Output(executionID, file string) string
	// Changes is the list of changed rows, in the audit bucket.
	Changes(executionID string) string
}

// BucketNames are the names in buckets.
type BucketNames struct{}

// Output implements Names.
func (BucketNames) Output(executionID, file string) string { return executionID + "/" + file }

// Changes implements Names.
func (BucketNames) Changes(executionID string) string { return "changes/" + executionID + ".jsonl" }

// AuditName is what the completed audit document is called, in the audit bucket.
func AuditName(executionID string) string { return "executions/" + executionID + ".jsonl" }
