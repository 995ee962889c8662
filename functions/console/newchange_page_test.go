package console_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/planwright/planwright/functions/browsertest"
	"github.com/planwright/planwright/functions/console"
	"github.com/planwright/planwright/functions/emulator/emulatortest"
	"github.com/planwright/planwright/shared/web"
)

// shows reports an error for each text that a page does not have.
func (r reader) shows(text string, want ...string) {
	r.Helper()
	for _, want := range want {
		if !strings.Contains(text, want) {
			r.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Each block asks what to do, and its button does it: products that move the other way, two
// rules for the same ones, a condition that keeps a rule from all, and what ends below cost.
func TestBlocksAreAnsweredByTheirButtons(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	held := r.hold("electronics.csv", electronics)
	for _, test := range []struct {
		name, state, asks, press string
		then                     []string
	}{
		{"skipped ones are changed", "r0.brands=Samsung&r0.action=percent_decrease&r0.value=20&r0.min_price=50&r0.outside_limits=clamp",
			"would get dearer because of “not below 50”", "against:0:change", []string{`value="against:0:change" aria-pressed="true"`, "1 ↑"}},
		{"skipped ones are shown", "r0.brands=Samsung&r0.action=percent_decrease&r0.value=20&r0.min_price=50&r0.outside_limits=clamp",
			"Skip these 1", "tab:against:0", []string{"Cable", "455.6%"}},
		{"the first rule alone", "rules=2&r0.brands=Samsung&r0.action=percent_decrease&r0.value=5&r1.categories=Phones&r1.action=percent_decrease&r1.value=9",
			"Rules 1 and 2 are both for 1 product", "only:0:1", []string{`name="r1.exclude_brands" value="Samsung" checked`}},
		{"both rules", "rules=2&r0.brands=Samsung&r0.action=percent_decrease&r0.value=5&r1.categories=Phones&r1.action=percent_decrease&r1.value=9",
			"Both, in this order", "together:0:1", []string{`name="together" value="0:1"`}},
		{"a condition goes", "r0.brands=Samsung&r0.price_gte=9000&r0.action=percent_increase&r0.value=5",
			"Remove “price” (4 products)", "drop:0:price", []string{"<strong>4</strong> <span>of 6 change"}},
		{"a column's condition goes", "r0.brands=Samsung&r0.w3.column=name&r0.w3.kind=is&r0.w3.values=Redmi+13&r0.action=percent_increase&r0.value=5",
			"Remove “name” (4 products)", "drop:0:w3", []string{"<strong>4</strong> <span>of 6 change"}},
		{"below cost", "r0.brands=Samsung&r0.action=percent_decrease&r0.value=30",
			"1 product would end below cost", "above-cost:0", []string{"<strong>3</strong> <span>of 6 change", "1 product would be outside the limits"}},
		{"a name goes", "r0.brands=Samsung&r0.brands=Sony&r0.action=percent_increase&r0.value=5",
			"No product has the brand “Sony”", `swap:{"from":"Sony","to":null,"excluded":false}`, []string{"<strong>4</strong> <span>of 6 change"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := reader{t, address}
			state := &url.URL{RawQuery: "table=" + held + "&" + test.state}
			_, _, text := r.ask("GET", "/new?"+state.RawQuery, "", nil)
			r.shows(text, test.asks)
			_, _, text = r.press(&url.URL{RawQuery: hiddenState(text)}, test.press)
			r.shows(text, test.then...)
		})
	}
}

// A file that was changed before is not changed anew unseen: the change goes on top of the
// result, or is made of the original on purpose.
func TestChangesBuildOnEachOther(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	held := r.hold("electronics.csv", electronics)
	state := &url.URL{RawQuery: "table=" + held + "&r0.skus=S1&r0.action=percent_increase&r0.value=10"}
	_, _, text := r.ask("GET", "/new?"+state.RawQuery, "", nil)
	_, done, _ := r.press(state, "apply", "preview_sha256", seenHash.FindStringSubmatch(text)[1])
	r.until(done.Path, "Done. 1 price is in the file.")

	_, _, text = r.ask("GET", "/new?"+state.RawQuery, "", nil)
	r.shows(text, "You changed this file once already. Add this on top?", "Say first whether")
	hash := seenHash.FindStringSubmatch(text)[1]
	if status, _, text := r.press(state, "apply", "preview_sha256", hash); status != http.StatusUnprocessableEntity {
		t.Fatalf("%d: it is applied to the original unasked\n%s", status, text)
	}
	_, at, text := r.press(state, "upon:"+strings.TrimPrefix(done.Path, "/executions/"))
	r.shows(text, "434.39", "477.83", "Apply 1 change<")
	if at.Query().Get("table") == held {
		t.Errorf("at %s it is made of the same table", at)
	}
	_, _, text = r.press(state, "original")
	r.shows(text, "394.90", "434.39", "Apply 1 change<")
}

// A sentence is read once while it stays, whatever is pressed; where it is cleared, what was
// open in it is told, and nothing is saved by the same press.
func TestASentenceIsReadOnce(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	var drafts atomic.Int32
	proxy := httputil.NewSingleHostReverseProxy(target)
	counting := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/planner/v1/drafts" {
			drafts.Add(1)
		}
		r.Host = target.Host
		proxy.ServeHTTP(w, r)
	})
	planner := httptest.NewServer(counting)
	defer planner.Close()
	pages := httptest.NewServer(console.New(console.Dependencies{Planner: &web.Client{Base: planner.URL + "/planner", HTTP: http.DefaultTransport}}))
	defer pages.Close()
	r := reader{t, pages.URL}
	held := reader{t, address}.hold("electronics.csv", electronics)
	_, at, text := r.press(&url.URL{RawQuery: "table=" + held}, "fill", "instruction", "Lower Samsung by 5%, zork")
	r.shows(text, "zork", "Answer what is open")
	for _, do := range []string{"tab:left", "preset:weekend", "copy:0", "remove:1", "preset:now"} {
		_, at, text = r.press(at, do)
	}
	if n := drafts.Load(); n != 1 {
		t.Errorf("the sentence was read %d times", n)
	}
	state := &url.URL{RawQuery: hiddenState(text)}
	status, _, text := r.press(state, "save", "instruction", "")
	if status != http.StatusUnprocessableEntity {
		t.Errorf("%d: it is saved by the press that drops open parts", status)
	}
	r.shows(text, "You cleared the sentence. Not in the rules, and dropped with it: “zork”.", "Save draft")
	_, _, text = r.press(state, "preset:weekend", "instruction", "")
	r.shows(text, "dropped with it: “zork”.", "Schedule ")
}

