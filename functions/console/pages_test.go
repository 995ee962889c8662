package console_test

import (
	"io"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/emulator/emulatortest"
)

// upload sends a table and returns the page that it leads to.
func (r reader) upload(name, content string) (status int, at *url.URL, text string) {
	r.Helper()
	return r.send("/tables", name, func(w io.Writer) error { _, err := io.WriteString(w, content); return err })
}

// What is open about a file is asked once, all in one place, and not again of a file with the
// same columns. No plan asks for a column that was said there.
func TestTheFileIsCheckedOnce(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	const content = "artikel;titel;marke;vk;lager\nA1;Hose;Bosch;12,90;ja\nA2;Hemd;Bosch;25 000Fcf;nein\nA3;Rock;Makita;9,90;ja\n"
	_, at, text := r.upload("preise.csv", content)
	if !strings.HasSuffix(at.Path, "/check") {
		t.Fatalf("at %s:\n%s", at, text)
	}
	for _, want := range []string{`for="role-sku"`, `for="role-name"`, `for="role-brand"`, `for="role-category"`, `for="role-price"`, `for="role-cost"`, `for="role-in_stock"`, "12,90 · "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	settings := strings.TrimSuffix(at.Path, "/check") + "/settings"
	said := url.Values{"checked": {"1"}, "role": {"sku", "price"}, "title": {"artikel", "vk"}}
	save := func() {
		_, at, text = r.ask("POST", settings, "application/x-www-form-urlencoded", strings.NewReader(said.Encode()))
	}
	if save(); !strings.Contains(text, "1 row with a price that cannot be read, the first in row 3. It says") || !strings.Contains(text, "Leave them alone") || !strings.Contains(text, "Row 3: <span class=\"cell\">25 000Fcf") {
		t.Fatalf("at %s:\n%s", at, text)
	}
	said.Set("odd_rows", "leave")
	if save(); at.Path != "/new" {
		t.Fatalf("at %s:\n%s", at, text)
	}
	_, at, text = r.upload("preise2.csv", strings.Replace(content, "12,90", "13,90", 1))
	if at.Path != "/new" {
		t.Errorf("asked again at %s:\n%s", at, text)
	}
}

// What is no product file is said, and a workbook is refused with the way on.
func TestNoProductFile(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	for name, test := range map[string]struct{ content, want string }{
		"orders.csv":  {"Name,Email,Financial Status,Lineitem name,Lineitem price,Billing City\n#1,a@b.c,paid,Hose,12.00,Rom\n", "This looks like an export of orders"},
		"notes.txt":   {"Dear all\nplease raise the prices\n", "This is not a table"},
		"names.csv":   {"artikel,titel\nA,Hose\nB,Hemd\n", "there are no prices in it"},
		"prices.xlsx": {"PK", "save it as CSV"},
	} {
		if _, at, text := r.upload(name, test.content); !strings.Contains(text, test.want) || !strings.Contains(text, "pload") {
			t.Errorf("%s at %s: no %q in\n%s", name, at, test.want, text)
		}
	}
}

// Changes are found by words, with a typing error too, by person, day and brand.
func TestChangesAreFound(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	_, at, _ := r.upload("products.csv", "sku,brand,price\nA1,Nintendo,10.00\nA2,Sony,20.00\n")
	table := at.Query().Get("table")
	for _, sentence := range []string{"Raise Nintendo by 10%.", "Raise Sony by 5%."} {
		_, done, _ := r.pressed(r.planned(sentence, table), table, "apply")
		r.until(done.Path, "Done. 1 price is in the file.")
	}
	for query, want := range map[string]string{
		"search=nintndo": "Nintendo", "search=A2": "Sony", "brand=sony": "Sony", "brand=lego": "", "person=nobody": "",
		"from=2020-01-01": "Nintendo Sony", "until=2020-01-01": "", "search=sonny": "Sony", "search=zork": "",
	} {
		_, _, text := r.ask("GET", "/executions?"+query, "", nil)
		for _, brand := range []string{"Nintendo", "Sony"} {
			if strings.Contains(text, "Raise "+brand) != strings.Contains(want, brand) {
				t.Errorf("%s finds %s: want %q\n%s", query, brand, want, text)
			}
		}
	}
	if _, _, text := r.ask("GET", "/", "", nil); !strings.Contains(text, "To do") || strings.Count(text, "<strong>Import</strong>") != 2 {
		t.Errorf("the start page does not say that files are ready:\n%s", text)
	} else if file := regexp.MustCompile(`/executions/[^/]+/files/import`).FindString(text); file == "" {
		t.Errorf("no file to download:\n%s", text)
	} else if _, _, rows := r.ask("GET", file, "", nil, "Accept", "*/*"); !strings.HasPrefix(rows, "sku,price\n") || strings.Count(rows, "\n") != 2 {
		t.Errorf("the file to import is\n%s", rows)
	} else if done := regexp.MustCompile(`/executions/[^/]+/imported\?from=start`).FindString(text); done != "" {
		if _, at, text := r.form(done); at.Path != "/" || strings.Count(text, "<strong>Import</strong>") != 1 {
			t.Errorf("at %s, what is done is still to be done:\n%s", at, text)
		}
	}
}

// Products are listed with their prices of now, and found by name, SKU and brand.
func TestProducts(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	r := reader{t, address}
	if _, _, text := r.ask("GET", "/products", "", nil); !strings.Contains(text, "Upload your product file") {
		t.Error(text)
	}
	_, at, _ := r.upload("products.csv", "sku,name,brand,price\nA1,Switch OLED,Nintendo,349.00\nA2,Walkman,Sony,79.90\n")
	sent := url.Values{"t": {at.Query().Get("table")}, "f": {"products.csv"}, "n": {"2"}, "e": {time.Now().Add(time.Hour).UTC().Format("20060102T150405Z")}}
	cookie := "tables=" + strings.ReplaceAll(sent.Encode(), ".", "%2E")
	for query, want := range map[string]string{"": "A1 A2", "walk": "A2", "nintendo": "A1", " A1 ": "A1", "lego": ""} {
		_, _, text := r.ask("GET", "/products?search="+url.QueryEscape(query), "", nil, "Cookie", cookie)
		for _, sku := range []string{"A1", "A2"} {
			if strings.Contains(text, `href="/products?sku=`+sku) != strings.Contains(want, sku) {
				t.Errorf("%q finds %s: want %q\n%s", query, sku, want, text)
			}
		}
	}
	if _, _, text := r.ask("GET", "/products?sku=A2", "", nil, "Cookie", cookie); !strings.Contains(text, "<h1>Walkman</h1>") || !strings.Contains(text, "79.90") {
		t.Error(text)
	}
}

// Who may do what is read from the configuration, where it says something.
func TestPeople(t *testing.T) {
	address, _ := emulatortest.Serve(t, map[string]string{"APPROVERS": "ben", "PLANNERS": "ana"})
	r := reader{t, address}
	_, _, text := r.ask("GET", "/people", "", nil)
	for _, want := range []string{`<a href="/people" aria-current="page">People</a>`, `ana</th><td>make changes`, `ben</th><td>approve`, "Everybody else"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	alone, _ := emulatortest.Serve(t, nil)
	if _, _, text := (reader{t, alone}).ask("GET", "/", "", nil); strings.Contains(text, "/people") {
		t.Errorf("one person alone has a page of people:\n%s", text)
	}
}
