package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"
)

// outage is a request to each function that uses Firestore.
var outage = []struct {
	target, method, path, body string
	retryAfter                 string // "": nothing would read it
}{
	{"Planner", "GET", "/v1/executions", "", "5"},
	{"Session", "POST", "/apps/goal_planning_agent/users/ana/sessions", "{}", "5"},
	{"Sweeper", "POST", "/due", "", "5"},
	{"Executor", "POST", "/", "", ""}, // an event of the upload
}

const upload = "plan_fitness_v1/products.csv"

// Where Firestore cannot be reached, each function says within ten seconds that it can
// be asked again: where nobody listens, and where somebody does and says nothing. A
// request that waits for it is answered though the process is told to end meanwhile.
func TestFirestoreCannotBeReached(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	storage := storageWithUpload(t)
	for _, call := range outage {
		t.Run(call.target, func(t *testing.T) {
			t.Parallel()
			t.Run("nobody listens", func(t *testing.T) {
				t.Parallel()
				f := start(t, call.target, "127.0.0.1:"+freePort(t), storage)
				f.unavailable(t, call.method, call.path, call.body, call.retryAfter)
			})
			t.Run("somebody says nothing", func(t *testing.T) {
				t.Parallel()
				silent, called := listen(t)
				f := start(t, call.target, silent, storage)
				go func() {
					<-called
					_ = f.Process.Signal(syscall.SIGTERM)
				}()
				f.unavailable(t, call.method, call.path, call.body, call.retryAfter)
				if err := f.Wait(); err != nil {
					t.Errorf("it ended with %v", err)
				}
			})
		})
	}
}

// storageWithUpload is a Cloud Storage server whose inbox has a table.
func storageWithUpload(t *testing.T) *fakestorage.Server {
	t.Helper()
	server, err := fakestorage.NewServerWithOptions(fakestorage.Options{Scheme: "http", Host: "127.0.0.1", Writer: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	for _, bucket := range []string{"inbox", "outbox", "audit"} {
		server.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: bucket, VersioningEnabled: true})
	}
	server.CreateObject(fakestorage.Object{
		ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "inbox", Name: upload}, Content: []byte("sku,category,price,in_stock\nA1,fitness,10,true\n"),
	})
	return server
}

// listen accepts connections and says nothing. It tells of the first.
func listen(t *testing.T) (address string, called <-chan struct{}) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	first := make(chan struct{})
	go func() {
		for n := 0; ; n++ {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			defer connection.Close()
			if n == 0 {
				close(first)
			}
		}
	}()
	return listener.Addr().String(), first
}

// served is a deployed function as a process.
type served struct {
	*exec.Cmd
	address string
	storage *fakestorage.Server
}

func start(t *testing.T, target, firestore string, storage *fakestorage.Server) served {
	t.Helper()
	port := freePort(t)
	f := served{program(context.Background(), t), "http://127.0.0.1:" + port, storage}
	f.Env = append(f.Env, "FUNCTION_TARGET="+target, "PORT="+port, "GOOGLE_CLOUD_PROJECT=demo-outage", "GOOGLE_API_KEY=none",
		"FIRESTORE_EMULATOR_HOST="+firestore, "STORAGE_EMULATOR_HOST="+strings.TrimPrefix(storage.URL(), "http://"),
		"INBOX_BUCKET=inbox", "OUTBOX_BUCKET=outbox", "AUDIT_BUCKET=audit")
	if err := f.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = f.Process.Kill()
		_ = f.Wait()
	})
	for tick := time.NewTicker(20 * time.Millisecond); ; <-tick.C {
		if connection, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			connection.Close()
			return f
		}
		if t.Context().Err() != nil {
			t.Fatal("it does not listen")
		}
	}
}

// unavailable wants a whole answer that says when to ask again.
func (f served) unavailable(t *testing.T, method, path, body, retryAfter string) {
	t.Helper()
	if retryAfter == "" {
		body = f.event(t)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, f.address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if retryAfter == "" {
		for name, value := range map[string]string{"Ce-Id": "1", "Ce-Source": "//storage.googleapis.com/projects/_/buckets/inbox", "Ce-Specversion": "1.0", "Ce-Type": "google.cloud.storage.object.v1.finalized"} {
			request.Header.Set(name, value)
		}
	}
	began := time.Now()
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if took := time.Since(began); answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") != retryAfter || err != nil || took > 10*time.Second {
		t.Errorf("%d after %s, Retry-After %q, %s, %v", answer.StatusCode, took, answer.Header.Get("Retry-After"), text, err)
	}
}

// event is what Cloud Storage says of the upload.
func (f served) event(t *testing.T) string {
	t.Helper()
	object, err := f.storage.GetObject("inbox", upload)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{
		"bucket": "inbox", "name": upload, "generation": fmt.Sprint(object.Generation), "size": fmt.Sprint(len(object.Content)), "timeCreated": time.Now().UTC(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
