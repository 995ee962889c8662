package gcs_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/errs"
)

// TestComposeRace lets somebody else compose the name between our look and our
// request, or loses the answer to it.
func TestComposeRace(t *testing.T) {
	for _, test := range []struct {
		name   string
		theirs string // "": nobody is in between, and the answer is lost
		want   errs.Kind
	}{
		{"the answer is lost", "", ""},
		{"the same bytes are there", "one, two", ""},
		{"other bytes are there", "others", errs.Conflict},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, s, put := scripted(t, gcs.Options{})
			parts := []bucket.Object{put("parts/1", "one, "), put("parts/2", "two")}
			s.set(on(toCompose, func(n int, r *http.Request, send func() (*http.Response, error)) (*http.Response, error) {
				switch {
				case n > 1:
					return answer(412)
				case test.theirs == "":
					return lose(send)
				}
				put("all.csv", test.theirs)
				return answer(412)
			}))
			made, err := b.Compose(t.Context(), "all.csv", bucket.CreateOptions{}, parts)
			wantKind(t, "Compose", err, test.want)
			s.set(nil)
			want := test.theirs
			if want == "" {
				want = "one, two"
			}
			if text, err := readAll(b, made); err != nil || text != want {
				t.Errorf("%q, %v; want %q", text, err, want)
			}
		})
	}
}

// TestComposeWithoutAPart: a part that is gone is told of, also in a group.
func TestComposeWithoutAPart(t *testing.T) {
	b, s, put := scripted(t, gcs.Options{})
	part := put("parts/1", "part")
	s.set(on(toCompose, func(int, *http.Request, func() (*http.Response, error)) (*http.Response, error) { return answer(404) }))
	for _, parts := range []int{2, 33} {
		_, err := b.Compose(t.Context(), "all.csv", bucket.CreateOptions{}, slices.Repeat([]bucket.Object{part}, parts))
		wantKind(t, fmt.Sprintf("Compose of %d parts", parts), err, errs.NotFound)
		if !strings.Contains(errs.Message(err), "one of its parts does not exist (any more)") {
			t.Error(err)
		}
	}
}

// TestComposeRequest: the request says that the name must not exist, which
// generations are composed, and what the checksum of it all must be.
// As many parts as Cloud Storage composes at a time need no group.
func TestComposeInOneRequest(t *testing.T) {
	b, s, put := scripted(t, gcs.Options{})
	var parts []bucket.Object
	for i := range 32 {
		parts = append(parts, put(fmt.Sprintf("parts/%d", i), "part"))
	}
	requests := 0
	s.set(on(toCompose, func(_ int, _ *http.Request, send func() (*http.Response, error)) (*http.Response, error) {
		requests++
		return send()
	}))
	if _, err := b.Compose(t.Context(), "all.csv", bucket.CreateOptions{}, parts); err != nil || requests != 1 {
		t.Errorf("%d requests, %v", requests, err)
	}
}

func TestComposeRequest(t *testing.T) {
	b, s, put := scripted(t, gcs.Options{})
	put("parts/1", "an older generation")
	parts := []bucket.Object{put("parts/1", "one, "), put("parts/2", "two")}
	var query, body string
	s.set(on(toCompose, func(_ int, r *http.Request, send func() (*http.Response, error)) (*http.Response, error) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		query, body = r.URL.RawQuery, string(text)
		r.Body = io.NopCloser(strings.NewReader(body))
		return send()
	}))
	if _, err := b.Compose(t.Context(), "all.csv", bucket.CreateOptions{}, parts); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(query, "ifGenerationMatch=0") || strings.Count(body, `"generation"`) != 2 || !strings.Contains(body, `"crc32c"`) {
		t.Errorf("asked with %s and %s", query, body)
	}
}
