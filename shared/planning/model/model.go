// Package model is the planner that asks a Gemini model.
//
// The model proposes and this package disposes. It is given the instruction as
// data, beside a fixed system prompt, and is held to a schema. Its answer is
// hostile until proven otherwise: bounded, decoded strictly, put under our own
// ids and dates, validated, and held against the instruction. What fails is sent
// back with the reasons, at most twice. Then there is no plan, or one that is
// still disputed, which is for others to judge.
package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"unicode"

	"google.golang.org/genai"

	"github.com/planwright/planwright/prompts"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/strictjson"
)

const (
	maxAttempts       = 3         // the first answer and two repairs
	maxAnswerBytes    = 512 << 10 // as much as a plan may hold
	maxOutputTokens   = 32 << 10  // thinking counts
	maxQuestions      = 5
	maxQuestionLength = 300     // characters
	maxReasons        = 20      // problems that are sent back or shown
	maxNames          = 200     // of one list that the model is given: of longer ones those that share
	maxNameBytes      = 8 << 10 // a word with the instruction
)

// Check reports what speaks against a plan, none where nothing does. It is sent
// to the model.
type Check func(ctx context.Context, r planning.Request, made *plan.Plan) []strictjson.Problem

// Gemini is the planner that asks a Gemini model.
type Gemini struct {
	client *genai.Client
	model  string
	hides  bool // the shop's names are kept from the model
	check  Check
	log    *slog.Logger
	config *genai.GenerateContentConfig
	prompt string // the hash of the system prompt
}

// New returns a planner over the configuration's model, which is asked again where
// check finds fault with its plan.
func New(client *genai.Client, c gemini.Config, check Check, log *slog.Logger) *Gemini {
	sum := sha256.Sum256([]byte(prompts.Planning))
	p := &Gemini{
		client: client, model: c.Model, hides: c.HideNames, check: check, log: log,
		prompt: hex.EncodeToString(sum[:]),
		config: &genai.GenerateContentConfig{
			SystemInstruction: genai.NewContentFromText(prompts.Planning, ""),
			MaxOutputTokens:   maxOutputTokens,
			ResponseMIMEType:  "application/json",
		},
	}
	c.Sampling.Apply(p.config)
	return p
}

// responseSchema lets the model answer with questions or with operations, in that order: a
// model that has written operations asks nothing any more. Google names optional and
// bounded fields among the causes of "too many states for serving", so it has no bounds,
// which are checked when the answer is read, and no fields for names that the shop
// does not have.
func responseSchema(names *planning.Names) map[string]any {
	schema := plan.ResponseSchema()
	properties := schema["properties"].(map[string]any)
	properties["questions"] = map[string]any{
		"type":        "array",
		"description": "What to ask the merchant, where the instruction is not clear. Then operations is empty.",
		"items":       map[string]any{"type": "string"},
	}
	order := []any{"questions", "operations"}
	schema["propertyOrdering"], schema["required"] = order, order
	operation := properties["operations"].(map[string]any)["items"].(map[string]any)
	withoutFields(operation, "description")
	filter := operation["properties"].(map[string]any)["filter"].(map[string]any)
	for field, known := range map[string][]string{
		"categories": names.Categories,
		"brands":     names.Brands,
		"tags":       names.Tags,
		"skus":       names.SKUs,
	} {
		if names.Whole && len(known) == 0 {
			withoutFields(filter, field, "exclude_"+field)
		}
	}
	return schema
}

// withoutFields takes fields of an object out of its schema.
func withoutFields(schema map[string]any, fields ...string) {
	properties := schema["properties"].(map[string]any)
	for _, field := range fields {
		delete(properties, field)
	}
	order := schema["propertyOrdering"].([]any)
	schema["propertyOrdering"] = slices.DeleteFunc(
		order,
		func(name any) bool { return slices.Contains(fields, name.(string)) },
	)
}

