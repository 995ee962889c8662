package console_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/browsertest"
)

// striker is a Shopify export of a sports shop, as far as the sentences need one.
func striker() string {
	var table strings.Builder
	table.WriteString("Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker," +
		"Variant Inventory Qty,Variant Inventory Policy,Variant Fulfillment Service,Variant Price,Variant Compare At Price,Cost per item,Status\n")
	product := func(handle, title, kind, tags, price, compareAt, cost, status string, quantity int) {
		fmt.Fprintf(&table, "%s,%s,,Nike,%s,\"%s\",true,Title,Default Title,%s,shopify,%d,deny,manual,%s,%s,%s,%s\n",
			handle, title, kind, tags, strings.ToUpper(handle), quantity, price, compareAt, cost, status)
	}
	for i := range 8 {
		product(fmt.Sprintf("rm-%d", i), fmt.Sprintf("Real Madrid Jersey %d", i), "Jersey", "football, jersey, men", "1499.00", "", "700.00", "active", 3+i)
		product(fmt.Sprintf("w-%d", i), fmt.Sprintf("Ajax Women Jersey %d", i), "Jersey", "football, jersey, women", "1399.00", "", "650.00", "draft", 20)
		product(fmt.Sprintf("b-%d", i), fmt.Sprintf("Phantom Boot %d", i), "Football Boot", "football, boots, shoes", "3999.00", "9999.00", "2100.00", "active", 12)
	}
	return table.String()
}

// Hard sentences, as people type them, end in a change that is meant, or in rules beside which
// the impossible words are named, in at most four presses: one kind of open part each.
func TestHardSentencesEndInFourPresses(t *testing.T) {
	b := newTab(t, nil)
	held := reader{t, b.address}.hold("striker.csv", striker())
	for _, test := range []struct {
		sentence string
		presses  []string // the first words of buttons, or a field and its new value
		ends     []string // texts that the page shows at the end
	}{
		{"Real Madrid jerseys 200 cheaper from tomorrow till Sunday", []string{"−200", "Yes: starts"}, []string{"Schedule 8 changes"}},
		{"Black Friday: 25% off all football except boots", []string{"Ignore these words"}, []string{"Not used: “Black Friday”.", "Apply 16 changes"}},
		{"products with fewer than 5 left 30% off", []string{"−30% pieces in stock up to 4"}, []string{"Apply 2 changes"}},
		{"cost + 30% end in 9", []string{"All products"}, []string{"Apply 24 changes"}},
		{"double the discount on boots", []string{"Ignore these words", "r0-action=percent_decrease", "r0-value=20"}, []string{"Apply 8 changes"}},
		{"set the margin to 40% on jerseys", []string{"Ignore these words", "r0-action=cost_plus_percent", "r0-value=66.67"}, []string{"Apply 16 changes"}},
		{"baisser de 10% les prix Jersey", []string{"Ignore these words", "Ignore these words", "Decrease by 10%"}, []string{"Apply 16 changes"}},
		{"make the Phantom Boots 1299 and compare at 2999", []string{"price 1299 for name has “phantom boot”; then earlier price 2999"}, []string{"Apply 8 changes"}},
	} {
		if len(test.presses) > 3 {
			t.Fatalf("%s takes more than four presses", test.sentence)
		}
		b.open("/new?table=" + held + "&zone=Europe/Rome")
		b.Until(`document.documentElement.dataset.ready === ""`)
		b.fill("instruction", test.sentence)
		b.press("Fill in the rules")
		for _, press := range test.presses {
			if field, value, isField := strings.Cut(press, "="); isField {
				b.chosen(field, value)
			} else {
				b.pressBeginning(press)
			}
		}
		b.Shows(test.ends...)
		if !browsertest.Eval[bool](b.Browser, `Boolean(document.querySelector("#go .primary"))`) {
			t.Errorf("%s: it cannot be applied", test.sentence)
		}
	}
}

// chosen puts a value into a field of the rules, and waits until the page has taken it.
func (b tab) chosen(id, value string) {
	b.Helper()
	b.Until(fmt.Sprintf(`Boolean(document.getElementById(%q))`, id))
	b.fill(id, value)
	b.Until(fmt.Sprintf(`(document.getElementById(%q).dispatchEvent(new Event("input", {bubbles: true})), true)`, id))
	b.Until(fmt.Sprintf(`(document.getElementById(%q).dispatchEvent(new Event("change", {bubbles: true})), true)`, id))
}

// pressBeginning presses the button of a question that begins with a text, and waits until the
// question has gone.
func (b tab) pressBeginning(text string) {
	b.Helper()
	const questions = `document.querySelectorAll(".block.asks").length`
	before := 0
	b.Until(questions + ` > 0`)
	before = browsertest.Eval[int](b.Browser, questions)
	b.Until(fmt.Sprintf(`(() => {
		const found = [...document.querySelectorAll(".block.asks button")].find(one => one.innerText.trim().startsWith(%q));
		if (found) found.click();
		return Boolean(found);
	})()`, text))
	b.Until(fmt.Sprintf(`%s < %d`, questions, before))
}
