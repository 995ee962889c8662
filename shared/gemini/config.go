// Package gemini configures the client of Google's Gemini models: which of the
// two ways in is used, how long a call may take, what is tried again, and how
// a failure is told.
//
// The library retries uploads only; calls are retried here, in the HTTP
// transport, so that every user of the client has it, the agents' model included.
package gemini

import (
	"time"

	"github.com/planwright/planwright/shared/config"
)

// DefaultModel is the model of GEMINI_MODEL where it is not set.
const DefaultModel = "gemini-3.5-flash"

// Config says how Gemini is reached: through Vertex AI with the credentials of
// the environment, or through the Gemini API with a key.
type Config struct {
	// VertexAI (GOOGLE_GENAI_USE_VERTEXAI, default false) chooses Vertex AI.
	VertexAI bool
	// Project (GOOGLE_CLOUD_PROJECT) is the project that Vertex AI bills.
	Project string
	// Location (GOOGLE_CLOUD_LOCATION, default us-central1) is Vertex AI's
	// region, or "global".
	Location string
	// APIKey (GOOGLE_API_KEY) is the key of the Gemini API; not used with Vertex AI.
	APIKey config.Secret
	// Model (GEMINI_MODEL, default DefaultModel) is the model's name.
	Model string
	// Timeout (GEMINI_TIMEOUT, default 45s) bounds one call with its retries.
	Timeout time.Duration
}

// ReadConfig reads the variables named at each field of Config.
func ReadConfig(r *config.Reader) Config {
	c := Config{
		VertexAI: r.Bool("GOOGLE_GENAI_USE_VERTEXAI", false),
		Project:  r.String("GOOGLE_CLOUD_PROJECT", ""),
		Location: r.String("GOOGLE_CLOUD_LOCATION", "us-central1"),
		APIKey:   r.Secret("GOOGLE_API_KEY"),
		Model:    r.String("GEMINI_MODEL", DefaultModel),
		Timeout:  r.Duration("GEMINI_TIMEOUT", 45*time.Second),
	}
	switch {
	case c.VertexAI && c.Project == "":
		r.Problem("GOOGLE_GENAI_USE_VERTEXAI is true and GOOGLE_CLOUD_PROJECT is not set")
	case !c.VertexAI && c.APIKey == "":
		r.Problem("there is no way to reach Gemini: set GOOGLE_GENAI_USE_VERTEXAI=true with GOOGLE_CLOUD_PROJECT, or GOOGLE_API_KEY")
	}
	return c
}

// Available reports whether the variables ask for Gemini at all: Vertex AI is
// chosen or there is a key. One machine without either does without.
func Available(lookup config.Lookup) bool {
	r := config.Read(lookup)
	return r.Bool("GOOGLE_GENAI_USE_VERTEXAI", false) || r.Secret("GOOGLE_API_KEY") != ""
}
