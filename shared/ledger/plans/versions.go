package plans

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

// versionDigits is how many digits a version has at most.
const versionDigits = 7

var versioned = regexp.MustCompile(fmt.Sprintf(`^(.+)_v([1-9][0-9]{0,%d})$`, versionDigits-1))

// SplitVersion returns the name and the version of an id such as plan_yoga_v3. The id is
// its own name, without a version, where it does not end so.
func SplitVersion(executionID string) (name string, version int, ok bool) {
	parts := versioned.FindStringSubmatch(executionID)
	if parts == nil {
		return executionID, 0, false
	}
	version, _ = strconv.Atoi(parts[2]) // at most seven digits
	return parts[1], version, true
}

// Version returns the id of the nth plan of a name. A name that leaves no room for any
// version is cut, so that all its versions have the same beginning.
func Version(name string, n int) string {
	return fmt.Sprintf("%s_v%d", VersionName(name), n)
}

// VersionName is the name in the ids of a name's versions.
func VersionName(name string) string {
	return name[:min(len(name), plan.MaxExecutionIDLength-len("_v")-versionDigits)]
}

// Request is what a plan was asked for with. Equal requests may share a plan.
type Request struct {
	Instruction string   `json:"instruction"` // "": by nobody, for a plan written by hand
	Categories  []string `json:"categories,omitempty"`
	Table       string   `json:"table,omitempty"` // the id of the held table in whose words it was read
	plan.Terms
}

// SHA256 is a hash of the request.
func (r Request) SHA256() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic("ledger: a request that is not JSON: " + err.Error()) // strings always are
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Versions is what is stored under the versions of a name.
type Versions struct {
	Last   int    // the greatest version that has a plan; 0: none has
	Latest string // the id of the version that was stored last for the request; "": none was
}

// Taken refuses an id that another plan has, and names one that is free.
func Taken(ctx context.Context, store Store, executionID string) error {
	free, err := NextFree(ctx, store, executionID)
	if err != nil {
		return err
	}
	return errs.New(errs.Conflict, "There is another plan with the id %s already, and a plan never changes once it was used. Give this one the execution_id %s, which is free.", executionID, free)
}

// NextFree returns an id of the same name as a valid one, with a greater version than any
// that has a plan.
func NextFree(ctx context.Context, store Store, executionID string) (string, error) {
	name, version, _ := SplitVersion(executionID)
	stored, err := store.PlanVersions(ctx, name, Request{})
	if err != nil {
		return "", err
	}
	return Version(name, max(1, version, stored.Last)+1), nil
}
