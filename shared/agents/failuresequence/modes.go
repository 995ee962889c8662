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

// failureMode is what goes wrong, as the session's state says under StateFail.
type failureMode string

// stateFail is the key of the failureMode in state.
const stateFail = "fail"

const (
	modeNone    failureMode = "none"    // nothing goes wrong
	modeA       failureMode = "a"       // FailingTool fails; where state says nothing, this
	modeB       failureMode = "b"       // AgentB reports a failure
	modeC       failureMode = "c"       // AgentC reports a failure
	modeModel   failureMode = "model"   // AgentA's model does not answer
	modeTimeout failureMode = "timeout" // AgentA hangs until its deadline
	modePanic   failureMode = "panic"   // AgentA panics
)

// modes lists every failureMode.
var modes = []failureMode{modeNone, modeA, modeB, modeC, modeModel, modeTimeout, modePanic}

const simulated = "Simulated failure"

func modeOf(state session.ReadonlyState) (failureMode, error) {
	value, err := state.Get(stateFail)
	if err != nil || value == nil {
		return modeA, nil
	}
	mode, ok := value.(string)
	if !ok || !slices.Contains(modes, failureMode(mode)) {
		return "", errs.New(errs.Invalid, "The session state %q must be one of %s.", stateFail, modeList())
	}
	return failureMode(mode), nil
}

func modeList() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(modes), " ", ", "), "[]")
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
		case mode == modeA:
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
	case modeModel:
		return nil, errs.New(errs.Unavailable, "The model did not answer.")
	case modeTimeout:
		<-ctx.Done()
		return nil, context.Cause(ctx)
	case modePanic:
		panic(simulated)
	default:
		return nil, nil
	}
}

func failIn(fails failureMode) llmagent.BeforeModelCallback {
	return func(ctx agent.Context, _ *model.LLMRequest) (*model.LLMResponse, error) {
		if mode, err := modeOf(ctx.ReadonlyState()); err != nil || mode != fails {
			return nil, err
		}
		return &model.LLMResponse{
			Content: genai.NewContentFromText(outcome.Failed(simulated).String(), genai.RoleModel),
		}, nil
	}
}
