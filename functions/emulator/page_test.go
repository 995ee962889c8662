package emulator

import (
	"slices"
	"testing"
)

func TestThePageListsEveryFunctionsRoutes(t *testing.T) {
	listed := routes()
	for _, want := range []route{
		{"GET", "/healthz", "200 while the server can work"},
		{"POST", "/planner/v1/plans", "Make a plan of an instruction and store it"},
		{"GET", "/planner/openapi.json", "This description"},
		{"DELETE", "/session/apps/{app}/users/{user}/sessions/{session}", "Delete a session and its history"},
	} {
		if !slices.Contains(listed, want) {
			t.Errorf("%v is not listed", want)
		}
	}
	for _, r := range listed {
		if r.Method == "" || r.Path == "" || r.What == "" {
			t.Errorf("%+v does not say it all", r)
		}
	}
}
