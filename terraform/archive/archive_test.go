package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const repository = "../.."

// TestTerraformListsTheSameFiles compares the files of each archive with those
// that Terraform's own expression of the rule finds.
func TestTerraformListsTheSameFiles(t *testing.T) {
	terraform, err := exec.LookPath("terraform")
	if err != nil {
		t.Skip("Terraform is not installed: https://developer.hashicorp.com/terraform/install")
	}
	for _, function := range functions {
		t.Run(function, func(t *testing.T) {
			want, err := files(repository, function)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, terraformFiles(t, terraform, function)); diff != "" {
				t.Errorf("files of the archive (-make package +terraform):\n%s", diff)
			}
		})
	}
}

// terraformFiles evaluates what the module source puts out as files.
func terraformFiles(t *testing.T, terraform, function string) map[string]string {
	t.Helper()
	command := exec.Command(terraform, "console", "-var=function="+function)
	command.Dir = filepath.Join(repository, "terraform", "modules", "source")
	command.Stdin = strings.NewReader("jsonencode(local.files)\n")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("terraform console: %v\n%s%s", err, out, &stderr)
	}
	// Above the result it may say that it waits for the state's lock.
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var text string // the console prints a string in quotes
	if err := json.Unmarshal(lines[len(lines)-1], &text); err != nil {
		t.Fatalf("terraform console printed %.200s: %v", out, err)
	}
	listed := map[string]string{}
	if err := json.Unmarshal([]byte(text), &listed); err != nil {
		t.Fatal(err)
	}
	return listed
}

// forbidden matches what no archive may contain.
var forbidden = regexp.MustCompile(`_test\.go$|testdata|\.tf$|\.tfvars|^functions/|^terraform/|^cmd/|(^|/)\.`)

func TestArchivesHoldWhatTheBuilderNeedsAndNoMore(t *testing.T) {
	for _, function := range functions {
		t.Run(function, func(t *testing.T) {
			listed, err := files(repository, function)
			if err != nil {
				t.Fatal(err)
			}
			for name := range listed {
				if forbidden.MatchString(name) {
					t.Errorf("%s is in the archive", name)
				}
			}
			for _, name := range []string{"go.mod", "go.sum", "prompts/prompts.go", "prompts/planner_prompt.md", "shared/plan/execution_plan_schema.json"} {
				if listed[name] == "" {
					t.Errorf("%s is not in the archive", name)
				}
			}
		})
	}
}

func TestTheSameFilesGiveTheSameBytes(t *testing.T) {
	var first, second bytes.Buffer
	for _, archive := range []*bytes.Buffer{&first, &second} {
		if err := write(archive, repository, "executor"); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two archives of the same files differ")
	}
	reader, err := zip.NewReader(bytes.NewReader(first.Bytes()), int64(first.Len()))
	if err != nil {
		t.Fatal(err)
	}
	previous := ""
	for _, file := range reader.File {
		if file.Name <= previous {
			t.Errorf("%s stands after %s", file.Name, previous)
		}
		if previous = file.Name; file.ModifiedDate != 0 || file.ModifiedTime != 0 || len(file.Extra) != 0 {
			t.Errorf("%s carries a time", file.Name)
		}
	}
}

// builderGo is the Go of the cloud builder's runtime go126.
const builderGo = "1.26.7"

// TestTheBuilderHasTheGoThatIsAskedFor keeps go.mod to what the builder can
// compile: it fetches no other toolchain.
func TestTheBuilderHasTheGoThatIsAskedFor(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`(?m)^go (\S+)$`).FindSubmatch(text)
	if asked == nil || version.Compare("go"+string(asked[1]), "go"+builderGo) > 0 {
		t.Errorf("go.mod asks for go %s; the builder has %s", asked, builderGo)
	}
	if regexp.MustCompile(`(?m)^toolchain `).Match(text) {
		t.Error("go.mod asks for a toolchain")
	}
}
