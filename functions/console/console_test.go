package console_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/planwright/planwright/functions/console"
	"github.com/planwright/planwright/functions/emulator/emulatortest"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/web"
)

// reader is a browser without script.
type reader struct {
	*testing.T
	address string
}

// ask sends a request as a browser does and returns the last answer.
func (r reader) ask(method, path, contentType string, body io.Reader, header ...string) (status int, at *url.URL, text string) {
	r.Helper()
	request, err := http.NewRequestWithContext(r.Context(), method, r.address+path, body)
	if err != nil {
		r.Fatal(err)
	}
	request.Header.Set("Accept", "text/html")
	request.Header.Set("Content-Type", contentType)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		r.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		r.Fatal(err)
	}
	if csp := answer.Header.Get("Content-Security-Policy"); answer.StatusCode < 300 && (!strings.Contains(csp, "script-src 'self'") || strings.Contains(csp, "unsafe")) {
		r.Errorf("%s %s: Content-Security-Policy %q", method, path, csp)
	}
	return answer.StatusCode, answer.Request.URL, string(read)
}

func (r reader) form(path string, fields ...string) (status int, at *url.URL, text string) {
	r.Helper()
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	return r.ask(http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(values.Encode()))
}

// planned has the planner make a plan of an instruction, over a held table where one is
// named, and returns the path of its page.
func (r reader) planned(instruction string, table ...string) string {
	r.Helper()
	body := map[string]string{"instruction": instruction}
	for _, held := range table {
		body["table"] = held
	}
	text, err := json.Marshal(body)
	if err != nil {
		r.Fatal(err)
	}
	answer, err := http.Post(r.address+"/planner/v1/plans", "application/json", bytes.NewReader(text))
	if err != nil {
		r.Fatal(err)
	}
	defer answer.Body.Close()
	var made struct {
		Plan struct {
			ExecutionID string `json:"execution_id"`
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&made); err != nil || made.Plan.ExecutionID == "" {
		r.Fatalf("%s: %d, %v", instruction, answer.StatusCode, err)
	}
	return "/plans/" + made.Plan.ExecutionID
}

// drop gives a plan's page a table that write writes.
func (r reader) drop(path, name string, write func(io.Writer) error) (status int, at *url.URL, text string) {
	r.Helper()
	return r.send(path+"/table", name, write)
}

// send sends a form with a table that write writes.
func (r reader) send(path, name string, write func(io.Writer) error) (status int, at *url.URL, text string) {
	r.Helper()
	body, to := io.Pipe()
	form := multipart.NewWriter(to)
	go func() {
		part, err := form.CreateFormFile("table", name)
		if err == nil {
			err = write(part)
		}
		if err == nil {
			err = form.Close()
		}
		to.CloseWithError(err)
	}()
	return r.ask(http.MethodPost, path, form.FormDataContentType(), body)
}

// The main path needs no script: forms, and links between pages.
func TestWithoutScript(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	plan := r.planned("Increase prices by 10% for all in-stock fitness products.")
	status, at, text := r.drop(plan, "products.csv", func(w io.Writer) error { _, err := io.WriteString(w, products); return err })
	if status != 200 || !strings.Contains(text, "43.99") {
		t.Fatalf("%d at %s:\n%s", status, at, text)
	}
	table := at.Query().Get("table")
	_, at, text = r.form(plan+"/apply", "table", table, "intent", "apply")
	if !strings.Contains(text, `<noscript><meta http-equiv="refresh"`) {
		t.Errorf("the page does not come again by itself:\n%s", text)
	}
	r.until(at.Path, "rows changed")
	_, again, _ := r.form(plan + "/again")
	_, again, _ = r.drop(again.Path, "products.csv", func(w io.Writer) error { _, err := io.WriteString(w, products); return err })
	copied := again.Path
	_, again, _ = r.form(copied+"/apply", "table", again.Query().Get("table"), "intent", "propose")
	text = r.until(again.Path, "Approve it?")
	if strings.Contains(text, `http-equiv="refresh"`) || !strings.Contains(text, "Look again") {
		t.Errorf("the page erases a note by coming again by itself:\n%s", text)
	}
	for path, want := range map[string]int{
		plan + "?table=" + table: 200, plan + "?table=none": 404, "/nowhere": 404, "/plans/x": 422, "/executions?from=odd": 422,
		at.Path + "/files/other": 404, at.Path + "/files/changes": 200, "/executions?after=odd": 422, "/goal?session=none": 404,
	} {
		if status, _, text := r.ask("GET", path, "", nil); status != want {
			t.Errorf("GET %s: %d, want %d\n%s", path, status, want, text)
		}
	}
	for path, want := range map[string]int{plan + "/apply": 409, "/names": 404, plan + "/table": 422, "/goal": 422} {
		if status, _, text := r.form(path); status != want {
			t.Errorf("an empty form to %s: %d, want %d\n%s", path, status, want, text)
		}
	}
}

// The way from a table to its changed copy and back needs no script either.
func TestTableFirstWithoutScript(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	status, at, text := r.send("/tables", "products.csv", func(w io.Writer) error { _, err := io.WriteString(w, products); return err })
	if status != 200 || !strings.Contains(text, "New change") || at.Path != "/new" {
		t.Fatalf("%d at %s:\n%s", status, at, text)
	}
	held := at.Query().Get("table")
	at.Path = r.planned("Raise fitness by 10% except SKU A102.", held)
	status, at, text = r.ask("GET", at.Path+"?table="+held, "", nil)
	if status != 200 || at.Query().Get("table") != held || !strings.Contains(text, "except SKU A102") || !strings.Contains(text, "<strong>2</strong> of 4 rows would change") {
		t.Fatalf("%d at %s:\n%s", status, at, text)
	}
	if _, _, text := r.ask("GET", "/executions?status=draft", "", nil); !strings.Contains(text, `<a href="/new?plan=`+strings.TrimPrefix(at.Path, "/plans/")+"&amp;table="+held+`">Raise fitness by 10% except SKU A102.</a>`) {
		t.Errorf("the plan is listed nowhere:\n%s", text)
	}
	_, at, _ = r.form(at.Path+"/apply", "table", held, "intent", "apply")
	r.until(at.Path, "rows changed")
	_, at, _ = r.form(at.Path+"/undo", "table", "output")
	r.until(at.Path, "rows changed")
	if _, _, text := r.ask("GET", at.Path+"/files/output", "", nil); text != products {
		t.Errorf("taken back to\n%s", text)
	}
	status, _, text = r.form("/new", "do", "fill", "table", held, "instruction", "Raise prices by 10 for fitness products.")
	if status != 200 || !strings.Contains(text, "Increase by 10% (3)</button>") || !strings.Contains(text, `name="table" value="`+held+`"`) {
		t.Errorf("a question loses the table: %d\n%s", status, text)
	}
	for search, want := range map[string]bool{"RAISE fitness": true, "A102": true, "products.csv": true, "yoga": false, "B201": false} {
		if _, _, text := r.ask("GET", "/executions?search="+url.QueryEscape(search), "", nil); strings.Contains(text, "Raise fitness by 10% except SKU A102.</a>") != want {
			t.Errorf("a search for %q, want found: %v\n%s", search, want, text)
		}
	}
	for _, path := range []string{"/new?table=GONE", "/plans/plan_raise_fitness_10pct_except_sku_v1?table=GONE"} {
		if status, _, text := r.ask("GET", path, "", nil); status != 404 || !strings.Contains(text, "pload it again") || !strings.Contains(text, `enctype="multipart/form-data"`) {
			t.Errorf("%s: %d does not lead on\n%s", path, status, text)
		}
	}
}

// TestPricesThatMoveTheOtherWayAreMarked on the plan's page.
func TestPricesThatMoveTheOtherWayAreMarked(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	_, at, _ := r.send("/tables", "products.csv", func(w io.Writer) error {
		_, err := io.WriteString(w, "sku,category,price,in_stock\nA-1,fitness,10.00,true\nA-2,fitness,60.00,true\n")
		return err
	})
	_, _, text := r.ask("GET", r.planned("Raise fitness by 10% but never above 50.", at.Query().Get("table"))+"?"+at.RawQuery, "", nil)
	if !strings.Contains(text, `<li class="against">1 product left alone: the price would move the other way`) {
		t.Errorf("a price that would fall by a rise is not marked:\n%s", text)
	}
}

// The button of a page does what the page shows, or nothing: a second tab has changed the
// column of the prices.
func TestTheButtonDoesWhatThePageShows(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	const twoPrices = "sku,category,price,cost,in_stock\nA-1,fitness,10.00,5.00,true\n"
	_, at, _ := r.send("/tables", "products.csv", func(w io.Writer) error { _, err := io.WriteString(w, twoPrices); return err })
	held := at.Query().Get("table")
	_, at, text := r.ask("GET", r.planned("Raise fitness by 10%.", held)+"?table="+held, "", nil)
	hash := regexp.MustCompile(`name="preview_sha256" value="([0-9a-f]{64})"`)
	shown := hash.FindStringSubmatch(text)
	if shown == nil || !strings.Contains(text, "11.00") {
		t.Fatalf("the page does not show what is done, with its hash:\n%s", text)
	}
	plan := at.Path
	r.form("/tables/"+held+"/settings", "plan", strings.TrimPrefix(plan, "/plans/"), "columns", "price=cost")
	for _, intent := range []string{"apply", "propose"} {
		status, _, text := r.form(plan+"/apply", "table", held, "intent", intent, "preview_sha256", shown[1])
		if status != http.StatusConflict || !strings.Contains(text, "Nothing was done") || !strings.Contains(text, "5.50") {
			t.Errorf("%s: %d, and the page does not say that nothing was done, and what would be:\n%s", intent, status, text)
		}
		if shown[1] == hash.FindStringSubmatch(text)[1] {
			t.Error("the page that comes has the hash of the one before")
		}
		if status, _, text := r.ask("GET", "/executions/"+strings.TrimPrefix(plan, "/plans/"), "", nil); !strings.Contains(text, "Waiting for its table") {
			t.Errorf("%s: it was carried out: %d\n%s", intent, status, text)
		}
	}
	r.form("/tables/"+held+"/settings", "plan", strings.TrimPrefix(plan, "/plans/"))
	_, at, _ = r.form(plan+"/apply", "table", held, "intent", "apply", "preview_sha256", shown[1])
	r.until(at.Path, "rows changed")
	if _, _, output := r.ask("GET", at.Path+"/files/output", "", nil); !strings.Contains(output, "A-1,fitness,11.00,5.00,true") {
		t.Errorf("it became\n%s", output)
	}
}

// What was taken back in part says so, and the table that does so is the one to import;
// a plan on a table that another has changed says that, before and after.
func TestTakenBackInPart(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	apply := func(plan, table string) (page string) {
		t.Helper()
		_, at, _ := r.drop(plan, "products.csv", func(w io.Writer) error { _, err := io.WriteString(w, table); return err })
		_, at, _ = r.form(plan+"/apply", "table", at.Query().Get("table"), "intent", "apply")
		r.until(at.Path, "rows changed")
		return at.Path
	}
	at := &url.URL{Path: r.planned("Raise fitness by 10% except SKU A102.")}
	done := apply(at.Path, products)
	if _, _, list := r.ask("GET", done+"/changes.csv", "", nil); list != "row,sku,price_before,price_after,sale_before,sale_after,stock_before,stock_after\n2,A101,29.99,32.99,,,,\n4,A103,49.99,54.99,,,,\n" {
		t.Errorf("the changes as a table:\n%s", list)
	}
	_, _, output := r.ask("GET", done+"/files/output", "", nil)
	at = &url.URL{Path: r.planned("Raise fitness by 5%.")}
	if second := apply(at.Path, products); !strings.Contains(r.until(second, "rows changed"), "This same file was changed before") {
		t.Error("the second page says nothing of the first")
	}
	if text := r.until(done, "rows changed"); !strings.Contains(text, "This same file was changed before") || !strings.Contains(text, "nothing changes there before") {
		t.Errorf("the first page says nothing of the second:\n%s", text)
	}
	_, at, _ = r.form(done+"/undo", "table", "upload")
	undo := apply(at.Path, strings.Replace(output, "32.99", "31.00", 1))
	text := r.until(done, "taken back")
	if _, _, list := r.ask("GET", "/executions", "", nil); !strings.Contains(list, "Undone, but for 1 of 2 products") {
		t.Errorf("the list says it was all taken back:\n%s", list)
	}
	for _, want := range []string{"Undone, but for 1 of 2 products", "Taken back in part", "1 row keeps what this gave", `primary" href="` + undo + `/files/output">Download the table that takes it back`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not said:\n%s", want, text)
		}
	}
}

