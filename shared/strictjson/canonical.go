package strictjson

import (
	"encoding/json"
	"encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
)

// lineOptions say what the bytes of a line depend on. Hashes are of such bytes, so
// no default of a toolchain may change them.
var lineOptions = jsonv2.JoinOptions(
	json.DefaultOptionsV1(),         // names, order and omitted fields as encoding/json has them
	jsontext.AllowInvalidUTF8(true), // a bad byte becomes U+FFFD, as in Canonical
	jsontext.EscapeForHTML(false),
	jsontext.EscapeForJS(true), // in U+2028 some programs see the end of a line
	jsonv2.WithMarshalers(jsonv2.MarshalToFunc(func(to *jsontext.Encoder, raw json.RawMessage) error {
		return jsonv2.MarshalEncode(to, verbatim(raw), jsontext.EscapeForJS(false))
	})),
)

// verbatim is JSON that keeps its strings as they are written, escapes and all: the
// hash of a plan is of those bytes.
type verbatim jsontext.Value

// MarshalJSONTo writes null for nil, as encoding/json does.
func (v verbatim) MarshalJSONTo(to *jsontext.Encoder) error {
	if v == nil {
		return to.WriteToken(jsontext.Null)
	}
	return to.WriteValue(jsontext.Value(v))
}

// Line returns v as encoding/json writes it, in one line with its newline, but
// for the escapes that only HTML needs. It panics where v has no such form.
func Line(v any) []byte {
	line, err := jsonv2.Marshal(v, lineOptions)
	if err != nil {
		panic("strictjson: a value that is not JSON: " + err.Error())
	}
	return append(line, '\n')
}

// Decode reads what Line wrote, in half the time that encoding/json takes. A name
// in another case is unknown, and one that is there twice or a byte that is not
// valid UTF-8 is an error. What others wrote is for ReadObject, which says all that
// is wrong.
func Decode(text []byte, into any) error {
	return jsonv2.Unmarshal(text, into)
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
