package terraform_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/execution"
)

// permissions are those of the roles on a bucket that its objects need, from
// https://cloud.google.com/storage/docs/access-control/iam-roles.
var permissions = map[string][]string{
	"roles/storage.objectCreator": {"storage.objects.create"},
	"roles/storage.objectUser": {
		"storage.objects.create", "storage.objects.delete", "storage.objects.get", "storage.objects.list", "storage.objects.update",
	},
}

// TestUploadCommand runs the command that the planner prints, with the real
// gcloud, against a server that allows what storage.tf grants and nothing else: an
// uploader may do it, and may not write where the planner hands tables in.
func TestUploadCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("starts gcloud")
	}
	if _, err := exec.LookPath("gcloud"); err != nil {
		t.Skip("SKIPPED, NOT TESTED WITH GCLOUD: it is not installed")
	}
	const id = "fitness_up_10pct_v1"
	command := planner.GcloudUpload("shop-inbox", id)

	t.Run("as storage.tf grants", func(t *testing.T) {
		inbox := serveInbox(t, uploaderRole(t))
		small, large := "sku,price\nA101,1\n", strings.Repeat("sku,price\nA101,2\n", 1<<19) // gcloud sends more than 8 MiB in a resumable session
		for _, content := range []string{small, large} {                                    // the second replaces the first
			if output, err := inbox.run(command, content); err != nil {
				t.Fatalf("%s: %v\n%s", command, err, output)
			}
			object, err := inbox.storage.GetObject("shop-inbox", id+"/products.csv")
			if err != nil || string(object.Content) != content {
				t.Fatalf("%s left %d bytes, %v; want %d", command, len(object.Content), err, len(content))
			}
		}
		handedIn := strings.Replace(command, "shop-inbox/", "shop-inbox/"+execution.HandedInFolder, 1)
		output, err := inbox.run(handedIn, small)
		if list, listErr := inbox.storage.ListObjectsWithOptionsPaginated("shop-inbox", fakestorage.ListOptions{}); err == nil || listErr != nil || len(list.Objects) != 1 {
			t.Errorf("%s: %v\n%s\n%d objects, %v", handedIn, err, output, len(list.Objects), listErr)
		}
	})
	t.Run("creating alone is not enough", func(t *testing.T) {
		inbox := serveInbox(t, "roles/storage.objectCreator")
		if output, err := inbox.run(command, "sku\n"); err == nil {
			t.Errorf("the server allows what is not granted: %s", output)
		}
	})
}

// TestRecoveryCommand runs the command that the README and the alert print for a
// dead letter: afterwards there is a new generation with the metadata of the
// old one, which the executor is told of.
func TestRecoveryCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("starts gcloud")
	}
	if _, err := exec.LookPath("gcloud"); err != nil {
		t.Skip("SKIPPED, NOT TESTED WITH GCLOUD: it is not installed")
	}
	for _, file := range []string{"README.md", "monitoring.tf"} {
		command := regexp.MustCompile(`gcloud storage \S+ ?\S* gs://INBOX/EXECUTION_ID/products\.csv gs://INBOX/EXECUTION_ID/products\.csv`).FindString(read(t, file))
		if command == "" {
			t.Fatalf("%s does not say how an upload is delivered again", file)
		}
		inbox := serveInbox(t, uploaderRole(t))
		inbox.storage.CreateObject(fakestorage.Object{Content: []byte("sku\n"), ObjectAttrs: fakestorage.ObjectAttrs{
			BucketName: "shop-inbox", Name: "plan_fitness_v1/products.csv", ContentType: "text/csv", Metadata: map[string]string{"execution-id": "plan_other_v1"},
		}})
		before, err := inbox.storage.GetObject("shop-inbox", "plan_fitness_v1/products.csv")
		if err != nil {
			t.Fatal(err)
		}
		command = strings.NewReplacer("INBOX", "shop-inbox", "EXECUTION_ID", "plan_fitness_v1").Replace(command)
		if output, err := inbox.run(command, ""); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, output)
		}
		after, err := inbox.storage.GetObject("shop-inbox", "plan_fitness_v1/products.csv")
		if err != nil || after.Generation <= before.Generation || string(after.Content) != "sku\n" || after.Metadata["execution-id"] != "plan_other_v1" || after.ContentType != "text/csv" {
			t.Errorf("%s: %s left generation %d after %d, %q, %+v, %v", file, command, after.Generation, before.Generation, after.Content, after.ObjectAttrs, err)
		}
	}
}

// TestPrintedCommandsAgree holds the command that Terraform prints to the
// planner's.
func TestPrintedCommandsAgree(t *testing.T) {
	bucket := `${google_storage_bucket.data["inbox"].name}`
	if want := planner.GcloudUpload(bucket, "fitness_up_10pct_v1"); !strings.Contains(read(t, "outputs.tf"), want) {
		t.Errorf("outputs.tf does not print %s", want)
	}
}

