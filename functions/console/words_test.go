package console

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table"
)

// Pages speak of a plan and of settings in people's words, of times in one way, and lead to
// the plans that they name.
func TestWordsOnAPage(t *testing.T) {
	var p planView
	if err := json.Unmarshal([]byte(`{"plan": {"operations": [{"operation_id": "op_01"}, {"operation_id": "op_02"}]}}`), &p); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"apply_at was past when the plan was made: it is applied as soon as its table arrives.":                                   "“Apply at” was past when the plan was made: it is applied as soon as its table arrives.",
		"revert_at was past when the plan was made.":                                                                              "“Take back at” was past when the plan was made.",
		"operation op_02 would make the price negative: leave the row out, or give the operation a min_price":                     "Step 2 would make the price negative: leave the row out, or say the lowest price there may be, as in “but never below 5”",
		"Operation undo matched no row.":                                                                                          "No row still has what is to be taken back.",
		`is said beside the instruction: with --apply-at and --revert-at, or under "At another time" on the plan's page.`:         `is said beside the instruction: under "At another time" on the plan's page.`,
		"No column is known for price: if there is one, say which, with the query parameter columns=price=TITLE, or leave it out": "No column is known for price: if there is one, say which, below, or leave it out",
	} {
		if got := p.Said(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for text, want := range map[string]string{
		"Apply this on Friday, 27 November 2026, 08:39 UTC+01:00, not before.": `Apply this on <time datetime="2026-11-27T07:39:00Z">`,
		"Undo this on Tuesday, 1 December 2026, 07:39 UTC.":                    `Undo this on <time datetime="2026-12-01T07:39:00Z">`,
		"The plan plan_a_v1 <b>":                                               `The plan <a href="/executions/plan_a_v1">plan_a_v1</a> &lt;b&gt;`,
		"Friday, 99 November 2026, 08:39 UTC":                                  "Friday, 99 November 2026, 08:39 UTC",
	} {
		if got := string(told(text)); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for date, want := range map[string]string{"2026-11-30": "30 Nov 2026", "2026-11-30T08:00:00+02:00": "30 Nov 2026", "soon": "soon"} {
		if got := day(date); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var said tableView
	said.Settings = map[string]string{"delimiter": ";"}
	for _, setting := range said.Said() {
		if setting.Label == "" || setting.Value != said.Settings[setting.Name] || setting.Value != "" && setting.Choices[len(setting.Choices)-1] != setting.Value {
			t.Errorf("%+v", setting)
		}
	}
	if got := len(said.Said()) + len(decisions); got != len(table.SettingNames) {
		t.Errorf("%d settings", got)
	}
}
