package goal

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/strictjson"
)

// Actions that a turn may ask of the client.
const (
	SavePreview  = "save_preview"  // keep this draft as the preview
	FinalizeGoal = "finalize_goal" // the user approved the stored draft
	None         = "none"          // nothing
)

// Output is the standard output of a turn: {"reply", "action": {"type",
// "payload"}, "state": {"step", "iteration", "sessionActive"}}. Object writes
// the step a second time as "state", which is where some back ends look for it.
type Output struct {
	Reply  string      `json:"reply"`
	Action Action      `json:"action"`
	State  OutputState `json:"state"`
}

// Action is what the client is to do. The payload of save_preview and
// finalize_goal is {"goalDraft", "iteration"}, with the same draft once more as
// some back ends keep it: "goalPreview" is {"goal": {"title", "description"},
// "milestones"} for the one, and "goal" and "milestones" stand beside the draft
// for the other. The payload of none is {}.
type Action struct {
	Type    string         `json:"type"`
	Payload map[string]any `json:"payload"`
}

// OutputState is where the session stands.
type OutputState struct {
	Step          string `json:"step"`
	Iteration     int    `json:"iteration"`
	SessionActive bool   `json:"sessionActive"`
}

// Object returns the output as JSON's own types, as it is kept in state.
func (o Output) Object() map[string]any {
	return map[string]any{
		"reply":  o.Reply,
		"action": map[string]any{"type": o.Action.Type, "payload": o.Action.Payload},
		"state": map[string]any{
			"step":          o.State.Step,
			"state":         o.State.Step,
			"iteration":     float64(o.State.Iteration),
			"sessionActive": o.State.SessionActive,
		},
	}
}

// Save is the output of a turn that has a new draft, and the state it leaves.
func (s Situation) Save(draft map[string]any, reply string) Output {
	step := stepIteration
	if s.Iteration == 0 {
		step = stepGenerated
	}
	iteration := s.Iteration + 1
	payload := map[string]any{
		"goalDraft":   draft,
		"goalPreview": byGoal(draft),
		"iteration":   float64(iteration),
	}
	return Output{reply, Action{SavePreview, payload}, OutputState{step, iteration, true}}
}

// Finalize is the output of a turn that approves the stored preview.
func (s Situation) Finalize(reply string) Output {
	payload := byGoal(s.Raw)
	payload["goalDraft"], payload["iteration"] = s.Raw, float64(s.Iteration)
	return Output{reply, Action{FinalizeGoal, payload}, OutputState{stepFinalized, s.Iteration, false}}
}

// byGoal returns a draft in the form {"goal", "milestones"}: what is not of the
// milestones is the goal's.
func byGoal(draft map[string]any) map[string]any {
	goal := maps.Clone(draft)
	delete(goal, "milestones")
	return map[string]any{"goal": goal, "milestones": draft["milestones"]}
}

// Nothing is the output of a turn that changes nothing.
func (s Situation) Nothing(reply string) Output {
	return Output{reply, Action{None, map[string]any{}}, OutputState{s.Step, s.Iteration, s.Active}}
}

// Describe says what a draft changes of the preview, what is in it, and how to go on.
func (s Situation) Describe(draft map[string]any) string {
	list := &strictjson.List{}
	d := DecodeDraft(field(draft, list))
	tasks := d.Tasks()
	if list.Problems() != nil || len(tasks) == 0 {
		return "Here is your plan." + howToGoOn
	}
	dates := make([]string, len(tasks))
	for i, task := range tasks {
		dates[i] = task.Date
	}
	text := s.changed(d) + fmt.Sprintf(
		"Your plan %q has %s and %s, %s hours in all, from %s to %s.",
		d.Title,
		Count(
			len(d.Milestones),
			"milestone",
		),
		Count(len(tasks), "task"),
		Number(d.Hours()),
		day(slices.Min(dates)),
		day(slices.Max(dates)),
	)
	if limit, limited := s.Limit(d); limited {
		text += fmt.Sprintf(" That keeps within your %s hours.", Number(limit))
	}
	if s.Closed() {
		text += " The goal that you approved before stays as it is stored until you approve this one."
	}
	return text + howToGoOn
}

// AskAgain shows the stored preview before it is made final.
func (s Situation) AskAgain() string {
	list := &strictjson.List{}
	return fmt.Sprintf("Before this is made final: of your message %s something was not done. %s\n%s",
		strictjson.Quote(s.Unmet), s.Describe(s.Raw), DecodeDraft(field(s.Raw, list)).Outline())
}

// Outline lists the milestones with their tasks.
func (d Draft) Outline() string {
	const most = 60
	var lines []string
	for _, m := range d.Milestones {
		lines = append(lines, "- "+m.Title)
		for _, t := range m.Tasks {
			lines = append(lines, fmt.Sprintf("  - %s: %s, %s h", t.Title, t.Date, Number(t.EstimatedHours)))
		}
	}
	if len(lines) > most {
		lines = append(lines[:most], "- and more")
	}
	return strings.Join(lines, "\n")
}

// howToGoOn ends a reply about a plan that is not final.
const howToGoOn = ` Tell me what to change, or write OK to make it final.`

func day(date string) string { return date[:min(len(date), len(dayForm))] }

// Count says how many of what there are.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Final says that a draft is final.
func Final(draft map[string]any) string {
	return fmt.Sprintf("Your plan %q is final now.", draft["title"])
}

// Explain says what a draft broke and what could work instead.
func (s Situation) Explain(d Draft, broken []Violation) string {
	var reply strings.Builder
	reply.WriteString("I could not make a plan that fits, so nothing was changed. What stands against it:")
	const most = 5
	for i, v := range broken {
		if i == most {
			fmt.Fprintf(&reply, "\n- and %d more", len(broken)-most)
			break
		}
		fmt.Fprintf(&reply, "\n- %s", v.Message)
	}
	if ways := s.ways(d, broken); len(ways) > 0 {
		fmt.Fprintf(&reply, "\nWhat could work: %s.", strings.Join(ways, "; "))
	}
	return reply.String()
}

func (s Situation) ways(d Draft, broken []Violation) []string {
	var ways []string
	has := map[Breach]bool{}
	for _, v := range broken {
		has[v.Kind] = true
		if v.Kind == HoursExceeded {
			limit, _ := s.Limit(d)
			limit += d.Hours() - s.Pending(d).Hours() // of the whole plan
			ways = append(
				ways,
				fmt.Sprintf("a plan of %s hours, which is %s fewer", Number(limit), Number(v.Over)),
			)
			if s.Told.Said {
				ways = append(ways, `another limit, such as "I have 40 hours", or "no limit on the hours"`)
			}
		}
	}
	if has[Overlap] || has[Past] || has[Late] {
		if days := s.FreeDays(d, s.Now.AddDate(0, 0, 1), 3); len(days) > 0 {
			ways = append(ways, "other days, such as "+strings.Join(days, ", "))
		}
	}
	if has[dropped] {
		ways = append(ways, "saying which milestones or tasks should go")
	}
	return ways
}
