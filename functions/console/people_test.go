package console_test

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os/user"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/planwright/planwright/functions/browsertest"
	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/emulator/emulatortest"
	"github.com/planwright/planwright/shared/config"
)

// personHeader is where the proxy of these tests says who somebody is.
const personHeader = "X-Forwarded-User"

// office is the pages behind a proxy that signs people in.
type office struct {
	*testing.T
	address string
}

// openOffice serves the pages behind such a proxy.
func openOffice(t *testing.T, variables map[string]string) office {
	t.Helper()
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	public := "http://" + listener.Addr().String()
	given := maps.Clone(variables)
	given["PUBLIC_URL"] = public
	settings, err := emulator.ReadSettings(config.Map(given))
	if err == nil {
		settings, err = settings.BehindProxy(personHeader)
	}
	if err != nil {
		t.Fatal(err)
	}
	address, _ := emulatortest.ServeWith(t, settings)
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &http.Server{Handler: signIn(target)}
	go func() { _ = proxy.Serve(listener) }()
	t.Cleanup(func() { _ = proxy.Close() })
	return office{t, public}
}

// signIn is a proxy that signs in whoever asks for it, under any name.
func signIn(target *url.URL) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sign-in", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "person", Value: r.FormValue("as"), Path: "/"})
		http.Redirect(w, r, r.FormValue("to"), http.StatusSeeOther)
	})
	mux.Handle("/", &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
		r.Out.Header.Del(personHeader)
		if cookie, err := r.In.Cookie("person"); err == nil {
			r.Out.Header.Set(personHeader, cookie.Value)
		}
	}})
	return mux
}

// person opens a browser in which somebody is signed in.
func (o office) person(name string) tab {
	o.Helper()
	b := tab{browsertest.New(o.T), o.address, nil}
	b.Do(chromedp.Navigate(o.address + "/sign-in?" + url.Values{"as": {name}, "to": {"/"}}.Encode()))
	return b
}

// here is the path of the page.
func (b tab) here() string {
	b.Helper()
	return browsertest.Eval[string](b.Browser, `location.pathname`)
}

// lacks reports an error where the page shows one of some texts.
func (b tab) lacks(texts ...string) {
	b.Helper()
	for _, text := range texts {
		if browsertest.Eval[bool](b.Browser, fmt.Sprintf(`document.body.innerText.includes(%q)`, text)) {
			b.Errorf("%s says %q", b.here(), text)
		}
	}
}

// hasNoButton reports an error where the page has a button that says so.
func (b tab) hasNoButton(text string) {
	b.Helper()
	if browsertest.Eval[bool](b.Browser, fmt.Sprintf(`[...document.querySelectorAll("button, summary, a.button")].some(e => e.innerText.trim() === %q && e.checkVisibility())`, text)) {
		b.Errorf("%s has the button %q", b.here(), text)
	}
}

// opened opens a part of the page that is folded.
func (b tab) opened(id string) {
	b.Helper()
	b.Until(fmt.Sprintf(`(() => { const part = document.getElementById(%q); if (part) part.open = true; return Boolean(part); })()`, id))
}

// asks uploads a table, has the rules of a sentence filled in, and asks for approval.
func (b tab) asks(name, content, sentence string) (page string) {
	b.Helper()
	b.begin(name, content, sentence)
	b.press("Ask for approval")
	b.Until(`(() => { // a change that moves much is looked at once more
		const again = document.querySelector("h1")?.innerText === "Look once more" && document.querySelector("button.primary");
		if (again) again.click();
		return location.pathname.startsWith("/executions/");
	})()`)
	b.Shows("Waiting for approval")
	return b.here()
}

