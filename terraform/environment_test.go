// Package terraform_test keeps the Terraform configuration and the code in
// step: variables, log messages, indexes and roles.
package terraform_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/gemini"
)

var update = flag.Bool("update", false, "rewrite environment.json")

// variables is the file in which Terraform's tests look up what each
// function's Config reads.
const variables = "environment.json"

// configs are the functions' readers of their variables.
var configs = map[string]func(config.Lookup) error{
	"planner":  func(lookup config.Lookup) error { _, err := planner.ReadConfig(lookup); return err },
	"executor": func(lookup config.Lookup) error { _, err := execution.ReadConfig(lookup); return err },
	"sweeper":  func(lookup config.Lookup) error { _, err := execution.ReadConfig(lookup); return err },
	"session":  func(lookup config.Lookup) error { _, err := session.ReadConfig(lookup); return err },
}

// TestEnvironment compares environment.json with the variables that the
// functions ask for.
func TestEnvironment(t *testing.T) {
	asked := map[string][]string{}
	for function, read := range configs {
		asked[function] = asks(read)
	}
	want, err := json.MarshalIndent(asked, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(variables, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(variables)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-code +file); write it with go test ./terraform -update:\n%s", variables, diff)
	}
}

// asks returns the names that a function looks up.
func asks(read func(config.Lookup) error) []string {
	names := map[string]bool{}
	// That required ones are not set is no matter here.
	_ = read(func(name string) (string, bool) {
		names[name] = true
		return "", false
	})
	return slices.Sorted(maps.Keys(names))
}

// TestTheModelIsTheOneOfTheCode compares the default model of variables.tf
// with the code's.
func TestTheModelIsTheOneOfTheCode(t *testing.T) {
	if want := fmt.Sprintf("optional(string, %q)", gemini.DefaultModel); !strings.Contains(read(t, "variables.tf"), want) {
		t.Errorf("variables.tf does not say %s", want)
	}
}
