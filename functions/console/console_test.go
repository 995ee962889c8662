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
	shows(text, ">−10% name has “camp mug”", "Ignore these words</button>", "Nothing in your file is called “zork”.", `<span class="open">zork</span>`)
	if status, _, text := r.press(at, "save"); status != http.StatusUnprocessableEntity {
		t.Errorf("saved with open parts: %d\n%s", status, text)
	}
	open := regexp.MustCompile(`value="(settle:[^"]*)">−10% name has|value="(settle:\d+-\d+:ignore)"`)
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
	shows(text, sentence, "Decrease the price by 10% for products that have", "filled in or finished by a person. Not used: ", "zork")
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
func TestOpenPagesShareARead(t *testing.T) {
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

// Files that pages need are kept by browsers for good, and are packed.
func TestAssetsAreCached(t *testing.T) {
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