// uploaderRole is the role that storage.tf grants to uploaders on the inbox.
func uploaderRole(t *testing.T) string {
	t.Helper()
	found := regexp.MustCompile(`(?s)"google_storage_bucket_iam_member" "uploader" \{.*?role\s+= "([^"]+)"`).FindStringSubmatch(read(t, "storage.tf"))
	if found == nil || permissions[found[1]] == nil {
		t.Fatalf("the role of uploaders on the inbox is %q; the test knows the permissions of %v", found, permissions)
	}
	return found[1]
}

// inbox is a bucket behind a server that checks permissions.
type inbox struct {
	t       *testing.T
	url     string
	storage *fakestorage.Server
}

func serveInbox(t *testing.T, role string) *inbox {
	t.Helper()
	server, err := fakestorage.NewServerWithOptions(fakestorage.Options{NoListener: true, Writer: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	server.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "shop-inbox", VersioningEnabled: true})
	in, excepted := &inbox{t: t, storage: server}, leftOutFolder(t)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, needed := range in.needs(r) {
			if !slices.Contains(permissions[role], needed) || strings.HasPrefix(objectOf(r), excepted) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusForbidden)
				io.WriteString(w, `{"error":{"code":403,"message":"Permission `+needed+` denied","errors":[{"reason":"forbidden"}]}}`)
				return
			}
		}
		server.HTTPHandler().ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	in.url = front.URL
	return in
}

// leftOutFolder is where the condition on the uploaders' role does not hold: storage.tf
// says the opposite of what tables.tf gives the planner.
func leftOutFolder(t *testing.T) string {
	t.Helper()
	given := regexp.MustCompile(`handed_in = "resource\.name\.startsWith\(.*/objects/([^"]+)\\"\)"`).FindStringSubmatch(read(t, "tables.tf"))
	if given == nil || !regexp.MustCompile(`(?s)"google_storage_bucket_iam_member" "uploader" \{.*?expression\s+= "!\$\{local\.handed_in\}"`).MatchString(read(t, "storage.tf")) {
		t.Fatalf("the test does not understand the condition: %q", given)
	}
	return given[1]
}

// objectOf is the object that a request is about, "" where it is about the bucket.
func objectOf(r *http.Request) string {
	if path := inboxPath.FindStringSubmatch(r.URL.Path); path != nil && path[2] != "" {
		return path[2]
	}
	return r.URL.Query().Get("name")
}

var inboxPath = regexp.MustCompile(`^(?:/resumable)?(?:/upload)?/storage/v1/b/shop-inbox(/o)?(?:/(.+))?$`)

// needs are the permissions that a request takes, from
// https://cloud.google.com/storage/docs/access-control/iam-json. To upload what
// is there already takes the right to delete it.
func (in *inbox) needs(r *http.Request) []string {
	path := inboxPath.FindStringSubmatch(r.URL.Path)
	switch {
	case path == nil:
		return []string{"unknown to this test: " + r.URL.Path}
	case path[1] == "":
		return []string{"storage.buckets.get"}
	case r.Method == http.MethodGet && path[2] == "":
		return []string{"storage.objects.list"}
	case r.Method == http.MethodGet:
		return []string{"storage.objects.get"}
	case r.Method == http.MethodPost, r.Method == http.MethodPut:
		if list, err := in.storage.ListObjectsWithOptionsPaginated("shop-inbox", fakestorage.ListOptions{}); err != nil || len(list.Objects) > 0 {
			return []string{"storage.objects.create", "storage.objects.delete"}
		}
		return []string{"storage.objects.create"}
	case r.Method == http.MethodDelete:
		return []string{"storage.objects.delete"}
	default:
		return []string{"storage.objects.update"}
	}
}

// run runs a command of gcloud in a folder that holds products.csv.
func (in *inbox) run(command, content string) (output string, err error) {
	in.t.Helper()
	dir := in.t.TempDir()
	for name, text := range map[string]string{"products.csv": content, "token": "none"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			in.t.Fatal(err)
		}
	}
	gcloud := exec.CommandContext(in.t.Context(), "sh", "-c", command)
	gcloud.Dir = dir
	gcloud.Env = append(os.Environ(),
		"CLOUDSDK_CONFIG="+filepath.Join(dir, "config"), "CLOUDSDK_CORE_PROJECT=demo", "CLOUDSDK_CORE_DISABLE_PROMPTS=1",
		"CLOUDSDK_AUTH_ACCESS_TOKEN_FILE="+filepath.Join(dir, "token"),
		"CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE="+in.url+"/")
	text, err := gcloud.CombinedOutput()
	return string(text), err
}
