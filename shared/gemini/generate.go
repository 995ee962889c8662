package gemini

import (
	"context"
	"fmt"

	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
)

// Generate is one call of the model, its error translated. The library panics
// on an answer of another shape than it expects; that is Unusable too.
func Generate(ctx context.Context, client *genai.Client, model string, contents []*genai.Content, config *genai.GenerateContentConfig) (response *genai.GenerateContentResponse, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			response, err = nil, errs.Wrap(errs.Unusable, fmt.Errorf("genai panicked: %v", cause), unreadable)
		}
	}()
	response, err = client.Models.GenerateContent(ctx, model, contents, config)
	return response, Translate(err)
}
