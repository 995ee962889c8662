package session_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/sessions/firestore"
)

// The function over the store that it is deployed on.
func TestOverFirestore(t *testing.T) {
	store, err := firestore.Open(t.Context(), firestoretest.Project(t), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	m := meet("FinalizeAgent", 2)
	a := newAPI(t, over(t, m), func(d *session.Dependencies) { d.Store = store })
	a.read(a.call("POST", goalPath, object{"availableHoursLeft": 20}), http.StatusOK, &object{})
	a.refused(a.call("POST", goalPath, nil), http.StatusConflict, "conflict")

	answers := make([]answer, 2)
	var both sync.WaitGroup
	for i := range answers {
		both.Go(func() {
			answers[i] = a.call("POST", "/run", runBody("goal_planning_agent", fmt.Sprintf("Build shop number %d", i)))
		})
	}
	both.Wait()
	if answers[0].status+answers[1].status != http.StatusOK+http.StatusConflict {
		t.Errorf("two turns at once: %d and %d", answers[0].status, answers[1].status)
	}
	if out := a.say("Add a testing milestone"); out.Action.Type != "save_preview" || out.State.Iteration != 2 {
		t.Errorf("refined: %+v", out)
	}
	if out := a.say("Looks good, save it"); out.Action.Type != "finalize_goal" {
		t.Errorf("approved: %+v", out)
	}
	var stored struct {
		State  map[string]any
		Events []event
	}
	a.read(a.call("GET", goalPath, nil), http.StatusOK, &stored)
	if len(stored.Events) != 12 || stored.State["step"] != "finalized" || stored.State["sessionActive"] != false {
		t.Errorf("%d events, state %v", len(stored.Events), stored.State)
	}
	a.read(a.call("DELETE", goalPath, nil), http.StatusOK, new(any))
	a.refused(a.call("GET", goalPath, nil), http.StatusNotFound, "not_found")
}
