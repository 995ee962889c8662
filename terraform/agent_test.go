package terraform_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAgentCommand runs the command that makes a service agent, with the real
// gcloud, against a server that answers as Service Usage does. What is granted
// to an agent that was never made is refused.
func TestAgentCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("starts gcloud")
	}
	if _, err := exec.LookPath("gcloud"); err != nil {
		t.Skip("SKIPPED, NOT TESTED WITH GCLOUD: it is not installed")
	}
	found := regexp.MustCompile(`command = "(gcloud [^"]+)"`).FindStringSubmatch(read(t, "services.tf"))
	if found == nil {
		t.Fatal("services.tf has no command of gcloud")
	}
	command := strings.NewReplacer("${each.key}", "pubsub.googleapis.com", "${var.project_id}", "test-project-1").Replace(found[1])

	var calls []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls = append(calls, r.Method+" "+r.URL.Path)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"name": "operations/finished.1", "done": true, "response": {
			"@type": "type.googleapis.com/google.api.serviceusage.v1beta1.ServiceIdentity",
			"email": "service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com", "uniqueId": "1"}}`)
	}))
	defer server.Close()

	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "token"), []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	gcloud := exec.CommandContext(t.Context(), "sh", "-c", command)
	gcloud.Env = append(os.Environ(),
		"CLOUDSDK_CONFIG="+filepath.Join(dir, "config"), "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE="+filepath.Join(dir, "token"),
		"CLOUDSDK_API_ENDPOINT_OVERRIDES_SERVICEUSAGE="+server.URL+"/")
	if output, err := gcloud.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, output)
	}
	want := []string{"POST /v1beta1/projects/test-project-1/services/pubsub.googleapis.com:generateServiceIdentity"}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}
