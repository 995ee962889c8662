package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	"github.com/planwright/planwright/shared/firestoretest"
)

// cloud is Google's Firestore emulator and a Cloud Storage server with three
// buckets, and the variables that lead to them.
type cloud struct {
	storage   *fakestorage.Server
	firestore map[string]string
	all       map[string]string
}

func newCloud(t *testing.T) cloud {
	t.Helper()
	project := firestoretest.Project(t)
	storage, err := fakestorage.NewServerWithOptions(fakestorage.Options{Scheme: "http", Host: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(storage.Stop)
	c := cloud{storage: storage, firestore: map[string]string{
		firestoretest.HostVariable: os.Getenv(firestoretest.HostVariable), "GOOGLE_CLOUD_PROJECT": project,
	}}
	c.all = map[string]string{"STORAGE_EMULATOR_HOST": strings.TrimPrefix(storage.URL(), "http://")}
	for name, value := range c.firestore {
		c.all[name] = value
	}
	for variable, name := range map[string]string{"INBOX_BUCKET": "shop-inbox", "OUTBOX_BUCKET": "shop-outbox", "AUDIT_BUCKET": "shop-audit"} {
		storage.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: name, VersioningEnabled: true})
		c.all[variable] = name
	}
	return c
}

// read returns an object's content.
func (c cloud) read(t *testing.T, bucket, name string) string {
	t.Helper()
	object, err := c.storage.GetObjectStreaming(bucket, name)
	if err != nil {
		t.Fatalf("%s/%s: %v", bucket, name, err)
	}
	defer object.Content.Close()
	data, err := io.ReadAll(object.Content)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestServeOverFirestoreAndCloudStorage(t *testing.T) {
	c := newCloud(t)
	s := startWith(t, t.TempDir(), c.all)
	s.putPlan("plan_cloud_v1")
	c.storage.CreateObject(fakestorage.Object{
		ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "shop-inbox", Name: "plan_cloud_v1/p.csv"}, Content: []byte(goodTable),
	})
	uploaded, err := c.storage.GetObject("shop-inbox", "plan_cloud_v1/p.csv")
	if err != nil {
		t.Fatal(err)
	}
	event := fmt.Sprintf(`{"bucket": "shop-inbox", "name": "plan_cloud_v1/p.csv", "generation": "%d", "size": "%d", "timeCreated": "2026-03-01T10:00:00Z"}`, uploaded.Generation, len(goodTable))
	for range 2 { // the second is a copy
		status, body := s.call(http.MethodPost, "/executor", "application/json", event, "Ce-Id", "1", "Ce-Source", "x",
			"Ce-Type", "google.cloud.storage.object.v1.finalized", "Ce-Specversion", "1.0")
		if status != http.StatusNoContent {
			t.Fatalf("the event: %d %s", status, body)
		}
	}
	if got := s.status("plan_cloud_v1"); got != "completed" {
		t.Errorf("the execution is %q", got)
	}
	if got := c.read(t, "shop-outbox", "plan_cloud_v1/p.csv"); got != raised {
		t.Errorf("output %q, want %q", got, raised)
	}
	s.stop()
	s = startWith(t, t.TempDir(), c.all) // another folder: all that matters is in the cloud
	if got := s.status("plan_cloud_v1"); got != "completed" {
		t.Errorf("after a restart the execution is %q", got)
	}
	if code, stdout, stderr := cliIn(t, c.all, "verify", "--cloud", "--execution", "plan_cloud_v1"); code != exitDone || !strings.Contains(stdout, "change documents") {
		t.Errorf("verify: exit code %d\n%s%s", code, stdout, stderr)
	}
	c.storage.CreateObject(fakestorage.Object{
		ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "shop-outbox", Name: "plan_cloud_v1/p.csv"}, Content: []byte(strings.Replace(raised, "32.99", "32.98", 1)),
	})
	if code, stdout, _ := cliIn(t, c.all, "verify", "--cloud", "--execution", "plan_cloud_v1"); code != exitFailed || !strings.Contains(stdout, "DIFFERS  the output file") {
		t.Errorf("verify of a changed output: exit code %d\n%s", code, stdout)
	}
}

func TestServeOverFirestoreAndAFolder(t *testing.T) {
	c := newCloud(t)
	s := startWith(t, t.TempDir(), c.firestore)
	s.putPlan("plan_mixed_v1")
	s.drop("plan_mixed_v1/p.csv", goodTable)
	s.await("plan_mixed_v1", "completed")
	if got := s.outbox("plan_mixed_v1/p.csv"); got != raised {
		t.Errorf("output %q, want %q", got, raised)
	}
	const session = "/session/apps/poc6_sequential_failure/users/u1/sessions/s1"
	if status, body := s.call(http.MethodPost, session, "application/json", "{}"); status != http.StatusOK {
		t.Errorf("a new session: %d %s", status, body)
	}
	s.stop()
	s = startWith(t, t.TempDir(), c.firestore)
	if status, body := s.call(http.MethodGet, session, "", ""); status != http.StatusOK {
		t.Errorf("the session after a restart in another folder: %d %s", status, body)
	}
	if _, page := s.call(http.MethodGet, "/", "", ""); !strings.Contains(page, "Firestore emulator") {
		t.Error("the page does not say where the records lie")
	}
}

func TestServeSaysWhatIsMissing(t *testing.T) {
	code, _, stderr := cliWith(t, map[string]string{"STORAGE_EMULATOR_HOST": "127.0.0.1:1", "BLANK_PRICE": "perhaps"}, "serve", "--data", t.TempDir())
	if code != exitUsage {
		t.Errorf("exit code %d, want %d", code, exitUsage)
	}
	for _, name := range []string{"INBOX_BUCKET", "OUTBOX_BUCKET", "AUDIT_BUCKET", "BLANK_PRICE"} {
		if !strings.Contains(stderr, name) {
			t.Errorf("%s is not named in: %s", name, stderr)
		}
	}
}

// cliIn runs one command line in this process with variables that libraries
// read too.
func cliIn(t *testing.T, variables map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	for name, value := range variables {
		t.Setenv(name, value)
	}
	return cliWith(t, variables, args...)
}
