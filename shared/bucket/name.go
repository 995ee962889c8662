package bucket

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/errs"
)

// MaxNameBytes is the longest name, which is Cloud Storage's limit
// (https://cloud.google.com/storage/docs/objects#naming).
const MaxNameBytes = 1024

// ValidateName accepts slash-separated paths of UTF-8 text without empty, "."
// or ".." segments, control characters or backslashes: names that mean the
// same object in Cloud Storage and in a folder of any operating system. The
// error is Invalid and says what is wrong.
func ValidateName(name string) error {
	switch {
	case name == "":
		return errs.New(errs.Invalid, "The object name is empty.")
	case len(name) > MaxNameBytes:
		return errs.New(errs.Invalid,
			"The object name has %d bytes; at most %d are allowed.", len(name), MaxNameBytes)
	case !utf8.ValidString(name):
		return errs.New(errs.Invalid, "The object name %q is not valid UTF-8.", name)
	case strings.ContainsFunc(name, unicode.IsControl):
		return errs.New(errs.Invalid, "The object name %q contains a control character.", name)
	case strings.Contains(name, `\`):
		return errs.New(errs.Invalid,
			"The object name %q contains a backslash; folders are separated by /.", name)
	}
	for segment := range strings.SplitSeq(name, "/") {
		switch segment {
		case "":
			return errs.New(errs.Invalid,
				"The object name %q begins or ends with a slash or has two in a row.", name)
		case ".", "..":
			return errs.New(errs.Invalid, "The object name %q has the segment %q.", name, segment)
		}
	}
	return nil
}

// Admit refuses names that ValidateName does, and calls whose context has ended.
func Admit(ctx context.Context, name string) error {
	if err := ValidateName(name); err != nil {
		return err
	}
	return InTime(ctx, name)
}

// InTime is the error of a call whose context has ended; nil: it has not.
func InTime(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return errs.Wrap(errs.Deadline, err,
			"Time ran out, or the call was cancelled, while %s was being worked on.", name)
	}
	return nil
}
