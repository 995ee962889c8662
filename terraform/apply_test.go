package terraform_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// installed are values of an installation, with which every kind of resource is
// made.
const installed = `
project_id   = "test-project-1"
alert_emails = ["ana@example.com"]
budget       = { billing_account = "012345-6789AB-CDEF01", monthly = 50 }
table_days   = { inbox = 90 }
audit_key_secret = "planwright-audit-key"
data_access_logs = true
pipeline = { operators = ["user:ana@example.com"] }
access = {
  planner_callers = ["user:ana@example.com"]
  session_callers = ["serviceAccount:backend@test-project-1.iam.gserviceaccount.com"]
  uploaders       = ["group:shop@example.com"]
  auditors        = ["group:finance@example.com", "user:ana@example.com"]
  console_users   = ["group:shop@example.com"]
}
`

// installation is a copy of the configuration, and a Google for it.
type installation struct {
	t           *testing.T
	folder      string
	google      *googleAPI
	environment []string
}

// prepare copies the configuration, where APPLY_TEST is set and terraform init
// finds the providers. Sleeps are as much shorter as Google is faster here, and
// each function has one file. Who applies has the roles of ci.tf.example.
func prepare(t *testing.T) *installation {
	t.Helper()
	if os.Getenv("APPLY_TEST") == "" {
		t.Skip("SKIPPED, NOT TESTED WITH THE REAL PROVIDERS: APPLY_TEST is not set")
	}
	repository := t.TempDir()
	run(t, "..", nil, "sh", "-c", "git ls-files -z | xargs -0 cp --parents -t '"+repository+"'")
	in := &installation{t: t, folder: filepath.Join(repository, "terraform")}
	for _, name := range configuration(t) {
		in.edit(name, func(text string) string {
			return createDuration.ReplaceAllStringFunc(text, func(sleep string) string {
				seconds, _ := strconv.Atoi(createDuration.FindStringSubmatch(sleep)[1])
				return fmt.Sprintf("create_duration = \"%dms\"", seconds*1000/faster)
			})
		})
	}
	for name, text := range map[string]string{
		"terraform.tfvars": installed,
		"ci.tf":            read(t, "ci.tf.example"),
		"modules/function/quick_override.tf": `
data "archive_file" "source" {
  source {
    filename = "go.mod"
    content  = "module example"
  }
}
`,
	} {
		in.write(name, text)
	}
	run(t, in.folder, nil, "terraform", "init", "-input=false", "-no-color")
	in.write("../token", "none")
	in.atNewGoogle()
	return in
}

// atNewGoogle is where nothing is made yet.
func (in *installation) atNewGoogle() {
	in.t.Helper()
	in.google, in.environment = serveGoogle(in.t, "test-project-1")
	in.google.roles = allRoles(in.t)
	in.environment = append(in.environment, "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE="+filepath.Join(in.folder, "../token"))
	states, err := filepath.Glob(filepath.Join(in.folder, "*.tfstate*"))
	for _, state := range states {
		err = errors.Join(err, os.RemoveAll(state))
	}
	if err != nil {
		in.t.Fatal(err)
	}
}

// allRoles are those of ci.tf.example, and those that it says to be given elsewhere.
func allRoles(t *testing.T) []string {
	t.Helper()
	return append(ciRoles(t), "roles/billing.costsManager on the account", "roles/cloudkms.admin on the key")
}

var (
	createDuration = regexp.MustCompile(`create_duration = "(\d+)s"`)
	shortened      = regexp.MustCompile(`create_duration = "\d+ms"`)
)

// ciRoles are the roles on the project that ci.tf.example gives.
func ciRoles(t *testing.T) (roles []string) {
	t.Helper()
	block := regexp.MustCompile(`(?s)"google_project_iam_member" "ci" \{(.*?)\n\}`).FindString(read(t, "ci.tf.example"))
	for _, role := range regexp.MustCompile(`"(roles/[\w.]+)"`).FindAllStringSubmatch(block, -1) {
		if rolePermissions[role[1]] == "" {
			t.Errorf("the test does not know what %s may do", role[1])
		}
		roles = append(roles, role[1])
	}
	return roles
}

