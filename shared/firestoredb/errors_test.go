package firestoredb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestTranslate(t *testing.T) {
	of := func(code codes.Code) error { return status.Error(code, "projects/p/databases/d said no") }
	for _, c := range []struct {
		name  string
		err   error
		want  errs.Kind
		retry bool
	}{
		{"nothing", nil, "", false},
		{"a deadline", of(codes.DeadlineExceeded), errs.Deadline, true},
		{"a cancelled call", of(codes.Canceled), errs.Deadline, true},
		{"a context", fmt.Errorf("wrapped: %w", context.Canceled), errs.Deadline, true},
		{"no answer", of(codes.Unavailable), errs.Unavailable, true},
		{"contention", of(codes.Aborted), errs.Unavailable, true},
		{"a quota", of(codes.ResourceExhausted), errs.Exhausted, true},
		{"no permission", of(codes.PermissionDenied), errs.Denied, false},
		{"no credentials", of(codes.Unauthenticated), errs.Denied, false},
		{"too large a document", of(codes.InvalidArgument), errs.Invalid, false},
		{"no such database", of(codes.NotFound), errs.Internal, false},
		{"no index", of(codes.FailedPrecondition), errs.Internal, false},
		{"a defect there", of(codes.Internal), errs.Internal, false},
		{"no connection", fmt.Errorf("wrapped: %w", errUnreachable), errs.Unavailable, true},
		{"a status in another error", fmt.Errorf("wrapped: %w", of(codes.Unavailable)), errs.Unavailable, true},
		{"anything else", errors.New("missing WriteResult"), errs.Internal, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Error(c.err, "cannot read %s", "it")
			if errs.KindOf(got) != c.want || errs.Retryable(got) != c.retry {
				t.Errorf("got %v of kind %q, retryable %t", got, errs.KindOf(got), errs.Retryable(got))
			}
			if c.err == nil {
				return
			}
			message := errs.Message(got)
			if !errors.Is(got, c.err) || !strings.HasPrefix(message, "cannot read it: ") || strings.Contains(message, "said no") {
				t.Errorf("message %q, the original kept: %t", message, errors.Is(got, c.err))
			}
		})
	}
}
