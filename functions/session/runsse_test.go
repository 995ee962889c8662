package session_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/agents/agentstest"
)

// A stream shows that it lives while the model takes its time, and then goes
// on.
func TestAStreamStaysAlive(t *testing.T) {
	release := make(chan struct{})
	wire := &agentstest.Service{At: "PlanAgent", Answer: func(r *http.Request) (*http.Response, error) {
		<-release
		return agentstest.Offline(r)
	}}
	a := newAPI(t, over(t, wire), func(d *session.Dependencies) { d.KeepAlive = time.Millisecond })
	a.read(a.call("POST", goalPath, nil), http.StatusOK, &object{})
	response, err := http.Post(a.url+"/run_sse", "application/json", body(t, runBody("goal_planning_agent", "Build a web shop")))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	beats, events := 0, 0
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		switch line := lines.Text(); {
		case line == ": working":
			if beats++; beats == 3 {
				close(release)
			}
		case strings.HasPrefix(line, "data: "):
			events++
			if events > 1 && beats < 3 {
				t.Error("the answer came before the model's")
			}
		}
	}
	if beats < 3 || events != 3 {
		t.Errorf("%d beats and %d events", beats, events)
	}
}

// What is wrong before the stream begins is an answer like any other.
func TestAStreamThatCannotBegin(t *testing.T) {
	a := newAPI(t)
	a.refused(a.call("POST", "/run_sse", runBody("goal_planning_agent", "x")), http.StatusNotFound, "not_found")
	a.refused(a.call("POST", "/run_sse", "{}"), http.StatusUnprocessableEntity, "invalid")
}
