package strictjson_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/strictjson"
)

// FuzzParse holds the parser against encoding/json: what the strict one takes
// the other takes too and reads alike, and what only the strict one refuses it
// refuses for a reason of its own.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.5,"x\u00e9\ud83d\ude00",null,true]}`, `{"a":1,"a":2}`, `[NaN]`, "\"\xff\"", `"\ud800"`, `{} {}`, `[[[[]]]]`, `{"a":"`, `[1,]`, "\ufeff1", `"\u12"`, `"\`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value, problems := strictjson.Parse(data)
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		var want any
		err := decoder.Decode(&want)
		lenient := json.Valid(data) && err == nil
		if problems != nil {
			if lenient && !strictOnly(data, problems) {
				t.Fatalf("%q is refused: %v", data, problems)
			}
			return
		}
		if !lenient {
			t.Fatalf("%q is accepted, encoding/json says %v", data, err)
		}
		if got := value.Any(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q is read as %#v, want %#v", data, got, want)
		}
		if text := render(value); !reflect.DeepEqual(reparse(t, text), want) {
			t.Fatalf("%q is written as %s", data, text)
		}
	})
}

// strictOnly reports whether a problem is one that encoding/json does not have.
func strictOnly(data []byte, problems []strictjson.Problem) bool {
	for _, problem := range problems {
		switch {
		case strings.Contains(problem.Message, "twice"), strings.Contains(problem.Message, "surrogate"), strings.Contains(problem.Message, "levels deep"):
			return true
		case strings.Contains(problem.Message, "UTF-8") && !utf8.Valid(data):
			return true
		}
	}
	return false
}

func reparse(t *testing.T, text string) any {
	t.Helper()
	value, problems := strictjson.Parse([]byte(text))
	if problems != nil {
		t.Fatalf("%s: %v", text, problems)
	}
	return value.Any()
}

func BenchmarkParse(b *testing.B) {
	data := []byte(`{"skus":["` + strings.Repeat(`A101","`, 70_000) + `A102"]}`)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, problems := strictjson.Parse(data); problems != nil {
			b.Fatal(problems)
		}
	}
}
