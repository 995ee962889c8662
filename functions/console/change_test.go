package console_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/console"
	"github.com/planwright/planwright/functions/emulator/emulatortest"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/web"
)

// pressed opens a draft in New change over a held table and presses a button there, having
// looked at what it does. It returns the page that follows.
func (r reader) pressed(plan, held, button string, fields ...string) (status int, at *url.URL, text string) {
	r.Helper()
	id := strings.TrimPrefix(plan, "/plans/")
	_, at, text = r.ask("GET", "/new?plan="+id+"&table="+held, "", nil)
	hash := seenHash.FindStringSubmatch(text)
	if hash == nil {
		r.Fatalf("%s shows nothing to press for:\n%s", at, text)
	}
	fields = append([]string{"plan", id, "table", held, "preview_sha256", hash[1], "confirmed", hash[1], "original", "1"}, fields...)
	return r.press(&url.URL{}, button, fields...)
}

// applied has a sentence applied to a table, and returns the page of the result.
func (r reader) applied(sentence, table string) (page string) {
	r.Helper()
	held := r.hold("products.csv", table)
	_, at, text := r.pressed(r.planned(sentence, held), held, "apply")
	if !strings.HasPrefix(at.Path, "/executions/") {
		r.Fatalf("%s is not applied, at %s:\n%s", sentence, at, text)
	}
	r.until(at.Path, "Done.")
	return at.Path
}

// says reports an error where a text lacks some others, or has one that begins with "!".
func (r reader) says(text string, want ...string) {
	r.Helper()
	text = html.UnescapeString(text)
	for _, want := range want {
		if refused, not := strings.CutPrefix(want, "!"); strings.Contains(text, refused) == not {
			r.Errorf("%q, want %v in\n%s", refused, !not, text)
		}
	}
}

// The way from a file to its result and back needs no script: forms, and links.
func TestWithoutScript(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	held := r.hold("products.csv", products)
	plan := r.planned("Raise fitness by 10% except SKU A102.", held)
	_, _, text := r.ask("GET", plan+"?table="+held, "", nil)
	r.says(text, "Draft, not applied", "Increase the price by 10% for products in category fitness, except SKU A102", "<strong>2</strong> <span>of 4 change</span>", "32.99", "Edit and apply")
	if _, _, text := r.ask("GET", "/executions?status=draft", "", nil); !strings.Contains(text, `<a href="/new?plan=`+strings.TrimPrefix(plan, "/plans/")+"&amp;table="+held+`">Raise fitness by 10% except SKU A102.</a>`) {
		t.Errorf("the draft is listed nowhere:\n%s", text)
	}
	_, done, text := r.pressed(plan, held, "apply")
	if !strings.Contains(text, "Done.") && !strings.Contains(text, `<noscript><meta http-equiv="refresh"`) {
		t.Errorf("the page does not come again by itself:\n%s", text)
	}
	r.says(r.until(done.Path, "Done. 2 prices are in the file. Your shop changes when you import it."), "Download changes only", "Download the full file", "Import this file where your export came from", "+10.0%", "What it does", "Repeat with today")
	_, _, changes := r.ask("GET", done.Path+"/files/import", "", nil)
	r.says(changes, "A101,32.99", "!29.99", "!A102", "!B201")
	if _, at, _ := r.ask("GET", plan, "", nil); at.Path != done.Path {
		t.Errorf("a plan that was used is at %s", at)
	}
	_, undo, _ := r.form(done.Path + "/undo")
	r.until(undo.Path, "Undone. 2 prices are as before in the file.")
	if _, _, text := r.ask("GET", undo.Path+"/files/output", "", nil); text != products {
		t.Errorf("undone to\n%s", text)
	}
	r.says(r.until(done.Path, "Undone."), "Go to the file with the old prices", "!I have imported it")

	second := r.planned("Discount yoga by 5%.", held)
	_, at, _ := r.pressed(second, held, "propose")
	text = r.until(at.Path, "Waiting for approval")
	if strings.Contains(text, `http-equiv="refresh"`) || !strings.Contains(text, "Look again") {
		t.Errorf("the page erases a note by coming again by itself:\n%s", text)
	}
	for path, want := range map[string]int{
		plan + "?table=none": 200, second + "?table=none": 200, "/nowhere": 404, "/plans/x": 422, "/executions?from=odd": 422,
		done.Path + "/files/other": 404, done.Path + "/files/changes": 200, done.Path + "?after=odd": 200, "/goal?session=none": 404,
	} {
		if status, _, text := r.ask("GET", path, "", nil); status != want {
			t.Errorf("GET %s: %d, want %d\n%s", path, status, want, text)
		}
	}
	for path, want := range map[string]int{done.Path + "/approve": 409, at.Path + "/reject": 422, second + "/table": 422, "/goal": 422} {
		if status, _, text := r.form(path); status != want {
			t.Errorf("an empty form to %s: %d, want %d\n%s", path, status, want, text)
		}
	}
}

