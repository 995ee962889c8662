package console_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/functions/browsertest"
	"github.com/planwright/planwright/functions/emulator/emulatortest"
)

// electronics has names that are hard for a page, and prices that a rule can move the
// wrong way.
const electronics = "sku,name,brand,category,price,cost,in_stock\n" +
	"S1,Galaxy S24,Samsung,Phones,394.90,300,true\n" +
	"S2,Galaxy Tab S10,Samsung,Tablets,594.90,400,true\n" +
	"S3,Buds 3 FE,Samsung,Audio,51.00,20,false\n" +
	"S4,Cable,Samsung,Audio,9.00,2,true\n" +
	"X1,Redmi 13,\"Xiaomi <b>&\"\"co\"\"</b>\",Phones,119.00,90,true\n" +
	"X2,Redmi Pad,\"Xiaomi <b>&\"\"co\"\"</b>\",Tablets,199.00,,true\n"

// hold uploads a table, and returns its id.
func (r reader) hold(name, content string) string {
	r.Helper()
	_, at, text := r.send("/tables", name, func(w io.Writer) error { _, err := io.WriteString(w, content); return err })
	if id, checked := strings.CutSuffix(at.Path, "/check"); checked { // its columns are asked for first
		return strings.TrimPrefix(id, "/tables/")
	}
	if at.Path != "/new" || at.Query().Get("table") == "" {
		r.Fatalf("at %s:\n%s", at, text)
	}
	return at.Query().Get("table")
}

// press sends the state of a page with a button of it.
func (r reader) press(state *url.URL, do string, fields ...string) (int, *url.URL, string) {
	r.Helper()
	values := state.Query()
	values.Set("do", do)
	for i := 0; i < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	return r.ask(http.MethodPost, "/new", "application/x-www-form-urlencoded", strings.NewReader(values.Encode()))
}

// seenHash is the hash of what a page shows.
var seenHash = regexp.MustCompile(`name="preview_sha256" value="([0-9a-f]{64})"`)

// A change is made of rules, with an exception and an end, saved, edited, applied and
// repeated, without script and without a sentence.
func TestRulesWithoutScript(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	held := r.hold("electronics.csv", electronics)
	at := &url.URL{RawQuery: "table=" + held}
	shows := func(text string, want ...string) {
		t.Helper()
		for _, want := range want {
			if !strings.Contains(text, want) {
				t.Fatalf("no %q at %s in\n%s", want, at, text)
			}
		}
	}
	var text string
	_, at, text = r.press(at, "look", "r0.and.add", "brands")
	shows(text, "Samsung</span> <span class=\"quiet\">4</span>", "Xiaomi &lt;b&gt;&amp;&#34;co&#34;&lt;/b&gt;</span> <span class=\"quiet\">2</span>", "Fill in this condition, or remove it")
	_, at, _ = r.press(at, "look", "r0.brands", "Samsung", "r0.action", "percent_decrease", "r0.value", "20", "r0.price_ending", ".90", "r0.except.add", "exclude_name_contains")
	_, at, text = r.press(at, "look", "r0.exclude_name_contains", "Galaxy Tab")
	shows(text, "<strong>3</strong> <span>of 6 change", "315.90", "Left out 1", "Not matched 2")
	_, at, text = r.press(at, "tab:left")
	shows(text, "S2", "475.90")
	_, at, text = r.press(at, "leave:0:S4")
	shows(text, "Left out 2")
	_, at, text = r.press(at, "preset:weekend", "zone", "Europe/Rome")
	shows(text, "Times are in Europe/Rome", "Schedule 2 changes", `name="apply_at" type="datetime-local" value="2`)
	_, at, text = r.press(at, "preset:now")
	shows(text, "Apply 2 changes")
	_, saved, text := r.press(at, "save")
	shows(text, "Decrease the price by 20% for products of brand", "except", "filled in or finished by a person")
	_, edit, text := r.ask("GET", "/new?table="+held+"&plan="+strings.TrimPrefix(saved.Path, "/plans/"), "", nil)
	at = edit
	shows(text, "You are editing", "Apply 2 changes")
	state := &url.URL{RawQuery: hiddenState(text)}
	status, done, text := r.press(state, "apply", "preview_sha256", seenHash.FindStringSubmatch(text)[1])
	if status != 200 || done.Path != strings.Replace(saved.Path, "/plans/", "/executions/", 1) {
		t.Fatalf("%d at %s: an unchanged plan is another one\n%s", status, done, text)
	}
	r.until(done.Path, "Done. 2 prices are in the file.")
	_, _, output := r.ask("GET", done.Path+"/files/output", "", nil)
	if want := strings.NewReplacer("394.90", "315.90", "51.00", "40.90").Replace(electronics); output != want {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, output))
	}
	_, _, text = r.ask("GET", "/new?table="+held+"&plan="+strings.TrimPrefix(saved.Path, "/plans/"), "", nil)
	state = &url.URL{RawQuery: hiddenState(text)}
	_, again, _ := r.press(state, "save", "r0.value", "25")
	if again.Path == saved.Path {
		t.Errorf("a plan that was used is changed: %s", again)
	}
}

