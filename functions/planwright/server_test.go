package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/emulator"
)

// asProgram makes this test binary the program itself: the servers of these
// tests are real processes, with the race detector where the tests have it.
const asProgram = "PLANWRIGHT_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		quickenShop(os.Getenv(quickShop))
		if mark := os.Getenv(diesAfter); mark != "" {
			os.Exit(runUntil(mark))
		}
		if at := os.Getenv(endsAt); at != "" {
			os.Exit(runTo(at))
		}
		main()
		return
	}
	// They mostly wait for each other: for files to stand still, for leases to end.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// program prepares a process of the program. It has none of the variables that
// lead to the cloud, and collects its garbage as usual, whatever the tests do.
func program(ctx context.Context, t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a process of the program")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "GOGC=100", "FIRESTORE_EMULATOR_HOST=", "STORAGE_EMULATOR_HOST=", "GOOGLE_API_KEY=", "GOOGLE_GENAI_USE_VERTEXAI=")
	return cmd
}

// server is a running serve.
type server struct {
	t       testing.TB
	data    string
	address string
	user    string // who sends calls, behind a proxy that would say so; "": there is none
	cmd     *exec.Cmd
	ended   chan error
	log     *logBuffer
}

// start serves a data folder until the test ends or it is stopped.
func start(t testing.TB, data string) *server {
	t.Helper()
	return startWith(t, data, nil)
}

// startWith is start with variables in the environment and more flags.
func startWith(t testing.TB, data string, variables map[string]string, flags ...string) *server {
	t.Helper()
	s := &server{t: t, data: data, ended: make(chan error, 1), log: &logBuffer{}}
	s.cmd = program(context.Background(), t, append([]string{"serve", "--data", data, "--port", "0"}, flags...)...)
	for name, value := range variables {
		s.cmd.Env = append(s.cmd.Env, name+"="+value)
	}
	s.cmd.Stderr = s.log
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	lines := bufio.NewReader(stdout)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("the server did not start: %v\n%s", err, s.log)
	}
	_, s.address, _ = strings.Cut(strings.TrimSpace(first), " on ")
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		s.ended <- s.cmd.Wait()
	}()
	return s
}

// stop asks the server to end, as a platform does, and expects it to.
func (s *server) stop() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	select {
	case err := <-s.ended:
		s.ended <- err
		if err != nil {
			s.t.Errorf("the server ended with %v\n%s", err, s.log)
		}
	case <-time.After(10 * time.Second):
		s.t.Fatalf("the server did not end within 10 s of SIGTERM\n%s", s.log)
	}
}

// kill ends the server at once, and waits until it is gone.
func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	err := <-s.ended
	s.ended <- err
	if s.t.Failed() {
		s.t.Logf("log of the server:\n%s", s.log)
	}
}

// call sends a request and returns the status and body of the answer.
func (s *server) call(method, path, contentType, body string, headers ...string) (int, string) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.address+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if s.user != "" {
		request.Header.Set(teamHeader, s.user)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// get decodes the answer to a GET that must succeed.
func (s *server) get(path string, into any) {
	s.t.Helper()
	status, body := s.call(http.MethodGet, path, "", "")
	if status != http.StatusOK {
		s.t.Fatalf("GET %s: %d %s", path, status, body)
	}
	if err := json.Unmarshal([]byte(body), into); err != nil {
		s.t.Fatalf("GET %s: %v in %s", path, err, body)
	}
}

// putPlan stores a plan of this id that raises fitness prices by 10%.
func (s *server) putPlan(id string) {
	s.t.Helper()
	status, body := s.call(http.MethodPut, "/planner/v1/plans/"+id, "application/json", strings.Replace(goodPlan, "plan_fitness_v1", id, 1))
	if status != http.StatusCreated {
		s.t.Fatalf("PUT plan %s: %d %s", id, status, body)
	}
}

// drop copies a table into the inbox.
func (s *server) drop(name, content string) {
	s.t.Helper()
	write(s.t, filepath.Join(s.data, emulator.InboxName, name), content)
}

// status returns how an execution stands, "" where there is none.
func (s *server) status(id string) string {
	s.t.Helper()
	code, body := s.call(http.MethodGet, "/planner/v1/executions/"+id, "", "")
	if code == http.StatusNotFound {
		return ""
	}
	var answer struct{ Status string }
	if err := json.Unmarshal([]byte(body), &answer); err != nil || code != http.StatusOK {
		s.t.Fatalf("GET execution %s: %d %s", id, code, body)
	}
	return answer.Status
}

// await waits for an execution to stand so.
func (s *server) await(id, status string) {
	s.t.Helper()
	eventually(s.t, fmt.Sprintf("%s is %s", id, status), func() bool { return s.status(id) == status })
}

// outbox returns the file in the outbox that matches, once there is one.
func (s *server) outbox(pattern string) string {
	s.t.Helper()
	var found []string
	eventually(s.t, "there is "+pattern+" in the outbox", func() bool {
		found, _ = filepath.Glob(filepath.Join(s.data, emulator.OutboxName, pattern))
		return len(found) == 1
	})
	return read(s.t, found[0])
}

// eventually asks again and again, for what another process does in its own
// time.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	limit := time.After(90 * time.Second)
	again := time.NewTicker(25 * time.Millisecond)
	defer again.Stop()
	for !is() {
		select {
		case <-again.C:
		case <-limit:
			t.Fatalf("gave up waiting until %s", what)
		}
	}
}

// logBuffer collects what a process logs.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
