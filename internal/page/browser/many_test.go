//go:build pages

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
)

// timing is when the page did what, in milliseconds since it was asked for.
const timing = `performance.getEntriesByType("navigation")[0]`

// openings is how often the page of many findings is opened to see how long that takes.
const openings = 3

// say prints what was measured, also where all is well.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "pages: "+format+"\n", args...) }

// TestMany opens a page of 10,000 findings and says how long that takes. The find of the
// browser, its print and the page's search see all of them.
func TestMany(t *testing.T) {
	const many = 10_000
	dir := t.TempDir()
	log, err := os.ReadFile(filepath.Join(examples, "session", "refund.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range many {
		log = fmt.Appendf(log, "{\"type\":\"step %d\",\"payload\":{\"text\":%q},}\n", i, strings.Repeat("said ", 20))
	}
	if err := os.WriteFile(filepath.Join(dir, "log.jsonl"), log, 0o666); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	file, _ := written(t, dir, "trace", "verify", "--max-findings", "100000", "log.jsonl")
	made := time.Since(began)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	o := open(t, file)
	n := ask[int](t, o, `document.querySelectorAll(".finding").length`)
	if n != many {
		t.Fatalf("%d findings on the page, expected %d", n, many)
	}
	for range openings {
		again := open(t, file)
		say("opened: first paint after %.0f ms, loaded after %.0f ms, of which the page's thread computed %.0f ms",
			ask[float64](t, again, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1`), ask[float64](t, again, timing+".loadEventEnd"), computed(t, again))
	}
	say("%d findings, %d bytes: made in %v; loaded after %.0f ms, of which the page's thread computed %.0f ms", n, len(text), made.Round(time.Millisecond), ask[float64](t, o, timing+".loadEventEnd"), computed(t, o))
	lastLine := ask[string](t, o, `[...document.querySelectorAll(".finding .number")].at(-1).textContent`)
	lastShown := ask[string](t, o, `[...document.querySelectorAll(".finding")].at(-1).id`)
	if !ask[bool](t, o, `find([...document.querySelectorAll(".finding")].at(-1).querySelector(".place").textContent)`) {
		t.Error("the browser does not find the last finding")
	}
	began = time.Now()
	o.slash(t)
	o.press(t, lastLine)
	o.until(t, `document.querySelectorAll(".finding:not([hidden])").length === 1`)
	say("a search through all: %v", time.Since(began).Round(time.Millisecond))
	if got := ask[string](t, o, `document.querySelector(".finding:not([hidden])").id`); got != lastShown {
		t.Errorf("the search shows %s, expected %s", got, lastShown)
	}
	o.press(t, escape)
	o.until(t, fmt.Sprintf(`document.querySelectorAll(".finding:not([hidden])").length === %d`, many))

	o.paper(t)
	// The browser lays out what it had passed over with its next frames.
	o.until(t, `[...document.querySelectorAll(".finding")].every((f) => f.querySelector(".message").checkVisibility({contentVisibilityAuto: true}))`)
}

// computed is how long the page's thread has computed, in milliseconds: what the machine does
// meanwhile does not count.
func computed(t *testing.T, o *opened) float64 {
	t.Helper()
	for _, m := range call(t, o, performance.GetMetrics, cdp.Empty{}).Metrics {
		if m.Name == "ThreadTime" {
			return m.Value * 1000
		}
	}
	t.Fatal("the browser does not say how long it computed")
	return 0
}