// A list finds changes by words, SKUs and files; a file that is held no more is asked for.
func TestAChangeIsFoundByWords(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	r.applied("Raise fitness by 10% except SKU A102.", products)
	for search, want := range map[string]bool{"RAISE fitness": true, "A101": true, "products.csv": true, "yoga": false, "B201": false} {
		if _, _, text := r.ask("GET", "/executions?search="+url.QueryEscape(search), "", nil); strings.Contains(text, "Raise fitness by 10% except SKU A102.</a>") != want {
			t.Errorf("a search for %q, want found: %v\n%s", search, want, text)
		}
	}
	plan := r.planned("Raise yoga by 1%.")
	if status, _, text := r.ask("GET", plan+"?table=GONE", "", nil); status != 404 || !strings.Contains(text, `enctype="multipart/form-data"`) || !strings.Contains(text, "Increase the price by 1%") {
		t.Errorf("%d does not lead on\n%s", status, text)
	}
	_, at, text := r.drop(plan, "products.csv", func(w io.Writer) error { _, err := io.WriteString(w, products); return err })
	if at.Path != plan || !strings.Contains(text, "<strong>1</strong> <span>of 4 change</span>") {
		t.Errorf("at %s:\n%s", at, text)
	}
}

// Prices that move the other way stand in a red block above the products.
func TestPricesThatMoveTheOtherWayAreMarked(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	held := r.hold("products.csv", "sku,category,price,in_stock\nA-1,fitness,10.00,true\nA-2,fitness,60.00,true\n")
	plan := r.planned("Raise fitness by 10% but never above 50.", held)
	for path, tab := range map[string]string{plan + "?table=" + held: "", "": "propose"} {
		if tab != "" {
			_, at, _ := r.pressed(plan, held, tab, "r0.against", "change")
			r.until(at.Path, "Waiting for approval")
			path = at.Path
		}
		_, _, text := r.ask("GET", path, "", nil)
		r.says(text, `<div class="block red"><p>1 product would get cheaper because of “not above 50”`)
	}
}

// The button of a page does what the page shows, or nothing: a second tab has changed the
// column of the prices.
func TestTheButtonDoesWhatThePageShows(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	held := r.hold("products.csv", "sku,category,price,cost,in_stock\nA-1,fitness,10.00,5.00,true\n")
	plan := r.planned("Raise fitness by 10%.", held)
	id := strings.TrimPrefix(plan, "/plans/")
	_, _, text := r.ask("GET", "/new?plan="+id+"&table="+held, "", nil)
	shown := seenHash.FindStringSubmatch(text)[1]
	r.form("/tables/"+held+"/settings", "columns", "price=cost")
	for _, button := range []string{"apply", "propose"} {
		status, _, text := r.press(&url.URL{}, button, "plan", id, "table", held, "preview_sha256", shown)
		if status != http.StatusUnprocessableEntity || !strings.Contains(text, "Nothing was done: this would now do something else than what you saw") || !strings.Contains(text, "5.50") {
			t.Errorf("%s: %d, and the page does not say that nothing was done, and what would be:\n%s", button, status, text)
		}
		if status, at, _ := r.ask("GET", "/executions/"+id, "", nil); at.Path != plan {
			t.Errorf("%s: it was carried out: %d, at %s", button, status, at)
		}
	}
	r.form("/tables/"+held+"/settings", "columns", "price=price")
	_, at, _ := r.pressed(plan, held, "apply")
	r.until(at.Path, "Done.")
	if _, _, output := r.ask("GET", at.Path+"/files/output", "", nil); !strings.Contains(output, "A-1,fitness,11.00,5.00,true") {
		t.Errorf("it became\n%s", output)
	}
}

