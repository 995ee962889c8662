package gcs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/errs"
)

func TestLostReply(t *testing.T) {
	for _, test := range []struct {
		name, text, kind string
		lost             int // the turn whose answer is lost
	}{
		{"at once", small, toUpload, 1},
		{"the beginning of a session", big, toUpload, 1},
		{"the last chunk", big, toChunk, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, s, _ := scripted(t, gcs.Options{ChunkSize: chunk})
			lost := false
			s.set(on(test.kind, func(n int, _ *http.Request, send func() (*http.Response, error)) (*http.Response, error) {
				if n == test.lost {
					lost = true
					return lose(send)
				}
				return send()
			}))
			object, err := write(t.Context(), b, "p.csv", test.text)
			wantKind(t, "Publish", err, "")
			if !lost {
				t.Error("no answer was lost")
			}
			s.set(nil)
			if text, err := readAll(b, object); err != nil || text != test.text {
				t.Errorf("%d bytes are read, want %d, %v", len(text), len(test.text), err)
			}
		})
	}
}

// Between a first try that did not get through and the second, another writer
// takes the name.
func TestOvertakenBetweenTries(t *testing.T) {
	for _, test := range []struct {
		name, theirs, ours string
		want               errs.Kind
	}{
		{"with the same bytes", small, small, ""},
		{"with other bytes", "theirs", small, errs.Conflict},
		{"with the same bytes, in chunks", big, big, ""},
		{"with other bytes, in chunks", "theirs", big, errs.Conflict},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, s, put := scripted(t, gcs.Options{ChunkSize: chunk})
			var theirs bucket.Object
			s.set(on(toUpload, func(n int, r *http.Request, send func() (*http.Response, error)) (*http.Response, error) {
				if n == 1 {
					drain(r)
					theirs = put("p.csv", test.theirs)
					return answer(503)
				}
				return send()
			}))
			object, err := write(t.Context(), b, "p.csv", test.ours)
			wantKind(t, "Publish", err, test.want)
			if object.Generation != theirs.Generation || object.CRC32C != theirs.CRC32C {
				t.Errorf("the object there is %+v, want %+v", object, theirs)
			}
		})
	}
}

// A caller that may create but not replace is answered 403 about a name that exists.
func TestForbidden(t *testing.T) {
	forbid := func(kind string) func(*http.Request, func() (*http.Response, error)) (*http.Response, error) {
		return on(kind, func(_ int, r *http.Request, _ func() (*http.Response, error)) (*http.Response, error) {
			drain(r)
			return answer(403)
		})
	}
	for _, text := range []string{small, big} {
		t.Run(fmt.Sprintf("%d bytes", len(text)), func(t *testing.T) {
			b, s, put := scripted(t, gcs.Options{ChunkSize: chunk, CallTimeout: 2 * time.Second})
			same, other := put("same.csv", text), put("other.csv", "other")
			s.set(forbid(toUpload))

			object, err := write(t.Context(), b, "same.csv", text)
			wantKind(t, "a name with the same bytes", err, "")
			if object.Generation != same.Generation {
				t.Errorf("generation %d, want %d", object.Generation, same.Generation)
			}
			object, err = write(t.Context(), b, "other.csv", text)
			wantKind(t, "a name with other bytes", err, errs.Conflict)
			if object.Generation != other.Generation {
				t.Errorf("generation %d, want %d", object.Generation, other.Generation)
			}
			_, err = write(t.Context(), b, "new.csv", text)
			wantKind(t, "a name that does not exist", err, errs.Denied)

			forbidAll := func(r *http.Request, _ func() (*http.Response, error)) (*http.Response, error) {
				drain(r)
				return answer(403)
			}
			s.set(forbidAll)
			_, err = write(t.Context(), b, "same.csv", text)
			wantKind(t, "a bucket that cannot be looked into", err, errs.Denied)

			unknown := func(r *http.Request, _ func() (*http.Response, error)) (*http.Response, error) {
				drain(r)
				if kindOf(r) == toStat {
					return answer(400)
				}
				return answer(403)
			}
			s.set(unknown)
			_, err = write(t.Context(), b, "same.csv", text)
			if kind := errs.KindOf(err); kind == errs.Denied || kind == "" {
				t.Errorf("where looking fails, kind %q pretends to know", kind)
			}
		})
	}
}

