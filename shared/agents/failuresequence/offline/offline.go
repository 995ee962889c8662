// Package offline answers for the model of the failure sequence.
package offline

import (
	"regexp"
	"strings"

	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/offline"
	"github.com/planwright/planwright/shared/agents/outcome"
)

// Model answers for the agents of the failure sequence.
var Model = offline.Model{
	"AgentA": callAndReport,
	"AgentB": succeed("Agent B completed."),
	"AgentC": succeed("Agent C completed."),
	"AgentD": sumUp,
}

// callAndReport is AgentA: it calls FailingTool, then reports how that went.
func callAndReport(r offline.Request) *genai.Part {
	const tool = "FailingTool"
	answer := r.ToolResponse(tool)
	if answer == nil {
		return genai.NewPartFromFunctionCall(tool, map[string]any{})
	}
	if answer["status"] == "error" {
		message, _ := answer["message"].(string)
		return genai.NewPartFromText(outcome.Failed("Tool failed: " + message).String())
	}
	return succeed("Agent A completed.")(r)
}

// succeed is an agent that has nothing to do.
func succeed(message string) func(offline.Request) *genai.Part {
	return func(offline.Request) *genai.Part {
		return genai.NewPartFromText(outcome.Outcome{Status: outcome.Success, Message: message}.String())
	}
}

// injected finds the outcomes that AgentD is told: "Agent A -> {...}".
var injected = regexp.MustCompile(`(?m)^Agent ([A-Z]) ->(.*)$`)

// sumUp is AgentD: it reads the outcomes out of its instruction, as the model
// would, and says how each step ended.
func sumUp(r offline.Request) *genai.Part {
	var steps []outcome.Named
	for _, found := range injected.FindAllStringSubmatch(r.Instruction(), -1) {
		read, err := outcome.Parse(strings.TrimSpace(found[2]))
		if err != nil {
			read = outcome.Failed(err.Error())
		}
		steps = append(steps, outcome.Named{Name: found[1], Outcome: read})
	}
	return genai.NewPartFromText(outcome.Summary(steps, "D"))
}
