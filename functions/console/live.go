package console

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/identity"
)

// live is where the changes of a page are sent.
func live(r *http.Request) string { return "/live" + r.URL.RequestURI() }

// liveExecutions tells the list anew whenever it changes.
func (c *Console) liveExecutions(w http.ResponseWriter, r *http.Request) error {
	return c.tell(w, r, "executions", func(r *http.Request) (any, bool, error) {
		shown, err := c.listed(r)
		return shown, false, err
	})
}

// liveExecution tells an execution anew whenever it changes, until nothing
// more comes by itself.
func (c *Console) liveExecution(w http.ResponseWriter, r *http.Request) error {
	return c.tell(w, r, "execution", func(r *http.Request) (any, bool, error) {
		shown, err := c.found(r)
		return shown, shown.Settled(), err
	})
}

// What open pages may take: each that keeps itself up to date holds a connection
// and what was sent last, as a hash. To look and to render takes far more, so
// that pages of one address and one reader share a look, whose text is kept for
// half of Poll, and only a few are looked after at a time.
const (
	maxLive  = 2000
	maxLooks = 8
	lookTime = 30 * time.Second
)

// slower is by how much the time between two looks grows while nothing changes,
// up to slowest: who waits for a colleague needs no answer within the second.
const slower, slowest = 1.25, 30

// tell sends the part "live" of a page as server-sent events. It ends when the
// reader or the server goes; the browser comes back by itself.
func (c *Console) tell(w http.ResponseWriter, r *http.Request, name string, look looker) error {
	select {
	case c.open <- struct{}{}:
		defer func() { <-c.open }()
	default:
		return errs.New(errs.Exhausted, "%d pages keep themselves up to date at this moment, the most there may be.", maxLive)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	stream := http.NewResponseController(w)
	var sent [sha256.Size]byte
	for wait := c.Poll; ; {
		part, last, err := c.share(r, name, look)
		if err != nil && !errs.Retryable(err) {
			return nil // what is wrong is shown by the page itself
		}
		wait = min(time.Duration(float64(wait)*slower), slowest*c.Poll)
		if err == nil {
			if now := sha256.Sum256([]byte(part)); now != sent {
				sent, wait = now, c.Poll
				_, _ = io.WriteString(w, part) // Flush tells whether the reader has gone
			}
		}
		if last {
			_, _ = w.Write([]byte("event: last\ndata:\n\n"))
		}
		if err := stream.Flush(); err != nil || last {
			return nil
		}
		select {
		case <-r.Context().Done():
			return nil
		case <-c.Stopping:
			return nil
		case <-time.After(wait):
		}
	}
}

// looker finds what a page shows, and whether nothing more comes by itself.
type looker func(*http.Request) (shown any, last bool, err error)

// viewer is an address, and who looks at it: behind a proxy whom that has signed in.
type viewer struct{ address, person, cookie, authorization string }

// seen is what a look found, once it is done.
type seen struct {
	done chan struct{}
	text string
	last bool
	err  error
}

// share takes part in a look that is under way or has just ended, or looks for all.
func (c *Console) share(r *http.Request, name string, look looker) (text string, last bool, err error) {
	key := viewer{r.URL.RequestURI(), identity.SignedIn(r.Context()), r.Header.Get("Cookie"), r.Header.Get("Authorization")}
	c.mu.Lock()
	found, shared := c.seen[key]
	if !shared {
		found = &seen{done: make(chan struct{}), err: errs.New(errs.Unavailable, "this could not be looked at")}
		c.seen[key] = found
	}
	c.mu.Unlock()
	if !shared {
		defer time.AfterFunc(c.Poll/2, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			delete(c.seen, key)
		})
		c.look(r, name, look, found)
	}
	select {
	case <-found.done:
		return found.text, found.last, found.err
	case <-r.Context().Done():
		return "", false, r.Context().Err()
	}
}

// look renders what is found, when few others do, also for a reader that has
// gone meanwhile: others may wait for it.
func (c *Console) look(r *http.Request, name string, look looker, found *seen) {
	defer close(found.done)
	c.looks <- struct{}{}
	defer func() { <-c.looks }()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), lookTime)
	defer cancel()
	shown, last, err := look(r.WithContext(ctx))
	if err == nil {
		found.text = part(name, shown) + fmt.Sprintf("event: mine\ndata: %d\n\n", c.waiting(r.WithContext(ctx)))
	}
	found.last, found.err = last, err
}

// part renders the part of a page that changes, as one event.
func part(name string, shown any) string {
	var body bytes.Buffer
	if err := templates()[name].ExecuteTemplate(&body, "live", shown); err != nil {
		panic("console: page " + name + ": " + err.Error())
	}
	var event strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(body.String(), "\r", "")) {
		event.WriteString("data: " + strings.TrimSuffix(line, "\n") + "\n")
	}
	return event.String() + "\n"
}