// What a sentence leaves open is settled press by press, and nothing is saved before: the
// plan says which words were left out, and who finished its rules.
func TestOpenPartsAreSettledByPresses(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	_, at, _ := r.send("/tables", "products.csv", func(w io.Writer) error {
		_, err := io.WriteString(w, "sku,category,name,price,in_stock\nM1,Kitchen,Adventure Camp Mug 12oz,14.00,true\nM2,Kitchen,Camp Mug Lid,3.00,true\nH1,Hats,Bobble Hat,20.00,true\n")
		return err
	})
	const sentence = "drop the camp mug by 10, zork"
	state := &url.URL{RawQuery: "table=" + at.Query().Get("table")}
	shows := func(text string, want ...string) {
		t.Helper()
		for _, want := range want {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in\n%s", want, text)
			}
		}
	}
	_, at, text := r.press(state, "fill", "instruction", sentence)
	shows(text, ">Decrease the price by 10% for products that have", "Ignore these words</button>", "Nothing in your file is called “zork”.", `<span class="open">zork</span>`)
	if status, _, text := r.press(at, "save"); status != http.StatusUnprocessableEntity {
		t.Errorf("saved with open parts: %d\n%s", status, text)
	}
	open := regexp.MustCompile(`value="(settle:[^"]*)">Decrease the price by 10% for|value="(settle:\d+-\d+:ignore)"`)
	for presses := 0; strings.Contains(text, `name="undecided"`); presses++ {
		button := open.FindStringSubmatch(text)
		if button == nil || presses == 5 {
			t.Fatalf("at %s something stays open:\n%s", at, text)
		}
		_, at, text = r.press(at, button[1]+button[2])
	}
	shows(text, "Not used: “zork”.")
	if status, _, text := r.press(at, "save", "instruction", sentence+" and hats"); status != http.StatusUnprocessableEntity || !strings.Contains(text, "is not in the rules yet") {
		t.Errorf("%d: a sentence that nobody read is saved\n%s", status, text)
	}
	shows(text, "camp mug", "Apply 2 changes<")
	_, made, text := r.press(at, "save")
	if !strings.HasPrefix(made.Path, "/plans/") {
		t.Fatalf("at %s:\n%s", made, text)
	}
	shows(text, sentence, "Decrease the price by 10% for products that have", "The rules were finished by ", "zork")
}

