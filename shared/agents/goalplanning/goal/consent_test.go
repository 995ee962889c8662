package goal_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

func TestApproves(t *testing.T) {
	yes := []string{
		"Looks good, save it", "looks good", "Looks good!", "yes", "Yes, please save it.", "Perfect, thank you!", "I approve this plan",
		"That works for me. Go ahead!", "Ok, finalize the plan", "Great, let's do it", "LGTM looks good to me"[5:], "Yes! 🎉 Save it please 🙏",
		"k looks good go w it", "okay cool, let's lock it in before i panic again", "Well, I have read it twice. Please consider it settled.",
		"That's the final plan. See you at the finish line!", "Let's call it done and get the hammer out.", "It rained all day. Looks good, save it.",
		"I'm happy with it, save this plan now", "Sounds good, thanks so much", "👍", "Looks good :)", "+1", "sure, it looks great", "Approved.",
	}
	no := []string{
		"", " ", "!", "thanks", "please", "hello", "now",
		"yes, but move the design phase", "not yet, looks good otherwise", "save me from this plan", "Add a task titled \"looks good\"",
		"add a task called looks good", "the 'looks good' task should move", "Looks good? Not sure", "does it look good?", "looks good to you?",
		"don't save it", "do not save it", "never finalize", "no", "no, save it", "yes and add a testing milestone", "save it tomorrow",
		"save it for later", "good start, but more hours", "looks good except the dates", "yes if you add tests", "I would approve it when it fits",
		"almost perfect", "save some time in week two", "finalize the design milestone first", "ok so what about the budget", "good morning",
		"is this good", "say yes", "“yes”", "the plan: save it", "yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes",
		"Passt so, bitte speichern", "Sí, guárdalo por favor", "Nu, salvează planul", "I accept no changes", "да ну", "好不好", "Oui, aber nein", "Nein, passt so nicht", "ja, aber verschiebe das Design", "no, gracias", "Looks good. Tests next.", "Save it. The tests come in March.", "Lock it in and add tests", "Save it and call it Bob", "Save it and make it longer", "Take the garage out. Lock it in.", "Ship it and keep Friday free", "It rained all day. Looks good. It rained.", "call it a maybe", "unsave it", "looks goodish", "great plan for a disaster",
	}
	yes, no = append(yes, lines(t, "consents.txt")...), append(no, lines(t, "refusals.txt")...)
	for _, message := range yes {
		if !goal.Approves(message) {
			t.Errorf("%q does not approve", message)
		}
	}
	for _, message := range no {
		if goal.Approves(message) {
			t.Errorf("%q approves", message)
		}
	}
}

// lines reads messages that people type, one a line.
func lines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func BenchmarkApproves(b *testing.B) {
	for b.Loop() {
		goal.Approves("Move the design phase to next week, and keep the total within 20 hours")
	}
}

// Whatever is said besides, an approval with a word of a language that nobody here
// reads is no approval.
func FuzzApproves(f *testing.F) {
	f.Add("move", "the design")
	f.Add("", "später")
	f.Add("not", "")
	f.Fuzz(func(t *testing.T, before, after string) {
		message := before + " öffnen " + after
		if goal.Approves(message) || goal.Approves(strings.ToUpper(message)) || goal.Approves("Yes, save it. "+message) {
			t.Errorf("%q approves", message)
		}
	})
}
