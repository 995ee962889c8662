package ledgertest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/test/expect"
)

var planTests = []test{
	{"what is stored comes back", planRoundTrip},
	{"missing is not found", planMissing},
	{"a second one is a conflict, identical or not", planConflict},
	{"no memory is shared", planAliasing},
	{"the newest is listed first, page by page", planList},
	{"the versions of a name are counted", planVersions},
	{"the last plan of a request is known", planLatest},
	{"an id that is not one is invalid", invalidIDs},
}

func planOf(id string) plans.Record {
	return plans.Record{
		ExecutionID: id,
		Canonical:   json.RawMessage(`{"operations":[{"value":10.5}],"source_instruction":"Prices < $15 & > €3 \u2028\n"}`),
		SHA256:      "0123",
		Planner: plans.PlannedBy{
			Model:        "gemini-3.5-flash",
			PromptSHA256: "4567",
			Attempts:     2,
			Agreement:    "both",
			Assumes:      []string{`Read "muggs" as "mugs".`},
			Tokens:       &plans.Tokens{Prompt: 900, Answer: 80, Cached: 512, Thoughts: 220},
		},
		Instruction: "Prices < $15 & > €3",
		Categories:  []string{"yoga", "fitness & more"},
		CreatedAt:   noon,
		CreatedBy:   "ann@example.com",
	}
}

func planRoundTrip(t *testing.T, store ledger.Store) {
	large := planOf(otherID)
	// 512 KiB, the most there is
	large.Canonical = json.RawMessage(`{"skus":["` + strings.Repeat("é", 256<<10-10) + `"]}`)
	byHand := plans.Record{ExecutionID: "plan_by_hand_v1", Canonical: json.RawMessage(`{}`), CreatedAt: noon}
	withoutModel := plans.Record{
		ExecutionID: "plan_without_v1",
		Canonical:   json.RawMessage(`{}`),
		CreatedAt:   noon,
		Planner: plans.PlannedBy{
			Model:        "grammar",
			Attempts:     1,
			Agreement:    "grammar",
			WithoutModel: "timeout",
		},
	}
	confirmed := plans.Record{
		ExecutionID: "plan_confirmed_v1",
		Canonical:   json.RawMessage(`{}`),
		CreatedAt:   noon,
		Planner: plans.PlannedBy{
			Model:     "grammar",
			Attempts:  1,
			Agreement: "grammar",
			Confirmed: &plans.Confirmation{By: "ann@example.com", LeavesOut: []string{"Apple", "so"}},
		},
	}
	for _, want := range []plans.Record{planOf(executionID), large, byHand, withoutModel, confirmed} {
		expect.NoError(t, store.CreatePlan(t.Context(), want))
		expect.Equal(
			t, "the plan", want.Rounded(), expect.Result(store.Plan(t.Context(), want.ExecutionID))(t),
		)
	}
}

func planList(t *testing.T, store ledger.Store) {
	expect.Equal(t, "no plans", 0, len(expect.Result(store.ListPlans(t.Context(), paging.Page{}))(t).Items))
	var want []string
	for i, id := range []string{"plan_a_v1", "plan_b_v1", "plan_c_v1", "plan_d_v1", "plan_e_v1"} {
		stored := planOf(id)
		stored.Planner.Table = &plans.PlannedOver{Table: "T", File: "shop.csv"}
		stored.CreatedAt = noon.Add(time.Duration(i/2) * time.Second) // two of each moment
		expect.NoError(t, store.CreatePlan(t.Context(), stored))
		want = append([]string{id}, want...)
	}
	var got []string
	for _, listed := range slices.Concat(pages(t, 2, store.ListPlans)...) {
		got = append(got, listed.ExecutionID)
		expect.Equal(t, "the plan", expect.Result(store.Plan(t.Context(), listed.ExecutionID))(t), listed)
	}
	expect.Equal(t, "the order", want, got)
	wantKind(t, expect.ErrorOf(store.ListPlans(t.Context(), paging.Page{Token: "nonsense"})), errs.Invalid)
}