// Another time begins with those that hold, a copy with those still to come, and what was
// typed and refused stays where it was typed; the table's words change no time.
func TestTimesAreKept(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	shows := func(text string, want ...string) {
		t.Helper()
		for _, want := range want {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in\n%s", want, text)
			}
		}
	}
	past, coming := "2020-05-04T18:30", "2090-05-06T18:30"
	at := &url.URL{Path: r.planned("Raise fitness by 10%.")}
	plan := at.Path
	_, at, _ = r.drop(plan, "products.csv", func(w io.Writer) error { _, err := io.WriteString(w, products); return err })
	held := at.Query().Get("table")
	status, _, text := r.form(plan+"/again", "table", held, "apply_at", coming, "revert_at", past)
	if status != http.StatusUnprocessableEntity {
		t.Error(status)
	}
	shows(text, "taken back before it is applied", `<details id="later" open>`, `value="`+coming+`" required`, `value="`+past+`"`, "4 rows would change")
	_, at, text = r.form(plan+"/again", "table", held, "apply_at", coming, "revert_at", "2090-05-07T18:30")
	shows(text, "Change the time", `value="`+coming+`"`, `value="2090-05-07T18:30"`)
	_, at, text = r.form(at.Path+"/again", "table", held, "from", "fitness", "to", "yoga")
	shows(text, "category yoga", `value="`+coming+`"`, `value="2090-05-07T18:30"`)
	_, meant, text := r.form("/names", "table", held, "copy_of", strings.TrimPrefix(at.Path, "/plans/"), "operations", `[{"operation_id": "op_01", "filter": {"skus": ["A101"]}, "action": {"type": "percent_increase", "value": 5}}]`)
	if meant.Path == at.Path {
		t.Error("a choice takes the place of its plan")
	}
	shows(text, "SKU A101", `value="`+coming+`"`, `value="2090-05-07T18:30"`)
	_, at, _ = r.form(at.Path+"/apply", "table", held, "intent", "apply")
	text = r.until(at.Path, "Change the time")
	shows(text, "A table that takes it back is made at", `value="`+coming+`"`, `value="2090-05-07T18:30"`)
	mark := regexp.MustCompile(`name="proposal_sha256" value="(\w+)"`).FindStringSubmatch(text)[1]
	status, _, text = r.form(at.Path+"/time", "proposal_sha256", mark, "apply_at", "2091-01-01T00:00", "revert_at", coming)
	if status != http.StatusUnprocessableEntity || strings.Contains(text, "data-live") {
		t.Errorf("%d, or what was typed is replaced:\n%s", status, text)
	}
	shows(text, "taken back before it is applied", `<details id="later" open>`, `value="2091-01-01T00:00"`, `value="`+coming+`"`)
	_, at, _ = r.form(at.Path+"/time", "proposal_sha256", mark, "apply_at", time.Now().Add(-time.Minute).Format("2006-01-02T15:04"), "revert_at", "")
	shows(r.until(at.Path, "rows changed"), "1</strong> of 4 rows changed")
	_, _, text = r.ask("GET", strings.Replace(at.Path, "/executions/", "/plans/", 1), "", nil)
	shows(text, "The plan was to be applied at", "Its copy has the times that stand here", `name="apply_at" type="datetime-local" value="">`)
}

