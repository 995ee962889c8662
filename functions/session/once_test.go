package session_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/agents/agentstest"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/sessions/sqlite"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/web"
)

// rendezvous makes the first n calls of an agent's model wait for each other.
type rendezvous struct {
	agentstest.Service
	all sync.WaitGroup
}

func meet(agent string, n int) *rendezvous {
	m := &rendezvous{}
	m.all.Add(n)
	m.At, m.Answer = agent, func(r *http.Request) (*http.Response, error) {
		if m.Calls(agent) <= n {
			m.all.Done()
			m.all.Wait()
		}
		return agentstest.Offline(r)
	}
	return m
}

// over has the agents ask a model behind transport.
func over(t *testing.T, transport http.RoundTripper) func(*session.Dependencies) {
	t.Helper()
	model := agentstest.Model(t, transport)
	return func(d *session.Dependencies) { d.Model = model }
}

// twoAtOnce sends two messages to one session, whose turns meet before either
// is stored.
func twoAtOnce(t *testing.T, path string) (api, [2]answer) {
	t.Helper()
	a := newAPI(t, over(t, meet("FinalizeAgent", 2)))
	a.read(a.call("POST", goalPath, nil), http.StatusOK, &object{})
	var answers [2]answer
	var both sync.WaitGroup
	for i := range answers {
		both.Go(func() {
			answers[i] = a.call("POST", path, runBody("goal_planning_agent", fmt.Sprintf("Build shop number %d", i)))
		})
	}
	both.Wait()
	return a, answers
}

// Two messages at once: one is answered, the other hears that it lost, and
// nothing of it is stored.
func TestOfTwoTurnsAtOnceOneIsStored(t *testing.T) {
	a, answers := twoAtOnce(t, "/run")
	winner, loser := 0, 1
	if answers[0].status != http.StatusOK {
		winner, loser = 1, 0
	}
	var events []event
	a.read(answers[winner], http.StatusOK, &events)
	a.refused(answers[loser], http.StatusConflict, "lost_race")
	var stored struct {
		State  map[string]any
		Events []event
	}
	a.read(a.call("GET", goalPath, nil), http.StatusOK, &stored)
	if len(stored.Events) != 4 || stored.Events[3].ID != events[2].ID || stored.State["iteration"] != 1.0 {
		t.Errorf("%d events, iteration %v", len(stored.Events), stored.State["iteration"])
	}
	if text := fmt.Sprint(stored.State, stored.Events); strings.Contains(text, fmt.Sprintf("number %d", loser)) {
		t.Errorf("something of the lost turn is stored: %s", text)
	}
}

// A stream that lost ends in an error event; its last event is never sent.
func TestAStreamThatLosesSaysSo(t *testing.T) {
	_, answers := twoAtOnce(t, "/run_sse")
	lost := 0
	for _, got := range answers {
		data := strings.Split(strings.TrimSpace(string(got.body)), "\n\n")
		last := data[len(data)-1]
		switch {
		case strings.Contains(last, `"error":{"code":"lost_race"`):
			lost++
			if strings.Contains(string(got.body), "FinalizeAgent") {
				t.Errorf("the lost turn's answer was sent: %s", got.body)
			}
		case !strings.Contains(last, "FinalizeAgent"):
			t.Errorf("the stream ends in %s", last)
		}
	}
	if lost != 1 {
		t.Errorf("%d streams lost", lost)
	}
}

