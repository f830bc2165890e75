//go:build pages

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// timing is when the page did what, in milliseconds since it was asked for.
const timing = `performance.getEntriesByType("navigation")[0]`

// say prints what was measured, also where all is well.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "pages: "+format+"\n", args...) }

// mostElements limits the elements of a page of 10,000 findings.
const mostElements = 60_000

// TestMany opens pages of 10,000 findings, of one log and of many files, and of 20,000. The find of the browser, its
// print, the page's search, keys and links reach all of them.
func TestMany(t *testing.T) {
	for _, c := range []struct {
		name       string
		many, logs int
	}{{"log", 10_000, 1}, {"files", 10_000, 5_000}, {"limit", 20_000, 1}} {
		t.Run(c.name, func(t *testing.T) { manyFindings(t, c.many, c.logs) })
	}
}

func manyFindings(t *testing.T, many, logs int) {
	dir := t.TempDir()
	for n := range logs {
		log, err := os.ReadFile(filepath.Join(examples, "session", "refund.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range many / logs {
			log = fmt.Appendf(log, "{\"type\":\"step %d\",\"payload\":{\"text\":%q},}\n", i, strings.Repeat("said ", 20))
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("log-%04d.jsonl", n)), log, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file, _ := written(t, dir, "trace", "verify", "--max-findings", "100000", ".")
	o := open(t, file)
	say("%d findings in %d files: %d elements, loaded after %.0f ms, of which the page's thread computed %.0f ms", many, logs,
		ask[int](t, o, `document.querySelectorAll("*").length`), ask[float64](t, o, timing+".loadEventEnd"), computed(t, o))
	if n := ask[int](t, o, `document.querySelectorAll("*").length`); n > mostElements {
		t.Errorf("%d elements, expected at most %d", n, mostElements)
	}
	const found = `document.querySelector("#matches").textContent`
	filtered := func(words, want string) {
		t.Helper()
		took := ask[float64](t, o, fmt.Sprintf(`new Promise((done) => {
			const search = document.querySelector("#search"), began = performance.now();
			search.value = %q;
			search.dispatchEvent(new Event("input"));
			const look = () => (document.querySelector("#matches").textContent === "searching" ? setTimeout(look) : done(performance.now() - began));
			requestAnimationFrame(look);
		})`, words))
		say("a search for %q: %.0f ms, %s", words, took, ask[string](t, o, found))
		if got := ask[string](t, o, found); !strings.HasPrefix(got, want) {
			t.Errorf("a search for %q finds %q, expected %q", words, got, want)
		}
	}
	filtered("JSON step", "")
	first := ask[string](t, o, found)
	ask[any](t, o, `document.querySelector("#clear").click()`)
	last := fmt.Sprintf("f%d", many)
	ask[any](t, o, fmt.Sprintf(`location.hash = "#%s"`, last))
	o.until(t, fmt.Sprintf(`document.getElementById(%q)?.querySelector(".message")?.checkVisibility()`, last))
	o.until(t, fmt.Sprintf(`Math.abs(document.getElementById(%q).getBoundingClientRect().top) < innerHeight`, last))
	o.press(t, "k")
	if got := ask[string](t, o, `document.activeElement.id`); got == "" {
		t.Error("the keys lead nowhere")
	}
	if !ask[bool](t, o, `getSelection().removeAllRanges(), scrollTo(0, 0), find("step 1", true) || find("JSON", false)`) {
		t.Error("the browser finds no finding")
	}
	filtered("nothing-says-this", "0 of ")
	o.until(t, `document.querySelector("#nothing").checkVisibility() && document.querySelectorAll(".finding").length === [...document.querySelectorAll(".finding")].filter((f) => !f.checkVisibility()).length`)
	ask[any](t, o, `document.querySelector("#clear").click()`)
	o.until(t, `!document.querySelector("#nothing").checkVisibility()`)
	if logs == 1 {
		filtered(fmt.Sprintf("%d,", many+10), "1 of ")
	}
	filtered("JSON step", first) // whatever was near the window meanwhile
	filtered("", "")
	if logs == 1 {
		o.paper(t)
		o.until(t, fmt.Sprintf(`document.querySelectorAll(".finding").length === %d && [...document.querySelectorAll(".finding")].every((f) => f.textContent.includes("line ") && f.checkVisibility({contentVisibilityAuto: true}))`, many))
	}
}

// TestWithoutScripts opens a page of 10,000 findings without JavaScript: it has the verdict and the first findings, and
// says how many others there are.
func TestWithoutScripts(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "log.jsonl"), []byte(strings.Repeat("{]\n", 10_000)), 0o666); err != nil {
		t.Fatal(err)
	}
	file, _ := written(t, dir, "trace", "verify", "--max-findings", "100000", "log.jsonl")
	o := open(t, file)
	call(t, o, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	do(t, o, chromedp.Navigate("file://"+file), chromedp.WaitReady("main"))
	for _, want := range []string{".verdict.bad", "50 × .finding.error", ".findings > .still"} {
		o.holds(t, want)
	}
	if got := ask[string](t, o, `document.querySelector(".findings > .still").textContent`); !strings.Contains(got, " more: a browser with JavaScript shows them") {
		t.Errorf("the page says %q", got)
	}
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