// Buttons and sentences are those of what is there: a time, a table that was just handed
// in, rows that change, what is to be taken back.
func TestPagesFitTheState(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	shows := func(text string, want ...string) {
		t.Helper()
		for _, want := range want {
			if refused, not := strings.CutPrefix(want, "!"); strings.Contains(text, strings.TrimPrefix(want, "!")) == not {
				t.Errorf("%q, want %v in\n%s", refused, !not, text)
			}
		}
	}
	asked := func(sentence string, fields ...string) (*url.URL, string) {
		t.Helper()
		at := &url.URL{Path: r.planned(sentence)}
		_, at, text := r.drop(at.Path, "products.csv", func(w io.Writer) error { _, err := io.WriteString(w, products); return err })
		if len(fields) > 0 {
			_, at, text = r.form(at.Path+"/again", append(fields, "table", at.Query().Get("table"), "zone", "UTC")...)
		}
		return at, text
	}
	apply := func(at *url.URL) (*url.URL, string) {
		t.Helper()
		_, done, text := r.form(at.Path+"/apply", "table", at.Query().Get("table"), "intent", "apply")
		return done, text
	}
	_, text := asked("Raise fitness by 1%.", "apply_at", "2090-05-04T18:30", "revert_at", "2090-05-06T18:30")
	shows(text, ">Apply it at its time</button>", "as it is now, is made for you to download", "!Apply makes")
	at, text := asked("Raise fitness below 1 by 10%.")
	shows(text, "Nothing would change", ">Apply it all the same</button>", "would be the same table", "!Go ahead")
	done, text := apply(at)
	if strings.Contains(text, "Starting") { // it may be done already
		shows(text, "Your table is taken within seconds", "!If you have handed none in")
	}
	shows(r.until(done.Path, "rows changed"), "Download the unchanged table", "there is nothing to import", "!Undo on its own output", "!Download every change")
	at, _ = asked("Raise fitness by 2%.", "apply_at", "", "revert_at", "2090-05-06T18:30")
	done, _ = apply(at)
	r.until(done.Path, "rows changed")
	_, _, text = r.ask("GET", "/executions", "", nil)
	shows(text, "To do", "<strong>Import</strong>", "3 products", "!There are no changes yet")
	_, _, text = r.ask("GET", done.Path+"_undo", "", nil)
	shows(text, "Scheduled", `on its own output, at <time datetime="2090-05-06T18:30:00Z">`, "!within a minute")
	at, _ = asked("Raise fitness by 3%.")
	done, _ = apply(at)
	r.until(done.Path, "rows changed")
	_, _, text = r.form(done.Path+"/undo", "table", "upload")
	shows(text, ">Take this table</button>", "is seen as a proposal", "!Show what would change")
}

// A browser that saves a link accepts anything.
func TestFilesForWhoeverAccepts(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	at := &url.URL{Path: r.planned("Raise fitness by 10%.")}
	_, at, _ = r.drop(at.Path, "products.csv", func(w io.Writer) error { _, err := io.WriteString(w, products); return err })
	if status, _, text := r.ask("GET", at.Path+"/changes.csv?"+at.RawQuery, "", nil, "Accept", "*/*"); status != 200 || strings.Count(text, "\n") != 4 {
		t.Errorf("%d:\n%s", status, text)
	}
}

// A page speaks of its own choices where a call has parameters.
func TestAColumnToChoose(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	_, _, text := r.send("/tables", "products.csv", func(w io.Writer) error {
		_, err := io.WriteString(w, "sku,category,price_us,price_de\nM1,Kitchen,14.00,12.00\n")
		return err
	})
	if strings.Contains(text, "query parameter") || !strings.Contains(text, "<h1>Check the file</h1>") || !strings.Contains(text, "needed</span>") {
		t.Error(text)
	}
}

