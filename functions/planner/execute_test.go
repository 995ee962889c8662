package planner_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/planning/reader"
)

// talking is a counter whose planner is the reader.
func talking(t testing.TB, change ...func(*planner.Dependencies)) *counter {
	t.Helper()
	return openCounter(t, append([]func(*planner.Dependencies){func(d *planner.Dependencies) { d.Planner = reader.New() }}, change...)...)
}

func (c *counter) planOver(t *testing.T, id, instruction string) answer {
	t.Helper()
	return c.as(t, "ana", "POST", "/v1/plans", "application/json", `{"instruction":"`+instruction+`","table":"`+id+`"}`)
}

// TestPlanInTheTablesWords reads names as what they are in the table.
func TestPlanInTheTablesWords(t *testing.T) {
	c := talking(t)
	id := c.hold(t, heldShop)
	got := c.planOver(t, id, "Raise all hoodies by 3% except A-103")
	if got.status != http.StatusCreated || !strings.Contains(got.body, `"categories":["Hoodies"]`) || !strings.Contains(got.body, `"exclude_skus":["A-103"]`) {
		t.Fatalf("%d %s", got.status, got.body)
	}
	if !strings.Contains(got.body, `"table":{"table":"`+id+`","file":"shop.csv"}`) {
		t.Errorf("the plan does not say its table: %s", got.body)
	}
	if again := c.planOver(t, id, "Raise all hoodies by 3% except A-103"); again.status != http.StatusOK || again.body != got.body {
		t.Errorf("again: %d %s", again.status, again.body)
	}
	other := c.hold(t, strings.ReplaceAll(heldShop, "Hoodies", "hoodies"))
	if anew := c.planOver(t, other, "Raise all hoodies by 3% except A-103"); anew.status != http.StatusCreated || !strings.Contains(anew.body, `_v2"`) || !strings.Contains(anew.body, `"categories":["hoodies"]`) {
		t.Errorf("with another table: %d %s", anew.status, anew.body)
	}
	// Who asks of the same words over a table of the same content has asked anew.
	if anew := c.planOver(t, c.hold(t, heldShop), "Raise all hoodies by 3% except A-103"); anew.status != http.StatusCreated || !strings.Contains(anew.body, `_v3"`) {
		t.Errorf("with the table once more: %d %s", anew.status, anew.body)
	}
	for body, want := range map[string]int{
		`{"instruction":"Raise all by 3%","table":"` + id + `","categories":["x"]}`:   422,
		`{"instruction":"Raise all by 3%","table":"` + strings.Repeat("A", 26) + `"}`: 404,
	} {
		if got := c.as(t, "ana", "POST", "/v1/plans", "application/json", body); got.status != want {
			t.Errorf("%s: %d %s, want %d", body, got.status, got.body, want)
		}
	}
	if got := c.as(t, "ben", "POST", "/v1/plans", "application/json", `{"instruction":"Raise all by 3%","table":"`+id+`"}`); got.status != 403 {
		t.Errorf("in the words of another's table: %d %s", got.status, got.body)
	}
}

