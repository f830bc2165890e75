//go:build pages

package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/cupel-dev/cupel/internal/racetest"
)

// verifyPage is verify.html, made once.
var verifyPage = sync.OnceValues(func() (string, error) {
	file := filepath.Join(filepath.Dir(cupel), "verify.html")
	made := exec.Command(filepath.Join(root, ".ci/verify-page/make"), file)
	said, err := made.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, said)
	}
	return file, nil
})

func openVerify(t *testing.T) *opened {
	t.Helper()
	file, err := verifyPage()
	if err != nil {
		t.Fatal(err)
	}
	return open(t, file)
}

// verified is what the page says of files in a folder, with a command and its options.
func (o *opened) verified(t *testing.T, input, command, options string, files ...string) (code int, report string) {
	t.Helper()
	ask[any](t, o, `choose([]); $("files").value = $("folder").value = ""`)
	do(t, o, chromedp.SetUploadFiles(input, files))
	o.until(t, "files.length > 0")
	ask[any](t, o, fmt.Sprintf(`$("command").value = %q; $("options").value = %q; answered = undefined; $("run").click()`, command, options))
	o.until(t, `answered !== undefined`)
	return ask[int](t, o, "answered.code"), ask[string](t, o, "answered.out.text()")
}

// printed is what the program prints for a command line, in a folder.
func printed(t *testing.T, folder string, args ...string) (code int, report string) {
	t.Helper()
	run := exec.Command(cupel, args...)
	run.Dir = folder
	said, err := run.Output()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatal(err)
	}
	return run.ProcessState.ExitCode(), string(said)
}

// elsewhere reports whether a report is about records that verify.html does not check.
func elsewhere(report string) bool {
	var checked struct {
		Summary struct{ Commands []struct{ Command string } }
	}
	_ = json.Unmarshal([]byte(report), &checked) // a report that is cut has no commands
	for _, c := range checked.Summary.Commands {
		if c.Command != "trace verify" && c.Command != "evidence verify" {
			return true
		}
	}
	return false
}

// same checks that the page and the program give the same bytes on a file alone. Of other records the page says so.
func (o *opened) same(t *testing.T, file string) {
	t.Helper()
	name, alone := filepath.Base(file), t.TempDir()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(alone, name), text, 0o666); err != nil {
		t.Fatal(err)
	}
	code, want := printed(t, alone, "check", "--format", "json", name)
	want = strings.ReplaceAll(want, alone, "") // the page's folder is /
	gotCode, got := o.verified(t, "#files", "check", "", file)
	switch {
	case elsewhere(want):
		if gotCode != 2 || !strings.Contains(got, "verify.html does not check a") {
			t.Errorf("%s: exit code %d, expected 2 with the reason:\n%s", file, gotCode, got)
		}
	case got != want || gotCode != code:
		t.Errorf("%s: exit code %d, expected %d. The page:\n%s\nThe program:\n%s", file, gotCode, code, got, want)
	}
}

// below are the regular files of a folder, in order.
func below(t *testing.T, folder string) (files []string) {
	t.Helper()
	folder, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has %d files, error %v", folder, len(files), err)
	}
	return files
}

// TestVerifyPageFiles compares the page with the program on the examples, and on vectors where CUPEL_VECTORS names
// their folder.
func TestVerifyPageFiles(t *testing.T) {
	o := openVerify(t)
	compared := 0
	for _, file := range racetest.Large(t, 3, below(t, examples)) {
		o.same(t, file)
		compared++
	}
	vectors := os.Getenv("CUPEL_VECTORS")
	if vectors == "" {
		t.Log("vectors: NOT compared: CUPEL_VECTORS is not set")
	} else {
		for _, file := range racetest.Large(t, 200, below(t, vectors)) {
			o.same(t, file)
			compared++
		}
	}
	t.Logf("%d files: the page and the program print the same", compared)
}

