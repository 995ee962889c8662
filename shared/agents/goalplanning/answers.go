package goalplanning

import (
	"strings"
	"unicode/utf8"

	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/agents/outcome"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

// Schemas of the model's answers, kept loose: what counts is checked in code.
var (
	approvalSchema = object(map[string]*genai.Schema{
		"routing":         {Type: genai.TypeString, Enum: []string{routeFinalize, routePlan}},
		"detectedConsent": {Type: genai.TypeBoolean},
	}, "routing", "detectedConsent")

	proposalSchema = object(map[string]*genai.Schema{
		"goalDraft": draftSchema,
		"context":   contextSchema,
		"undo":      {Type: genai.TypeBoolean}, "answer": text(), "question": text(),
	})

	contextSchema = object(map[string]*genai.Schema{
		"availableHoursLeft": {Type: genai.TypeNumber}, "unlimitedHours": {Type: genai.TypeBoolean},
		"hoursPerWeek": {Type: genai.TypeNumber}, "hoursPerDay": {Type: genai.TypeNumber}, "deadline": text(),
		"hoursPerWeekday": list(
			object(map[string]*genai.Schema{"weekday": text(), "hours": {Type: genai.TypeNumber}}),
		),
		"upcomingTasks": list(object(map[string]*genai.Schema{
			"title": text(), "date": text(), "estimatedHours": {Type: genai.TypeNumber},
		}, "title", "date", "estimatedHours")),
		"unavailable": list(blockedSchema), "available": list(blockedSchema),
	})

	blockedSchema = object(
		map[string]*genai.Schema{"weekday": text(), "date": text(), "from": text(), "to": text()},
	)

	draftSchema = object(map[string]*genai.Schema{
		"title": text(), "description": text(),
		"milestones": list(object(map[string]*genai.Schema{
			"title": text(), "description": text(),
			"tasks": list(object(map[string]*genai.Schema{
				"title":          text(),
				"description":    text(),
				"date":           text(),
				"estimatedHours": {Type: genai.TypeNumber},
			}, "title", "date", "estimatedHours")),
		}, "title", "tasks")),
	}, "title", "milestones")

	answerSchema = object(map[string]*genai.Schema{
		"reply": text(),
		"action": object(map[string]*genai.Schema{
			"type": {Type: genai.TypeString, Enum: []string{goal.SavePreview, goal.FinalizeGoal, goal.None}},
		}, "type"),
	}, "reply", "action")
)

func object(properties map[string]*genai.Schema, required ...string) *genai.Schema {
	return &genai.Schema{Type: genai.TypeObject, Properties: properties, Required: required}
}

func list(items *genai.Schema) *genai.Schema {
	return &genai.Schema{Type: genai.TypeArray, Items: items}
}

func text() *genai.Schema { return &genai.Schema{Type: genai.TypeString} }

// approval is CheckApprovalAgent's answer.
type approval struct {
	Routing         string `json:"routing"`
	DetectedConsent bool   `json:"detectedConsent"`
}

// parseApproval reads CheckApprovalAgent's answer. Other keys are passed over.
func parseApproval(answer string) (approval, error) {
	var a approval
	problems := strictjson.ReadObject([]byte(outcome.Unfence(answer)), func(o *strictjson.Object) {
		o.AllowUnknown()
		routing := o.Required("routing")
		a.Routing, _ = routing.String()
		if a.Routing != routeFinalize && a.Routing != routePlan {
			routing.Problem("must be %s or %s", routeFinalize, routePlan)
		}
		a.DetectedConsent, _ = o.Required("detectedConsent").Bool()
	})
	return a, unusable(problems)
}

// proposal is PlanAgent's answer: a draft, what the message says of the user's time,
// what the user asked to know, and what is left to ask.
type proposal struct {
	draft            *goal.Draft
	context          goal.Context
	undo             bool
	answer, question string
}

// parseProposal reads PlanAgent's answer. Its problems go back to the model;
// fields that no plan has are left out.
func parseProposal(answer string) (proposal, []goal.Violation) {
	var p proposal
	problems := strictjson.ReadObject([]byte(outcome.Unfence(answer)), func(o *strictjson.Object) {
		o.AllowUnknown()
		words := func(name string) string {
			said, _ := o.Optional(name).String()
			return clip(strings.TrimSpace(said), maxReply)
		}
		p.question, p.answer = words("question"), words("answer")
		p.undo, _ = o.Optional("undo").Bool()
		draft, context := o.Optional("goalDraft"), o.Optional("context")
		if draft.Given() {
			read := goal.DecodeDraft(draft).Bare()
			p.draft = &read
		}
		if context.Given() {
			p.context = goal.DecodeContext(context)
		}
		if !draft.Given() && !context.Given() && !p.undo && p.question+p.answer == "" {
			o.Required("goalDraft")
		}
	})
	var violations []goal.Violation
	for _, problem := range problems {
		violations = append(violations, goal.Violation{Path: problem.Path, Message: problem.Message})
	}
	return p, violations
}

// maxReply is the most characters of what the user is told.
const maxReply = 4_000

// parseAnswer reads FinalizeAgent's answer: the reply, and the action that the
// model took for right. What else it says of action and state is code's to
// decide and passed over.
func parseAnswer(answer string) (reply, action string, err error) {
	problems := strictjson.ReadObject([]byte(outcome.Unfence(answer)), func(o *strictjson.Object) {
		o.AllowUnknown()
		field := o.Required("reply")
		reply, _ = field.String()
		reply = strings.TrimSpace(reply)
		if reply == "" {
			field.Problem("must not be empty")
		}
		o.Required("action").Object(func(o *strictjson.Object) {
			o.AllowUnknown()
			action, _ = o.Required("type").String()
		})
	})
	return clip(reply, maxReply), action, unusable(problems)
}

func unusable(problems []strictjson.Problem) error {
	if len(problems) == 0 {
		return nil
	}
	return errs.New(errs.Unusable, "The model's answer cannot be used.")
}

func failed(err error) outcome.Outcome { return outcome.Failed(errs.Message(err)) }

// encode writes a value of ours as JSON in one line. Nobody reads it as HTML.
func encode(v any) string { return strings.TrimSuffix(string(strictjson.Line(v)), "\n") }

func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}
