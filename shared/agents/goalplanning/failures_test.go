package goalplanning_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/adk/v2/agent"

	"github.com/planwright/planwright/shared/agents/agentstest"
	"github.com/planwright/planwright/shared/gemini/geminitest"
)

// failure is one way in which a model fails.
type failure struct {
	answer geminitest.Answer
	says   string // of it in the reply where there is no plan; "" where it is no failure
}

func failures() map[string]failure {
	says := map[string]string{
		"401": "credentials", "403": "credentials", "404": "no such model", "429": "quota", "503": "did not answer", "hang": "in time",
		"prose": "not plans", "invalid JSON": "not plans", "extra field": "", "truncated": "cut off", "empty": "empty", "safety block": "blocked",
		"400": "refused our request", "over 8 MiB": "cannot be read",
		"reset": "cannot be reached", "another schema": "not plans", "wrong types": "not plans",
	}
	all := append(agentstest.Failures(),
		geminitest.Failure{Name: "reset", Answer: geminitest.Reset},
		geminitest.Failure{Name: "another schema", Answer: geminitest.Says(`{"plan": []}`)},
		geminitest.Failure{Name: "wrong types", Answer: geminitest.Says(`{"goalDraft": {"title": 1, "milestones": {}}, "routing": 5, "detectedConsent": "yes", "reply": 7, "action": []}`)})
	table := map[string]failure{}
	for _, failed := range all {
		table[failed.Name] = failure{failed.Answer, says[failed.Name]}
	}
	return table
}

const secret = "quota_project" // of what the service says to us

// A model that fails at PlanAgent, or at all of them, costs the turn: it ends
// in an honest reply, and the preview is as it was.
func TestWithoutAPlanNothingChanges(t *testing.T) {
	for name, failure := range failures() {
		for _, at := range []string{"PlanAgent", "CheckApprovalAgent PlanAgent FinalizeAgent"} {
			t.Run(name+" at "+at, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := newTalk(t, map[string]any{"availableHoursLeft": 40.0})
					c.say("Build a web shop")
					before := c.state()
					c.in(at, failure.answer)
					out := c.say("Add a testing milestone next week")
					if failure.says == "" {
						checkRefined(t, c, out)
						return
					}
					if out.Action.Type != "none" || !strings.Contains(out.Reply, failure.says) || !strings.Contains(out.Reply, "nothing was changed") || strings.Contains(out.Reply, secret) {
						t.Errorf("%s: %q", out.Action.Type, out.Reply)
					}
					if out.State.Step != "plan_generated" || out.State.Iteration != 1 || !out.State.SessionActive {
						t.Errorf("state %+v", out.State)
					}
					if diff := cmp.Diff(before["goalPreview"], c.state()["goalPreview"]); diff != "" {
						t.Errorf("the preview changed:\n%s", diff)
					}
					c.in("", nil)
					if out := c.say("Add a testing milestone next week"); out.Action.Type != "save_preview" || out.State.Iteration != 2 {
						t.Errorf("after the failure: %+v", out)
					}
				})
			})
		}
	}
}

// A model that fails to say whether a change is an approval, or to word the
// reply, costs no plan.
func TestAGoodPlanStays(t *testing.T) {
	for name, failure := range failures() {
		for _, at := range []string{"CheckApprovalAgent", "FinalizeAgent", "CheckApprovalAgent FinalizeAgent"} {
			t.Run(name+" at "+at, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := newTalk(t, map[string]any{"availableHoursLeft": 40.0})
					c.say("Build a web shop")
					c.in(at, failure.answer)
					checkRefined(t, c, c.say("Add a testing milestone next week"))
				})
			})
		}
	}
}

