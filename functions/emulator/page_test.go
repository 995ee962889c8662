package emulator

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestThePageListsEveryFunctionsRoutes(t *testing.T) {
	listed := routes()
	for _, want := range []route{
		{"GET", "/healthz", "200 while the server can work"},
		{"POST", "/planner/v1/plans", "Make a plan of an instruction, or of rules, and store it"},
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

// TestTheFolderOfADrop: the command leads into the folder that is watched, wherever that is.
func TestTheFolderOfADrop(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for data, folder := range map[string]string{
		filepath.Join(here, "local"): "local/inbox/plan_x_v1",
		"/srv/my shop":               "'/srv/my shop/inbox/plan_x_v1'",
	} {
		want := "mkdir -p " + folder + " && cp products.csv " + folder + "/"
		if got := (&stores{local: true}).uploadCommand(data)("plan_x_v1"); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
