package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/sqlitedb"
)

var (
	copies = flag.Int("copies", 20, "how many copies of one event a storm delivers at once")
	rounds = flag.Int("rounds", 2, "how many storms")
)

// TestManyCopiesOfOneEventAtOnceChangeNothingTwice posts copies of the event of
// one upload concurrently, each as if Eventarc had sent it, while the inbox
// delivers it too.
func TestManyCopiesOfOneEventAtOnceChangeNothingTwice(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	client := clientOf(*copies)
	name := func(round int) string { return fmt.Sprintf("plan_storm_%d_v1", round) }
	for round := range *rounds { // taken, each waits for its plan
		s.drop(name(round)+"/p.csv", goodTable)
	}
	generations := s.taken(*rounds)
	answers := map[int]int{}
	for round := range *rounds {
		id := name(round)
		event := eventOf(id+"/p.csv", generations[id+"/p.csv"], len(goodTable))
		s.putPlan(id)
		for status, n := range storm(t, client, s.address, event) {
			answers[status] += n
		}
		s.await(id, "completed")
		if status, err := post(client, s.address, event); err != nil || status != http.StatusNoContent {
			t.Errorf("a copy after it has completed: %d, %v, want it acknowledged", status, err)
		}
		s.checkOnce(id)
	}
	t.Logf("%d rounds of %d copies, answered %v", *rounds, *copies, answers)
}

// storm posts the copies at once and counts the statuses of their answers.
func storm(t *testing.T, client *http.Client, address, event string) map[int]int {
	t.Helper()
	var mu sync.Mutex
	answers := map[int]int{}
	var posted sync.WaitGroup
	for range *copies {
		posted.Go(func() {
			status, err := post(client, address, event)
			mu.Lock()
			defer mu.Unlock()
			answers[status]++
			if err != nil || status != http.StatusNoContent && status != http.StatusServiceUnavailable {
				t.Errorf("a copy: %d, %v", status, err)
			}
		})
	}
	posted.Wait()
	return answers
}

// checkOnce expects one output, one change and one audit document.
func (s *server) checkOnce(id string) {
	s.t.Helper()
	if got := s.outbox(id + "/*"); got != raised {
		s.t.Errorf("output %q", got)
	}
	var changes plannerapi.Changes[pricing.Change]
	s.get("/planner/v1/executions/"+id+"/changes", &changes)
	var stands struct {
		Audit []ledger.AuditDocument `json:"audit"`
	}
	s.get("/planner/v1/executions/"+id, &stands)
	if len(changes.Changes) != 1 || len(stands.Audit) != 1 {
		s.t.Errorf("%d changes and %d audit documents, want one each", len(changes.Changes), len(stands.Audit))
	}
}

// clientOf keeps that many connections open: a new one for each event would
// run out of ports.
func clientOf(connections int) *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
}

func eventOf(path string, generation int64, size int) string {
	return fmt.Sprintf(`{"bucket": "inbox", "name": %q, "generation": "%d", "size": "%d", "timeCreated": %q}`,
		path, generation, size, time.Now().UTC().Format(time.RFC3339))
}

// post delivers an event as Eventarc does.
func post(client *http.Client, address, event string) (status int, err error) {
	request, err := http.NewRequest(http.MethodPost, address+"/executor", strings.NewReader(event))
	if err != nil {
		return 0, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Ce-Id": fmt.Sprint(eventIDs.Add(1)), "Ce-Specversion": "1.0",
		"Ce-Source": "//storage.googleapis.com/projects/_/buckets/inbox", "Ce-Type": "google.cloud.storage.object.v1.finalized",
	} {
		request.Header.Set(name, value)
	}
	answer, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}

var eventIDs atomic.Int64

// taken waits until that many files have been taken from the inbox, and
// returns their generations by path.
func (s *server) taken(files int) map[string]int64 {
	s.t.Helper()
	db, err := sqlitedb.Open(s.t.Context(), filepath.Join(s.data, emulator.StateName), sqlitedb.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	generations := map[string]int64{}
	eventually(s.t, fmt.Sprintf("%d files are taken", files), func() bool {
		rows, err := db.QueryContext(s.t.Context(), `SELECT path, generation FROM inbox`)
		if err != nil {
			s.t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var path string
			var generation int64
			if err := rows.Scan(&path, &generation); err != nil {
				s.t.Fatal(err)
			}
			generations[path] = generation
		}
		return len(generations) == files && rows.Err() == nil
	})
	return generations
}

// BenchmarkMixedUploads is what one server carries: tables of 1 to 20,000
// rows, one in eight of them bad, delivered over HTTP by eight clients that
// each store a plan, deliver its table until that is acknowledged, and go on to
// the next. Everything is synced to disk. delivery-p99-ms is of one delivery,
// from claim to outcome.
func BenchmarkMixedUploads(b *testing.B) {
	s := start(b, b.TempDir())
	m := mixed(s, b.N)
	client := clientOf(8)
	took := make([]time.Duration, b.N)
	var next atomic.Int64
	var clients sync.WaitGroup
	b.ResetTimer()
	for range 8 {
		clients.Go(func() {
			for i := next.Add(1) - 1; i < int64(b.N); i = next.Add(1) - 1 {
				s.putPlan(m.ids[i])
				began := time.Now()
				for status := 0; status != http.StatusNoContent; {
					var err error
					if status, err = post(client, s.address, m.events[i]); err != nil {
						b.Errorf("delivery %d: %v", i, err)
						return
					}
				}
				took[i] = time.Since(began)
			}
		})
	}
	clients.Wait()
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "uploads/s")
	b.ReportMetric(float64(m.rows)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "delivery-p99-ms")
}

// uploads are taken by a server and wait for their plans.
type uploads struct {
	ids    []string
	events []string
	rows   int
}

func mixed(s *server, n int) uploads {
	s.t.Helper()
	rng := rand.New(rand.NewPCG(1, 0))
	var m uploads
	sizes := make([]int, n)
	for i := range n {
		content := "sku,category,price,in_stock\n" + strings.Repeat("A101,fitness,29.99,true\n", 1+rng.IntN([]int{20, 200, 2_000, 20_000}[i%4]))
		if rng.IntN(8) == 0 {
			content += "A102,fitness,cheap,true\n"
		}
		m.ids = append(m.ids, fmt.Sprintf("plan_mixed_%d_v1", i))
		m.rows += strings.Count(content, "\n") - 1
		sizes[i] = len(content)
		s.drop(m.ids[i]+"/p.csv", content)
	}
	generations := s.taken(n)
	for i, id := range m.ids {
		m.events = append(m.events, eventOf(id+"/p.csv", generations[id+"/p.csv"], sizes[i]))
	}
	return m
}
