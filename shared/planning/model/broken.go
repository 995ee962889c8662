package model

import (
	"strings"

	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/strictjson"
)

// stage says how far an answer came before it failed.
type stage string

const (
	stageEmpty      stage = "empty"
	stageTruncated  stage = "truncated"
	stageTooLong    stage = "too_long"
	stageUnreadable stage = "unreadable"
	stageInvalid    stage = "invalid"
	stageDisputed   stage = "disputed"
)

// brokenError is what is wrong with an answer that the model may put right.
type brokenError struct {
	stage    stage
	problems []strictjson.Problem
}

// broken returns nil where there is no problem.
func broken(s stage, problems ...strictjson.Problem) error {
	if len(problems) == 0 {
		return nil
	}
	return &brokenError{stage: s, problems: problems[:min(len(problems), maxReasons)]}
}

func (e *brokenError) Error() string { return string(e.stage) + ": " + e.reasons() }

func (e *brokenError) reasons() string {
	lines := make([]string, len(e.problems))
	for i, problem := range e.problems {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "; ")
}

// repair continues the conversation: the model's answer as it gave it, for its
// thoughts may be signed, and what was wrong with it. An answer that is not
// there or is too long is left out.
func (e *brokenError) repair(response *genai.GenerateContentResponse) []*genai.Content {
	reasons := dataPart(map[string]any{"problems": e.problems})
	switch e.stage {
	case stageUnreadable, stageInvalid, stageDisputed:
		return []*genai.Content{response.Candidates[0].Content, reasons}
	default:
		return []*genai.Content{reasons}
	}
}