func TestStatuses(t *testing.T) {
	for _, test := range []struct {
		status int
		want   errs.Kind
	}{
		{400, errs.Invalid}, {401, errs.Denied}, {403, errs.Denied}, {410, errs.Unavailable}, {412, errs.Unavailable}, {418, errs.Internal},
	} {
		t.Run(fmt.Sprint(test.status), func(t *testing.T) {
			b, s, put := scripted(t, gcs.Options{CallTimeout: 2 * time.Second})
			object := put("p.csv", small)
			s.set(func(r *http.Request, _ func() (*http.Response, error)) (*http.Response, error) {
				drain(r)
				return answer(test.status)
			})
			_, err := b.Stat(t.Context(), "p.csv")
			wantKind(t, "Stat", err, test.want)
			if !strings.HasPrefix(errs.Message(err), "p.csv could not be looked up in the bucket box: ") {
				t.Errorf("Stat: %s", errs.Message(err))
			}
			_, err = readAll(b, object)
			wantKind(t, "Open", err, test.want)
			var original interface{ Error() string }
			if !errors.As(err, &original) || !strings.Contains(err.Error(), fmt.Sprint(test.status)) {
				t.Errorf("the log does not learn the back end's answer: %v", err)
			}
		})
	}
}

func TestTransient(t *testing.T) {
	for _, status := range []int{408, 429, 500, 502, 503, 504} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			b, s, put := scripted(t, gcs.Options{})
			object := put("p.csv", small)
			failing := func(times int) func(*http.Request, func() (*http.Response, error)) (*http.Response, error) {
				var mu sync.Mutex
				seen := make(map[string]int)
				return func(r *http.Request, send func() (*http.Response, error)) (*http.Response, error) {
					mu.Lock()
					seen[kindOf(r)]++
					n := seen[kindOf(r)]
					mu.Unlock()
					if n <= times {
						drain(r)
						return answer(status)
					}
					return send()
				}
			}
			s.set(failing(2))
			if text, err := readAll(b, object); err != nil || text != small {
				t.Errorf("reading: %q, %v", text, err)
			}
			if _, err := write(t.Context(), b, "small.csv", small); err != nil {
				t.Errorf("writing: %v", err)
			}
			b = gcs.NewWith(impatient(t, s), "box", gcs.Options{CallTimeout: 200 * time.Millisecond})
			s.set(failing(1 << 30))
			if _, err := b.Stat(t.Context(), "p.csv"); !errs.Retryable(err) {
				t.Errorf("Stat: %v is not worth another try", err)
			}
			if _, err := write(t.Context(), b, "never.csv", small); !errs.Retryable(err) {
				t.Errorf("writing: %v is not worth another try", err)
			}
			s.set(nil)
			_, err := b.Stat(t.Context(), "never.csv")
			wantKind(t, "Stat of what was never written", err, errs.NotFound)
		})
	}
}

