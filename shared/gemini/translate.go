package gemini

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
)

// Why a call gave nothing to go on with: the values of Failure.Reason.
const (
	CredentialsRefused = "credentials_refused"
	ModelNotFound      = "model_not_found" // there is none of that name, or not at that location
	QuotaUsedUp        = "quota_used_up"
	ServiceUnavailable = "unavailable"
	TimedOut           = "timeout"
	RequestRefused     = "request_refused" // the service calls our request wrong
	UnusableAnswer     = "unusable_answer" // nothing that can be read, or no plan
	AnswerBlocked      = "blocked"         // the model refused to answer
)

// failure is a call of the model that gave nothing to go on with. It has the kind
// and the message of the error that it wraps.
type failure struct {
	error
	reason string
	wait   time.Duration
}

// Failed returns a Failure whose message is shown to people.
func Failed(kind errs.Kind, reason string, cause error, format string, args ...any) error {
	return &failure{error: errs.Wrap(kind, cause, format, args...), reason: reason}
}

// Unwrap makes the kind and the cause visible.
func (f *failure) Unwrap() error { return f.error }

// Reason is why there is no answer, in one term.
func (f *failure) Reason() string { return f.reason }

// RetryAfter is how long the service asks to be left alone; 0 where it does not say.
func (f *failure) RetryAfter() time.Duration { return f.wait }

// Translate makes a Failure of the error of a call, and nil of nil. Its kind is
// Deadline where time ran out, Unusable for an answer that cannot be read or a
// request that the service calls wrong, and Unavailable for every other way of not
// answering, refused credentials and used up quotas among them: those are the
// operator's business and not the caller's.
func Translate(err error) error {
	var api genai.APIError
	var syntax *json.SyntaxError
	var tooLong *http.MaxBytesError
	var wrongType *json.UnmarshalTypeError
	var network net.Error
	var transport *url.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return Failed(errs.Deadline, TimedOut, err, "The model took too long. Try again.")
	case errors.As(err, &api):
		return translateAnswer(api)
	case errors.As(err, &tooLong): // whose type would blame the body of whoever asks us
		return unreadable(errors.New(err.Error()))
	case errors.As(err, &syntax), errors.As(err, &wrongType):
		return unreadable(err)
	case errors.As(err, &transport), errors.As(err, &network):
		return Failed(
			errs.Unavailable,
			ServiceUnavailable,
			err,
			"The model cannot be reached. Try again in a moment.",
		)
	default:
		return Failed(
			errs.Unavailable,
			ServiceUnavailable,
			err,
			"The model did not answer. Try again in a moment.",
		)
	}
}

func unreadable(cause error) error {
	return Failed(
		errs.Unusable,
		UnusableAnswer,
		cause,
		"The model's service answered something that cannot be read.",
	)
}

func translateAnswer(api genai.APIError) error {
	refused := reason(api) == "API_KEY_INVALID" || api.Code == http.StatusUnauthorized ||
		api.Code == http.StatusForbidden
	switch {
	case refused:
		return Failed(
			errs.Unavailable,
			CredentialsRefused,
			api,
			"The model's service refused our credentials.",
		)
	case api.Code == http.StatusNotFound:
		return Failed(
			errs.Unavailable,
			ModelNotFound,
			api,
			"The model's service has no such model at this location. Check GEMINI_MODEL and GOOGLE_CLOUD_LOCATION.",
		)
	case api.Code == http.StatusTooManyRequests:
		return Failed(
			errs.Unavailable,
			QuotaUsedUp,
			api,
			"The model's quota is used up for now. Try again in a moment.",
		)
	case api.Code >= 400 && api.Code < 500:
		return Failed(errs.Unusable, RequestRefused, api, "The model's service refused our request.")
	default:
		return Failed(
			errs.Unavailable,
			ServiceUnavailable,
			api,
			"The model did not answer. Try again in a moment.",
		)
	}
}

func reason(api genai.APIError) string {
	for _, detail := range api.Details {
		if word, ok := detail["reason"].(string); ok {
			return word
		}
	}
	return ""
}
