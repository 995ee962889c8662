package offline_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/agents/goalplanning/offline"
	"github.com/planwright/planwright/shared/strictjson"
)

// ask asks the offline model as an agent would.
func ask(t *testing.T, agent, context, message string) string {
	t.Helper()
	request := &model.LLMRequest{Contents: genai.Text(message), Config: &genai.GenerateContentConfig{
		SystemInstruction: genai.NewContentFromText("Context: "+context+"\n\nYou are an agent. Your internal name is \""+agent+"\".", genai.RoleUser),
	}}
	for response, err := range offline.Model.GenerateContent(t.Context(), request, false) {
		if err != nil {
			t.Fatal(err)
		}
		return response.Content.Parts[0].Text
	}
	t.Fatal("no answer")
	return ""
}

// shop is a plan of 8 hours: today is Saturday, 2026-11-21.
const shop = `{"title":"Shop","milestones":[
	{"title":"Design the shop","tasks":[{"title":"Sketch","date":"2026-11-24","estimatedHours":2},{"title":"Choose colours","date":"2026-11-25","estimatedHours":2}]},
	{"title":"Launch","tasks":[{"title":"Publish","date":"2026-12-01","estimatedHours":4}]}]}`

func known(preview, more string) string {
	return strings.ReplaceAll(fmt.Sprintf(`{"now":"2026-11-21T09:00:00Z","timeZone":"UTC","goalPreview":%s%s}`, preview, more), "\n", " ")
}

// answered reads PlanAgent's answer.
func answered(t *testing.T, text string) (draft goal.Draft, question string) {
	t.Helper()
	if problems := strictjson.ReadObject([]byte(text), func(o *strictjson.Object) {
		question, _ = o.Optional("question").String()
		if field := o.Optional("goalDraft"); field.Given() {
			draft = goal.DecodeDraft(field)
		}
	}); problems != nil {
		t.Fatalf("%v in %s", problems, text)
	}
	return draft, question
}

// outline is a draft in a line: milestones, tasks at dates, hours.
func outline(d goal.Draft) string {
	var parts []string
	for _, m := range d.Milestones {
		var tasks []string
		for _, task := range m.Tasks {
			tasks = append(tasks, fmt.Sprintf("%s %s", strings.TrimPrefix(task.Date, "2026-"), goal.Number(task.EstimatedHours)))
		}
		parts = append(parts, m.Title+": "+strings.Join(tasks, ", "))
	}
	return strings.Join(parts, "; ")
}

