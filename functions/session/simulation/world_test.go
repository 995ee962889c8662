// Package simulation runs the turns of sessions under every misfortune that a
// seed can think of, one step at a time, and checks after each step that every
// message that was accepted happened once, and nothing else happened.
//
// The function is the real one, from the request to the answer, with its
// agents, ADK and genai. Under it are a store in memory, or another
// sessions.Store, and a model that follows a script. Before each round trip to
// either stands a scheduler that decides what becomes of it. Several servers,
// with clocks that disagree, serve clients that send messages twice, late, out
// of order and again after they heard nothing, while sessions are made, read,
// deleted and made again, expire and are swept away. A schedule is a function
// of its seed, so that one that fails can be replayed.
package simulation

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/test/lockstep"
	"github.com/planwright/planwright/shared/web"
)

// Mutant is a product with one guard removed. The zero value is the product.
type Mutant struct {
	Name  string
	store func(sessions.Store) sessions.Store
}

// Backend is what the sessions are kept in.
type Backend struct {
	Store sessions.Store
	// Sweep removes what has expired; nil where the store does not.
	Sweep func(now time.Time)
}

// Over is a backend that keeps sessions in a store, each of whose calls is one
// round trip.
func Over(s sessions.Store) Backend { return Backend{Store: trips{s}} }

// Memory is a fresh backend in memory.
func Memory() Backend {
	s := newStore()
	return Backend{s, s.sweep}
}

// world is the state of one schedule.
type world struct {
	Backend
	user       string // of all sessions, so that several worlds can share a store
	rng        *rand.Rand
	now        time.Time
	maxSkew    time.Duration
	servers    []*server
	requests   []*request // of messages
	deliveries []*delivery
	keys       []sessions.Key
	lives      map[sessions.Key]*life // of the sessions that are there
	past       []*life                // every one that ever was
	absent     map[sessions.Key]int   // the last step at which it was not there, or a clock said so
	started    int
	steps      int
	stats      Stats
	trace      func(format string, args ...any) // nil: nobody listens
	maxWork    int
	faults     float64
	crashes    float64
	deletes    int // still to come
}

// server is one instance of the function.
type server struct {
	name    string
	handler http.Handler
}

// ttl is how long an idle session is kept.
const ttl = time.Hour

func newWorld(b Backend, seed uint64) *world {
	return &world{
		Backend: b,
		user:    fmt.Sprintf("u%d", seed),
		rng:     rand.New(rand.NewPCG(seed, 0)),
		now:     time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		lives:   map[sessions.Key]*life{},
		absent:  map[sessions.Key]int{},
	}

}

// serve adds a server whose clock is wrong by skew.
func (w *world) serve(mutant Mutant, skew time.Duration) {
	store := w.Store
	if mutant.store != nil {
		store = mutant.store(store)
	}
	handler, err := session.NewHandler(session.Dependencies{
		Store: store, Model: scriptedModel{}, SessionTTL: ttl,
		// Time that really passes must decide nothing.
		TurnTimeout: time.Hour, KeepAlive: time.Hour,
		Now: func() time.Time { return w.now.Add(skew) },
		Wait: func(ctx context.Context, pause time.Duration) error {
			return trip(ctx, waiting, func() error { w.now = w.now.Add(pause); return nil })
		},
	})
	if err != nil {
		panic(err)
	}
	w.servers = append(w.servers, &server{fmt.Sprintf("server %d", len(w.servers)+1), web.Service{Name: "session"}.Serve(handler)})
	w.say("%s has a clock that is wrong by %v", w.servers[len(w.servers)-1].name, skew)
}

// session makes a key that requests may name.
func (w *world) session() sessions.Key {
	key := sessions.Key{App: "goal_planning_agent", User: w.user, Session: fmt.Sprintf("s%d", len(w.keys)+1)}
	w.keys = append(w.keys, key)
	return key
}

func (w *world) say(format string, args ...any) {
	if w.trace != nil {
		w.trace("%4d  %s  %s", w.steps, w.now.Format("15:04:05"), fmt.Sprintf(format, args...))
	}
}

// fail ends the schedule.
func (w *world) fail(format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	w.say("BROKEN: %s", what)
	lockstep.Break("%s", what)
}

// deliver sends a request to a server.
func (w *world) deliver(r *request, to *server) *delivery {
	w.started++
	delivery := &delivery{
		Worker: lockstep.NewWorker(), name: fmt.Sprintf("d%d", w.started), request: r, began: w.steps,
		trips: map[string]int{}, troubled: map[string]bool{}, recorder: httptest.NewRecorder(),
	}
	w.say("%s takes %v to %s", delivery.name, r, to.name)
	sent := httptest.NewRequest(r.method, r.path, strings.NewReader(r.body))
	sent.Header.Set("Content-Type", "application/json")
	sent = sent.WithContext(context.WithValue(context.Background(), deliveryKey{}, delivery))
	delivery.Start(func() { to.handler.ServeHTTP(delivery.recorder, sent) })
	w.deliveries = append(w.deliveries, delivery)
	w.noteEnd(delivery)
	return delivery
}

// step lets a delivery make its next round trip as fate has it.
func (w *world) step(delivery *delivery, f lockstep.Fate) {
	w.steps++
	if w.trace != nil {
		w.say("%s: %s%s", delivery.name, delivery.Next(), f)
	}
	w.checkAlone(delivery)
	if f != lockstep.CarriedOut {
		delivery.faulty = true
		if agent, asked := strings.CutPrefix(delivery.Next(), asking); asked {
			delivery.troubled[agent] = true
		}
	}
	delivery.Step(f)
	w.noteClaim(delivery)
	w.check(delivery)
	w.noteEnd(delivery)
}

// noteEnd takes note of a delivery that has come to its end.
func (w *world) noteEnd(ended *delivery) {
	if ended.Running() {
		return
	}
	w.deliveries = slices.DeleteFunc(w.deliveries, func(other *delivery) bool { return other == ended })
	if ended.Lost() {
		w.say("%s is lost", ended.name)
		return
	}
	w.judge(ended)
}

// loseAll ends every delivery where it stands.
func (w *world) loseAll() {
	for _, delivery := range w.deliveries {
		delivery.Lose()
	}
	w.deliveries = nil
}
