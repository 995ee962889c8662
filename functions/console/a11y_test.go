package console_test

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/chromedp/chromedp"

	"github.com/planwright/planwright/functions/browsertest"
)

// plainRules are what every page keeps whether or not axe-core is at hand: text
// that can be read, fields that have names, one heading and one main part, and
// nothing that sticks out of the window.
const plainRules = `(() => {
	const wrong = [];
	const seen = e => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== "hidden";
	const name = e => (e.tagName + "." + e.className + " " + (e.innerText || e.value || "").slice(0, 40)).trim();
	const channel = v => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
	const light = c => .2126 * channel(c[0]) + .7152 * channel(c[1]) + .0722 * channel(c[2]);
	const color = text => text.match(/[\d.]+/g).map(Number);
	const ground = e => {
		for (; e; e = e.parentElement) {
			const c = color(getComputedStyle(e).backgroundColor);
			if (c.length < 4 || c[3] > 0) return c;
		}
		return [255, 255, 255];
	};
	for (const e of document.querySelectorAll("body *")) {
		const text = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
		if (!text || !seen(e) || e.closest(".hidden, .skip, svg")) continue;
		const style = getComputedStyle(e);
		if (parseFloat(style.fontSize) < 14) wrong.push("text of " + style.fontSize + ": " + name(e));
		const a = light(color(style.color)), b = light(ground(e));
		const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (contrast < 4.5) wrong.push("contrast " + contrast.toFixed(2) + ": " + name(e));
	}
	for (const e of document.querySelectorAll("input:not([type=hidden]), textarea, select"))
		if (!e.labels.length) wrong.push("no label: " + name(e));
	for (const e of document.querySelectorAll("button, a.button")) {
		const box = e.getBoundingClientRect();
		if (seen(e) && (box.height < 24 || box.width < 24)) wrong.push("a target of " + box.width + " by " + box.height + ": " + name(e));
	}
	for (const e of document.querySelectorAll("a, button"))
		if (seen(e) && !(e.innerText || e.textContent).trim()) wrong.push("no name: " + e.outerHTML);
	if (document.querySelectorAll("h1").length !== 1) wrong.push("not one h1");
	if (document.querySelectorAll("main").length !== 1) wrong.push("not one main");
	if (!document.documentElement.lang || !document.title) wrong.push("no language or title");
	if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the window: " + document.documentElement.scrollWidth);
	let level = 0;
	for (const h of document.querySelectorAll("h1, h2, h3, h4")) {
		if (h.tagName[1] > level + 1) wrong.push("a heading is skipped before: " + name(h));
		level = Number(h.tagName[1]);
	}
	return wrong;
})()`

// keyboard are the texts that Tab comes to, which must be in the order of the
// page and have a focus that can be seen.
const focusOrder = `(() => {
	const wrong = [];
	for (const e of document.querySelectorAll("a[href], button, input:not([type=hidden]), textarea, summary")) {
		if (e.tabIndex !== 0) wrong.push("a tabindex: " + e.outerHTML);
		if (e.closest(".skip") || !e.getClientRects().length) continue;
		e.focus({focusVisible: true});
		if (document.activeElement === e && getComputedStyle(e).outlineStyle === "none") wrong.push("a focus that cannot be seen: " + e.outerHTML);
	}
	document.activeElement?.blur();
	return wrong;
})()`

// accessible checks a page in both themes and at both widths: by the plain
// rules, and by axe-core where AXE_CORE names the file axe.min.js.
func (b tab) accessible(name string) {
	b.Helper()
	b.Until(`document.readyState == "complete"`) // with its stylesheet
	for _, look := range looks[:5] {
		b.Emulate(look.width, look.scheme)
		for _, rules := range []string{plainRules, focusOrder} {
			if wrong := browsertest.Eval[[]string](b.Browser, rules); len(wrong) > 0 {
				b.Errorf("%s, %s:\n%s", name, look.name, strings.Join(wrong, "\n"))
			}
		}
		b.axe(name + ", " + look.name)
	}
	b.Emulate(1280, "light")
	b.keep(name)
}

// axe reports what axe-core finds moderate or worse.
func (b tab) axe(name string) {
	b.Helper()
	path := os.Getenv("AXE_CORE")
	if path == "" {
		return
	}
	source, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	if !browsertest.Eval[bool](b.Browser, `"axe" in window`) {
		b.Do(chromedp.Evaluate[chromedp.Void](string(source)))
	}
	found, err := chromedp.Run(b.Ctx, chromedp.Evaluate[string](`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
		.then(r => JSON.stringify(r.violations.filter(v => ["moderate", "serious", "critical"].includes(v.impact)).map(v => v.id + ": " + v.help + " " + v.nodes.map(n => n.html).join(" "))))`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatal(err)
	}
	var violations []string
	if err := json.Unmarshal([]byte(found), &violations); err != nil || len(violations) > 0 {
		b.Errorf("%s: axe-core finds (%v)\n%s", name, err, strings.Join(violations, "\n"))
	}
}
