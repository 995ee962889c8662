package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/prompts"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/model"
	"github.com/planwright/planwright/shared/strictjson"
)

const (
	instruction = "Increase prices by 10% for all in-stock fitness products."
	operations  = `{"operations":[{"operation_id":"raise","description":"Sets everything to 0.","filter":{"categories":["fitness"],"in_stock":true},"action":{"type":"percent_increase","value":10.0}}]}`
	canonical   = `{"created_at":"2026-01-02T03:04:05Z","execution_id":"plan_increase_prices_v1","operations":[{"action":{"type":"percent_increase","value":10},"filter":{"categories":["fitness"],"in_stock":true},"operation_id":"op_01"}],"source_instruction":"Increase prices by 10% for all in-stock fitness products."}`
)

// reply is one answer of the service, as it goes over the wire.
type reply struct {
	status int
	body   string
	hang   bool
}

// says is an answer with the text as the service sends it.
func says(text string) reply { return ends(text, "STOP") }

func ends(text, reason string) reply {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return reply{status: 200, body: fmt.Sprintf(`{"candidates":[{"content":{"parts":[{"text":"thinking it over","thought":true},{"text":%s,"thoughtSignature":"c2ln"}],"role":"model"},"finishReason":%q,"index":0}],
		"usageMetadata":{"promptTokenCount":900,"candidatesTokenCount":80,"totalTokenCount":1200,"thoughtsTokenCount":220,"cachedContentTokenCount":512},"modelVersion":"gemini-3.5-flash","responseId":"r1"}`, quoted, reason)}
}

// service is the transport of a scripted service. It keeps every request.
type service struct {
	replies  []reply
	requests []request
}

type request struct {
	URL  string
	Body struct {
		Contents []struct {
			Role  string
			Parts []struct{ Text, ThoughtSignature string }
		}
		SystemInstruction struct{ Parts []struct{ Text string } }
		GenerationConfig  struct {
			Temperature        *float64
			CandidateCount     *int // which models from Gemini 3 on refuse
			ResponseMimeType   string
			ResponseJsonSchema map[string]any
		}
	}
}

func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	var got request
	got.URL = r.URL.String()
	if err := json.NewDecoder(r.Body).Decode(&got.Body); err != nil {
		return nil, err
	}
	s.requests = append(s.requests, got)
	if len(s.requests) > len(s.replies) {
		return nil, fmt.Errorf("request %d is not in the script", len(s.requests))
	}
	next := s.replies[len(s.requests)-1]
	if next.hang {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: next.status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(next.body)), Request: r}, nil
}

// ask runs the planner against the script. Its check objects to plans that do not
// raise by 10.
func ask(t *testing.T, categories []string, replies ...reply) (planning.Planned, *service, error) {
	t.Helper()
	return askAbout(t, planning.Names{Categories: categories}, replies...)
}

func askAbout(t *testing.T, names planning.Names, replies ...reply) (planning.Planned, *service, error) {
	t.Helper()
	s := &service{replies: replies}
	client, err := gemini.NewClient(t.Context(), gemini.Config{APIKey: "k", Timeout: 30 * time.Second}, gemini.Options{Transport: s})
	if err != nil {
		t.Fatal(err)
	}
	check := func(_ context.Context, _ planning.Request, p *plan.Plan) []strictjson.Problem {
		if got := p.Operations[0].Action.Value.String(); got != "10" {
			return []strictjson.Problem{{Path: "operations[0].action.value", Message: got + " is not said in the instruction"}}
		}
		return nil
	}
	draft, err := model.New(client, gemini.Config{Model: "gemini-3.5-flash"}, check, logging.Discard).Plan(t.Context(), planning.Request{
		Instruction: instruction, ExecutionID: "plan_increase_prices_v1", Names: names,
		CreatedAt: time.Date(2026, 1, 2, 4, 4, 5, 6, time.FixedZone("CET", 3600)),
	})
	return draft, s, err
}

