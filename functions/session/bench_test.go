package session_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
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

// counting counts the round trips to a store.
type counting struct {
	sessions.Store
	reads, commits, claims atomic.Int64
}

func (c *counting) Claim(ctx context.Context, key sessions.Key, turn sessions.Turn) (string, error) {
	c.claims.Add(1)
	return c.Store.Claim(ctx, key, turn)
}

func (c *counting) Load(ctx context.Context, key sessions.Key, turn string) (sessions.Snapshot, error) {
	c.reads.Add(1)
	return c.Store.Load(ctx, key, turn)
}

func (c *counting) Events(ctx context.Context, key sessions.Key, epoch string, from, to int64) ([]sessions.Event, error) {
	c.reads.Add(1)
	return c.Store.Events(ctx, key, epoch, from, to)
}

func (c *counting) Commit(ctx context.Context, change sessions.Change) error {
	c.commits.Add(1)
	return c.Store.Commit(ctx, change)
}

// A turn costs one read and one commit, the first and the fiftieth alike, and a
// claim where the client named its message.
func TestATurnIsOneReadAndOneCommit(t *testing.T) {
	count := &counting{}
	a := newAPI(t, func(d *session.Dependencies) { count.Store = d.Store; d.Store = count })
	a.read(a.call("POST", goalPath, nil), http.StatusOK, &object{})
	for i := range 50 {
		count.reads.Store(0)
		count.commits.Store(0)
		count.claims.Store(0)
		message := fmt.Sprintf("Rename it to Shop %d", i)
		if i == 0 {
			message = "Build a web shop"
		}
		var events []event
		request := runBody("goal_planning_agent", message)
		if i%2 == 1 {
			request["message_id"] = fmt.Sprint("m", i)
		}
		a.read(a.call("POST", "/run", request), http.StatusOK, &events)
		got := [3]int64{count.reads.Load(), count.commits.Load(), count.claims.Load()}
		if want := [3]int64{1, 1, int64(i % 2)}; got != want {
			t.Fatalf("turn %d: %v reads, commits and claims, want %v", i, got, want)
		}
	}
}

// parrot is a model that takes no time: what the offline model said to an agent
// first, it says to it ever after. What the service would do with a request,
// reading it, is not done; only the agent's name is looked for.
type parrot struct {
	heard bytes.Buffer
	said  map[string][]byte
	plans int // so far, each with a title of its own: a plan that changes nothing is none
}

// named stands before an agent's name in what it is told.
var named = []byte(`internal name is \"`)

func (p *parrot) RoundTrip(r *http.Request) (*http.Response, error) {
	p.heard.Reset()
	if _, err := p.heard.ReadFrom(r.Body); err != nil {
		return nil, err
	}
	_, after, _ := bytes.Cut(p.heard.Bytes(), named)
	agent, _, _ := bytes.Cut(after, []byte(`\"`))
	said, known := p.said[string(agent)]
	if !known {
		r.Body = io.NopCloser(bytes.NewReader(p.heard.Bytes()))
		response, err := agentstest.Offline(r)
		if err != nil {
			return nil, err
		}
		if said, err = io.ReadAll(response.Body); err != nil {
			return nil, err
		}
		p.said[string(agent)] = said
	}
	if string(agent) == "PlanAgent" {
		p.plans++
		said = bytes.Replace(said, []byte("Build a web shop"), fmt.Appendf(nil, "Shop %d", p.plans), 1)
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(said)), Request: r}, nil
}

// BenchmarkTurn is what a whole turn of goal planning costs beside the model:
// request, read, three agents through ADK and their model's client, commit,
// answer. The model takes no time, and so does the network to it; the store is
// SQLite's, all of its work counted but waiting for the disk, which is the
// disk's and not the turn's. It runs on one CPU, as an instance of the function
// does (sizes.session.cpu of the Terraform configuration): on two, handing a turn
// between them costs about a sixth more.
func BenchmarkTurn(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, turns := range []int{10, 1000} {
		b.Run(fmt.Sprintf("after=%d", turns), func(b *testing.B) {
			store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "state.db"), sqlitedb.Options{NoSync: true})
			if err != nil {
				b.Fatal(err)
			}
			defer store.Close()
			model := agentstest.Model(b, &parrot{said: map[string][]byte{}})
			handler, err := session.NewHandler(session.Dependencies{Store: store, Model: model})
			if err != nil {
				b.Fatal(err)
			}
			served := web.Service{Name: "session", Timeout: time.Minute}.Serve(handler)
			n := 0
			turn := func() {
				n++
				message := fmt.Sprintf("Rename it to Shop %d", n)
				if n == 1 {
					message = "Build a web shop"
				}
				request, err := http.NewRequest("POST", "/v1/agent/goal/session:message", // httptest's would be written and read
					strings.NewReader(fmt.Sprintf(`{"user_id":"u","session_id":"s","message":%q}`, message)))
				if err != nil {
					b.Fatal(err)
				}
				request.Header.Set("Content-Type", "application/json")
				recorder := httptest.NewRecorder()
				served.ServeHTTP(recorder, request)
				if recorder.Code != http.StatusOK {
					b.Fatal(recorder.Body)
				}
			}
			for range turns {
				turn()
			}
			b.ReportAllocs()
			for b.Loop() {
				turn()
			}
		})
	}
}
