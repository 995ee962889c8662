// Package offline answers for the model of goal planning: it drafts a plan from
// the words of a message, and changes one in the ways that it lists.
package offline

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/agents/offline"
	"github.com/planwright/planwright/shared/strictjson"
)

// Model answers for the agents of goal planning.
var Model = offline.Model{
	"CheckApprovalAgent": checkApproval,
	"PlanAgent":          makePlan,
	"FinalizeAgent":      finish,
}

var contextLine = goal.Pattern(`(?m)^Context: (\{.*\})$`)

// situation reads what an agent knows, as the agents read it from state, and all
// that it is told beside the conversation.
func situation(r offline.Request) (s goal.Situation, known map[string]any) {
	if found := contextLine().FindStringSubmatch(r.Instruction()); found != nil {
		_ = json.Unmarshal([]byte(found[1]), &known) // what cannot be read is not known
	}
	text, _ := known["now"].(string)
	now, _ := time.Parse(time.RFC3339, text)
	s, err := goal.Read(func(key string) any { return known[cmp.Or(toldAs[key], key)] }, r.Message(), now)
	if err != nil {
		s = goal.Situation{Message: r.Message(), Now: now}
	}
	return s, known
}

// toldAs are the names under which agents are told what state has under others.
var toldAs = map[string]string{goal.KeyZone: "timeZone", goal.KeyLanguage: "preferredLanguage"}

func answerJSON(v any) *genai.Part {
	return genai.NewPartFromText(string(strictjson.Line(v)))
}

func checkApproval(r offline.Request) *genai.Part {
	s, _ := situation(r)
	if s.Preview != nil && goal.Approves(s.Message) {
		return answerJSON(map[string]any{"routing": "finalize_only", "detectedConsent": true})
	}
	return answerJSON(map[string]any{"routing": "needs_planning", "detectedConsent": false})
}

func makePlan(r offline.Request) *genai.Part {
	s, _ := situation(r)
	draft, question := plan(s)
	if question != "" {
		return answerJSON(map[string]any{"question": question + only(s)})
	}
	return answerJSON(map[string]any{"goalDraft": draft.Bare().Object()})
}

// plan returns a first draft from the words of the message, the preview with
// the changes that the message asks for, or what to ask.
func plan(s goal.Situation) (draft goal.Draft, question string) {
	if s.Preview == nil || s.StartsOver {
		return newPlan(s)
	}
	return changedPlan(s)
}

func finish(r offline.Request) *genai.Part {
	s, known := situation(r)
	if known["routing"] == "finalize_only" && s.Preview != nil {
		return say("finalize_goal", goal.Final(s.Raw)+only(s))
	}
	proposed, _ := known["proposedPlan"].(map[string]any)
	return say("save_preview", s.Describe(proposed)+only(s))
}

func say(action, text string) *genai.Part {
	return answerJSON(map[string]any{"reply": text, "action": map[string]any{"type": action}})
}

// only says what the offline model cannot do for this user.
func only(s goal.Situation) string {
	if s.Language == "" || strings.EqualFold(s.Language, "english") || strings.EqualFold(s.Language, "en") {
		return ""
	}
	return " (Without a model I can answer in English only.)"
}