func TestChanges(t *testing.T) {
	const design, launch = "Design the shop: 11-24 2, 11-25 2", "Launch: 12-01 4"
	tests := []struct{ message, more, want string }{
		{"Add a testing milestone", "", design + "; " + launch + "; Testing: 11-23 2, 11-26 2"},
		{"Add a testing milestone next week, but keep total hours within 20", "", design + "; " + launch + "; Testing: 11-23 2, 11-26 2"},
		{"please add a user feedback phase on 2027-01-04", "", design + "; " + launch + "; User feedback: 2027-01-04 2, 2027-01-04 2"},
		{"Add a testing milestone next week", `,"upcomingTasks":[{"title":"Fair","date":"2026-11-23T00:00:00Z","estimatedHours":48},{"title":"Doctor","date":"2026-11-26","estimatedHours":2}]`,
			design + "; " + launch + "; Testing: 11-27 2, 11-25 2"},
		{"Move the design phase to next week, and don’t overlap with team meetings.", "", "Design the shop: 11-23 2, 11-24 2; " + launch},
		{"move the launch to 24 December 2026", "", design + "; Launch: 12-24 4"},
		{"move the launch to December 24th", "", design + "; Launch: 12-24 4"},
		{"move the launch to the 4th of Jan", "", design + "; Launch: 2027-01-04 4"},
		{"Move publish to 2026-12-24", "", design + "; Launch: 12-24 4"},
		{"yes, but move the design milestone to tomorrow", "", "Design the shop: 11-22 2, 11-22 2; " + launch},
		{"Remove the launch", "", design},
		{"Remove launc", "", design},
		{"remove choose colours and add a testing milestone", "", "Design the shop: 11-24 2; " + launch + "; Testing: 11-23 2, 11-25 2"},
		{"yes but remove the first task", "", "Design the shop: 11-25 2; " + launch},
		{"remove the first task and remove the third task", "", "Design the shop: 11-25 2; Launch: "},
		{"remove task 2", "", "Design the shop: 11-24 2; " + launch},
		{"remove the first milestone", "", launch},
		{"remove the 2nd task of the design phase", "", "Design the shop: 11-24 2; " + launch},
		{"move the last task to next week", "", design + "; Launch: 11-23 4"},
		{"Keep total hours within 4", "", "Design the shop: 11-24 1, 11-25 1; Launch: 12-01 2"},
		{"Don't overlap with meetings", `,"availableHoursLeft":1`, "Design the shop: 11-24 0.25, 11-25 0.25; Launch: 12-01 0.5"},
		{"cut the total to 4 hours", "", "Design the shop: 11-24 1, 11-25 1; Launch: 12-01 2"},
		{"start over: learn Spanish", "", "Prepare: learn Spanish: 11-23 2, 11-24 2; Do: learn Spanish: 11-25 2, 11-26 2; Review: learn Spanish: 11-27 2, 11-30 2"},
		{"start over: learn Spanish by 24 November, within 6 hours", "", "Prepare: learn Spanish: 11-23 1, 11-24 1; Do: learn Spanish: 11-23 1, 11-24 1; Review: learn Spanish: 11-23 1, 11-24 1"},
		{"learn Spanish instead", "", "Prepare: learn Spanish: 11-23 2, 11-24 2; Do: learn Spanish: 11-25 2, 11-26 2; Review: learn Spanish: 11-27 2, 11-30 2"},
		{"Instead, learn Spanish", "", "Prepare: learn Spanish: 11-23 2, 11-24 2; Do: learn Spanish: 11-25 2, 11-26 2; Review: learn Spanish: 11-27 2, 11-30 2"},
		{"keep the total within 4 hours instead", "", "Design the shop: 11-24 1, 11-25 1; Launch: 12-01 2"},
		{"start over: open a shop in Leipzig", "", "Design the shop in Leipzig: 11-23 2, 11-24 2; Build the shop in Leipzig: 11-25 2, 11-26 2; Launch the shop in Leipzig: 11-27 2, 11-30 2"},
		{"start over: sell more in the shop", "", "Prepare: sell more in the shop: 11-23 2, 11-24 2; Do: sell more in the shop: 11-25 2, 11-26 2; Review: sell more in the shop: 11-27 2, 11-30 2"},
	}
	for _, tt := range tests {
		draft, question := answered(t, ask(t, "PlanAgent", known(shop, tt.more), tt.message))
		if got := outline(draft); got != tt.want {
			t.Errorf("%q:\n got %s %s\nwant %s", tt.message, got, question, tt.want)
		}
	}
}