// What a plan leaves out and the table has not is never dropped by one click.
func TestAnExclusionIsWrittenOut(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	at := &url.URL{Path: r.planned("Raise all prices by 3% except SKU cc-beanie.")}
	plan := at.Path
	_, at, text := r.drop(plan, "products.csv", func(w io.Writer) error { _, err := io.WriteString(w, products); return err })
	held := at.Query().Get("table")
	if !strings.Contains(text, "reprice cc-beanie too") || strings.Contains(text, `value="allow"`) {
		t.Fatalf("it can be dropped by a click:\n%s", text)
	}
	for _, words := range []string{"yes", "allow", "reprice cc-beanie"} {
		if status, _, text := r.ask("GET", plan+"?table="+held+"&words="+url.QueryEscape(words), "", nil); status != http.StatusUnprocessableEntity || strings.Contains(text, "rows would change") {
			t.Errorf("%q: %d\n%s", words, status, text)
		}
	}
	if status, _, text := r.ask("GET", plan+"?table="+held+"&words="+url.QueryEscape(" reprice cc-beanie  too"), "", nil); status != 200 || !strings.Contains(text, "<strong>4</strong> of 4 rows would change") {
		t.Errorf("%d\n%s", status, text)
	}
}

// until asks for a page until it says so.
func (r reader) until(path, text string) string {
	r.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; {
		_, _, shown := r.ask("GET", path, "", nil)
		if strings.Contains(shown, text) {
			return shown
		}
		if time.Now().After(deadline) {
			r.Fatalf("%s never says %q:\n%s", path, text, shown)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Sums of money are written as the table writes its prices.
func TestMoneyInTheTablesForm(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	at := &url.URL{Path: r.planned("Increase all prices by 10%.")}
	_, _, text := r.drop(at.Path, "shop.csv", func(w io.Writer) error {
		_, err := io.WriteString(w, "sku;category;price;in_stock\nA;x;12.345,00 €;true\nB;x;2.000,00 €;true\n")
		return err
	})
	if !strings.Contains(text, "by <span class=\"money\">1.434,50 €</span> in all") {
		t.Errorf("the sum of the rises is written otherwise:\n%s", text)
	}
}

// Of a row on sale the effect tells what customers pay, with the regular price beside
// it, and each change what was written of the sale.
func TestASaleIsShown(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	at := &url.URL{Path: r.planned("Put everything on sale at 20% off.")}
	_, at, _ = r.drop(at.Path, "shop.csv", func(w io.Writer) error {
		_, err := io.WriteString(w, "sku,category,price,sale_price,in_stock\nA,x,45.00,,true\nB,x,10.00,9.00,true\n")
		return err
	})
	_, _, text := r.ask("GET", at.RequestURI()+"&sort=fall", "", nil)
	for _, want := range []string{
		"<strong>2</strong> prices fall", "<h3>Largest falls</h3>", `<td class="number">−20.0%</td>`,
		`<td class="number same">45.00</td><td class="number new">36.00 (regular 45.00)</td>`,
		`<td class="number same">9.00 (regular 10.00)</td><td class="number new">8.00 (regular 10.00)</td>`,
		`<td class="number same">45.00<span class="sale">no sale price</span></td><td class="number same">45.00<span class="sale changed">sale price 36.00</span></td>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not shown:\n%s", want, text)
		}
	}
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
	pages := console.New(console.Dependencies{
		Planner: &web.Client{HTTP: web.InProcess(planner)}, Files: func(string) bucket.Bucket { return nil },
	})
	recorder := httptest.NewRecorder()
	pages.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), "GET", "/executions/plan_typo_v1", nil))
	if text := recorder.Body.String(); !strings.Contains(text, "Waiting for its plan") || !strings.Contains(text, "There is no plan yet.") || strings.Contains(text, "/plans/plan_typo_v1") {
		t.Errorf("%d: %s", recorder.Code, text)
	}
}

// What is to be taken back can be taken back before, and a take-back that waits for an
// approval says so where it is looked for.
func TestWhatIsToBeTakenBack(t *testing.T) {
	for _, test := range []struct {
		due          string
		want, refuse []string
	}{
		{`"at": "2999-12-01T07:51:00Z"`, []string{"Done, ends by itself", "It is taken back by", "Undo on its own output"}, []string{"waits for an approval"}},
		{`"at": "2026-01-01T07:51:00Z", "waits": true`, []string{"Done; its undo waits for an approval", "The take-back of", `href="/executions/plan_sale_v1_undo">decide`, "Undo on its own output"}, []string{"It is taken back by"}},
		{`"at": "2026-01-01T07:51:00Z"`, []string{"It is taken back by"}, []string{"Undo on its own output"}}, // within the minute
	} {
		planner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			execution := `{"execution_id": "plan_sale_v1", "status": "completed", "may": ["undo"], "undo_due": [{"execution_id": "plan_sale_v1_undo", ` + test.due + `}]}`
			if r.URL.Path == "/v1/executions" {
				execution = `{"executions": [` + execution + `]}`
			}
			fmt.Fprint(w, execution)
		})
		pages := console.New(console.Dependencies{
			Planner: &web.Client{HTTP: web.InProcess(planner)}, Files: func(string) bucket.Bucket { return nil },
		})
		text := ""
		for _, path := range []string{"/executions/plan_sale_v1", "/executions"} {
			recorder := httptest.NewRecorder()
			pages.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
			if shown := recorder.Body.String(); !strings.Contains(shown, test.want[0]) && len(test.want) > 1 {
				t.Errorf("%s: %q is not said on %s:\n%s", test.due, test.want[0], path, shown)
			}
			text += recorder.Body.String()
		}
		for _, want := range test.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not said:\n%s", test.due, want, text)
			}
		}
		for _, refused := range test.refuse {
			if strings.Contains(text, refused) {
				t.Errorf("%s: %q is said", test.due, refused)
			}
		}
	}
}

// An open page asks for its part again: it is sent once, and 304 says that nothing changed.
func TestAnOpenPageIsRefreshed(t *testing.T) {
	status := "running"
	planner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"plan": {"execution_id": "plan_long_v1"}, "plan_sha256": "12ab", "execution_id": "plan_long_v1", "status": %q, "bytes_read": 120000000}`, status)
	})
	pages := console.New(console.Dependencies{
		Planner: &web.Client{HTTP: web.InProcess(planner)}, Files: func(string) bucket.Bucket { return nil },
	})
	ask := func(cookie, tag string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "/live/executions/plan_long_v1", nil)
		r.Header.Set("Cookie", cookie) // pages of one reader share a look for a moment
		r.Header.Set("If-None-Match", tag)
		recorder := httptest.NewRecorder()
		pages.ServeHTTP(recorder, r)
		return recorder
	}
	first := ask("a=1", "")
	if text := first.Body.String(); first.Code != 200 || !strings.Contains(text, "120.0 MB read") || strings.Contains(text, "<html") {
		t.Errorf("%d: it does not say how far it is:\n%s", first.Code, text)
	}
	tag := first.Header().Get("ETag")
	if again := ask("a=2", tag); again.Code != http.StatusNotModified || again.Body.Len() > 0 || again.Header().Get("X-Waiting") != "0" {
		t.Errorf("%d %q: %s", again.Code, again.Header(), again.Body)
	}
	status = "failed"
	if settled := ask("a=3", tag); settled.Code != 200 || settled.Header().Get("X-Settled") == "" {
		t.Errorf("%d %q", settled.Code, settled.Header())
	}
}

