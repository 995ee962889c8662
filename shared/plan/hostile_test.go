package plan_test

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/strictjson"
)

// A quarter of a mebibyte of anything is refused, with a list of problems that is bounded
// in number and size.
func TestHostileInput(t *testing.T) {
	const size = 1 << 18
	head := `{"execution_id":"plan_hostile_v1","created_at":"2024-06-01T10:00:00Z","source_instruction":"Be hostile.",`
	action := `"operations":[{"operation_id":"op_01","action":{"type":"set_price","value":`
	fill := func(part string) string { return strings.Repeat(part, size/len(part)) }
	for name, text := range map[string]string{
		"open brackets":       fill("["),
		"open objects":        fill(`{"a":`),
		"empty operations":    head + `"operations":[` + fill("{},") + "{}]}",
		"unknown fields":      head + fill(`"x":0,`) + `"y":0}`,
		"different fields":    "{" + strings.Join(strings.Split(fill("a"), ""), ":") + "}",
		"bad tokens":          "[" + fill("NaN,") + "0]",
		"control characters":  `"` + fill("\x01") + `"`,
		"lone surrogates":     `"` + fill(`\ud800`) + `"`,
		"backslashes":         `"` + fill(`\`),
		"quotes":              fill(`"`),
		"not UTF-8":           fill("\xff"),
		"long name":           `{"` + fill("n") + `":0}`,
		"long number":         head + action + "1" + fill("0") + `},"filter":{}}]}`,
		"long fraction":       head + action + "0." + fill("1") + `},"filter":{}}]}`,
		"huge exponent":       head + action + `1e999999999},"filter":{}}]}`,
		"bad SKUs":            head + `"operations":[{"operation_id":"op_01","action":{"type":"set_price","value":1},"filter":{"skus":[` + fill("0,") + `0]}}]}`,
		"deep inside a field": head + `"summary_prompt":` + fill("[") + "}",
		"long id":             `{"execution_id":"` + fill("x") + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			p, err := plan.Decode([]byte(text))
			if err == nil || p != nil {
				t.Fatalf("decoded as %v", p)
			}
			if n := len(err.Error()); n > 2_000 {
				t.Errorf("a message of %d bytes", n)
			}
			problems := err.(*plan.InvalidError).Problems
			if len(problems) > 2*strictjson.MaxProblems+2 {
				t.Errorf("%d problems", len(problems))
			}
			for _, problem := range problems {
				if len(problem.Path)+len(problem.Message) > 2_000 {
					t.Fatalf("a problem of %d bytes", len(problem.Path)+len(problem.Message))
				}
			}
		})
	}
}
