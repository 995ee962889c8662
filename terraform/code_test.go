package terraform_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plannerapi"
)

// TestMetricsCountWhatIsLogged finds every message that a metric counts in the
// code, as the literal that is logged.
func TestMetricsCountWhatIsLogged(t *testing.T) {
	counted := regexp.MustCompile(`jsonPayload\.message=\\"([^"\\]+)\\"`).FindAllStringSubmatch(read(t, "monitoring.tf"), -1)
	if len(counted) < 3 {
		t.Fatalf("found %d messages in monitoring.tf", len(counted))
	}
	code := sources(t, "../functions/executor", "../functions/planner", "../shared/execution")
	const logs = `(?i:log)(?:\(r\.Context\(\)\))?\.(?:Info|Warn|Error)Context\((?:ctx|r\.Context\(\)), `
	for _, message := range counted {
		if !regexp.MustCompile(logs + regexp.QuoteMeta(strconv.Quote(message[1]))).MatchString(code) {
			t.Errorf("nothing logs %q", message[1])
		}
	}
	actions := regexp.MustCompile(`jsonPayload\.action=\\"(\w+)\\"`).FindAllStringSubmatch(read(t, "monitoring.tf"), -1)
	if len(actions) < 2 || !strings.Contains(code, `"decided", "action", act,`) {
		t.Errorf("%d decisions are counted by their action", len(actions))
	}
	for _, action := range actions {
		if !slices.Contains(plannerapi.Actions, plannerapi.Action(action[1])) {
			t.Errorf("nobody decides by the action %q", action[1])
		}
	}
}

// TestEveryAlertHasItsPolicy compares the values that the code logs as alert
// with those that policies look for.
func TestEveryAlertHasItsPolicy(t *testing.T) {
	alerts := func(pattern, text string) map[string]bool {
		found := map[string]bool{}
		for _, alert := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			found[alert[1]] = true
		}
		return found
	}
	logged := alerts(`"alert", "(\w+)"`, sources(t, "../functions", "../shared"))
	told := alerts(`jsonPayload\.alert=\\"(\w+)\\"`, read(t, "monitoring.tf"))
	if diff := cmp.Diff(logged, told); diff != "" || len(logged) < 3 {
		t.Errorf("alerts (-logged +with a policy):\n%s", diff)
	}
}

