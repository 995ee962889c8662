package golden_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/eval"
	"github.com/planwright/planwright/shared/planning/reader"
	"github.com/planwright/planwright/shared/test/golden"
)

// TestGoldenInstructions reads every instruction of the evaluation. A line has its
// batch and id, and the operations of the plan or the class of the question.
func TestGoldenInstructions(t *testing.T) {
	folder := filepath.Join(golden.Folder(depth), "instructions")
	var names []string
	for _, corpus := range []string{eval.Own, eval.Open, eval.Sealed, eval.Refusals} {
		names = append(names, corpus+".txt")
		t.Run(corpus, func(t *testing.T) {
			if testing.Short() && corpus != eval.Sealed && !golden.Updating() {
				t.Skip("the sealed instructions are enough under the race detector")
			}
			cases, err := eval.Load(corpus)
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, filepath.Join(folder, corpus+".txt"), readAll(t, cases))
		})
	}
	golden.Only(t, folder, names)
}

// readAll reads all instructions, on all processors by one reader.
func readAll(t *testing.T, cases []*eval.Case) string {
	t.Helper()
	lines := make([]string, len(cases))
	var workers sync.WaitGroup
	planner := reader.New()
	for worker := range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := worker; i < len(cases); i += runtime.GOMAXPROCS(0) {
				draft, err := planner.Plan(t.Context(), cases[i].Request())
				lines[i] = fmt.Sprintf("%s/%s %s\n", cases[i].Batch, cases[i].ID, answer(draft, err))
			}
		})
	}
	workers.Wait()
	return strings.Join(lines, "")
}

// answer is the plan's operations, or the class of the question.
func answer(draft planning.Planned, err error) string {
	var asked *planning.ClarificationError
	switch {
	case errors.As(err, &asked):
		return "asks " + asked.Class
	case err != nil:
		return "error " + err.Error()
	}
	return operations(draft.Plan)
}

// operations is that part of the plan's canonical form.
func operations(p *plan.Plan) string {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(p.Canonical(), &parts); err != nil {
		return "error " + err.Error()
	}
	text := string(parts["operations"])
	for _, term := range []string{"apply_at", "revert_at", "approval"} {
		if value := parts[term]; value != nil {
			text += fmt.Sprintf(" %s %s", term, value)
		}
	}
	return text
}
