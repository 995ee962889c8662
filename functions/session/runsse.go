package session

import (
	"net/http"
	"slices"
	"sync"
	"time"

	adk "google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// runSSE answers as run does, with each event as it happens. The last is held
// back until the turn is stored: who has it knows that all of them count. An
// error after the stream began is its last event, in the form of all errors.
// Partial events hold what an agent's model has said so far; what the agent
// says is its event.
func (h handler) runSSE(w http.ResponseWriter, r *http.Request) (any, error) {
	request, err := h.readTurn(w, r)
	if err != nil {
		return nil, err
	}
	turn, err := h.begin(r.Context(), request)
	if err != nil {
		return nil, err
	}
	s := startStream(w, h.KeepAlive)
	defer s.stop()
	var held *adk.Event
	sent := 0
	list, err := h.finish(r.Context(), turn, request, func(event *adk.Event) {
		if held != nil {
			s.send(showEvent(held))
			held = nil
			sent++
		}
		if event.Partial {
			s.send(showEvent(event))
			return
		}
		held = event
	})
	if err == nil {
		err = s.sendRest(list, sent, held)
	}
	if err != nil {
		web.Log(r.Context()).
			WarnContext(r.Context(), "the stream ends in an error", "kind", string(errs.KindOf(err)),
				"error", err.Error())
		s.send(web.ErrorBody(r.Context(), err))
	}
	return nil, nil
}

// sendRest sends the events that were not sent yet. Where another delivery of
// the same message was quicker the stored events are not those sent so far;
// mixed they would make no sense.
func (s *stream) sendRest(list []*adk.Event, sent int, held *adk.Event) error {
	if held != nil && (len(list) <= sent || list[sent].ID != held.ID) {
		return errs.New(
			errs.Stale,
			"Another delivery of this message was quicker. Send it again with the same message id for its answer.",
		)
	}
	for _, event := range list[sent:] {
		s.send(showEvent(event))
	}
	return nil
}

// stream writes server-sent events, and a comment now and then while there is
// none, so that nothing on the way takes the connection for dead.
type stream struct {
	mu      sync.Mutex
	w       http.ResponseWriter
	control *http.ResponseController
	ended   chan struct{}
	beating sync.WaitGroup
}

func startStream(w http.ResponseWriter, keepAlive time.Duration) *stream {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	s := &stream{w: w, control: http.NewResponseController(w), ended: make(chan struct{})}
	s.write([]byte(": the events follow\n\n"))
	s.beating.Go(func() { s.beat(keepAlive) })
	return s
}

func (s *stream) beat(every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			s.write([]byte(": working\n\n"))
		case <-s.ended:
			return
		}
	}
}

// stop ends the beat before the answer ends.
func (s *stream) stop() {
	close(s.ended)
	s.beating.Wait()
	_ = s.control.SetWriteDeadline(time.Time{}) // the connection may serve more requests
}

func (s *stream) send(v any) {
	// JSON escapes line ends. A panic ends the stream and is logged.
	s.write(slices.Concat([]byte("data: "), strictjson.Line(v), []byte("\n")))
}

// writeTimeout is how long a reader that takes nothing holds a turn up. It is
// given up then, and the turn is stored without it.
const writeTimeout = 10 * time.Second

func (s *stream) write(data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // where the server can
	_, _ = s.w.Write(data)                                       // a reader that is gone cannot be told
	_ = s.control.Flush()
}
