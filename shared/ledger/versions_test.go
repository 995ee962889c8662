package ledger

import (
	"context"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

// taken are ids that have a plan; every id has one where all is true.
type taken struct {
	ids map[string]bool
	all bool
}

func (s taken) Plan(_ context.Context, id string) (PlanRecord, error) {
	if s.all || s.ids[id] {
		return PlanRecord{ExecutionID: id}, nil
	}
	return PlanRecord{}, errs.New(errs.NotFound, "none")
}

func TestNextFree(t *testing.T) {
	long := strings.Repeat("x", plan.MaxExecutionIDLength)
	tests := []struct {
		name, id, want string
		taken          []string
	}{
		{"the next version", "plan_yoga_v1", "plan_yoga_v2", nil},
		{"over a taken one", "plan_yoga_v1", "plan_yoga_v3", []string{"plan_yoga_v2"}},
		{"of a name without a version", "plan_yoga", "plan_yoga_v2", nil},
		{"from nine to ten", "plan_yoga_v9", "plan_yoga_v10", nil},
		{"a leading zero is part of the name", "plan_yoga_v01", "plan_yoga_v01_v2", nil},
		{"cut to fit", long, long[:plan.MaxExecutionIDLength-3] + "_v2", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			store := taken{ids: map[string]bool{test.id: true}}
			for _, id := range test.taken {
				store.ids[id] = true
			}
			got, err := NextFree(t.Context(), store, test.id)
			if err != nil || got != test.want || !plan.ValidExecutionID(got) {
				t.Errorf("NextFree(%s) = %s, %v; want %s", test.id, got, err, test.want)
			}
		})
	}
	if _, err := NextFree(t.Context(), taken{all: true}, "plan_yoga_v1"); errs.KindOf(err) != errs.Conflict {
		t.Errorf("where all are taken: %v, want Conflict", err)
	}
}