// Undo asks only where products changed since. In a newer file it puts the products of the
// change back, and leaves or overwrites those that changed since as somebody says.
func TestUndoAsksWhereProductsChangedSince(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	done := r.applied("Raise fitness by 10% except SKU A102.", products)
	_, _, output := r.ask("GET", done+"/files/output", "", nil)
	today := strings.Replace(output, "32.99", "31.00", 1)
	undoIn := func(file string) (*url.URL, string) {
		t.Helper()
		_, at, _ := r.send(done+"/undo-file", "today.csv", func(w io.Writer) error { _, err := io.WriteString(w, file); return err })
		return at, r.until(at.Path, "Nothing is undone yet")
	}
	at, text := undoIn(today)
	r.says(text, "1 product changed since.", "Keep those", "Undo all the same", "31.00", "32.99", "29.99")
	table := regexp.MustCompile(`name="table" value="(\w+)"`).FindStringSubmatch(text)[1]
	_, kept, _ := r.form(done+"/undo", "table", table, "stale", "report")
	if kept.Path == at.Path {
		t.Error("an answer has the page of its question")
	}
	r.says(r.until(kept.Path, "Undone. 1 price is as before in the file."), "These products changed since and stayed as they are:", "31.00")
	r.says(r.until(done, "Undone in part"), "Undo the rest")
	_, forced, _ := r.form(done+"/undo", "table", table, "stale", "overwrite")
	r.until(forced.Path, "Undone.")
	if _, _, output := r.ask("GET", forced.Path+"/files/output", "", nil); !strings.Contains(output, "A101,fitness,29.99") {
		t.Errorf("undone all the same, it is\n%s", output)
	}
}

// A change that was made on the result of another stays when that is undone, but for the
// products of both, about which the page asks.
func TestUndoBelowAnotherChange(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	first := r.applied("Raise fitness by 10%.", products)
	_, at, text := r.form("/new", "do", "upon:"+strings.TrimPrefix(first, "/executions/"))
	held := at.Query().Get("table")
	if at.Path != "/new" || held == "" {
		t.Fatalf("at %s:\n%s", at, text)
	}
	_, at, _ = r.press(at, "look", "rules", "2", "r0.show", "skus", "r0.skus", "A101", "r0.action", "set_price", "r0.value", "50",
		"r1.show", "categories", "r1.categories", "yoga", "r1.action", "percent_decrease", "r1.value", "5")
	_, _, text = r.ask("GET", at.RequestURI(), "", nil)
	hash := seenHash.FindStringSubmatch(text)
	if hash == nil {
		t.Fatalf("at %s:\n%s", at, text)
	}
	_, at, _ = r.press(at, "apply", "preview_sha256", hash[1], "confirmed", hash[1])
	second := at.Path
	r.until(second, "Done. 2 prices")
	r.says(r.until(first, "Done."), `<a href="`+second+`">See it</a>`)
	_, at, _ = r.form(first + "/undo")
	r.says(r.until(at.Path, "Nothing is undone yet"), "1 product changed since.", "50.00")
	table := regexp.MustCompile(`name="table" value="(\w+)"`).FindStringSubmatch(r.until(at.Path, "Keep those"))[1]
	_, at, _ = r.form(first+"/undo", "table", table, "stale", "report")
	r.until(at.Path, "Undone.")
	_, _, output := r.ask("GET", at.Path+"/files/output", "", nil)
	for _, want := range []string{"A101,fitness,50.00", "A102,fitness,39.99", "A103,fitness,49.99", "B201,yoga,18.99"} {
		if !strings.Contains(output, want) {
			t.Errorf("no %s in\n%s", want, output)
		}
	}
}

