package gcs_test

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/buckettest"
	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/errs"
)

// sessions is a transport that answers resumable uploads of one object as
// https://cloud.google.com/storage/docs/performing-resumable-uploads says, and
// downloads of it, and keeps the checksum alone. The server of the other tests
// appends a chunk that is sent twice, and holds everything in memory.
type sessions struct {
	t        *testing.T
	fault    func(n int, send func() (*http.Response, error)) (*http.Response, error) // of the n-th chunk
	source   func() io.Reader                                                         // the object's bytes, for downloads
	hashless bool                                                                     // downloads come without a checksum

	mu     sync.Mutex
	chunks int
	digest bucket.Digest
	done   bool
}

func (s *sessions) RoundTrip(r *http.Request) (*http.Response, error) {
	switch kindOf(r) {
	case toUpload:
		drain(r)
		response := s.respond("{}")
		response.Header.Set("Location", "https://storage.test/upload?upload_id=1")
		return response, nil
	case toChunk:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.chunks++
		send := func() (*http.Response, error) { return s.accept(r) }
		if s.fault != nil {
			return s.fault(s.chunks, send)
		}
		return send()
	case toRead:
		response := s.respond("")
		response.Body, response.ContentLength = io.NopCloser(s.source()), s.digest.Size
		if !s.hashless {
			response.Header.Set("X-Goog-Hash", "crc32c="+s.hash())
		}
		return response, nil
	default:
		return s.respond(s.object()), nil
	}
}

// accept takes the part of a chunk that is new.
func (s *sessions) accept(r *http.Request) (*http.Response, error) {
	var first, last, total int64 = 0, -1, -1
	contentRange := r.Header.Get("Content-Range")
	if _, err := fmt.Sscanf(contentRange, "bytes %d-%d/%d", &first, &last, &total); err != nil {
		if _, err := fmt.Sscanf(contentRange, "bytes %d-%d/*", &first, &last); err != nil {
			fmt.Sscanf(contentRange, "bytes */%d", &total)
		}
	}
	if known := s.digest.Size - first; last >= first && known > 0 {
		io.CopyN(io.Discard, r.Body, known)
	}
	if first > s.digest.Size {
		s.t.Errorf("the chunk %q leaves a gap after %d bytes", contentRange, s.digest.Size)
	}
	if _, err := io.Copy(&s.digest, r.Body); err != nil {
		return nil, err
	}
	if total == s.digest.Size {
		if sent := r.Header.Get("X-Goog-Hash"); sent != "crc32c="+s.hash() {
			s.t.Errorf("the last chunk brings the checksum %q, want %s", sent, s.hash())
		}
		s.done = true
		return s.respond(s.object()), nil
	}
	response := s.respond("")
	response.Header.Set("X-Http-Status-Code-Override", "308")
	response.Header.Set("Range", fmt.Sprintf("bytes=0-%d", s.digest.Size-1))
	return response, nil
}

func (s *sessions) respond(body string) *http.Response {
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
}

func (s *sessions) hash() string {
	return base64.StdEncoding.EncodeToString(binary.BigEndian.AppendUint32(nil, s.digest.CRC32C))
}

func (s *sessions) object() string {
	return fmt.Sprintf(`{"bucket": "box", "name": "p.csv", "generation": "7", "size": "%d", "crc32c": "%s"}`, s.digest.Size, s.hash())
}

func random(size int64) io.Reader { return io.LimitReader(rand.NewChaCha8([32]byte{1}), size) }

func TestFaultsOfChunks(t *testing.T) {
	const size = 5*chunk + 1
	var want bucket.Digest
	if _, err := io.Copy(&want, random(size)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		fault func(send func() (*http.Response, error)) (*http.Response, error)
	}{
		{"the answer is lost", lose},
		{"never arrives", func(func() (*http.Response, error)) (*http.Response, error) {
			return nil, errors.Join(io.ErrUnexpectedEOF, errors.New("broken pipe"))
		}},
		{"503", func(func() (*http.Response, error)) (*http.Response, error) { return answer(503) }},
		{"503 after it was taken", func(send func() (*http.Response, error)) (*http.Response, error) {
			if _, err := send(); err != nil {
				return nil, err
			}
			return answer(503)
		}},
	} {
		for n := 1; n <= 6; n++ {
			t.Run(fmt.Sprintf("chunk %d: %s", n, test.name), func(t *testing.T) {
				s := &sessions{t: t}
				s.fault = func(taken int, send func() (*http.Response, error)) (*http.Response, error) {
					if taken == n {
						return test.fault(send)
					}
					return send()
				}
				object, err := stream(t, gcs.NewWith(impatient(t, s), "box", gcs.Options{ChunkSize: chunk}), random(size))
				if err != nil || !want.Matches(object) || !s.done || s.digest != want {
					t.Errorf("object %+v, %v; the server has %+v, want %+v", object, err, s.digest, want)
				}
				if s.chunks != 7 {
					t.Errorf("%d chunks were sent, want 6 and 1 again", s.chunks)
				}
			})
		}
	}
}

