package session_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// previewShapes are what a back end may keep of a payload and send back as
// goalPreview: all of it, the draft, or its own form of it.
var previewShapes = map[string]func(payload object) any{
	"payload": func(payload object) any { return payload },
	"draft":   func(payload object) any { return payload["goalDraft"] },
	"goal": func(payload object) any {
		draft := payload["goalDraft"].(object)
		goal := object{"title": draft["title"]}
		if description, ok := draft["description"]; ok {
			goal["description"] = description
		}
		return object{"goal": goal, "milestones": draft["milestones"]}
	},
}

// previewCarriers are how a goalPreview may come with a message.
var previewCarriers = map[string]func(request object, preview any){
	"function_call": func(request object, preview any) {
		addPart(request, object{"function_call": object{"name": "goal_preview_context", "args": object{"goalPreview": preview}}})
	},
	"functionCall": func(request object, preview any) {
		addPart(request, object{"functionCall": object{"id": "c1", "name": "goal_preview_context", "args": object{"goalPreview": preview}}})
	},
	"state_delta": func(request object, preview any) { request["state_delta"] = object{"goalPreview": preview} },
	"stateDelta":  func(request object, preview any) { request["stateDelta"] = object{"goalPreview": preview} },
}

func addPart(request, part object) {
	message := request["new_message"].(object)
	message["parts"] = append(message["parts"].([]any), part)
}

// TestTheBackendsConversation is the whole of it over HTTP: a first plan within
// hours and around tasks, a second turn that sends the first answer back, and an
// approval. The back end gives each task an id and a mark of its own.
func TestTheBackendsConversation(t *testing.T) {
	for shapeName, shape := range previewShapes {
		for carrierName, carry := range previewCarriers {
			t.Run(shapeName+" as "+carrierName, func(t *testing.T) {
				a := newAPI(t)
				a.read(a.call("POST", goalPath, object{"preferred_language": "English", "init": true}), http.StatusOK, &object{})

				first := runBody("goal_planning_agent", "Help me build a portfolio website within 20 hours.")
				addPart(first, object{"function_call": object{"name": "time_context", "args": object{"availableHoursLeft": 20}}})
				addPart(first, object{"function_call": object{"name": "task_context", "args": object{"upcomingTasks": []any{
					object{"title": "Team meeting", "date": "2026-11-23T10:00:00Z", "estimatedHours": 1, "id": "u-1"}}}}})
				planned := a.turn(first)
				if planned.Action.Type != "save_preview" || planned.State.Step != "plan_generated" || planned.State.Iteration != 1 || planned.draft(t).hours() > 20 {
					t.Fatalf("the first turn: %+v", planned)
				}
				stored := numbered(planned.Action.Payload)

				second := runBody("goal_planning_agent", "Add a testing milestone next week.")
				carry(second, shape(stored))
				refined := a.turn(second)
				if refined.Action.Type != "save_preview" || refined.State.Step != "plan_iteration" || refined.State.Iteration != 2 {
					t.Fatalf("the second turn: %+v", refined)
				}
				if diff := cmp.Diff(slices.Insert(planned.draft(t).titles(), 2, "Testing"), refined.draft(t).titles()); diff != "" {
					t.Errorf("milestones (-want +got):\n%s", diff)
				}
				checkNumbered(t, stored, refined.Action.Payload)

				third := runBody("goal_planning_agent", "Looks good, save it")
				carry(third, shape(refined.Action.Payload))
				final := a.turn(third)
				if final.Action.Type != "finalize_goal" || final.State.Step != "finalized" || final.State.SessionActive {
					t.Fatalf("the approval: %+v", final)
				}
				if diff := cmp.Diff(refined.Action.Payload["goalDraft"], final.Action.Payload["goalDraft"]); diff != "" {
					t.Errorf("the final plan is not the stored one (-stored +final):\n%s", diff)
				}
			})
		}
	}
}

// A session can begin with what an earlier one ended with.
func TestASessionBeginsWithAPreview(t *testing.T) {
	for name, shape := range previewShapes {
		t.Run(name, func(t *testing.T) {
			payload := numbered(newAPI(t).say("Build a portfolio website").Action.Payload)
			a := newAPI(t)
			var created struct{ State object }
			a.read(a.call("POST", goalPath, object{"state": object{"goalPreview": shape(payload)}}), http.StatusOK, &created)
			if diff := cmp.Diff(payload["goalDraft"], created.State["goalPreview"]); diff != "" {
				t.Errorf("goalPreview (-draft +state):\n%s", diff)
			}
			refined := a.say("Add a testing milestone next week.")
			if refined.Action.Type != "save_preview" {
				t.Fatalf("%+v", refined)
			}
			checkNumbered(t, payload, refined.Action.Payload)
		})
	}
}

// What cannot be read as a plan is refused, wherever it comes in.
func TestUnreadablePreviewsAreRefused(t *testing.T) {
	a := newAPI(t)
	unreadable := object{"plan": object{"title": "Site"}}
	message := a.refused(a.call("POST", goalPath, object{"goalPreview": unreadable}), http.StatusUnprocessableEntity, "invalid")
	checkMessage(t, "a first state", message)
	a.read(a.call("POST", goalPath, nil), http.StatusOK, &object{})
	for name, carry := range previewCarriers {
		request := runBody("goal_planning_agent", "Add a testing milestone next week.")
		carry(request, unreadable)
		checkMessage(t, name, a.refused(a.call("POST", "/run", request), http.StatusUnprocessableEntity, "invalid"))
	}
}

// turn runs one turn and returns its standard output.
func (a api) turn(request object) output {
	a.t.Helper()
	var events []struct {
		Actions struct {
			StateDelta struct {
				FinalResponse output `json:"final_response"`
			}
		}
	}
	a.read(a.call("POST", "/run", request), http.StatusOK, &events)
	if len(events) != 3 {
		a.t.Fatalf("%d events", len(events))
	}
	return events[2].Actions.StateDelta.FinalResponse
}

// numbered is a payload as a back end stores it: each task with an id and a
// mark, each milestone with an id.
func numbered(payload object) object {
	var stored object
	data, err := json.Marshal(payload)
	if err == nil {
		err = json.Unmarshal(data, &stored)
	}
	if err != nil {
		panic(err)
	}
	eachTask(stored, func(milestone, task object) {
		milestone["id"] = fmt.Sprint("m ", milestone["title"])
		task["id"], task["done"] = fmt.Sprint("t ", task["title"]), false
	})
	return stored
}

// checkNumbered looks for what the back end stored in an answer made from it.
func checkNumbered(t *testing.T, stored, answered object) {
	t.Helper()
	found := map[any]bool{}
	eachTask(answered, func(milestone, task object) { found[milestone["id"]], found[task["id"]] = true, task["done"] == false })
	eachTask(stored, func(milestone, task object) {
		if !found[milestone["id"]] || !found[task["id"]] {
			t.Errorf("%q, %q: not in the answer with their fields", milestone["id"], task["id"])
		}
	})
}

func eachTask(payload object, look func(milestone, task object)) {
	for _, milestone := range payload["goalDraft"].(object)["milestones"].([]any) {
		for _, task := range milestone.(object)["tasks"].([]any) {
			look(milestone.(object), task.(object))
		}
	}
}

func checkMessage(t *testing.T, where, message string) {
	t.Helper()
	for _, want := range []string{"goalPreview.title", `goalDraft`, `iteration`, `milestones`} {
		if !strings.Contains(message, want) {
			t.Errorf("%s: %q is not named in %s", where, want, message)
		}
	}
}
