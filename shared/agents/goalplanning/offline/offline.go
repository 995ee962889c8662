// Package offline answers for the model of goal planning: it drafts a plan from
// the words of a message, and changes one in the ways that it lists.
package offline

import (
	"encoding/json"
	"strings"
	"time"

	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/agents/offline"
)

// Model answers for the agents of goal planning.
var Model = offline.Model{
	"CheckApprovalAgent": checkApproval,
	"PlanAgent":          makePlan,
	"FinalizeAgent":      finish,
}

// known is what the goal planning agents are told beside the conversation.
type known struct {
	Now          time.Time      `json:"now"`
	TimeZone     string         `json:"timeZone"`
	Language     string         `json:"preferredLanguage"`
	Preview      map[string]any `json:"goalPreview"`
	Hours        *float64       `json:"availableHoursLeft"`
	Upcoming     []any          `json:"upcomingTasks"`
	Routing      string         `json:"routing"`
	ProposedPlan map[string]any `json:"proposedPlan"`
}

var contextLine = goal.Pattern(`(?m)^Context: (\{.*\})$`)

// situation reads what an agent knows, as the agents read it from state.
func situation(r offline.Request) (goal.Situation, known) {
	var k known
	if found := contextLine().FindStringSubmatch(r.Instruction()); found != nil {
		_ = json.Unmarshal([]byte(found[1]), &k) // what cannot be read is not known
	}
	state := map[string]any{goal.KeyZone: k.TimeZone, goal.KeyLanguage: k.Language}
	if k.Preview != nil {
		state[goal.KeyPreview] = k.Preview
	}
	if k.Hours != nil {
		state[goal.KeyHours] = *k.Hours
	}
	if k.Upcoming != nil {
		state[goal.KeyUpcoming] = k.Upcoming
	}
	s, err := goal.Read(func(key string) any { return state[key] }, r.Message(), k.Now)
	if err != nil {
		s = goal.Situation{Message: r.Message(), Now: k.Now}
	}
	return s, k
}

func answerJSON(v any) *genai.Part {
	text, err := json.Marshal(v)
	if err != nil {
		return genai.NewPartFromText("{}")
	}
	return genai.NewPartFromText(string(text))
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
	s, k := situation(r)
	if k.Routing == "finalize_only" && s.Preview != nil {
		return say("finalize_goal", goal.Final(s.Raw)+only(s))
	}
	return say("save_preview", s.Describe(k.ProposedPlan)+only(s))
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
