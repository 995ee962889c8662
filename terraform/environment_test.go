// Package terraform_test keeps the Terraform configuration and the code in
// step: variables, log messages, indexes and roles.
package terraform_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/functions/console"
	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/functions/shops"
	"github.com/planwright/planwright/functions/sweeper"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/messages"
)

var update = flag.Bool("update", false, "rewrite environment.json")

// variables is the file in which Terraform's tests look up what each
// function's Config reads.
const variables = "environment.json"

// configs are the functions' readers of their variables.
var configs = map[string]func(config.Lookup) error{
	"planner":  func(lookup config.Lookup) error { _, err := planner.ReadConfig(lookup); return err },
	"executor": func(lookup config.Lookup) error { _, err := execution.ReadConfig(lookup); return err },
	"sweeper":  func(lookup config.Lookup) error { _, _, err := sweeper.ReadConfig(lookup); return err },
	"console":  func(lookup config.Lookup) error { _, err := console.ReadConfig(lookup); return err },
	"shops":    func(lookup config.Lookup) error { _, err := shops.ReadConfig(lookup); return err },
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

// asks returns the names that a function looks up, but for those that it refuses.
func asks(read func(config.Lookup) error) []string {
	names := map[string]bool{}
	// That required ones are not set is no matter here.
	_ = read(func(name string) (string, bool) {
		names[name] = !slices.Contains(messages.Gone, name)
		return "", false
	})
	maps.DeleteFunc(names, func(_ string, read bool) bool { return !read })
	return slices.Sorted(maps.Keys(names))
}

// TestGeminisDefaultsAgree compares what the code takes where nothing is set with
// the defaults of variables.tf, and with what .env.example sets and says.
func TestGeminisDefaultsAgree(t *testing.T) {
	c, err := planner.ReadConfig(config.Map(map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "INBOX_BUCKET": "b", "GOOGLE_GENAI_USE_VERTEXAI": "true"}))
	if err != nil {
		t.Fatal(err)
	}
	for _, setting := range []struct{ variable, attribute, value string }{
		{"GOOGLE_CLOUD_LOCATION", "location", c.Gemini.Location},
		{"GEMINI_MODEL", "model", c.Gemini.Model},
		{"GEMINI_TIMEOUT", "timeout", c.Gemini.Timeout.String()},
		{"GEMINI_THINKING", "thinking", strings.ToLower(string(c.Gemini.Sampling.Thinking))},
	} {
		inTerraform := regexp.MustCompile(`(?m)^    ` + setting.attribute + `\s+= optional\(string, "(.*)"\)$`).FindStringSubmatch(read(t, "variables.tf"))
		if inTerraform == nil || inTerraform[1] != setting.value {
			t.Errorf("variables.tf has the default %q of gemini.%s, the code %q", inTerraform, setting.attribute, setting.value)
		}
		example := regexp.MustCompile(`((?:# .*\n)+)` + setting.variable + `=(.*)\n`).FindStringSubmatch(read(t, "../.env.example"))
		if example == nil || example[2] != setting.value || !regexp.MustCompile(`Default: .*\b`+regexp.QuoteMeta(setting.value)+`\n`).MatchString(example[1]) {
			t.Errorf(".env.example has %q for %s, the code %q", example, setting.variable, setting.value)
		}
	}
}
