package console_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
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

// makePlan asks for a plan and waits for its page.
func (b tab) makePlan(instruction string) {
	b.Helper()
	b.open(reader{b.TB.(*testing.T), b.address}.planned(instruction))
	b.Shows(instruction, "What it will do")
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

// choose gives the plan's page a table.
func (b tab) choose(name, content string) {
	b.Helper()
	b.give(name, content)
}

// give puts a table into the page's field for one.
func (b tab) give(name, content string) {
	b.Helper()
	b.Until(`(document.querySelectorAll("details.other").forEach(one => one.open = true), true)`)
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
		b.Look(look.width, look.scheme)
		b.Keep(folder, name+"-"+look.name)
	}
	b.Look(1280, "light")
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
	b.Shows("Increase prices by 10%", "Increase the price by 10% for products in category fitness that are in stock", "2 of 4 rows would change", "Go ahead")
	b.accessible("plan-table")
	b.press("Apply it")
	b.Shows("Done", "2 of 4 rows changed", "Every change", "A101", "Record and details")
	b.Until(`document.getElementById("audit").open = true`)
	b.press("Verify the record")
	b.Shows("The one document is as it was written")
	b.accessible("execution")
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

// A shop's export as its platform writes it is recognised, and what the plan
// would do to it is seen before it is applied. The README shows this page.
func TestAShopsExport(t *testing.T) {
	export, err := os.ReadFile(filepath.Join("..", "..", "testdata", "shopify_export.csv"))
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t, nil)
	b.makePlan("Increase prices by 10% for all fitness products, and discount yoga products by 5%.")
	b.choose("products_export.csv", string(export))
	b.Shows("This table cannot be used as it is", "The table's word for the category fitness")
	b.accessible("plan-names")
	b.press("Use the table's words")
	b.Shows("rows would change", "rise", "fall", "How far prices move", "YM-100-BL", "49.00", "46.55", "−5.0%", "KB-12", "Go ahead")
	b.accessible("plan-shop")
	b.Crop(os.Getenv("CONSOLE_SCREENSHOTS"), "readme", 1280, 1000)
	b.press("Apply it")
	b.Shows("Done", "rows changed", "YM-100-BL")
	output := b.fetch(`document.querySelector("a.primary").href`)
	if want := strings.NewReplacer("49.00", "46.55", "39.90", "43.89", "49.90", "54.89", "14.95", "16.45").Replace(string(export)); output != want {
		t.Errorf("downloaded (-want +got):\n%s", cmp.Diff(want, output))
	}
}

// Columns whose titles are not known are chosen from the table's own.
func TestColumnsAreChosen(t *testing.T) {
	b := newTab(t, nil)
	b.makePlan("Increase prices by 10% for all in-stock fitness products.")
	b.choose("artikel.csv", "F1;F2;\"F3, x\";F4\nA1;fitness;12,90 €;yes\n")
	b.Shows("This table cannot be used as it is", "Choose the column here", "Which column is the category?", "Which column is the price?", "Which column is the stock?")
	b.accessible("plan-columns")
	for role, title := range map[string]string{"category": "F2", "price": "F3, x", "in_stock": "F4"} {
		b.fill("column-"+role, title)
	}
	b.press("Read these columns")
	b.Shows("1 of 1 rows would change", "14,19 €")
	b.press("Apply it")
	b.Shows("Done", "14,19 €")
}

