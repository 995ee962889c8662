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

// NextFree returns the first id after a valid one, of the same name, that has
// no plan yet. NotFound: the next hundred are taken.
func NextFree(ctx context.Context, plans interface {
	Plan(ctx context.Context, executionID string) (PlanRecord, error)
}, executionID string) (string, error) {
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
	return "", errs.New(errs.NotFound, "The next %d ids after %s are taken. Choose another name.", triedVersions, executionID)
}
