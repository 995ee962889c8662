// Package eval scores planners against a corpus of instructions: how many they
// plan exactly right, how many they plan wrong without saying so, and how many
// they refuse with reason.
package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// ExecutionID and created stand in every plan of an evaluation.
const ExecutionID = "plan_evaluation_v1"

var created = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// Case is one instruction of the corpus with what must come of it.
type Case struct {
	ID          string   `json:"id"`
	Frozen      bool     `json:"frozen"` // written before the planner, and not changed since
	Class       string   `json:"class"`  // what it tries, or the class of question it needs
	Group       string   `json:"group"`  // instructions that say the same in other words
	Instruction string   `json:"instruction"`
	Categories  []string `json:"categories"`
	Refuse      bool     `json:"refuse"`
	Operations  json.RawMessage
	Want        *plan.Plan `json:"-"` // nil where it must be refused
}

// Request is what a planner is asked.
func (c *Case) Request() planning.Request {
	return planning.Request{Instruction: c.Instruction, ExecutionID: ExecutionID, Categories: c.Categories, CreatedAt: created}
}

// Load reads the corpus in a file, one JSON object a line. It checks that every
// case is either refused or has a valid plan, and that ids and instructions are
// unique.
func Load(name string) ([]*Case, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cases, err := read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return cases, nil
}

func read(r io.Reader) ([]*Case, error) {
	var cases []*Case
	seen := map[string]string{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		c := &Case{}
		if err := json.Unmarshal(lines.Bytes(), c); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		for _, key := range []string{"id " + c.ID, "instruction " + c.Instruction + fmt.Sprint(c.Categories)} {
			if other, twice := seen[key]; twice {
				return nil, fmt.Errorf("line %d: %s has the same %s", n, other, key)
			}
			seen[key] = c.ID
		}
		if err := c.expect(); err != nil {
			return nil, fmt.Errorf("line %d (%s): %w", n, c.ID, err)
		}
		cases = append(cases, c)
	}
	return cases, lines.Err()
}

// expect decodes the expected operations into a plan.
func (c *Case) expect() error {
	if c.Refuse != (c.Operations == nil) {
		return fmt.Errorf("it must either be refused or have operations")
	}
	if c.Refuse {
		return nil
	}
	text, err := json.Marshal(map[string]any{
		"execution_id": ExecutionID, "created_at": created.Format(time.RFC3339), "source_instruction": c.Instruction, "operations": c.Operations,
	})
	if err != nil {
		return err
	}
	c.Want, err = plan.Decode(text)
	return err
}