func (in *installation) write(name, text string) {
	in.t.Helper()
	if err := os.WriteFile(filepath.Join(in.folder, name), []byte(text), 0o600); err != nil {
		in.t.Fatal(err)
	}
}

func (in *installation) edit(name string, change func(string) string) {
	in.t.Helper()
	in.write(name, change(read(in.t, filepath.Join(in.folder, name))))
}

func (in *installation) do(arguments ...string) {
	in.t.Helper()
	in.t.Logf("terraform %v\n%s", arguments, lastLines(run(in.t, in.folder, in.environment, "terraform", append(arguments, "-no-color")...), 5))
}

func (in *installation) nothingChanges() {
	in.t.Helper()
	in.do("plan", "-detailed-exitcode", "-input=false")
}

// make makes a target of the Makefile as README.md prints it, and agrees where
// Terraform asks.
func (in *installation) make(arguments ...string) {
	in.t.Helper()
	in.t.Logf("make %v\n%s", arguments, lastLines(run(in.t, filepath.Dir(in.folder),
		append(in.environment, "TF_CLI_ARGS_apply=-auto-approve", "TF_CLI_ARGS_destroy=-auto-approve"), "make", arguments...), 5))
}

// deployedBy runs the commands of the workflow in ci.tf.example, which has the
// values in a variable.
func (in *installation) deployedBy(workflow string) {
	in.t.Helper()
	if err := os.Remove(filepath.Join(in.folder, "terraform.tfvars")); err != nil {
		in.t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^#\s+- run: (.*?)(?: #.*)?$`).FindAllStringSubmatch(workflow, -1)
	if len(commands) != 2 {
		in.t.Fatalf("the workflow has the commands %q", commands)
	}
	for _, command := range commands {
		in.t.Logf("%s\n%s", command[1], lastLines(run(in.t, filepath.Dir(in.folder), append(in.environment, "TFVARS="+installed), "bash", "-c", command[1]), 5))
	}
}

// TestApply applies the configuration in one go, with the real providers, to a
// server that answers and refuses as Google's APIs do, as an account with
// exactly the roles that ci.tf.example gives, by the commands of its workflow. A
// second plan is empty; and so it is after a second installation in the same
// project, with a key of its own, came and went. An upload goes through, an
// upgrade too, and all is taken down. Continuous integration runs it, and make
// terraform-apply.
func TestApply(t *testing.T) {
	in := prepare(t)
	in.deployedBy(read(t, "ci.tf.example"))
	in.nothingChanges()

	in.write("outlet.tfvars", `
prefix              = "outlet"
deletion_protection = false
data_access_logs    = false
kms_key             = "projects/keys/locations/us-central1/keyRings/shop/cryptoKeys/outlet"
`)
	in.make("deploy", "PREFIX=outlet")
	in.make("destroy", "PREFIX=outlet")
	in.do("workspace", "select", "default")
	in.nothingChanges()
	if len(in.google.said) > 0 {
		t.Errorf("it was refused and tried again: %s", strings.Join(in.google.said, "\n"))
	}
	in.uploadGoesThrough()
	in.upgradedAndTakenDown()
}

// upgradedAndTakenDown deploys other source and ends the protection, as README.md
// says, and destroys it all with what people have put there.
func (in *installation) upgradedAndTakenDown() {
	in.t.Helper()
	in.edit("modules/function/quick_override.tf", func(text string) string { return strings.Replace(text, "example", "upgraded", 1) })
	in.edit("terraform.tfvars", func(text string) string { return text + "deletion_protection = false\n" })
	in.make("deploy")
	in.nothingChanges()
	in.make("destroy")
	for where := range in.google.resources {
		if strings.Contains(where, "planwright") {
			in.t.Errorf("%s is left", where)
		}
	}
}

// TestApplyWithout takes each role of who applies, each wait, each agent and the
// order of fields away: the first refusal says what is missing. Where a wait is
// missing, Google is as late as it can be, for how fast this machine is is no proof.
func TestApplyWithout(t *testing.T) {
	tests := withoutWaits(t)
	maps.Copy(tests, withoutAgents(t))
	for _, role := range allRoles(t) {
		tests[role] = taken{func(in *installation) {
			in.google.roles = slices.DeleteFunc(in.google.roles, func(other string) bool { return other == role })
			in.hurry()
			in.encrypt() // which takes one role more
		}, role}
	}
	tests["one field after the other"] = taken{func(in *installation) {
		in.edit("firestore_fields.tf", func(text string) string {
			return dependsOnStep.ReplaceAllString(text, "  depends_on = [google_firestore_index.composite]")
		})
	}, "change one after the other"}
	if len(tests) < 30 {
		t.Errorf("found %d things to take away", len(tests))
	}
	whole := prepare(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // they wait, for the most part
			in := &installation{t: t, folder: filepath.Join(t.TempDir(), "terraform")}
			run(t, "..", nil, "cp", "-aT", filepath.Dir(whole.folder), filepath.Dir(in.folder))
			in.atNewGoogle()
			test.change(in)
			if said, err := in.refused(); err == nil || !strings.Contains(said, test.says) {
				t.Errorf("the apply ended with %v, and it was said: %s", err, said)
			} else {
				t.Log(said)
			}
		})
	}
}