// A scheduled change says when and what to import, is given other times, and is cancelled
// without a reason. What was typed and refused stays where it was typed.
func TestAScheduledChange(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	held := r.hold("products.csv", products)
	plan := r.planned("Raise fitness by 10%.", held)
	_, at, text := r.pressed(plan, held, "save", "apply_at", "2090-05-04T18:30", "revert_at", "2090-05-06T18:30", "zone", "UTC", "rules", "1",
		"r0.show", "categories", "r0.categories", "fitness", "r0.action", "percent_increase", "r0.value", "10", "r0.against", "skip")
	if !strings.HasPrefix(at.Path, "/plans/") {
		t.Fatalf("at %s:\n%s", at, text)
	}
	_, at, _ = r.pressed(at.Path, held, "apply", "zone", "UTC")
	text = r.until(at.Path, "Scheduled.")
	r.says(text, "Scheduled. Starts <time", "Thu 4 May 2090, 18:30", "ends <time", "Sat 6 May 2090, 18:30", "the file with the new prices is ready here. Import it then.", "the file with the old prices is ready here. Import it then.", "<summary>Edit</summary>", "Cancel</button>", `value="2090-05-04T18:30"`)
	mark := regexp.MustCompile(`name="proposal_sha256" value="(\w+)"`).FindStringSubmatch(text)[1]
	status, _, text := r.form(at.Path+"/time", "proposal_sha256", mark, "apply_at", "2091-01-01T00:00", "revert_at", "2090-05-06T18:30")
	if status != http.StatusUnprocessableEntity || strings.Contains(text, "data-live") {
		t.Errorf("%d, or what was typed is replaced:\n%s", status, text)
	}
	r.says(text, `<details id="later" open>`, `value="2091-01-01T00:00"`, `value="2090-05-06T18:30"`)
	if status, _, text = r.form(at.Path+"/time", "proposal_sha256", mark, "apply_at", "2020-10-27T08:00", "zone", "UTC"); status != http.StatusUnprocessableEntity {
		t.Errorf("a time that is past: %d\n%s", status, text)
	}
	_, next, _ := r.form(at.Path+"/time", "proposal_sha256", mark, "apply_at", "2091-01-01T00:00", "revert_at", "", "zone", "UTC")
	text = r.until(next.Path, "Scheduled.")
	r.says(text, "Mon 1 Jan 2091, 00:00", "!ends <time", "!the file with the old prices")
	r.says(r.until(at.Path, "Replaced"), `<a href="`+next.Path+`">the change that replaced it</a>`)
	mark = regexp.MustCompile(`name="proposal_sha256" value="(\w+)"`).FindStringSubmatch(text)[1]
	_, at, text = r.form(next.Path+"/withdraw", "proposal_sha256", mark)
	r.says(text, "Withdrawn", "Nothing was changed")
	if status, _, text := r.form(at.Path+"/withdraw", "proposal_sha256", mark); status != http.StatusConflict || !strings.Contains(text, "before you withdrew it") {
		t.Errorf("%d: withdrawn twice without a word\n%s", status, text)
	}
}

// The end of a sale is told where the sale is, and on its own page.
func TestTheEndOfASale(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	held := r.hold("products.csv", products)
	plan := r.planned("Raise fitness by 2%.", held)
	_, at, _ := r.pressed(plan, held, "save", "revert_at", "2090-05-06T18:30", "zone", "UTC", "rules", "1",
		"r0.show", "categories", "r0.categories", "fitness", "r0.action", "percent_increase", "r0.value", "2", "r0.against", "skip")
	_, at, _ = r.pressed(at.Path, held, "apply", "zone", "UTC")
	r.says(r.until(at.Path, "Done."), "Ends <time", "Sat 6 May 2090, 18:30", "a file with the old prices is ready then, to be imported too.", ">Undo</button>")
	_, _, text := r.ask("GET", at.Path+"_undo", "", nil)
	r.says(text, "The old prices come back <time", "the file with the old prices is ready here. Import it then.", "!within a minute")
}

