package strictjson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/strictjson"
)

func TestParseValues(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `""`, `[]`, `{}`, `0`, `-0`, `10.50`, `1e2`, `-1.5E-07`, `123456789012345678901234567890`,
		`[1,[2,{"a":[]}],null]`, `{"b":1,"a":{"":"x"}}`, `"é😀"`,
	} {
		value, problems := strictjson.Parse([]byte(text))
		if problems != nil {
			t.Errorf("%s: %v", text, problems)
		}
		if got := render(value); got != text {
			t.Errorf("%s was read as %s", text, got)
		}
	}
}

func TestParseStrings(t *testing.T) {
	for text, want := range map[string]string{
		`"plain"`:                    "plain",
		`"\"\\\/\b\f\n\r\t"`:         "\"\\/\b\f\n\r\t",
		`"\u0041\u00e9\u00E9\u2028"`: "Aéé\u2028",
		`"\ud83d\ude00"`:             "😀",
		`"\u0000"`:                   "\x00",
		`"a\u0062c\u0064"`:           "abcd",
		"\"\u007f\u2028\"":           "\u007f\u2028",
	} {
		value, problems := strictjson.Parse([]byte(text))
		if problems != nil || value.Text() != want {
			t.Errorf("%s: %q with problems %v, want %q", text, value.Text(), problems, want)
		}
	}
}