// checkRefined asserts that a turn added a milestone and said so.
func checkRefined(t *testing.T, c *talk, out output) {
	t.Helper()
	if out.Action.Type != "save_preview" || out.State.Step != "plan_iteration" || out.State.Iteration != 2 {
		t.Fatalf("%s, %+v: %s", out.Action.Type, out.State, out.Reply)
	}
	const reply = `Added: "Testing". Your plan "Build a web shop" has 4 milestones and 8 tasks, 16 hours in all, from 2000-01-03 to 2000-01-10. That keeps within your 40 hours. Tell me what to change, or write OK to make it final.`
	if out.Reply != reply {
		t.Errorf("reply %q", out.Reply)
	}
	if diff := cmp.Diff(out.Action.Payload["goalDraft"], c.state()["goalPreview"]); diff != "" {
		t.Errorf("the stored preview is not the answered one:\n%s", diff)
	}
}

// Without CheckApprovalAgent's answer an approval is no consent, and no reason
// to plan again either.
func TestNothingIsApprovedWithoutTheModel(t *testing.T) {
	for name, failure := range failures() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newTalk(t, nil)
				c.say("Build a web shop")
				before := c.state()["goalPreview"]
				c.in("CheckApprovalAgent", failure.answer)
				out := c.say("Looks good, save it")
				if failure.says == "" {
					if out.Action.Type != "finalize_goal" {
						t.Errorf("%s: %q", out.Action.Type, out.Reply)
					}
					return
				}
				state := c.state()
				if out.Action.Type != "none" || !out.State.SessionActive || !strings.Contains(out.Reply, "nothing was changed") || strings.Contains(out.Reply, secret) ||
					cmp.Diff(map[string]any{"routing": "needs_planning", "detectedConsent": false}, state["routing"]) != "" || state["detectedConsent"] != false || cmp.Diff(before, state["goalPreview"]) != "" {
					t.Errorf("%s, %v: %q", out.Action.Type, state["routing"], out.Reply)
				}
				c.in("", nil)
				if out := c.say("Looks good, save it"); out.Action.Type != "finalize_goal" {
					t.Errorf("afterwards: %+v", out)
				}
			})
		})
	}
}

// An approved plan is final whatever becomes of the words about it.
func TestAnApprovedPlanIsFinal(t *testing.T) {
	for name, failure := range failures() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newTalk(t, nil)
				draft := c.say("Build a web shop").Action.Payload["goalDraft"]
				c.in("FinalizeAgent", failure.answer)
				out := c.say("Looks good, save it")
				if out.Action.Type != "finalize_goal" || out.State.SessionActive || out.Reply != `Your plan "Build a web shop" is final now.` {
					t.Errorf("%s: %q", out.Action.Type, out.Reply)
				}
				if diff := cmp.Diff(draft, out.Action.Payload["goalDraft"]); diff != "" {
					t.Errorf("another plan is final:\n%s", diff)
				}
			})
		})
	}
}

// A model that is asked for a stream fails in the same ways.
func TestFailuresOfAStream(t *testing.T) {
	for name, failure := range failures() {
		for _, at := range []string{"CheckApprovalAgent", "PlanAgent", "FinalizeAgent"} {
			t.Run(name+" at "+at, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := newTalk(t, nil)
					c.config.StreamingMode = agent.StreamingModeSSE
					c.in(at, failure.answer)
					want := "save_preview"
					if at == "PlanAgent" && failure.says != "" {
						want = "none"
					}
					if out := c.say("Build a web shop"); out.Action.Type != want || strings.Contains(out.Reply, secret) {
						t.Errorf("%s: %q", out.Action.Type, out.Reply)
					}
				})
			})
		}
	}
}

// A model that calls tools which it does not have adds no event to a turn.
func TestToolsThatDoNotExist(t *testing.T) {
	for _, at := range []string{"CheckApprovalAgent", "PlanAgent", "FinalizeAgent"} {
		synctest.Test(t, func(t *testing.T) {
			c := newTalk(t, nil)
			c.in(at, geminitest.Candidate("STOP", geminitest.Object{"functionCall": geminitest.Object{"name": "NoSuchTool"}}))
			c.say("Build a web shop")
		})
	}
}
