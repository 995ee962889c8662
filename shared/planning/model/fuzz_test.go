package model

import (
	"errors"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// FuzzAnswer feeds any text as the model's answer. Whatever passes is a valid
// plan under our own names; whatever does not is refused with reasons or a
// question that can be shown.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"operations":[{"operation_id":"a","filter":{},"action":{"type":"set_stock","value":false}}]}`,
		"```json\n{\"questions\":[\"Percent?\"]}\n```", `{"operations":[{"filter":null}]}`, `{}`, "```", `{"operations":NaN}`,
	} {
		f.Add(seed)
	}
	request := planning.Request{Instruction: "Mark it all sold out.", ExecutionID: "plan_a_v1", CreatedAt: time.Unix(0, 0)}
	f.Fuzz(func(t *testing.T, text string) {
		operations, err := decode(unfenced(text))
		var failed *brokenError
		var asked *planning.ClarificationError
		switch {
		case errors.As(err, &failed):
			if len(failed.problems) == 0 || len(failed.problems) > maxReasons {
				t.Fatalf("%d reasons", len(failed.problems))
			}
			return
		case errors.As(err, &asked):
			if len(asked.Questions) == 0 || len(asked.Questions) > maxQuestions {
				t.Fatalf("%d questions", len(asked.Questions))
			}
			return
		case err != nil:
			t.Fatalf("an error of another kind: %v", err)
		}
		made := assemble(request, operations)
		if made.Validate() != nil {
			return
		}
		again, err := plan.Decode(made.Canonical())
		if err != nil || again.SHA256() != made.SHA256() || again.ExecutionID != request.ExecutionID {
			t.Fatalf("%s reads back as %+v, %v", made.Canonical(), again, err)
		}
	})
}
