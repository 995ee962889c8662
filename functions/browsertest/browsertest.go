// Package browsertest is a tab of headless Chromium for tests of pages. It waits
// for what a page shows, never for a time.
package browsertest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// patience is how long all that one tab does may take, where the test's own time
// is not shorter. A machine that tests on all its cores is slow.
const patience = 5 * time.Minute

func patienceOf(t testing.TB) time.Duration {
	if timed, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if deadline, ok := timed.Deadline(); ok {
			return min(patience, time.Until(deadline)-5*time.Second)
		}
	}
	return patience
}

// Browser is a tab.
type Browser struct {
	testing.TB
	Ctx context.Context

	last *string // what the page showed when it was last looked at
}

// shared is the one Chromium of a package's tests, or why there is none. Nil: each test
// starts its own.
var shared func() (context.Context, error)

// Run runs a package's tests, for its TestMain. They share one Chromium, in which each test has
// cookies, storage and cache of its own.
func Run(m *testing.M) int {
	stop := func() {}
	defer func() { stop() }()
	shared = sync.OnceValues(func() (context.Context, error) {
		ctx, end := start()
		stop = end
		return ctx, chromedp.Do(ctx, chromedp.Navigate("about:blank"))
	})
	return m.Run()
}

// start prepares a Chromium, which the first step starts.
func start() (ctx context.Context, stop func()) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.WindowSize(1400, 900),
		chromedp.Flag("lang", "en-GB"), chromedp.WSURLReadTimeout(time.Minute))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses root a sandbox
	}
	ctx, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, closed := chromedp.NewContext(ctx)
	return ctx, func() { closed(); end() }
}

// New opens a tab in Chromium, where it is installed. With REQUIRE_CHROMIUM it must be.
func New(t testing.TB) Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	ctx, stop, err := open()
	if err == nil {
		t.Cleanup(stop)
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, patienceOf(t))
		t.Cleanup(cancel)
		err = chromedp.Do(ctx, chromedp.Navigate("about:blank"), inFront)
	}
	if err != nil {
		if os.Getenv("REQUIRE_CHROMIUM") != "" {
			t.Fatal(err)
		}
		t.Skipf("Chromium does not start: %v", err)
	}
	return Browser{t, ctx, new(string)}
}

// open is a tab of the shared Chromium, or of one of its own.
func open() (ctx context.Context, stop func(), err error) {
	if shared == nil {
		ctx, stop = start()
		return ctx, stop, nil
	}
	if ctx, err = shared(); err != nil {
		return nil, nil, err
	}
	ctx, stop = chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	return ctx, stop, nil
}

// inFront gives the tab the focus of a window that somebody works in.
var inFront = chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
	_, err := cdp.Call(
		ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true},
	)
	return err
})

// Do takes steps.
func (b Browser) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.Ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// Eval returns the value of a JavaScript expression.
func Eval[T any](b Browser, expression string) T {
	b.Helper()
	value, err := chromedp.Run(b.Ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%v: %s", err, expression)
	}
	return value
}

// between is the time between two looks at a page.
const between = 50 * time.Millisecond

// Until waits until a JavaScript expression is true. A page that is left
// meanwhile has no answer, and the next is asked.
func (b Browser) Until(expression string) {
	b.Helper()
	for {
		is, err := chromedp.Run(b.Ctx, chromedp.Evaluate[bool](expression))
		if is && err == nil {
			return
		}
		if b.Ctx.Err() != nil {
			b.Fatalf("never true: %s (%v)\nthe page was\n%s", expression, err, *b.last)
		}
		if shown, err := chromedp.Run(b.Ctx,
			chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText`)); err == nil {
			*b.last = shown
		}
		time.Sleep(between)
	}
}

// Shows waits until the page shows texts, in this order.
func (b Browser) Shows(texts ...string) {
	b.Helper()
	wanted, err := json.Marshal(texts)
	if err != nil {
		b.Fatal(err)
	}
	b.Until(`(() => {
		let at = 0;
		return ` + string(wanted) + `.every(text => (at = document.body.innerText.indexOf(text, at)) >= 0);
	})()`)
}

// Emulate sets the window's width and the theme that the reader prefers, light or
// dark.
func (b Browser) Emulate(width int64, theme string) {
	b.Helper()
	b.Do(chromedp.EmulateViewport(width, 900),
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})
			return err
		}))
}

// Keep writes a screenshot into a folder, for a person to look at. It does
// nothing where the folder is "".
func (b Browser) Keep(folder, name string) {
	b.Helper()
	if folder == "" {
		return
	}
	b.write(folder, name, chromedp.FullScreenshot(100))
}

// Crop is Keep for the upper part of a page, of the window's size.
func (b Browser) Crop(folder, name string, width, height int64) {
	b.Helper()
	if folder == "" {
		return
	}
	b.Do(chromedp.EmulateViewport(width, height), chromedp.Evaluate[chromedp.Void]("scrollTo(0, 0)"))
	b.write(folder, name, chromedp.CaptureScreenshot())
}

func (b Browser) write(folder, name string, picture chromedp.Action[[]byte]) {
	b.Helper()
	png, err := chromedp.Run(b.Ctx, picture)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644)
	}
	if err != nil {
		b.Error(err)
	}
}
