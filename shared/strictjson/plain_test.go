package strictjson_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/strictjson"
)

type object = map[string]any

var plain = object{
	"title": "Launch \"it\"\n<é🎉\u2028\x01", "": nil, "done": true, "none": []any{}, "empty": object{},
	"hours":      []any{0.0, 1.5, -2.25, 0.1, 1e-7, 1e21, -1e300, 123456789012.0, math.MaxFloat64, math.Copysign(0, -1)},
	"milestones": []any{object{"tasks": []any{object{"date": "2026-11-23", "estimatedHours": 2.0}}}, nil, false},
	"other":      object{"raw": json.RawMessage(`{"a": [1]}`), "struct": strictjson.Problem{Message: "x"}, "int": 7},
}

// What is written means what encoding/json writes.
func TestPlainMeansWhatEncodingJSONWrites(t *testing.T) {
	got, err := strictjson.AppendPlain([]byte("x"), plain)
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(plain)
	if err != nil {
		t.Fatal(err)
	}
	var gotValue, wantValue any
	if err := json.Unmarshal(got[1:], &gotValue); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	if err := json.Unmarshal(want, &wantValue); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantValue, gotValue); diff != "" {
		t.Errorf("(-encoding/json +ours):\n%s", diff)
	}
}

func TestPlainRefusesWhatJSONCannotHold(t *testing.T) {
	for _, value := range []any{math.NaN(), math.Inf(1), object{"a": []any{func() {}}}} {
		if text, err := strictjson.AppendPlain(nil, value); err == nil {
			t.Errorf("%v is written as %s", value, text)
		}
	}
}

func BenchmarkAppendPlain(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := strictjson.AppendPlain(make([]byte, 0, 1024), plain["milestones"]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodingJSON(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := json.Marshal(plain["milestones"]); err != nil {
			b.Fatal(err)
		}
	}
}