func TestPreviewOfAStoredTable(t *testing.T) {
	c := talking(t)
	id := c.hold(t, heldShop)
	plan := c.planOver(t, id, "Raise all hoodies by 10%").field(t, "plan.execution_id").(string)
	got := c.as(t, "ana", "POST", "/v1/plans/"+plan+":preview?page_size=1", "application/json", `{"table":"`+id+`"}`)
	if got.status != 200 || !strings.Contains(got.body, `"rows_total":3,"rows_changed":2`) || !strings.Contains(got.body, `"sku":"A-103"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	for body, want := range map[string]int{`{"table":"` + strings.Repeat("A", 26) + `"}`: 404, `{}`: 422, `{`: 400} {
		if got := c.as(t, "ana", "POST", "/v1/plans/"+plan+":preview", "application/json", body); got.status != want {
			t.Errorf("%s: %d %s, want %d", body, got.status, got.body, want)
		}
	}
}

// TestUnknownNamesAreChoices finds a name in other columns and in other case, and the
// plan that means it. An exception stays one.
func TestUnknownNamesAreChoices(t *testing.T) {
	c := talking(t)
	put := func(id, filter string) {
		t.Helper()
		body := `{"execution_id":"` + id + `","created_at":"2026-01-02T03:04:05Z","source_instruction":"Raise all by 3%.","operations":[{"operation_id":"op_01","filter":` + filter + `,"action":{"type":"percent_increase","value":3}}]}`
		if got := c.as(t, "ana", "PUT", "/v1/plans/"+id, "application/json", body); got.status != 201 {
			t.Fatalf("%d %s", got.status, got.body)
		}
	}
	put("exception_v1", `{"exclude_categories":["CC-Beanie"]}`)
	got := c.as(t, "ana", "POST", "/v1/plans/exception_v1:preview", "text/csv", heldShop)
	for _, want := range []string{
		`"code":"unknown_names"`, `this table has it as SKU \"cc-beanie\"`, `"elsewhere":[{"column":"sku","name":"cc-beanie"}]`,
		`"choices":[{"column":"sku","name":"cc-beanie","operations":[{"action":{"type":"percent_increase","value":3},"filter":{"exclude_skus":["cc-beanie"]},"operation_id":"op_01"}]}]`,
	} {
		if got.status != 422 || !strings.Contains(got.body, want) {
			t.Errorf("no %s: %d %s", want, got.status, got.body)
		}
	}
	put("brand_case_v1", `{"categories":["nike"]}`)
	if got := c.as(t, "ana", "POST", "/v1/plans/brand_case_v1:preview", "text/csv", heldShop); !strings.Contains(got.body, `"filter":{"brands":["Nike"]}`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	put("other_case_v1", `{"categories":["hoodies"]}`)
	if got := c.as(t, "ana", "POST", "/v1/plans/other_case_v1:preview", "text/csv", heldShop); !strings.Contains(got.body, `"filter":{"categories":["Hoodies"]}`) {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// TestExecute hands a held table in as the caller's upload.
func TestExecute(t *testing.T) {
	c := talking(t, func(d *planner.Dependencies) { d.Uploader = planner.Uploaders{"ana", "boss"}.Check })
	got := c.as(t, "ana", "POST", "/v1/tables?file=shop.csv&blank_price=keep", "text/csv", heldShop)
	id := got.field(t, "table").(string)
	plan := c.planOver(t, id, "Raise all hoodies by 10%").field(t, "plan.execution_id").(string)
	execute := func(who, plan, body string) answer {
		t.Helper()
		return c.as(t, who, "POST", "/v1/plans/"+plan+":execute", "application/json", body)
	}
	for name, test := range map[string]struct {
		who, plan, body string
		status          int
		want            string
	}{
		"no uploader":    {"ben", plan, `{"table":"` + id + `"}`, 403, "UPLOADERS"},
		"no such plan":   {"ana", "no_such_plan_v1", `{"table":"` + id + `"}`, 404, "There is no plan"},
		"no such table":  {"ana", plan, `{"table":"` + strings.Repeat("A", 26) + `"}`, 404, "plans that were made with it are kept"},
		"another intent": {"ana", plan, `{"table":"` + id + `","intent":"now"}`, 422, "must be apply or propose"},
		"no table":       {"ana", plan, `{}`, 422, `"path":"table"`},
	} {
		if got := execute(test.who, test.plan, test.body); got.status != test.status || !strings.Contains(got.body, test.want) {
			t.Errorf("%s: %d %s, want %d with %s", name, got.status, got.body, test.status, test.want)
		}
	}
	done := execute("ana", plan, `{"table":"`+id+`","intent":"propose"}`)
	if done.status != http.StatusAccepted {
		t.Fatalf("%d %s", done.status, done.body)
	}
	name := done.field(t, "upload.object").(string)
	object, err := c.inbox.Stat(t.Context(), name)
	if err != nil || object.Size != int64(len(heldShop)) {
		t.Fatalf("%+v, %v", object, err)
	}
	for key, want := range map[string]string{"execution-id": plan, "uploaded-by": "ana", "intent": "propose", "blank_price": "keep"} {
		if object.Metadata[key] != want {
			t.Errorf("the metadata %s is %q, want %q", key, object.Metadata[key], want)
		}
	}
	if !strings.HasPrefix(name, "held/"+plan+"/") || !strings.HasSuffix(name, "/shop.csv") {
		t.Errorf("it lies at %s", name)
	}
	if again := execute("ana", plan, `{"table":"`+id+`"}`); again.status != 409 || !strings.Contains(again.body, "already, by ana, to be proposed") {
		t.Errorf("another intent: %d %s", again.status, again.body)
	}
	if again := execute("ana", plan, `{"table":"`+id+`","intent":"propose"}`); again.body != done.body || again.status != http.StatusAccepted {
		t.Errorf("the answer was lost: %d %s", again.status, again.body)
	}
	c.execute(t, plan, "sku,price\n") // an attempt that fails, for it has no categories
	wrong := c.as(t, "ana", "POST", "/v1/plans/"+plan+":execute?unmatched=all&blank_price=nothing&dry_run=1", "application/json", `{"table":"`+id+`"}`)
	for _, want := range []string{`"path":"blank_price"`, `"path":"unmatched"`, `"path":"dry_run"`} {
		if wrong.status != 422 || !strings.Contains(wrong.body, want) {
			t.Errorf("not all that is wrong is told: %d %s, want %s", wrong.status, wrong.body, want)
		}
	}
	retry := c.as(t, "ana", "POST", "/v1/plans/"+plan+":execute?unmatched=allow", "application/json", `{"table":"`+id+`"}`)
	if retry.status != http.StatusAccepted {
		t.Fatalf("the same table with another setting, after an attempt that failed: %d %s", retry.status, retry.body)
	}
	object, err = c.inbox.Stat(t.Context(), retry.field(t, "upload.object").(string))
	if err != nil || object.Metadata["unmatched"] != "allow" || object.Name == name || !strings.HasSuffix(object.Name, "/shop.csv") {
		t.Errorf("%+v, %v", object, err)
	}
	if twice := execute("ana", plan, `{"table":"`+id+`"}`); twice.status != 409 {
		t.Errorf("twice: %d %s", twice.status, twice.body)
	}
	second := c.planOver(t, id, "Raise all hats by 3%").field(t, "plan.execution_id").(string)
	preview := func() string {
		t.Helper()
		return c.as(t, "ana", "POST", "/v1/plans/"+second+":preview", "application/json", `{"table":"`+id+`"}`).body
	}
	if got := preview(); !strings.Contains(got, `"rows_changed":1`) || strings.Contains(got, "same_table") {
		t.Errorf("nothing was carried out on this table: %s", got)
	}
	c.execute(t, plan, heldShop)
	if got := preview(); !strings.Contains(got, plan+" was carried out on this very table") {
		t.Errorf("another plan was dropped into the inbox with the same table: %s", got)
	}
	first := c.planOver(t, id, "Raise all hoodies by 4%").field(t, "plan.execution_id").(string)
	handed := execute("ana", first, `{"table":"`+id+`"}`).field(t, "upload.object").(string)
	if got := preview(); strings.Contains(got, first) {
		t.Errorf("nothing was carried out yet: %s", got)
	}
	c.executeObject(t, handed, heldShop, map[string]string{"execution-id": first})
	if got := preview(); !strings.Contains(got, `"code":"same_table"`) || !strings.Contains(got, " and "+first+" were carried out on this very table") {
		t.Errorf("the second plan on the same table says nothing of the first: %s", got)
	}
	if got := execute("ana", second, `{"table":"`+id+`"}`); got.status != http.StatusAccepted || !strings.Contains(got.body, " and "+first+" were carried out on this very table") {
		t.Errorf("the second plan is handed in and nothing is said of the first: %d %s", got.status, got.body)
	}
	if again := execute("ana", first, `{"table":"`+id+`"}`); again.status != http.StatusAccepted || again.field(t, "upload.object") != handed {
		t.Errorf("the answer was lost, and it was carried out since: %d %s", again.status, again.body)
	}
	if again := execute("ana", first, `{"table":"`+id+`","intent":"propose"}`); again.status != 409 || !strings.Contains(again.body, "to be applied") {
		t.Errorf("another intent after it was carried out: %d %s", again.status, again.body)
	}
	if late := execute("boss", plan, `{"table":"`+id+`"}`); late.status != 409 || !strings.Contains(late.body, "was carried out already") {
		t.Errorf("once it is carried out: %d %s", late.status, late.body)
	}
}

// TestDrafts lists the plans of which nothing was ever carried out.
func TestDrafts(t *testing.T) {
	c := talking(t)
	id := c.hold(t, heldShop)
	done := c.planOver(t, id, "Raise all hoodies by 10%").field(t, "plan.execution_id").(string)
	c.tick.Add(1)
	c.planOver(t, id, "Raise all hats by 10% except cc-beanie")
	c.execute(t, done, heldShop)
	list := func(query string) string {
		t.Helper()
		got := c.as(t, "ana", "GET", "/v1/plans"+query, "", "")
		if got.status != 200 {
			t.Fatalf("%d %s", got.status, got.body)
		}
		return got.body
	}
	all := list("")
	if hats, hoodies := strings.Index(all, "hats"), strings.Index(all, "hoodies"); hats < 0 || hoodies < hats || !strings.Contains(all, `"status":"completed"`) {
		t.Errorf("all of them: %s", all)
	}
	drafts := list("?status=draft")
	for _, want := range []string{`"source_instruction":"Raise all hats by 10% except cc-beanie"`, `"created_by":"ana"`, `"file":"shop.csv"`, `"status":"draft"`} {
		if !strings.Contains(drafts, want) || strings.Contains(drafts, "hoodies") {
			t.Errorf("drafts have no %s: %s", want, drafts)
		}
	}
	for search, want := range map[string]string{"HOODIES": "hoodies", "CC-beanie": "hats", "ana": "hats", "shop.csv": "hats"} {
		if found := list("?page_size=1&search=" + search); !strings.Contains(found, want) {
			t.Errorf("%s: %s", search, found)
		}
	}
	if none := list("?search=nothing"); none != `{"plans":[],"next_page_token":""}`+"\n" {
		t.Errorf("nothing: %s", none)
	}
	if got := c.as(t, "ana", "GET", "/v1/plans?status=completed", "", ""); got.status != 422 {
		t.Errorf("a status that is none: %d", got.status)
	}
	if found := c.as(t, "ana", "GET", "/v1/executions?search=hoodies+ana", "", ""); !strings.Contains(found.body, done) {
		t.Errorf("executions: %s", found.body)
	}
	if found := c.as(t, "ana", "GET", "/v1/executions?search=hats", "", ""); strings.Contains(found.body, done) {
		t.Errorf("executions: %s", found.body)
	}
}

// A second tab changes how a held table is read between a preview and the button: what was
// seen is what is done, or nothing is.
func TestExecuteWhatWasSeen(t *testing.T) {
	c := talking(t, func(d *planner.Dependencies) { d.Uploader = planner.Uploaders{"ana"}.Check })
	const twoPrices = "sku,category,price,cost,in_stock\nA-1,Hoodies,10.00,5.00,true\n"
	id := c.hold(t, twoPrices)
	plan := c.planOver(t, id, "Raise all hoodies by 10%").field(t, "plan.execution_id").(string)
	post := func(call, body string) answer {
		t.Helper()
		return c.as(t, "ana", "POST", "/v1/plans/"+plan+call, "application/json", body)
	}
	seen := func() string {
		t.Helper()
		return post(":preview", `{"table":"`+id+`"}`).field(t, "preview_sha256").(string)
	}
	readAs := func(settings string) {
		t.Helper()
		if got := c.as(t, "ana", "PUT", "/v1/tables/"+id+"/settings", "application/json", settings); got.status != http.StatusOK {
			t.Fatalf("%d %s", got.status, got.body)
		}
	}
	shown := seen()
	if sent := c.as(t, "ana", "POST", "/v1/plans/"+plan+":preview", "text/csv", twoPrices).field(t, "preview_sha256"); sent != shown {
		t.Errorf("the same table has the hash %s where it is sent, and %s where it is held", sent, shown)
	}
	if other := c.as(t, "ana", "POST", "/v1/plans/"+plan+":preview", "text/csv", twoPrices+"\n").field(t, "preview_sha256"); other == shown {
		t.Error("a table of other bytes has the same hash")
	}
	refused := func(why, query, intent string) {
		t.Helper()
		got := post(":execute"+query, `{"table":"`+id+`","intent":"`+intent+`","preview_sha256":"`+shown+`"}`)
		if got.status != http.StatusConflict || !strings.Contains(got.body, `"code":"preview_changed"`) || !strings.Contains(got.body, "Nothing was done") {
			t.Errorf("%s, to %s: %d %s", why, intent, got.status, got.body)
		}
		for object, err := range c.inbox.List(t.Context(), "") {
			t.Errorf("%s: %s was handed in, %v", why, object.Name, err)
		}
	}
	for _, intent := range []string{"apply", "propose"} {
		readAs(`{"columns":"price=cost"}`)
		refused("another column", "", intent)
		readAs(`{}`)
		refused("a column that is not there", "?columns=price%3Dnone", intent)
		refused("another setting of the call", "?unmatched=allow", intent)
	}
	if got := post(":execute", `{"table":"`+id+`","preview_sha256":"shown"}`); got.status != 422 || !strings.Contains(got.body, `"path":"preview_sha256"`) {
		t.Errorf("no hash: %d %s", got.status, got.body)
	}
	if got := post(":execute", `{"table":"`+id+`","preview_sha256":"`+seen()+`"}`); got.status != http.StatusAccepted {
		t.Errorf("what was seen: %d %s", got.status, got.body)
	}
}
