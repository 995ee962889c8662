package console_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/planwright/planwright/functions/browsertest"
	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/logging"
)

// serve runs the emulator over a fresh folder and returns its address and what
// stops it.
func serve(t *testing.T, variables map[string]string) (address string, stop func()) {
	t.Helper()
	settings, err := emulator.ReadSettings(func(name string) (string, bool) { value, ok := variables[name]; return value, ok })
	if err != nil {
		t.Fatal(err)
	}
	server, err := emulator.Open(t.Context(), filepath.Join(t.TempDir(), "local"), settings, logging.Discard)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := emulator.Listen(t.Context(), "127.0.0.1", "0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx, listener) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return "http://" + listener.Addr().String(), stop
}

// tab is a browser that looks at the console as a person does.
type tab struct {
	browsertest.Browser
	address string
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
	path := filepath.Join(b.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		b.Fatal(err)
	}
	b.Do(chromedp.SetUploadFiles(chromedp.CSS("#table"), []string{path}))
	b.press("Show what would change")
}

// looks are how a page is looked at: screenshots are named after them.
var looks = []struct {
	name   string
	width  int64
	scheme string
}{{"light", 1280, "light"}, {"dark", 1280, "dark"}, {"phone", 390, "light"}, {"phone-dark", 390, "dark"}}

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

func newTab(t *testing.T, variables map[string]string) tab {
	address, _ := serve(t, variables)
	return tab{browsertest.New(t), address}
}

const products = "sku,category,price,in_stock\nA101,fitness,29.99,true\nA102,fitness,39.99,true\nA103,fitness,49.99,false\nB201,yoga,19.99,false\n"

// TestFromASentenceToAHistory is the way of a change through the pages.
func TestFromASentenceToAHistory(t *testing.T) {
	b := newTab(t, nil)
	b.open("/")
	b.Shows("What should change?", "For example")
	b.keep("ask")
	b.fill("instruction", "Increase prices by 10% for all in-stock fitness products.")
	b.press("Make a plan")
	b.Shows("Increase prices by 10%", "What it will do", "Increase the price by 10% for products in category fitness that are in stock", "Drop your platform's product export here")
	b.keep("plan")
	b.choose("products.csv", products)
	b.Shows("What it would change", "2 of 4 rows would change", "plain", "A101", "29.99", "32.99", "A102", "39.99", "43.99", "Go ahead")
	b.keep("plan-table")
	b.press("Apply to products.csv")
	b.Shows("Waiting for its table")
	b.keep("execution-waiting")
	b.Shows("Completed", "2 of 4 rows changed", "Every change", "A101", "Record")
	b.press("Verify the record")
	b.Shows("The one document is as it was written")
	b.keep("execution")
	b.press("A101")
	b.Shows("History of A101", "29.99", "32.99", "plan_increase_prices")
	b.keep("product")
	b.open("/executions")
	b.Shows("plan_increase_prices", "Completed", "products.csv", "2 of 4")
	b.keep("executions")
}
