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
		o.AllowUnknown()
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
		{"Add a testing milestone", "", design + "; Testing: 11-26 2, 11-27 2; " + launch},
		{"Add a testing milestone next week, but keep total hours within 20", "", design + "; Testing: 11-26 2, 11-27 2; " + launch},
		{"please add a user feedback phase on 2027-01-04", "", design + "; " + launch + "; User feedback: 2027-01-04 2, 2027-01-04 2"},
		{"Add a testing milestone next week", `,"upcomingTasks":[{"title":"Fair","date":"2026-11-22T08:00:00Z","estimatedHours":40},{"title":"Doctor","date":"2026-11-26","estimatedHours":2}]`,
			design + "; Testing: 11-25 2, 11-26 2; " + launch},
		{"Move the design phase to next week, and don’t overlap with team meetings.", "", "Design the shop: 11-23 2, 11-24 2; " + launch},
		{"move the launch to 24 December 2026", "", design + "; Launch: 12-24 4"},
		{"move the launch to December 24th", "", design + "; Launch: 12-24 4"},
		{"move the launch to the 4th of Jan", "", design + "; Launch: 2027-01-04 4"},
		{"Move publish to 2026-12-24", "", design + "; Launch: 12-24 4"},
		{"yes, but move the design milestone to tomorrow", "", "Design the shop: 11-22 2, 11-22 2; " + launch},
		{"Remove the launch", "", design},
		{"Remove launc", "", design},
		{"remove choose colours and add a testing milestone", "", "Design the shop: 11-24 2; Testing: 11-25 2, 11-26 2; " + launch},
		{"yes but remove the first task", "", "Design the shop: 11-25 2; " + launch},
		{"remove the first task and remove the third task", "", "Design the shop: 11-25 2"},
		{"remove task 2", "", "Design the shop: 11-24 2; " + launch},
		{"remove the first milestone", "", launch},
		{"remove the 2nd task of the design phase", "", "Design the shop: 11-24 2; " + launch},
		{"move the last task to next week", "", design + "; Launch: 11-23 4"},
		{"Keep total hours within 4", "", "Design the shop: 11-24 1, 11-25 1; Launch: 12-01 2"},
		{"make the sketch 9 hours", "", "Design the shop: 11-24 8, 11-25 1, 11-25 2; " + launch},
		{"cut the total to 4 hours", "", "Design the shop: 11-24 1, 11-25 1; Launch: 12-01 2"},
		{"start over: learn Spanish", "", "Prepare: learn Spanish: 11-23 2, 11-24 2; Do: learn Spanish: 11-25 2, 11-26 2; Review: learn Spanish: 11-27 2, 11-30 2"},
		{"start over: learn Spanish by 24 November, within 6 hours", "", "Prepare: learn Spanish: 11-23 1, 11-23 1; Do: learn Spanish: 11-23 1, 11-23 1; Review: learn Spanish: 11-24 1, 11-24 1"},
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

// A time that no clock or two show is asked about, and not moved.
func TestAMissingOrDoubleTimeIsAQuestion(t *testing.T) {
	const berlin = `{"now":"2026-11-21T09:00:00+01:00","timeZone":"Europe/Berlin","goalPreview":` + shop + `}`
	for said, want := range map[string]string{
		"I have a meeting on 2027-03-28 at 02:30": "There is no 02:30 on 28 March 2027",
		"I have a meeting on 2027-10-31 at 02:30": "02:30 comes twice on 31 October 2027",
		"I have a meeting on 2027-03-28 at 04:30": "",
	} {
		text := ask(t, "PlanAgent", strings.ReplaceAll(berlin, "\n", " "), said)
		if _, question := answered(t, text); !strings.Contains(question, want) || want == "" && strings.Contains(question, "clocks") {
			t.Errorf("%q is answered with %q: %s", said, question, text)
		}
	}
}

// Words of a first message that are of no command are a question, and no part of the title.
func TestTitles(t *testing.T) {
	for message, want := range map[string]string{
		"Run a marathon, I can train 3 times a week":                                 "Run a marathon | train 3 times a week",
		"Learn chess every evening":                                                  "Learn chess | evening",
		"Build a shop: design, development and launch":                               "Build a shop | design, development and launch",
		"Build a shop with the milestones design and launch":                         "Build a shop | design and launch",
		"Write a novel before the summer but I hate mornings":                        "Write a novel | summer",
		"I'd like to learn Spanish for my trip to Peru, in 20 hours, not on Mondays": "Learn Spanish for my trip to Peru | ",
		"Help me write a novel, at most 8 h in total":                                "Write a novel | ",
		"Plan a wedding for 80 guests by 12 June, my sister is allergic to nuts":     "Plan a wedding for 80 guests | sister is allergic to nuts",
	} {
		draft, question := answered(t, ask(t, "PlanAgent", known("null", ""), message))
		title, rest, _ := strings.Cut(want, " | ")
		if draft.Title != title || rest == "" && question != "" || !strings.Contains(question, rest) {
			t.Errorf("%q: %q, %q", message, draft.Title, question)
		}
	}
}