// fieldOf are the fields of a page's form, as a browser sends them.
var fieldOf = regexp.MustCompile(`<input [^>]*name="([^"]+)"[^>]*>|<textarea [^>]*name="([^"]+)"[^>]*>([^<]*)|<select [^>]*name="([^"]+)"[^>]*>.*?</select>`)

var valueOf, selected = regexp.MustCompile(` value="([^"]*)"`), regexp.MustCompile(`<option value="([^"]*)" selected>`)

// hiddenState is the state of a page as its form sends it.
func hiddenState(text string) string {
	_, form, _ := strings.Cut(text, `<form method="post" action="/new"`)
	form, _, _ = strings.Cut(form, "</form>")
	values := url.Values{}
	for _, found := range fieldOf.FindAllStringSubmatch(form, -1) {
		switch {
		case strings.Contains(found[0], `type="checkbox"`) && !strings.Contains(found[0], " checked"):
		case found[1] != "":
			if value := valueOf.FindStringSubmatch(found[0]); value != nil {
				values.Add(found[1], unescaped(value[1]))
			}
		case found[2] != "":
			values.Add(found[2], unescaped(found[3]))
		default:
			if value := selected.FindStringSubmatch(found[0]); value != nil {
				values.Add(found[4], unescaped(value[1]))
			}
		}
	}
	return values.Encode()
}

func unescaped(text string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&#43;", "+", "&amp;", "&").Replace(text)
}

// What a page shows is done, or nothing: in between somebody has changed the rules, the
// price moves by more than half, or a rule moves prices the wrong way.
func TestNothingIsDoneUnseen(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	held := r.hold("electronics.csv", electronics)
	state := func(query string) *url.URL { return &url.URL{RawQuery: "table=" + held + "&rules=1&" + query} }
	seen := func(query string) (string, string) {
		_, _, text := r.ask("GET", "/new?"+state(query).RawQuery, "", nil)
		found := seenHash.FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("%s shows no figures:\n%s", query, text)
		}
		return found[1], text
	}
	const gentle = "r0.brands=Samsung&r0.action=percent_increase&r0.value="
	hash, _ := seen(gentle + "5")
	if status, _, text := r.press(state(gentle+"6"), "apply", "preview_sha256", hash); status != 422 || !strings.Contains(text, "Nothing was done") {
		t.Errorf("%d: what was not seen is done\n%s", status, text)
	}
	hash, _ = seen(gentle + "80")
	status, _, text := r.press(state(gentle+"80"), "apply", "preview_sha256", hash)
	if status != 200 || !strings.Contains(text, "Look once more") || !strings.Contains(text, "80.0%") || strings.Contains(text, "Starting") {
		t.Errorf("%d: it is not asked again\n%s", status, text)
	}
	if _, at, text := r.press(state(gentle+"80"), "apply", "preview_sha256", hash, "confirmed", hash); !strings.HasPrefix(at.Path, "/executions/") {
		t.Errorf("at %s it is not done\n%s", at, text)
	}
	_, text = seen("r0.brands=Samsung&r0.action=percent_decrease&r0.value=20&r0.min_price=50&r0.outside_limits=clamp")
	if !strings.Contains(text, "would move the other way") || !strings.Contains(text, `value="against:0:change"`) {
		t.Errorf("a product that would get dearer is not skipped:\n%s", text)
	}
	_, text = seen("r0.brands=Samsung&r0.action=percent_decrease&r0.value=20&r0.min_price=50&r0.outside_limits=clamp&r0.against=change")
	if !strings.Contains(text, `class="block red"`) || !strings.Contains(text, `value="against:0:skip"`) {
		t.Errorf("a product that gets dearer is not told of:\n%s", text)
	}
	for query, want := range map[string]string{
		"r0.skus=S9&r0.action=end_sale":                                                                         "",
		"r0.brands=Samsnug&r0.action=percent_increase&r0.value=5":                                               `Use “Samsung”`,
		"r0.brands=Samsung&r0.price_gte=9000&r0.action=percent_increase&r0.value=5":                             "Without “price”, 4 products would.",
		"r0.show=brands&r0.action=percent_increase&r0.value=5":                                                  "Brand: Fill in this condition, or remove it.",
		"r0.action=percent_increase&r0.value=5&r0.price_ending=0.999&r0.round_to=2":                             "Rule 1.",
		"r0.action=percent_increase&r0.value=five":                                                              "“five” is no number",
		"r0.brands=Samsung&r0.action=cost_plus_percent&r0.value=25&r0.outside_limits=x":                         "4</strong> <span>of 6 change",
		"r0.action=percent_increase&r0.value=1&r1.brands=Samsung&r1.action=percent_increase&r1.value=1&rules=2": "Rules 1 and 2 are both for 4 products",
	} {
		query := strings.Replace(state(query).RawQuery, "rules=1&", "", 1)
		if _, _, text := r.ask("GET", "/new?"+query, "", nil); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", query, want, text)
		}
	}
}

