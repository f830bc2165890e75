package commands

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/report"
)

// TestFingerprintsStay: a blank line or a comment above leaves every fingerprint of SARIF as it
// was, for traces, events and documents of the project's own test data.
func TestFingerprintsStay(t *testing.T) {
	results := 0
	for _, c := range []struct{ command, root, pattern, above string }{
		{"trace verify --no-evidence", "../testdata/examples", `\.jsonl$`, "\n"},
		{"evidence verify", "../testdata/examples/evidence", `\.ndjson$`, "\n"},
		{"evidence lint", "../testdata/examples/evidence", `\.ndjson$`, "\n"},
		{"oatf lint --strict --config=", "../testdata", `\.yaml$`, "# above\n\n"},
	} {
		files := filesLike(t, c.root, regexp.MustCompile(c.pattern))
		if len(files) == 0 {
			t.Errorf("%s: no files", c.command)
		}
		for i, file := range files {
			if i%(4*racetest.Step(t)) != 0 {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			before, after := printsOf(t, c.command, file, string(text)), printsOf(t, c.command, file, c.above+string(text))
			results += len(before)
			for _, print := range before {
				if !slices.Contains(after, print) {
					t.Errorf("%s %s: with a line above nothing has %q", c.command, file, print)
				}
			}
		}
	}
	if results < 20 {
		t.Fatalf("%d results are few", results)
	}
	t.Logf("%d results", results)
}

// TestFingerprintsOfJoinedReports checks that a finding has the same fingerprint in a run's SARIF and in the report
// merged from its JSON.
func TestFingerprintsOfJoinedReports(t *testing.T) {
	for _, c := range []string{
		"trace verify ../testdata/examples/trace/incident-edited-evidence", "oatf lint --strict --config= ../testdata/oatf",
		"evidence lint ../testdata/examples/evidence", "evidence verify ../testdata/examples/evidence",
	} {
		env, _ := testEnv(t)
		dir := t.TempDir()
		direct, joined := filepath.Join(dir, "direct.sarif"), filepath.Join(dir, "joined.sarif")
		Main(env, append(strings.Fields("cupel "+c), "--format=sarif="+direct, "--format=json="+filepath.Join(dir, "a.json"), "--format=text"))
		Main(env, []string{"cupel", "report", "merge", "--format=sarif=" + joined, "--format=text", filepath.Join(dir, "a.json")})
		want, got := printsIn(t, direct), printsIn(t, joined)
		for _, print := range want {
			if !slices.Contains(got, print) {
				t.Errorf("%s: after report merge nothing has %q", c, print)
			}
		}
		if len(want) == 0 {
			t.Errorf("%s: no findings", c)
		}
	}
}

func filesLike(t *testing.T, root string, pattern *regexp.Regexp) (files []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && pattern.MatchString(path) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// printsOf returns the fingerprints of a text with its rules, as a command reports them.
func printsOf(t *testing.T, command, name, text string) (prints []string) {
	t.Helper()
	env, out := testEnv(t)
	var said bytes.Buffer
	env.Stdin, env.Stderr = strings.NewReader(text), &said
	args := append(strings.Fields("cupel "+command), "--format", "sarif", "--stdin-name", name, "-")
	if code := Main(env, args); code == cmdline.ExitCannot {
		return nil // a text that is another command's
	}
	return printsOfLog(t, out.Bytes())
}

func printsIn(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return printsOfLog(t, text)
}

func printsOfLog(t *testing.T, text []byte) (prints []string) {
	t.Helper()
	var log struct {
		Runs []struct {
			Results []struct {
				RuleID              string
				PartialFingerprints map[string]string
			}
		}
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, r := range log.Runs[0].Results {
		prints = append(prints, fmt.Sprint(r.RuleID, " ", r.PartialFingerprints["cupel/v1"]))
	}
	return prints
}

// TestNamesOfRules: SARIF has a name for every rule that is an identifier and not its id, and
// the address of its page is that of the id as it is spelled.
func TestNamesOfRules(t *testing.T) {
	var out bytes.Buffer
	w, err := report.New("sarif", &out, report.Run{Command: "check", Rules: rulelist.AllRules}, report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rulelist.AllRules() {
		if err := w.Finding(finding.Finding{Rule: r.ID, Message: "m"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(report.Summary{}); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct {
					Rules []struct {
						ID, Name, HelpURI string
						Help              struct{ Text, Markdown string }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	identifier := regexp.MustCompile(`^[A-Z0-9][A-Za-z0-9]*$`)
	rules := log.Runs[0].Tool.Driver.Rules
	for _, r := range rules {
		if !identifier.MatchString(r.Name) || r.Name == r.ID || len(r.Name) > 255 {
			t.Errorf("%s is called %q", r.ID, r.Name)
		}
		if r.HelpURI != "https://cupel.dev/rules/"+r.ID || !strings.HasPrefix(r.Help.Markdown, "## "+r.ID+": ") || r.Help.Text == "" {
			t.Errorf("%s: %q, %q", r.ID, r.HelpURI, r.Help)
		}
	}
	if len(rules) < 100 {
		t.Errorf("%d rules", len(rules))
	}
	t.Logf("%d rules", len(rules))
}