// A message that is not understood is told so in at most 40 words.
func TestNotUnderstoodIsShort(t *testing.T) {
	long := strings.Repeat("blue elephants dance ", 20)
	_, question := answered(t, ask(t, "PlanAgent", known(shop, ""), long))
	if n := len(strings.Fields(question)); n > 40 || !strings.Contains(question, "I can ") {
		t.Errorf("%d words: %s", n, question)
	}
}

// Of two wishes the one that is understood is done, and the other is named.
func TestTheRestIsNamed(t *testing.T) {
	draft, question := answered(t, ask(t, "PlanAgent", known(shop, ""), "add a testing milestone and make it fun"))
	if len(draft.Milestones) != 3 || !strings.Contains(question, `I did not understand: "fun"`) {
		t.Errorf("%s %q", outline(draft), question)
	}
}

// What is not understood is asked about, and nothing is changed.
func TestQuestions(t *testing.T) {
	both := strings.Replace(shop, `"Launch"`, `"Launch the shop"`, 1)
	tests := []struct{ preview, message, more, want string }{
		{shop, "make it more fun", "", "I did not understand"},
		{shop, "Use two weeks instead", "", "I did not understand"},
		{shop, "Do that in Rust instead", "", "I did not understand"},
		{shop, "move the launch to Friday if it rains", "", "I did not understand"},
		{shop, "make it 1 hour", "", "Is that for the whole plan"},
		{shop, "add a launch milestone", "", "There is a milestone"},
		{shop, "add a testing milestone before the garden", "", `"garden" is not the name of just one thing`},
		{shop, "move the garden to next week", "", `"garden" is not the name of just one thing`},
		{shop, "remove the first", "", `"first" is not the name of just one thing`},
		{shop, "remove the last one", "", "Which do you mean?"},
		{shop, "remove the fourth task", "", `"fourth task" is not the name`},
		{strings.Replace(shop, "Sketch", "Sketch 2", 1), "remove task 2", "", "Which do you mean?"},
		{both, "remove the shop", "", `"shop" is not the name of just one thing in the plan, so nothing was changed. The milestones are: "Design the shop", "Launch the shop".`},
		{both, "move the shop to next week", "", "Which do you mean?"},
		{shop, "move launch to 2026-11-01", "", "2026-11-01 is over"},
		{shop, "move launch to 31 November", "", "Which do you mean?"},
		{shop, "keep total hours within 0.5", "", "too little for 3 tasks"},
		{shop, "keep total hours within 0", "", "0 h in all is too little for 3 tasks"},
		{shop, "don't overlap with my meetings", "", "I know of no meetings"},
		{shop, "make the sketch 900 hours", "", "cannot take 900 hours"},
		{"null", "Learn chess by yesterday", "", "is over"},
		{"null", "Learn Spanish by 2026-11-01", "", "2026-11-01 is over"},
		{"null", "Learn Spanish by tomorrow", "", "no room"},
		{"null", "Build a shop within 0 hours", "", "too little"},
		{shop, "add a testing milestone next week", `,"upcomingTasks":[{"title":"Holiday","date":"2026-11-22T01:00:00Z","estimatedHours":200}]`, "no room"},
		{"null", "hello", "", "What is your goal?"},
		{"null", "This is rubbish", "", "There is no plan yet."},
		{"null", "Not on Mondays", "", "What is your goal?"},
		{"null", "add a testing milestone", "", "What is your goal?"},
		{shop, "this is rubbish, forget it", "", "The plan stands until there is another. What is your goal?"},
		{shop, "Forget it, that's no good!", "", "The plan stands"},
		{shop, "Let's start over.", "", "The plan stands"},
		{"null", "What can you do?", "", "What is your goal?"},
		{"null", "looks good, save it", "", "What is your goal?"},
		{"null", "Build a shop", `,"availableHoursLeft":0`, "too little"},
		{"null", "Ein Haus bauen", `,"preferredLanguage":"German","availableHoursLeft":0`, "English only"},
	}
	for _, tt := range tests {
		draft, question := answered(t, ask(t, "PlanAgent", known(tt.preview, tt.more), tt.message))
		if len(draft.Milestones) > 0 || !strings.Contains(question, tt.want) {
			t.Errorf("%q: %s %q, want %q", tt.message, outline(draft), question, tt.want)
		}
	}
}