func planVersions(t *testing.T, store ledger.Store) {
	last := func(name string) int {
		t.Helper()
		return expect.Result(store.PlanVersions(t.Context(), name, plans.Request{}))(t).Last
	}
	expect.Equal(t, "of a name without plans", 0, last("plan_yoga"))
	// Neither names that begin alike nor ids without a version count.
	for _, id := range []string{
		"plan_yoga", "plan_yoga_v01", "plan_yoga_v1x", "plan_yoga_v", "plan_yoga_v12345678",
		"plan_yoga_mat_v7", "plan_yog_v9", "Plan_yoga_v8",
	} {
		expect.NoError(t, store.CreatePlan(t.Context(), planOf(id)))
	}
	expect.Equal(t, "of a name like others", 0, last("plan_yoga"))
	for _, added := range []struct{ version, want int }{
		{1, 1}, {2, 2}, {10, 10}, {9, 10}, {700, 700}, {9_999_999, 9_999_999},
	} {
		expect.NoError(t, store.CreatePlan(t.Context(), planOf(plans.Version("plan_yoga", added.version))))
		expect.Equal(t, "the last version", added.want, last("plan_yoga"))
	}
	expect.Equal(t, "of another name", 7, last("plan_yoga_mat"))
	long := strings.Repeat("x", 64)
	expect.NoError(t, store.CreatePlan(t.Context(), planOf(plans.Version(long, 3))))
	expect.Equal(t, "of a name that is cut", 3, last(long))
	undo := planOf(plans.Version("plan_yoga_undo", 2))
	first := create(t, store, record(executionID))
	update(t, store, first, ledger.Settlement{Plan: &undo})
	expect.Equal(t, "of a plan beside a record", 2, last("plan_yoga_undo"))
}

func planLatest(t *testing.T, store ledger.Store) {
	asked := func(version int, change func(*plans.Record)) plans.Request {
		t.Helper()
		stored := planOf(plans.Version("plan_yoga", version))
		stored.Canonical = json.RawMessage(`{}`)
		change(&stored)
		expect.NoError(t, store.CreatePlan(t.Context(), stored))
		return stored.Request()
	}
	unchanged := func(*plans.Record) {}
	first := asked(1, unchanged)
	others := map[string]plans.Request{
		plans.Version("plan_yoga", 2): asked(2, func(p *plans.Record) {
			p.Instruction = "Another sentence of the same name."
		}),
		plans.Version("plan_yoga", 3): asked(3, func(p *plans.Record) { p.Categories = nil }),
		plans.Version("plan_yoga", 4): asked(4, func(p *plans.Record) {
			p.Planner.Table = &plans.PlannedOver{Table: "T", File: "shop.csv"}
		}),
		plans.Version("plan_yoga", 5): asked(5, func(p *plans.Record) {
			p.Canonical = json.RawMessage(`{"apply_at":"2026-11-27T00:00:00Z","revert_at":"2026-11-30T00:00:00Z","approval":"always"}`)
		}),
	}
	asked(6, func(p *plans.Record) { p.Instruction = "" })
	latest := func(r plans.Request) string {
		t.Helper()
		found := expect.Result(store.PlanVersions(t.Context(), "plan_yoga", r))(t)
		expect.Equal(t, "the last version", true, found.Last >= 6)
		return found.Latest
	}
	expect.Equal(t, "the first request's", plans.Version("plan_yoga", 1), latest(first))
	for id, request := range others {
		expect.Equal(t, "another request's", id, latest(request))
	}
	expect.Equal(t, "nobody's", "", latest(plans.Request{}))
	expect.Equal(t, "a request's that was not made", "", latest(plans.Request{Instruction: "Never asked."}))
	asked(12, unchanged)
	expect.Equal(t, "the first request's, asked again", plans.Version("plan_yoga", 12), latest(first))
	expect.Equal(
		t,
		"under another name",
		"",
		expect.Result(store.PlanVersions(t.Context(), "plan_mats", first))(t).Latest,
	)
}

