//go:build linux

package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/report"
)

// wanted is an assertion that a trace's message contains a word.
type wanted struct {
	word string
	soft bool
}

// lab is suites of such assertions, and traces.
type lab struct {
	suites [][]wanted
	traces map[string][]string // the words of each message, by the name of the trace
}

// failure is an assertion that does not hold on a trace.
type failure struct {
	suite, assertion int
	trace            string
}

func (f failure) id() string { return fmt.Sprintf("a%d", f.assertion) }

// named is how each finding of the failure begins.
func (f failure) named() string { return fmt.Sprintf("%s on %q: ", f.id(), f.trace) }

// failures are what a run finds, by a naive reading; the value says which are soft.
func (l lab) failures() map[failure]bool {
	found := map[failure]bool{}
	for name, words := range l.traces {
		for i, suite := range l.suites {
			for j, want := range suite {
				if !slices.Contains(words, want.word) {
					found[failure{i, j, name}] = want.soft
				}
			}
		}
	}
	return found
}

func suiteName(i int) string { return fmt.Sprintf("suite%d.json", i) }

// lay writes the files of the lab into the current folder.
func (l lab) lay(t require) {
	write := func(name string, value any) {
		text, err := json.Marshal(value)
		check(t, err)
		check(t, os.MkdirAll(filepath.Dir(name), 0o777))
		check(t, os.WriteFile(name, text, 0o666))
	}
	type object = map[string]any
	for name, words := range l.traces {
		write(name, object{"schema_version": 1, "trace_id": "same", "steps": []int{}, "output": object{"message": "- " + strings.Join(words, " ")}})
	}
	for i, suite := range l.suites {
		list := []object{}
		for j, want := range suite {
			spec := object{"target": "output.message", "check": "contains", "value": want.word, "soft": want.soft}
			list = append(list, object{"assertion_id": failure{assertion: j}.id(), "type": "content", "spec": spec})
		}
		write(suiteName(i), list)
	}
}

// run evaluates all suites on all traces, in an order and a spelling that are drawn.
func (l lab) run(t *rapid.T, flags ...string) printed {
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
	spelled := func(name string) string { return []string{"", "./", ".//"}[random.IntN(3)] + name }
	var args []string
	for name := range l.traces {
		args = append(args, spelled(name))
	}
	for i := range l.suites {
		args = append(args, "--assertions="+spelled(suiteName(i)))
	}
	args = append(args, fmt.Sprintf("--jobs=%d", 1+random.IntN(4)))
	random.Shuffle(len(args), func(i, j int) { args[i], args[j] = args[j], args[i] })
	var stdout, stderr bytes.Buffer
	code := commands.Main(commands.Env{
		Context: context.Background(), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" },
	}, slices.Concat([]string{"cupel", "attest", "eval"}, flags, args))
	return printed{code, stdout.String(), stderr.String()}
}

// labs draws labs, whose traces may have names that are more than a word.
func labs(t *rapid.T) lab {
	words := rapid.SampledFrom([]string{"alpha", "beta", "gamma", "delta"})
	suite := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) wanted {
		return wanted{words.Draw(t, "word"), rapid.Bool().Draw(t, "soft")}
	}), 1, 3)
	names := rapid.SampledFrom([]string{"a.json", "b.json", "runs/a.json", "a b.json", `"a".json`, "ä.json", "a:1.json", "x,line=1.json"})
	return lab{
		rapid.SliceOfN(suite, 1, 2).Draw(t, "suites"),
		rapid.MapOfN(names, rapid.SliceOfNDistinct(words, 0, 4, rapid.ID[string]), 1, 4).Draw(t, "traces"),
	}
}

// inNewFolder runs a property in a folder of its own each time.
func inNewFolder(t *testing.T, property func(*rapid.T)) {
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		check(r, err)
		t.Chdir(dir)
		property(r)
	})
}