// Five copies of a message at once are one turn: the model is asked once, and all have
// the one answer.
func TestCopiesOfAMessageCostOneCall(t *testing.T) {
	const copies = 5
	for _, route := range []string{"/run", "/v1/agent/goal/session:message"} {
		wire, waiting := &agentstest.Service{}, make(chan bool, copies)
		wire.Set("CheckApprovalAgent", func(r *http.Request) (*http.Response, error) {
			for range copies - 1 { // it answers once all the others wait
				<-waiting
			}
			return agentstest.Offline(r)
		})
		a := newAPI(t, over(t, wire), func(d *session.Dependencies) {
			d.Wait = func(ctx context.Context, _ time.Duration) error {
				select {
				case waiting <- true:
				default:
				}
				return ctx.Err()
			}
		})
		a.read(a.call("POST", goalPath, nil), http.StatusOK, &object{})
		message := object{"user_id": "u_1", "session_id": "s_1", "message": "Build a web shop", "message_id": "m-1"}
		if route == "/run" {
			message = runBody("goal_planning_agent", "Build a web shop")
			message["message_id"] = "m-1"
		}
		var answers [copies]answer
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() { answers[i] = a.call("POST", route, message) })
		}
		all.Wait()
		for i, got := range answers {
			if got.status != http.StatusOK || string(got.body) != string(answers[0].body) {
				t.Errorf("%s, copy %d: %d %s", route, i, got.status, got.body)
			}
		}
		for _, agent := range []string{"CheckApprovalAgent", "PlanAgent", "FinalizeAgent"} {
			if calls := wire.Calls(agent); calls != 1 {
				t.Errorf("%s: %s asked %d times", route, agent, calls)
			}
		}
	}
}

// broken dies around the n-th commit: the connection ends without an answer.
type broken struct {
	sessions.Store
	before, after atomic.Bool
}

func (b *broken) Commit(ctx context.Context, change sessions.Change) error {
	if change.Turn == nil { // the creation
		return b.Store.Commit(ctx, change)
	}
	if b.before.Swap(false) {
		panic(http.ErrAbortHandler)
	}
	err := b.Store.Commit(ctx, change)
	if b.after.Swap(false) {
		panic(http.ErrAbortHandler)
	}
	return err
}

// Wherever a turn breaks off, sent again under its id it happens once.
func TestATurnThatBreaksOffHappensOnce(t *testing.T) {
	message := object{"user_id": "u_1", "session_id": "s_1", "message": "Build a web shop", "message_id": "m-1"}
	for _, point := range []string{"CheckApprovalAgent", "PlanAgent", "FinalizeAgent", "before the commit", "after the commit"} {
		t.Run(point, func(t *testing.T) {
			wire := &agentstest.Service{At: point, Answer: func(*http.Request) (*http.Response, error) { panic("the power went off") }}
			store := &broken{}
			store.before.Store(point == "before the commit")
			store.after.Store(point == "after the commit")
			a := newAPI(t, over(t, wire), func(d *session.Dependencies) { store.Store = d.Store; d.Store = store })
			first, err := http.Post(a.url+"/v1/agent/goal/session:message", "application/json", body(t, message))
			if err == nil {
				first.Body.Close()
			}
			wire.Set("", nil)
			if point == "PlanAgent" {
				// A plan that is not made is an honest answer, and stored; the next message goes on.
				message["message_id"] = "m-2 " + point
			}
			var out output
			a.read(a.call("POST", "/v1/agent/goal/session:message", message), http.StatusOK, &out)
			if out.Action.Type != "save_preview" || out.State.Iteration != 1 {
				t.Errorf("%+v", out)
			}
			var again output
			a.read(a.call("POST", "/v1/agent/goal/session:message", message), http.StatusOK, &again)
			if again.State.Iteration != 1 {
				t.Errorf("sent a third time it is iteration %d", again.State.Iteration)
			}
			var stored struct{ Events []event }
			a.read(a.call("GET", goalPath, nil), http.StatusOK, &stored)
			want := 4
			if point == "PlanAgent" {
				want = 8
			}
			if len(stored.Events) != want {
				t.Errorf("%d events, want %d", len(stored.Events), want)
			}
		})
	}
}

// TestMain is a server that can be killed, where the environment asks for one.
func TestMain(m *testing.M) {
	if path := os.Getenv("SESSION_TEST_DB"); path != "" {
		serveForTests(path)
	}
	os.Exit(m.Run())
}

