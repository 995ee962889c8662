package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/sessions/sqlite"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/web"
)

// chatServer serves the agents as serve does, and returns its address.
func chatServer(t *testing.T) string {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	model, err := emulator.AgentModel(t.Context(), nothingSet)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := session.NewHandler(session.Dependencies{Store: store, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.StripPrefix("/session", web.Service{Name: "session"}.Serve(handler)))
	t.Cleanup(func() { server.Close(); store.Close() })
	return server.URL
}

func nothingSet(string) (string, bool) { return "", false }

// chatWith types lines and returns what is printed.
func chatWith(t *testing.T, wantExit int, lines []string, args ...string) string {
	t.Helper()
	var out, errors bytes.Buffer
	code := run(t.Context(), append([]string{"chat"}, args...), environment{
		stdin: strings.NewReader(strings.Join(lines, "\n") + "\n"), stdout: &out, stderr: &errors, lookup: nothingSet,
	})
	if code != wantExit {
		t.Fatalf("exit %d: %s%s", code, &out, &errors)
	}
	return out.String() + errors.String()
}

func TestChat(t *testing.T) {
	server := chatServer(t)
	out := chatWith(t, exitDone, []string{"", "Build a web shop within 12 hours", "Add a testing milestone, but keep total hours within 10", "looks good, save it"},
		"--server", server, "--session", "first")
	for _, part := range []string{"Session first.", "MILESTONE", "Design the web shop", "Testing", "in all", "10\n", "is final now"} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is not in:\n%s", part, out)
		}
	}
	again := chatWith(t, exitDone, []string{"/quit"}, "--server", server, "--session", "first")
	if !strings.Contains(again, "Design the web shop") {
		t.Errorf("going on with the session does not show its plan:\n%s", again)
	}
}

// during runs once, when it is read.
type during func()

func (d *during) Read([]byte) (int, error) {
	(*d)()
	return 0, io.EOF
}

// Who types in a second terminal is not overruled by what the first one does not
// show yet: it is shown, and the message is sent once it is typed again.
func TestChatInTwoTerminals(t *testing.T) {
	server := chatServer(t)
	other := during(func() {
		chatWith(t, exitDone, []string{"Add a testing milestone"}, "--server", server, "--session", "first")
	})
	var out bytes.Buffer
	code := run(t.Context(), []string{"chat", "--server", server, "--session", "first"}, environment{
		stdin: io.MultiReader(strings.NewReader("Build a web shop within 12 hours\n"), &other,
			strings.NewReader("Add a marketing milestone\nAdd a marketing milestone\n")),
		stdout: &out, stderr: &out, lookup: nothingSet,
	})
	_, after, refused := strings.Cut(out.String(), "The conversation went on meanwhile.")
	shown, planned, _ := strings.Cut(after, "> ")
	if code != exitDone || !refused || !strings.Contains(shown, "Testing") || strings.Contains(shown, "Marketing") ||
		!strings.Contains(planned, "Testing") || !strings.Contains(planned, "Marketing") {
		t.Errorf("exit %d:\n%s", code, &out)
	}
}

// Each line that is typed is answered by a line of JSON where that is asked for.
func TestChatAnswersInJSON(t *testing.T) {
	out := chatWith(t, exitDone, []string{"/fly", "Build a web shop"}, "--server", chatServer(t), "--session", "first", "-o", "json")
	var answers []map[string]any
	for line := range strings.Lines(out) {
		var answer map[string]any
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		answers = append(answers, answer)
	}
	if len(answers) != 3 || answers[0]["session"] != "first" || answers[1]["error"] == nil || answers[2]["reply"] == "" || answers[2]["plan"] == nil {
		t.Errorf("%s", out)
	}
}

func TestChatSaysWhatIsWrong(t *testing.T) {
	server := chatServer(t)
	out := chatWith(t, exitDone, []string{"/hours 20", strings.Repeat("long ", 10_000), "Build a web shop"}, "--server", server)
	for _, part := range []string{"There is no command /hours", "is longer than 10000 characters", "MILESTONE"} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is not in:\n%s", part, out)
		}
	}
	gone := chatWith(t, exitFailed, nil, "--server", "http://127.0.0.1:1")
	if !strings.Contains(gone, "see whether the server runs (planwright serve)") {
		t.Errorf("without a server: %s", gone)
	}
	odd := chatWith(t, exitFailed, nil, "--server", server, "--time-zone", "Nowhere")
	if !strings.Contains(odd, "IANA name") {
		t.Errorf("an unknown zone: %s", odd)
	}
}

// What a model writes cannot command the terminal or break the table.
func TestPlanTableIsPlainText(t *testing.T) {
	var out bytes.Buffer
	printDraft(&out, &goal.Draft{Title: "a\x1b[2Jb\nc"})
	if strings.ContainsAny(out.String(), "\x1b") || strings.Count(out.String(), "\n") != 5 {
		t.Errorf("%q", out.String())
	}
	out.Reset()
	if printDraft(&out, nil); out.Len() > 0 {
		t.Errorf("no plan prints %q", out.String())
	}
}
