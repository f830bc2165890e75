//go:build pages

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// attacks are values that are more than text where somebody forgot to escape them.
var attacks = []string{
	`<script>document.body.dataset.run = "1"</script>`,
	`</script><script>document.body.dataset.run = "2"</script>`,
	`<img src=x onerror="document.body.dataset.run = 3">`,
	`"><svg onload="document.body.dataset.run = 4">`,
	`' onfocus='document.body.dataset.run = 5' autofocus='`,
	`</style></title></textarea><iframe src="https://example.com/"></iframe>`,
	`<!-- `, `-->`, `]]>`, `{{.}}`, `{{template "page.tmpl"}}`, "`${document.body.dataset.run = 6}`",
	`javascript:document.body.dataset.run=7`, `<a href="javascript:document.body.dataset.run=8" id=search>x</a>`,
	`<base href="https://example.com/">`, `<meta http-equiv="refresh" content="0;url=https://example.com/">`, `<link rel=stylesheet href=//example.com/x.css>`,
	"\u202egnp.exe", "\u2028\u2029", "\u2066\u200b\ufeff", "é\u0301", `&lt;b&gt;`, `&#x3c;b>`, `\u003cb\u003e`,
}

// hostileFolder is a folder whose names and contents are attacks.
func hostileFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i, attack := range attacks {
		name := strings.ReplaceAll(attack, "/", "\u2215")
		quoted := fmt.Sprintf("%q", attack)
		write(fmt.Sprintf("%d%s.jsonl", i, name), fmt.Sprintf(`{"session_id":%[1]s,"ts":%[1]s,"type":%[1]s,"payload":{%[1]s:%[1]s}}`, quoted)+"\n")
		write(fmt.Sprintf("%d%s.yaml", i, name), fmt.Sprintf("oatf: \"0.1\"\nattack:\n  id: %[1]s\n  %[1]s: %[1]s\n  severity: %[1]s\n", quoted))
		write(fmt.Sprintf("%d%s.ndjson", i, name), fmt.Sprintf(`{"specversion":"1.0","id":%[1]s,"type":%[1]s,"source":%[1]s,"data":{%[1]s:%[1]s}}`, quoted)+"\n")
	}
	write("bytes.yaml", "oatf: \"0.1\"\nattack: {id: \"\x00\xff\x1b[31m<script>\"}\n")
	write("huge.jsonl", `{"type":"`+strings.Repeat(`<script>`, 1<<17)+"\"}\n")
	return dir
}

// hostileRuns are the commands that read such a folder.
var hostileRuns = [][]string{
	{"trace", "verify"},
	{"oatf", "lint", "--strict"},
	{"evidence", "verify", "--all"},
	{"evidence", "lint"},
	{"evidence", "hash", "--check"},
	{"attest", "validate"},
	{"check"},
}

// TestHostile: names and values of what is examined are text on the page, and nothing of them
// runs, styles, links or is fetched.
func TestHostile(t *testing.T) {
	dir := hostileFolder(t)
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) < 3*len(attacks) {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for i := range names {
		names[i] = filepath.Base(names[i])
	}
	for _, command := range hostileRuns {
		name := strings.Join(command[:min(2, len(command))], "-")
		t.Run(name, func(t *testing.T) {
			args := append([]string{}, command...)
			for _, file := range names {
				args = append(args, "./"+file)
			}
			file, code := written(t, dir, args...)
			if code == 0 {
				t.Error("all is well with attacks")
			}
			o := open(t, file)
			o.whole(t)
			o.harmless(t)
			o.walk(t)
			keep(t, "hostile-"+name+".png", run(t, o, chromedp.CaptureScreenshot()))
		})
	}
}

// whole puts all sections into the document, as print does.
func (o *opened) whole(t *testing.T) {
	t.Helper()
	ask[any](t, o, `dispatchEvent(new Event("beforeprint")), dispatchEvent(new Event("afterprint")), 0`)
}

// harmless wants that nothing of what was examined is more than text on the page.
func (o *opened) harmless(t *testing.T) {
	t.Helper()
	for expression, want := range map[string]string{
		"String(document.body.dataset.run)": "undefined",
		`String(document.querySelectorAll("script:not(.later)").length + document.styleSheets.length)`:                                     "2",
		`String(document.querySelectorAll("img, iframe, base, link, svg, textarea, object, embed, [autofocus]").length)`:                   "0",
		`String([...document.querySelectorAll("a")].every((a) => a.getAttribute("href").startsWith("#")))`:                                 "true",
		`String([...document.querySelectorAll("*")].every((e) => [...e.attributes].every((a) => !/^on|^style$|^src/.test(a.name))))`:       "true",
		`String(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/.test(document.body.textContent))`: "false",
	} {
		if got := ask[string](t, o, expression); got != want {
			t.Errorf("%s is %s, expected %s", expression, got, want)
		}
	}
}
