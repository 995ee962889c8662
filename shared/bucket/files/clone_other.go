//go:build !linux && !darwin

package files

import "errors"

// cloneFile has no file system here that shares blocks.
func cloneFile(_, _ string) error { return errors.ErrUnsupported }
