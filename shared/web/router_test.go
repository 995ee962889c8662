package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

func TestRouter(t *testing.T) {
	router := web.NewRouter()
	for _, pattern := range []string{
		"POST /v1/plans", "POST /v1/plans:validate", "GET /v1/plans/{execution_id}", "PUT /v1/plans/{execution_id}",
		"POST /v1/plans/{execution_id}:preview", "GET /v1/skus/{sku}/changes",
	} {
		router.Handle(pattern, func(w http.ResponseWriter, r *http.Request) (any, error) {
			_, err := io.WriteString(w, pattern+" "+r.PathValue("execution_id")+r.PathValue("sku"))
			return nil, err
		})
	}
	tests := []struct {
		method, target string
		status         int
		want           string // the body, or the Allow header of a 405
	}{
		{"POST", "/v1/plans", 200, "POST /v1/plans "},
		{"POST", "/v1/plans:validate", 200, "POST /v1/plans:validate "},
		{"GET", "/v1/plans/plan_a_v1", 200, "GET /v1/plans/{execution_id} plan_a_v1"},
		{"HEAD", "/v1/plans/plan_a_v1", 200, ""},
		{"POST", "/v1/plans/plan_a_v1:preview", 200, "POST /v1/plans/{execution_id}:preview plan_a_v1"},
		{"GET", "/v1/plans/a%3Apreview", 200, "GET /v1/plans/{execution_id} a:preview"},
		{"GET", "/v1/plans/a:unknown", 200, "GET /v1/plans/{execution_id} a:unknown"},
		{"GET", "/v1/skus/A%2F1:preview/changes", 200, "GET /v1/skus/{sku}/changes A/1:preview"},
		{"GET", "/v1/skus/%2E%2E/changes", 200, "GET /v1/skus/{sku}/changes .."},
		{"GET", "/v1/plans/a:preview", 405, "POST"},
		{"GET", "/v1/plans:validate", 405, "POST"},
		{"DELETE", "/v1/plans/plan_a_v1", 405, "GET, HEAD, PUT"},
		{"POST", "/v1/plans/plan_a_v1", 405, "GET, HEAD, PUT"},
		{"POST", "/v1/plans/plan_a_v1:unknown", 404, ""},
		{"GET", "/nothing", 404, ""},
		{"GET", "/", 404, ""},
		{"GET", "//v1/plans", 404, ""},
		{"GET", "/v1/../v1/plans/plan_a_v1", 404, ""},
		{"GET", "/v1/plans/plan_a_v1/", 404, ""},
		{"GET", "/v1/plans/plan_a_v1?status=failed%3B", 200, "GET /v1/plans/{execution_id} plan_a_v1"},
		{"GET", "/v1/plans/plan_a_v1?status=failed;", 400, ""},
		{"GET", "/v1/plans/plan_a_v1?moved_from=%zz", 400, ""},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.target, func(t *testing.T) {
			recorder := httptest.NewRecorder()
			web.Service{}.Serve(router).ServeHTTP(recorder, httptest.NewRequest(tt.method, tt.target, nil))
			if recorder.Code != tt.status {
				t.Fatalf("%d %s, want %d", recorder.Code, recorder.Body, tt.status)
			}
			switch {
			case tt.status == 200 && tt.method != "HEAD" && recorder.Body.String() != tt.want:
				t.Errorf("body %q, want %q", recorder.Body, tt.want)
			case tt.status == 405 && recorder.Header().Get("Allow") != tt.want:
				t.Errorf("Allow %q, want %q", recorder.Header().Get("Allow"), tt.want)
			case tt.status >= 400 && !strings.HasPrefix(recorder.Body.String(), `{"error":{"code":"`):
				t.Errorf("body %s is not the form of an error", recorder.Body)
			}
		})
	}
}

func TestBody(t *testing.T) {
	const limit = 8
	read := func(w http.ResponseWriter, r *http.Request) (any, error) {
		body, err := web.Body(w, r, limit, "text/csv")
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(body)
		switch {
		case strings.HasPrefix(string(data), "half"):
			return "all is well", nil
		case err != nil:
			return nil, errs.New(errs.Invalid, "this table has a fault")
		}
		_, err = w.Write(data)
		return nil, err
	}
	tests := []struct {
		name, contentType, body string
		status                  int
		want                    string
	}{
		{"fits", "text/csv; charset=UTF-8", "12345678", 200, "12345678"},
		{"one byte more", "text/csv", "123456789", 413, "8 bytes"},
		{"far more", "text/csv", strings.Repeat("x", 3<<20), 413, "too_large"},
		{"wrong type", "application/json", "1234", 415, "send text/csv"},
		{"wrong type and far more", "application/json", strings.Repeat("x", 3<<20), 415, "send text/csv"},
		{"no type", "", "1234", 415, "is missing"},
		{"other charset", "text/csv; charset=latin1", "1234", 415, "charset=utf-8"},
		{"not a type", "text/csv;;", "1234", 415, "send text/csv"},
		{"an answer to half of it", "text/csv", "half 6789", 413, "8 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			request := httptest.NewRequest("POST", "/x", strings.NewReader(tt.body))
			request.Header.Set("Content-Type", tt.contentType)
			answer, body, _ := serve(t, "POST /x", read, request)
			if answer.StatusCode != tt.status || !strings.Contains(body, tt.want) {
				t.Errorf("%d %s, want %d with %q", answer.StatusCode, body, tt.status, tt.want)
			}
		})
	}
}