// TestBaselineOfEvalLaw checks that a run that accepts its failures, and each later one on the same traces, passes,
// whatever the order, the spelling of names and the number of workers. A failure that was not accepted counts as if
// it were alone, and accepted ones that no longer fail are reported.
func TestBaselineOfEvalLaw(t *testing.T) {
	inNewFolder(t, func(r *rapid.T) {
		l := labs(r)
		l.lay(r)
		before := l.failures()
		soft := fmt.Sprintf("--max-soft=%d", rapid.IntRange(0, 2).Draw(r, "max-soft"))
		expect := func(got printed, code int, silent bool) {
			r.Helper()
			if got.code != code || silent != (got.stdout == "") {
				r.Fatalf("exit code %d, want %d\n%s%s", got.code, code, got.stdout, got.stderr)
			}
		}
		written := l.run(r, "--write-baseline=accepted.json", soft, "-q", "--format=github", "--fail-on=warning")
		expect(written, 0, len(before) == 0)
		again := l.run(r, "--baseline=accepted.json", soft, "-q", "--format=github", "--fail-on=info")
		if expect(again, 0, true); again.stderr != "" {
			r.Fatal(again.stderr)
		}
		for name := range l.traces { // others than before
			l.traces[name] = l.traces[name][:rapid.IntRange(0, len(l.traces[name])).Draw(r, "left")]
			if rapid.Bool().Draw(r, "add") {
				l.traces[name] = append(slices.Clone(l.traces[name]), "alpha")
			}
		}
		l.lay(r)
		hard, softly, known := 0, 0, 0
		after := l.failures()
		for f, isSoft := range after {
			_, ok := before[f]
			switch {
			case ok:
				known++
			case isSoft:
				softly++
			default:
				hard++
			}
		}
		code := 0
		if limit := int(soft[len(soft)-1] - '0'); hard > 0 || softly > limit {
			code = 1
		}
		later := l.run(r, "--baseline=accepted.json", soft, "--format=json")
		expect(later, code, false)
		var doc struct {
			Summary struct {
				SoftFail int `json:"soft_fail"`
				HardFail int `json:"hard_fail"`
				Accepted int
			}
		}
		check(r, json.Unmarshal([]byte(later.stdout), &doc))
		if doc.Summary.Accepted != known || doc.Summary.SoftFail+doc.Summary.HardFail != len(after) {
			r.Errorf("%+v, expected %d failures, %d of them accepted", doc.Summary, len(after), known)
		}
		gone := ""
		if n := len(before) - known; n > 0 {
			gone = fmt.Sprintf("cupel: warning: baseline entries that match no finding: %d; --write-baseline renews the file\n", n)
		}
		if later.stderr != gone {
			r.Errorf("standard error is %q, expected %q", later.stderr, gone)
		}
	})
}

// TestFindingsNameTheirTrace: in every format each failure names its assertion and its
// trace, and no two say the same.
func TestFindingsNameTheirTrace(t *testing.T) {
	inNewFolder(t, func(r *rapid.T) {
		l := labs(r)
		l.lay(r)
		for _, format := range report.Formats() {
			if format == "json" { // results are in the elements of their traces
				continue
			}
			got := l.run(r, "--format="+format)
			if format == "html" || format == "markdown" || format == "checkstyle" {
				got.stdout = html.UnescapeString(got.stdout)
			}
			expected := map[string]int{} // two suites may have one assertion_id
			for f := range l.failures() {
				name := f.named()
				if format == "sarif" || format == "jsonl" || format == "gitlab" || format == "tap" {
					name = quoted(name, true)
				}
				expected[name]++
			}
			for name, n := range expected {
				if said := strings.Count(got.stdout, name); said < n || said > n && format != "html" { // a page also says the first on top
					r.Fatalf("%s: not %d times %s\n%s", format, n, name, got.stdout)
				}
			}
			if format == "github" {
				lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
				slices.Sort(lines)
				if distinct := slices.Compact(slices.Clone(lines)); len(distinct) != len(lines) {
					r.Fatalf("the same line twice:\n%s", got.stdout)
				}
			}
		}
	})
}

// TestMatrixLaw: the table on a page has a cell for each assertion and trace, each as it came
// out, and every cell leads to remarks on it.
func TestMatrixLaw(t *testing.T) {
	inNewFolder(t, func(r *rapid.T) {
		l := labs(r)
		l.lay(r)
		want, all := map[string]int{}, 0
		for _, suite := range l.suites {
			all += len(suite) * len(l.traces)
		}
		for _, soft := range l.failures() {
			all--
			if want["bad"]++; soft {
				want["bad"]--
				want["caution"]++
			}
		}
		want["good"] = all
		text := l.run(r, "--format=html").stdout
		for class, n := range want {
			if got := strings.Count(text, `<td class="cell `+class+`">`); got != n {
				r.Errorf("%d cells are %s, expected %d", got, class, n)
			}
			all += n
		}
		for i := range all - want["good"] {
			if id := fmt.Sprintf("s0-c%d", i+1); !strings.Contains(text, `href="#`+id+`"`) || !strings.Contains(text, `id="`+id+`"`) {
				r.Errorf("no cell or nothing to say for %s", id)
			}
		}
	})
}
