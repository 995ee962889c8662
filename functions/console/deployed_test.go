package console_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	"github.com/planwright/planwright/functions/browsertest"
	"github.com/planwright/planwright/functions/console"
	"github.com/planwright/planwright/functions/frameworktest"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/web"
)

// geminiServer answers every call with one plan.
func geminiServer(t *testing.T) string {
	t.Helper()
	const operations = `{"operations":[{"operation_id":"a","filter":{"categories":["fitness"],"in_stock":true},"action":{"type":"percent_increase","value":10}}]}`
	text, err := json.Marshal(operations)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"candidates":[{"content":{"role":"model","parts":[{"text":`+string(text)+`}]},"finishReason":"STOP"}]}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// deployed is the functions as the platform serves them, over Google's
// Firestore emulator and a Cloud Storage server.
type deployed struct {
	planner, executor, sessions string
	storage                     *fakestorage.Server
}

func deploy(t *testing.T) deployed {
	t.Helper()
	d := deployed{}
	var err error
	d.storage, err = fakestorage.NewServerWithOptions(fakestorage.Options{Scheme: "http", Host: "127.0.0.1", Writer: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.storage.Stop)
	for variable, name := range map[string]string{"INBOX_BUCKET": "shop-inbox", "OUTBOX_BUCKET": "shop-outbox", "AUDIT_BUCKET": "shop-audit"} {
		d.storage.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: name, VersioningEnabled: true})
		t.Setenv(variable, name)
	}
	for variable, value := range map[string]string{
		"STORAGE_EMULATOR_HOST": strings.TrimPrefix(d.storage.URL(), "http://"), "GOOGLE_CLOUD_PROJECT": firestoretest.Project(t),
		"GOOGLE_GEMINI_BASE_URL": geminiServer(t), "GOOGLE_API_KEY": "key-of-the-test", "GOOGLE_GENAI_USE_VERTEXAI": "",
	} {
		t.Setenv(variable, value)
	}
	d.planner, d.executor, d.sessions = frameworktest.Serve(t, "Planner"), frameworktest.Serve(t, "Executor"), frameworktest.Serve(t, "Session")
	return d
}

// announce tells the executor of every upload, as Cloud Storage does through
// Pub/Sub, until it is acknowledged.
func (d deployed) announce(t *testing.T) {
	t.Helper()
	listed, err := d.storage.ListObjectsWithOptionsPaginated("shop-inbox", fakestorage.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range listed.Objects {
		data, err := json.Marshal(map[string]any{
			"bucket": "shop-inbox", "name": object.Name, "generation": fmt.Sprint(object.Generation), "size": fmt.Sprint(object.Size),
			"timeCreated": time.Now().UTC().Format(time.RFC3339Nano), "metadata": object.Metadata,
		})
		if err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(map[string]any{"subscription": "projects/demo/subscriptions/shop-executor", "message": map[string]any{
			"messageId": "1", "publishTime": time.Now().UTC().Format(time.RFC3339Nano), "data": data,
			"attributes": map[string]string{"eventType": "OBJECT_FINALIZE", "payloadFormat": "JSON_API_V1", "bucketId": "shop-inbox"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.Post(d.executor+"/projects/demo/topics/shop-inbox", "application/json", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode >= 300 {
			t.Fatalf("%s: %d", object.Name, answer.StatusCode)
		}
	}
}

// TestOverDeployedFunctions walks the main path over the functions as the
// platform serves them.
func TestOverDeployedFunctions(t *testing.T) {
	b := browsertest.New(t)
	d := deploy(t)
	storage, err := gcs.NewClient(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer storage.Close()
	open := func(name string) bucket.Bucket { return gcs.New(storage, name, gcs.Options{}) }
	stopping := make(chan struct{})
	pages, err := console.New(console.Dependencies{
		Planner:  &console.Client{Base: d.planner, HTTP: http.DefaultTransport},
		Sessions: &console.Client{Base: d.sessions, HTTP: http.DefaultTransport},
		Inbox:    open("shop-inbox"), Files: open, Stopping: stopping,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer pages.Close()
	server := httptest.NewServer(web.Service{Name: "console"}.Serve(web.LocalOnly(pages)))
	defer server.Close()
	defer close(stopping)

	page := tab{b, server.URL, server.Close}
	page.makePlan("Increase prices by 10% for all in-stock fitness products.")
	page.Shows("Planned by", "read the same way by our own grammar")
	page.choose("products.csv", products)
	page.Shows("2 of 4 rows would change", "32.99")
	page.press("Apply to products.csv")
	page.Shows("Waiting for its table")
	d.announce(t)
	page.Shows("Completed", "2 of 4 rows changed", "A101")
	page.press("Verify the record")
	page.Shows("The one document is as it was written")
	if output := page.fetch(`document.querySelector("a.primary").href`); !strings.Contains(output, "A101,fitness,32.99,true\n") {
		t.Errorf("downloaded\n%s", output)
	}
	page.press("A101")
	page.Shows("History of A101", "29.99", "32.99")
}
