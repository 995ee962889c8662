package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/emulator"
)

// mostMemory is what a server or a run may use of it while it is ill-treated,
// in MiB: far above what work takes, far below what it is sent.
const mostMemory = 512

// bodies are the routes that read one.
var bodies = []struct{ method, path, contentType string }{
	{"POST", "/planner/v1/plans", "application/json"},
	{"POST", "/planner/v1/plans:validate", "application/json"},
	{"PUT", "/planner/v1/plans/plan_hostile_v1", "application/json"},
	{"POST", "/planner/v1/plans/plan_known_v1:preview", "text/csv"},
	{"POST", "/executor", "application/json"},
	{"POST", "/executor", "application/cloudevents+json"},
	{"POST", "/session/run", "application/json"},
	{"POST", "/session/run_sse", "application/json"},
	{"POST", "/session/v1/agent/goal/session:message", "application/json"},
	{"POST", "/session/apps/goal_planning_agent/users/u/sessions/s", "application/json"},
}

func TestHostileBodies(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	s.putPlan("plan_known_v1")
	ce := []string{"Ce-Id", "1", "Ce-Source", "x", "Ce-Type", "google.cloud.storage.object.v1.finalized", "Ce-Specversion", "1.0"}
	for name, body := range map[string]string{
		"deep arrays":        strings.Repeat("[", 500_000),
		"deep objects":       strings.Repeat(`{"a":`, 200_000),
		"a deep plan":        `{"operations":` + strings.Repeat(`[{"filter":`, 50_000),
		"a deep state":       `{"state":` + strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000) + "}",
		"a long number":      `{"generation":` + strings.Repeat("9", 400_000) + "}",
		"a long exponent":    `{"instruction":1e999999999}`,
		"many keys":          "{" + strings.Repeat(`"a":1,`, 100_000) + `"b":1}`,
		"many small strings": "[" + strings.Repeat(`"",`, 300_000) + `""]`,
		"half a rune":        "{\"instruction\":\"\xf0\x9f\"}",
		"nothing":            "",
		"not JSON":           "sku;category\x00\x01",
		"oversized":          strings.Repeat(" ", 48<<20),
	} {
		for _, to := range bodies {
			status, answer := s.call(to.method, to.path, to.contentType, body, ce...)
			if status == http.StatusOK && strings.HasPrefix(to.path, "/session/apps/") {
				continue // any object is a state
			}
			if status < 400 || status >= 500 || !strings.Contains(answer, `"message"`) {
				t.Errorf("%s to %s %s: %d %.300s", name, to.method, to.path, status, answer)
			}
			if name == "oversized" && status != http.StatusRequestEntityTooLarge {
				t.Errorf("%s to %s %s: %d %.300s, want 413", name, to.method, to.path, status, answer)
			}
		}
	}
	s.unharmed()
}

// unharmed: the server answers, has not panicked, and its memory is bounded.
func (s *server) unharmed() {
	s.t.Helper()
	if status, body := s.call(http.MethodGet, "/healthz", "", ""); status != http.StatusOK {
		s.t.Errorf("/healthz: %d %s", status, body)
	}
	if strings.Contains(s.log.String(), `"message":"panic"`) {
		s.t.Error("a handler panicked")
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		s.t.Logf("memory was not measured: %v", err)
		return
	}
	peak, err := strconv.Atoi(string(regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)[1]))
	if err != nil || peak>>10 > mostMemory {
		s.t.Errorf("the server used %d MiB, %v; want at most %d", peak>>10, err, mostMemory)
	}
	s.t.Logf("the server used %d MiB at most", peak>>10)
}

