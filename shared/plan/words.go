package plan

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ownID is an id that the planners give to an operation, in a text. Other ids may be
// words that stand in it for themselves.
var ownID = regexp.MustCompile(`(\bOperation )?\bop_\d+\b`)

// InWords is a warning about a plan's operations, of these ids, as people speak of them:
// as the plan, or one of its steps.
func InWords(warning string, ids []string) string {
	return ownID.ReplaceAllStringFunc(warning, func(found string) string {
		id, name := strings.TrimPrefix(found, "Operation "), "the plan"
		at := slices.Index(ids, id)
		switch {
		case at < 0:
			return found
		case len(ids) > 1:
			name = "step " + strconv.Itoa(at+1)
		}
		if id != found || strings.HasPrefix(warning, id) {
			name = strings.ToUpper(name[:1]) + name[1:]
		}
		return name
	})
}
