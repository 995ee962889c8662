package ledger

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

// counted is a store that knows the last version of one name.
type counted struct {
	Store
	name string
	last int
}

func (s counted) PlanVersions(_ context.Context, name string, _ plans.Request) (plans.Versions, error) {
	if plans.VersionName(name) == s.name {
		return plans.Versions{Last: s.last}, nil
	}
	return plans.Versions{}, nil
}

func TestNextFree(t *testing.T) {
	long := strings.Repeat("x", plan.MaxExecutionIDLength)
	tests := []struct {
		name, id string
		counted
		want string
	}{
		{"the next version", "plan_yoga_v1", counted{name: "plan_yoga", last: 1}, "plan_yoga_v2"},
		{"over taken ones", "plan_yoga_v1", counted{name: "plan_yoga", last: 812}, "plan_yoga_v813"},
		{"of a name without a version", "plan_yoga", counted{}, "plan_yoga_v2"},
		{"of a name that has versions too", "plan_yoga", counted{name: "plan_yoga", last: 2}, "plan_yoga_v3"},
		{"from nine to ten", "plan_yoga_v9", counted{name: "plan_yoga", last: 9}, "plan_yoga_v10"},
		{"a leading zero is part of the name", "plan_yoga_v01", counted{name: "plan_yoga", last: 7}, "plan_yoga_v01_v2"},
		{"an eighth digit too", "plan_yoga_v10000000", counted{name: "plan_yoga", last: 7}, "plan_yoga_v10000000_v2"},
		{"cut to fit", long, counted{}, long[:55] + "_v2"},
		{"cut to fit, once more", long, counted{name: long[:55], last: 9_999_998}, long[:55] + "_v9999999"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := plans.NextFree(t.Context(), test.counted, test.id)
			if err != nil || got != test.want || !plan.ValidExecutionID(got) {
				t.Errorf("NextFree(%s) = %s, %v; want %s", test.id, got, err, test.want)
			}
		})
	}
	if _, err := plans.NextFree(t.Context(), unreadable{}, "plan_yoga_v1"); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("where it cannot be read: %v", err)
	}
}

type unreadable struct{ Store }

func (unreadable) PlanVersions(context.Context, string, plans.Request) (plans.Versions, error) {
	return plans.Versions{}, errs.New(errs.Unavailable, "no answer")
}

// Two requests are one where all that a plan depends on is the same.
func TestRequestSHA256(t *testing.T) {
	seen := map[string]string{}
	for name, r := range map[string]plans.Request{
		"a sentence":       {Instruction: "Raise yoga by 5%."},
		"another sentence": {Instruction: "Raise yoga by 6%."},
		"with categories":  {Instruction: "Raise yoga by 5%.", Categories: []string{"yoga"}},
		"over a table":     {Instruction: "Raise yoga by 5%.", Table: "T"},
		"at a time":        {Instruction: "Raise yoga by 5%.", Terms: plan.Terms{ApplyAt: "2026-01-02T03:04:05Z"}},
		"until a time":     {Instruction: "Raise yoga by 5%.", Terms: plan.Terms{RevertAt: "2026-01-02T03:04:05Z"}},
		"approved":         {Instruction: "Raise yoga by 5%.", Terms: plan.Terms{Approval: plan.ApprovalAlways}},
	} {
		if other, same := seen[r.SHA256()]; same {
			t.Errorf("%s is %s", name, other)
		}
		seen[r.SHA256()] = name
	}
	empty, none := plans.Request{Instruction: "a", Categories: []string{}}, plans.Request{Instruction: "a"}
	if empty.SHA256() != none.SHA256() {
		t.Error("no categories are another request than none")
	}
	stored := plans.Record{Instruction: "Raise it.", Categories: []string{"yoga"}, Planner: plans.PlannedBy{Table: &plans.PlannedOver{Table: "T"}},
		Canonical: json.RawMessage(`{"apply_at":"2026-01-02T03:04:05Z","approval":"always"}`)}
	want := plans.Request{Instruction: "Raise it.", Categories: []string{"yoga"}, Table: "T", Terms: plan.Terms{ApplyAt: "2026-01-02T03:04:05Z", Approval: plan.ApprovalAlways}}
	if got := stored.Request(); got.SHA256() != want.SHA256() {
		t.Errorf("the request of a record: %+v", got)
	}
}
