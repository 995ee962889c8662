// Package errs names the kinds of error that every port returns, and says which of them
// are worth another try.
//
// An adapter translates a back end's error once, where it meets it. Wrap keeps the original
// for the log beside a message that is safe to show. Callers act on the kind and never on the
// text.
package errs

import (
	"context"
	"errors"
	"fmt"
)

// Kind is what went wrong, in the few words a caller can act on. A Kind is an
// error itself, so errors.Is(err, errs.NotFound) asks the question.
type Kind string

const (
	// Invalid: the request can never succeed as it stands.
	Invalid Kind = "invalid"
	// NotFound: the thing named does not exist.
	NotFound Kind = "not_found"
	// Conflict: a thing of that name exists already, with other content.
	Conflict Kind = "conflict"
	// Stale: the thing was changed by another writer since it was read.
	Stale Kind = "stale"
	// Denied: the caller lacks the permission.
	Denied Kind = "denied"
	// Unauthenticated: nobody knows who the caller is.
	Unauthenticated Kind = "unauthenticated"
	// Exhausted: a quota or budget is used up for now.
	Exhausted Kind = "exhausted"
	// Unavailable: the back end did not answer or asked to be tried again.
	Unavailable Kind = "unavailable"
	// Unusable: a service we asked answered, and not with anything we can use.
	Unusable Kind = "unusable"
	// Deadline: time ran out. The effect may or may not have happened.
	Deadline Kind = "deadline"
	// Internal: anything else, a defect until proven otherwise.
	Internal Kind = "internal"
)

func (k Kind) Error() string { return string(k) }

// Error is a kind with a message for people and, for the log alone, the cause.
type Error struct {
	Kind    Kind
	Message string // what, where and what to do; no back end's text
	Cause   error  // may be nil
}

// New returns an error of the kind. The message is shown to people.
func New(kind Kind, format string, args ...any) error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Wrap is New with the cause kept for the log. A nil cause is allowed.
func Wrap(kind Kind, cause error, format string, args ...any) error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...), Cause: cause}
}

func (e *Error) Error() string {
	if e.Cause == nil {
		return e.Message
	}
	return e.Message + ": " + e.Cause.Error()
}

// Unwrap makes both the kind and the cause visible to errors.Is and As.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// KindOf returns the outermost kind of err, Deadline for an expired or
// cancelled context, Internal for anything else, and "" for nil.
func KindOf(err error) Kind {
	var kind Kind
	var coded *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &coded):
		return coded.Kind
	case errors.As(err, &kind):
		return kind
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return Deadline
	default:
		return Internal
	}
}

// Message returns the text of err that may be shown to people. An error that
// was never given one shows a plain sentence: its own text may be a back end's.
func Message(err error) string {
	if coded, ok := errors.AsType[*Error](err); ok {
		return coded.Message
	}
	return "Something went wrong on our side. The log has the details under this request's id."
}

// Retryable reports whether the same call may succeed later: the back end was
// unavailable, out of quota or too slow, or another writer was quicker.
func Retryable(err error) bool {
	switch KindOf(err) {
	case Unavailable, Exhausted, Deadline, Stale:
		return true
	default:
		return false
	}
}