// A connection that dies without a word does not cost the upload.
func TestChunkHangsOnce(t *testing.T) {
	s := &sessions{t: t}
	client := impatient(t, roundTripper(func(r *http.Request) (*http.Response, error) {
		if kindOf(r) == toChunk && s.chunks == 0 {
			s.chunks++
			return hang(r)
		}
		return s.RoundTrip(r)
	}))
	_, err := stream(t, gcs.NewWith(client, "box", gcs.Options{ChunkSize: chunk, CallTimeout: 3 * time.Second}), random(2*chunk+1))
	wantKind(t, "Commit", err, "")
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func stream(t *testing.T, b *gcs.Bucket, from io.Reader) (bucket.Object, error) {
	t.Helper()
	upload, err := b.Create(t.Context(), "p.csv", bucket.CreateOptions{})
	if err != nil {
		return bucket.Object{}, err
	}
	defer upload.Abandon()
	if _, err := io.Copy(upload, from); err != nil {
		return bucket.Object{}, err
	}
	return upload.Commit()
}

// Memory is bounded by the chunk, whatever the object's size.
func TestMemory(t *testing.T) {
	const size, limit = 96 << 20, 8 << 20
	s := &sessions{t: t, source: func() io.Reader { return random(size) }}
	b := gcs.NewWith(impatient(t, s), "box", gcs.Options{ChunkSize: chunk})
	heap := buckettest.NewHeap()
	object, err := stream(t, b, io.TeeReader(random(size), heap))
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := b.Open(t.Context(), "p.csv", object.Generation)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if n, err := io.Copy(heap, r); err != nil || n != size {
		t.Errorf("read %d bytes, %v", n, err)
	}
	if heap.Growth() > limit {
		t.Errorf("the heap grew by %d bytes, at most %d are allowed", heap.Growth(), limit)
	}
}

// An execution writes its output and its changes at once, with the chunks that
// nobody chose: both must fit into an instance's memory beside the engine.
func TestMemoryOfTwoUploads(t *testing.T) {
	const size, limit = 96 << 20, 2*gcs.DefaultChunkSize + 8<<20
	heap := buckettest.NewHeap()
	var servers [2]*sessions
	var uploads [2]bucket.Upload
	for i := range uploads {
		servers[i] = &sessions{t: t}
		var err error
		if uploads[i], err = gcs.NewWith(impatient(t, servers[i]), "box", gcs.Options{}).Create(t.Context(), "p.csv", bucket.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		defer uploads[i].Abandon()
	}
	if _, err := io.Copy(io.MultiWriter(uploads[0], uploads[1], heap), random(size)); err != nil {
		t.Fatal(err)
	}
	for i, upload := range uploads {
		if _, err := upload.Commit(); err != nil {
			t.Fatal(err)
		}
		if most := size/gcs.DefaultChunkSize + 1; servers[i].chunks > most {
			t.Errorf("%d chunks were sent, at most %d are needed", servers[i].chunks, most)
		}
	}
	if heap.Growth() > limit {
		t.Errorf("the heap grew by %d bytes, at most %d are allowed", heap.Growth(), limit)
	}
}

// The client compares checksums where a download brings one; ours is compared
// always.
func TestDamagedDownload(t *testing.T) {
	const size = 1 << 20
	for _, test := range []struct {
		name   string
		source io.Reader
	}{
		{"one byte less", random(size - 1)},
		{"other bytes", strings.NewReader(strings.Repeat("x", size))},
	} {
		for _, hashless := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, without a hash %v", test.name, hashless), func(t *testing.T) {
				s := &sessions{t: t, hashless: hashless}
				b := gcs.NewWith(impatient(t, s), "box", gcs.Options{ChunkSize: chunk})
				object, err := stream(t, b, random(size))
				if err != nil {
					t.Fatal(err)
				}
				s.source = func() io.Reader { return test.source }
				_, err = readAll(b, object)
				wantKind(t, "reading", err, errs.Internal)
			})
		}
	}
}
