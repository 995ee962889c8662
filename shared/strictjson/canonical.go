package strictjson

import (
	"bytes"
	"encoding/json"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Line returns v as encoding/json writes it, in one line with its newline, but
// for the escapes that only HTML needs. It panics where v has no such form.
func Line(v any) []byte {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic("strictjson: a value that is not JSON: " + err.Error())
	}
	return line.Bytes()
}

// Decode reads what Line wrote, in half the time that encoding/json takes. A name
// in another case is unknown, and one that is there twice an error. A byte that
// is not valid UTF-8 becomes U+FFFD: older engines left some in changes files.
// What others wrote is for ReadObject, which says all that is wrong.
func Decode(text []byte, into any) error {
	return jsonv2.Unmarshal(text, into, jsontext.AllowInvalidUTF8(true))
}

// NotNil makes an empty list of a nil one, so that JSON says [] and not null.
func NotNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Canonical returns v as RFC 8785 (JSON Canonicalization Scheme) orders names
// and writes strings, numbers as they are. Text that is not valid UTF-8 has no
// such form; each bad byte becomes U+FFFD. It panics where v is not JSON.
func Canonical(v any) []byte {
	text, err := jsonv2.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err == nil {
		err = (*jsontext.Value)(&text).Format(jsontext.ReorderRawObjects(true))
	}
	if err != nil {
		panic("strictjson: a value that has no canonical form: " + err.Error())
	}
	return text
}
