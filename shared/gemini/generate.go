package gemini

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/genai"
)

// Generate is one call of the model. Its error is a *Failure. The library panics
// on an answer of another shape than it expects; that is one too.
func Generate(
	ctx context.Context,
	client *genai.Client,
	model string,
	contents []*genai.Content,
	config *genai.GenerateContentConfig,
) (response *genai.GenerateContentResponse, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			response, err = nil, unreadable(fmt.Errorf("genai panicked: %v", cause))
		}
	}()
	var wait time.Duration
	response, err = client.Models.GenerateContent(
		context.WithValue(ctx, waitKey{}, &wait),
		model,
		contents,
		config,
	)
	err = Translate(err)
	if failed, ok := errors.AsType[*failure](err); ok {
		failed.wait = wait
	}
	return response, err
}

// waitKey finds in a call's context where the transport leaves for how long the
// service asked when it was last turned away: the library's error does not say.
type waitKey struct{}
