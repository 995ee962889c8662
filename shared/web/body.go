package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

// MaxJSONBytes is the most a JSON body may hold.
const MaxJSONBytes = 1 << 20

// Body returns the request's body, which fails past limit bytes.
//
// The type must be one of types, and must be named: a browser can be made to
// post an untyped body across sites without asking first.
func Body(w http.ResponseWriter, r *http.Request, limit int64, types ...string) (io.Reader, error) {
	body := &ErrorReader{ReadCloser: Limited(w, r, limit)}
	if err := mediaType(r.Header.Get("Content-Type"), types); err != nil {
		_, _ = io.Copy(io.Discard, body) // the type is wrong whatever the size
		return nil, err
	}
	r.Body = body
	return body, nil
}

// checkEncoding refuses a body that is encoded, as compressed ones are: nothing here decodes
// one, and its bytes would be taken for those of the file.
func checkEncoding(r *http.Request) error {
	encoding := strings.Join(r.Header.Values("Content-Encoding"), ", ")
	if r.ContentLength == 0 || encoding == "" || strings.EqualFold(encoding, "identity") {
		return nil
	}
	return &refusal{answer: answer{http.StatusUnsupportedMediaType, "unsupported_media_type", 0},
		message: fmt.Sprintf(
			"The Content-Encoding is %s; send the body as it is, without one.",
			clip(encoding),
		)}
}

// drained reads what is left of the body of a request that is refused, up to its limit:
// an earlier answer reaches the sender as a broken connection. It returns why: that the
// body is too large or broke off, else the error given.
func drained(w http.ResponseWriter, r *http.Request, err error) error {
	body, limited := r.Body.(*ErrorReader)
	if !limited {
		body = &ErrorReader{ReadCloser: Limited(w, r, MaxJSONBytes)}
	}
	if _, _ = io.Copy(io.Discard, body); limited && body.Err != nil {
		return body.Err
	}
	return err
}

// maxRest is how much is read and thrown away of a body past its limit: most senders read
// no answer before all is sent, and take an earlier one for a broken connection.
const maxRest = 64 << 20

// Limited is a request's body, which fails past limit bytes.
func Limited(w http.ResponseWriter, r *http.Request, limit int64) io.ReadCloser {
	return &limited{http.MaxBytesReader(w, r.Body, limit), io.LimitReader(r.Body, maxRest)}
}

type limited struct {
	io.ReadCloser
	rest io.Reader
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		_, _ = io.Copy(io.Discard, l.rest)
	}
	return n, err
}

// ErrorReader is a body that remembers why it failed: one that is too large or broke
// off must not be told as a fault of the table.
type ErrorReader struct {
	io.ReadCloser
	Err error
}

func (k *ErrorReader) Read(p []byte) (int, error) {
	n, err := k.ReadCloser.Read(p)
	if err != nil && err != io.EOF && k.Err == nil {
		k.Err = err
		if _, ok := errors.AsType[*http.MaxBytesError](err); !ok {
			k.Err = &refusal{answer: malformed, message: "The body broke off before its end.", cause: err}
		}
	}
	return n, err
}

// SendFile answers with a file that is to be kept under a name. Where it breaks off,
// so does the answer: half a file must not look whole.
func SendFile(w http.ResponseWriter, name, contentType string, content io.Reader) {
	w.Header().Set("Content-Type", contentType)
	w.Header().
		Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	if _, err := io.Copy(w, content); err != nil {
		panic(http.ErrAbortHandler)
	}
}

func mediaType(value string, types []string) error {
	got, parameters, err := mime.ParseMediaType(value)
	if err != nil || !slices.Contains(types, got) {
		return unsupported(value, types[0])
	}
	if charset, ok := parameters["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return unsupported(value, types[0]+"; charset=utf-8")
	}
	return nil
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
	return io.ReadAll(body)
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

// Document answers with a file that is part of the program.
func Document(contentType string, data []byte) Handler {
	return func(w http.ResponseWriter, _ *http.Request) (any, error) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(data) // a sender that is gone cannot be told
		return nil, nil
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
