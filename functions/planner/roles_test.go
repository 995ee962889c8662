package planner_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/web"
)

// as opens a planner with roles that takes the caller's name from a header.
func as(t *testing.T, d ledger.Decisions, roles planner.Roles) (ask func(caller, method, path, body string) answer) {
	t.Helper()
	s := open(t)
	s.Config.Handler = web.Service{}.Serve(planner.NewHandler(planner.Dependencies{
		Store: s.store, Planner: s.planner, InboxBucket: "b", Decisions: d, Roles: roles, Now: s.now,
		Caller: func(r *http.Request) (string, error) {
			if name := r.Header.Get("Name"); name != "" {
				return name, nil
			}
			return "", errs.New(errs.Denied, "The caller cannot be verified.")
		},
	}))
	return func(caller, method, path, body string) answer {
		request := httptest.NewRequest(method, path, strings.NewReader(body))
		request.Header.Set("Name", caller)
		request.Header.Set("Content-Type", "application/json")
		return answered(s, request)
	}
}

func answered(s *shop, r *http.Request) answer { return ask(s.Config.Handler, r) }

func TestMe(t *testing.T) {
	all := []string{"look", "plan", "execute", "propose", "approve", "reject", "undo", "withdraw", "remind", "imported"}
	roles := planner.Roles{Viewers: []string{"vera"}, Planners: []string{"ana", "ops"}, Operators: []string{"ops"}}
	for name, test := range map[string]struct {
		d           ledger.Decisions
		roles       planner.Roles
		caller      string
		have        []string
		may, denied []string
		why         string
	}{
		"nobody is asked":       {caller: "ana", have: []string{"viewer", "planner", "approver", "operator"}, may: all},
		"nobody is known":       {may: []string{"look", "plan", "execute", "propose"}, denied: []string{"approve", "reject", "undo", "withdraw", "remind", "imported"}, why: "The caller cannot be verified."},
		"nobody, where it says": {roles: roles, may: []string{"look"}, denied: all[1:], why: "The caller cannot be verified."},
		"an approver":           {d: ledger.Decisions{Approvers: []string{"Ben"}}, roles: roles, caller: "ben", have: []string{"viewer", "approver"}, may: []string{"look", "propose", "approve", "reject", "withdraw", "remind", "imported"}, denied: []string{"plan", "execute", "undo"}, why: "ben may not ask for changes here: that takes the role planner, which whoever runs this installation gives."},
		"a planner":             {d: ledger.Decisions{Approvers: []string{"ben"}}, roles: roles, caller: "ana", have: []string{"viewer", "planner"}, may: []string{"look", "plan", "execute", "propose", "undo", "withdraw", "remind", "imported"}, denied: []string{"approve", "reject"}, why: "ana may not decide about proposals: APPROVERS names who may."},
		"a viewer":              {roles: planner.Roles{Viewers: []string{"vera"}}, caller: "vera", have: []string{"viewer"}, may: []string{"look"}, denied: all[1:], why: "vera may not ask for changes here: that takes the role planner, which whoever runs this installation gives."},
		"no viewer":             {roles: planner.Roles{Viewers: []string{"vera"}}, caller: "ana", have: []string{"viewer", "planner", "approver", "operator"}, may: all},
	} {
		t.Run(name, func(t *testing.T) {
			got := as(t, test.d, test.roles)(test.caller, "GET", "/v1/me", "")
			describe(t).check(t, "GET", "/v1/me", got)
			denied, why := denials(got.field(t, "may_not"))
			if !slices.Equal(words(got.field(t, "roles")), test.have) || !slices.Equal(words(got.field(t, "may")), test.may) || !slices.Equal(denied, test.denied) || why != test.why {
				t.Errorf("%s", got.body)
			}
		})
	}
}

func words(list any) (all []string) {
	for _, entry := range list.([]any) {
		all = append(all, entry.(string))
	}
	return all
}

// denials are what is denied, and why the first is.
func denials(list any) (actions []string, why string) {
	for i, entry := range list.([]any) {
		denied := entry.(map[string]any)
		if actions = append(actions, denied["action"].(string)); i == 0 {
			why = denied["why"].(string)
		}
	}
	return actions, why
}

