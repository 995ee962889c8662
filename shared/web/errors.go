package web

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// Failure is the one form of an error that a caller sees, under "error".
type Failure struct {
	Code      string   `json:"code"` // what a program acts on
	Message   string   `json:"message"`
	Details   any      `json:"details,omitempty"`   // a list of what is wrong, with paths or rows
	Questions []string `json:"questions,omitempty"` // what to answer to be understood
	RequestID string   `json:"request_id"`
}

// detailed is an error that lists what is wrong, each with its place.
type detailed interface {
	error
	Details() any
}

// coded is an error with a code of its own, more telling than its kind's.
type coded interface {
	error
	Code() string
}

// delayed is an error of a service that asked to be left alone for a while.
type delayed interface {
	error
	RetryAfter() time.Duration // 0 where it does not say
}

// answer is how a kind of error is told over HTTP.
type answer struct {
	status     int
	code       string
	retryAfter int // seconds; 0 says nothing
}

// answers is the one table from a kind of error to a status and code.
var answers = map[errs.Kind]answer{
	errs.Invalid:         {http.StatusUnprocessableEntity, "invalid", 0},
	errs.NotFound:        {http.StatusNotFound, "not_found", 0},
	errs.Conflict:        {http.StatusConflict, "conflict", 0},
	errs.Stale:           {http.StatusConflict, "lost_race", 0},
	errs.Denied:          {http.StatusForbidden, "denied", 0},
	errs.Unauthenticated: {http.StatusUnauthorized, "unauthenticated", 0},
	errs.Exhausted:       {http.StatusTooManyRequests, "exhausted", 30},
	errs.Unavailable:     {http.StatusServiceUnavailable, "unavailable", 5},
	errs.Unusable:        {http.StatusBadGateway, "unusable_answer", 0},
	errs.Deadline:        {http.StatusGatewayTimeout, "deadline", 0},
	errs.Internal:        {http.StatusInternalServerError, "internal", 0},
}

// StatusOf returns the status of an answer that is an error of that kind.
func StatusOf(kind errs.Kind) int {
	answer, known := answers[kind]
	if !known {
		answer = answers[errs.Internal]
	}
	return answer.status
}

// kindOf returns the kind of error that an answer with a status above 299 tells
// of. A lost race cannot be told from another conflict.
func kindOf(status int) errs.Kind {
	for kind, answer := range answers {
		if answer.status == status && kind != errs.Stale {
			return kind
		}
	}
	if status >= http.StatusInternalServerError {
		return errs.Unavailable
	}
	return errs.Invalid
}

// refusal is an error with an answer of its own, beside the table of kinds.
type refusal struct {
	answer
	message   string
	details   any
	questions []string
	allow     string // the Allow header of a 405
	cause     error  // for the log; may be nil
}

func (e *refusal) Error() string {
	if e.cause == nil {
		return e.message
	}
	return e.message + ": " + e.cause.Error()
}

func (e *refusal) Unwrap() error { return e.cause }

var malformed = answer{http.StatusBadRequest, "malformed", 0}

// Malformed returns a 400: the request cannot be read at all. A request that
// can be read and is refused is errs.Invalid, a 422.
func Malformed(format string, args ...any) error {
	return &refusal{answer: malformed, message: fmt.Sprintf(format, args...)}
}

// Clarify returns a 422 whose questions the caller must answer to be
// understood. The message is that of cause; details may be nil.
func Clarify(cause error, questions []string, details any) error {
	return &refusal{answer: answer{http.StatusUnprocessableEntity, "needs_clarification", 0},
		message: errs.Message(cause), questions: questions, details: details, cause: cause}
}

var oversized = answer{http.StatusRequestEntityTooLarge, "too_large", 0}

// TooLarge returns a 413 for a request that could be read and asks for more than can be kept.
func TooLarge(format string, args ...any) error {
	return &refusal{answer: oversized, message: fmt.Sprintf(format, args...)}
}

// NotImplemented returns a 501 for a call that others of its kind answer and this service does not.
func NotImplemented(format string, args ...any) error {
	return &refusal{
		answer:  answer{http.StatusNotImplemented, "not_implemented", 0},
		message: fmt.Sprintf(format, args...),
	}
}

func tooLarge(limit int64) *refusal {
	return &refusal{answer: oversized,
		message: fmt.Sprintf("The body is larger than %s, the most that is taken here.", size(limit))}
}

func size(bytes int64) string {
	if bytes%(1<<20) == 0 {
		return strconv.FormatInt(bytes>>20, 10) + " MiB"
	}
	return strconv.FormatInt(bytes, 10) + " bytes"
}

func unsupported(value, want string) error {
	got := "missing"
	if value != "" {
		got = clip(value)
	}
	if strings.HasPrefix(want, "text/csv") &&
		(strings.Contains(value, "spreadsheet") || strings.Contains(value, "ms-excel")) {
		got += ", which is a workbook's: save it as CSV (UTF-8)"
	}
	return &refusal{answer: answer{http.StatusUnsupportedMediaType, "unsupported_media_type", 0},
		message: fmt.Sprintf(
			"The Content-Type is %s; send %s (with curl: -H 'Content-Type: %s').",
			got,
			want,
			want,
		)}
}

func noRoute(path string, described bool) error {
	message := fmt.Sprintf("There is nothing at %s.", clip(path))
	if described {
		message += " See openapi.json for every call there is."
	}
	return &refusal{answer: answer{http.StatusNotFound, "not_found", 0}, message: message}
}

func wrongMethod(method, allow string) error {
	return &refusal{answer: answer{http.StatusMethodNotAllowed, "method_not_allowed", 0}, allow: allow,
		message: fmt.Sprintf("%s is not possible here; %s is.", clip(method), allow)}
}

func clip(s string) string {
	const most = 200
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strconv.Quote(s)
}

func refusalOf(err error) *refusal {
	if tooBig, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge(tooBig.Limit)
	}
	if refused, ok := errors.AsType[*refusal](err); ok {
		return refused
	}
	refused := &refusal{message: errs.Message(err)}
	var known bool
	if refused.answer, known = answers[errs.KindOf(err)]; !known {
		refused.answer = answers[errs.Internal]
	}
	if coded, ok := errors.AsType[coded](err); ok {
		refused.code = coded.Code()
	}
	if delayed, ok := errors.AsType[delayed](err); ok && delayed.RetryAfter() > 0 {
		refused.retryAfter = int(math.Ceil(delayed.RetryAfter().Seconds()))
	}
	if detailed, ok := errors.AsType[detailed](err); ok {
		refused.details = detailed.Details()
	}
	return refused
}

// WriteError answers with err. Its cause is for the log alone, which the
// service writes: see Service.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	refused := refusalOf(err)
	header := w.Header()
	if refused.allow != "" {
		header.Set("Allow", refused.allow)
	}
	if refused.retryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(refused.retryAfter))
	}
	if refused.status == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", "Proxy-Header") // of our own: RFC 9110, 11.6.1 asks for one
	}
	WriteJSON(w, refused.status, refused.body(r.Context()))
}

// ErrorBody is what WriteError sends, for an answer that has begun already and
// has to say in its own form that it goes no further.
func ErrorBody(ctx context.Context, err error) map[string]Failure {
	return refusalOf(err).body(ctx)
}

func (e *refusal) body(ctx context.Context) map[string]Failure {
	return map[string]Failure{"error": {
		Code:      e.code,
		Message:   e.message,
		Details:   e.details,
		Questions: e.questions,
		RequestID: RequestID(ctx),
	}}
}
