package planner_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/tablestore"
	"github.com/planwright/planwright/shared/web"
)

const heldShop = "sku,category,brand,price,in_stock\n" +
	"cc-beanie,Hats,Nike,12.50,true\n" +
	"A-103,Hoodies,Nike,40.00,false\n" +
	"A-104,Hoodies,Adidas,9.99,true\n"

// counter is a planner that holds tables in a folder. Who calls is said in a header.
type counter struct {
	*shop
	inbox *folder.Bucket
	tick  atomic.Int64
}

func openCounter(t testing.TB, change ...func(*planner.Dependencies)) *counter {
	t.Helper()
	c := &counter{shop: open(t)}
	c.tick.Store(1_795_600_000)
	now := func() time.Time { return time.Unix(c.tick.Load(), 0).UTC() }
	box := func(name string) *folder.Bucket {
		made, err := folder.Open(t.TempDir(), folder.Options{Name: name, NoSync: true, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { made.Close() })
		return made
	}
	tables := tablestore.New(box("tables"))
	tables.Now = now
	c.inbox = box("shop-inbox")
	d := planner.Dependencies{
		Store: c.store, Planner: c.planner, InboxBucket: "shop-inbox", Now: now, Tables: tables, Buckets: execution.Buckets{Inbox: c.inbox},
		Caller:    func(r *http.Request) (string, error) { return cmp.Or(r.Header.Get("Test-Caller"), "ana"), nil },
		Decisions: ledger.Decisions{Approvers: []string{"boss"}},
	}
	for _, apply := range change {
		apply(&d)
	}
	c.Server.Close()
	c.Server = httptest.NewServer(web.Service{NewID: func() string { return "r1" }}.Serve(planner.NewHandler(d)))
	t.Cleanup(c.Close)
	return c
}

// as makes a call in somebody's name.
func (c *counter) as(t *testing.T, who, method, path, contentType, body string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, c.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Test-Caller", who)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	got := answerOf(t, request)
	described := describe(t)
	if route := described.route(t, path); got.header.Get("Content-Type") != "" {
		described.check(t, method, route, got)
	}
	return got
}

func (c *counter) hold(t *testing.T, text string) string {
	t.Helper()
	got := c.as(t, "ana", "POST", "/v1/tables?file=shop.csv", "text/csv", text)
	if got.status != http.StatusCreated {
		t.Fatalf("%d %s", got.status, got.body)
	}
	return got.field(t, "table").(string)
}

func TestHoldTable(t *testing.T) {
	c := openCounter(t)
	got := c.as(t, "ana", "POST", "/v1/tables?file=shop.csv", "text/csv", heldShop)
	id := got.field(t, "table").(string)
	for _, want := range []string{
		`"file":"shop.csv"`, `"sent_by":"ana"`, `"expires_at":"2026-11-26T`, `"profile":"plain"`,
		`{"title":"sku","role":"sku","samples":["cc-beanie","A-103","A-104"]}`,
		`"categories":[{"name":"Hoodies","rows":2},{"name":"Hats","rows":1}],"brands":[{"name":"Nike","rows":2},{"name":"Adidas","rows":1}],"tags":[],"total":{"categories":2,"brands":2,"tags":0}`,
		`"price":{"least":"9.99","greatest":"40.00","currency":""},"in_stock":2,"on_sale":null,"warnings":[]`,
	} {
		if !strings.Contains(got.body, want) {
			t.Errorf("the answer has no %s: %s", want, got.body)
		}
	}
	if shown := c.as(t, "ana", "GET", "/v1/tables/"+id, "", ""); shown.status != 200 || shown.body != got.body {
		t.Errorf("GET: %d %s", shown.status, shown.body)
	}
	if other := c.as(t, "ana", "GET", "/v1/tables/"+id+"?columns=category%3Dbrand,brand%3Dcategory", "", ""); other.status != 200 || !strings.Contains(other.body, `"brands":[{"name":"Hoodies"`) {
		t.Errorf("with other columns: %d %s", other.status, other.body)
	}
	request, _ := http.NewRequestWithContext(t.Context(), "GET", c.URL+"/v1/tables/"+id+"?price_form=1234.56", nil)
	request.Header.Set("Accept", "text/event-stream")
	if streamed := answerOf(t, request); !strings.Contains(streamed.body, "event: progress\ndata: {\"bytes\":") || !strings.Contains(streamed.body, "event: table\ndata: {\"table\":\""+id) {
		t.Errorf("as events: %s", streamed.body)
	}
}

// TestOneReading: what was said of a table's columns is how every call reads it.
func TestOneReading(t *testing.T) {
	c := talking(t)
	id := c.hold(t, strings.Replace(heldShop, "sku,category,brand", "sku,Line,House", 1))
	said := c.as(t, "ana", "PUT", "/v1/tables/"+id+"/settings", "application/json", `{"columns":"category=Line,brand=House"}`)
	if said.status != 200 || !strings.Contains(said.body, `"settings":{"columns":"category=Line,brand=House"}`) || !strings.Contains(said.body, `"categories":[{"name":"Hoodies"`) {
		t.Fatalf("%d %s", said.status, said.body)
	}
	if shown := c.as(t, "ana", "GET", "/v1/tables/"+id, "", ""); shown.body != said.body {
		t.Errorf("GET: %s, want %s", shown.body, said.body)
	}
	made := c.as(t, "ana", "POST", "/v1/plans", "application/json", `{"instruction":"Raise Nike hoodies by 10%.","table":"`+id+`"}`)
	if made.status != 201 || !strings.Contains(made.body, `"filter":{"brands":["Nike"],"categories":["Hoodies"]}`) {
		t.Fatalf("%d %s", made.status, made.body)
	}
	plan := made.field(t, "plan.execution_id").(string)
	if seen := c.as(t, "ana", "POST", "/v1/plans/"+plan+":preview", "application/json", `{"table":"`+id+`"}`); seen.status != 200 || !strings.Contains(seen.body, `"rows_changed":1`) {
		t.Errorf("%d %s", seen.status, seen.body)
	}
	if done := c.as(t, "ana", "POST", "/v1/plans/"+plan+":execute", "application/json", `{"table":"`+id+`"}`); done.status != 202 {
		t.Errorf("%d %s", done.status, done.body)
	}
	handed, err := c.inbox.Stat(t.Context(), "held/"+plan+"/"+id+"/shop.csv")
	if err != nil || handed.Metadata["columns"] != "category=Line,brand=House" {
		t.Errorf("%v, %v", handed.Metadata, err)
	}
	request, err := http.NewRequestWithContext(t.Context(), "GET", c.URL+"/v1/tables/"+id+"/content", nil)
	if err != nil {
		t.Fatal(err)
	}
	if sent := answerOf(t, request); sent.body != strings.Replace(heldShop, "sku,category,brand", "sku,Line,House", 1) {
		t.Errorf("as it was sent: %d %s", sent.status, sent.body)
	}
	for body, want := range map[string]int{`{"columns":"category=None"}`: 422, `{"colums":""}`: 422, `{}`: 200} {
		if got := c.as(t, "ana", "PUT", "/v1/tables/"+id+"/settings", "application/json", body); got.status != want {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
	if got := c.as(t, "ben", "PUT", "/v1/tables/"+id+"/settings", "application/json", `{}`); got.status != 403 {
		t.Errorf("another says it: %d %s", got.status, got.body)
	}
	if got := c.as(t, "ana", "GET", "/v1/tables/"+id, "", ""); !strings.Contains(got.body, `"settings":{}`) || !strings.Contains(got.body, `"categories":[]`) {
		t.Errorf("taken back: %s", got.body)
	}
}

// TestEveryChange pages through what a plan would change, in three orders, within bounds,
// with the names of products, and answers with all of it as CSV.
func TestEveryChange(t *testing.T) {
	c := talking(t)
	id := c.hold(t, "sku,category,name,Image Src,price,in_stock\nA,x,=Mat,a.jpg,10,yes\nB,x,Rope,,0,yes\nC,x,Cap,,100,yes\nD,x,Bag,,20,yes\nE,x,Hat,,7,yes\n")
	plan := `{"execution_id":"set_all_v1","created_at":"2026-01-02T03:04:05Z","source_instruction":"Set all prices to 15.","operations":[{"operation_id":"op_01","filter":{},"action":{"type":"set_price","value":15.00}}]}`
	if made := c.as(t, "ana", "PUT", "/v1/plans/set_all_v1", "application/json", plan); made.status != 201 {
		t.Fatal(made.body)
	}
	for query, want := range map[string]string{
		"":                            "A B C D E",
		"sort=rise":                   "B E A D C", // +, 114, 50, -25, -85
		"sort=fall":                   "C D A E B",
		"sort=rise&moved_from=0":      "B E A",
		"moved_from=-30&moved_to=60":  "A D",
		"moved_to=-50":                "C",
		"search=e":                    "B E", // Rope, E
		"search=ROPE":                 "B",
		"only=dearer":                 "A B E",
		"only=cheaper&sort=fall":      "C D",
		"only=large&moved_to=60":      "A C D",
		"only=sale":                   "",
		"search=z":                    "",
		"sort=fall&moved_from=1000":   "B",
		"moved_from=50.0&moved_to=50": "A",
	} {
		var got []string
		for token := ""; ; {
			page := c.as(t, "ana", "POST", "/v1/plans/set_all_v1:preview?page_size=2&page_token="+token+"&"+query, "application/json", `{"table":"`+id+`"}`)
			if page.status != 200 || page.field(t, "rows_found") != float64(len(strings.Fields(want))) {
				t.Fatalf("%s: %d %s", query, page.status, page.body)
			}
			for _, change := range page.field(t, "changes").([]any) {
				got = append(got, change.(map[string]any)["sku"].(string))
			}
			if token = page.field(t, "next_page_token").(string); token == "" {
				break
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	named := c.as(t, "ana", "POST", "/v1/plans/set_all_v1:preview?sort=rise", "application/json", `{"table":"`+id+`"}`)
	if !strings.Contains(named.body, `"name":"=Mat","picture":"a.jpg","moved_percent":"50"}`) || !strings.Contains(named.body, `"name":"Rope","moved_percent":null}`) || !strings.Contains(named.body, `"name":"Cap","moved_percent":"-85"}`) {
		t.Error(named.body)
	}
	for query, path := range map[string]string{"sort=price": "sort", "moved_from=much": "moved_from", "moved_to=NaN": "moved_to"} {
		if got := c.as(t, "ana", "POST", "/v1/plans/set_all_v1:preview?"+query, "application/json", `{"table":"`+id+`"}`); got.status != 422 || !strings.Contains(got.body, `"path":"`+path+`"`) {
			t.Errorf("%s: %d %s", query, got.status, got.body)
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), "POST", c.URL+"/v1/plans/set_all_v1:preview?moved_from=0", strings.NewReader(`{"table":"`+id+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/csv")
	const want = "row,sku,name,price_before,price_after,moved_percent,sale_price_before,sale_price_after,compare_at_before,compare_at_after,stock_before,stock_after,quantity_before,quantity_after,picture\n" +
		"2,A,'=Mat,10,15.00,50,,,,,,,,,a.jpg\n3,B,Rope,0,15.00,,,,,,,,,,\n6,E,Hat,7,15.00,114.2857,,,,,,,,,\n"
	if got := answerOf(t, request); got.body != want {
		t.Errorf("%s\nwant\n%s", got.body, want)
	}
}

// TestWhoseTable keeps a table for who sent it and for approvers, for a day.
func TestWhoseTable(t *testing.T) {
	c := openCounter(t)
	id := c.hold(t, heldShop)
	for who, want := range map[string]int{"ana": 200, "ANA": 200, "boss": 200, "ben": 403} {
		if got := c.as(t, who, "GET", "/v1/tables/"+id, "", ""); got.status != want {
			t.Errorf("%s: %d %s, want %d", who, got.status, got.body, want)
		}
	}
	if got := c.as(t, "ben", "DELETE", "/v1/tables/"+id, "", ""); got.status != 403 {
		t.Errorf("another deletes it: %d %s", got.status, got.body)
	}
	if got := c.as(t, "ana", "DELETE", "/v1/tables/"+id, "", ""); got.status != 204 {
		t.Errorf("who sent it deletes it: %d %s", got.status, got.body)
	}
	if got := c.as(t, "ana", "GET", "/v1/tables/"+id, "", ""); got.status != 404 || !strings.Contains(got.body, "Send it again") {
		t.Errorf("when it is gone: %d %s", got.status, got.body)
	}
	id = c.hold(t, heldShop)
	c.tick.Add(24*60*60 - 1)
	if got := c.as(t, "ana", "GET", "/v1/tables/"+id, "", ""); got.status != 200 {
		t.Errorf("within its day: %d %s", got.status, got.body)
	}
	c.tick.Add(1)
	if got := c.as(t, "ana", "GET", "/v1/tables/"+id, "", ""); got.status != 404 || !strings.Contains(got.body, "a table is held for a day. Send it again; plans that were made with it are kept") {
		t.Errorf("after its day: %d %s", got.status, got.body)
	}
}

func TestTablesRefused(t *testing.T) {
	c := openCounter(t)
	for name, test := range map[string]struct {
		method, path, contentType, body string
		status                          int
		want                            string
	}{
		"a file that was cut off": {"POST", "/v1/tables", "text/csv", "sku,price\na,1\nb", 422, `"row":3`},
		"no table":                {"POST", "/v1/tables", "text/csv", "PK\x03\x04", 422, "save it as CSV"},
		"empty":                   {"POST", "/v1/tables", "text/csv", "", 422, "the file is empty"},
		"JSON":                    {"POST", "/v1/tables", "application/json", "{}", 422, `"path":"output_of"`},
		"an unknown output":       {"POST", "/v1/tables", "application/json", `{"output_of":"plan_none_v1"}`, 404, "no plan and no execution"},
		"an unknown setting":      {"POST", "/v1/tables?colums=x", "text/csv", heldShop, 422, "colums"},
		"a wrong setting":         {"POST", "/v1/tables?profile=x", "text/csv", heldShop, 422, `"path":"profile"`},
		"a column not there":      {"POST", "/v1/tables?columns=sku%3DNummer", "text/csv", heldShop, 422, "the query parameter columns"},
		"a file in a folder":      {"POST", "/v1/tables?file=a/b.csv", "text/csv", heldShop, 422, "without a slash"},
		"a workbook by name":      {"POST", "/v1/tables?file=b.xlsx", "text/csv", heldShop, 422, "save it as CSV"},
		"an old workbook's name":  {"POST", "/v1/tables?file=b.XLS", "text/csv", heldShop, 422, "save it as CSV"},
		"a workbook by its type":  {"POST", "/v1/tables", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "PK\x03\x04", 415, "save it as CSV"},
		"an upload of a workbook": {"POST", "/v1/tables:upload", "application/json", `{"bytes":5,"file":"b.xlsx"}`, 422, "save it as CSV"},
		"a file of another end":   {"POST", "/v1/tables?file=b.json", "text/csv", heldShop, 422, "does not end in .csv"},
		"an id of no form":        {"GET", "/v1/tables/abc", "", "", 404, "no table of that id"},
		"an id that is nobody's":  {"GET", "/v1/tables/" + strings.Repeat("A", 26), "", "", 404, "is not held (any more)"},
		"an upload of nothing":    {"POST", "/v1/tables:upload", "application/json", `{"bytes":0}`, 422, `"path":"bytes"`},
		"an upload here":          {"POST", "/v1/tables:upload", "application/json", `{"bytes":5}`, 409, "POST /v1/tables takes"},
		"an upload of 5 GiB":      {"POST", "/v1/tables:upload", "application/json", `{"bytes":5368709120}`, 422, "4 GiB"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.as(t, "ana", test.method, test.path, test.contentType, test.body); got.status != test.status || !strings.Contains(got.body, test.want) {
				t.Errorf("%d %s, want %d with %s", got.status, got.body, test.status, test.want)
			}
		})
	}
	small := openCounter(t, func(d *planner.Dependencies) { d.MaxTableBytes = 100 })
	if got := small.as(t, "ana", "POST", "/v1/tables", "text/csv", heldShop+heldShop); got.status != 413 {
		t.Errorf("too large: %d %s", got.status, got.body)
	}
	none := openCounter(t, func(d *planner.Dependencies) { d.Tables = nil })
	if got := none.as(t, "ana", "POST", "/v1/tables", "text/csv", heldShop); got.status != 501 || !strings.Contains(got.body, "TABLES_BUCKET") {
		t.Errorf("a planner without tables: %d %s", got.status, got.body)
	}
}
