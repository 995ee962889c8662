//go:build !linux

package folder

import (
	"errors"
	"os"
)

// Clone is not to be had here.
func Clone(_, _ *os.File) error { return errors.ErrUnsupported }
