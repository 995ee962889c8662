package firestoredb

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/planwright/planwright/shared/errs"
)

// Error gives an error of the client its kind and a message that says what was
// tried, what stood against it and what to do. The original is kept for the
// log. Nil stays nil. What a refused precondition means is known only where it
// was set: see Commit.Run.
func Error(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	kind, reason := reading(err)
	return errs.Wrap(kind, err, "%s: %s", fmt.Sprintf(format, args...), reason)
}

func reading(err error) (kind errs.Kind, reason string) {
	if errors.Is(err, errUnreachable) {
		return errs.Unavailable, "the database cannot be reached; try again"
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return errs.Deadline, "time ran out"
	}
	switch status.Code(err) {
	case codes.DeadlineExceeded, codes.Canceled:
		return errs.Deadline, "time ran out"
	case codes.Unavailable:
		return errs.Unavailable, "the database does not answer; try again"
	case codes.Aborted:
		return errs.Unavailable, "too many write at once; try again"
	case codes.ResourceExhausted:
		return errs.Exhausted, "the database's quota is used up; try again later"
	case codes.PermissionDenied, codes.Unauthenticated:
		return errs.Denied, "the service account may not use the database"
	case codes.InvalidArgument, codes.OutOfRange:
		return errs.Invalid, "the database does not take it: it is too large or not text"
	case codes.NotFound:
		return errs.Internal, "there is no such database; check the project and the database id"
	case codes.FailedPrecondition:
		return errs.Internal, "the database is not set up for it: an index may be missing"
	default:
		return errs.Internal, "the database failed in an unexpected way"
	}
}
