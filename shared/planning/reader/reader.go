// Package reader understands plain-English instructions by a lexicon and a
// grammar, keeps every reading until the end, compares readings by what they do,
// and asks when they differ.
package reader

import (
	"context"

	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// Reader is the planner that needs no model.
type Reader struct{}

// New returns a reader. It has no state, and may be shared.
func New() Reader { return Reader{} }

var _ planning.Reader = Reader{}

// Plan implements planning.Planner. Its only error is a
// *planning.ClarificationError.
func (r Reader) Plan(ctx context.Context, request planning.Request) (planning.Draft, error) {
	return grammar.Planner{}.Plan(ctx, request)
}

// Read implements planning.Reader.
func (r Reader) Read(request planning.Request) planning.Understanding {
	draft, err := r.Plan(context.Background(), request)
	if err != nil {
		asked, ok := err.(*planning.ClarificationError)
		if !ok {
			asked = &planning.ClarificationError{Class: "unknown_words", Questions: []string{"Can you say it in other words?"}}
		}
		return planning.Understanding{Readings: asked.Readings, Asked: asked}
	}
	return planning.Understanding{Readings: []planning.Reading{{By: grammar.Model, Instruction: request.Instruction, Operations: draft.Plan.Operations}}}
}
