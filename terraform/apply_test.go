package terraform_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestApply applies the configuration with the real providers to a server that
// answers as Google's APIs do. A second plan is empty; and so it is after a
// second installation in the same project came and went. It runs where
// APPLY_TEST is set and terraform init finds the providers:
//
//	APPLY_TEST=1 go test ./terraform -run TestApply -v -timeout 30m
func TestApply(t *testing.T) {
	if os.Getenv("APPLY_TEST") == "" {
		t.Skip("SKIPPED, NOT TESTED WITH THE REAL PROVIDERS: APPLY_TEST is not set")
	}
	for _, service := range regexp.MustCompile(`"(\w+\.googleapis\.com)"`).FindAllStringSubmatch(read(t, "services.tf"), -1) {
		enabledAPIs = append(enabledAPIs, service[1])
	}
	repository := t.TempDir()
	run(t, "..", nil, "sh", "-c", "git ls-files -z | xargs -0 cp --parents -t '"+repository+"'")
	folder := filepath.Join(repository, "terraform")
	for name, text := range map[string]string{
		"terraform.tfvars": `
project_id   = "test-project-1"
alert_emails = ["ana@example.com"]
budget       = { billing_account = "012345-6789AB-CDEF01", monthly = 50 }
table_days   = { inbox = 90 }
access = {
  planner_callers = ["user:ana@example.com"]
  session_callers = ["serviceAccount:backend@test-project-1.iam.gserviceaccount.com"]
  uploaders       = ["group:shop@example.com"]
  auditors        = ["group:finance@example.com", "user:ana@example.com"]
}
`,
		// Nothing has to be waited for here, and nothing runs.
		"modules/function/quick_override.tf": `
data "archive_file" "source" {
  source {
    filename = "go.mod"
    content  = "module example"
  }
}
`,
		"quick_override.tf": `
resource "time_sleep" "services" { create_duration = "1s" }
resource "time_sleep" "build_grants" { create_duration = "1s" }
resource "time_sleep" "event_grants" { create_duration = "1s" }
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, folder, nil, "terraform", "init", "-input=false", "-no-color")
	_, environment := serveGoogle(t, "test-project-1")
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	environment = append(environment, "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE="+token)
	do := func(arguments ...string) {
		t.Helper()
		t.Logf("terraform %v\n%s", arguments, lastLines(run(t, folder, environment, "terraform", append(arguments, "-no-color")...), 5))
	}
	nothingChanges := func() {
		t.Helper()
		do("plan", "-detailed-exitcode", "-input=false")
	}
	do("apply", "-auto-approve", "-input=false")
	nothingChanges()

	another := []string{"-auto-approve", "-input=false", "-var=prefix=outlet", "-var=deletion_protection=false"}
	do("workspace", "new", "outlet")
	do(append([]string{"apply"}, another...)...)
	do(append([]string{"destroy"}, another...)...)
	do("workspace", "select", "default")
	nothingChanges()
}

// run runs a command and returns what it printed.
func run(t *testing.T, dir string, environment []string, name string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir, command.Env = dir, append(os.Environ(), environment...)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, lastLines(string(output), 400))
	}
	return string(output)
}

func lastLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