// grants are the roles that the configuration gives, by what they are given
// on, and who gets them. One that is added is added here too.
var grants = map[string][]string{
	"build.tf": {
		"google_artifact_registry_repository_iam_member roles/artifactregistry.writer google_service_account.build.member",
		"google_storage_bucket_iam_member roles/storage.objectViewer google_service_account.build.member",
		"google_project_iam_member roles/logging.logWriter google_service_account.build.member",
		"google_project_iam_member roles/storage.objectViewer google_service_account.build.member where local.is_copied_source",
	},
	"bigquery.tf":          {"google_project_iam_member roles/bigquery.jobUser each.value where local.own_binding.expression"},
	"function_planner.tf":  {"google_project_iam_member roles/aiplatform.user module.planner.member"},
	"function_session.tf":  {"google_project_iam_member roles/aiplatform.user module.session.member"},
	"function_executor.tf": {"google_storage_bucket_iam_member each.value.role module.executor.member"},
	"function_shops.tf": {
		// held/, the outbox, changes/ and postings/, none to replace or delete
		`google_storage_bucket_iam_member each.value.role module.shops[0].member where resource.name.startsWith(\"projects/_/buckets/${local.buckets[each.value.bucket]}/objects/${each.value.of}\")`,
		"google_storage_bucket_iam_member roles/storage.objectCreator module.shops[0].member", // tables that were fetched
	},
	"function_sweeper.tf": {"google_storage_bucket_iam_member each.value.role module.sweeper.member"},
	"console.tf": {
		"google_cloud_run_v2_service_iam_member roles/run.invoker local.agents[\"iap.googleapis.com\"]",
		"google_iap_web_cloud_run_service_iam_member roles/iap.httpsResourceAccessor each.value",
		"google_storage_bucket_iam_member roles/storage.objectViewer module.console[0].member",
	},
	"encryption.tf": {"google_kms_crypto_key_iam_member roles/cloudkms.cryptoKeyEncrypterDecrypter each.value where local.own_binding.expression"},
	"events.tf": {
		"google_service_account_iam_member roles/iam.serviceAccountOpenIdTokenCreator local.agents[\"pubsub.googleapis.com\"]",
		"google_pubsub_topic_iam_member roles/pubsub.publisher data.google_storage_project_service_account.this.member",
		"google_pubsub_topic_iam_member roles/pubsub.publisher local.agents[\"pubsub.googleapis.com\"]",
		"google_pubsub_subscription_iam_member roles/pubsub.subscriber local.agents[\"pubsub.googleapis.com\"]",
	},
	"storage.tf": {
		"google_storage_bucket_iam_member roles/storage.objectUser each.value where !${local.handed_in}",
		"google_storage_bucket_iam_member roles/storage.objectViewer each.value",
		"google_storage_bucket_iam_member roles/storage.objectViewer each.value.member",
		`google_project_iam_member roles/datastore.viewer each.value where resource.name == \"${local.database_resources["pricing"]}\"`,
		"google_storage_bucket_iam_binding roles/storage.${each.value[1]} ", // takes the editors' away
		"google_project_iam_audit_config  ",                                 // logs
	},
	"tables.tf": {
		"google_storage_bucket_iam_member roles/storage.objectUser module.planner.member",
		"google_storage_bucket_iam_member roles/storage.objectCreator module.planner.member where local.handed_in",
		"google_storage_bucket_iam_member roles/storage.objectViewer module.planner.member where each.value", // held/ and changes/
		"google_storage_bucket_iam_member roles/storage.objectViewer module.planner.member",
		"google_storage_bucket_iam_binding roles/storage.${each.value} ", // takes the editors' away
	},
	"pipeline.tf": {
		"google_storage_bucket_iam_member each.value.role google_service_account.pipeline[0].member",
		"google_project_iam_member roles/dataflow.worker google_service_account.pipeline[0].member where local.own_binding.expression",
		"google_project_iam_member roles/dataflow.developer each.value where local.own_binding.expression",
		"google_service_account_iam_member roles/iam.serviceAccountUser each.value",
		"google_storage_bucket_iam_member each.value.grant.role each.value.member",
		`google_project_iam_member google_project_iam_custom_role.database["executor"].id each.value where resource.name == \"${local.database_resources["pricing"]}\"`,
	},
	"modules/function/function.tf": {
		"google_project_iam_member var.database.role google_service_account.this.member where resource.name == \\\"${var.database.resource}\\\"",
		"google_secret_manager_secret_iam_member roles/secretmanager.secretAccessor google_service_account.this.member",
		"google_cloud_run_v2_service_iam_member roles/run.invoker each.value",
	},
}

var (
	resource  = regexp.MustCompile(`(?ms)^resource "(\w+)" "\w+" \{\n(.*?)^\}`)
	iamKind   = regexp.MustCompile(`_iam_(member|binding|policy|audit_config)$|_access$|_acl$|_access_control$`)
	attribute = regexp.MustCompile(`(?m)^\s+(role|member|expression)\s+= (.*)$`)
)

// TestGrants compares every grant in the configuration with the list above:
// no role is given that nobody has reviewed, none to everybody, and none that
// takes others' away, as bindings and policies do, but the buckets' legacy roles.
func TestGrants(t *testing.T) {
	found := map[string][]string{}
	for _, name := range configuration(t) {
		text := read(t, name)
		for _, everybody := range []string{`"allUsers"`, `"allAuthenticatedUsers"`, "compute@developer", "roles/owner", "roles/editor"} {
			if strings.Contains(text, everybody) {
				t.Errorf("%s names %s", name, everybody)
			}
		}
		for _, block := range resource.FindAllStringSubmatch(text, -1) {
			if iamKind.MatchString(block[1]) {
				found[name] = append(found[name], block[1]+grant(block[2]))
			}
		}
	}
	if diff := cmp.Diff(grants, found); diff != "" {
		t.Errorf("grants (-reviewed +configured):\n%s", diff)
	}
}

