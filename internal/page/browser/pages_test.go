//go:build pages

package browser

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// example is a case of cases.txt.
type example struct {
	name  string
	code  int
	args  []string
	holds []string
}

func exampleCases(t *testing.T) (list []example) {
	t.Helper()
	file, err := os.Open("cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "\t"):
			last := &list[len(list)-1]
			last.holds = append(last.holds, strings.TrimSpace(line))
		default:
			code, err := strconv.Atoi(words[1])
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			list = append(list, example{name: words[0], code: code, args: words[2:]})
		}
	}
	if len(list) == 0 {
		t.Fatal("no cases")
	}
	return list
}

// TestExamples opens each page: it has what it must have, keys lead through it, and it can be
// looked at in both themes and on paper.
func TestExamples(t *testing.T) {
	for _, c := range exampleCases(t) {
		t.Run(c.name, func(t *testing.T) {
			file, code := written(t, examples, c.args...)
			if code != c.code {
				t.Errorf("exit code %d, expected %d", code, c.code)
			}
			o := open(t, file)
			for _, want := range c.holds {
				o.holds(t, want)
			}
			o.walk(t)
			o.themes(t, c.name)
			o.narrow(t)
			o.accessible(t)
		})
	}
}

// narrow wants no horizontal scroll on a telephone, with all lists unfolded.
func (o *opened) narrow(t *testing.T) {
	t.Helper()
	const width = 360
	call(t, o, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	call(t, o, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 740, DeviceScaleFactor: 1})
	ask[any](t, o, `document.querySelectorAll("details").forEach((d) => (d.open = true))`)
	if got := ask[int](t, o, "document.documentElement.scrollWidth"); got > width {
		t.Errorf("the page is %d pixels wide, the window %d", got, width)
	}
}