func TestHostileNames(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	for _, trick := range []string{
		"..%2F..%2Fetc%2Fpasswd", "%2e%2e%2fstate.db", "%2Fetc%2Fpasswd", "a%00bcdefgh", "..%5C..%5Cstate", "%F0%9F", "__proto__%2F..%2Fx",
		strings.Repeat("x", 65), strings.Repeat("%2e%2e%2f", 300), "%20", "CON%3A", "plan%0Av1%0Ax",
	} {
		for _, route := range []string{
			"GET /planner/v1/plans/%s", "PUT /planner/v1/plans/%s", "GET /planner/v1/executions/%s", "GET /planner/v1/executions/%s/changes",
			"GET /session/apps/%s/users/u/sessions/s", "GET /session/apps/%s/users/u/sessions", "DELETE /session/apps/%s/users/u/sessions/s", "GET /%s", "POST /executor/%s",
		} {
			method, path, _ := strings.Cut(fmt.Sprintf(route, trick), " ")
			status, body := s.call(method, path, "application/json", goodPlan)
			if status < 400 || status >= 500 {
				t.Errorf("%s %.80s: %d %.300s", method, path, status, body)
			}
		}
	}
	for _, object := range []string{"../../state.db", "plan_trick_v1/../../outside/p.csv", "/plan_trick_v1/p.csv", "plan_trick_v1//p.csv", `plan_trick_v1\\p.csv`, "plan_trick_v1/p\\u0000.csv", strings.Repeat("a/", 600) + "p.csv"} {
		event := fmt.Sprintf(`{"bucket": "inbox", "name": "%s", "generation": "1", "size": "1", "timeCreated": "2026-03-01T10:00:00Z", "metadata": {"execution-id": "plan_trick_v1"}}`, object)
		status, body := s.call(http.MethodPost, "/executor", "application/json", event, "Ce-Id", "1", "Ce-Source", "x", "Ce-Type", "google.cloud.storage.object.v1.finalized", "Ce-Specversion", "1.0")
		if status >= 500 && status != http.StatusServiceUnavailable {
			t.Errorf("an event of %.80s: %d %.300s", object, status, body)
		}
	}
	var strays []string
	outside, err := filepath.Glob(filepath.Join(filepath.Dir(s.data), "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range outside {
		if found != s.data {
			strays = append(strays, found)
		}
	}
	if len(strays) > 0 {
		t.Errorf("written outside of the data folder: %v", strays)
	}
	s.unharmed()
}

// TestThousandsOfConnections opens connections that say nothing, half a
// request, or a body byte by byte. Others are served meanwhile.
func TestThousandsOfConnections(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	host := strings.TrimPrefix(s.address, "http://")
	var mu sync.Mutex
	var open []net.Conn
	defer func() {
		for _, connection := range open {
			connection.Close()
		}
	}()
	var opened sync.WaitGroup
	for worker := range 20 {
		opened.Go(func() {
			for i := range 100 {
				connection, err := (&net.Dialer{Timeout: time.Minute}).DialContext(t.Context(), "tcp", host)
				if err != nil {
					t.Errorf("connection %d of worker %d: %v", i, worker, err)
					return
				}
				said := []string{"", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ", "POST /planner/v1/plans HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"}[i%3]
				if _, err := io.WriteString(connection, said); err != nil {
					t.Errorf("connection %d of worker %d: %v", i, worker, err)
				}
				mu.Lock()
				open = append(open, connection)
				mu.Unlock()
			}
		})
	}
	opened.Wait()
	s.putPlan("plan_crowded_v1")
	s.drop("plan_crowded_v1/p.csv", goodTable)
	s.await("plan_crowded_v1", "completed")
	s.unharmed()
}

// TestHostileFilesInTheInbox drops what is no table: links that lead out of the
// folder, a pipe that nobody writes to, a folder named like a table.
func TestHostileFilesInTheInbox(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	secret := filepath.Join(t.TempDir(), "secret.csv")
	write(t, secret, goodTable)
	inside := filepath.Join(s.data, emulator.InboxName, "plan_links_v1")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(inside, "folder.csv"), 0o755),
		os.Symlink(secret, filepath.Join(inside, "link.csv")),
		os.Symlink(filepath.Dir(secret), filepath.Join(s.data, emulator.InboxName, "plan_links_v2")),
		os.Symlink(inside, filepath.Join(inside, "round")),
		syscall.Mkfifo(filepath.Join(inside, "pipe.csv"), 0o644),
		os.WriteFile(filepath.Join(inside, "two\nlines.csv"), []byte(goodTable), 0o600),
		os.WriteFile(filepath.Join(inside, "book.xlsx"), []byte("PK"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	s.putPlan("plan_links_v1")
	s.putPlan("plan_links_v2")
	s.putPlan("plan_after_v1")
	s.drop("plan_after_v1/p.csv", goodTable)
	s.await("plan_after_v1", "completed") // was seen after the others
	for _, id := range []string{"plan_links_v1", "plan_links_v2"} {
		if got := s.status(id); got != "" {
			t.Errorf("%s is %q: something was read that is no dropped file", id, got)
		}
	}
	for _, name := range []string{"link.csv", "plan_links_v2", "round", "pipe.csv"} {
		s.waitFor("outbox/_unclaimed/" + name + "-*.txt")
	}
	s.waitFor("outbox/_unclaimed/two_lines.csv-*.txt")
	s.waitFor("outbox/plan_links_v1/book.xlsx.failed-*.txt")
	found, _ := filepath.Glob(filepath.Join(s.data, "outbox/_unclaimed/*"))
	if len(found) != 5 {
		t.Errorf("notices: %q", found)
	}
	s.unharmed()
}

// runProgram runs the program to its end; peak is the memory it used at most, in MiB.
func runProgram(t *testing.T, args ...string) (output string, code, peak int) {
	t.Helper()
	// Linux counts what the process that starts a program has used at most as the
	// program's own, so it forgets here what other tests have used.
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200); err != nil {
		t.Logf("the peak may be that of other tests: %v", err)
	}
	cmd := program(context.WithoutCancel(t.Context()), t, args...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = int(usage.Maxrss >> 10)
	}
	return string(out), cmd.ProcessState.ExitCode(), peak
}

// TestPagesOfOtherSites asks every part of the server as a browser on this
// machine would for a page of another site: by a name of that site that leads
// here, and from its own name. It reads nothing and makes nothing.
func TestPagesOfOtherSites(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	rebound := func(request *http.Request) { request.Host = "evil.example" }
	foreign := func(request *http.Request) {
		request.Header.Set("Origin", "https://evil.example")
		request.Header.Set("Sec-Fetch-Site", "cross-site")
	}
	for _, path := range []string{"/", "/healthz", "/planner/v1/plans", "/session/list-apps", "/dev-ui/"} {
		s.refused(http.MethodGet, path, rebound)
	}
	for _, to := range bodies {
		s.refused(to.method, to.path, rebound)
		s.refused(to.method, to.path, foreign)
	}
	s.refused(http.MethodPost, "/session/apps/goal_planning_agent/users/u/sessions", foreign)
	if _, listed := s.call(http.MethodGet, "/session/apps/goal_planning_agent/users/u/sessions", "", ""); strings.TrimSpace(listed) != "[]" {
		t.Errorf("sessions: %s", listed)
	}
	s.unharmed()
}

// refused sends an empty request, changed as given, which must be denied.
func (s *server) refused(method, path string, change func(*http.Request)) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.address+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	change(request)
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		s.t.Errorf("%s %s as %s from %q: %d, want 403", method, path, request.Host, request.Header.Get("Origin"), answer.StatusCode)
	}
}
