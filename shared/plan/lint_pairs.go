package plan

import (
	"fmt"
	"slices"
	"strings"
)

// pairs compares a rule with each that runs before it. There is at most one
// warning of a code, which names all of the earlier ones.
func (l *linter) pairs(r *rule, before []*rule) {
	var overlapping, ordered []string
	for _, earlier := range before {
		overlap, order := earlier.meddles(r)
		if overlap {
			overlapping = append(overlapping, earlier.OperationID)
		}
		if order {
			ordered = append(ordered, earlier.OperationID)
		}
	}
	l.warnPair(WarnOverlap, overlapping, r, "%s can change products that %s changed already: both changes apply, one after the other.")
	l.warnPair(WarnOrder, ordered, r, "%s works on what %s left behind. In another order the result would differ, so check that this is the order you mean.")
}

func (l *linter) warnPair(code string, earlier []string, later *rule, format string) {
	if earlier == nil {
		return
	}
	l.warnings = append(l.warnings, Warning{
		Code:         code,
		OperationIDs: append(slices.Clip(earlier), later.OperationID),
		Message:      fmt.Sprintf(format, later.OperationID, joined(earlier)),
	})
}

func joined(ids []string) string {
	return strings.TrimSpace(named("", "", ids, "and"))
}
