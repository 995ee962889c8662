package console

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/web"
)

// Client speaks to a function over HTTP, or to its handler in the same process.
type Client struct {
	Base string            // address of the function, without a slash at its end
	HTTP http.RoundTripper // one of InProcess, or the network with a token
}

// InProcess sends requests to a handler of this process. Its answers are held
// in memory, so it is for handlers whose answers are small.
func InProcess(handler http.Handler) http.RoundTripper { return inProcess{handler} }

type inProcess struct{ handler http.Handler }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r.Body = http.NoBody
	}
	r.RequestURI = r.URL.RequestURI()
	answer := &recorded{header: http.Header{}, status: http.StatusOK}
	p.handler.ServeHTTP(answer, r)
	return &http.Response{StatusCode: answer.status, Header: answer.header, Body: io.NopCloser(&answer.body), Request: r}, nil
}

// recorded is an answer that is kept.
type recorded struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *recorded) Header() http.Header            { return a.header }
func (a *recorded) WriteHeader(status int)         { a.status = status }
func (a *recorded) Write(data []byte) (int, error) { return a.body.Write(data) }

// refusal is an answer that is an error, in the one form that all functions use.
type refusal struct {
	Status    int             `json:"-"`
	Code      string          `json:"code"`
	Message   string          `json:"message"`
	Details   json.RawMessage `json:"details"`
	Questions []string        `json:"questions"`
	RequestID string          `json:"request_id"`
}

func (r *refusal) Error() string { return r.Message }

// Unwrap gives a refusal its kind and its message.
func (r *refusal) Unwrap() error { return errs.New(web.KindOf(r.Status), "%s", r.Message) }

// read asks for JSON.
func (c *Client) read(ctx context.Context, path string, query url.Values, into any) error {
	return c.send(ctx, http.MethodGet, path+queryOf(query), "", nil, into)
}

// write sends JSON and reads the answer's.
func (c *Client) write(ctx context.Context, method, path string, body, into any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.send(ctx, method, path, "application/json", bytes.NewReader(data), into)
}

// send makes one call. Its error is a refusal where the function answered.
func (c *Client) send(ctx context.Context, method, path, contentType string, body io.Reader, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.Base+path, body)
	if err != nil {
		return err
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	answer, err := c.HTTP.RoundTrip(request)
	if kind := errs.KindOf(err); err != nil && kind == errs.Denied {
		return err
	} else if err != nil {
		return errs.Wrap(errs.Unavailable, err, "The server does not answer. Try again; if it stays so, see whether it runs and whether you are signed in.")
	}
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusMultipleChoices {
		return refused(answer)
	}
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		return errs.Wrap(errs.Unusable, err, "What answers there is not Planwright, or not all of the answer came. Try again.")
	}
	return nil
}

func refused(answer *http.Response) error {
	var body struct {
		Error refusal `json:"error"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil || body.Error.Message == "" {
		if answer.StatusCode == http.StatusForbidden || answer.StatusCode == http.StatusUnauthorized {
			return errs.New(errs.Denied, "You may not use this server. Ask its operator for access, or sign in again.")
		}
		return errs.Wrap(errs.Unusable, err, "The server answered with %d and no reason. Try again.", answer.StatusCode)
	}
	body.Error.Status = answer.StatusCode
	return &body.Error
}

func queryOf(values url.Values) string {
	for name := range values {
		if values.Get(name) == "" {
			values.Del(name)
		}
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

// planPath is the path of a plan, with a verb or none.
func planPath(id, verb string) string { return "/v1/plans/" + url.PathEscape(id) + verb }

// executionPath is the path of an execution, with what follows it.
func executionPath(id, rest string) string { return "/v1/executions/" + url.PathEscape(id) + rest }

// plan reads a stored plan.
func (c *Client) plan(ctx context.Context, id string) (planView, error) {
	var found planView
	return found, c.read(ctx, planPath(id, ""), nil, &found)
}

// store stores a plan under its own id, or under the next free one where
// another plan has that.
func (c *Client) store(ctx context.Context, id string, fields map[string]any) (string, error) {
	for {
		fields["execution_id"] = id
		err := c.write(ctx, http.MethodPut, planPath(id, ""), fields, &planView{})
		if errs.KindOf(err) != errs.Conflict {
			return id, err
		}
		if id, err = planning.NextFree(ctx, stored{c}, id); err != nil {
			return "", err
		}
	}
}
