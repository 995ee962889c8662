package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

// MaxJSONBytes is the most a JSON body may hold.
const MaxJSONBytes = 1 << 20

// Body returns a reader of the request's body that fails past limit bytes.
// What is wrong with the request is said only after its body was read up to
// the limit: an earlier answer reaches the sender as a broken connection.
//
// The type must be one of types, and must be named: a browser can be made to
// post an untyped body across sites without asking first.
func Body(w http.ResponseWriter, r *http.Request, limit int64, types ...string) (io.Reader, error) {
	body := http.MaxBytesReader(w, r.Body, limit)
	if err := mediaType(r.Header.Get("Content-Type"), types); err != nil {
		_ = Drain(body) // the type is wrong whatever the size
		return nil, err
	}
	return body, nil
}

// Drain reads what is left of a body, so that a refusal reaches its sender. Its
// error is that the body is too large.
func Drain(body io.Reader) error {
	_, err := io.Copy(io.Discard, body)
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return err
	}
	return nil
}

// KeptError is a reader that remembers why it failed: a body that is too
// large or broke off must not be told as a fault of the table.
type KeptError struct {
	io.Reader
	Err error
}

func (k *KeptError) Read(p []byte) (int, error) {
	n, err := k.Reader.Read(p)
	if err != nil && err != io.EOF {
		k.Err = readFailure(err)
	}
	return n, err
}

// SendFile answers with a file that is to be kept under a name. Where it breaks off,
// so does the answer: half a file must not look whole.
func SendFile(w http.ResponseWriter, name, contentType string, content io.Reader) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	if _, err := io.Copy(w, content); err != nil {
		panic(http.ErrAbortHandler)
	}
}

func mediaType(value string, types []string) error {
	got, parameters, err := mime.ParseMediaType(value)
	if err != nil || !slices.Contains(types, got) {
		return unsupported(clipped(value), types[0])
	}
	if charset, ok := parameters["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return unsupported(clipped(value), types[0]+"; charset=utf-8")
	}
	return nil
}

func clipped(value string) string {
	if value == "" {
		return ""
	}
	return clip(value)
}

// ReadJSON gives the bytes of a JSON body of at most MaxJSONBytes to decode. Of
// a body that is not JSON it answers every place where it is not; of any other
// the error is decode's.
func ReadJSON(w http.ResponseWriter, r *http.Request, decode func([]byte) error) error {
	data, err := ReadAll(w, r, MaxJSONBytes, "application/json")
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return Malformed("The body is empty; send a JSON object.")
	}
	if err := decode(data); err == nil || json.Valid(data) {
		return err
	}
	_, problems := strictjson.Parse(data)
	return &refusal{answer: malformed, details: problems,
		message: "The body is not JSON: " + strictjson.Summary(problems) + "."}
}

// ReadAll returns the bytes of a body of at most limit bytes and of one of the types.
func ReadAll(w http.ResponseWriter, r *http.Request, limit int64, types ...string) ([]byte, error) {
	body, err := Body(w, r, limit, types...)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, readFailure(err)
	}
	return data, nil
}

// ReadObject reads a JSON body that is an object: read asks for the fields it
// knows, and everything that is wrong with them is one 422.
func ReadObject(w http.ResponseWriter, r *http.Request, read func(*strictjson.Object)) error {
	return ReadJSON(w, r, func(data []byte) error { return Problems(strictjson.ReadObject(data, read)) })
}

// Problems returns nil for none, and else a 422 that lists them.
func Problems(problems []strictjson.Problem) error {
	if len(problems) == 0 {
		return nil
	}
	return &refusal{answer: answers[errs.Invalid], details: problems,
		message: "The request is not valid: " + strictjson.Summary(problems) + "."}
}

// WholeNumber reads the parameter of that name, from 1 to most. One that is not
// given is missing; anything else is a 422.
func WholeNumber(query url.Values, name string, missing, most int) (int, error) {
	text := query.Get(name)
	if text == "" {
		return missing, nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > most {
		return 0, Problems([]strictjson.Problem{{Path: name,
			Message: fmt.Sprintf("must be a whole number from 1 to %d, but is %s", most, strictjson.Shorten(text))}})
	}
	return number, nil
}

// readFailure keeps the limit's error; any other is a body that broke off.
func readFailure(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return err
	}
	return &refusal{answer: malformed, message: "The body broke off before its end.", cause: err}
}

// Document answers with a file that is part of the program.
func Document(contentType string, data []byte) Handler {
	return func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(data) // a sender that is gone cannot be told
		return nil
	}
}

// WriteJSON answers with v as one line of JSON. It is encoded before anything
// is sent, so that an answer is whole or an error.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	line := strictjson.Line(v) // a panic becomes a 500 and a line in the log
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(line) // a sender that is gone cannot be told
}