// Plan asks the model, and asks again where its answer will not do. It returns
// a *planning.ClarificationError where the model asks a question, and a
// *gemini.Failure where it does not answer, or three answers were no plan. A plan
// that check still objects to the third time is returned all the same.
func (p *Gemini) Plan(ctx context.Context, r planning.Request) (planning.Planned, error) {
	sent := r
	if p.hides {
		sent.Names = planning.Names{}
	}
	contents := []*genai.Content{dataPart(questionOf(sent))}
	config := *p.config
	config.ResponseJsonSchema = responseSchema(&sent.Names)
	by := plans.PlannedBy{Model: p.model, PromptSHA256: p.prompt, Agreement: planning.AgreementModel}
	var fault error
	for attempt := 1; attempt <= maxAttempts; attempt++ {
		response, err := gemini.Generate(ctx, p.client, p.model, contents, &config)
		if err != nil {
			return planning.Planned{Planner: by}, err
		}
		p.count(ctx, &by, response)
		candidate, err := p.plan(response, r)
		if err == nil && attempt < maxAttempts {
			err = broken(stageDisputed, p.check(ctx, r, candidate)...)
		}
		if err == nil {
			return planning.Planned{Plan: candidate, Planner: by}, nil
		}
		var broken *brokenError
		if !errors.As(err, &broken) {
			return planning.Planned{Planner: by}, err
		}
		p.log.WarnContext(ctx, "the model's answer will not do",
			"attempt", attempt, "stage", broken.stage, "reasons", broken.reasons())
		contents = append(contents, broken.repair(response)...)
		fault = gemini.Failed(
			errs.Unusable,
			gemini.UnusableAnswer,
			broken,
			"The model answered %d times without a plan that can be used. Write the instruction in other words, or write the plan by hand.",
			maxAttempts,
		)
	}
	return planning.Planned{Planner: by}, fault
}

// count adds a response to what the plan has cost.
func (p *Gemini) count(ctx context.Context, by *plans.PlannedBy, response *genai.GenerateContentResponse) {
	by.Attempts++
	used := response.UsageMetadata
	if used == nil {
		return
	}
	if by.Tokens == nil {
		by.Tokens = &plans.Tokens{}
	}
	by.Tokens.Add(plans.Tokens{
		Prompt: int64(used.PromptTokenCount), Answer: int64(used.CandidatesTokenCount),
		Cached: int64(used.CachedContentTokenCount), Thoughts: int64(used.ThoughtsTokenCount),
	})
	p.log.InfoContext(ctx, "the model answered", "model", p.model,
		"attempt", by.Attempts, "tokens", *by.Tokens)
}

// plan makes a plan of one response. An error that is worth another attempt is
// a *brokenError.
func (p *Gemini) plan(response *genai.GenerateContentResponse, r planning.Request) (*plan.Plan, error) {
	text, err := textOf(response)
	if err != nil {
		return nil, err
	}
	operations, err := decode(text)
	if err != nil {
		return nil, err
	}
	made := assemble(r, operations)
	if err := made.Validate(); err != nil {
		var invalid *plan.InvalidError
		if !errors.As(err, &invalid) {
			return nil, err
		}
		return nil, broken(stageInvalid, invalid.Problems...)
	}
	return made, broken(stageInvalid, outsideNames(made, &r.Names)...)
}

// question is what the model is asked: data beside the system prompt, so that
// nothing in an instruction can pass for one of ours.
type question struct {
	Instruction string   `json:"instruction"`
	Categories  []string `json:"categories,omitempty"`
	Brands      []string `json:"brands,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	SKUs        []string `json:"skus,omitempty"`
	Products    []string `json:"products,omitempty"`
}

func questionOf(r planning.Request) question {
	said := map[string]bool{}
	for _, word := range wordsOf(r.Instruction) {
		said[word] = true
	}
	resembles := func(name string) bool {
		return slices.ContainsFunc(wordsOf(name), func(word string) bool { return said[word] })
	}
	given := func(names []string) (kept []string) {
		bytes := 0
		for _, name := range names {
			if len(kept) < maxNames && bytes+len(name) <= maxNameBytes &&
				(len(names) <= maxNames || resembles(name)) {
				kept, bytes = append(kept, name), bytes+len(name)
			}
		}
		return kept
	}
	return question{
		r.Instruction,
		given(r.Categories),
		given(r.Brands),
		given(r.Tags),
		given(r.SKUs),
		given(r.Products),
	}
}

// wordsOf are the words of a text in lower case, without the s of a plural.
func wordsOf(text string) []string {
	words := strings.FieldsFunc(
		strings.ToLower(text),
		func(char rune) bool { return !unicode.IsLetter(char) && !unicode.IsDigit(char) },
	)
	for i := range words {
		words[i] = strings.TrimSuffix(words[i], "s")
	}
	return words
}

func dataPart(v any) *genai.Content {
	data, err := json.Marshal(v)
	if err != nil {
		panic("model: data that is not JSON: " + err.Error()) // strings and lists of them always are
	}
	return genai.NewContentFromText(string(data), genai.RoleUser)
}