// One person asks, another decides: names stand for who is waited for, each decision is
// told to both, and a late one says who was first.
func TestOneAsksAnotherDecides(t *testing.T) {
	o := openOffice(t, map[string]string{"PLANNERS": "dora", "APPROVERS": "Ana,Ben", "APPROVAL": "always"})
	dora, ana := o.person("dora"), o.person("Ana")
	page := dora.asks("products.csv", products, "Increase prices by 10% for all in-stock fitness products.")
	dora.Shows("Waiting for Ana or Ben.", "2", "of 4 change", "29.99", "32.99")
	dora.lacks("APPROVERS", "execution", "proposal")
	dora.hasNoButton("Approve")
	dora.accessible("review-asked")
	ana.open("/")
	ana.Shows("1 is waiting.")
	ana.open(page)
	ana.Shows("Waiting for approval · asked for by dora", "of 4 change", "A101")
	ana.accessible("review")
	ana.opened("ask")
	ana.fill("ask-note", "Only yoga, please")
	ana.press("Send it back")
	ana.Shows("Sent back", "Nothing was changed", "Please change: Only yoga, please")
	dora.Shows("Sent back", "Edit", "Please change: Only yoga, please")
	dora.accessible("review-sent-back")
	dora.press("Edit")
	dora.Shows("New change", "You are editing")
	dora.press("Ask for approval")
	dora.Shows("Waiting for Ana or Ben.")
	again := dora.here()
	dora.press("Withdraw")
	dora.Shows("Withdrawn", "Nothing was changed")

	third := dora.asks("products.csv", products, "Discount yoga by 5%.")
	if third == again {
		t.Error("a new change has the page of another")
	}
	ben := o.person("Ben")
	ben.open(third)
	ben.Shows("Waiting for approval")
	ben.Until(`(document.querySelector("[data-live]")?.remove(), true)`) // as a page that is not refreshed
	mark := browsertest.Eval[string](ben.Browser, `document.querySelector("[name=proposal_sha256]").value`)
	ana.open(third)
	ana.press("Approve")
	ana.Shows("Done. 1 price is in the file.")
	ben.Until(fmt.Sprintf(`(() => { // what was on the page before it was refreshed
		const form = document.createElement("form");
		form.method = "post"; form.action = %q;
		form.innerHTML = '<input name="proposal_sha256" value=%q>';
		document.body.append(form); form.submit(); return true;
	})()`, third+"/approve", mark))
	ben.Shows("Ana approved it. That was", "before you approved it.", "Done. 1 price is in the file.")
	ben.accessible("review-late")
	dora.Shows("Done. 1 price is in the file.", "Approved by Ana")
	dora.lacks("carried out", "taken back", "handed in")
}

// A change is approved, another is made on its result, and the first is undone: the page
// asks about the product of both, and keeps it.
func TestUndoByMouse(t *testing.T) {
	b := newTab(t, nil)
	b.begin("products.csv", products, "Increase prices by 10% for all in-stock fitness products.")
	b.press("Apply 2 changes")
	b.Shows("Done. 2 prices are in the file.", "Make another change on this result", "Undo")
	first := b.here()
	b.press("Make another change on this result")
	b.Shows("New change", "products")
	b.fill("instruction", "Set the price of A101 to 50.")
	b.press("Fill in the rules")
	b.Shows("of 4 change", "32.99", "50")
	b.press("Apply 1 change")
	b.Until(`document.querySelector("h1").innerText === "Look once more" || location.pathname.startsWith("/executions/")`)
	if browsertest.Eval[bool](b.Browser, `location.pathname === "/new"`) {
		b.press("Apply 1 change")
	}
	b.Shows("Done. 1 price is in the file.")
	b.open(first)
	b.press("Undo")
	b.Shows("Waits for your answer", "1 product changed since.", "A101", "50")
	b.accessible("undo-asks")
	b.press("Keep those")
	b.Shows("Undone. 1 price is as before in the file.", "These products changed since and stayed as they are:", "A101")
	b.accessible("undo")
}

// withBen are the variables of an installation that whoever runs the test shares with Ben.
func withBen(t *testing.T) map[string]string {
	t.Helper()
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"APPROVERS": me.Username + ",ben"}
}

// Many products are searched by name, ordered, narrowed and paged through, before and after.
func TestManyProductsArePaged(t *testing.T) {
	b := newTab(t, withBen(t))
	table := "sku,category,name,price,in_stock\n"
	for i := range 120 {
		table += fmt.Sprintf("S-%03d,a,Thing %d,%d.37,true\n", i, i, 130-i)
	}
	b.asks("many.csv", table, "Increase all prices by 10%.")
	for range 2 {
		b.Shows("1 to 50 of 120", "Next")
		b.press("Next")
		b.Shows("S-050", "51 to 100 of 120")
		b.press("Back")
		b.Shows("S-000", "1 to 50 of 120")
		b.fill("search", "thing 11")
		b.press("Show")
		b.Shows("Thing 11", "Thing 119", "1 to 11 of 11")
		b.press("Cheaper")
		b.Shows("No product that changes is like that.")
		b.press("Show all")
		b.Shows("1 to 50 of 120")
		if browsertest.Eval[bool](b.Browser, `Boolean(document.querySelector("form[action$='/approve']"))`) {
			b.Until(`(() => { const at = name => document.getElementById(name).getBoundingClientRect();
				const rows = [...document.querySelectorAll(".products tbody tr")].filter(row => row.getBoundingClientRect().bottom <= at("decide").top || row.getBoundingClientRect().bottom < innerHeight - 70);
				return rows.length >= 5; })()`) // at the first view, above the buttons
			b.accessible("review-rows")
			b.press("Approve")
			b.Shows("Done. 120 prices are in the file.")
		}
	}
	b.accessible("result-rows")
}