// Where nothing changes there is nothing to import, and nothing to undo.
func TestNothingChanged(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	held := r.hold("products.csv", products)
	id := strings.TrimPrefix(r.planned("Raise fitness below 1 by 10%.", held), "/plans/")
	body, err := json.Marshal(map[string]string{"table": held, "intent": "apply"})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post(address+"/planner/v1/plans/"+id+":execute", "application/json", bytes.NewReader(body))
	if err != nil || answer.StatusCode != http.StatusAccepted {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
	r.says(r.until("/executions/"+id, "Done."), "Nothing changed: the file is as you sent it, and there is nothing to import.", "!>Undo<", "!Download the full file")
}

// Files say in their names what they are of, and when. A browser that saves a link accepts
// anything.
func TestNamesOfFiles(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	page := r.applied("Raise fitness by 10%.", products)
	for path, want := range map[string]string{
		"/files/output": `^attachment; filename=products_raise-fitness-by-10_\d{4}-\d\d-\d\d_\d{4}\.csv$`,
		"/changes.csv":  `^attachment; filename=products_raise-fitness-by-10_\d{4}-\d\d-\d\d_\d{4}_changes\.csv$`,
	} {
		request, err := http.NewRequestWithContext(t.Context(), "GET", address+page+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "*/*")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if got := answer.Header.Get("Content-Disposition"); !regexp.MustCompile(want).MatchString(got) || err != nil {
			t.Errorf("%s is named %q, want %s", path, got, want)
		}
		if path == "/changes.csv" && !strings.HasPrefix(string(content), "row,sku,name,price_before,price_after,moved_percent") {
			t.Errorf("the changes are\n%s", content)
		}
	}
}

// Sums of money are written as the table writes its prices.
func TestMoneyInTheTablesForm(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	page := r.applied("Increase all prices by 10%.", "sku;category;price;in_stock\nA;x;12.345,00 €;true\nB;x;2.000,00 €;true\n")
	_, _, text := r.ask("GET", page, "", nil)
	r.says(text, "<strong>+1.434,50 €</strong>", "13.579,50 €", "+10.0%")
}

// Of a row on sale the regular price stands beside what customers pay.
func TestASaleIsShown(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	page := r.applied("Put everything on sale at 20% off.", "sku,category,price,sale_price,in_stock\nA,x,45.00,,true\nB,x,10.00,9.00,true\n")
	_, _, text := r.ask("GET", page, "", nil)
	r.says(text, "<strong>2 ↓</strong>", `−20.0%`, `<small class="changed">sale 36.00</small>`, `<small class="changed">sale 8.00</small>`)
	_, _, text = r.ask("GET", page+"?only=dearer", "", nil)
	r.says(text, "No product that changes is like that.")
}

// A table that was dropped into the folder of no plan waits for one.
func TestWaitsForItsPlan(t *testing.T) {
	planner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v1/plans/") {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"error": {"code": "not_found", "message": "There is none."}}`)
			return
		}
		fmt.Fprint(w, `{"execution_id": "plan_typo_v1", "status": "running", "delay": "There is no plan yet."}`)
	})
	text := pageOf(t, planner, "/executions/plan_typo_v1")
	reader{T: t}.says(text, "Waiting for its rules", "There is no plan yet.", "!/plans/plan_typo_v1")
}

// pageOf is a page over a planner that answers as a test says.
func pageOf(t *testing.T, planner http.Handler, path string) string {
	t.Helper()
	pages := console.New(console.Dependencies{Planner: &web.Client{HTTP: web.InProcess(planner)}, Files: func(string) bucket.Bucket { return nil }})
	recorder := httptest.NewRecorder()
	pages.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
	return recorder.Body.String()
}

// An end that waits for an approval is told where it is looked for, and one that is under
// way cannot be pressed again.
func TestTheEndWaits(t *testing.T) {
	for due, want := range map[string][]string{
		`"at": "2999-12-01T07:51:00Z"`:                {"Ends <time", ">Undo</button>", "!waits for approval"},
		`"at": "2026-01-01T07:51:00Z", "waits": true`: {"The end of <time", `waits for approval. <a href="/executions/plan_sale_v1_undo">`, ">Undo</button>"},
		`"at": "2026-01-01T07:51:00Z"`:                {"!>Undo</button>"}, // within the minute
	} {
		planner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/changes") {
				fmt.Fprint(w, `{"changes": [{"row": 2, "sku": "A", "before": {"price": "1"}, "after": {"price": "2"}}], "rows_found": 1}`)
				return
			}
			fmt.Fprint(w, `{"plan": {"execution_id": "plan_sale_v1"}, "execution_id": "plan_sale_v1", "status": "completed", "may": ["undo"], "summary": {"rows_total": 2, "rows_changed": 1}, "undo_due": [{"execution_id": "plan_sale_v1_undo", `+due+`}]}`)
		})
		reader{T: t}.says(pageOf(t, planner, "/executions/plan_sale_v1"), want...)
	}
}

