// Package offline answers for the model of goal planning: it drafts a plan from
// the words of a message, and changes one in the ways that it lists.
package offline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
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
	s, err := goal.Read(func(key string) any { return known[cmp.Or(stateKeys[key], key)] }, r.Message(), now)
	if err != nil {
		s = goal.Situation{Message: r.Message(), Now: now}
	}
	return s, known
}

// stateKeys are the names under which agents are told what state has under others.
var stateKeys = map[string]string{goal.KeyZone: "timeZone", goal.KeyLanguage: "preferredLanguage"}

func answerJSON(v any) *genai.Part {
	return genai.NewPartFromText(string(strictjson.Line(v)))
}

func checkApproval(r offline.Request) *genai.Part {
	s, _ := situation(r)
	if s.Preview != nil && s.Approves() {
		return answerJSON(map[string]any{"routing": "finalize_only", "detectedConsent": true})
	}
	return answerJSON(map[string]any{"routing": "needs_planning", "detectedConsent": false})
}

func makePlan(r offline.Request) *genai.Part {
	s, _ := situation(r)
	return answerJSON(plan(s, lastWords(r)))
}

// lastWords returns what the user said before the newest message.
func lastWords(r offline.Request) (last string) {
	newest := true
	for _, content := range slices.Backward(r.Contents) {
		if content.Role != genai.RoleUser {
			continue
		} else if !newest {
			return content.Parts[0].Text
		}
		newest = false
	}
	return ""
}

// plan returns what the message comes to, as a model would: a first draft, or the preview
// with the changes that it asks for, what it says of time, and what is left to ask.
func plan(s goal.Situation, last string) map[string]any {
	t := &turn{
		before: s,
		s:      s,
		last:   last,
		fresh:  s.Preview == nil || s.StartsOver,
		schedule: schedule{
			wanted: map[string]window{},
			moved:  map[string]bool{},
			pinned: map[string]bool{},
		},
	}
	for _, c := range read(last, s.Now) {
		t.lastDays = append(t.lastDays, c.parts(days)...)
	}
	clauses := read(s.Message, s.Now)
	question := ""
	if t.fresh {
		t.newPlan(clauses)
	} else {
		t.draft = s.Preview.Clone()
		question = t.follow(clauses)
	}
	t.closeWeek()
	if t.undo && question == "" {
		return t.undone()
	}
	if question == "" && len(t.draft.Milestones) > 0 && (t.changed() || !t.s.Told.Equal(s.Told)) {
		question = t.settle()
	}
	if question != "" {
		return map[string]any{"question": question + only(s)}
	}
	return t.proposal()
}

// undone is a model's answer that takes the last change back.
func (t *turn) undone() map[string]any {
	answer := map[string]any{"undo": true}
	if context := t.said.Object(); len(context) > 0 {
		answer["context"] = context
	}
	if len(t.rest)+len(t.questions) > 0 || t.changed() {
		answer["question"] = "An undo goes alone: say again what else you want."
	}
	return answer
}

// proposal is a model's answer.
func (t *turn) proposal() map[string]any {
	answer := map[string]any{}
	if context := t.said.Object(); len(context) > 0 {
		answer["context"] = context
	}
	if t.changed() && len(t.draft.Milestones) > 0 {
		answer["goalDraft"] = t.draft.Bare().Object()
	}
	if len(t.unused) > 0 {
		t.questions = append(
			t.questions,
			fmt.Sprintf("I planned without: %q.", clip(strings.Join(t.unused, "; "), 120)),
		)
	}
	if len(t.rest) > 0 {
		t.questions = append(t.questions, notUnderstood(t.rest, t.before.Message))
	}
	switch nothing := len(answer)+len(t.answers)+len(t.questions) == 0; {
	case nothing && t.heard:
		t.answers = append(t.answers, "It is so already: nothing changes.")
	case nothing && !t.fresh:
		t.answers = append(t.answers, t.left()) // talk is answered with where the plan stands
	case nothing:
		t.questions = append(t.questions, notUnderstood([]string{t.before.Message}, t.before.Message))
	}
	if len(t.answers) > 0 {
		answer["answer"] = strings.Join(t.answers, "\n")
	}
	if len(t.questions) > 0 {
		answer["question"] = strings.Join(t.questions, " ") + only(t.before)
	}
	return answer
}

func finish(r offline.Request) *genai.Part {
	s, known := situation(r)
	routing, _ := known[goal.KeyRouting].(map[string]any)
	if routing["routing"] == "finalize_only" && s.Preview != nil {
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
	if s.English() {
		return ""
	}
	return " (Without a model I can answer in English only.)"
}
