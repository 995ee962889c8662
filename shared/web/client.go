package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/planwright/planwright/shared/errs"
)

// Client calls a function over the network, or its handler in the same process.
type Client struct {
	Base string            // address of the function, without a slash at its end
	HTTP http.RoundTripper // InProcess, or the network with a token where one is asked for
}

// InProcess sends requests to a handler of this process. An answer is read as the
// handler writes it, and must be closed.
func InProcess(handler http.Handler) http.RoundTripper { return inProcess{handler} }

type inProcess struct{ handler http.Handler }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r.Body = http.NoBody
	}
	r.RequestURI = r.URL.RequestURI()
	in, out := io.Pipe()
	answer := &streamed{header: http.Header{}, status: http.StatusOK, out: out, begun: make(chan struct{})}
	go func() {
		defer answer.end()
		p.handler.ServeHTTP(answer, r)
		answer.whole = true
	}()
	<-answer.begun
	return &http.Response{StatusCode: answer.status, Header: answer.header, Body: in, Request: r}, nil
}

// streamed is an answer that is read while it is written.
type streamed struct {
	header http.Header
	status int
	out    *io.PipeWriter
	once   sync.Once
	begun  chan struct{} // closed once header and status are known
	whole  bool
}

func (a *streamed) Header() http.Header { return a.header }

func (a *streamed) WriteHeader(status int) {
	a.once.Do(func() {
		a.status = status
		close(a.begun)
	})
}

func (a *streamed) Write(data []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.out.Write(data)
}

// end ends the answer: half of one, whose handler has given up, does not look whole.
func (a *streamed) end() {
	if !a.whole {
		_ = recover() // it was logged where it is served
		a.WriteHeader(http.StatusInternalServerError)
		_ = a.out.CloseWithError(io.ErrUnexpectedEOF)
		return
	}
	a.WriteHeader(http.StatusOK)
	_ = a.out.Close()
}

// Refused is the error that a function answered with. It has the kind that its
// status stands for.
type Refused struct {
	Failure
	Details json.RawMessage `json:"details"`
	Status  int             `json:"-"`
}

func (r *Refused) Error() string { return r.Message }

func (r *Refused) Unwrap() error { return errs.New(kindOf(r.Status), "%s", r.Message) }

// Get asks for JSON.
func (c *Client) Get(ctx context.Context, path string, into any) error {
	return c.Do(ctx, http.MethodGet, path, "", nil, into)
}

// Send sends JSON and reads the answer's.
func (c *Client) Send(ctx context.Context, method, path string, body, into any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.Do(ctx, method, path, "application/json", bytes.NewReader(data), into)
}

// Do makes one call and reads the answer's JSON.
func (c *Client) Do(ctx context.Context, method, path, contentType string, body io.Reader, into any) error {
	answer, err := c.Open(ctx, method, path, "", contentType, body)
	if err != nil {
		return err
	}
	defer answer.Close()
	if err := json.NewDecoder(answer).Decode(into); err != nil {
		return errs.Wrap(
			errs.Unusable,
			err,
			"What answers there is not Planwright, or not all of the answer came. Try again.",
		)
	}
	return nil
}

// Open makes one call and returns the body of its answer, of the type accept; "" is
// whatever comes. Its error is a Refused where the function answered with one.
func (c *Client) Open(
	ctx context.Context,
	method, path, accept, contentType string,
	body io.Reader,
) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.Base+path, body)
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	answer, err := c.HTTP.RoundTrip(request)
	switch {
	case errs.KindOf(err) == errs.Denied:
		return nil, err
	case err != nil:
		return nil, errs.Wrap(
			errs.Unavailable,
			err,
			"There is no answer at %s. Try again; if it stays so, see whether the server runs (planwright serve) and whether you are signed in (gcloud auth login).",
			c.Base,
		)
	case answer.StatusCode < http.StatusMultipleChoices:
		return answer.Body, nil
	}
	defer answer.Body.Close()
	var said struct {
		Error Refused `json:"error"`
	}
	err = json.NewDecoder(answer.Body).Decode(&said)
	said.Error.Status = answer.StatusCode
	switch {
	case err == nil && said.Error.Message != "":
		return nil, &said.Error
	case answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden:
		return nil, errs.New(
			errs.Denied,
			"You may not use this server. Ask its operator for access, or sign in again.",
		)
	}
	return nil, errs.Wrap(
		errs.Unusable,
		err,
		"The server answered with %d and no reason. Try again.",
		answer.StatusCode,
	)
}