// What is not understood is asked about, and nothing is changed.
func TestQuestions(t *testing.T) {
	both := strings.Replace(shop, `"Launch"`, `"Launch the shop"`, 1)
	tests := []struct{ preview, message, more, want string }{
		{shop, "make it more fun", "", "I did not understand"},
		{shop, "Make it 10 hours instead", "", "I did not understand"},
		{shop, "Use two weeks instead", "", "I did not understand"},
		{shop, "Start on Monday instead", "", "I did not understand"},
		{shop, "Do that in Rust instead", "", "I did not understand"},
		{shop, "Do the launch first instead", "", "I did not understand"},
		{shop, "add a task called \"looks good\" to launch on 2026-12-02", "", "I did not understand"},
		{"null", "Build a shop by end of December", "", "I cannot plan for \"by end of December\"."},
		{"null", "Write a novel before march 3rd", "", "I cannot plan for"},
		{"null", "Write a novel starting the end of next week within 4 hours", "", "I cannot plan for"},
		{"null", "Run a 10k in April", "", `I cannot plan for "in April".`},
		{"null", "Learn Spanish in 3 months", "", `I cannot plan for "in 3 months".`},
		{"null", "Run a marathon, I can train 3 times a week", "", `I cannot plan for "3 times a week".`},
		{"null", "Learn chess by yesterday", "", `I cannot plan for "by yesterday".`},
		{"null", "Learn chess within -5 hours", "", `I cannot plan for "within -5 hours".`},
		{"null", "Learn chess every evening", "", `I cannot plan for "every evening".`},
		{shop, "add a testing milestone and make it fun", "", "I did not understand"},
		{shop, "move the garden to next week", "", `"garden" is not the name of just one thing`},
		{shop, "remove the first", "", `"first" is not the name of just one thing`},
		{shop, "remove the last one", "", "Which do you mean?"},
		{shop, "remove the fourth task", "", `"fourth task" is not the name`},
		{strings.Replace(shop, "Sketch", "Sketch 2", 1), "remove task 2", "", "Which do you mean?"},
		{both, "remove the shop", "", `"shop" is not the name of just one thing in the plan, so nothing was changed. The milestones are: "Design the shop", "Launch the shop".`},
		{both, "move the shop to next week", "", "Which do you mean?"},
		{"null", "Run a half marathon in 8 weeks", "", `I cannot plan for "in 8 weeks".`},
		{"null", "Learn to juggle within 3 months", "", `I cannot plan for "within 3 months".`},
		{shop, "move launch to 2026-11-01", "", "no day that can still be planned"},
		{shop, "keep total hours within 0.5", "", "too little for 3 tasks"},
		{shop, "keep total hours within 0", "", "0 h in all is too little for 3 tasks"},
		{shop, "no overlaps", `,"availableHoursLeft":0.5`, "too little for 3 tasks"},
		{shop, "rename it to Shop", "", "I did not understand"},
		{shop, "move launch to friday", "", "I did not understand"},
		{shop, "move launch to 31 November", "", "no day that can still be planned"},
		{shop, "move launch to 3 March 2026", "", "no day that can still be planned"},
		{shop, "move launch to in 2 weeks", "", "I did not understand"},
		{"null", "Build a shop: design, development and launch", "", `I cannot plan for ": design, development and launch".`},
		{"null", "Build a shop with the milestones design and launch", "", "I cannot plan for"},
		{"null", "Learn Spanish by 2026-11-01", "", "no day that can still be planned"},
		{"null", "Learn Spanish by 2026-11-21", "", "Nothing can be planned till 2026-11-21"},
		{"null", "Learn Spanish starting next week", "", "I cannot plan for"},
		{"null", "Write a report by friday", "", "I cannot plan for"},
		{"null", "Build a shop within 0 hours", "", "too few hours left"},
		{shop, "add a testing milestone next week", `,"upcomingTasks":[{"title":"Holiday","date":"2026-11-22T00:00:00Z","estimatedHours":200}]`, "no room"},
		{"null", "hello", "", "What is your goal?"},
		{"null", "This is rubbish", "", "There is no plan yet."},
		{shop, "this is rubbish, forget it", "", "The plan stands until there is another. What is your goal?"},
		{shop, "Forget it, that's no good!", "", "The plan stands"},
		{shop, "Let's start over.", "", "The plan stands"},
		{"null", "What can you do?", "", "What is your goal?"},
		{"null", "looks good, save it", "", "What is your goal?"},
		{"null", "Build a shop", `,"availableHoursLeft":0`, "too few hours left"},
		{"null", "Build a shop by tomorrow", "", "I cannot plan for"},
		{"null", "Ein Haus bauen", `,"preferredLanguage":"German","availableHoursLeft":0`, "English only"},
	}
	for _, tt := range tests {
		draft, question := answered(t, ask(t, "PlanAgent", known(tt.preview, tt.more), tt.message))
		if len(draft.Milestones) > 0 || !strings.Contains(question, tt.want) {
			t.Errorf("%q: %s %q, want %q", tt.message, outline(draft), question, tt.want)
		}
	}
}