// TestEverythingWaitsForItsAPI: only the wait itself rests on the APIs' being
// enabled, all else on the wait. An API that was just enabled answers that it has
// not been used, and the provider does not try again.
func TestEverythingWaitsForItsAPI(t *testing.T) {
	for _, name := range configuration(t) {
		want := map[bool]int{true: 2}[name == "services.tf"] // the wait's list and its dependency
		if found := strings.Count(read(t, name), "google_project_service.needed"); found != want {
			t.Errorf("%s rests on google_project_service.needed in %d places, want %d: depend on time_sleep.services", name, found, want)
		}
	}
}

// grant puts the role, the member and the condition of a block on one line.
func grant(block string) string {
	values := map[string]string{}
	for _, line := range attribute.FindAllStringSubmatch(block, -1) {
		values[line[1]] = strings.TrimSuffix(strings.TrimPrefix(line[2], `"`), `"`)
	}
	line := " " + values["role"] + " " + values["member"]
	if condition := values["expression"]; condition != "" {
		line += " where " + condition
	}
	return line
}

// TestDatabaseRolesSuffice holds what firestore.tf lets planner and executor
// do with documents to what the code does: the planner's store changes records
// alone, a plan is only ever created, and no document of the pricing database
// is deleted.
func TestDatabaseRolesSuffice(t *testing.T) {
	code := sources(t, "../shared/ledger/firestore")
	if !strings.Contains(code, "c.Create(c.store.plan(") {
		t.Error("plans are not created with the precondition that they do not exist")
	}
	if strings.Contains(code, ".Delete(") {
		t.Error("documents are deleted, which neither planner nor executor may")
	}
}

// TestRuntimeBuildsTheModule compares the runtime with go.mod: the builder has
// no newer Go than its runtime's name says.
func TestRuntimeBuildsTheModule(t *testing.T) {
	runtime := regexp.MustCompile(`runtime\s+= "go1(\d+)"`).FindStringSubmatch(read(t, "modules/function/function.tf"))
	needed := regexp.MustCompile(`(?m)^go 1\.(\d+)`).FindStringSubmatch(read(t, "../go.mod"))
	if runtime == nil || needed == nil || runtime[1] < needed[1] {
		t.Errorf("the runtime is %q, go.mod says %q", runtime, needed)
	}
}

// TestTestsSetEveryVariable holds Terraform's tests to setting every variable
// themselves: one that they leave out is read from the user's terraform.tfvars.
func TestTestsSetEveryVariable(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^variable "(\w+)"`).FindAllStringSubmatch(read(t, "variables.tf"), -1)
	files, err := filepath.Glob("tests/*.tftest.hcl")
	if err != nil || len(files) == 0 || len(declared) == 0 {
		t.Fatalf("%d test files, %d variables, %v", len(files), len(declared), err)
	}
	for _, file := range files {
		block := regexp.MustCompile(`(?ms)^variables \{\n(.*?)^\}`).FindStringSubmatch(read(t, file))
		if block == nil {
			t.Fatalf("%s sets no variables for all its runs", file)
		}
		for _, variable := range declared {
			if !regexp.MustCompile(`(?m)^  ` + variable[1] + `\s+=`).MatchString(block[1]) {
				t.Errorf("%s leaves %s to the user's terraform.tfvars", file, variable[1])
			}
		}
	}
}

// configuration lists the files of the configuration.
func configuration(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*.tf", "modules/*/*.tf"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		names = append(names, found...)
	}
	return names
}

// sources returns the Go code below some folders, without tests.
func sources(t *testing.T, roots ...string) string {
	t.Helper()
	var code strings.Builder
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				code.WriteString(read(t, path))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return code.String()
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
