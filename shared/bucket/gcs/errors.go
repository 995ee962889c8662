package gcs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	"cloud.google.com/go/storage"
	"google.golang.org/api/googleapi"

	"github.com/planwright/planwright/shared/errs"
)

// translate gives an error of the client its kind and a sentence that begins
// with what could not be done.
func (b *Bucket) translate(err error, format string, args ...any) error {
	kind, reason := classify(err)
	return errs.Wrap(kind, err, "%s in the bucket %s: %s.", fmt.Sprintf(format, args...), b.name, reason)
}

func classify(err error) (errs.Kind, string) {
	var answer *googleapi.Error
	var network net.Error
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return errs.Deadline, "Cloud Storage took too long, or the call was cancelled"
	case errors.Is(err, storage.ErrObjectNotExist):
		return errs.NotFound, "it does not exist (any more)"
	case errors.Is(err, storage.ErrBucketNotExist):
		return errs.Unavailable, "the bucket does not exist. Create it or correct its name"
	case errors.As(err, &answer):
		return classifyStatus(answer)
	case errors.As(err, &network), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errs.Unavailable, "the connection to Cloud Storage broke"
	default:
		return errs.Internal, "Cloud Storage gave an unexpected answer"
	}
}

// classifyStatus follows https://cloud.google.com/storage/docs/json_api/v1/status-codes.
func classifyStatus(answer *googleapi.Error) (errs.Kind, string) {
	limited := slices.ContainsFunc(answer.Errors, func(item googleapi.ErrorItem) bool {
		return item.Reason == "rateLimitExceeded" || item.Reason == "userRateLimitExceeded" ||
			item.Reason == "quotaExceeded"
	})
	switch code := answer.Code; {
	case code == 429, code == 403 && limited:
		return errs.Exhausted, "the quota is used up for now"
	case code == 401, code == 403:
		return errs.Denied, "the permission is missing. Check this service account's roles on the bucket"
	case code == 404: // of an object it is ErrObjectNotExist
		return errs.Unavailable, "the bucket does not exist, or the upload was interrupted for too long"
	case code == 412:
		return errs.Unavailable, "it was there a moment ago and is gone now. Try again"
	case code == 408, code == 410, code >= 500:
		return errs.Unavailable, "Cloud Storage does not answer properly"
	case code == 400, code == 413, code == 414:
		return errs.Invalid, "Cloud Storage does not accept its name, its size or its metadata"
	default:
		return errs.Internal, "Cloud Storage gave an unexpected answer"
	}
}

func hasStatus(err error, codes ...int) bool {
	answer, ok := errors.AsType[*googleapi.Error](err)
	return ok && slices.Contains(codes, answer.Code)
}