// A body that is encoded would be taken for what it holds.
func TestEncodedBodiesAreRefused(t *testing.T) {
	read := func(w http.ResponseWriter, r *http.Request) (any, error) {
		body, err := web.Body(w, r, 8, "text/csv")
		if err == nil {
			_, err = io.Copy(w, body)
		}
		return nil, err
	}
	for encoding, want := range map[string]int{"gzip": 415, "br": 415, "deflate, gzip": 415, "aws-chunked": 415, "identity": 200, "Identity": 200, "": 200} {
		request := httptest.NewRequest("POST", "/x", strings.NewReader("1234"))
		request.Header.Set("Content-Type", "text/csv")
		if encoding != "" {
			request.Header.Set("Content-Encoding", encoding)
		}
		answer, body, _ := serve(t, "POST /x", read, request)
		if answer.StatusCode != want || want == 415 && !strings.Contains(body, `"code":"unsupported_media_type"`) {
			t.Errorf("%q: %d %s, want %d", encoding, answer.StatusCode, body, want)
		}
	}
}

func TestReadJSON(t *testing.T) {
	read := func(w http.ResponseWriter, r *http.Request) (any, error) {
		return nil, web.ReadJSON(w, r, func(data []byte) error {
			if _, problems := strictjson.Parse(data); problems != nil {
				return web.Problems(problems)
			}
			_, err := w.Write(data)
			return err
		})
	}
	tests := []struct {
		name, body string
		status     int
	}{
		{"an object", `{"a":1}`, 200},
		{"nothing", " \n", 400},
		{"not JSON", `{"a":NaN}`, 400},
		{"a name twice", `{"a":1,"a":2}`, 422},
		{"a mebibyte", `"` + strings.Repeat("x", web.MaxJSONBytes-2) + `"`, 200},
		{"a byte more", `"` + strings.Repeat("x", web.MaxJSONBytes-1) + `"`, 413},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			request := httptest.NewRequest("POST", "/x", strings.NewReader(tt.body))
			request.Header.Set("Content-Type", "application/json")
			answer, body, _ := serve(t, "POST /x", read, request)
			if answer.StatusCode != tt.status || tt.status == 200 && body != tt.body {
				t.Errorf("%d %.200s, want %d", answer.StatusCode, body, tt.status)
			}
		})
	}
}

// TestTheAnswerToABodyThatIsTooLarge reaches a sender who reads it when all is sent.
func TestTheAnswerToABodyThatIsTooLarge(t *testing.T) {
	router := web.NewRouter()
	router.Handle("POST /x", func(w http.ResponseWriter, r *http.Request) (any, error) {
		return nil, web.ReadJSON(w, r, func([]byte) error { return nil })
	})
	server := httptest.NewServer(router)
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const size = 12 << 20
	if _, err := fmt.Fprintf(conn, "POST /x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", size, strings.Repeat("x", size)); err != nil {
		t.Fatalf("the connection broke while the body was sent: %v", err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestReadQuery(t *testing.T) {
	read := func(w http.ResponseWriter, r *http.Request) (any, error) {
		var size int
		var token string
		err := web.ReadQuery(r, func(q *web.Query) {
			size = q.WholeNumber("page_size", 50, 100)
			token, _ = q.Text("page_token")
		})
		return web.Reply{Status: http.StatusAccepted, Value: []any{size, token}}, err
	}
	tests := []struct {
		query  string
		status int
		want   string
	}{
		{"", 202, `[50,""]`},
		{"page_size=7&page_token=a%26b", 202, `[7,"a&b"]`},
		{"page_size=", 202, `[50,""]`},
		{"page_size=101&page_token=a&page_token=b&pagesize=7", 422,
			`"details":[{"path":"page_size","message":"must be a whole number from 1 to 100, but is 101"},{"path":"page_token","message":"is given more than once"},{"path":"pagesize","message":"is not a known parameter; known are page_size, page_token"}]`},
	}
	for _, tt := range tests {
		answer, body, _ := serve(t, "GET /x", read, httptest.NewRequest("GET", "/x?"+tt.query, nil))
		if answer.StatusCode != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("%s: %d %s, want %d with %s", tt.query, answer.StatusCode, body, tt.status, tt.want)
		}
	}
	none := web.Bare(failing(errs.New(errs.Internal, "it acts")))
	if answer, body, _ := serve(t, "POST /x", none, httptest.NewRequest("POST", "/x?dry_run=true", nil)); answer.StatusCode != 422 || !strings.Contains(body, "none here") {
		t.Errorf("a parameter of a call that has none: %d %s", answer.StatusCode, body)
	}
}

func TestReadObject(t *testing.T) {
	read := func(w http.ResponseWriter, r *http.Request) (any, error) {
		var name string
		err := web.ReadObject(w, r, func(o *strictjson.Object) {
			name, _ = o.Required("name").String()
		})
		return name, err
	}
	tests := []struct {
		name, body string
		status     int
		want       string
	}{
		{"good", `{"name":"shop"}`, 200, `"shop"`},
		{"every problem", `{"name":5,"other":1}`, 422, `"details":[{"path":"name","message":"must be a string, but is a number"},{"path":"other","message":"is not a known field; known are name"}]`},
		{"a name twice", `{"name":"a","name":"b"}`, 422, `"path":"name"`},
		{"an array", `[]`, 422, `must be an object, but is an array`},
		{"cut off", `{"name":"a"`, 400, `"code":"malformed"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			request := httptest.NewRequest("POST", "/x", strings.NewReader(tt.body))
			request.Header.Set("Content-Type", "application/json")
			answer, body, _ := serve(t, "POST /x", read, request)
			if answer.StatusCode != tt.status || !strings.Contains(body, tt.want) {
				t.Errorf("%d %s, want %d with %s", answer.StatusCode, body, tt.status, tt.want)
			}
		})
	}
}
