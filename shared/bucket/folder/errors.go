package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/planwright/planwright/shared/errs"
)

// translate gives an error of the operating system its kind and a sentence
// that begins with what could not be done. Errors that have a kind keep it.
func translate(err error, format string, args ...any) error {
	if _, ok := errors.AsType[*errs.Error](err); ok {
		return err
	}
	kind, reason := classify(err)
	return errs.Wrap(kind, err, "%s: %s.", fmt.Sprintf(format, args...), reason)
}

func classify(err error) (errs.Kind, string) {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return errs.Unavailable, "the disk is full. Free some space and try again"
	case errors.Is(err, syscall.EROFS):
		return errs.Denied, "the disk is read-only"
	case errors.Is(err, fs.ErrPermission):
		return errs.Denied, "the permission is missing. Check who owns the folder and whether it may be written to"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return errs.Unavailable, "too many files are open"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return errs.Invalid, "the name is too long for this file system"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
		return errs.Invalid, "a file is where a folder is needed, or a folder where a file is"
	case errors.Is(err, fs.ErrNotExist):
		return errs.Unavailable, "the folder was moved or removed meanwhile"
	case errors.Is(err, syscall.EIO), errors.Is(err, syscall.ESTALE):
		return errs.Unavailable, "the disk does not answer properly"
	default:
		return errs.Internal, "the disk reports an unexpected error"
	}
}