func TestParseProblems(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{"the document is empty"}},
		{"white space", " \n ", []string{"the document is empty"}},
		{"byte-order mark", "\ufeff{}", []string{"line 1, byte 1: the document begins with a byte-order mark: save it as UTF-8 without one"}},
		{"trailing data", "{}\n{}", []string{`line 2, byte 1: there is more text after the end of the document: "{}"`}},
		{"every bad token", `{"a":NaN,"b":[+1,01,1.,.5,1e,-],"c":True}`, []string{
			`a: line 1, byte 6: "NaN" is not a JSON value`,
			`b[0]: line 1, byte 15: "+1" is not a JSON value`,
			`b[1]: line 1, byte 18: "01" is not a JSON value`,
			`b[2]: line 1, byte 21: "1." is not a JSON value`,
			`b[3]: line 1, byte 24: ".5" is not a JSON value`,
			`b[4]: line 1, byte 27: "1e" is not a JSON value`,
			`b[5]: line 1, byte 30: "-" is not a JSON value`,
			`c: line 1, byte 37: "True" is not a JSON value`}},
		{"duplicates at every level", `{"a":{"b":1,"b":2},"\u0061":3}`, []string{
			"a.b: line 1, byte 16: the name appears twice in its object",
			"a: line 1, byte 28: the name appears twice in its object"}},
		{"lone surrogates", `["\ud800","\ude00x","\ud800\u0041"]`, []string{
			"[0]: line 1, byte 2: invalid surrogate pair `\\ud800\"` in string",
			"[1]: line 1, byte 11: invalid surrogate pair `\\ude00x\"` in string",
			"[2]: line 1, byte 21: invalid surrogate pair `\\ud800\\u0041` in string"}},
		{"invalid UTF-8", "{\"a\":\"\xff\",\"b\xc0\":1}", []string{
			"a: line 1, byte 6: a string is not valid UTF-8: save the document as UTF-8",
			"line 1, byte 10: a string is not valid UTF-8: save the document as UTF-8"}},
		{"control character and bad escape", "[\"a\tb\",\"\\x41\"]", []string{
			`[0]: line 1, byte 4: a string has the control character '\t': write it as an escape such as \n`,
			"[1]: line 1, byte 8: invalid escape sequence `\\x` in string"}},
		{"unclosed string", "{\"a\":\n \"x", []string{"a: line 2, byte 2: the string has no closing quote"}},
		{"unclosed string after another problem", "[NaN,\"a\nb", []string{
			`[0]: line 1, byte 2: "NaN" is not a JSON value`,
			"[1]: line 1, byte 6: the string has no closing quote"}},
		{"cut off after a name", `{"a"`, []string{"a: line 1, byte 5: expected a colon after the name, not the end of the document"}},
		{"cut off after a colon", `{"a":`, []string{"a: line 1, byte 6: expected a value, not the end of the document"}},
		{"cut off in an array", `{"a":[1`, []string{"a[0]: line 1, byte 8: expected a comma or ], not the end of the document"}},
		{"missing comma", `{"a":1 "b":2}`, []string{`a: line 1, byte 8: expected a comma or }, not "\""`}},
		{"trailing comma", `[1,]`, []string{"[0]: line 1, byte 4: a comma stands before the closing ]: remove it"}},
		{"name without quotes", `{a:1}`, []string{`line 1, byte 2: expected a name in double quotes, not "a"`}},
		{"stray bracket", `[}]`, []string{`[0]: line 1, byte 2: expected a value, not "}"`}},
		{"odd names", `{"max price":NaN,"":NaN,"1a":NaN}`, []string{
			`["max price"]: line 1, byte 14: "NaN" is not a JSON value`,
			`[""]: line 1, byte 21: "NaN" is not a JSON value`,
			`["1a"]: line 1, byte 30: "NaN" is not a JSON value`}},
		{"too deep", strings.Repeat("[", 100), []string{strings.Repeat("[0]", 64) + ": line 1, byte 65: is nested more than 64 levels deep"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := strictjson.Parse([]byte(c.text))
			var got []string
			for _, problem := range problems {
				got = append(got, problem.String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeepestNesting(t *testing.T) {
	text := strings.Repeat("[", strictjson.MaxDepth) + strings.Repeat("]", strictjson.MaxDepth)
	if _, problems := strictjson.Parse([]byte(text)); problems != nil {
		t.Error(problems)
	}
}

func TestProblemsAreBounded(t *testing.T) {
	_, problems := strictjson.Parse([]byte("[" + strings.Repeat("NaN,", 5_000) + "0]"))
	if len(problems) != strictjson.MaxProblems+1 {
		t.Fatalf("%d problems, want %d", len(problems), strictjson.MaxProblems+1)
	}
	want := strictjson.Problem{Message: "there are more problems than the first 1000"}
	if diff := cmp.Diff(want, problems[strictjson.MaxProblems]); diff != "" {
		t.Error(diff)
	}
}

func TestManyNames(t *testing.T) {
	var text strings.Builder
	for i := range 1_000 {
		fmt.Fprintf(&text, `,"n%d":0`, i%999)
	}
	_, problems := strictjson.Parse([]byte("{" + text.String()[1:] + "}"))
	if len(problems) != 1 || problems[0].Path != "n0" {
		t.Errorf("problems %v, want one for n0", problems)
	}
}

func TestSummary(t *testing.T) {
	a, b := strictjson.Problem{Path: "a", Message: "is required"}, strictjson.Problem{Message: "the document is empty"}
	for want, problems := range map[string][]strictjson.Problem{
		"":                                     nil,
		"a: is required":                       {a},
		"the document is empty":                {b},
		"a: is required (and 1 more problem)":  {a, b},
		"a: is required (and 2 more problems)": {a, b, b},
	} {
		if got := strictjson.Summary(problems); got != want {
			t.Errorf("Summary(%v) = %q, want %q", problems, got, want)
		}
	}
}

// render writes a value as compact JSON, numbers as they were written.
func render(v strictjson.Value) string {
	var parts []string
	switch v.Kind() {
	case strictjson.KindString:
		return string(strictjson.Canonical(v.Text()))
	case strictjson.KindArray:
		for _, item := range v.Items() {
			parts = append(parts, render(item))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case strictjson.KindObject:
		for _, m := range v.Members() {
			parts = append(parts, string(strictjson.Canonical(m.Name))+":"+render(m.Value))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case strictjson.KindNull:
		return "null"
	default:
		return v.Text()
	}
}
