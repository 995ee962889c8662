// Package prompts holds what the models are told, one file each, so that it
// can be read and reviewed as text. architecture_prompt.md and
// executor_prompt.md are documents: a person or a model reviews the product
// with them, and no program links them.
package prompts

import _ "embed" // the prompt files

// Planning is the system prompt of the planner's model. The instruction is not
// part of it: it travels beside it, as data.
//
//go:embed planner_prompt.md
var Planning string

// Instructions of the failure sequence's agents.
var (
	//go:embed failure_sequence_agent_a.md
	FailureSequenceAgentA string
	//go:embed failure_sequence_agent_b.md
	FailureSequenceAgentB string
	//go:embed failure_sequence_agent_c.md
	FailureSequenceAgentC string
	//go:embed failure_sequence_agent_d.md
	FailureSequenceAgentD string
)

// Instructions of the goal planning agents. What they must know of a session
// follows each as one line of JSON.
var (
	//go:embed goal_check_approval.md
	GoalCheckApproval string
	//go:embed goal_plan.md
	GoalPlan string
	//go:embed goal_finalize.md
	GoalFinalize string
)