// taken is what an installation lacks, and what the refusal says of it.
type taken struct {
	change func(*installation)
	says   string
}

func withoutWaits(t *testing.T) map[string]taken {
	tests := map[string]taken{}
	for _, file := range configuration(t) {
		for _, sleep := range regexp.MustCompile(`"time_sleep" "(\w+)"`).FindAllStringSubmatch(read(t, file), -1) {
			block := regexp.MustCompile(`("time_sleep" "` + sleep[1] + `" \{(?s:.*?)create_duration = )"\w+"`)
			tests["the wait for "+sleep[1]] = taken{func(in *installation) {
				in.edit(file, func(text string) string { return block.ReplaceAllString(text, `${1}"1ms"`) })
				if in.google.late.grant = time.Hour; sleep[1] == "services" {
					in.google.late.api = time.Hour
				}
				if strings.Contains(sleep[1], "kms") {
					in.encrypt()
				}
			}, "time_sleep." + sleep[1]}
		}
	}
	return tests
}

func withoutAgents(t *testing.T) map[string]taken {
	tests := map[string]taken{}
	for _, agent := range regexp.MustCompile(`(?m)^ *"([\w.]+)" += "serviceAccount:\$\{local\.agent\}`).FindAllStringSubmatch(read(t, "services.tf"), -1) {
		tests["the agent of "+agent[1]] = taken{func(in *installation) {
			in.edit("services.tf", func(text string) string {
				return strings.Replace(text, "for_each = local.agents\n", `for_each = { for api, member in local.agents : api => member if api != "`+agent[1]+"\" }\n", 1)
			})
			in.hurry()
			in.encrypt() // which takes one agent more
		}, "generate the identity of " + agent[1]}
	}
	return tests
}

// refused applies until Google refuses something, and returns what it said.
func (in *installation) refused() (said string, err error) {
	stopped, stop := context.WithCancel(in.t.Context())
	in.google.refused = stop
	command := exec.CommandContext(stopped, "terraform", "apply", "-auto-approve", "-input=false", "-no-color")
	command.Dir, command.Env = in.folder, append(os.Environ(), in.environment...)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	output, err := command.CombinedOutput()
	in.google.mu.Lock()
	defer in.google.mu.Unlock()
	if len(in.google.said) == 0 {
		return "nothing is refused\n" + lastLines(string(output), 40), err
	}
	return in.google.said[0], err
}

// hurry has Google know everything at once, and nobody wait.
func (in *installation) hurry() {
	in.google.late = lateness{}
	for _, name := range configuration(in.t) {
		in.edit(name, func(text string) string { return shortened.ReplaceAllString(text, `create_duration = "1ms"`) })
	}
}

// encrypt has the installation use a key of its own.
func (in *installation) encrypt() {
	in.edit("terraform.tfvars", func(text string) string {
		return text + `kms_key = "projects/keys/locations/us-central1/keyRings/shop/cryptoKeys/shop"`
	})
}

var dependsOnStep = regexp.MustCompile(`(?m)^  depends_on = \[module\.override_\d+\]$`)

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
