package planner

import (
	"encoding/json"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/strictjson"
)

// planAnswer is a stored plan as it is shown.
type planAnswer struct {
	Plan        json.RawMessage `json:"plan"` // canonical
	PlanSHA256  string          `json:"plan_sha256"`
	Explanation []string        `json:"explanation"` // as plan.Explain says it
	Warnings    []plan.Warning  `json:"warnings"`
	Agreement   string          `json:"agreement"` // both, model, grammar; "" for a plan written by hand
	Planner     plannerAnswer   `json:"planner"`
	CreatedAt   time.Time       `json:"created_at"` // when it was stored
	Upload      uploadAnswer    `json:"upload"`
}

// plannerAnswer says what made a plan.
type plannerAnswer struct {
	Model        string `json:"model"` // "" for a plan written by hand
	PromptSHA256 string `json:"prompt_sha256,omitempty"`
	Attempts     int    `json:"attempts,omitempty"`
}

// uploadAnswer says where to put the table that the plan is for.
type uploadAnswer struct {
	Bucket  string `json:"bucket"`
	Prefix  string `json:"prefix"`
	Command string `json:"command"`
}

// validAnswer is what there is to say about a plan that is not stored.
type validAnswer struct {
	Valid       bool           `json:"valid"`
	PlanSHA256  string         `json:"plan_sha256"`
	Explanation []string       `json:"explanation"`
	Warnings    []plan.Warning `json:"warnings"`
}

// describe shows a stored plan.
func (h handler) describe(stored ledger.StoredPlan) planAnswer {
	by := stored.Planner
	explanation, warnings := plan.Review(stored.Plan, stored.Categories)
	return planAnswer{
		Plan: stored.Canonical, PlanSHA256: stored.SHA256,
		Explanation: append(explanation, stored.Caveats()...), Warnings: strictjson.NotNil(warnings),
		Agreement: by.Agreement,
		Planner:   plannerAnswer{Model: by.Model, PromptSHA256: by.PromptSHA256, Attempts: by.Attempts},
		CreatedAt: stored.CreatedAt,
		Upload:    h.upload(stored.ExecutionID),
	}
}

func (h handler) upload(executionID string) uploadAnswer {
	return uploadAnswer{Bucket: h.InboxBucket, Prefix: executionID + "/", Command: h.UploadCommand(executionID)}
}