// What cannot be sent is told by a write already, not at the end.
func TestWriteFails(t *testing.T) {
	b, s, _ := scripted(t, gcs.Options{ChunkSize: chunk})
	s.set(func(r *http.Request, _ func() (*http.Response, error)) (*http.Response, error) {
		drain(r)
		return answer(400)
	})
	upload, err := b.Create(t.Context(), "p.csv", bucket.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer upload.Abandon()
	for range 10 {
		if _, err = io.WriteString(upload, big); err != nil {
			break
		}
	}
	wantKind(t, "Write", err, errs.Invalid)
}

func TestClientWithoutCredentials(t *testing.T) {
	t.Setenv(emulatorHost, "")
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", filepath.Join(t.TempDir(), "missing.json"))
	_, err := gcs.NewClient(t.Context())
	wantKind(t, "NewClient", err, errs.Unavailable)
}

func TestMissingBucket(t *testing.T) {
	_, _, put := scripted(t, gcs.Options{})
	put("p.csv", small)
	b := gcs.NewWith(newClient(t, http.DefaultTransport), "no-such-bucket", gcs.Options{})
	_, err := write(t.Context(), b, "p.csv", small)
	wantKind(t, "writing", err, errs.Unavailable)
}

// Nobody's context has a deadline here: each call brings its own.
func TestHangs(t *testing.T) {
	hanging := func(kind string, from int) func(*http.Request, func() (*http.Response, error)) (*http.Response, error) {
		return on(kind, func(n int, r *http.Request, send func() (*http.Response, error)) (*http.Response, error) {
			if n >= from {
				return hang(r)
			}
			return send()
		})
	}
	b, s, put := scripted(t, gcs.Options{CallTimeout: 100 * time.Millisecond, ChunkSize: chunk})
	object := put("p.csv", big)
	for _, test := range []struct {
		name, kind string
		from       int
		call       func() error
	}{
		{"Stat", toStat, 1, func() error { _, err := b.Stat(context.Background(), "p.csv"); return err }},
		{"Open at the object", toStat, 1, func() error { _, err := readAll(b, object); return err }},
		{"Open at the bytes", toRead, 1, func() error { _, err := readAll(b, object); return err }},
		{"Commit at once", toUpload, 1, func() error { _, err := write(context.Background(), b, "a.csv", small); return err }},
		{"Write at the beginning", toUpload, 1, func() error { _, err := write(context.Background(), b, "b.csv", big); return err }},
		{"Write at a chunk", toChunk, 2, func() error { _, err := write(context.Background(), b, "c.csv", big); return err }},
		{"Commit at the last chunk", toChunk, 3, func() error { _, err := write(context.Background(), b, "d.csv", big); return err }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s.set(hanging(test.kind, test.from))
			wantKind(t, test.name, test.call(), errs.Deadline)
		})
	}
	s.set(nil)
	for _, name := range []string{"a.csv", "b.csv", "c.csv", "d.csv"} {
		_, err := b.Stat(t.Context(), name)
		wantKind(t, "Stat of "+name, err, errs.NotFound)
	}
}

// breaking ends a body after so many bytes with an error, or never.
type breaking struct {
	io.ReadCloser
	left int
	end  func() error
}

func (b *breaking) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, b.end()
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

func TestBrokenStream(t *testing.T) {
	for _, test := range []struct {
		name  string
		after int // bytes of each answer
		times int
		end   func(r *http.Request) error
		want  errs.Kind
	}{
		{"once", 100_000, 1, func(*http.Request) error { return io.ErrUnexpectedEOF }, ""},
		{"reset once", 100_000, 1, func(*http.Request) error { return fmt.Errorf("read: %w", syscall.ECONNRESET) }, ""},
		{"before the first byte, every time", 0, 1 << 30, func(*http.Request) error { return io.ErrUnexpectedEOF }, errs.Deadline},
		{"every time", 100_000, 1 << 30, func(*http.Request) error { return io.ErrUnexpectedEOF }, ""},
		{"hanging", 100_000, 1, func(r *http.Request) error { <-r.Context().Done(); return r.Context().Err() }, errs.Deadline},
		{"ending early without an error", 100_000, 1, func(*http.Request) error { return io.EOF }, errs.Internal},
	} {
		t.Run(test.name, func(t *testing.T) {
			options := gcs.Options{}
			if test.want == errs.Deadline {
				options.CallTimeout = 200 * time.Millisecond
			}
			b, s, put := scripted(t, options)
			object := put("p.csv", big)
			s.set(on(toRead, func(n int, r *http.Request, send func() (*http.Response, error)) (*http.Response, error) {
				response, err := send()
				if err == nil && n <= test.times {
					response.Body = &breaking{response.Body, test.after, func() error { return test.end(r) }}
				}
				return response, err
			}))
			text, err := readAll(b, object)
			wantKind(t, "reading", err, test.want)
			if test.name == "hanging" && !strings.HasPrefix(errs.Message(err), "p.csv could not be read to its end in the bucket box: ") {
				t.Errorf("reading: %s", errs.Message(err))
			}
			if err == nil && text != big {
				t.Errorf("%d bytes are read, want %d", len(text), len(big))
			}
		})
	}
}

