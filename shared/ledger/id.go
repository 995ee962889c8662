package ledger

import (
	"regexp"

	"github.com/planwright/planwright/shared/errs"
)

var idForm = regexp.MustCompile(`^[a-zA-Z0-9_-]{8,64}$`)

// CheckID refuses, as Invalid, what is neither an execution id nor an upload
// id. Every store calls it before an id becomes part of a name.
func CheckID(id string) error {
	if idForm.MatchString(id) {
		return nil
	}
	return errs.New(errs.Invalid, "the id %.80q is not one: it must be 8 to 64 letters, digits, - or _", id)
}