// A product without a SKU is left out by what identifies its row.
func TestLeavingOutWithoutASKU(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	held := r.hold("menu.csv", "name,price\n\"Pizza \"\"Bella\"\", large\",9.00\nPasta,8.00\nSoup,5.00\n")
	_, _, text := r.ask("GET", "/new?table="+held+"&r0.action=percent_increase&r0.value=10", "", nil)
	r.shows(text, "<strong>3</strong> <span>of 3 change", "leave-by:{")
	_, _, text = r.press(&url.URL{RawQuery: hiddenState(text)}, `leave-by:{"rules":"0","column":"name","value":"Pizza \"Bella\", large"}`)
	r.shows(text, "<strong>2</strong> <span>of 3 change", "Left out 1", "Not matched 0")
	_, _, text = r.press(&url.URL{RawQuery: hiddenState(text)}, "tab:left")
	r.shows(text, "Pizza", "9.90")
}

// A table of 20,000 products: the page stays small, and lists forty names until more are
// asked for.
func TestNewChangeWithManyProducts(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	var table strings.Builder
	table.WriteString("sku,name,brand,category,price\n")
	for i := range 20_000 {
		fmt.Fprintf(&table, "S%05d,Product %d,Brand %d,Category %d,%d.00\n", i, i, i%300, i%500, 10+i%90)
	}
	held := r.hold("many.csv", table.String())
	state := "table=" + held + "&rules=1&r0.show=brands&r0.categories=Category+7&r0.brands=Brand+7&r0.action=percent_decrease&r0.value=5"
	_, _, text := r.ask("GET", "/new?"+state, "", nil)
	r.shows(text, "of 20,000 change", "259 more.")
	var packed bytes.Buffer
	to := gzip.NewWriter(&packed)
	_, _ = to.Write([]byte(text))
	_ = to.Close()
	if packed.Len() > 60_000 {
		t.Errorf("the page has %d bytes, packed", packed.Len())
	}
	body := strings.NewReader(state + "&of=r0.brands&all=1")
	_, _, text = r.ask("POST", "/new/names", "application/x-www-form-urlencoded", body)
	if n := strings.Count(text, `type="checkbox"`); n != 300 {
		t.Errorf("%d names are listed, not all", n)
	}
}

