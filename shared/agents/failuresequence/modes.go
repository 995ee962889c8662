package failuresequence

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/outcome"
	"github.com/planwright/planwright/shared/errs"
)

// Mode is what goes wrong, as the session's state says under StateFail.
type Mode string

// StateFail is the key of the Mode in state.
const StateFail = "fail"

const (
	ModeNone    Mode = "none"    // nothing goes wrong
	ModeA       Mode = "a"       // FailingTool fails; where state says nothing, this
	ModeB       Mode = "b"       // AgentB reports a failure
	ModeC       Mode = "c"       // AgentC reports a failure
	ModeModel   Mode = "model"   // AgentA's model does not answer
	ModeTimeout Mode = "timeout" // AgentA hangs until its deadline
	ModePanic   Mode = "panic"   // AgentA panics
)

// Modes lists every Mode.
var Modes = []Mode{ModeNone, ModeA, ModeB, ModeC, ModeModel, ModeTimeout, ModePanic}

const simulated = "Simulated failure"

func modeOf(state session.ReadonlyState) (Mode, error) {
	value, err := state.Get(StateFail)
	if err != nil || value == nil {
		return ModeA, nil
	}
	mode, ok := value.(string)
	if !ok || !slices.Contains(Modes, Mode(mode)) {
		return "", errs.New(errs.Invalid, "The session state %q must be one of %s.", StateFail, modeList())
	}
	return Mode(mode), nil
}

func modeList() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(Modes), " ", ", "), "[]")
}

// toolResult is what FailingTool returns.
type toolResult struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

// failingTool simulates a tool that fails, unless the mode is another.
func failingTool() (tool.Tool, error) {
	return functiontool.New(functiontool.Config{
		Name: "FailingTool", Description: "Does the work of Agent A. It may fail.",
	}, func(ctx agent.Context, _ struct{}) (toolResult, error) {
		mode, err := modeOf(ctx.ReadonlyState())
		switch {
		case err != nil:
			return toolResult{}, err
		case mode == ModeA:
			return toolResult{"error", simulated}, nil
		default:
			return toolResult{"success", "Nothing failed"}, nil
		}
	})
}

// disturb makes AgentA fail in the ways that no tool can.
func disturb(ctx agent.Context, _ *model.LLMRequest) (*model.LLMResponse, error) {
	mode, err := modeOf(ctx.ReadonlyState())
	if err != nil {
		return nil, err
	}
	switch mode {
	case ModeModel:
		return nil, errs.New(errs.Unavailable, "The model did not answer.")
	case ModeTimeout:
		<-ctx.Done()
		return nil, context.Cause(ctx)
	case ModePanic:
		panic(simulated)
	default:
		return nil, nil
	}
}

func failIn(fails Mode) llmagent.BeforeModelCallback {
	return func(ctx agent.Context, _ *model.LLMRequest) (*model.LLMResponse, error) {
		if mode, err := modeOf(ctx.ReadonlyState()); err != nil || mode != fails {
			return nil, err
		}
		return &model.LLMResponse{
			Content: genai.NewContentFromText(outcome.Failed(simulated).String(), genai.RoleModel),
		}, nil
	}
}
