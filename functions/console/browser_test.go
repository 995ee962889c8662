package console_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/functions/browsertest"
	"github.com/planwright/planwright/functions/emulator/emulatortest"
)

// tab is a browser that looks at the console as a person does.
type tab struct {
	browsertest.Browser
	address string
	stop    func()
}

// begin uploads a table on the first page, and says what should change.
func (b tab) begin(name, content, instruction string) {
	b.Helper()
	b.open("/")
	b.give(name, content)
	b.Shows("New change", name)
	b.fill("instruction", instruction)
	b.press("Fill in the rules")
}

func (b tab) open(path string) {
	b.Helper()
	b.Do(chromedp.Navigate(b.address + path))
}

// press presses the button or follows the link that says so.
func (b tab) press(text string) {
	b.Helper()
	b.Until(fmt.Sprintf(`(() => {
		const found = [...document.querySelectorAll("button, a")].find(e => e.innerText.trim() === %q);
		if (found) found.click();
		return Boolean(found);
	})()`, text))
}

// fill puts text into the field with this id.
func (b tab) fill(id, text string) {
	b.Helper()
	b.Until(fmt.Sprintf(`(() => {
		const found = document.getElementById(%q);
		if (found) { found.focus(); found.value = %q; }
		return Boolean(found);
	})()`, id, text))
}

// give puts a table into the page's field for one.
func (b tab) give(name, content string) {
	b.Helper()
	path := filepath.Join(b.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Until(`document.readyState === "complete" && Boolean(document.getElementById("table"))`); ; {
		err := chromedp.Do(b.Ctx, chromedp.SetUploadFiles(chromedp.CSS("#table"), []string{path}))
		if err == nil {
			break
		}
		if b.Ctx.Err() != nil { // before, it was a page that is being left
			b.Fatal(err)
		}
	}
}

// typed types text where the focus is.
func (b tab) typed(text string) {
	b.Helper()
	b.Do(chromedp.KeyEvent(text))
}

// tabTo goes on by the key Tab to the button or link that says so, and presses Enter.
func (b tab) tabTo(text string) {
	b.Helper()
	for range 200 {
		b.typed(kb.Tab)
		if browsertest.Eval[bool](b.Browser, fmt.Sprintf(`document.activeElement.innerText?.trim() === %q`, text)) {
			b.typed(kb.Enter)
			return
		}
	}
	b.Fatalf("Tab never comes to %q", text)
}

// looks are how a page is looked at: screenshots are named after them.
var looks = []struct {
	name   string
	width  int64
	scheme string
}{{"light", 1280, "light"}, {"dark", 1280, "dark"}, {"phone", 390, "light"}, {"phone-dark", 390, "dark"}, {"tablet", 768, "light"}, {"tablet-dark", 768, "dark"}}

// keep writes the page as it is looked at into CONSOLE_SCREENSHOTS, where that
// is set.
func (b tab) keep(name string) {
	b.Helper()
	folder := os.Getenv("CONSOLE_SCREENSHOTS")
	if folder == "" {
		return
	}
	for _, look := range looks {
		b.Emulate(look.width, look.scheme)
		b.Keep(folder, name+"-"+look.name)
	}
	b.Emulate(1280, "light")
}

// newTab opens a tab of its own browser on a console of its own. A test with one
// mostly waits for pages, so others run meanwhile.
func newTab(t *testing.T, variables map[string]string) tab {
	t.Parallel()
	b := browsertest.New(t)
	address, stop := emulatortest.Serve(t, variables)
	return tab{b, address, stop}
}

// ambiguous can be read in two ways.
const ambiguous = "Raise prices by 10 for fitness products."

const products = "sku,category,price,in_stock\nA101,fitness,29.99,true\nA102,fitness,39.99,true\nA103,fitness,49.99,false\nB201,yoga,19.99,false\n"

// TestFromASentenceToAHistory is the way of a change through the pages.
func TestFromASentenceToAHistory(t *testing.T) {
	b := newTab(t, nil)
	b.open("/")
	b.Shows("Change prices in bulk, safely", "Try with a sample shop")
	b.accessible("start")
	b.begin("products.csv", products, "Increase prices by 10% for all in-stock fitness products.")
	b.Shows("of 4 change", "A101", "29.99", "32.99", "A102", "39.99", "43.99")
	b.accessible("new")
	b.press("Save draft")
	b.Shows("Increase prices by 10%", "Draft, not applied", "2", "of 4 change", "A101", "32.99", "What it does", "Increase the price by 10% for products in category fitness that are in stock")
	b.accessible("draft")
	b.press("Edit and apply")
	b.Shows("You are editing", "of 4 change")
	b.press("Apply 2 changes")
	b.Shows("Done. 2 prices are in the file. Your shop changes when you import it.", "Download the full file", "A101", "29.99", "32.99", "+10.0%", "What happened")
	b.opened("details")
	b.press("Check the record")
	b.Shows("The one document is as it was written")
	b.accessible("result")
	b.press("A101")
	b.Shows("SKU A101", "29.99", "32.99", "Increase prices by 10%")
	b.accessible("product")
	b.open("/executions")
	b.Shows("To do", "Import", "Increase prices by 10%", "2 products")
	b.accessible("executions")
	b.open("/")
	b.Shows("Recent changes", "Repeat")
	b.press("Repeat")
	b.Shows("You are editing Increase prices by 10%", "of 4 change")
}

// A shop's export as its platform writes it is recognised, and its result says how it is
// imported there.
func TestAShopsExport(t *testing.T) {
	export, err := os.ReadFile(filepath.Join("..", "..", "testdata", "shopify_export.csv"))
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t, nil)
	b.begin("products_export.csv", string(export), "Increase prices by 10% for all Fitness products, and discount Yoga products by 5%.")
	b.Shows("change", "YM-100-BL", "46.55")
	b.Crop(os.Getenv("CONSOLE_SCREENSHOTS"), "readme", 1280, 1000)
	b.Until(`(() => { const found = [...document.querySelectorAll("button.primary")].find(e => e.innerText.startsWith("Apply")); if (found) found.click(); return Boolean(found); })()`)
	b.Until(`(() => { const again = [...document.querySelectorAll("h1")].some(e => e.innerText === "Look once more") && document.querySelector("button.primary"); if (again) again.click(); return location.pathname.startsWith("/executions/"); })()`)
	b.Shows("Done.", "In Shopify open Products, then Import, and choose this file.", "YM-100-BL", "49.00", "46.55", "−5.0%")
	output := b.fetch(`[...document.querySelectorAll("a.button")].find(e => e.innerText === "Download the full file").href`)
	if want := strings.NewReplacer("49.00", "46.55", "39.90", "43.89", "49.90", "54.89", "14.95", "16.45").Replace(string(export)); output != want {
		t.Errorf("downloaded (-want +got):\n%s", cmp.Diff(want, output))
	}
	b.accessible("result-shop")
}

