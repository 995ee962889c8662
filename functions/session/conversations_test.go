package session_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/planwright/planwright/shared/agents/agentstest"
)

// conversation is a file of testdata/conversations: who speaks, what was said, and
// what must hold after each message.
type conversation struct {
	Who     string `yaml:"who"`
	Zone    string `yaml:"zone"`
	Context object `yaml:"context"` // of the client, brought with each message
	Turns   []struct {
		Say    string `yaml:"say"`
		Expect expect `yaml:",inline"`
	} `yaml:"turns"`
}

// expect is what must hold after a message; what is left out may be anything.
type expect struct {
	Action     string   `yaml:"action"` // save, none, final
	Title      string   `yaml:"title"`
	Milestones []string `yaml:"milestones"`
	Hours      *float64 `yaml:"hours"`  // in all
	Within     *float64 `yaml:"within"` // at most
	Last       string   `yaml:"last"`   // day
	First      string   `yaml:"first"`  // day
	Off        []string `yaml:"off"`    // weekdays and dates without a task, from now on
	Days       []string `yaml:"days"`   // of all tasks, in their order
	Reply      []string `yaml:"reply"`  // has these words
	Lacks      []string `yaml:"lacks"`  // no title has these words
	State      object   `yaml:"state"`  // has these values
	Tasks      []string `yaml:"tasks"`  // of all milestones
}

// TestConversations holds whole conversations, without a model and with one that is
// scripted to say the same.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("../../testdata/conversations/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c conversation
		if err := yaml.Unmarshal(data, &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		t.Run(name+", without a model", func(t *testing.T) { c.hold(t, newAPI(t)) })
		t.Run(name+", scripted", func(t *testing.T) { c.hold(t, newAPI(t, over(t, &agentstest.Service{}))) })
	}
}

// hold says each message and looks at what came of it.
func (c conversation) hold(t *testing.T, a api) {
	state := object{}
	if c.Zone != "" {
		state["time_zone"] = c.Zone
	}
	a.read(a.call("POST", goalPath, state), http.StatusOK, &object{})
	off := []string{}
	for i, turn := range c.Turns {
		request := runBody("goal_planning_agent", turn.Say)
		if c.Context != nil {
			request["state_delta"] = c.Context
		}
		out := a.turn(request)
		var stored struct{ State object }
		a.read(a.call("GET", goalPath, nil), http.StatusOK, &stored)
		off = append(off, turn.Expect.Off...)
		where := fmt.Sprintf("turn %d, %q: %s: %s", i+1, turn.Say, out.Action.Type, out.Reply)
		for _, problem := range turn.Expect.check(t, out, stored.State, off) {
			t.Errorf("%s\n  %s", where, problem)
		}
	}
}

var actions = map[string]string{"save": "save_preview", "none": "none", "final": "finalize_goal"}

// check returns what does not hold. Days that were kept free once stay free.
func (e expect) check(t *testing.T, out output, state object, off []string) (problems []string) {
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if e.Action != "" && out.Action.Type != actions[e.Action] {
		wrong("the action is %s, want %s", out.Action.Type, actions[e.Action])
	}
	for _, words := range e.Reply {
		if !strings.Contains(out.Reply, words) {
			wrong("the reply does not say %q", words)
		}
	}
	d := previewIn(t, state)
	for _, words := range e.Lacks {
		if strings.Contains(strings.ToLower(d.Title+fmt.Sprint(d.titles())), strings.ToLower(words)) {
			wrong("%q stands in %q", words, d.titles())
		}
	}
	for key, want := range e.State {
		if got, expected := jsonOf(t, state[key]), jsonOf(t, want); got != expected {
			wrong("%s is %s, want %s", key, got, expected)
		}
	}
	if d.Title == "" {
		return problems
	}
	e.checkDraft(d, off, wrong)
	return problems
}

func (e expect) checkDraft(d draft, off []string, wrong func(string, ...any)) {
	var days, tasks []string
	for _, m := range d.Milestones {
		last := ""
		for _, task := range m.Tasks {
			days, tasks = append(days, task.Date), append(tasks, task.Title)
			if task.Date < last {
				wrong("%q is on %s, before what it follows", task.Title, task.Date)
			}
			last = task.Date
		}
	}
	for what, pair := range map[string][2]any{"the title": {e.Title, d.Title}, "the first day": {e.First, slices.Min(days)}, "the last day": {e.Last, slices.Max(days)}} {
		if pair[0] != "" && pair[0] != pair[1] {
			wrong("%s is %v, want %v", what, pair[1], pair[0])
		}
	}
	for what, pair := range map[string][2][]string{"the milestones are": {e.Milestones, d.titles()}, "the days are": {e.Days, days}, "the tasks are": {e.Tasks, tasks}} {
		if pair[0] != nil && !slices.Equal(pair[0], pair[1]) {
			wrong("%s %q, want %q", what, pair[1], pair[0])
		}
	}
	if e.Hours != nil && d.hours() != *e.Hours || e.Within != nil && d.hours() > *e.Within {
		wrong("the plan takes %g hours", d.hours())
	}
	titles := d.titles()
	slices.Sort(titles)
	if len(slices.Compact(titles)) < len(d.Milestones) {
		wrong("two milestones have one name: %q", d.titles())
	}
	for _, day := range days {
		at, err := time.Parse(time.DateOnly, day[:10])
		if err != nil {
			wrong("%v", err)
		}
		if slices.Contains(off, day) || slices.Contains(off, at.Weekday().String()) {
			wrong("a task is on %s, a %s", day, at.Weekday())
		}
	}
}

func previewIn(t *testing.T, state object) (d draft) {
	t.Helper()
	if err := json.Unmarshal([]byte(jsonOf(t, state["goalPreview"])), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func jsonOf(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