// A list of SKUs that is too long for an address is pasted all the same.
func TestManySKUsArePasted(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	table, skus := "sku,price\n", ""
	for i := range 2000 {
		table += fmt.Sprintf("SKU-%06d,10.00\n", i)
		if i%2 == 0 {
			skus += fmt.Sprintf("SKU-%06d\r\n", i)
		}
	}
	held := r.hold("many.csv", table)
	status, at, text := r.press(&url.URL{RawQuery: "table=" + held}, "look", "r0.skus", skus, "r0.action", "percent_increase", "r0.value", "5")
	if status != 200 || at.RawQuery != "" || !strings.Contains(text, "of 2,000 change") || !strings.Contains(text, "Apply 1,000 changes") {
		t.Errorf("%d at %s:\n%.3000s", status, at, text)
	}
}

// The whole way with the mouse, over an export, from a sentence that is not understood to a
// change that is applied: names are picked, the figures follow, a product is left out.
func TestNewChangeByMouse(t *testing.T) {
	export, err := os.ReadFile(filepath.Join("..", "..", "testdata", "shopify_export.csv"))
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t, nil)
	b.begin("export.csv", string(export), "Make it all a bit cheaper, will you?")
	b.Shows("Say it", "Choose what changes in rule 1")
	b.accessible("new-asked")
	open := `document.querySelectorAll("button[value$=':ignore']").length`
	for left := browsertest.Eval[int](b.Browser, open); left > 0; left-- {
		b.press("Ignore these words")
		b.Until(fmt.Sprintf(`%s === %d`, open, left-1))
	}
	b.Shows("Not used: ")
	b.fill("r0-and", "brands")
	b.Until(`(document.getElementById("r0-and").dispatchEvent(new Event("change", {bubbles: true})), true)`)
	b.Shows("Planwright Sports")
	b.Until(`(box => box && (box.click(), true))(document.querySelector("[name='r0.brands'][value='Planwright Sports']"))`)
	b.fill("r0-action", "percent_decrease")
	b.Until(`(document.getElementById("r0-action").dispatchEvent(new Event("change", {bubbles: true})), true)`)
	b.Until(`Boolean(document.getElementById("r0-value"))`)
	b.fill("r0-value", "10")
	b.Until(`(document.getElementById("r0-value").dispatchEvent(new Event("input", {bubbles: true})), true)`)
	b.Shows("of 7 change", "cheaper", "Apply 4 changes")
	b.accessible("new-figures")
	b.press("leave out")
	b.Shows("of 7 change", "Left out 1")
	b.press("Left out 1")
	b.Shows("Without it this would become of them")
	b.press("Apply 3 changes")
	b.Shows("Done. 3 prices are in the file.")
}

// The same by keyboard alone and on a telephone.
func TestNewChangeByKeyboard(t *testing.T) {
	b := newTab(t, nil)
	b.open("/")
	b.Emulate(390, "light")
	b.give("electronics.csv", electronics)
	b.Shows("New change", "electronics.csv")
	b.Until(`document.documentElement.dataset.ready === ""`)
	b.Until(`(document.getElementById("instruction").focus(), true)`)
	b.typed("Raise Samsung by 5% except SKU S4.")
	b.typed(kb.Enter)
	b.Shows("of 6 change", "Apply 3 changes")
	b.Until(`document.activeElement.id === "instruction"`)
	b.accessible("new-phone")
	b.Emulate(390, "light")
	b.tabTo("Apply 3 changes")
	b.Shows("Done. 3 prices are in the file.")
	if browsertest.Eval[int](b.Browser, "innerWidth") != 390 {
		t.Error("it was no telephone")
	}
}