// A file that is no table is refused by name, and pages that are not there say so.
func TestTablesThatCannotBeUsed(t *testing.T) {
	b := newTab(t, nil)
	b.open("/")
	b.give("picture.png", "no table")
	b.Shows("picture.png does not end in .csv")
	b.accessible("problem")
	b.open("/plans/plan_none_at_all_v1")
	b.Shows("There is no plan plan_none_at_all_v1")
	b.open("/executions/plan_none_at_all_v1")
	b.Shows("no execution plan_none_at_all_v1")
	b.open("/products?sku=NONE")
	b.Shows("NONE")
	b.accessible("product-empty")
}

// What a table says is text on a page, whatever it says.
func TestHostileText(t *testing.T) {
	b := newTab(t, nil)
	const sku = `<script>document.title='taken'</script><img src=x onerror=document.title='taken'>`
	b.open("/")
	b.give("<b>evil.csv", "sku,category,price,in_stock\n"+sku+",a\x1b[31mb,10.00,true\n\u202eA2,x,10.00,true\n")
	b.Shows("Check the file", "<b>evil.csv", "Some letters can be read in several ways. Say below how it is.", "How its letters are stored")
	b.press("Save and go on")
	b.Until(`location.pathname === "/new"`)
	b.fill("instruction", "Increase all prices by 10%.")
	b.press("Fill in the rules")
	b.Shows("of 2 change", sku, "\ufffdA2")
	b.press("Apply 2 changes")
	b.Shows("Done. 2 prices", sku)
	b.press(sku)
	b.Shows("SKU "+sku, "10.00", "11.00")
	b.open("/")
	b.give("<i>evil.csv", "sku,brand,price\nA1,\""+sku+"\",10.00\nA2,\"</label>\",12.00\n")
	b.Until(`location.pathname === "/new"`)
	held := browsertest.Eval[string](b.Browser, `new URL(location).searchParams.get("table")`)
	b.open("/new?table=" + held + "&r0.action=percent_increase&r0.value=1&r0.show=brands&r0.show=exclude_brands&r0.brands=" + url.QueryEscape(sku) + "&instruction=" + url.QueryEscape("</textarea>"+sku))
	b.Shows(sku, "</label>", "Fill in this condition, or remove it.")
	b.Until(`document.querySelector("textarea").value.startsWith("</textarea><script>")`)
	if title := browsertest.Eval[string](b.Browser, "document.title"); title == "taken" {
		t.Error("a table's text ran as a script")
	}
}

