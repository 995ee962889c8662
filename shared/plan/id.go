package plan

import (
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

const (
	idCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

	executionIDRule = "must be 8 to 64 characters, each a letter a-z or A-Z, a digit, _ or -"
	operationIDRule = "must be 1 to 32 characters, each a letter a-z or A-Z, a digit, _ or -"
)

// ValidExecutionID reports whether id is 8 to 64 letters, digits, underscores
// and hyphens. Such an id is safe as a folder and a document name.
func ValidExecutionID(id string) bool {
	return len(id) >= MinExecutionIDLength && len(id) <= MaxExecutionIDLength && only(id, idCharacters)
}

// CheckExecutionID returns nil, or an error of kind errs.Invalid that shows
// the id and says what one looks like.
func CheckExecutionID(id string) error {
	if ValidExecutionID(id) {
		return nil
	}
	return errs.New(errs.Invalid, "The execution id %s is not valid: it %s.", strictjson.Quote(id), executionIDRule)
}

func validOperationID(id string) bool {
	return len(id) >= 1 && len(id) <= maxOperationIDLength && only(id, idCharacters)
}

// only reports whether a text has no characters but these.
func only(text, characters string) bool { return strings.Trim(text, characters) == "" }