// What somebody has no role for is refused where it is asked for, too.
func TestRolesAreEnforced(t *testing.T) {
	ask := as(t, ledger.Decisions{}, planner.Roles{Viewers: []string{"vera"}, Planners: []string{"ana"}, Operators: []string{"ops"}})
	body := `{"instruction": "` + raise + `", "execution_id": "plan_roles_v1"}`
	written := `{"execution_id": "plan_roles_v1", "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Set every price to 5.", "operations": [{"operation_id": "op_01", "filter": {}, "action": {"type": "set_price", "value": 5}}]}`
	for _, caller := range []string{"vera", "ops", "eve", ""} {
		for call, body := range map[string]string{"POST /v1/plans": body, "PUT /v1/plans/plan_roles_v1": written} {
			method, path, _ := strings.Cut(call, " ")
			if got := ask(caller, method, path, body); got.status != http.StatusForbidden {
				t.Errorf("%s by %q: %d %s", call, caller, got.status, got.body)
			}
		}
	}
	if got := ask("ana", "POST", "/v1/plans", body); got.status != http.StatusCreated || got.field(t, "created_by") != "ana" {
		t.Errorf("%d %s", got.status, got.body)
	}
	// eve is an approver, where nobody says who is.
	for caller, want := range map[string]int{"vera": http.StatusForbidden, "eve": http.StatusNotFound, "ops": http.StatusNotFound} {
		if got := ask(caller, "POST", "/v1/executions/plan_roles_v1:propose", ""); got.status != want {
			t.Errorf("propose by %s: %d %s", caller, got.status, got.body)
		}
	}
	for caller, want := range map[string]int{"vera": http.StatusForbidden, "eve": http.StatusForbidden, "ops": http.StatusNotFound, "ana": http.StatusNotFound} {
		if got := ask(caller, "POST", "/v1/executions/plan_roles_v1:undo", `{"table": "output"}`); got.status != want {
			t.Errorf("undo by %s: %d %s", caller, got.status, got.body)
		}
	}
}

// Who made the plan and who asked for an approval stand in what is shown, with what
// each person may do about it.
func TestWhoIsShownOfAProposal(t *testing.T) {
	s := openDecided(t, ledger.Decisions{Approvers: []string{"ann", "ben"}, ByAnother: true})
	sha := s.propose(t)
	for caller, want := range map[string][3][]string{
		"ann": {{"reject", "execute", "withdraw"}, {"approve"}, {"ann made the plan " + decidedID + ": another must approve of what it does."}},
		"ben": {{"approve", "reject", "execute"}, {"withdraw"}, {"ben did not ask for what " + decidedID + " does. That was ann: ask them, or whoever decides here to reject it."}},
		"eve": {{"execute"}, {"approve", "reject", "withdraw"}, {"eve may not decide about proposals: APPROVERS names who may."}},
	} {
		s.caller = caller
		execution := s.call(t, "GET", "/v1/executions/"+decidedID, "")
		list := s.call(t, "GET", "/v1/executions?status=proposed", "").field(t, "executions").([]any)[0].(map[string]any)
		for _, shown := range []map[string]any{{"may": execution.field(t, "may"), "may_not": execution.field(t, "may_not"), "author": execution.field(t, "author")}, list} {
			denied, why := denials(shown["may_not"])
			if !slices.Equal(words(shown["may"]), want[0]) || !slices.Equal(denied, want[1]) || why != want[2][0] || shown["author"] != "ann" {
				t.Errorf("%s is shown %v", caller, shown)
			}
		}
	}
	s.caller = "ben"
	got := s.decide(t, "propose", ``, http.StatusOK)
	if got.field(t, "proposed_by") != "ben" || !slices.Equal(words(got.field(t, "proposal.reasons")), []string{"Every execution here needs an approval.", "ben asked for an approval."}) {
		t.Errorf("who asked: %s", got.body)
	}
	s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusOK)
}
