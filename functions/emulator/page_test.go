package emulator

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/functions/planner"
)

func TestThePageListsThePlannersRoutes(t *testing.T) {
	var listed []string
	for _, r := range routes {
		if path, ok := strings.CutPrefix(r.Path, "/planner"); ok {
			listed = append(listed, r.Method+" "+path)
		}
	}
	var missing []string
	for _, pattern := range planner.Routes() {
		if !strings.Contains(strings.Join(listed, "\n")+"\n", pattern+"\n") {
			missing = append(missing, pattern)
		}
	}
	if diff := cmp.Diff([]string(nil), missing); diff != "" || len(listed) != len(planner.Routes()) {
		t.Errorf("%d routes listed of %d; missing:\n%s", len(listed), len(planner.Routes()), diff)
	}
}