func serveForTests(path string) {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, path, sqlitedb.Options{})
	if err != nil {
		panic(err)
	}
	if err := store.ExpireLeases(ctx); err != nil { // the process before is dead
		panic(err)
	}
	handler, err := session.NewHandler(session.Dependencies{Store: store, Model: session.Offline()})
	if err != nil {
		panic(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	panic(http.Serve(listener, web.Service{Name: "session"}.Serve(handler)))
}

// startServer starts a server in a process of its own.
func startServer(t *testing.T, path string) (url string, kill func()) {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), "SESSION_TEST_DB="+path)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() { _ = command.Process.Kill(); _ = command.Wait() }) // also by a timer
	t.Cleanup(kill)
	address := make([]byte, 64)
	n, err := out.Read(address)
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + strings.TrimSpace(string(address[:n])), kill
}

// The process is killed at any time of a turn; the same message, sent to the
// next process, makes the turn happen once.
func TestKilledAtAnyTime(t *testing.T) {
	if testing.Short() {
		t.Skip("starts and kills processes")
	}
	path := filepath.Join(t.TempDir(), "state.db")
	const rounds = 16
	for round := range rounds {
		message := object{"user_id": "u", "session_id": "s", "message_id": fmt.Sprint("m", round), "message": fmt.Sprintf("Rename the goal to Shop %d", round)}
		if round == 0 {
			message["message"] = "Build a web shop"
		}
		url, kill := startServer(t, path)
		dying := time.AfterFunc(time.Duration(round)*500*time.Microsecond, kill)
		if response, err := http.Post(url+"/v1/agent/goal/session:message", "application/json", body(t, message)); err == nil {
			response.Body.Close()
		}
		dying.Stop()
		kill()
		url, _ = startServer(t, path)
		a := api{t: t, url: url}
		var out output
		a.read(a.call("POST", "/v1/agent/goal/session:message", message), http.StatusOK, &out)
		if out.Action.Type != "save_preview" || out.State.Iteration != round+1 {
			t.Fatalf("round %d: %+v", round, out)
		}
		var stored struct{ Events []event }
		a.read(a.call("GET", "/apps/goal_planning_agent/users/u/sessions/s", nil), http.StatusOK, &stored)
		if len(stored.Events) != 4*(round+1) {
			t.Fatalf("round %d: %d events", round, len(stored.Events))
		}
	}
}

// A message that speaks of a conversation as it was is refused, on every route, and stores
// nothing; one that was answered is answered again.
func TestAMessageOfWhatWentOnIsRefused(t *testing.T) {
	a := newAPI(t)
	send := func(id string, seen any) answer {
		return a.call("POST", "/v1/agent/goal/session:message", object{"user_id": "u_1", "session_id": "s_1", "message": "Build a web shop", "message_id": id, "last_update_time": seen})
	}
	var session struct {
		Events         []event
		LastUpdateTime float64
	}
	read := func() { a.read(a.call("GET", goalPath, nil), http.StatusOK, &session) }
	a.read(a.call("POST", goalPath, object{}), http.StatusOK, &session)
	seen := session.LastUpdateTime
	for range 2 {
		if got := send("m_1", seen); got.status != http.StatusOK {
			t.Fatalf("%d %s", got.status, got.body)
		}
	}
	read()
	events := len(session.Events)
	a.refused(send("m_2", seen), http.StatusConflict, "lost_race")
	run := runBody("goal_planning_agent", "Remove the first milestone")
	run["lastUpdateTime"] = seen
	a.refused(a.call("POST", "/run", run), http.StatusConflict, "lost_race")
	a.refused(a.call("POST", "/run_sse", run), http.StatusConflict, "lost_race")
	if read(); len(session.Events) != events {
		t.Errorf("%d events of %d", len(session.Events), events)
	}
	run["lastUpdateTime"] = session.LastUpdateTime
	if got := a.call("POST", "/run", run); got.status != http.StatusOK {
		t.Errorf("%d %s", got.status, got.body)
	}
	for _, wrong := range []any{0, -1, "now"} {
		if got := send("m_3", wrong); got.status != http.StatusUnprocessableEntity || !strings.Contains(string(got.body), "last_update_time") {
			t.Errorf("%v: %d %s", wrong, got.status, got.body)
		}
	}
}
