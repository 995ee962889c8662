package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/emulator/inbox"
	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/strictjson"
)

var updateGolden = flag.Bool("update", false, "rewrite testdata/golden/answers")

const (
	golden        = "../../testdata/golden"
	goldenAddress = "127.0.0.1:8080"
)

// TestGolden types commands and sends requests, each file of testdata/golden/answers in a
// fresh copy of testdata/golden/shop, and compares what is answered with what the file
// has. Clock and randomness are the test's, so that every id and every time is the same.
func TestGolden(t *testing.T) {
	scripts, err := filepath.Glob(golden + "/answers/*.txt")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts: %v", len(scripts), err)
	}
	tried := attempts{}
	for _, script := range scripts {
		name, err := filepath.Abs(script)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			is := read(t, name)
			got := play(t, is, tried)
			if *updateGolden {
				write(t, name, got)
			} else if diff := cmp.Diff(strings.Split(is, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("make golden writes another file (-is +written):\n%s", diff)
			}
		})
	}
	for _, call := range goldenCalls(t) {
		if !tried[call].well && !slices.Contains(neverServed, call) {
			t.Errorf("no file of %s/answers has %s with success", golden, call)
		}
		if !tried[call].badly && !slices.Contains(neverRefused, call) {
			t.Errorf("no file of %s/answers has %s as it is refused", golden, call)
		}
	}
}

// attempts are the calls that were made, by their names in goldenCalls.
type attempts map[string]struct{ well, badly bool }

func (a attempts) add(call string, well bool) {
	before := a[call]
	before.well, before.badly = before.well || well, before.badly || !well
	a[call] = before
}

// What ADK's clients may ask for and is not served, and what takes nothing that could be wrong.
var (
	neverServed = []string{
		"GET /session/apps/{app}/users/{user}/sessions/{session}/artifacts",
		"POST /session/apps/{app}/users/{user}/sessions/{session}/artifacts",
		"GET /session/apps/{app}/users/{user}/sessions/{session}/artifacts/{artifact}",
		"DELETE /session/apps/{app}/users/{user}/sessions/{session}/artifacts/{artifact}",
		"GET /session/apps/{app}/users/{user}/sessions/{session}/artifacts/{artifact}/versions",
		"GET /session/apps/{app}/users/{user}/sessions/{session}/artifacts/{artifact}/versions/{version}",
		"PATCH /session/apps/{app}/users/{user}/memory",
		"GET /session/run_live",
		"POST /planner/v1/tables:upload",                    // where a request may be as large as it likes
		"POST /planner/v1/executions/{execution_id}:remind", // which takes a webhook and an hour
		"console", // what is deployed is not here
		// Which take a shop: TestAShopsLife has one.
		"shop",
		"POST /planner/v1/shops/{shop}:fetch",
		"GET /planner/v1/postings/{execution_id}",
		"POST /planner/v1/postings/{execution_id}:retry",
	}
	neverRefused = []string{
		"GET /healthz", "POST /sweeper/due", "POST /sweeper/inbox",
		"GET /planner/v1/me", "GET /planner/v1/people", "GET /planner/v1/postings", "GET /planner/v1/schema/execution_plan.json", "GET /planner/openapi.json",
		"GET /session/list-apps", "GET /session/version", "GET /session/openapi.json",
	}
)

// goldenCalls are all commands, and all requests that the functions describe.
func goldenCalls(t *testing.T) (calls []string) {
	t.Helper()
	for _, command := range newRoot(environment{lookup: os.LookupEnv}).Commands() {
		calls = append(calls, command.Name())
	}
	calls = append(calls, "POST /executor", "GET /healthz", "POST /sweeper/due", "POST /sweeper/inbox")
	for prefix, description := range map[string][]byte{"/planner": planner.OpenAPI, "/session": session.OpenAPI} {
		document, problems := strictjson.Parse(description)
		if problems != nil {
			t.Fatal(problems)
		}
		paths, _ := document.Member("paths")
		for _, path := range paths.Members() {
			for _, call := range path.Value.Members() {
				if _, is := call.Value.Member("summary"); is {
					calls = append(calls, strings.ToUpper(call.Name)+" "+prefix+path.Name)
				}
			}
		}
	}
	return calls
}

// play answers each line of a script that is typed, and returns the script with the
// answers. These are indented; what is typed is not:
//
//	$ planwright plan "..."       a command line; with & at its end it goes on beside what follows
//	> POST /planner/v1/plans      a request, its headers, and its body or @ the file with it
//	# so                          a remark
func play(t *testing.T, script string, tried attempts) string {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(golden+"/shop")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	cryptotest.SetGlobalRandom(t, 1)
	zone, user, changes := time.Local, emulator.MachineUser, emulator.WatchChanges
	time.Local, emulator.MachineUser = time.UTC, func() (string, error) { return "ann", nil }
	emulator.WatchChanges = func(string) (*inbox.Changes, error) { return nil, nil } // this clock is not the system's
	t.Cleanup(func() { time.Local, emulator.MachineUser, emulator.WatchChanges = zone, user, changes })
	var out strings.Builder
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)))
		p := &player{t: t, dir: dir, out: &out, tried: tried, network: newMemory()}
		dial := network.DialContext
		network.DialContext = p.network.dial
		defer func() {
			p.stop()
			network.CloseIdleConnections()
			network.DialContext = dial
		}()
		for _, block := range typedBlocks(script) {
			p.answer(block)
			synctest.Wait()
		}
	})
	return out.String()
}

// firstLine is that of a request.
var firstLine = regexp.MustCompile(`^> [A-Z]+ /`)

// typedBlocks are the lines of a script that are typed, those of a request together.
func typedBlocks(script string) (blocks []string) {
	request := false
	for line := range strings.Lines(script) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == ' ':
			request = false
		case request && line[0] == '>' && !firstLine.MatchString(line):
			blocks[len(blocks)-1] += "\n" + line
		default:
			request = line[0] == '>'
			blocks = append(blocks, line)
		}
	}
	return blocks
}
