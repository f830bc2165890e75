package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
)

// tracePage is the page of a verification.
func tracePage(t *testing.T, stdin io.Reader, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := commands.Env{Context: context.Background(), Stdin: stdin, Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }}
	if code := commands.Main(env, append([]string{"cupel", "trace", "verify", "--format", "html"}, args...)); code > 1 {
		t.Fatalf("%q: code %d, %s", args, code, stderr.String())
	}
	return stdout.String()
}

var (
	pageIDs   = regexp.MustCompile(` id="([^"]*)"`)
	pageLinks = regexp.MustCompile(` href="([^"]*)"`)
)

// checkPage: each link of a page leads to a place of it, no two places have the same id, and
// nothing of the record is markup.
func checkPage(t *testing.T, page, about string) {
	t.Helper()
	for laterItems.MatchString(page) {
		page = laterItems.ReplaceAllStringFunc(page, func(script string) string {
			var items []string
			if err := json.Unmarshal([]byte(laterItems.FindStringSubmatch(script)[1]), &items); err != nil {
				t.Errorf("%s: items of a list: %v", about, err)
			}
			return strings.Join(items, "")
		})
	}
	ids := map[string]int{}
	for _, m := range pageIDs.FindAllStringSubmatch(page, -1) {
		if ids[m[1]]++; ids[m[1]] > 1 {
			t.Errorf("%s: the id %q occurs twice", about, m[1])
		}
	}
	for _, m := range pageLinks.FindAllStringSubmatch(page, -1) {
		if id, ok := strings.CutPrefix(m[1], "#"); !ok || ids[id] == 0 {
			t.Errorf("%s: a link to %q", about, m[1])
		}
	}
	for _, text := range []string{"<x-", "no value>", "%!"} {
		if strings.Contains(page, text) {
			t.Errorf("%s: the page has %q", about, text)
		}
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("%s: %d scripts", about, n)
	}
}

// laterItems matches the items that a page shows when they come near the window.
var laterItems = regexp.MustCompile(`(?s)<script type="application/json" class="later">(.*?)</script>`)

const hostileValue = `\"><x-a onload=1>{{.}}</script><!--\u2028\u202e`

// TestSessionPages makes pages of session logs that are damaged in any way: alone, by sessions,
// and as a chain of files.
func TestSessionPages(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 8))
	dir := t.TempDir()
	for i := 0; i < 24; i += racetest.Step(t) {
		family := sessiontest.Families[random.IntN(len(sessiontest.Families))]
		lines := sessiontest.Damage(random, sessiontest.Arbitrary(random, family, "s"), sessiontest.Arbitrary(random, family, "other"))
		for n := range lines {
			if random.IntN(6) == 0 {
				lines[n] = strings.Replace(lines[n], `"payload":{`, `"payload":{"`+hostileValue+`":"`+hostileValue+`",`, 1)
			}
			if random.IntN(9) == 0 {
				lines[n] = strings.Replace(lines[n], `"event_type":"`, `"event_type":"`+hostileValue, 1)
			}
		}
		half := random.IntN(len(lines) + 1)
		whole, first, second := filepath.Join(dir, "whole"), filepath.Join(dir, "<x-1>"), filepath.Join(dir, "2.jsonl")
		writeFile(t, whole, []byte(strings.Join(lines, "\n")))
		writeFile(t, first, []byte(strings.Join(lines[:half], "\n")))
		writeFile(t, second, []byte(strings.Join(lines[half:], "\n")))
		page := tracePage(t, nil, whole)
		checkPage(t, page, fmt.Sprint("case ", i))
		if strings.Contains(page, "records</h3>") && !strings.Contains(page, `<ol class="records">`) {
			t.Errorf("case %d: no records", i)
		}
		checkPage(t, tracePage(t, nil, "--by", "session_id", whole), fmt.Sprint("case ", i, " by sessions"))
		if half > 0 && half < len(lines) && !strings.HasPrefix(lines[0], "[") {
			checkPage(t, tracePage(t, nil, "--chain", first, second), fmt.Sprint("case ", i, " as a chain"))
		}
	}
}

// TestReasoningPages makes pages of runs with changed bytes, in the trace and in its evidence.
func TestReasoningPages(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 9))
	files := reasoningtest.Incident(reasoningtest.Wrapped).Files()
	for i := 0; i < 20; i += racetest.Step(t) {
		dir := t.TempDir()
		changed := random.IntN(len(files))
		for n, f := range files {
			data := bytes.Clone(f.Data)
			for range random.IntN(4) {
				if n == changed {
					data[random.IntN(len(data))] = []byte("\x00\xffa9<\n")[random.IntN(6)]
				}
			}
			if random.IntN(3) == 0 && f.Name == "trace.jsonl" {
				data = bytes.ReplaceAll(data, []byte("ev-ticket"), []byte(hostileValue))
			}
			path := filepath.Join(dir, filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			writeFile(t, path, data)
		}
		checkPage(t, tracePage(t, nil, dir), fmt.Sprint("case ", i))
	}
}

// TestPagesOfExamples: what a reader must find on the pages of the examples.
func TestPagesOfExamples(t *testing.T) {
	removed := filepath.Join("..", "testdata", "examples", "session", "refund-removed.jsonl")
	text, err := os.ReadFile(removed)
	if err != nil {
		t.Fatal(err)
	}
	file := tracePage(t, nil, removed)
	pipe := tracePage(t, bytes.NewReader(text), "--stdin-name", removed, "-")
	if file != pipe {
		t.Error("the page of a pipe is not that of the file")
	}
	for _, c := range []struct {
		page  string
		wants []string
	}{
		{file, []string{`<li class="removed w2"`, "2 events removed between lines 5 and 6", "#5 – #6", "chain sealed", `in the view`}},
		{tracePage(t, nil, filepath.Join(exampleRuns, "incident-characters")), []string{
			"would match as character offsets: in bytes the span is [0,81]", `separator (<mark>’).</mark>`, `separator (<mark>\x{e2}\x{80}</mark>`,
			`<mark>row 1204: amount &#34;1’240.50&#34; is no number</mark>`, "step <code>derive</code>",
		}},
		{tracePage(t, nil, filepath.Join(exampleRuns, "incident-edited-evidence")), []string{"step <code>gather-logs</code>, line 10", "shows which bytes have the stated hash"}},
		{tracePage(t, nil, "--no-evidence", filepath.Join(exampleRuns, "incident")), []string{"evidence files are not read"}},
	} {
		checkPage(t, c.page, "an example")
		for _, want := range c.wants {
			if !strings.Contains(c.page, want) {
				t.Errorf("no %q", want)
			}
		}
	}
}