// A change that is never applied at once offers to ask for approval alone. Any other offers
// it where there is somebody to ask.
func TestOnlyAProposal(t *testing.T) {
	for _, known := range []struct {
		plan, several string
		want          []string
	}{
		{`"agreement": "model"`, "false", []string{"Ask for approval", `!value="apply"`, ">Raise all</a>."}},
		{`"agreement": "model"`, "true", []string{"Ask for approval", `!value="apply"`}},
		{`"agreement": "both"`, "true", []string{"Ask for approval", `value="apply"`}},
		{`"agreement": "both"`, "false", []string{"!Ask for approval", `value="apply"`}},
	} {
		planner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasPrefix(r.URL.Path, "/v1/executions/"):
				w.WriteHeader(http.StatusNotFound)
				fmt.Fprint(w, `{"error": {"code": "not_found", "message": "There is none."}}`)
			case r.URL.Path == "/v1/me":
				fmt.Fprint(w, `{"name": "ana@example.com", "may": ["plan", "execute"], "several_people": `+known.several+`}`)
			case strings.HasPrefix(r.URL.Path, "/v1/tables"):
				fmt.Fprint(w, `{"table": "HELD", "file": "shop.csv"}`)
			case strings.HasSuffix(r.URL.Path, ":preview"):
				fmt.Fprint(w, `{"preview_sha256": "`+strings.Repeat("a", 64)+`", "summary": {"rows_total": 9, "rows_changed": 1}, "rules": [{"operation_id": "op_01", "rows_matched": 1, "rows_changed": 1}]}`)
			default:
				fmt.Fprint(w, `{"plan": {"execution_id": "plan_odd_v1", "created_at": "2026-01-01T00:00:00Z", "source_instruction": "Raise all.", "operations": [{"operation_id": "op_01", "filter": {}, "action": {"type": "percent_increase", "value": 1}}]}, "plan_sha256": "12ab", `+known.plan+`}`)
			}
		})
		reader{T: t}.says(pageOf(t, planner, "/new?plan=plan_odd_v1&table=HELD"), known.want...)
	}
}

// Who decides too late is told who was before them, and by how much.
func TestWhoWasBeforeYou(t *testing.T) {
	planner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			w.WriteHeader(http.StatusConflict)
			fmt.Fprint(w, `{"error": {"code": "conflict", "message": "It proposes nothing."}}`)
		case strings.HasPrefix(r.URL.Path, "/v1/plans/"):
			fmt.Fprint(w, `{"plan": {"execution_id": "plan_sale_v1", "source_instruction": "Mugs 10% off."}, "plan_sha256": "12ab"}`)
		default:
			at := time.Now().Add(-4500 * time.Millisecond).Format(time.RFC3339Nano)
			if strings.Contains(r.URL.Path, "plan_approved_v1") {
				fmt.Fprintf(w, `{"execution_id": "plan_approved_v1", "status": "proposed", "may": ["reject"], "approval_due": true, "proposal": {"proposal_sha256": "77"}, "approval": {"proposal_sha256": "77", "by": "Ann", "at": %q}}`, at)
				return
			}
			fmt.Fprintf(w, `{"execution_id": "plan_sale_v1", "status": "failed", "error": {"code": "rejected", "message": "Rejected by Ben: Not <now>"},
				"audit": [{"status": "failed", "error": "Rejected by Ben: Not <now>", "executed_at": %q, "result": {"failure": {"code": "rejected"}}}]}`, at)
		}
	})
	server := httptest.NewServer(console.New(console.Dependencies{Planner: &web.Client{HTTP: web.InProcess(planner)}}))
	defer server.Close()
	status, _, text := reader{t, server.URL}.form("/executions/plan_sale_v1/approve", "proposal_sha256", "77")
	if want := "Rejected by Ben: Not &lt;now&gt;. That was 4 s before you approved it."; status != http.StatusConflict || !strings.Contains(text, want) {
		t.Errorf("%d, want %q in\n%s", status, want, text)
	}
	status, _, text = reader{t, server.URL}.form("/executions/plan_approved_v1/reject", "proposal_sha256", "77", "note", "no")
	if want := "Ann approved it. That was 4 s before you sent it back."; status != http.StatusConflict || !strings.Contains(text, want) || !strings.Contains(text, `name="approved_by" value="Ann"`) {
		t.Errorf("%d, want %q in\n%s", status, want, text)
	}
}

