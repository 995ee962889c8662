// Package agents builds the model that the agents of its subpackages ask.
//
//	goalplanning/     the app goal_planning_agent
//	failuresequence/  the app poc6_sequential_failure
//	outcome/          what both are made of: skipping after a failure, and the
//	                  step that always runs
//	offline/          answers by rules where there is no model; each app's lie
//	                  beside it
package agents

import (
	"context"

	"google.golang.org/adk/v2/model"
	adkgemini "google.golang.org/adk/v2/model/gemini"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/gemini"
)

// NewModel returns ADK's Gemini model over our client, which bounds and retries its calls.
func NewModel(ctx context.Context, c gemini.Config, options gemini.Options) (model.LLM, error) {
	settings, err := gemini.ClientConfig(c, options)
	if err != nil {
		return nil, err
	}
	llm, err := adkgemini.NewModel(ctx, c.Model, settings)
	if err != nil {
		return nil, errs.Wrap(errs.Internal, err, "The Gemini client cannot be built from its configuration.")
	}
	return llm, nil
}
