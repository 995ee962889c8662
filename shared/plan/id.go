package plan

import (
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

const (
	idCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

	executionIDForm = "must be 8 to 64 characters, each a letter a-z or A-Z, a digit, _ or -"
	executionIDKept = "must be neither " + UnclaimedFolder +
		", which is kept for files of no plan, nor begin and end with __, which databases keep for themselves"
	operationIDRule = "must be 1 to 32 characters, each a letter a-z or A-Z, a digit, _ or -"
)

// UnclaimedFolder is the folder of the outbox for notices about files that are for no
// execution. No execution has this id, in whatever case: many disks know no case.
const UnclaimedFolder = "_unclaimed"

// ValidExecutionID reports whether id is 8 to 64 letters, digits, underscores
// and hyphens, and none that is kept. Such an id is safe as a folder and a document
// name: Firestore refuses names that begin and end with two underscores.
func ValidExecutionID(id string) bool { return hasIDForm(id) && !isReserved(id) }

func hasIDForm(id string) bool {
	return len(id) >= minExecutionIDLength && len(id) <= MaxExecutionIDLength && only(id, idCharacters)
}

func isReserved(id string) bool {
	return strings.EqualFold(id, UnclaimedFolder) ||
		strings.HasPrefix(id, "__") && strings.HasSuffix(id, "__")
}

// ExecutionIDRule says what an id that is not valid must be.
func ExecutionIDRule(id string) string {
	if hasIDForm(id) {
		return executionIDKept
	}
	return executionIDForm
}

// CheckExecutionID returns nil, or an error of kind errs.Invalid that shows
// the id and says what one looks like.
func CheckExecutionID(id string) error {
	if ValidExecutionID(id) {
		return nil
	}
	return errs.New(
		errs.Invalid,
		"The execution id %s is not valid: it %s.",
		strictjson.Quote(id),
		ExecutionIDRule(id),
	)
}

func validOperationID(id string) bool {
	return len(id) >= 1 && len(id) <= maxOperationIDLength && only(id, idCharacters)
}

// only reports whether a text has no characters but these.
func only(text, characters string) bool { return strings.Trim(text, characters) == "" }