// A table that cannot be used says which rows and what to do, and a file that is
// no table is refused by name.
func TestTablesThatCannotBeUsed(t *testing.T) {
	b := newTab(t, nil)
	b.makePlan("Increase prices by 10% for all in-stock fitness products.")
	b.choose("products.csv", strings.Replace(products, "39.99", "free", 1))
	b.Shows("This table cannot be used as it is", "free", "How the table is read")
	b.accessible("plan-bad-table")
	b.choose("names.csv", strings.ReplaceAll(products, "fitness", "Fitness"))
	b.Shows("This table cannot be used as it is", "The table's word for the category fitness", "Fitness, in 2 rows")
	b.press("They are different things")
	b.press("Go on without them")
	b.Shows("0 of 4 rows would change")
	alike := products + "A109,Fitness ,10.00,true\n"
	b.choose("alike.csv", alike)
	b.Shows("in several ways", "“Fitness ” in 1 row", "Are they the same?", "Mean all that look the same")
	b.accessible("plan-names-alike")
	b.press("They are different things")
	b.Shows("2 of 5 rows would change")
	b.choose("alike.csv", alike)
	b.press("Mean all that look the same")
	b.Shows("3 of 5 rows would change", "A109")
	b.choose("picture.png", "no table")
	b.Shows("This was not done", "picture.png does not end in .csv")
	b.accessible("problem")
	b.press("Go back")
	b.Shows("Look at it over your table")
	b.open("/plans/plan_none_at_all_v1")
	b.Shows("Not found", "There is no plan plan_none_at_all_v1")
	b.open("/executions/plan_none_at_all_v1")
	b.Shows("Not found", "no execution plan_none_at_all_v1")
	b.press("Go back")
	b.Shows("There are no changes yet")
	b.open("/products?sku=NONE")
	b.Shows("No change has touched NONE")
	b.accessible("product-empty")
}

