package outcome

import "strings"

// Named is an outcome with the name people know its step by, such as "A".
type Named struct {
	Name string
	Outcome
}

// Summary says in one sentence how the steps ended and that the last one,
// which says it, completed: "Agent A failed, B and C were skipped, D
// completed." It is what the last step reports when its model cannot.
func Summary(steps []Named, last string) string {
	var clauses []string
	for start := 0; start < len(steps); {
		end := start + 1
		for end < len(steps) && steps[end].Status == steps[start].Status {
			end++
		}
		clauses = append(clauses, clause(steps[start:end]))
		start = end
	}
	subject := "Agent "
	if len(steps) > 1 && steps[1].Status == steps[0].Status {
		subject = "Agents "
	}
	return subject + strings.Join(append(clauses, last+" completed."), ", ")
}

// Tells reports whether words are a sentence for people that owns up to how the
// steps ended: no JSON, and naming failure and skipping where there were any.
func Tells(words string, steps []Named) bool {
	words = strings.ToLower(words)
	for _, step := range steps {
		if step.Status == Failure && !strings.Contains(words, "fail") ||
			step.Status == Skipped && !strings.Contains(words, "skip") {
			return false
		}
	}
	return words != "" && !strings.ContainsAny(words[:1], "{[`")
}

// clause says what a run of steps of one status did.
func clause(steps []Named) string {
	names := make([]string, len(steps))
	for i, step := range steps {
		names[i] = step.Name
	}
	return list(names) + " " + verb(steps[0].Status, len(steps))
}

func verb(status Status, count int) string {
	switch {
	case status == Success:
		return "succeeded"
	case status == Failure:
		return "failed"
	case count == 1:
		return "was skipped"
	default:
		return "were skipped"
	}
}

// list joins names as a sentence does: "A", "A and B", "A, B and C".
func list(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
