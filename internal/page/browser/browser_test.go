//go:build pages

package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const (
	root     = "../../.."
	examples = root + "/testdata/examples"

	// wait is how long one page may take before it counts as hanging.
	wait = time.Minute
)

// The programs, and the folder of screenshots.
var chromium, cupel, pictures string

// started is the browser that all pages share: each is opened in a profile of its own, which knows nothing
// of the others'.
var started context.Context

// TestMain finds the browser, builds cupel and makes the folder of the screenshots. Without a
// browser nothing is tested, and that is a failure unless PAGES_SKIP says otherwise.
func TestMain(m *testing.M) {
	code, err := prepare(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		code = 1
	}
	os.Exit(code)
}

func prepare(m *testing.M) (int, error) {
	if chromium = browser(); chromium == "" {
		if os.Getenv("PAGES_SKIP") == "" {
			return 1, errors.New("there is no Chromium, so that no page was tested: install it (apt-get install chromium), name it in CHROMIUM, or set PAGES_SKIP=1")
		}
		fmt.Fprintln(os.Stderr, "pages: NOT TESTED: there is no Chromium, and PAGES_SKIP is set")
		return 0, nil
	}
	dir, err := os.MkdirTemp("", "cupel-pages-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	if pictures = os.Getenv("PAGES_OUT"); pictures == "" {
		pictures = filepath.Join(os.TempDir(), "cupel-pages")
	}
	if pictures, err = filepath.Abs(pictures); err != nil {
		return 1, err
	}
	if err := os.MkdirAll(pictures, 0o777); err != nil {
		return 1, err
	}
	cupel = filepath.Join(dir, "cupel")
	build := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-o", cupel, ".")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		return 1, fmt.Errorf("cannot build cupel: %w", err)
	}
	stop, err := start()
	if err != nil {
		return 1, fmt.Errorf("cannot start %s: %w", chromium, err)
	}
	defer stop()
	code := m.Run()
	fmt.Fprintln(os.Stderr, "pages: screenshots are in", pictures)
	return code, nil
}

// browser returns the path of Chromium, or "".
func browser() string {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	return ""
}

// start starts the browser.
func start() (stop func(), err error) {
	ctx, end := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox,
		chromedp.WindowSize(1280, 1000), chromedp.WSURLReadTimeout(wait))...)
	ctx, quit := chromedp.NewContext(ctx)
	stop = func() { quit(); end() }
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, err
	}
	started = ctx
	return stop, nil
}

// written is the page that cupel writes for arguments, in a folder, with its exit code.
func written(t *testing.T, folder string, args ...string) (file string, code int) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "page.html")
	format := "html=" + file
	if strings.HasPrefix(strings.Join(args, " "), "trace report ") { // its formats go to standard output alone
		format = "html"
	}
	run := exec.Command(cupel, append(args, "--format", format)...)
	run.Dir = folder
	said, err := run.CombinedOutput()
	if format == "html" {
		if err := os.WriteFile(file, said, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("cupel %s: %v\n%s", strings.Join(args, " "), err, said)
	}
	return file, run.ProcessState.ExitCode()
}

// opened is a page in the browser, and all that the browser said of it.
type opened struct {
	tab context.Context

	mu    sync.Mutex
	noise []string
}

// open opens a file. When the test ends the browser must have said nothing, and nothing but
// the file itself may have been asked for.
func open(t *testing.T, file string) *opened {
	t.Helper()
	o, address := &opened{}, "file://"+file
	var stop func()
	o.tab, stop = chromedp.NewContext(started, chromedp.WithNewBrowserContext(), chromedp.WithListener(func(event any) { o.hear(address, event) }))
	t.Cleanup(stop)
	do(t, o)
	call(t, o, network.Enable, network.EnableParams{})
	call(t, o, log.Enable, cdp.Empty{})
	call(t, o, performance.Enable, performance.EnableParams{})
	do(t, o, chromedp.Navigate(address), chromedp.WaitReady("html.live"))
	t.Cleanup(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		for _, said := range o.noise {
			t.Errorf("the browser says: %s", said)
		}
	})
	return o
}

// hear notes what a clean page does not cause.
func (o *opened) hear(address string, event any) {
	said := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		said = fmt.Sprintf("console.%s", e.Type)
	case *runtime.EventExceptionThrown:
		said = e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			said += ": " + e.ExceptionDetails.Exception.Description
		}
	case *log.EventEntryAdded:
		said = e.Entry.Text
	case *network.EventRequestWillBeSent:
		if plain, _, _ := strings.Cut(e.Request.URL, "#"); plain != address && !strings.HasPrefix(plain, "blob:") { // blob: made by the page itself
			said = "a request for " + e.Request.URL
		}
	case *page.EventJavascriptDialogOpening:
		said = "a dialog: " + e.Message
	}
	if said != "" {
		o.mu.Lock()
		o.noise = append(o.noise, said)
		o.mu.Unlock()
	}
}

// run takes an action on the page, which must not hang.
func run[T any](t *testing.T, o *opened, action chromedp.Action[T]) T {
	t.Helper()
	ctx, stop := context.WithTimeout(o.tab, wait)
	defer stop()
	value, err := chromedp.Run(ctx, action)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// do takes actions without a value. The first ones open the tab, which lives as long as
// its context.
func do(t *testing.T, o *opened, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(o.tab, actions...); err != nil {
		t.Fatal(err)
	}
}

// call sends a command of the protocol.
func call[P, R any](t *testing.T, o *opened, command cdp.Command[P, R], params P) R {
	t.Helper()
	answer, err := chromedp.Call(o.tab, command, params)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// ask evaluates an expression.
func ask[T any](t *testing.T, o *opened, expression string) T {
	t.Helper()
	return run(t, o, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// until waits for an expression to be true.
func (o *opened) until(t *testing.T, expression string) {
	t.Helper()
	if _, err := chromedp.Run(o.tab, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(wait))); err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
}

// press types keys on the page.
func (o *opened) press(t *testing.T, keys string) {
	t.Helper()
	run(t, o, chromedp.KeyEvent(keys))
}

// keep writes what was made of a page into the folder of screenshots.
func keep(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(pictures, name), content, 0o666); err != nil {
		t.Fatal(err)
	}
}
