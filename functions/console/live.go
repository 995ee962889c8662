package console

import (
	"bytes"
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

// slower is by how much the time between two looks grows while nothing changes,
// up to slowest: who waits for a colleague needs no answer within the second.
const slower, slowest = 1.25, 30

// tell sends the part "live" of a page as server-sent events. It ends when the
// reader or the server goes; the browser comes back by itself.
func (c *Console) tell(w http.ResponseWriter, r *http.Request, name string, look func() (any, bool, error)) error {
	w.Header().Set("Content-Type", "text/event-stream")
	stream := http.NewResponseController(w)
	told, wait := "", c.Poll
	for {
		shown, last, err := look()
		if err != nil && !errs.Retryable(err) {
			return nil // what is wrong is shown by the page itself
		}
		wait = min(time.Duration(float64(wait)*slower), slowest*c.Poll)
		if err == nil {
			part := part(name, shown)
			if part != told {
				told, wait = part, c.Poll
				_, _ = w.Write([]byte(part)) // Flush tells whether the reader has gone
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
