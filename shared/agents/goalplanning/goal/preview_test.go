package goal_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/strictjson"
)

const (
	previewMilestones = `[{"title":"Design","color":"red","tasks":[{"title":"Sketch","date":"2026-12-01","estimatedHours":2,"id":"t-1","done":false}]}]`
	previewDraft      = `{"title":"Site","description":"Mine","milestones":` + previewMilestones + `,"id":"g-1"}`
)

// decodePreview reads a preview as a client sends it under goalPreview.
func decodePreview(text string) (goal.Draft, []strictjson.Problem) {
	var draft goal.Draft
	problems := strictjson.ReadObject([]byte(`{"goalPreview":`+text+`}`), func(o *strictjson.Object) {
		draft = goal.DecodePreview(o.Required("goalPreview"))
	})
	return draft, problems
}

// The three shapes of one plan are one plan, with the fields that only the
// client knows.
func TestPreviewShapes(t *testing.T) {
	want, problems := decodePreview(previewDraft)
	if problems != nil {
		t.Fatal(problems)
	}
	if want.Extra["id"] != "g-1" || want.Milestones[0].Extra["color"] != "red" ||
		cmp.Diff(map[string]any{"id": "t-1", "done": false}, want.Milestones[0].Tasks[0].Extra) != "" {
		t.Errorf("the client's own fields: %+v", want)
	}
	for name, text := range map[string]string{
		"payload":                   `{"goalDraft":` + previewDraft + `,"iteration":1}`,
		"payload without iteration": `{"goalDraft":` + previewDraft + `}`,
		"payload with a field":      `{"goalDraft":{"title":"Site","description":"Mine","milestones":` + previewMilestones + `},"iteration":2,"id":"g-1"}`,
		"payload of a preview":      `{"goalDraft":` + previewDraft + `,"goalPreview":{"goal":{"title":"Site","description":"Mine"},"milestones":` + previewMilestones + `},"iteration":1}`,
		"payload of a final goal":   `{"goalDraft":` + previewDraft + `,"goal":{"title":"Site","description":"Mine"},"milestones":` + previewMilestones + `,"iteration":1}`,
		"goal":                      `{"goal":{"title":"Site","description":"Mine","id":"g-1"},"milestones":` + previewMilestones + `}`,
		"goal, fields beside it":    `{"goal":{"title":"Site"},"description":"Mine","milestones":` + previewMilestones + `,"id":"g-1","iteration":3}`,
	} {
		got, problems := decodePreview(text)
		if diff := cmp.Diff(want, got); diff != "" || problems != nil {
			t.Errorf("%s: %v (-draft +got):\n%s", name, problems, diff)
		}
	}
	named, problems := decodePreview(`{"title":"Site","goal":"a job","milestones":[]}`)
	if named.Title != "Site" || named.Extra["goal"] != "a job" || problems != nil {
		t.Errorf("a draft with a field of that name: %+v, %v", named, problems)
	}
}

// What cannot be read is told with its place, and with what can be read.
func TestUnreadablePreviews(t *testing.T) {
	for text, path := range map[string]string{
		`"a plan"`: "goalPreview",
		`{}`:       "goalPreview.title",
		`{"title":"Site","milestones":[{"title":"Design","tasks":[{"title":"Sketch","date":"soon","estimatedHours":2}]}]}`:                       "goalPreview.milestones[0].tasks[0].date",
		`{"goalDraft":{"title":"Site","milestones":[{"title":""}]}}`:                                                                             "goalPreview.goalDraft.milestones[0].title",
		`{"goalDraft":` + previewDraft + `,"iteration":"one"}`:                                                                                   "goalPreview.iteration",
		`{"goal":{"description":"Mine"},"milestones":[]}`:                                                                                        "goalPreview.goal.title",
		`{"goal":{"title":"Site"}}`:                                                                                                              "goalPreview.milestones",
		`{"goal":{"title":"Site","milestones":[]},"milestones":[]}`:                                                                              "goalPreview.goal.milestones",
		`{"goalDraft":` + previewDraft + `,"goalPreview":{"goal":{"title":"Shop","description":"Mine"},"milestones":` + previewMilestones + `}}`: "goalPreview.goalPreview",
		`{"goalDraft":` + previewDraft + `,"goal":{"title":"Site","description":"Mine"},"milestones":[]}`:                                        "goalPreview.goal",
		`{"action":{"payload":{}}}`:                                                                                                              "goalPreview.title",
	} {
		_, problems := decodePreview(text)
		places := map[string]string{}
		for _, problem := range problems {
			places[problem.Path] += problem.Message
		}
		if places[path] == "" {
			t.Errorf("%s: nothing is said of %s in %v", text, path, problems)
		}
		if shapes := places["goalPreview"]; !strings.Contains(shapes, `"goalDraft", "iteration"`) || !strings.Contains(shapes, `"goal": {`) {
			t.Errorf("%s: the shapes are not named in %v", text, problems)
		}
	}
}

// FuzzPreview reads any preview: what can be read is written as a draft that
// reads the same.
func FuzzPreview(f *testing.F) {
	f.Add(previewDraft)
	f.Add(`{"goalDraft":` + previewDraft + `,"iteration":1}`)
	f.Add(`{"goal":{"title":"Site","id":1},"milestones":` + previewMilestones + `,"title":null,"description":null}`)
	f.Add(`{"goal":{"title":"Site","title ":2},"milestones":[],"goalDraft":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		draft, problems := decodePreview(text)
		if problems != nil {
			return
		}
		value := any(draft.Object())
		list := &strictjson.List{}
		again := goal.DecodePreview(asField(t, value, list))
		if diff := cmp.Diff(value, any(again.Object())); diff != "" || list.Problems() != nil {
			t.Errorf("%v (-read +read again):\n%s", list.Problems(), diff)
		}
	})
}

func asField(t *testing.T, value any, list *strictjson.List) strictjson.Field {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	parsed, problems := strictjson.Parse(text)
	if problems != nil {
		t.Fatal(problems)
	}
	return strictjson.FieldOf(parsed, nil, list)
}
