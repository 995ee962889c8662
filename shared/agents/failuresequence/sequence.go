// Package failuresequence is the app poc6_sequential_failure: four agents in a
// row, of which the first has a tool that fails, the next two are skipped
// after a failure, and the last always runs and says what happened.
//
//	RootAgent
//	  ErrorTestSequence   ADK's sequential agent
//	    AgentA            calls FailingTool; leaves agent_a_outcome
//	    AgentB            skipped unless A succeeded; leaves agent_b_outcome
//	    AgentC            skipped unless B succeeded; leaves agent_c_outcome
//	    AgentD            reads the three outcomes and sums them up
//
// The session state "fail" chooses what goes wrong: see failureMode.
package failuresequence

import (
	"cmp"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"time"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/tool"

	"github.com/planwright/planwright/prompts"
	"github.com/planwright/planwright/shared/agents/outcome"
	"github.com/planwright/planwright/shared/logging"
)

// App is the name under which clients reach the sequence.
const App = "poc6_sequential_failure"

// Where in state the outcomes are kept.
const (
	KeyA = "agent_a_outcome"
	KeyB = "agent_b_outcome"
	KeyC = "agent_c_outcome"
)

// Config is what the sequence is built from.
type Config struct {
	Model model.LLM
	// StepTimeout bounds each step; 0 is 20 s.
	StepTimeout time.Duration
	// Reserve is kept back from the request's deadline for AgentD; 0 is 10 s.
	Reserve time.Duration
	// Log gets "Sequence complete" and why steps failed; nil discards.
	Log *slog.Logger
}

// margin is kept back from the request's deadline after AgentD, to store and
// send what happened.
const margin = time.Second

// New returns the root agent.
func New(c Config) (agent.Agent, error) {
	c = c.withDefaults()
	sequence, err := outcome.Sequence(
		"ErrorTestSequence",
		"Runs A, B, C and D in order; D always runs.",
		c.agentA,
		c.agentB,
		c.agentC,
		c.agentD,
	)
	if err != nil {
		return nil, err
	}
	return agent.New(agent.Config{
		Name: "RootAgent", Description: "Starts ErrorTestSequence and logs its completion.",
		SubAgents: []agent.Agent{sequence},
		Run:       c.runRoot(sequence),
	})
}

func (c Config) withDefaults() Config {
	c.StepTimeout = cmp.Or(c.StepTimeout, 20*time.Second)
	c.Reserve = cmp.Or(c.Reserve, 10*time.Second)
	c.Log = cmp.Or(c.Log, logging.Discard)
	return c
}

func (c Config) step(key, skipMessage string) outcome.Step {
	return outcome.Step{
		Key: key, SkipMessage: skipMessage, Log: c.Log,
		Limit: outcome.Limit{Timeout: c.StepTimeout, Reserve: c.Reserve},
	}
}

func (c Config) agentA() (agent.Agent, error) {
	failing, err := failingTool()
	if err != nil {
		return nil, err
	}
	step := c.step(KeyA, "")
	config := c.stepAgent(
		"AgentA",
		"Calls FailingTool and reports how it went.",
		prompts.FailureSequenceAgentA,
		step,
	)
	config.Tools = []tool.Tool{failing}
	config.BeforeModelCallbacks = []llmagent.BeforeModelCallback{disturb}
	return guarded(config, step.Guard)
}

func (c Config) agentB() (agent.Agent, error) {
	return c.agentAfter(
		"AgentB",
		prompts.FailureSequenceAgentB,
		modeB,
		KeyA,
		c.step(KeyB, "Skipped due to Agent A failure."),
	)
}

func (c Config) agentC() (agent.Agent, error) {
	return c.agentAfter(
		"AgentC",
		prompts.FailureSequenceAgentC,
		modeC,
		KeyB,
		c.step(KeyC, "Skipped due to Agent B outcome."),
	)
}

// agentAfter returns an agent that runs only after the one that left
// previousKey succeeded.
func (c Config) agentAfter(
	name, instruction string,
	fails failureMode,
	previousKey string,
	step outcome.Step,
) (agent.Agent, error) {
	config := c.stepAgent(name, "Runs only after the step before it succeeded.", instruction, step)
	config.BeforeAgentCallbacks = []agent.BeforeAgentCallback{step.SkipUnlessSucceeded(previousKey)}
	config.BeforeModelCallbacks = []llmagent.BeforeModelCallback{failIn(fails)}
	return guarded(config, step.Guard)
}

// agentD is the step that always runs. It leaves no outcome, and where its model fails,
// or does not own up to how the steps ended, it ends with the deterministic summary.
func (c Config) agentD() (agent.Agent, error) {
	config := c.llmAgent("AgentD", "Sums up how the steps before it ended.", prompts.FailureSequenceAgentD)
	return guarded(config, func(inner agent.Agent) agent.Agent {
		return outcome.Guard(
			inner,
			outcome.Limit{Timeout: c.StepTimeout, Reserve: margin},
			nil,
			func(ctx agent.InvocationContext, answer outcome.Answer) outcome.Conclusion {
				state := ctx.Session().State()
				words := strings.TrimSpace(answer.Text)
				if answer.Failure != nil || !outcome.Tells(words, steps(state)) {
					words = outcome.Summary(steps(state), "D")
				}
				return outcome.Conclusion{Text: words}
			},
			c.Log,
		)
	})
}

// stepAgent returns what the agents that leave an outcome have in common.
func (c Config) stepAgent(name, description, instruction string, step outcome.Step) llmagent.Config {
	config := c.llmAgent(name, description, instruction)
	config.OutputKey = step.Key
	config.OnToolErrorCallbacks = []llmagent.OnToolErrorCallback{step.OnToolError}
	return config
}

// llmAgent returns what the four agents have in common. Each sees its own
// instruction and the current turn, not the turns before.
func (c Config) llmAgent(name, description, instruction string) llmagent.Config {
	return llmagent.Config{
		Name: name, Description: description, Instruction: instruction, Model: c.Model,
		IncludeContents:          llmagent.IncludeContentsNone,
		OnModelErrorCallbacks:    []llmagent.OnModelErrorCallback{outcome.MarkModelError},
		DisallowTransferToParent: true, DisallowTransferToPeers: true,
	}
}

func guarded(config llmagent.Config, guard func(agent.Agent) agent.Agent) (agent.Agent, error) {
	built, err := llmagent.New(config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", config.Name, err)
	}
	return guard(built), nil
}

func (c Config) runRoot(sequence agent.Agent) func(agent.InvocationContext) iter.Seq2[*session.Event, error] {
	return func(ctx agent.InvocationContext) iter.Seq2[*session.Event, error] {
		return func(yield func(*session.Event, error) bool) {
			for event, err := range sequence.Run(ctx) {
				if !yield(event, err) {
					return
				}
			}
			c.Log.InfoContext(ctx, "Sequence complete")
		}
	}
}

// steps are those before AgentD, with what state tells of them.
func steps(state session.ReadonlyState) []outcome.Named {
	return []outcome.Named{
		{Name: "A", Outcome: outcome.Read(state, KeyA)},
		{Name: "B", Outcome: outcome.Read(state, KeyB)},
		{Name: "C", Outcome: outcome.Read(state, KeyC)},
	}
}
