package plan

import (
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

// InvalidError lists everything that is wrong with a plan. Its kind is
// errs.Invalid, and errs.Message shows its text.
type InvalidError struct {
	Problems []strictjson.Problem // at least one
}

func invalid(problems []strictjson.Problem) error {
	if len(problems) == 0 {
		return nil
	}
	return &InvalidError{Problems: problems}
}

// Error says the first problem and how many more there are.
func (e *InvalidError) Error() string {
	return "The plan is not valid: " + strictjson.Summary(e.Problems) + "."
}

// Unwrap gives the error its kind and its message.
func (e *InvalidError) Unwrap() error { return errs.New(errs.Invalid, "%s", e.Error()) }

// Details lists the problems, for an answer over HTTP.
func (e *InvalidError) Details() any { return e.Problems }