// However many pages are open, those of one address and one reader share a look,
// and only a few addresses are looked at at a time.
func TestOpenPagesShareALook(t *testing.T) {
	for _, test := range []struct {
		name            string
		address, cookie func(page int) string
		looks, atATime  int64
	}{
		{"one address", func(int) string { return "/live/executions/plan_long_v1" }, func(int) string { return "reader=1" }, 1, 1},
		{"two readers", func(int) string { return "/live/executions/plan_long_v1" }, func(page int) string { return fmt.Sprint("reader=", page%2) }, 2, 2},
		{"many addresses", func(page int) string { return fmt.Sprintf("/live/executions/plan_long_v%d", page) }, func(int) string { return "" }, 1500, 8},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var looks, now, most atomic.Int64
				planner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if strings.HasPrefix(r.URL.Path, "/v1/executions/") {
						looks.Add(1)
						most.Store(max(most.Load(), now.Add(1)))
						time.Sleep(time.Millisecond)
						now.Add(-1)
					}
					fmt.Fprint(w, `{"plan": {"execution_id": "plan_long_v1"}, "plan_sha256": "12ab", "execution_id": "plan_long_v1", "status": "running"}`)
				})
				pages := console.New(console.Dependencies{
					Planner: &web.Client{HTTP: web.InProcess(planner)}, Files: func(string) bucket.Bucket { return nil },
				})
				var open sync.WaitGroup
				for page := range 1500 {
					r := httptest.NewRequest("GET", test.address(page), nil)
					r.Header.Set("Cookie", test.cookie(page))
					open.Go(func() {
						time.Sleep(time.Duration(page%100) * time.Millisecond)
						recorder := httptest.NewRecorder()
						if pages.ServeHTTP(recorder, r); recorder.Code != 200 || recorder.Body.Len() == 0 {
							t.Errorf("page %d: %d, %s", page, recorder.Code, recorder.Body)
						}
					})
				}
				open.Wait()
				if looks.Load() != test.looks || most.Load() > test.atATime {
					t.Errorf("%d looks, %d at a time, want %d and at most %d", looks.Load(), most.Load(), test.looks, test.atATime)
				}
			})
		})
	}
}

// A plan that is never applied at once offers a proposal alone, and says why.
func TestOnlyAProposal(t *testing.T) {
	for plan, want := range map[string]string{
		`"agreement": "model", "plan": {"execution_id": "plan_odd_v1"}`:                      "our own reading of the instruction does not vouch for it",
		`"agreement": "both", "plan": {"execution_id": "plan_odd_v1", "approval": "always"}`: "This plan asks for an approval",
		`"agreement": "both", "plan": {"execution_id": "plan_odd_v1"}`:                       "Apply it",
	} {
		planner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasPrefix(r.URL.Path, "/v1/executions/"):
				w.WriteHeader(http.StatusNotFound)
				fmt.Fprint(w, `{"error": {"code": "not_found", "message": "There is none."}}`)
			case r.URL.Path == "/v1/me":
				fmt.Fprint(w, `{"name": "ana@example.com", "may": ["execute"]}`)
			case strings.HasPrefix(r.URL.Path, "/v1/tables"):
				_, _ = io.Copy(io.Discard, r.Body)
				fmt.Fprint(w, `{"table": "HELD", "file": "shop.csv"}`)
			default:
				fmt.Fprint(w, "{", plan, "}")
			}
		})
		pages := console.New(console.Dependencies{Planner: &web.Client{HTTP: web.InProcess(planner)}})
		server := httptest.NewServer(pages)
		defer server.Close()
		_, _, text := reader{t, server.URL}.drop("/plans/plan_odd_v1", "shop.csv", func(w io.Writer) error {
			_, err := io.WriteString(w, "sku,category,price,in_stock\nA,x,1.00,true\n")
			return err
		})
		if !strings.Contains(text, want) || strings.Contains(text, `value="apply"`) != (want == "Apply it") {
			t.Errorf("%s: the page does not say %q, or offers something else:\n%s", plan, want, text)
		}
	}
}

