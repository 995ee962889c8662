package strictjson_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/strictjson"
)

type request struct {
	Instruction string
	Categories  []string
	Limit       int
	Strict      bool
	Price       string
	Nested      string
	Each        []string
}

func (r *request) read(o *strictjson.Object) {
	r.Instruction, _ = o.Required("instruction").String()
	r.Categories, _ = o.Optional("categories").Strings()
	r.Limit, _ = o.Optional("limit").Int(1, 100)
	r.Strict, _ = o.Optional("strict").Bool()
	r.Price, _ = o.Optional("price").Number()
	o.Optional("nested").Object(func(o *strictjson.Object) {
		r.Nested, _ = o.Required("name").String()
	})
	o.Optional("each").Array(func(_ int, f strictjson.Field) {
		f.Object(func(o *strictjson.Object) {
			name, _ := o.Required("name").String()
			r.Each = append(r.Each, name)
		})
	})
}

func TestReadObject(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       request
	}{
		{"required only", `{"instruction":"go"}`, request{Instruction: "go"}},
		{"null is omitted", `{"instruction":"go","categories":null,"limit":null,"strict":null,"price":null,"nested":null,"each":null}`, request{Instruction: "go"}},
		{"all", `{"each":[{"name":"a"},{"name":"b"}],"nested":{"name":"n"},"price":1.50,"strict":true,"limit":7.0,"categories":["x"],"instruction":"go"}`,
			request{"go", []string{"x"}, 7, true, "1.50", "n", []string{"a", "b"}}},
		{"empty list is not omitted", `{"instruction":"","categories":[]}`, request{Categories: []string{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got request
			if problems := strictjson.ReadObject([]byte(c.text), got.read); problems != nil {
				t.Fatal(problems)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadObjectProblems(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"no object", `[1]`, []string{"the document must be an object, but is an array"}},
		{"null document", `null`, []string{"the document must be an object, but is null"}},
		{"broken text says nothing of fields", `{"limit":0,`, []string{`line 1, byte 12: expected a name in double quotes, not the end of the document`}},
		{"missing and null", `{"nested":{"name":null}}`, []string{"instruction: is required", "nested.name: is required"}},
		{"every type", `{"instruction":1,"categories":"x","limit":"1","strict":0,"price":"1","nested":[],"each":{}}`, []string{
			"instruction: must be a string, but is a number",
			"categories: must be an array, but is a string",
			"limit: must be a number, but is a string",
			"strict: must be a boolean, but is a number",
			"price: must be a number, but is a string",
			"nested: must be an object, but is an array",
			"each: must be an array, but is an object"}},
		{"inside arrays", `{"instruction":"go","categories":["x",null,2],"each":[{"name":"a"},{"nam":"b"},"c"]}`, []string{
			"categories[1]: must be a string, but is null",
			"categories[2]: must be a string, but is a number",
			"each[1].name: is required",
			"each[1].nam: is not a known field; known are name",
			"each[2]: must be an object, but is a string"}},
		{"text and shape together", `{"instruction":NaN,"limit":0,"Limit":1}`, []string{
			`instruction: line 1, byte 16: "NaN" is not a JSON value`,
			"limit: must be a whole number from 1 to 100, but is 0",
			"Limit: is not a known field; known are instruction, categories, limit, strict, price, nested, each"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, problem := range strictjson.ReadObject([]byte(c.text), new(request).read) {
				got = append(got, problem.String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestInt(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "6": true, "2.000": true, "7": false, "-1": false, "2.5": false, "2e0": false, "99999999999999999999": false,
	} {
		problems := strictjson.ReadObject([]byte(`{"n":`+text+`}`), func(o *strictjson.Object) { o.Required("n").Int(0, 6) })
		if got := problems == nil; got != want {
			t.Errorf("%s accepted: %t, want %t; %v", text, got, want, problems)
		}
	}
}

func TestAllowUnknown(t *testing.T) {
	problems := strictjson.ReadObject([]byte(`{"a":1,"b":2}`), func(o *strictjson.Object) {
		o.AllowUnknown()
		o.Required("a").Number()
	})
	if problems != nil {
		t.Error(problems)
	}
}

func TestAny(t *testing.T) {
	text := `{"a":[1.50,"x",null,true,{}],"b":{"c":false}}`
	value, problems := strictjson.Parse([]byte(text))
	if problems != nil {
		t.Fatal(problems)
	}
	want := map[string]any{
		"a": []any{json.Number("1.50"), "x", nil, true, map[string]any{}},
		"b": map[string]any{"c": false},
	}
	if diff := cmp.Diff(any(want), value.Any()); diff != "" {
		t.Error(diff)
	}
}

func TestPlain(t *testing.T) {
	value, problems := strictjson.Parse([]byte(`{"a":[1.50,-2e3,1e999,null],"b":"x"}`))
	if problems != nil {
		t.Fatal(problems)
	}
	want := map[string]any{"a": []any{1.5, -2000.0, "1e999", nil}, "b": "x"}
	if diff := cmp.Diff(any(want), value.Plain()); diff != "" {
		t.Error(diff)
	}
}

func TestSize(t *testing.T) {
	for _, text := range []string{`null`, `true`, `-1.50`, `"é"`, `[]`, `[1]`, `[1,[2,3]]`, `{}`, `{"a":1}`, `{"a":{"b":[]},"c":"d"}`} {
		value, problems := strictjson.Parse([]byte(text))
		if problems != nil || value.Size() != len(text) {
			t.Errorf("%s: size %d, %v; want %d", text, value.Size(), problems, len(text))
		}
	}
}

// The expected text is RFC 8785's own example of strings, section 3.2.2.2.
func TestCanonicalStrings(t *testing.T) {
	for text, want := range map[string]string{
		"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\u002f": `"€$\u000f\nA'B\"\\\\\"/"`,
		"\b\t\n\f\r\x00\x1f\x7f":                            `"\b\t\n\f\r\u0000\u001f` + "\x7f\"",
		"<&>\u2028😀":                                        "\"<&>\u2028😀\"",
		"a\xffb\xf0\x9f":                                    "\"a\ufffdb\ufffd\ufffd\"",
		"":                                                  `""`,
	} {
		if got := string(strictjson.Canonical(text)); got != want {
			t.Errorf("%q is written %s, want %s", text, got, want)
		}
	}
}

// The bytes of a line are the same under every toolchain.
func TestLine(t *testing.T) {
	type document struct {
		Text  string
		Names map[string]string
		Plan  json.RawMessage
		None  json.RawMessage
		At    float64
	}
	for _, test := range []struct {
		name  string
		value any
		want  string
	}{
		{"escapes", "<&>\"\\\b\f\n\x00\x7f\u2028\u2029\ufffd😀", `"<&>\"\\\b\f\n\u0000` + "\x7f" + `\u2028\u2029` + "\ufffd😀\""},
		{"invalid UTF-8", "a\xffb\xf0\x9f", "\"a\ufffdb\ufffd\ufffd\""},
		{"JSON inside keeps its strings", document{
			Text:  "\u2028",
			Names: map[string]string{"b": "", "a\xff": "\xff"},
			Plan:  json.RawMessage("{ \"b\": \"<\u2028\\u2028\\/\ufffd\", \"a\": 1.50 }"),
			At:    1e21,
		}, `{"Text":"\u2028","Names":{"a` + "\ufffd\":\"\ufffd" + `","b":""},"Plan":{"b":"<` + "\u2028" + `\u2028\/` + "\ufffd" + `","a":1.50},"None":null,"At":1e+21}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := string(strictjson.Line(test.value)); got != test.want+"\n" {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// What encoding/json writes by itself is hashed too: a toolchain that writes it in
// another way must not pass.
func TestEncodingJSON(t *testing.T) {
	text, err := json.Marshal(map[string]any{"b": "<&>\u2028\x00\b\xff\ufffd", "a": json.RawMessage(`{ "z": "<` + "\u2028" + `\/" }`)})
	if want := `{"a":{"z":"\u003c\u2028\/"},"b":"\u003c\u0026\u003e\u2028\u0000\b` + "\ufffd\ufffd\"}"; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
}
