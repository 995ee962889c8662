package gemini

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/googleapis/gax-go/v2"
)

// maxResponseBytes bounds what is read of one answer.
const maxResponseBytes = 8 << 20

// Retry says how a call is tried again after 429, 503 or a broken connection.
// The wait before another attempt is that of Backoff, and at least what the
// service asked for. Where the wait would outlast the call's deadline the last
// answer stands.
type Retry struct {
	Attempts int         // in all; 0 means 4
	Backoff  gax.Backoff // begins with up to 500ms and ends with up to 8s where it says nothing else
}

func (r Retry) withDefaults() Retry {
	r.Attempts = cmp.Or(r.Attempts, 4)
	r.Backoff.Initial = cmp.Or(r.Backoff.Initial, 500*time.Millisecond)
	r.Backoff.Max = cmp.Or(r.Backoff.Max, 8*time.Second)
	return r
}

// retrying is a transport that tries again.
type retrying struct {
	next  http.RoundTripper
	retry Retry
}

func (t *retrying) RoundTrip(request *http.Request) (*http.Response, error) {
	backoff := t.retry.Backoff
	for attempt := 1; ; attempt++ {
		response, err := t.attempt(request)
		if err != nil && request.Context().Err() != nil {
			return nil, err
		}
		asked, again := again(response, err)
		if wait, ok := request.Context().Value(waitKey{}).(*time.Duration); ok {
			*wait = asked
		}
		if !again || attempt >= t.retry.Attempts || !rewindable(request) {
			return response, err
		}
		wait := max(asked, backoff.Pause())
		if deadline, ok := request.Context().Deadline(); ok && time.Until(deadline) < wait {
			return response, err
		}
		if response != nil {
			response.Body.Close()
		}
		if err := gax.Sleep(request.Context(), wait); err != nil {
			return nil, err
		}
	}
}

func (t *retrying) attempt(request *http.Request) (*http.Response, error) {
	sent := request.WithContext(request.Context()) // a transport changes no header of what it is given
	if request.GetBody != nil {
		body, err := request.GetBody()
		if err != nil {
			return nil, err
		}
		sent.Body = body
	}
	response, err := t.next.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	response.Body = http.MaxBytesReader(nil, response.Body, maxResponseBytes)
	return response, nil
}

func rewindable(request *http.Request) bool {
	return request.Body == nil || request.Body == http.NoBody || request.GetBody != nil
}

// again reports whether what came back is worth another attempt, and after
// how long the service asks for it.
func again(response *http.Response, err error) (time.Duration, bool) {
	if err != nil {
		return 0, true
	}
	switch response.StatusCode {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return retryAfter(response), true
	default:
		return 0, false
	}
}

// retryAfter reads the wait that an answer asks for: the Retry-After header, in
// seconds or as a date, or the RetryInfo detail that Gemini sends in the body.
func retryAfter(response *http.Response) time.Duration {
	header := response.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(header); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 3600)) * time.Second
	}
	if date, err := http.ParseTime(header); err == nil {
		return max(0, time.Until(date))
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), &broken{err}))
	return retryDelay(body)
}

// broken ends a body that was read ahead the way it ended then.
type broken struct{ err error }

func (b *broken) Read([]byte) (int, error) {
	if b.err == nil {
		return 0, io.EOF
	}
	return 0, b.err
}

func retryDelay(body []byte) time.Duration {
	var answer struct {
		Error struct {
			Details []struct {
				RetryDelay string `json:"retryDelay"`
			} `json:"details"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return 0
	}
	for _, detail := range answer.Error.Details {
		if d, err := time.ParseDuration(detail.RetryDelay); err == nil && d > 0 {
			return d
		}
	}
	return 0
}
