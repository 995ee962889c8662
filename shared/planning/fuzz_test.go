package planning_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/english"
)

// FuzzGround holds an instruction against a plan that a model may have made of
// it: whatever they are, Ground answers, and the same each time.
func FuzzGround(f *testing.F) {
	plans, err := filepath.Glob("../../testdata/*plan*.json")
	if err != nil || len(plans) == 0 {
		f.Fatal("no plans: ", err)
	}
	for _, name := range plans {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		p, err := plan.Decode(text)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p.SourceInstruction, text, "fitness\nyoga")
		f.Add("Raise everything else by 5%, otherwise except in-stock yoga from $5 to $9", text, "")
	}
	f.Fuzz(func(t *testing.T, instruction string, text []byte, list string) {
		p, err := plan.Decode(text)
		if err != nil || len(instruction) > plan.MaxInstructionLength {
			return
		}
		var categories *english.Categories
		if list != "" {
			categories = english.NewCategories(strings.Split(list, "\n"))
		}
		first, second := planning.GroundAmong(instruction, p, categories), planning.GroundAmong(instruction, p, categories)
		if (first == nil) != (second == nil) || first != nil && first.Error() != second.Error() {
			t.Errorf("Ground(%q) = %v, then %v", instruction, first, second)
		}
	})
}

// The longest instructions are grounded at once against plans that name the same
// over and over. The bound is far above what it takes, and far below what it
// takes to compare each of them with each.
func TestGroundIsQuick(t *testing.T) {
	const most = 10 * time.Second
	long := func(piece string) string {
		return strings.Repeat(piece, plan.MaxInstructionLength/len(piece))
	}
	wide := &plan.Plan{}
	for i := range plan.MaxOperations {
		op := plan.Operation{OperationID: fmt.Sprintf("op_%02d", i+1), Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("5")}}
		for range 100 {
			op.Filter.Categories = append(op.Filter.Categories, "tea", "mugs")
		}
		wide.Operations = append(wide.Operations, op)
	}
	for _, piece := range []string{"tea by 5%, ", "tea, ", "in stock ", "under $5 ", "5% ", "and ", "except tea ", "otherwise 5%. ", "\"", "tea: 5%\n", "for tea, under $5, ", "never below $5 ", "everything else 5%; "} {
		began := time.Now()
		_ = planning.Ground(long(piece), wide)
		if took := time.Since(began); took > most {
			t.Errorf("Ground took %v for many of %q", took, piece)
		} else {
			t.Logf("%8v %q", took.Round(time.Microsecond), piece)
		}
	}
}
