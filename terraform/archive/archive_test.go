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

// builderGo is the Go that the cloud builder's runtime go127 has at least. The builder
// fetches no other.
const builderGo = "1.27.0"

var goLine = regexp.MustCompile(`(?m)^go (\S+)$`)

// TestOneGo holds every place that names a Go to go.mod's, which the tests run under.
func TestOneGo(t *testing.T) {
	want := onlyMatch(t, "go.mod", goLine)
	cloud := strings.ReplaceAll(strings.TrimPrefix(version.Lang("go"+want), "go"), ".", "") // 1.27.0 is go127
	for _, place := range []struct{ file, got, want string }{
		{"terraform/archive/archive_test.go", builderGo, want},
		{"functions/pipeline/go.mod", onlyMatch(t, "functions/pipeline/go.mod", goLine), want},
		{"terraform/modules/function/function.tf", onlyMatch(t, "terraform/modules/function/function.tf", regexp.MustCompile(`runtime\s*= "go(\w+)"`)), cloud},
		{"terraform/tests/installation.tftest.hcl", onlyMatch(t, "terraform/tests/installation.tftest.hcl", regexp.MustCompile(`"go(\d+)"`)), cloud},
	} {
		if place.got != place.want {
			t.Errorf("%s names go%s; with go.mod's %s it is go%s", place.file, place.got, want, place.want)
		}
	}
	for _, file := range []string{"go.mod", "functions/pipeline/go.mod"} {
		if strings.Contains(read(t, file), "\ntoolchain ") {
			t.Errorf("%s asks for a toolchain", file)
		}
	}
}

// cloudFlags are the GOFLAGS that Terraform gives the cloud's builder.
func cloudFlags(t *testing.T) string {
	t.Helper()
	return onlyMatch(t, "terraform/modules/function/function.tf", regexp.MustCompile(`GOFLAGS = "(\S+)"`))
}

// TestTheCloudBuildsAsTheMakefileDoes compares the tags of both.
func TestTheCloudBuildsAsTheMakefileDoes(t *testing.T) {
	want := onlyMatch(t, "Makefile", regexp.MustCompile(`(?m)^export GOFLAGS \+= (\S+)$`))
	if got := cloudFlags(t); got != want {
		t.Errorf("function.tf builds with GOFLAGS=%s, the Makefile with %s", got, want)
	}
}

// onlyMatch finds what a pattern has in parentheses, where all that it finds is the same.
func onlyMatch(t *testing.T, file string, pattern *regexp.Regexp) string {
	t.Helper()
	found := pattern.FindAllStringSubmatch(read(t, file), -1)
	if len(found) == 0 {
		t.Fatalf("%s: nothing is like %s", file, pattern)
	}
	for _, other := range found {
		if other[1] != found[0][1] {
			t.Fatalf("%s has %s and %s", file, found[0][1], other[1])
		}
	}
	return found[0][1]
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
