package frameworktest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/ledger/tree"
)

// Cloud names to a deployed function, in its environment, a project of its own
// in Google's Firestore emulator, a Cloud Storage server with the buckets
// shop-inbox, shop-outbox and shop-audit, and a key for the signed tree.
func Cloud(t *testing.T) (project string, storage *fakestorage.Server) {
	t.Helper()
	project = firestoretest.Project(t)
	storage, err := fakestorage.NewServerWithOptions(fakestorage.Options{
		Scheme: "http",
		Host:   "127.0.0.1",
		Writer: io.Discard,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(storage.Stop)
	for variable, bucket := range map[string]string{
		"INBOX_BUCKET":  "shop-inbox",
		"OUTBOX_BUCKET": "shop-outbox",
		"AUDIT_BUCKET":  "shop-audit",
	} {
		storage.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: bucket, VersioningEnabled: true})
		t.Setenv(variable, bucket)
	}
	front := httptest.NewServer(readInTurn(storage.HTTPHandler()))
	t.Cleanup(front.Close)
	t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(front.URL, "http://"))
	t.Setenv("GOOGLE_CLOUD_PROJECT", project)
	key, err := tree.Generate()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("AUDIT_KEY", key)
	return project, storage
}

// readInTurn serves one read of a generation at a time: the server in memory appends to a
// slice that such reads share.
func readInTurn(storage http.Handler) http.Handler {
	var reading sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.URL.Query().Has("generation") {
			reading.Lock()
			defer reading.Unlock()
		}
		storage.ServeHTTP(w, r)
	})
}
