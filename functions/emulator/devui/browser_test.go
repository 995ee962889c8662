package devui_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/planwright/planwright/functions/browsertest"
	"github.com/planwright/planwright/functions/emulator/emulatortest"
)

// browser is a tab with ADK's page.
type browser struct{ browsertest.Browser }

// clickUntil clicks the element of one selector until there is one of another.
// The page shows its buttons before it listens to them.
func (b browser) clickUntil(clicked, shown string) {
	b.Helper()
	if _, err := chromedp.Run(b.Ctx, chromedp.Poll[bool](fmt.Sprintf(`(() => {
		if (document.querySelector(%q)) return true;
		document.querySelector(%q)?.click();
		return false;
	})()`, shown, clicked), chromedp.WithPollingInterval(time.Second))); err != nil {
		b.Fatalf("%v: clicking %s does not bring %s", err, clicked, shown)
	}
}

// say types a message and sends it. The page shows its box before it listens to
// it, so what was typed is told to it, and sent, until the box is empty.
func (b browser) say(message string) {
	b.Helper()
	b.Do(chromedp.SendKeys(chromedp.CSS("textarea"), message))
	if _, err := chromedp.Run(b.Ctx, chromedp.Poll[bool](`(() => {
		const box = document.querySelector("textarea");
		if (box.value === "") return true;
		box.dispatchEvent(new Event("input", {bubbles: true}));
		document.querySelector("button.send-message-btn").click();
		return false;
	})()`, chromedp.WithPollingInterval(200*time.Millisecond))); err != nil {
		b.Fatalf("%v: the page does not send %q", err, message)
	}
}

// keep writes a screenshot to the folder that DEVUI_SCREENSHOTS names.
func (b browser) keep(name string) { b.Keep(os.Getenv("DEVUI_SCREENSHOTS"), name) }

// TestThePage uses ADK's page as a person would: both apps are there and can be
// talked to, their events and state are shown.
func TestThePage(t *testing.T) {
	address, _ := emulatortest.Serve(t, nil)
	b := browser{browsertest.New(t)}
	b.Do(chromedp.Navigate(address + "/dev-ui/"))
	b.clickUntil("button.selector-button", "button.app-selector-item:nth-of-type(2)")
	b.Shows("Select an App", "goal_planning_agent", "poc6_sequential_failure")
	b.keep("apps")

	b.clickUntil("button.app-selector-item:nth-of-type(2)", "textarea")
	b.say("Run the sequence.")
	b.Shows("Run the sequence.", "FailingTool()",
		`{"status":"failure","message":"Tool failed: Simulated failure"}`, "State: agent_a_outcome",
		`{"status":"skipped","message":"Skipped due to Agent A failure."}`, "State: agent_b_outcome",
		`{"status":"skipped","message":"Skipped due to Agent B outcome."}`, "State: agent_c_outcome",
		"Agent A failed, B and C were skipped, D completed.")
	b.Do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('[role=tab]')].find(tab => tab.innerText.includes('State')).click()`))
	b.Shows("displayName", "agent_a_outcome", "agent_b_outcome", "agent_c_outcome")
	b.keep("sequence")
	checkStored(t, address)
	b.Do(chromedp.Reload())
	b.Shows("Run the sequence.", "FailingTool()", "agent_c_outcome", "Agent A failed, B and C were skipped, D completed.")
	b.checkOrigins(address)

	b.Do(chromedp.Navigate(address + "/dev-ui/?app=goal_planning_agent"))
	b.say("Build a web shop within 20 hours.")
	b.Shows("Build a web shop within 20 hours.", `"routing":"needs_planning"`, "State: availableHoursLeft, proposed_plan", "save_preview")
	b.keep("goal")
	b.say("Looks good, save it")
	b.Shows("Looks good, save it", `"routing":"finalize_only"`, "finalize_goal")
}

// checkOrigins asks the calls from the page: by the page's own address it may do
// everything, and by another name of the same server nothing.
func (b browser) checkOrigins(address string) {
	b.Helper()
	for origin, want := range map[string]string{address: "404", strings.Replace(address, "127.0.0.1", "localhost", 1): "refused"} {
		got, err := chromedp.Run(b.Ctx, chromedp.Evaluate[string](`fetch("`+origin+`/session/apps/goal_planning_agent/users/user/sessions/none",
			{method: "PATCH", headers: {"Content-Type": "application/json"}, body: '{"stateDelta": {"a": 1}}'})
			.then(answer => String(answer.status), () => "refused")`, chromedp.EvalAwaitPromise))
		if err != nil || got != want {
			b.Errorf("a PATCH at %s: %s, %v; want %s", origin, got, err, want)
		}
	}
}

// checkStored looks for the sequence's session behind the page.
func checkStored(t *testing.T, address string) {
	t.Helper()
	response, err := http.Get(address + "/session/apps/poc6_sequential_failure/users/user/sessions")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var list []struct{ State map[string]any }
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || !strings.Contains(list[0].State["agent_c_outcome"].(string), "skipped") {
		t.Errorf("stored: %+v", list)
	}
}
