package main

import (
	"strings"
	"testing"
)

// The room that each folder needs is named.
func TestCheckDisk(t *testing.T) {
	dir := t.TempDir()
	err := checkDisk([]need{{dir, 1 << 60, "a copy of the table and the result"}, {dir, 1 << 60, "the result"}})
	if err == nil || strings.Count(err.Error(), "needs 1152921504606.8 MB for") != 2 || !strings.Contains(err.Error(), "is free") {
		t.Errorf("%v", err)
	}
	if err := checkDisk([]need{{dir, 1, "the result"}}); err != nil {
		t.Error(err)
	}
}