// TestVerifyPageCommands compares commands with options: on folders, and on records with their attestation, checkpoint
// and keys.
func TestVerifyPageCommands(t *testing.T) {
	o, folder := openVerify(t), t.TempDir()
	for _, name := range []string{"session/refund.jsonl", "session/signed-1.0.jsonl", "evidence/run.tar.gz", "evidence/tampered.ndjson", "trace/incident", "trace/incident-edited-evidence", "check"} {
		if said, err := exec.Command("cp", "-R", filepath.Join(examples, name), folder).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	for _, line := range []string{
		"evidence keygen key.pem key.pub.pem", "evidence attest --key key.pem -o run.dsse.json run.tar.gz",
		"trace seal --checkpoint example.com/log --sign key.pem -o log.checkpoint refund.jsonl",
	} {
		made := exec.Command(cupel, strings.Fields(line)...)
		made.Dir = folder
		if said, err := made.CombinedOutput(); err != nil {
			t.Fatalf("cupel %s: %v\n%s", line, err, said)
		}
	}
	for _, c := range []struct {
		code           int
		command        string
		options, files string
	}{
		{0, "trace verify", "", "refund.jsonl"},
		{0, "trace verify", "--checkpoint log.checkpoint --vkey log.checkpoint.vkey", "refund.jsonl"},
		{1, "trace verify", "--checkpoint log.checkpoint --vkey log.checkpoint.vkey", "signed-1.0.jsonl"},
		{1, "trace verify", "--strict --require signature", "refund.jsonl"},
		{2, "trace verify", "--engine reference", "refund.jsonl"},
		{0, "trace verify", "--check-ids", "incident"},
		{1, "trace verify", "", "incident-edited-evidence"},
		{0, "evidence verify", "--payloads", "run.tar.gz"},
		{0, "evidence verify", "--attestation run.dsse.json --key key.pub.pem", "run.tar.gz"},
		{1, "evidence verify", "--all", "tampered.ndjson"},
		{1, "check", "", "incident-edited-evidence"},
	} {
		args := slices.Concat(strings.Fields(c.command), []string{"--format", "json"}, strings.Fields(c.options), []string{c.files})
		code, want := printed(t, folder, args...)
		input, uploaded := "#files", []string{filepath.Join(folder, c.files)}
		if info, err := os.Stat(uploaded[0]); err == nil && info.IsDir() {
			input = "#folder"
		}
		for _, word := range strings.Fields(c.options) {
			if named := filepath.Join(folder, word); !strings.HasPrefix(word, "-") && strings.Contains(word, ".") {
				uploaded = append(uploaded, named)
			}
		}
		gotCode, got := o.verified(t, input, c.command, c.options, uploaded...)
		switch {
		case strings.Contains(c.options, "reference"):
			if gotCode != c.code {
				t.Errorf("%s: exit code %d, expected %d: the page has one engine", strings.Join(args, " "), gotCode, c.code)
			}
		case got != want || gotCode != code || code != c.code:
			t.Errorf("%s: exit code %d, the program's %d, expected %d. The page:\n%s\nThe program:\n%s", strings.Join(args, " "), gotCode, code, c.code, got, want)
		}
	}
}

// TestVerifyPageLooks opens it on a telephone and in both themes, with a verdict; the text of a hostile record stays
// text.
func TestVerifyPageLooks(t *testing.T) {
	o := openVerify(t)
	text, err := os.ReadFile(filepath.Join(examples, "session/refund-removed.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	hostile := filepath.Join(t.TempDir(), `<img src=x onerror=alert(1)>.jsonl`)
	if err := os.WriteFile(hostile, []byte(strings.ReplaceAll(string(text), "call-2", "<img src=x onerror=alert(2)>\u202e")), 0o666); err != nil {
		t.Fatal(err)
	}
	o.verified(t, "#files", "check", "", hostile)
	if verdict := ask[string](t, o, `$("verdict").textContent`); !strings.HasPrefix(verdict, "Failed") {
		t.Errorf("the verdict is %q", verdict)
	}
	for _, want := range []string{"1 × article", "article h3 .bad", "article li"} {
		o.holds(t, want)
	}
	if n := ask[int](t, o, `document.images.length`); n != 0 {
		t.Errorf("the page has %d images", n)
	}
	for _, scheme := range []string{"light", "dark"} {
		call(t, o, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		keep(t, "verify-page-"+scheme+".png", run(t, o, chromedp.FullScreenshot(100)))
	}
	o.narrow(t)
	o.until(t, `$("notice").textContent.includes("Apache License")`) // narrow opens everything
	o.accessible(t)
}

// TestVerifyPageOffline tries every way to connect, on the page and in its worker. The server is not reached; without
// the page's policy it is.
func TestVerifyPageOffline(t *testing.T) {
	var reached atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached.Add(1)
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	defer server.Close()
	const ways = `(url) => Promise.allSettled([
		() => fetch(url),
		() => new Promise((yes, no) => { const x = new XMLHttpRequest(); x.onloadend = yes; x.open("GET", url); x.send(); }),
		() => new Promise((yes) => { const s = new WebSocket(url.replace("http", "ws")); s.onclose = s.onerror = yes; }),
		() => new Promise((yes) => { const e = new EventSource(url); e.onerror = () => { e.close(); yes(); }; }),
		() => navigator.sendBeacon?.(url, "x"),
		() => import(url),
		() => new Promise((yes) => { const i = new Image(); i.onload = i.onerror = yes; i.src = url; }),
		() => new Promise((yes) => { const s = document.createElement("script"); s.onload = s.onerror = yes; s.src = url; document.head.append(s); }),
		() => new Promise((yes) => { const f = document.createElement("iframe"); f.onload = f.onerror = yes; f.src = url; document.body.append(f); setTimeout(yes, 500); }),
	].map((way) => Promise.race([new Promise((yes) => setTimeout(yes, 3000)), (async () => way())()]))).then(() => 0)`
	file, err := verifyPage()
	if err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "plain.html")
	if err := os.WriteFile(plain, []byte("<!doctype html><html class=live><title>plain</title>"), 0o666); err != nil {
		t.Fatal(err)
	}
	tried := func(file string) int64 {
		reached.Store(0)
		o := &opened{}
		var stop context.CancelFunc
		o.tab, stop = chromedp.NewContext(started, chromedp.WithNewBrowserContext())
		defer stop()
		do(t, o, chromedp.Navigate("file://"+file), chromedp.WaitReady("html.live"))
		ask[any](t, o, fmt.Sprintf("(%s)(%q)", ways, server.URL))
		ask[any](t, o, fmt.Sprintf(`new Promise((yes) => {
			const w = new Worker(URL.createObjectURL(new Blob(["(" + %q + ")(" + JSON.stringify(%q) + ").then(() => postMessage(0))"])));
			w.onmessage = w.onerror = () => yes(0);
		})`, ways, server.URL))
		return reached.Load()
	}
	if n := tried(plain); n < 5 {
		t.Fatalf("without a policy the server was reached %d times: the test proves nothing", n)
	}
	if n := tried(file); n != 0 {
		t.Errorf("the page reached the server %d times", n)
	}
}

// TestVerifyPageLarge verifies a log of more than 100 MB, and that files above the page's limit are refused.
func TestVerifyPageLarge(t *testing.T) {
	if racetest.Share(t, 10) != 1 {
		t.Log("a log of 100 MB: NOT verified in the page, only with CUPEL_LAWS")
		return
	}
	folder := t.TempDir()
	record := exec.Command(cupel, "record", "-o", "log.jsonl", "--end")
	record.Dir = folder
	record.Stdin = strings.NewReader(strings.Repeat(`{"event_type":"TOOL_CALL","payload":{"tool_name":"mail","args":{"text":"`+strings.Repeat("a", 200)+`"}}}`+"\n", 170_000))
	if said, err := record.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	log := filepath.Join(folder, "log.jsonl")
	if info, err := os.Stat(log); err != nil || info.Size() < 100<<20 {
		t.Fatalf("%v, error %v: expected 100 MiB", info, err)
	}
	o := openVerify(t)
	o.same(t, log)
	t.Logf("the page took %.1f s", ask[float64](t, o, "answered.seconds"))
	large := filepath.Join(folder, "large.jsonl")
	if err := os.WriteFile(large, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 1<<30+1); err != nil {
		t.Fatal(err)
	}
	o.verified(t, "#files", "check", "", large)
	if verdict := ask[string](t, o, `$("verdict").textContent`); !strings.Contains(verdict, "1 GiB") {
		t.Errorf("the verdict on a file above the limit is %q", verdict)
	}
}
