package ledger

import (
	"slices"
	"testing"
)

// What is changed in a chain, missing from it or put beside it is found, wherever it stands.
func TestCheckChain(t *testing.T) {
	failed := AuditDocument{Status: Failed, Upload: AuditUpload{ID: "1"}}.Chained("")
	skipped := AuditDocument{Status: Skipped, Upload: AuditUpload{ID: "2"}}.Chained(failed.SHA256)
	completed := AuditDocument{Status: Completed, Upload: AuditUpload{ID: "3"}}.Chained(failed.SHA256)
	all := []AuditDocument{completed, skipped, failed}
	if newest, err := CheckChain(all, completed.SHA256); err != nil || newest.Upload.ID != "3" {
		t.Errorf("the whole chain: %v, %v", newest, err)
	}
	if _, err := CheckChain(nil, ""); err != nil {
		t.Errorf("before there is a document: %v", err)
	}
	changed := completed
	changed.RowsChanged++
	for what, documents := range map[string][]AuditDocument{
		"the newest is gone":  {skipped, failed},
		"the first is gone":   {completed, skipped},
		"all are gone":        nil,
		"one was changed":     {changed, skipped, failed},
		"one was put in":      append(slices.Clone(all), AuditDocument{Status: Failed}.Chained(completed.SHA256)),
		"one points nowhere":  append(slices.Clone(all), AuditDocument{Status: Skipped}.Chained(changed.hash())),
		"another was skipped": {AuditDocument{Status: Skipped}.Chained(failed.SHA256), failed},
	} {
		if _, err := CheckChain(documents, completed.SHA256); err == nil {
			t.Errorf("%s: nothing is found", what)
		}
	}
}