// What a table says is text on a page, whatever it says.
func TestHostileText(t *testing.T) {
	b := newTab(t, nil)
	const sku = `<script>document.title='taken'</script><img src=x onerror=document.title='taken'>`
	b.makePlan("Increase all prices by 10%.")
	b.choose("<b>evil.csv", "sku,category,price,in_stock\n"+sku+",a\x1b[31mb,10.00,true\n\u202eA2,x,10.00,true\n")
	b.Shows("2 of 2 rows would change", sku, "\ufffdA2")
	b.press("Apply it")
	b.Shows("Done", sku)
	b.press(sku)
	b.Shows("SKU "+sku, "10.00", "11.00")
	b.open("/")
	b.give("<i>evil.csv", "sku,brand,price\nA1,\""+sku+"\",10.00\nA2,\"</label>\",12.00\n")
	b.Shows("New change")
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

// A proposal is looked at, approved by its mark and by no other, applied, and
// taken back to the very bytes that were handed in.
func TestProposedApprovedTakenBack(t *testing.T) {
	b := newTab(t, nil)
	b.makePlan("Increase prices by 10% for all in-stock fitness products.")
	b.choose("products.csv", products)
	b.press("Propose, to be approved")
	b.Shows("What it would do", "2 of 4 rows would change", "How far prices move", "up 9 to 11%", "Before and after", "A101", "Who did what, and when", "Proposed", "Approve it?")
	b.accessible("proposal")
	b.open("/executions")
	b.Shows("waiting for you", "To do", "Approve", "Increase prices by 10%")
	b.accessible("executions-waiting")
	if title := browsertest.Eval[string](b.Browser, "document.title"); !strings.HasPrefix(title, "(1) ") {
		t.Errorf("the title is %q", title)
	}
	b.press("Increase prices by 10% for all in-stock fitness products.")
	b.Shows("Approve it?")
	b.Until(`(form => { // at once, as the page may be replaced in between
		form.elements.proposal_sha256.value = "0".repeat(64);
		form.requestSubmit(form.querySelector(".primary"));
		return true;
	})(document.querySelector("form.decide"))`)
	b.Shows("This was not done")
	b.press("Go back")
	b.Shows("Approve it?")
	b.fill("note", "Seen by two of us")
	b.press("Approve")
	b.Shows("Done", "2 of 4 rows changed", "Take it back", "Asked", "Proposed", "Approved by", "Seen by two of us", "Carried out")
	b.accessible("execution-approved")
	b.press("Undo on its own output")
	b.Shows("Done", "2 of 4 rows changed", "32.99", "29.99")
	if output := b.fetch(`document.querySelector("a.primary").href`); output != products {
		t.Errorf("taken back to\n%s", output)
	}
	b.open("/products?sku=A101")
	b.Shows("SKU A101", "Undo: Increase prices")
	b.Until(`document.querySelector("figure svg[role=img]").getAttribute("aria-label").startsWith("The price over time: first 29.99, least 29.99, greatest 32.99, last 29.99.")`)
	b.accessible("product-undone")
}

// A proposal is rejected with a reason, and a plan is given its times.
func TestRejectedAndScheduled(t *testing.T) {
	b := newTab(t, nil)
	b.makePlan("Discount all yoga products by 5%.")
	b.choose("products.csv", products)
	b.press("Propose, to be approved")
	b.Shows("Approve it?")
	b.fill("note", "Not before the holidays")
	b.press("Reject")
	b.Shows("Rejected", "Nothing was changed", "Not before the holidays", "To have it computed again, drop it on the plan again")
	b.accessible("execution-rejected")
	b.makePlan("Discount all yoga products by 6%.")
	b.choose("products.csv", products)
	b.Shows("At another time")
	b.Until(`document.getElementById("apply_at").closest("details").open = true`)
	b.fill("apply_at", "2090-05-04T18:30")
	b.fill("revert_at", "2090-05-06T18:30")
	b.press("Make a plan with these times")
	b.Shows("What it will do", "Apply this on Thursday, 4 May 2090", "Undo this on Saturday, 6 May 2090", "What it would change")
	b.accessible("plan-scheduled")
	b.press("Apply it at its time")
	b.Shows("Scheduled", "What it would do", "It is applied at", "2090")
	b.accessible("execution-scheduled")
	b.open("/executions")
	b.Shows("Scheduled", "products.csv, applied at 4 May 2090", "Scheduled", "Rejected")
	b.press("Discount all yoga products by 6%.")
	b.Shows("It is applied at", "2090")
	b.Until(`(document.getElementById("later").open = true)`)
	b.Until(`document.getElementById("revert_at").value === "2090-05-06T18:30"`)
	b.fill("apply_at", "2091-05-04T18:30")
	b.press("Cancel this, and propose it for that time")
	b.Shows("The plan would be taken back before it is applied")
	b.Until(`document.getElementById("apply_at").value === "2091-05-04T18:30"`)
	b.fill("revert_at", "")
	b.press("Cancel this, and propose it for that time")
	b.Shows("Scheduled", "It is applied at", "2091", "Nothing takes it back by itself.")
	b.fill("note", "No sale this year")
	b.press("Cancel it")
	b.Shows("Rejected", "No sale this year")
	b.open("/executions")
	b.Shows("Rejected", "Rejected", "Rejected")
}

// A page with a note half written says what was decided meanwhile, and keeps the note.
func TestDecidedWhileANoteIsWritten(t *testing.T) {
	b := newTab(t, nil)
	b.makePlan("Discount all yoga products by 5%.")
	b.choose("products.csv", products)
	b.press("Propose, to be approved")
	b.Shows("Approve it?", "This page keeps itself up to date.")
	b.fill("note", "Ask Ann fir")
	mark := browsertest.Eval[string](b.Browser, `document.querySelector("[name=proposal_sha256]").value`)
	page := browsertest.Eval[string](b.Browser, `location.pathname`)
	reader{t, b.address}.form(page+"/approve", "proposal_sha256", mark)
	b.Shows("This changed while you wrote. What you had written was not sent: “Ask Ann fir”", "Done", "1 of 4 rows changed")
	b.accessible("execution-overtaken")
}

// Rows that changed since are left alone by an undo, and listed.
func TestTakenBackOnTodaysTable(t *testing.T) {
	b := newTab(t, nil)
	b.makePlan("Increase prices by 10% for all in-stock fitness products.")
	b.choose("products.csv", products)
	b.press("Apply it")
	b.Shows("Done", "Take it back")
	today := strings.NewReplacer("29.99", "32.99", "39.99", "41.00").Replace(products)
	b.Until(`(document.querySelector("[name=stale]").checked = true)`)
	b.press("Undo on today's table")
	b.Shows("What it will do", "What an undo changes is seen as a proposal")
	b.give("today.csv", today)
	b.press("Take this table")
	b.press("Propose, to be approved")
	b.Shows("Failed", "Nothing was changed")
	b.accessible("execution-failed")
	b.open("/executions")
	b.press("Increase prices by 10% for all in-stock fitness products.")
	b.press("Undo on today's table")
	b.Shows("What it will do", "What an undo changes is seen as a proposal")
	b.give("today.csv", today)
	b.press("Take this table")
	b.Shows("is looked at as a proposal")
	b.press("Propose, to be approved")
	b.Shows("1 of 4 rows would change", "Approve it?")
	b.press("Approve")
	b.Shows("Done", "1 of 4 rows changed", "left alone", "A102", "43.99", "41.00")
	b.accessible("execution-stale")
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

// saved follows a link and returns the file that the browser saves.
func (b tab) saved(link string) string {
	b.Helper()
	folder := b.TempDir()
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder})
		return err
	}))
	b.press(link)
	for {
		found, _ := filepath.Glob(filepath.Join(folder, "*.csv"))
		if len(found) > 0 {
			content, err := os.ReadFile(found[0])
			if err != nil {
				b.Fatal(err)
			}
			return string(content)
		}
		if b.Ctx.Err() != nil {
			b.Fatalf("%q saves nothing", link)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Many changes are searched and paged through.
func TestSearchAndPages(t *testing.T) {
	b := newTab(t, nil)
	b.makePlan("Increase all prices by 10%.")
	table := "sku,category,name,price,in_stock\n"
	for i := range 60 {
		table += fmt.Sprintf("S-%03d,a,Thing %d,%d.37,true\n", i, i, 100-i)
	}
	b.choose("many.csv", table)
	b.Shows("60 of 60 rows would change", "Largest rises", "S-059", "S-000", "Thing 0", "+10.0%", "S-024")
	b.accessible("plan-rows")
	b.press("Next changes")
	b.Shows("S-025", "S-049")
	b.press("Changes before")
	b.Shows("S-000", "S-024")
	b.fill("sort", "rise")
	b.press("Show")
	first := `document.querySelector("#changes + form ~ .scroll tbody th a").innerText`
	b.Until(first + ` === "S-059"`) // 41.37 becomes 45.51, by 10.0072 %
	b.fill("search", "s-05")
	b.press("Show")
	b.Shows("S-059")
	b.fill("from", "11")
	b.press("Show")
	b.Shows("No row that would change is like that")
	b.press("Show all")
	b.Shows("S-000")
	if all := b.saved("Download what would change, as a table"); strings.Count(all, "\n") != 61 || !strings.Contains(all, "3,S-001,Thing 1,99.37,109.31,10.003,") {
		t.Errorf("downloaded\n%s", all)
	}
	b.press("Propose, to be approved")
	b.Shows("Before and after", "S-000", "Thing 0", "S-024", "Approve it?")
	b.press("Next changes")
	b.Shows("S-025", "Thing 25", "S-049")
	if all := b.saved("Download what would change, as a table"); strings.Count(all, "\n") != 61 {
		t.Errorf("downloaded\n%s", all)
	}
	b.accessible("proposal-rows")
	b.open("/executions?search=S-001")
	b.Shows("Look for “S-001” in your products")
	b.accessible("executions-search")
	b.open("/executions?status=draft")
	b.Shows("There are no saved drafts")
	b.makePlan("Increase all prices by 11%.")
	b.open("/executions?status=draft")
	b.Shows("Increase all prices by 11%.")
	b.accessible("executions-drafts")
}

// A name that the table has in another column is meant by a button, which makes the plan
// that it shows; what is left out stays left out.
func TestANameIsMeantByAButton(t *testing.T) {
	b := newTab(t, nil)
	b.makePlan("Raise all prices by 3% except cc-beanie.")
	b.choose("products.csv", products+"cc-beanie,Hats,12.50,true\n")
	b.Shows("This table cannot be used as it is", "Leave out SKU", "cc-beanie", "reprice cc-beanie too")
	b.accessible("plan-choices")
	b.press(`Leave out SKU "cc-beanie"`)
	b.Shows("except SKU cc-beanie", "4 of 5 rows would change")
	for _, word := range []string{"unmatched=", "op_01", "SHA-256"} {
		b.Until(fmt.Sprintf(`!document.body.innerText.includes(%q)`, word))
	}
}
