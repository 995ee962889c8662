package execution

import "cmp"

// outputName is what the changed table is called, in the outbox: file is the last
// segment of the upload's name. It stands in the seal, as that of the changes does:
// every delivery that finishes an execution writes the same ones.
func (x *Executor) outputName(executionID, file string) string {
	return cmp.Or(x.OutputPath, executionID+"/"+file)
}

// changesName is what the list of changed rows is called, in the audit bucket.
func (x *Executor) changesName(executionID string) string {
	return cmp.Or(x.ChangesPath, "changes/"+executionID+".jsonl")
}

// AuditName is what the completed audit document is called, in the audit bucket.
func AuditName(executionID string) string { return "executions/" + executionID + ".jsonl" }
