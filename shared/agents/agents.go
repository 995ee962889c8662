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
	"iter"

	"google.golang.org/adk/v2/model"
	adkgemini "google.golang.org/adk/v2/model/gemini"
	"google.golang.org/genai"

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
	return sampled{llm, c.Sampling}, nil
}

// sampled is a Gemini model with parameters that its agents do not set.
type sampled struct {
	model.LLM
	sampling gemini.Sampling
}

// GenerateContent asks the model, with the parameters.
func (m sampled) GenerateContent(
	ctx context.Context,
	request *model.LLMRequest,
	stream bool,
) iter.Seq2[*model.LLMResponse, error] {
	asked, settings := *request, genai.GenerateContentConfig{}
	if request.Config != nil {
		settings = *request.Config
	}
	m.sampling.Apply(&settings)
	asked.Config = &settings
	return m.LLM.GenerateContent(ctx, &asked, stream)
}

// GetGoogleLLMVariant tells ADK which of the two ways in is used.
func (m sampled) GetGoogleLLMVariant() genai.Backend {
	return m.LLM.(interface{ GetGoogleLLMVariant() genai.Backend }).GetGoogleLLMVariant()
}