// A page that follows says when nobody answers any more.
func TestTheServerIsGone(t *testing.T) {
	b := newTab(t, nil)
	b.open("/executions")
	b.Shows("There are no changes yet", "This page keeps itself up to date")
	b.accessible("executions-empty")
	b.stop()
	b.Shows("The server does not answer. Trying again.")
}

// A goal is planned in conversation, with its plan beside it.
func TestAGoalIsPlanned(t *testing.T) {
	b := newTab(t, nil)
	b.open("/goal")
	b.Shows("Plan a goal", "There is none yet")
	b.fill("message", "Build a web shop.")
	b.fill("hours", "many")
	b.press("Send")
	b.Shows("is no number of hours")
	b.fill("hours", "20")
	b.press("Send")
	b.Shows("You", "Build a web shop.", "Planwright", "The plan so far", "of 20 h that you have")
	b.Until(`document.querySelectorAll(".tasks li").length > 0`)
	b.accessible("goal")
	seen := browsertest.Eval[string](b.Browser, `document.querySelector("[name=seen]").value`)
	b.fill("message", "Remove the first milestone")
	b.press("Send")
	b.Shows("Remove the first milestone")
	left := browsertest.Eval[int](b.Browser, `document.querySelectorAll("h4").length`)
	browsertest.Eval[bool](b.Browser, fmt.Sprintf(`!!(document.querySelector("[name=seen]").value = %q)`, seen)) // as another window has it
	b.fill("message", "Remove the first milestone")
	b.press("Send")
	b.Shows("The conversation went on meanwhile")
	if now := browsertest.Eval[int](b.Browser, `document.querySelectorAll("h4").length`); now != left || now == 0 {
		t.Errorf("of %d milestones there are %d", left, now)
	}
	b.accessible("goal-overtaken")
	b.fill("message", "Looks good, save it")
	b.press("Send")
	b.Shows("This plan is final", "The plan")
	b.open("/goal")
	b.Shows("Build a web shop")
	b.press("Build a web shop")
	b.Shows("Build a web shop.", "This plan is final")
}

// A page with a note half written says what was decided meanwhile, and keeps the note.
func TestDecidedWhileANoteIsWritten(t *testing.T) {
	b := newTab(t, withBen(t))
	page := b.asks("products.csv", products, "Discount all yoga products by 5%.")
	b.Shows("This page keeps itself up to date.")
	b.opened("ask")
	b.fill("ask-note", "Ask Ann fir")
	mark := browsertest.Eval[string](b.Browser, `document.querySelector("[name=proposal_sha256]").value`)
	reader{t, b.address}.form(page+"/approve", "proposal_sha256", mark)
	b.Shows("This changed while you wrote. What you had written was not sent: “Ask Ann fir”", "Done. 1 price is in the file.")
}

// fetch returns what lies at an address that the page has.
func (b tab) fetch(address string) string {
	b.Helper()
	text, err := chromedp.Run(b.Ctx, chromedp.Evaluate[string]("fetch("+address+`, {headers: {Accept: "text/html"}}).then(r => r.text())`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatal(err)
	}
	return text
}
