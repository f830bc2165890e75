//go:build pages

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestSessions opens the index of 2,000 sessions: it is sorted by a click, its links lead to findings, and it has no
// horizontal scroll on a telephone, nor without scripts.
func TestSessions(t *testing.T) {
	const many, narrow = 2000, 360
	dir := t.TempDir()
	var texts [2][]byte
	for i, name := range []string{"session.jsonl", "damaged.jsonl"} {
		text, err := os.ReadFile(filepath.Join(examples, "transcripts", name))
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = text
	}
	for i := range many {
		folder := filepath.Join(dir, "projects", fmt.Sprintf("-home-%s-app-%d", strings.Repeat("long", 20), i/100))
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		text := texts[0]
		if i%100 == 7 {
			text = texts[1]
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%04d.jsonl", i)), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file, code := written(t, dir, "check", "projects")
	if code != 1 {
		t.Errorf("exit code %d, expected 1", code)
	}
	o := open(t, file)
	const rows = `document.querySelectorAll(".sessions tbody tr")`
	if n := ask[int](t, o, rows+".length"); n != many {
		t.Errorf("%d sessions in the index, expected %d", n, many)
	}
	first := func(column int) string {
		return ask[string](t, o, fmt.Sprintf("%s[0].cells[%d].textContent", rows, column))
	}
	click := func(head int) {
		do(t, o, chromedp.Click(fmt.Sprintf(".sessions th:nth-child(%d) button", head+1)))
	}
	if got := first(5); got != "1 error" {
		t.Errorf("the first session has %q", got)
	}
	click(5)
	if got := first(5); got != "1 error" {
		t.Errorf("the worst session has %q", got)
	}
	click(5)
	if got := first(5); got != "none" {
		t.Errorf("the best session has %q", got)
	}
	click(2)
	if got := first(2); !strings.Contains(got, "/0000.jsonl") {
		t.Errorf("the first session by name is %q", got)
	}
	if got := ask[int](t, o, `[...document.querySelectorAll(".sessions td a")].filter((a) => !document.getElementById(a.hash.slice(1))).length`); got != 0 {
		t.Errorf("%d links lead nowhere", got)
	}
	const wide = "document.documentElement.scrollWidth"
	fits := func(o *opened, how string) {
		call(t, o, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: narrow, Height: 740, DeviceScaleFactor: 1})
		if got := ask[int](t, o, wide); got > narrow {
			t.Errorf("%s: the page is %d pixels wide, the window %d", how, got, narrow)
		}
		keep(t, "sessions-"+how+".png", run(t, o, chromedp.CaptureScreenshot()))
	}
	fits(o, "narrow")
	call(t, o, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	do(t, o, chromedp.Navigate("file://"+file), chromedp.WaitReady("main"))
	if n := ask[int](t, o, rows+".length"); n != many {
		t.Errorf("%d sessions without scripts, expected %d", n, many)
	}
	fits(o, "without-scripts")
}
