package offline

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/strictjson"
)

// FuzzPlan says anything to begin with and anything then: what is not asked
// about is a draft that PlanAgent accepts.
func FuzzPlan(f *testing.F) {
	for _, second := range []string{
		"add a testing milestone next week", "move the design phase to 2026-12-24", "remove launch", "remove launc", "remove l", "delete the testing phase and build",
		"drop b, c", "keep total hours within 3", "total to 0", "total to 1.25", "total to 123456", "total 5 at most, keep it within 1 hour", "cut it under 2 hours in total",
		"rename it to \"x\"", "start over: learn Spanish by next friday within 4 hours", "add a task called \"looks good\" to build tomorrow",
		"add a milestone", "move to next week", "yes", "??", "\u202eabc", "in 99 weeks", "on february 30", "no conflicts", "rename it  \"x\"", "add    milestone", "add a task called \"  \"", "move   to today", "remove K\u212a", "remove \u0130x",
	} {
		for _, first := range []string{"Build a web shop", "Learn Spanish"} {
			f.Add(first, second, 10.0, 10.0)
		}
	}
	f.Add("Launch UX QA Kı tests and testing", "remove ux and add a QA phase on 2026-12-01", 100.0, 0.1)
	f.Add("Plan:\n\n- a,\u00a0,\tb", "start\u00a0\nover", 8.0, 8.0)
	f.Add("\x04\x00\x10", "\x05\x0b\x10\x0e\x13", 8.0, 1.5)
	f.Fuzz(func(t *testing.T, first, second string, hours, left float64) {
		if !(hours >= 0 && hours <= 1e5 && left >= 0 && left <= 1e5) {
			t.Skip("refused before a turn begins")
		}
		first, second = spell(first), spell(second)
		if len(first)+len(second) > 2_000 {
			t.Skip("slower and nothing new")
		}
		if preview := accepted(t, first, hours, nil); preview != nil {
			accepted(t, second, left, preview)
		}
	})
}

// spelled are the phrases that control characters stand for, so that mutation
// composes them.
var spelled = []string{
	"Build a web shop", "Plan: ", "add a ", " milestone", "learn Spanish", "remove the ", "move ", " to next week", "total to ", "rename it to ", "start over: ",
	" and ", ", ", " within 1 hour", "add a task called \"", "\" to ", "design", "launch", "testing", " on 2026-12-24", "build", " by end of december", "ux", "the plan",
}

func spell(text string) string {
	var all strings.Builder
	for _, r := range text {
		if int(r) < len(spelled) {
			all.WriteString(spelled[r])
		} else {
			all.WriteRune(r)
		}
	}
	return all.String()
}

var saturday = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// accepted returns the draft of a turn as PlanAgent takes it, nil where the
// turn ends in a question.
func accepted(t *testing.T, message string, hours float64, preview *goal.Draft) *goal.Draft {
	t.Helper()
	s, err := goal.ReadBasics(func(string) any { return nil }, message, saturday)
	if err != nil {
		t.Fatal(err)
	}
	s.Hours, s.Preview = &hours, preview
	answer := plan(s, "")
	if answer["goalDraft"] == nil {
		return nil
	}
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	var read goal.Draft
	if problems := strictjson.ReadObject(text, func(o *strictjson.Object) {
		o.AllowUnknown()
		read = goal.DecodeDraft(o.Required("goalDraft"))
		if context := o.Optional("context"); context.Given() {
			s, _ = s.Hear(goal.DecodeContext(context))
		}
	}); problems != nil {
		t.Fatalf("%q: %v in %s", s.Message, problems, text)
	}
	read = s.Restore(read)
	if broken := s.Check(read); broken != nil {
		t.Fatalf("%q: %v in %s", s.Message, broken, text)
	}
	return &read
}
