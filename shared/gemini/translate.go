package gemini

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"

	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
)

const unreadable = "The model's service answered something that cannot be read."

// Translate gives the error of a call its kind: Exhausted for a quota,
// Deadline where time ran out, Unusable for an answer that cannot be read,
// Internal for a request that the service calls wrong, and Unavailable for
// every other way of not answering, refused credentials among them: that is
// the operator's business and not the caller's. It returns nil for nil.
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
		return errs.Wrap(errs.Deadline, err, "The model took too long. Try again.")
	case errors.As(err, &api):
		return translateAnswer(api)
	case errors.As(err, &tooLong), errors.As(err, &syntax), errors.As(err, &wrongType):
		return errs.Wrap(errs.Unusable, err, unreadable)
	case errors.As(err, &transport), errors.As(err, &network):
		return errs.Wrap(errs.Unavailable, err, "The model cannot be reached. Try again in a moment.")
	default:
		return errs.Wrap(errs.Unavailable, err, "The model did not answer. Try again in a moment.")
	}
}

func translateAnswer(api genai.APIError) error {
	switch {
	case api.Code == http.StatusTooManyRequests:
		return errs.Wrap(errs.Exhausted, api, "The model's quota is used up for now. Try again in a moment.")
	case api.Code == http.StatusBadRequest && reason(api) != "API_KEY_INVALID":
		return errs.Wrap(errs.Internal, api, "The model's service refused our request.")
	case api.Code >= 400 && api.Code < 500:
		return errs.Wrap(errs.Unavailable, api, "The model's service refused the request: the credentials or the model's name are wrong. The log has the reason.")
	default:
		return errs.Wrap(errs.Unavailable, api, "The model did not answer. Try again in a moment.")
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