// Pages of other sites change nothing, and under another name read nothing.
func TestPagesOfOtherSites(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	const form = "application/x-www-form-urlencoded"
	for name, header := range map[string][]string{
		"another site": {"Sec-Fetch-Site", "cross-site"},
		"its origin":   {"Origin", "https://evil.example"},
	} {
		if status, _, text := r.ask("POST", "/new", form, strings.NewReader("do=fill&instruction=Increase+all+prices+by+10%25."), header...); status != 403 {
			t.Errorf("%s: %d\n%s", name, status, text)
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), "GET", address+"/executions", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "evil.example"
	request.Header.Set("Accept", "text/html")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 403 {
		t.Errorf("by another name: %d", answer.StatusCode)
	}
	if _, _, text := r.ask("GET", "/executions", "", nil); !strings.Contains(text, "There are no changes yet") {
		t.Errorf("something was done:\n%s", text)
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
				fmt.Fprintf(w, `{"execution_id": "plan_approved_v1", "status": "proposed", "may": ["reject"], "proposal": {"proposal_sha256": "77"}, "approval": {"proposal_sha256": "77", "by": "Ann", "at": %q}}`, at)
				return
			}
			fmt.Fprintf(w, `{"execution_id": "plan_sale_v1", "status": "failed", "error": {"code": "rejected", "message": "Rejected by Ben: Not <now>"},
				"audit": [{"status": "failed", "error": "Rejected by Ben: Not <now>", "error_code": "rejected", "executed_at": %q}]}`, at)
		}
	})
	pages := console.New(console.Dependencies{Planner: &web.Client{HTTP: web.InProcess(planner)}})
	server := httptest.NewServer(pages)
	defer server.Close()
	status, _, text := reader{t, server.URL}.form("/executions/plan_sale_v1/approve", "proposal_sha256", "77")
	if want := "Rejected by Ben: Not &lt;now&gt;. That was 4 s before you approved it."; status != http.StatusConflict || !strings.Contains(text, want) {
		t.Errorf("%d, want %q in\n%s", status, want, text)
	}
	status, _, text = reader{t, server.URL}.form("/executions/plan_approved_v1/reject", "proposal_sha256", "77", "note", "no")
	if want := "Ann approved it. That was 4 s before you rejected it."; status != http.StatusConflict || !strings.Contains(text, want) || !strings.Contains(text, `name="approved_by" value="Ann"`) {
		t.Errorf("%d, want %q in\n%s", status, want, text)
	}
}

// Who presses a button of a plan that was handed in in another tab is told what became
// of that.
func TestHandedInInAnotherTab(t *testing.T) {
	planner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusConflict)
			fmt.Fprint(w, `{"error": {"code": "conflict", "message": "This table was handed in already, by Ann, to be applied."}}`)
			return
		}
		fmt.Fprint(w, `{"plan": {"execution_id": "plan_sale_v1", "source_instruction": "Mugs 10% off."}, "plan_sha256": "12ab", "execution_id": "plan_sale_v1", "status": "completed", "summary": {"rows_total": 9, "rows_changed": 3}}`)
	})
	server := httptest.NewServer(console.New(console.Dependencies{Planner: &web.Client{HTTP: web.InProcess(planner)}, Files: func(string) bucket.Bucket { return nil }}))
	defer server.Close()
	status, _, text := reader{t, server.URL}.form("/plans/plan_sale_v1/apply", "table", "A", "intent", "propose")
	for _, want := range []string{"handed in already, by Ann, to be applied", "<strong>3</strong> of 9 rows changed"} {
		if status != http.StatusConflict || !strings.Contains(text, want) {
			t.Errorf("%d, want %q in\n%s", status, want, text)
		}
	}
}

// A plan whose time was changed is told apart from one that was rejected.
func TestReplacedIsNotRejected(t *testing.T) {
	planner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		execution := `{"execution_id": "plan_sale_v1", "status": "failed", "upload": {"object": "shop.csv"}, "error": {"code": "rejected", "message": "Replaced with plan_sale_v2 by Ben: Its time was changed.", "replaced_by": "plan_sale_v2"},
			"audit": [{"status": "failed", "error": "Replaced with plan_sale_v2 by Ben: Its time was changed.", "error_code": "rejected", "upload": {"object": "shop.csv"}}]}`
		if r.URL.Path == "/v1/executions" {
			execution = `{"executions": [` + execution + `]}`
		}
		fmt.Fprint(w, execution)
	})
	server := httptest.NewServer(console.New(console.Dependencies{Planner: &web.Client{HTTP: web.InProcess(planner)}, Files: func(string) bucket.Bucket { return nil }}))
	defer server.Close()
	r := reader{t, server.URL}
	for path, want := range map[string]string{"/executions/plan_sale_v1": `It goes on as <a href="/executions/plan_sale_v2">`, "/executions": "Replaced"} {
		if _, _, text := r.ask("GET", path, "", nil); !strings.Contains(text, want) || strings.Contains(text, "Rejected") && path != "/executions/plan_sale_v1" {
			t.Errorf("%s: no %q in\n%s", path, want, text)
		}
	}
}