// Who presses a button of a draft that was handed in in another tab is told what became of
// that.
func TestHandedInInAnotherTab(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	held := r.hold("products.csv", products)
	plan := r.planned("Raise fitness by 10%.", held)
	_, at, _ := r.pressed(plan, held, "propose")
	r.until(at.Path, "Waiting for approval")
	id := strings.TrimPrefix(plan, "/plans/")
	answer, err := http.Post(address+"/planner/v1/plans/"+id+":execute", "application/json", strings.NewReader(`{"table": "`+held+`", "intent": "apply"}`))
	if err != nil || answer.StatusCode != http.StatusConflict {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
	_, again, text := r.pressed(plan, held, "apply") // a plan that was used is made anew
	if again.Path == at.Path {
		t.Errorf("at %s:\n%s", again, text)
	}
}

// A change whose time was changed is told apart from one that was rejected.
func TestReplacedIsNotRejected(t *testing.T) {
	planner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		execution := `{"execution_id": "plan_sale_v1", "status": "failed", "upload": {"object": "shop.csv"}, "error": {"code": "rejected", "message": "Replaced with plan_sale_v2 by Ben: Its time was changed.", "replaced_by": "plan_sale_v2"},
			"audit": [{"status": "failed", "error": "Replaced with plan_sale_v2 by Ben: Its time was changed.", "result": {"failure": {"code": "rejected"}, "upload": {"object": "shop.csv"}}}]}`
		if r.URL.Path == "/v1/executions" {
			execution = `{"executions": [` + execution + `]}`
		}
		fmt.Fprint(w, execution)
	})
	r := reader{T: t}
	r.says(pageOf(t, planner, "/executions/plan_sale_v1"), "Replaced", `<a href="/executions/plan_sale_v2">the change that replaced it</a>`)
	r.says(pageOf(t, planner, "/executions?status=failed"), "Replaced", "!Sent back")
}

// A table of a million rows is looked at once it is asked for: neither the page nor the
// server grows with it.
func TestAMillionRows(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a table of 50 MB")
	}
	const rows, room = 1_000_000, 96 << 20
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	plan := r.planned("Increase all prices by 10%.")
	var before runtime.MemStats
	debug.SetGCPercent(100) // the usual one, whatever the tests run with
	runtime.GC()
	runtime.ReadMemStats(&before)
	grown := make(chan uint64)
	done := make(chan struct{})
	go func() { grown <- most(done) }()
	_, at, text := r.drop(plan, "million.csv", func(w io.Writer) error {
		lines := bytes.NewBufferString("sku,category,price,in_stock\n")
		for i := range rows {
			fmt.Fprintf(lines, "SKU-%08d-with-a-long-name,fitness,10.00,true\n", i)
			if lines.Len() > 64<<10 || i == rows-1 {
				if _, err := lines.WriteTo(w); err != nil {
					return err
				}
			}
		}
		return nil
	})
	held := at.Query().Get("table")
	if held == "" {
		t.Fatalf("at %s:\n%s", at, text)
	}
	id := strings.TrimPrefix(plan, "/plans/")
	_, _, text = r.ask("GET", "/new?plan="+id+"&table="+held, "", nil)
	r.says(text, "Ask for approval", `!value="apply"`)
	_, at, _ = r.press(&url.URL{}, "propose", "plan", id, "table", held)
	text = r.until(at.Path, "Waiting for approval")
	close(done)
	if at := <-grown; at > before.HeapAlloc+room {
		t.Errorf("the heap grew from %d to %d MB", before.HeapAlloc>>20, at>>20)
	} else {
		t.Logf("the heap grew from %d to %d MB", before.HeapAlloc>>20, at>>20)
	}
	if len(text) > 200<<10 {
		t.Errorf("the page has %d KB", len(text)>>10)
	}
}

// An undo can be undone. The page of the change, the list and what is to be imported say
// what is in force after each.
func TestAnUndoneUndoOnItsPage(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	page := r.applied("Raise fitness by 10%.", products)
	_, undo, _ := r.form(page + "/undo")
	r.until(undo.Path, "Undone. ")
	r.says(r.until(page, "Undone."), "import the file with the old prices", "!Applied again")
	_, redo, _ := r.form(undo.Path + "/undo")
	r.says(r.until(redo.Path, "Done. 3 prices are in the file."), "!Apply the change again", "!as before in the file")
	link := `<a class="button primary" href="` + redo.Path + `">Go to the file with the new prices</a>`
	r.says(r.until(page, "Undone, then applied again."), link, "import the file with the new prices", "Applied again", "!Undo the rest")
	_, _, list := r.ask("GET", "/executions", "", nil)
	r.says(list, "Undone, then applied again")
	_, third, _ := r.form(redo.Path + "/undo")
	r.until(third.Path, "Undone. ")
	r.says(r.until(page, "Undone. Your shop"), "Go to the file with the old prices", third.Path, "Applied again")
}
