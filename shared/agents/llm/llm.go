// Package llm is the model that the agents ask: Gemini, as ADK's model.LLM.
//
// ADK has one of its own over genai's client, which turns each request from
// structs into JSON, that into maps, the maps into other maps and those into
// JSON again, and each answer the same way back: more work than all the rest of
// a turn. This one leaves to the library what it knows best, the address, the
// headers and the credentials, and writes each request and reads each answer
// once.
package llm

import (
	"bytes"
	"context"
	"io"
	"iter"
	"maps"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"google.golang.org/adk/v2/model"
	adkgemini "google.golang.org/adk/v2/model/gemini"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/gemini"
)

// Model asks one model of Gemini. It does not stream.
type Model struct {
	name    string
	backend genai.Backend
	client  *http.Client
	timeout time.Duration // of one call with its retries
	pattern *http.Request // the library's own, of which each call is a copy with a body
	schemas sync.Map      // *genai.Schema to the text of it, a json.RawMessage
}

var _ model.LLM = (*Model)(nil)

// New returns the model of that configuration.
func New(ctx context.Context, c gemini.Config, options gemini.Options) (*Model, error) {
	settings, err := gemini.ClientConfig(c, options)
	if err != nil {
		return nil, err
	}
	pattern, err := libraryRequest(ctx, c.Model, *settings)
	if err != nil {
		return nil, errs.Wrap(errs.Internal, err, "The Gemini client cannot be built from its configuration.")
	}
	return &Model{name: c.Model, backend: settings.Backend, client: settings.HTTPClient, timeout: c.Timeout, pattern: pattern}, nil
}

// libraryRequest returns the request that ADK's model sends: it is asked once,
// and stopped where the network begins.
func libraryRequest(ctx context.Context, name string, settings genai.ClientConfig) (*http.Request, error) {
	caught := &catcher{}
	settings.HTTPClient = &http.Client{Transport: caught}
	library, err := adkgemini.NewModel(ctx, name, &settings)
	if err != nil {
		return nil, err
	}
	for _, err = range library.GenerateContent(ctx, &model.LLMRequest{}, false) {
		if caught.request == nil {
			return nil, err
		}
	}
	return caught.request, nil
}

// catcher is a transport that sends nothing.
type catcher struct{ request *http.Request }

func (c *catcher) RoundTrip(r *http.Request) (*http.Response, error) {
	c.request = r.Clone(context.Background())
	return nil, http.ErrServerClosed
}

// Name returns the model's name.
func (m *Model) Name() string { return m.name }

// GetGoogleLLMVariant tells ADK which of the two ways in is used.
func (m *Model) GetGoogleLLMVariant() genai.Backend { return m.backend }

// GenerateContent yields the answer to one call, or why there is none.
func (m *Model) GenerateContent(ctx context.Context, request *model.LLMRequest, stream bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		if stream {
			yield(nil, errs.New(errs.Internal, "The model's answers cannot be streamed."))
			return
		}
		yield(m.ask(ctx, request))
	}
}

func (m *Model) ask(ctx context.Context, request *model.LLMRequest) (*model.LLMResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, m.timeout)
	defer cancel()
	body, err := m.encode(request)
	if err != nil {
		return nil, err
	}
	response, err := m.client.Do(m.call(ctx, body))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return nil, refusal(response, answer)
	}
	return decode(answer)
}

// call returns the HTTP request with that body. It can be sent again.
func (m *Model) call(ctx context.Context, body []byte) *http.Request {
	call := m.pattern.WithContext(ctx)
	call.Header = maps.Clone(m.pattern.Header)
	if deadline, ok := ctx.Deadline(); ok { // so that the service does not work on for nobody
		left := math.Ceil(time.Until(deadline).Seconds())
		call.Header["X-Server-Timeout"] = []string{strconv.Itoa(int(max(1, left)))}
	}
	call.ContentLength = int64(len(body))
	call.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	call.Body, _ = call.GetBody()
	return call
}