func TestPlans(t *testing.T) {
	wrong := strings.Replace(operations, `"value":10.0`, `"value":true`, 1)
	deep := `{"operations":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`
	tests := []struct {
		name     string
		replies  []reply
		attempts int
	}{
		{"good answer", []reply{says(operations)}, 1},
		{"fenced JSON", []reply{says("```json\n" + operations + "\n```\n")}, 1},
		{"empty questions beside operations", []reply{says(strings.Replace(operations, "{", `{"questions":[],`, 1))}, 1},
		{"wrong schema then right", []reply{says(wrong), says(operations)}, 2},
		{"truncated then right", []reply{ends(operations[:40], "MAX_TOKENS"), says(operations)}, 2},
		{"truncated where it still looks whole", []reply{ends(operations, "MAX_TOKENS"), says(operations)}, 2},
		{"empty candidates then right", []reply{{status: 200, body: `{"candidates":[],"usageMetadata":{}}`}, says(operations)}, 2},
		{"no text then right", []reply{says(""), says(operations)}, 2},
		{"not JSON, a field of its own, then right", []reply{says("Sure! " + operations), says(strings.Replace(operations, "{", `{"execution_id":"mine_mine",`, 1)), says(operations)}, 3},
		{"a number not in the instruction then right", []reply{says(strings.Replace(operations, "10.0", "12", 1)), says(operations)}, 2},
		{"NaN then right", []reply{says(strings.Replace(operations, "10.0", "NaN", 1)), says(operations)}, 2},
		{"a huge number then right", []reply{says(strings.Replace(operations, "10.0", strings.Repeat("9", 100_000), 1)), says(operations)}, 2},
		{"deep nesting then right", []reply{says(deep), says(operations)}, 2},
		{"a megabyte then right", []reply{says(operations + strings.Repeat(" x", 1<<19)), says(operations)}, 2},
		{"503 then right", []reply{{status: 503, body: `{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}`}, says(operations)}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				draft, _, err := ask(t, nil, tt.replies...)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(canonical, string(draft.Plan.Canonical())); diff != "" {
					t.Errorf("plan (-want +got):\n%s", diff)
				}
				by := draft.Planner
				if by.Model != "gemini-3.5-flash" || by.Attempts != tt.attempts || by.Agreement != "model" || len(by.PromptSHA256) != 64 {
					t.Errorf("planner %+v, want %d attempts", by, tt.attempts)
				}
				counted := int64(0) // answers that came with a count
				for _, reply := range tt.replies {
					counted += int64(strings.Count(reply.body, "promptTokenCount"))
				}
				if diff := cmp.Diff(&plans.Tokens{Prompt: 900 * counted, Answer: 80 * counted, Cached: 512 * counted, Thoughts: 220 * counted}, by.Tokens); diff != "" {
					t.Errorf("tokens (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestFailures(t *testing.T) {
	status := func(code int) reply {
		return reply{status: code, body: fmt.Sprintf(`{"error":{"code":%d,"message":"internal detail 10.0.0.7","status":"X"}}`, code)}
	}
	tests := []struct {
		name     string
		replies  []reply
		kind     errs.Kind
		class    string // of a clarification
		question string
	}{
		{"prompt blocked", []reply{{status: 200, body: `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}`}}, errs.Unusable, "", ""},
		{"answer blocked", []reply{ends("", "SAFETY")}, errs.Unusable, "", ""},
		{"no answer three times", []reply{says(""), says(""), says("")}, errs.Unusable, "", ""},
		{"cut off three times", []reply{ends("{", "MAX_TOKENS"), ends("{", "MAX_TOKENS"), ends("{", "MAX_TOKENS")}, errs.Unusable, "", ""},
		{"nonsense three times", []reply{says("no"), says(`[]`), says(`{"operations":[]}`)}, errs.Unusable, "", ""},
		{"the model asks", []reply{says(`{"questions":["By percent,\n or by amount?\u0000\u202e"],"operations":[]}`)}, errs.Invalid, "model_question", "By percent, or by amount?"},
		{"the model asks and plans", []reply{says(strings.Replace(operations, "{", `{"questions":["Percent?"],`, 1))}, errs.Invalid, "model_question", "Percent?"},
		{"429", []reply{status(429), status(429), status(429), status(429)}, errs.Unavailable, "", ""},
		{"500", []reply{status(500)}, errs.Unavailable, "", ""},
		{"503", []reply{status(503), status(503), status(503), status(503)}, errs.Unavailable, "", ""},
		{"hang", []reply{{hang: true}}, errs.Deadline, "", ""},
		{"not the wire format", []reply{{status: 200, body: `{"candidates": 5}`}}, errs.Unusable, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, s, err := ask(t, nil, tt.replies...)
				if errs.KindOf(err) != tt.kind {
					t.Fatalf("kind %q of %v, want %q", errs.KindOf(err), err, tt.kind)
				}
				if len(s.requests) != len(tt.replies) {
					t.Errorf("%d requests, want %d", len(s.requests), len(tt.replies))
				}
				if strings.Contains(errs.Message(err), "10.0.0.7") {
					t.Errorf("the message shows the back end's text: %s", errs.Message(err))
				}
				var asked *planning.ClarificationError
				if errors.As(err, &asked) != (tt.class != "") {
					t.Fatalf("%v; want a clarification: %t", err, tt.class != "")
				}
				if asked != nil && (asked.Class != tt.class || len(asked.Questions) != 1 || !strings.Contains(asked.Questions[0], tt.question)) {
					t.Errorf("class %s, questions %q; want %s, %q", asked.Class, asked.Questions, tt.class, tt.question)
				}
			})
		})
	}
}

func TestTheInstructionIsData(t *testing.T) {
	_, s, err := ask(t, []string{"fitness", "yoga"}, says(operations))
	if err != nil {
		t.Fatal(err)
	}
	sent := s.requests[0]
	if got := sent.Body.SystemInstruction.Parts[0].Text; got != prompts.Planning {
		t.Errorf("the system prompt is not the file's text: %.80s", got)
	}
	if len(sent.Body.Contents) != 1 || sent.Body.Contents[0].Role != "user" {
		t.Fatalf("contents %+v", sent.Body.Contents)
	}
	want := `{"instruction":"Increase prices by 10% for all in-stock fitness products.","categories":["fitness","yoga"]}`
	if diff := cmp.Diff(want, sent.Body.Contents[0].Parts[0].Text); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
	config := sent.Body.GenerationConfig
	if config.Temperature != nil || config.CandidateCount != nil || config.ResponseMimeType != "application/json" {
		t.Errorf("config %+v", config)
	}
	properties, _ := config.ResponseJsonSchema["properties"].(map[string]any)
	if properties["operations"] == nil || properties["questions"] == nil {
		t.Errorf("the schema offers %v", properties)
	}
	if !strings.HasSuffix(sent.URL, "/models/gemini-3.5-flash:generateContent") {
		t.Errorf("URL %s", sent.URL)
	}
}

// Questions come before operations, both always. Of the other fields none has a bound, and
// those are left out whose names a whole table does not have.
func TestTheSchemaThatIsSent(t *testing.T) {
	for name, tc := range map[string]struct {
		names    planning.Names
		optional int
		absent   []string
	}{
		"no names":    {planning.Names{}, 27, []string{"description"}},
		"a list":      {planning.Names{Categories: []string{"fitness"}}, 27, []string{"description"}},
		"whole table": {planning.Names{Categories: []string{"fitness"}, SKUs: []string{"A1"}, Whole: true}, 23, []string{"description", "tags", "exclude_tags", "brands", "exclude_brands"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, s, err := askAbout(t, tc.names, says(operations))
			if err != nil {
				t.Fatal(err)
			}
			schema := s.requests[0].Body.GenerationConfig.ResponseJsonSchema
			order := []any{"questions", "operations"}
			if diff := cmp.Diff([]any{order, order}, []any{schema["propertyOrdering"], schema["required"]}); diff != "" {
				t.Errorf("order and required fields (-want +got):\n%s", diff)
			}
			optional, fields := 0, map[string]bool{}
			walk(schema, func(part map[string]any) {
				properties, _ := part["properties"].(map[string]any)
				required, _ := part["required"].([]any)
				order, _ := part["propertyOrdering"].([]any)
				if len(order) != len(properties) {
					t.Errorf("%d fields and an order of %v", len(properties), order)
				}
				for _, field := range order {
					fields[field.(string)] = true
				}
				optional += len(properties) - len(required)
				for _, bound := range []string{"minimum", "maximum", "minItems", "maxItems"} {
					if part[bound] != nil {
						t.Errorf("%v has the bound %s", part, bound)
					}
				}
			})
			if optional != tc.optional {
				t.Errorf("%d optional fields, want %d", optional, tc.optional)
			}
			for _, field := range tc.absent {
				if fields[field] {
					t.Errorf("the field %s is sent", field)
				}
			}
		})
	}
}

// walk visits a schema and all schemas in it.
func walk(schema any, visit func(map[string]any)) {
	switch schema := schema.(type) {
	case map[string]any:
		if schema["type"] != nil || schema["anyOf"] != nil {
			visit(schema)
		}
		for _, part := range schema {
			walk(part, visit)
		}
	case []any:
		for _, part := range schema {
			walk(part, visit)
		}
	}
}

func TestARepairSendsTheAnswerAndTheReasons(t *testing.T) {
	closed := strings.Replace(operations, `"fitness"`, `"Fitness"`, 1)
	_, s, err := ask(t, []string{"fitness"}, says(closed), says(operations))
	if err != nil {
		t.Fatal(err)
	}
	contents := s.requests[1].Body.Contents
	if len(contents) != 3 || contents[1].Role != "model" || contents[2].Role != "user" {
		t.Fatalf("contents %+v", contents)
	}
	if got := contents[1].Parts[1]; got.Text != closed || got.ThoughtSignature != "c2ln" {
		t.Errorf("the model's turn is not as it was: %+v", got)
	}
	want := `{"problems":[{"path":"operations[0].filter.categories[0]","message":"is not one of the given categories"}]}`
	if diff := cmp.Diff(want, contents[2].Parts[0].Text); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}

// The model sees short lists whole, and of long ones what shares a word with the
// instruction; its plan is held against all of them.
func TestTheModelIsGivenNamesByRole(t *testing.T) {
	names := planning.Names{Categories: []string{"fitness"}, Brands: []string{"Nike"}, Whole: true}
	for i := range 500 {
		names.SKUs = append(names.SKUs, fmt.Sprintf("A-%d", i))
		names.Products = append(names.Products, fmt.Sprintf("Fitness mat %d", i), fmt.Sprintf("Mug %d", i))
	}
	ofNoBrand := strings.Replace(operations, `"in_stock":true`, `"brands":["Puma"]`, 1)
	_, s, err := askAbout(t, names, says(ofNoBrand), says(operations))
	if err != nil {
		t.Fatal(err)
	}
	var given struct{ Categories, Brands, Tags, SKUs, Products []string }
	if err := json.Unmarshal([]byte(s.requests[0].Body.Contents[0].Parts[0].Text), &given); err != nil {
		t.Fatal(err)
	}
	if len(given.Products) != 200 || given.Products[0] != "Fitness mat 0" || len(given.SKUs) != 1 || given.Brands[0] != "Nike" {
		t.Errorf("the model is given %d products, %q, %q", len(given.Products), given.SKUs, given.Brands)
	}
	want := `{"problems":[{"path":"operations[0].filter.brands[0]","message":"is not one of the given brands"}]}`
	if diff := cmp.Diff(want, s.requests[1].Body.Contents[2].Parts[0].Text); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}

// The model sees no names where it is told none; its plan is held against them.
func TestNamesAreHidden(t *testing.T) {
	s := &service{replies: []reply{says(operations)}}
	client, err := gemini.NewClient(t.Context(), gemini.Config{APIKey: "k", Timeout: 30 * time.Second}, gemini.Options{Transport: s})
	if err != nil {
		t.Fatal(err)
	}
	check := func(context.Context, planning.Request, *plan.Plan) []strictjson.Problem { return nil }
	if _, err := model.New(client, gemini.Config{Model: "gemini-3.5-flash", HideNames: true}, check, logging.Discard).Plan(t.Context(), planning.Request{
		Instruction: instruction, ExecutionID: "plan_increase_prices_v1", Names: planning.Names{Categories: []string{"fitness"}}, CreatedAt: time.Unix(0, 0),
	}); err != nil {
		t.Fatal(err)
	}
	if sent := s.requests[0].Body.Contents[0].Parts[0].Text; strings.Contains(sent, `"categories"`) {
		t.Errorf("the model is told %s", sent)
	}
}

// What the check objects to is sent back twice. A plan that the model insists on
// is for the judge.
func TestADisputedPlanIsReturnedInTheEnd(t *testing.T) {
	disputed := says(strings.Replace(operations, "10.0", "12", 1))
	draft, s, err := ask(t, nil, disputed, disputed, disputed)
	if err != nil || draft.Plan.Operations[0].Action.Value.String() != "12" || draft.Planner.Attempts != 3 {
		t.Fatalf("Plan() = %+v, %v, want the plan after three attempts", draft, err)
	}
	want := `{"problems":[{"path":"operations[0].action.value","message":"12 is not said in the instruction"}]}`
	if diff := cmp.Diff(want, s.requests[2].Body.Contents[4].Parts[0].Text); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}