// accessible wants that axe reports nothing, in both themes. AXE is its script, which `make pages` gets unless
// AXE_SKIP is set.
func (o *opened) accessible(t *testing.T) {
	t.Helper()
	if os.Getenv("AXE_SKIP") != "" {
		t.Log("axe: NOT run: AXE_SKIP is set")
		return
	}
	script, err := os.ReadFile(os.Getenv("AXE"))
	if err != nil {
		t.Errorf("axe was not run: %v; make pages gets its script", err)
		return
	}
	ask[any](t, o, string(script)+"; 0")
	for _, scheme := range []string{"light", "dark"} {
		call(t, o, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		for _, fault := range ask[[]string](t, o, `axe.run().then((r) => r.violations.map((v) => v.id + ": " + v.nodes[0].html))`) {
			t.Errorf("axe, %s: %s", scheme, fault)
		}
	}
}

// TestPrint checks that a check of many files is printed on few pages.
func TestPrint(t *testing.T) {
	const most = 40
	file, _ := written(t, examples, "check", ".")
	pdf := run(t, open(t, file), chromedp.PrintToPDF(chromedp.PDFPrintBackground()))
	keep(t, "check-all.pdf", pdf)
	if pages := strings.Count(string(pdf), "/Type /Page\n"); pages == 0 || pages > most {
		t.Errorf("%d pages, expected at most %d", pages, most)
	}
}

// holds wants what a selector names, "3 × SELECTOR" as often as it says.
func (o *opened) holds(t *testing.T, want string) {
	t.Helper()
	times, selector, counted := strings.Cut(want, " × ")
	if !counted {
		selector = want
	}
	n := ask[int](t, o, fmt.Sprintf("document.querySelectorAll(%q).length", selector))
	if n == 0 || counted && strconv.Itoa(n) != times {
		t.Errorf("%d times %s, expected %s", n, selector, want)
	}
}

// escape is the key Esc.
const escape = "\u001b"

// walked is how many findings the keys go through on a page.
const walked = 30

// walk goes through the page by keys alone.
func (o *opened) walk(t *testing.T) {
	t.Helper()
	ids := ask[[]string](t, o, `[...document.querySelectorAll(".finding")].map((f) => f.id)`)
	steps := min(len(ids), walked)
	focused := func(want string) {
		t.Helper()
		if got := ask[string](t, o, "document.activeElement.id"); got != want {
			t.Errorf("the focus is on %q, expected %q", got, want)
		}
	}
	for _, id := range ids[:steps] {
		o.press(t, "j")
		focused(id)
	}
	for i := steps - 2; i >= 0; i-- {
		o.press(t, "k")
		focused(ids[i])
	}
	o.walkRows(t)
	o.press(t, "?")
	o.until(t, `document.querySelector("#help").open`)
	o.press(t, escape)
	o.until(t, `!document.querySelector("#help").open`)
	if ask[bool](t, o, `!!document.querySelector("#search")`) {
		o.search(t)
	}
}

// walkRows goes through the rows and cells that are seen, there and back.
func (o *opened) walkRows(t *testing.T) {
	t.Helper()
	const rows = `[...document.querySelectorAll(".item:not(.finding), .item > .cell:has(a)")].filter((e) => e.checkVisibility())`
	const at = rows + ".indexOf(document.activeElement)"
	ask[any](t, o, "document.activeElement.blur()")
	steps := min(ask[int](t, o, rows+".length"), walked)
	for i := range steps {
		o.press(t, "n")
		if got := ask[int](t, o, at); got != i {
			t.Errorf("n leads to row %d, expected %d", got, i)
		}
	}
	if steps > 1 {
		o.press(t, "p")
		if got := ask[int](t, o, at); got != steps-2 {
			t.Errorf("p leads to row %d, expected %d", got, steps-2)
		}
	}
}

// search narrows the page to what nothing says, and back to all.
func (o *opened) search(t *testing.T) {
	t.Helper()
	const shown = `[...document.querySelectorAll(".item")].filter((i) => !i.hidden).length`
	o.slash(t)
	o.press(t, "nothing-says-this")
	o.until(t, `document.querySelector("#search").value === "nothing-says-this"`)
	o.until(t, shown+" === 0")
	o.press(t, escape)
	o.until(t, `document.querySelector("#matches").textContent === "" && !document.querySelector(".item[hidden]")`)
	if got := ask[string](t, o, "document.activeElement.id"); got == "search" {
		t.Error("Esc leaves the search box focused")
	}
}

// slash presses the key / as a keyboard does: one event, of which the page may keep the
// character away.
func (o *opened) slash(t *testing.T) {
	t.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		event := input.DispatchKeyEventParams{Type: kind, Key: "/", Code: "Slash"}
		if kind == input.DispatchKeyEventTypeKeyDown {
			event.Text = "/"
		}
		call(t, o, input.DispatchKeyEvent, event)
	}
}

// themes takes a screenshot in each theme, and of the page on paper.
func (o *opened) themes(t *testing.T, name string) {
	t.Helper()
	const ground = `getComputedStyle(document.body).backgroundColor`
	seen := map[string]bool{}
	ask[any](t, o, `document.querySelectorAll("*").forEach((e) => { if (getComputedStyle(e).contentVisibility === "auto") e.style.contentVisibility = "visible" }), document.activeElement.blur(), scrollTo(0, 0)`)
	for _, scheme := range []string{"light", "dark"} {
		call(t, o, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		seen[ask[string](t, o, ground)] = true
		keep(t, name+"-"+scheme+".png", run(t, o, chromedp.FullScreenshot(100)))
	}
	before := ask[string](t, o, ground)
	o.press(t, "t") // as the system has it, then light
	o.until(t, `document.documentElement.dataset.theme === "light"`)
	if len(seen) != 2 || ask[string](t, o, ground) == before {
		t.Errorf("the themes look alike: %v", seen)
	}
	o.press(t, "tt")
	o.paper(t)
	keep(t, name+"-print.png", run(t, o, chromedp.FullScreenshot(100)))
	keep(t, name+".pdf", run(t, o, chromedp.PrintToPDF(chromedp.PDFPrintBackground())))
}

// paper lets the page look as it does in print.
func (o *opened) paper(t *testing.T) {
	t.Helper()
	call(t, o, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
}