// hostile are names that are hard for a page: they must be shown, picked and taken out again
// as any other.
var hostile = []string{
	`<img src=x onerror="window.pwned=1">`, `"quoted", with; comma`, `a:b:0:c`, `it's & <b>bold</b>`, "née 🙂 naïve", `{{.Table}}`, `javascript:alert(1)`,
}

// Hostile names are picked from each list, and taken out, with the mouse.
func TestHostileNamesInEveryPicker(t *testing.T) {
	b := newTab(t, nil)
	var table strings.Builder
	table.WriteString("sku,name,brand,category,tags,price\n")
	quoted := func(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }
	for i, name := range hostile {
		fmt.Fprintf(&table, "H%d,%s,%[2]s,%[2]s,%s,10.00\n", i, quoted(name), quoted(strings.NewReplacer(",", "", ";", "").Replace(name)))
	}
	held := reader{t, b.address}.hold("hostile.csv", table.String())
	for _, list := range []string{"brands", "categories", "tags", "exclude_brands", "exclude_categories", "exclude_tags"} {
		b.open("/new?table=" + held + "&r0.action=percent_increase&r0.value=5&r0.show=" + list)
		b.Until(`document.documentElement.dataset.ready === ""`)
		ticked := `document.querySelectorAll("[data-list] input:checked").length`
		boxes := browsertest.Eval[int](b.Browser, `document.querySelectorAll("[data-list] input").length`)
		if boxes < len(hostile) {
			t.Errorf("%s has %d names", list, boxes)
		}
		b.Until(`(document.querySelectorAll("[data-list] input").forEach(box => box.click()), true)`)
		b.Until(fmt.Sprintf(`%s === %d && document.querySelectorAll("[data-chips] .chip").length === %[2]d`, ticked, boxes))
		b.Until(`(document.querySelector("[data-chips] button").click(), true)`)
		b.Until(fmt.Sprintf(`%s === %d`, ticked, boxes-1))
		if !strings.HasPrefix(list, "exclude") {
			b.Shows(fmt.Sprintf("%d\nof %d change", len(hostile)-1, len(hostile)))
		}
	}
	if browsertest.Eval[bool](b.Browser, `"pwned" in window || document.querySelectorAll("main img").length > 0`) {
		t.Error("a name became part of the page")
	}
}

// firstView reports what of the result can be seen without scrolling: the number of rows
// with both prices, and whether all buttons are there.
const firstView = `(() => {
	const bar = document.getElementById("go").getBoundingClientRect();
	const seen = e => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= bar.top && r.left >= 0 && r.right <= innerWidth; };
	const rows = [...document.querySelectorAll(".dense tbody tr")].filter(row => [...row.children].every(seen));
	const wide = document.documentElement.scrollWidth > innerWidth;
	return seen(document.querySelector(".tiles li")) && bar.bottom <= innerHeight && !wide ? rows.length : -1;
})()`

// What a change does, and the buttons, are seen at first sight, on a desk and on a telephone.
func TestFirstSightOfNewChange(t *testing.T) {
	b := newTab(t, nil)
	held := reader{t, b.address}.hold("electronics.csv", electronics)
	b.open("/new?table=" + held + "&r0.action=percent_increase&r0.value=5")
	b.Until(`document.documentElement.dataset.ready === ""`)
	for _, window := range []struct{ width, height, rows int64 }{{1280, 800, 5}, {390, 844, 5}} {
		b.Do(chromedp.EmulateViewport(window.width, window.height))
		if rows := browsertest.Eval[int64](b.Browser, firstView); rows < window.rows {
			t.Errorf("%d rows are seen at %d x %d", rows, window.width, window.height)
		}
	}
}

// Apply is reached from the top of the page in at most twelve Tabs.
func TestApplyInTwelveTabs(t *testing.T) {
	b := newTab(t, nil)
	held := reader{t, b.address}.hold("electronics.csv", electronics)
	b.open("/new?table=" + held + "&r0.skus=S1&r0.action=percent_increase&r0.value=5")
	b.Until(`document.documentElement.dataset.ready === ""`)
	focused := `document.activeElement.innerText?.trim()`
	for tabs := 1; ; tabs++ {
		if tabs > 12 {
			t.Fatal("twelve Tabs do not lead to Apply")
		}
		b.typed(kb.Tab)
		switch browsertest.Eval[string](b.Browser, focused) {
		case "Skip to the buttons":
			b.typed(kb.Enter)
			b.Until(`location.hash === "#go"`)
		case "Apply 1 change":
			b.typed(kb.Enter)
			b.Shows("Done. 1 price is in the file.")
			return
		}
	}
}
