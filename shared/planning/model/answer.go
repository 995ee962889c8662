package model

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/strictjson"
)

// textOf returns what the model wrote, once it is sure that it finished. Read
// the reason first: an answer that was cut off can still look like JSON.
func textOf(response *genai.GenerateContentResponse) (string, error) {
	if blocked := response.PromptFeedback; blocked != nil && blocked.BlockReason != "" {
		return "", refused(string(blocked.BlockReason))
	}
	if len(response.Candidates) == 0 || response.Candidates[0] == nil {
		return "", broken(stageEmpty, strictjson.Problem{Message: "there was no answer"})
	}
	candidate := response.Candidates[0]
	switch candidate.FinishReason {
	case genai.FinishReasonStop:
	case genai.FinishReasonMaxTokens:
		return "", broken(
			stageTruncated,
			strictjson.Problem{Message: "the answer was cut off; answer with less text"},
		)
	case "", genai.FinishReasonUnspecified, genai.FinishReasonOther:
		return "", broken(stageEmpty, strictjson.Problem{Message: "the answer did not end as it should"})
	default:
		return "", refused(string(candidate.FinishReason))
	}
	text := written(candidate.Content)
	if len(text) > maxAnswerBytes {
		return "", broken(
			stageTooLong,
			strictjson.Problem{Message: fmt.Sprintf("the answer is longer than %d bytes", maxAnswerBytes)},
		)
	}
	if text == "" {
		return "", broken(stageEmpty, strictjson.Problem{Message: "the answer is empty"})
	}
	return text, nil
}

func refused(reason string) error {
	return gemini.Failed(errs.Unusable, gemini.AnswerBlocked, fmt.Errorf("the model stopped with %s", reason),
		"The model refused to answer this instruction. Write it in other words, or write the plan by hand.")
}

// written joins the text of a content, without the model's thoughts.
func written(content *genai.Content) string {
	if content == nil {
		return ""
	}
	var text strings.Builder
	for _, part := range content.Parts {
		if part != nil && !part.Thought {
			text.WriteString(part.Text)
		}
	}
	return unfenced(text.String())
}

// unfenced takes off the Markdown fence that some models put around JSON.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	inside, opened := strings.CutPrefix(text, "```")
	if inside, closed := strings.CutSuffix(inside, "```"); opened && closed {
		return strings.TrimSpace(strings.TrimPrefix(inside, "json"))
	}
	return text
}

// decode reads an answer: operations, or a *planning.ClarificationError with
// the model's questions. Where there are both, the questions count.
func decode(text string) ([]plan.Operation, error) {
	var operations []plan.Operation
	var questions []string
	problems := strictjson.ReadObject([]byte(text), func(o *strictjson.Object) {
		operations = plan.ReadModelOperations(o.Optional("operations"))
		questions, _ = o.Optional("questions").Strings()
	})
	if len(problems) > 0 {
		return nil, broken(stageUnreadable, problems...)
	}
	if asked := readable(questions); len(asked) > 0 {
		return nil, &planning.ClarificationError{Class: "model_question", Questions: asked}
	}
	if len(operations) == 0 {
		return nil, broken(
			stageUnreadable,
			strictjson.Problem{Message: "there are neither operations nor questions"},
		)
	}
	return operations, nil
}

// readable keeps the questions that a person can be shown: a few, in one line
// each, without control characters.
func readable(questions []string) []string {
	var kept []string
	for _, q := range questions {
		q = strings.Join(strings.FieldsFunc(q, func(r rune) bool {
			return unicode.IsSpace(r) || !unicode.IsGraphic(r)
		}), " ")
		if runes := []rune(q); len(runes) > maxQuestionLength {
			q = string(runes[:maxQuestionLength]) + "..."
		}
		if q != "" && len(kept) < maxQuestions {
			kept = append(kept, q)
		}
	}
	return kept
}

// assemble puts the model's operations into a plan of ours. What identifies
// the plan is never the model's, and neither is what a reviewer reads: its
// descriptions need not be what its operations do.
func assemble(r planning.Request, operations []plan.Operation) *plan.Plan {
	for i := range operations {
		operations[i].OperationID, operations[i].Description = fmt.Sprintf("op_%02d", i+1), ""
	}
	return &plan.Plan{
		ExecutionID:       r.ExecutionID,
		CreatedAt:         r.CreatedAt.UTC().Format(time.RFC3339),
		SourceInstruction: r.Instruction,
		Operations:        operations,
	}
}

// outsideNames says which names of a plan are not in the closed lists, of those that
// there are.
func outsideNames(p *plan.Plan, names *planning.Names) []strictjson.Problem {
	var problems []strictjson.Problem
	for _, list := range []struct {
		column plan.Column
		field  string
		closed []string
	}{
		{plan.ColumnCategory, "categories", names.Categories}, {plan.ColumnBrand, "brands", names.Brands},
		{plan.ColumnTags, "tags", names.Tags}, {plan.ColumnSKU, "skus", names.SKUs},
	} {
		known := make(map[string]bool, len(list.closed))
		for _, name := range list.closed {
			known[name] = true
		}
		check := func(path string, names []string) {
			for i, name := range names {
				if !known[name] {
					problems = append(
						problems,
						strictjson.Problem{
							Path:    fmt.Sprintf("%s[%d]", path, i),
							Message: "is not one of the given " + list.field,
						},
					)
				}
			}
		}
		for i, operation := range p.Operations {
			if only, except := operation.Filter.Names(list.column); names.Whole || len(known) > 0 {
				check(fmt.Sprintf("operations[%d].filter.%s", i, list.field), only)
				check(fmt.Sprintf("operations[%d].filter.exclude_%s", i, list.field), except)
			}
		}
	}
	return problems
}