// The server says it has stored something else than was sent.
func TestStoredChecksumDiffers(t *testing.T) {
	b, s, _ := scripted(t, gcs.Options{})
	s.set(on(toUpload, func(_ int, _ *http.Request, send func() (*http.Response, error)) (*http.Response, error) {
		response, err := send()
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(response.Body)
		before, after, found := bytes.Cut(body, []byte(`"crc32c":"`))
		if err != nil || !found {
			return nil, fmt.Errorf("no checksum in %s, %w", body, err)
		}
		after = append([]byte("AAAAAA"), after[6:]...)
		response.Body = io.NopCloser(bytes.NewReader(append(append(before, `"crc32c":"`...), after...)))
		return response, nil
	}))
	_, err := write(t.Context(), b, "p.csv", small)
	wantKind(t, "Publish", err, errs.Internal)
	if want := fmt.Sprintf("p.csv was stored with %d bytes and CRC32C 00000000", len(small)); !strings.HasPrefix(errs.Message(err), want) {
		t.Errorf("%q, want %q", errs.Message(err), want)
	}
}

// An answer that says nothing of the name is not taken for one that it is taken.
func TestRefusedNextToAnObject(t *testing.T) {
	b, s, put := scripted(t, gcs.Options{})
	s.set(on(toUpload, func(_ int, r *http.Request, _ func() (*http.Response, error)) (*http.Response, error) {
		drain(r)
		put("p.csv", small)
		return answer(400)
	}))
	_, err := write(t.Context(), b, "p.csv", small)
	wantKind(t, "Publish", err, errs.Invalid)
}

func TestAbandonSendsNothing(t *testing.T) {
	b, s, _ := scripted(t, gcs.Options{ChunkSize: chunk})
	upload, err := b.Create(t.Context(), "p.csv", bucket.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	upload.Abandon()
	if n := len(s.requests); n != 0 {
		t.Errorf("an upload without a byte made %d requests", n)
	}
	upload, err = b.Create(t.Context(), "p.csv", bucket.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(upload, big); err != nil {
		t.Fatal(err)
	}
	upload.Abandon()
	sent := s.count(toChunk)
	_, err = b.Stat(t.Context(), "p.csv")
	wantKind(t, "Stat", err, errs.NotFound)
	if sent == 0 || s.count(toChunk) != sent {
		t.Errorf("%d chunks were sent before Abandon, %d in the end", sent, s.count(toChunk))
	}
}

// A name that is known to be taken costs no more bytes on the wire.
func TestTakenNameIsNotSentOn(t *testing.T) {
	b, s, put := scripted(t, gcs.Options{ChunkSize: chunk})
	put("p.csv", big)
	s.set(on(toUpload, func(_ int, r *http.Request, _ func() (*http.Response, error)) (*http.Response, error) {
		drain(r)
		return answer(412)
	}))
	if _, err := write(t.Context(), b, "p.csv", big); err != nil {
		t.Errorf("Publish: %v", err)
	}
	if s.count(toChunk) != 0 || s.count(toUpload) != 1 || s.count(toStat) != 1 {
		t.Errorf("requests %q", s.requests)
	}
}

func TestContentEncoding(t *testing.T) {
	b, s, _ := scripted(t, gcs.Options{})
	client := newClient(t, s)
	w := client.Bucket("box").Object("p.csv").NewWriter(t.Context())
	w.ContentEncoding = "gzip"
	w.Metadata = map[string]string{"intent": "propose"}
	if _, err := io.WriteString(w, small); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, described, err := b.Open(t.Context(), "p.csv", w.Attrs().Generation)
	wantKind(t, "Open", err, errs.Invalid)
	if described.Generation != w.Attrs().Generation || described.Metadata["intent"] != "propose" {
		t.Errorf("it is described as %+v", described)
	}
}
