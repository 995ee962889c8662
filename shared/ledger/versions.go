package ledger

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

var versioned = regexp.MustCompile(`^(.*)_v([1-9][0-9]{0,6})$`)

// Version returns the id of the nth plan of a name, cut where it would be too
// long.
func Version(name string, n int) string {
	suffix := fmt.Sprintf("_v%d", n)
	return name[:min(len(name), plan.MaxExecutionIDLength-len(suffix))] + suffix
}

// MaxVersions is how many plans may share a name before the caller must choose
// an id.
const MaxVersions = 500

// triedVersions is how many ids NextFree looks at.
const triedVersions = 100

// Taken refuses an id that another plan has, and names the next that is free.
func Taken(ctx context.Context, plans Plans, executionID string) error {
	free, err := NextFree(ctx, plans, executionID)
	if err != nil {
		return err
	}
	return errs.New(errs.Conflict, "There is another plan with the id %s already, and a plan never changes once it was used. Give this one the execution_id %s, which is free.", executionID, free)
}

// NextFree returns the first id after a valid one, of the same name, that has
// no plan yet. Conflict: the next hundred are taken.
func NextFree(ctx context.Context, plans Plans, executionID string) (string, error) {
	name, version := executionID, 1
	if parts := versioned.FindStringSubmatch(executionID); parts != nil {
		name = parts[1]
		version, _ = strconv.Atoi(parts[2]) // at most seven digits
	}
	for n := version + 1; n <= version+triedVersions; n++ {
		id := Version(name, n)
		_, err := plans.Plan(ctx, id)
		switch {
		case errs.KindOf(err) == errs.NotFound:
			return id, nil
		case err != nil:
			return "", err
		}
	}
	return "", errs.New(errs.Conflict, "The next %d ids after %s are taken. Choose another name.", triedVersions, executionID)
}