func planMissing(t *testing.T, store ledger.Store) {
	expect.NoError(t, store.CreatePlan(t.Context(), planOf(otherID)))
	wantKind(t, expect.ErrorOf(store.Plan(t.Context(), executionID)), errs.NotFound)
}

func planConflict(t *testing.T, store ledger.Store) {
	expect.NoError(t, store.CreatePlan(t.Context(), planOf(executionID)))
	wantKind(t, store.CreatePlan(t.Context(), planOf(executionID)), errs.Conflict)
	other := planOf(executionID)
	other.Canonical, other.SHA256 = json.RawMessage(`{"other":true}`), "other"
	wantKind(t, store.CreatePlan(t.Context(), other), errs.Conflict)
	expect.Equal(
		t,
		"the plan stored first",
		planOf(executionID).Rounded(),
		expect.Result(store.Plan(t.Context(), executionID))(t),
	)
}

func planAliasing(t *testing.T, store ledger.Store) {
	given := planOf(executionID)
	expect.NoError(t, store.CreatePlan(t.Context(), given))
	given.Canonical[2], given.Categories[0] = 'X', "changed"
	got := expect.Result(store.Plan(t.Context(), executionID))(t)
	got.Canonical[2], got.Categories[0] = 'Y', "changed too"
	expect.Equal(
		t, "the plan", planOf(executionID).Rounded(), expect.Result(store.Plan(t.Context(), executionID))(t),
	)
}

// invalidIDs hands what might become another document's path to every method that takes an id.
func invalidIDs(t *testing.T, store ledger.Store) {
	ctx := t.Context()
	there := expect.Result(store.CreateExecution(ctx, record(executionID)))(t)
	for _, id := range []string{
		"", "short", "../../x", "executions/plan_one_v1", "plan_one_v1/audit/0", "__plan.one__",
		"plan one v1", "plan_one_v1\x00", "plan_öne_v1", strings.Repeat("a", 65),
	} {
		ofUpload := outcome(executionID, 1, ledger.Skipped, noon)
		ofUpload.Upload.ID = id
		for method, err := range map[string]error{
			"CreatePlan":      store.CreatePlan(ctx, plans.Record{ExecutionID: id}),
			"Plan":            expect.ErrorOf(store.Plan(ctx, id)),
			"CreateExecution": expect.ErrorOf(store.CreateExecution(ctx, record(id))),
			"Execution":       expect.ErrorOf(store.Execution(ctx, id)),
			"UpdateExecution": expect.ErrorOf(store.UpdateExecution(ctx, record(id),
				ledger.Settlement{})),
			"UpdateExecution with an outcome": expect.ErrorOf(store.UpdateExecution(ctx, there,
				ledger.Settlement{Outcome: &ofUpload})),
			"Snapshot":                   expect.ErrorOf(store.Snapshot(ctx, id, source(1).ID())),
			"Snapshot of an upload":      expect.ErrorOf(store.Snapshot(ctx, executionID, id)),
			"Audit":                      expect.ErrorOf(store.Audit(ctx, id, 1)),
			"Changes":                    expect.ErrorOf(store.Changes(ctx, id, paging.Page{})),
			"CreateOutcome":              store.CreateOutcome(ctx, outcome(id, 1, ledger.Skipped, noon)),
			"CreateOutcome of an upload": store.CreateOutcome(ctx, ofUpload),
			"PutChanges": store.PutChanges(ctx, id,
				sequence(documentOf(id, 0, noon, change(2, "A101")))),
		} {
			expect.ErrorIf(t, errs.KindOf(err) != errs.Invalid, "%s with id %q: got %v, want Invalid",
				method, id, err)
		}
	}
}
