package strictjson

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
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

// NotNil makes an empty list of a nil one, so that JSON says [] and not null.
func NotNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// AppendString appends text as a JSON string in the one way that RFC 8785
// (JSON Canonicalization Scheme) allows: only the quote, the backslash and the
// control characters are escaped. Text that is not valid UTF-8 has no such
// form; each bad byte becomes U+FFFD.
func AppendString(dst []byte, text string) []byte {
	dst = append(dst, '"')
	run := 0 // where the bytes that need no escape begin
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			char, size := utf8.DecodeRuneInString(text[i:])
			if char == utf8.RuneError && size == 1 {
				dst = append(append(dst, text[run:i]...), "\ufffd"...)
				run = i + 1
			}
			i += size
			continue
		}
		if c < ' ' || c == '"' || c == '\\' {
			dst = appendEscape(append(dst, text[run:i]...), c)
			run = i + 1
		}
		i++
	}
	return append(append(dst, text[run:]...), '"')
}

func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	for i, meant := range escapeMeans {
		if meant == rune(c) {
			return append(dst, '\\', escapes[i])
		}
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
