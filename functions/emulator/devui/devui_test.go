package devui_test

import (
	"net/http"
	"testing"

	"github.com/planwright/planwright/functions/emulator/emulatortest"
)

// What the page asks beside ADK's REST API is answered, and what there is not is
// not found, or not served.
func TestTheServersCallsForThePage(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	for path, status := range map[string]int{
		"/dev-ui/": http.StatusOK, "/dev-ui/assets/config/runtime-config.json": http.StatusOK, "/dev-ui/nothing": http.StatusNotFound,
		"/session/version": http.StatusOK, "/session/list-apps?relative_path=./": http.StatusOK,
		"/session/dev/apps/goal_planning_agent/debug/trace/session/s": http.StatusOK, "/session/dev/apps/goal_planning_agent/tests": http.StatusOK,
		"/session/dev/apps/goal_planning_agent/eval_sets": http.StatusNotFound, "/session/dev/apps/goal_planning_agent/build_graph": http.StatusNotFound,
		"/session/apps/goal_planning_agent/users/u/sessions/s/artifacts/a": http.StatusNotImplemented,
	} {
		response, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != status {
			t.Errorf("GET %s: %d, want %d", path, response.StatusCode, status)
		}
	}
}
