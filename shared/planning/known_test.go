package planning_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/planning"
)

// A list is indexed once for as long as the same names come.
func TestKnownIsOfTheListThatWasSent(t *testing.T) {
	mugs := []string{"mugs", "tea"}
	first := planning.Request{Categories: mugs}.Known()
	if again := (planning.Request{Categories: []string{"mugs", "tea"}}).Known(); again != first {
		t.Error("the same names were indexed again")
	}
	mugs[1] = "hats"
	for _, names := range [][]string{mugs, {"mugs"}, {"tea", "mugs"}} {
		if diff := cmp.Diff(names, planning.Request{Categories: names}.Known().Names()); diff != "" {
			t.Errorf("the index of other names (-want +got):\n%s", diff)
		}
	}
	if known := (planning.Request{}).Known(); known != nil {
		t.Errorf("no list has an index of %q", known.Names())
	}
}
