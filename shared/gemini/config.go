// Package gemini configures the client of Google's Gemini models: which of the
// two ways in is used, how long a call may take, what is tried again, and how
// a failure is told.
//
// The library retries uploads only; calls are retried here, in the HTTP
// transport, so that every user of the client has it, the agents' model included.
package gemini

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/config"
)

// DefaultModel is the model of GEMINI_MODEL where it is not set. Google's pages, read on
// 28 November 2026: generally available since 2 September 2026 at global, us and eu, and
// named to take the place of gemini-2.5-pro, which ends on 1 December 2026.
// https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/guides/gemini-3-8-flash
const DefaultModel = "gemini-3.8-flash"

// maxOutputTokens bounds what one call may write, thinking included, where it sets no bound.
const maxOutputTokens = 16 << 10

// Config says how Gemini is reached: through Vertex AI with the credentials of
// the environment, or through the Gemini API with a key.
type Config struct {
	// VertexAI (GOOGLE_GENAI_USE_VERTEXAI, default false) chooses Vertex AI.
	VertexAI bool
	// Project (GOOGLE_CLOUD_PROJECT) is the project that Vertex AI bills.
	Project string
	// Location (GOOGLE_CLOUD_LOCATION, or GOOGLE_CLOUD_REGION, default global) is
	// where Vertex AI is asked: global, us, eu, or a region.
	Location string
	// APIKey (GOOGLE_API_KEY, or GEMINI_API_KEY) is the key of the Gemini API; not
	// used with Vertex AI.
	APIKey config.Secret
	// Model (GEMINI_MODEL, default DefaultModel) is the model's name.
	Model string
	// Timeout (GEMINI_TIMEOUT, default 45s) bounds one call with its retries.
	Timeout time.Duration
	// HideNames (GEMINI_NAMES=false) keeps from the model that plans the names of the
	// shop's categories, brands, tags, SKUs and products. Rows it never sees.
	HideNames bool
	// Sampling says how the model chooses its words.
	Sampling Sampling
}

// Sampling are the parameters by which a model thinks and chooses its words. What is not
// set is left to the model: Google advises against a temperature and top_p of one's own
// from Gemini 3 on.
type Sampling struct {
	Temperature *float32 // GEMINI_TEMPERATURE, 0 to 2
	TopP        *float32 // GEMINI_TOP_P, 0 to 1
	// GEMINI_THINKING, default low; "" for models before Gemini 3, which have none
	Thinking genai.ThinkingLevel
}

// Apply sets in a call's settings what is not left to the model, and bounds its answer.
func (s Sampling) Apply(c *genai.GenerateContentConfig) {
	c.Temperature, c.TopP = cmp.Or(s.Temperature, c.Temperature), cmp.Or(s.TopP, c.TopP)
	c.MaxOutputTokens = cmp.Or(c.MaxOutputTokens, maxOutputTokens)
	if s.Thinking != "" && c.ThinkingConfig == nil {
		c.ThinkingConfig = &genai.ThinkingConfig{ThinkingLevel: s.Thinking}
	}
}

// ReadConfig reads the variables named at each field of Config.
func ReadConfig(r *config.Reader) Config {
	c := read(r)
	c.check(r)
	return c
}

// ReadOptionalConfig is ReadConfig for a program that can do without Gemini. It returns
// nil if the variables choose neither Vertex AI nor a key of the Gemini API.
func ReadOptionalConfig(r *config.Reader) *Config {
	c := read(r)
	if !c.VertexAI && c.APIKey == "" {
		return nil
	}
	c.check(r)
	return &c
}

func read(r *config.Reader) Config {
	c := Config{
		VertexAI: r.Bool("GOOGLE_GENAI_USE_VERTEXAI", false),
		Project:  r.String("GOOGLE_CLOUD_PROJECT", ""),
		Location: cmp.Or(
			r.String("GOOGLE_CLOUD_LOCATION", ""),
			r.String("GOOGLE_CLOUD_REGION", ""),
			"global",
		),
		APIKey:    cmp.Or(r.Secret("GOOGLE_API_KEY"), r.Secret("GEMINI_API_KEY")),
		Model:     r.String("GEMINI_MODEL", DefaultModel),
		Timeout:   r.Duration("GEMINI_TIMEOUT", 45*time.Second),
		HideNames: !r.Bool("GEMINI_NAMES", true),
		Sampling: Sampling{
			Temperature: r.Float("GEMINI_TEMPERATURE", 0, 2),
			TopP:        r.Float("GEMINI_TOP_P", 0, 1),
		},
	}
	if level := r.OneOf("GEMINI_THINKING", "low", "medium", "high"); thinksByLevel(c.Model) {
		c.Sampling.Thinking = genai.ThinkingLevel(strings.ToUpper(level))
	}
	return c
}

// thinksByLevel reports whether a model takes a thinking level, as those from Gemini 3 on do.
func thinksByLevel(model string) bool {
	return !strings.HasPrefix(model, "gemini-1") && !strings.HasPrefix(model, "gemini-2")
}

// check reports what would keep the client from reaching the model.
func (c Config) check(r *config.Reader) {
	switch {
	case c.VertexAI && c.Project == "":
		r.Problem("GOOGLE_GENAI_USE_VERTEXAI is true and GOOGLE_CLOUD_PROJECT is not set")
	case c.VertexAI && !served(c.Model, c.Location):
		r.Problem(
			"%s is not served at the location %q, only at %s: set GOOGLE_CLOUD_LOCATION to one of them, or GEMINI_MODEL to a model that is served there",
			c.Model,
			c.Location,
			strings.Join(everyModel, ", "),
		)
	case !c.VertexAI && c.APIKey == "":
		r.Problem(
			"there is no way to reach Gemini: set GOOGLE_GENAI_USE_VERTEXAI=true with GOOGLE_CLOUD_PROJECT, or GOOGLE_API_KEY",
		)
	}
}

// everyModel are the locations of Vertex AI that serve each model from Gemini 3 on. Single
// regions serve models before it, and of those from it on gemini-3.5-flash alone, some of
// them. Google's guides to 3.5, 3.7 and 3.8 Flash, read on 28 November 2026.
var everyModel = []string{"global", "us", "eu"}

func served(model, location string) bool {
	elsewhere := !strings.HasPrefix(model, "gemini-3") || model == "gemini-3.5-flash"
	return elsewhere || slices.Contains(everyModel, location)
}