// A plan is not made for a time that is past, which would be at once.
func TestATimeThatIsPast(t *testing.T) {
	planner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			t.Errorf("%s is stored", r.URL)
		}
		fmt.Fprint(w, `{"plan": {"execution_id": "plan_sale_v1", "created_at": "2026-01-01T00:00:00Z", "source_instruction": "Mugs 10% off.", "operations": [{"operation_id": "op_01", "filter": {}, "action": {"type": "percent_decrease", "value": 10}}]}, "plan_sha256": "12ab"}`)
	})
	server := httptest.NewServer(console.New(console.Dependencies{Planner: &web.Client{HTTP: web.InProcess(planner)}}))
	defer server.Close()
	if status, _, text := (reader{t, server.URL}).form("/plans/plan_sale_v1/again", "apply_at", "2026-10-27T08:00", "zone", "UTC"); status != http.StatusUnprocessableEntity {
		t.Errorf("%d: %s", status, text)
	}
}

// Files that pages need are kept by browsers for good, and are packed.
func TestAssetsAreKept(t *testing.T) {
	pages := console.New(console.Dependencies{Planner: &web.Client{HTTP: web.InProcess(http.NotFoundHandler())}})
	get := func(path string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		recorder := httptest.NewRecorder()
		pages.ServeHTTP(recorder, r)
		return recorder
	}
	page := get("/nowhere", "Accept-Encoding", "gzip, br")
	if page.Header().Get("Content-Encoding") != "gzip" || page.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("a page: %v", page.Header())
	}
	for _, file := range regexp.MustCompile(`/static/[^"]+`).FindAllString(get("/nowhere").Body.String(), -1) {
		plain, packed := get(file), get(file, "Accept-Encoding", "gzip")
		if plain.Code != 200 || !strings.Contains(plain.Header().Get("Cache-Control"), "immutable") || plain.Header().Get("Content-Type") == "" {
			t.Errorf("%s: %d %v", file, plain.Code, plain.Header())
		}
		unpacked, err := gzip.NewReader(packed.Body)
		if err != nil {
			t.Fatal(err)
		}
		if content, err := io.ReadAll(unpacked); err != nil || string(content) != plain.Body.String() {
			t.Errorf("%s is packed as something else: %v", file, err)
		}
	}
	if got := get("/static/console.css"); got.Code != 404 {
		t.Errorf("under a name that does not change: %d", got.Code)
	}
}

// A planner that is gone, or is none, is told as such.
func TestThePlannerIsGone(t *testing.T) {
	answers := map[string]http.HandlerFunc{
		"What answers there is not Planwright": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
		"You may not use this server":          func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"The server answered with 500 and no":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"There is no answer at http":           nil,
	}
	for want, answer := range answers {
		planner := httptest.NewServer(answer)
		if answer == nil {
			planner.Close()
		} else {
			defer planner.Close()
		}
		pages := console.New(console.Dependencies{Planner: &web.Client{Base: planner.URL, HTTP: http.DefaultTransport}})
		recorder := httptest.NewRecorder()
		pages.ServeHTTP(recorder, httptest.NewRequest("GET", "/executions", nil))
		if recorder.Code < 400 || !strings.Contains(recorder.Body.String(), want) {
			t.Errorf("%d, want %q:\n%s", recorder.Code, want, recorder.Body)
		}
	}
}

// A table of a million rows is looked at as a proposal: neither the page nor
// the server grows with it.
func TestAMillionRows(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a table of 50 MB")
	}
	const rows, room = 1_000_000, 96 << 20
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	at := &url.URL{Path: r.planned("Increase all prices by 10%.")}
	plan := at.Path
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
	if !strings.Contains(text, "is looked at as a proposal") || strings.Contains(text, `value="apply"`) {
		t.Fatalf("at %s:\n%s", at, text)
	}
	_, at, _ = r.form(plan+"/apply", "table", at.Query().Get("table"), "intent", "propose")
	text = r.until(at.Path, `<h2 id="stands">Waiting for an approval</h2>`)
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

// most is the largest heap that is seen until done.
func most(done <-chan struct{}) (largest uint64) {
	for {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		largest = max(largest, now.HeapAlloc)
		select {
		case <-done:
			return largest
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// A table for which the disk has no room is told of where people begin, until it is taken.
func TestTablesThatWaitForRoom(t *testing.T) {
	planner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"executions": [], "may": ["plan"]}`)
	})
	var waiting []string
	server := httptest.NewServer(console.New(console.Dependencies{Planner: &web.Client{HTTP: web.InProcess(planner)}, Waiting: func() []string { return waiting }}))
	defer server.Close()
	r := reader{t, server.URL}
	const told = "There is no room on the disk for"
	if _, _, text := r.ask("GET", "/", "", nil); strings.Contains(text, told) {
		t.Errorf("nothing waits, and it says\n%s", text)
	}
	waiting = []string{"plan_sale_v1/<shop>.csv"}
	if _, _, text := r.ask("GET", "/", "", nil); !strings.Contains(text, told) || !strings.Contains(text, "plan_sale_v1/&lt;shop&gt;.csv") {
		t.Errorf("no %q in\n%s", told, text)
	}
}
