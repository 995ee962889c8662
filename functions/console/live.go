package console

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// live is where the changes of a page are told.
func live(r *http.Request) string { return "/live" + r.URL.RequestURI() }

// liveExecutions tells the list anew whenever it changes.
func (c *Console) liveExecutions(w http.ResponseWriter, r *http.Request) error {
	return c.tell(w, r, "executions", func() (any, bool, error) {
		shown, err := c.listed(r)
		return shown, false, err
	})
}

// liveExecution tells an execution anew whenever it changes, until nothing
// more comes by itself.
func (c *Console) liveExecution(w http.ResponseWriter, r *http.Request) error {
	return c.tell(w, r, "execution", func() (any, bool, error) {
		shown, err := c.found(r)
		return shown, shown.Settled(), err
	})
}

// What open pages may take: each that keeps itself up to date holds a connection
// and what was told last, as a hash; to look and to render takes far more, so that only
// a few do so at a time.
const (
	maxLive  = 2000
	maxLooks = 8
)

// slower is by how much the time between two looks grows while nothing changes,
// up to slowest: who waits for a colleague needs no answer within the second.
const slower, slowest = 1.25, 30

// tell sends the part "live" of a page as server-sent events. It ends when the
// reader or the server goes; the browser comes back by itself.
func (c *Console) tell(w http.ResponseWriter, r *http.Request, name string, look func() (any, bool, error)) error {
	select {
	case c.open <- struct{}{}:
		defer func() { <-c.open }()
	default:
		return errs.New(errs.Exhausted, "%d pages keep themselves up to date at this moment, the most there may be.", maxLive)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	stream := http.NewResponseController(w)
	var told [sha256.Size]byte
	for wait := c.Poll; ; {
		part, last, err := c.look(r.Context(), name, look)
		if err != nil && !errs.Retryable(err) {
			return nil // what is wrong is shown by the page itself
		}
		wait = min(time.Duration(float64(wait)*slower), slowest*c.Poll)
		if err == nil {
			if now := sha256.Sum256([]byte(part)); now != told {
				told, wait = now, c.Poll
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

// look renders what is found, when few others do.
func (c *Console) look(ctx context.Context, name string, look func() (any, bool, error)) (text string, last bool, err error) {
	select {
	case c.looks <- struct{}{}:
		defer func() { <-c.looks }()
	case <-ctx.Done():
		return "", false, ctx.Err()
	}
	shown, last, err := look()
	if err == nil {
		text = part(name, shown)
	}
	return text, last, err
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
