package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// Whatever goes wrong, the command ends well, D has the last word, and no
// stack trace shows. The hang is tried where time is injected.
func TestSequenceCommand(t *testing.T) {
	for _, fail := range sequenceFaults {
		if fail == "timeout" {
			continue
		}
		t.Run(fail, func(t *testing.T) {
			var out, errors bytes.Buffer
			code := run(t.Context(), []string{"sequence", "--fail", fail}, environment{
				stdin: strings.NewReader(""), stdout: &out, stderr: &errors,
				lookup: func(string) (string, bool) { return "", false },
			})
			if code != exitDone || errors.Len() > 0 {
				t.Fatalf("exit %d, stderr %s", code, &errors)
			}
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			tail := lines[len(lines)-2:]
			if !strings.HasPrefix(tail[0], "AgentD  Agent") || tail[1] != "Sequence complete" {
				t.Errorf("the output ends in %q", tail)
			}
			if !strings.Contains(lines[0], "model offline") {
				t.Errorf("the first line does not name the model: %s", lines[0])
			}
			if strings.Contains(out.String(), "goroutine") || strings.Contains(out.String(), ".go:") {
				t.Errorf("the output shows a stack trace:\n%s", &out)
			}
		})
	}
}

func TestSequenceCommandRefusesAnUnknownFault(t *testing.T) {
	var out, errors bytes.Buffer
	code := run(t.Context(), []string{"sequence", "--fail", "all"}, environment{
		stdin: strings.NewReader(""), stdout: &out, stderr: &errors, lookup: func(string) (string, bool) { return "", false },
	})
	if code != exitUsage || !strings.Contains(errors.String(), `--fail is "all"; it must be one of none, a,`) {
		t.Errorf("exit %d, stderr %s", code, &errors)
	}
	if !slices.Contains(sequenceFaults, "timeout") {
		t.Error("timeout is not among the faults")
	}
}
