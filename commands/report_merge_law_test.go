package commands_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// mergeable are runs over several inputs whose reports can be joined.
var mergeable = []struct {
	command string
	inputs  []string // below the examples
}{
	{"trace verify", []string{"session/*.jsonl", "trace/*/trace.jsonl"}},
	{"trace verify --fail-on info --max-findings 1", []string{"session/*.jsonl", "trace/*/trace.jsonl"}},
	{"evidence hash", []string{"evidence/*.ndjson", "evidence/event.json"}},
	{"evidence hash --check --max-findings 1", []string{"evidence/*.ndjson", "evidence/event.json"}},
	{"evidence verify --all", []string{"evidence/*.ndjson", "evidence/run.tar.gz", "evidence/event.json"}},
	{"evidence lint", []string{"evidence/*.ndjson", "evidence/run.tar.gz"}},
	{"evidence redact --check", []string{"evidence/run.ndjson", "evidence/leaky.ndjson", "evidence/run.tar.gz"}},
	{"evidence digest json", []string{"evidence/event.json", "evidence/tools.json"}},
	{"evidence digest semantic", []string{"evidence/*.ndjson"}},
	{"oatf lint --strict", []string{"oatf/*.yaml"}},
	{"oatf eval --trace oatf/rug-pull-exploited.jsonl", []string{"oatf/rug-pull*.yaml", "oatf/blind.yaml"}},
	{"attest validate", []string{"attest/*.json"}},
	{"attest eval --assertions attest/refund-suite.yaml", []string{"attest/refund*.json"}},
}

// times are what two equal runs say differently.
var times = regexp.MustCompile(`"(total_)?duration_ms":\d+|"timestamp":"[^"]*"`)

// reported runs cupel with a JSON report, and gives that and the exit code.
func reported(t *testing.T, args ...string) (text string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	env := commands.Env{Context: t.Context(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	code = commands.Main(env, append([]string{"cupel"}, append(args, "--format", "json")...))
	return out.String(), code
}

// TestJoinedReports: the inputs of a run in any parts, whose reports are joined in any order,
// some of them twice, have the report of one run over all of them in the order of their
// names, and its exit code.
func TestJoinedReports(t *testing.T) {
	parts, err := filepath.Abs(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../testdata/examples")
	random := rand.New(rand.NewPCG(18, 2))
	for _, run := range racetest.Some(t, mergeable) {
		var inputs []string
		for _, pattern := range run.inputs {
			found, err := filepath.Glob(pattern)
			if err != nil || len(found) == 0 {
				t.Fatalf("%s: %v", pattern, err)
			}
			inputs = append(inputs, found...)
		}
		slices.Sort(inputs)
		command := strings.Fields(run.command)
		want, code := reported(t, append(command, inputs...)...)
		for range 3 {
			var reports []string
			rest := slices.Clone(inputs)
			random.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
			for len(rest) > 0 {
				n := 1 + random.IntN(len(rest))
				name := filepath.Join(parts, fmt.Sprintf("%d.json", len(reports)))
				text, _ := reported(t, append(command, rest[:n]...)...)
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				reports, rest = append(reports, name), rest[n:]
			}
			reports = append(reports, reports[random.IntN(len(reports))])
			random.Shuffle(len(reports), func(i, j int) { reports[i], reports[j] = reports[j], reports[i] })
			got, joined := reported(t, append(append([]string{"report", "merge"}, mergeFlagsOf(run.command)...), reports...)...)
			if times.ReplaceAllString(got, "") != times.ReplaceAllString(want, "") || joined != code {
				t.Errorf("%s, %d reports: exit code %d, expected %d\n got %s\nwant %s", run.command, len(reports), joined, code, got, want)
			}
		}
	}
}

// mergeFlagsOf returns the flags of a run that choose its exit code.
func mergeFlagsOf(command string) []string {
	if strings.Contains(command, "--fail-on info") {
		return []string{"--fail-on", "info"}
	}
	return nil
}

// TestContradictingReports: a report in which one number of the summary is smaller, or one verdict is another,
// is refused, whatever the command.
func TestContradictingReports(t *testing.T) {
	name := filepath.Join(t.TempDir(), "report.json")
	t.Chdir("../testdata/examples")
	number := regexp.MustCompile(`"(\w+)":([1-9]\d*)`)
	for _, run := range racetest.Some(t, mergeable) {
		var inputs []string
		for _, pattern := range run.inputs {
			found, _ := filepath.Glob(pattern)
			inputs = append(inputs, found...)
		}
		text, code := reported(t, append(strings.Fields(run.command), inputs...)...)
		refused := func(what, changed string) {
			t.Helper()
			if err := os.WriteFile(name, []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, exit := reported(t, "report", "merge", name); exit != 2 || !strings.Contains(got, "cannot join") {
				t.Errorf("%s, %s: exit code %d (unchanged %d)\n%s", run.command, what, exit, code, got)
			}
		}
		at := strings.LastIndex(text, `"summary": `)
		for _, m := range number.FindAllStringSubmatchIndex(text[at:], -1) {
			member, value := text[at+m[2]:at+m[3]], at+m[4]
			if !slices.Contains(uncounted[strings.Join(strings.Fields(run.command)[:2], " ")], member) {
				refused(member+" is 0", text[:value]+"0"+text[at+m[5]:])
			}
		}
		for was, is := range map[string]string{`"verdict":"invalid"`: `"verdict":"valid"`, `"match":false`: `"match":true`, `"result":"exploited"`: `"result":"not_exploited"`, `"status":"hard_fail"`: `"status":"pass"`, `"valid":false`: `"valid":true`} {
			if strings.Contains(text[:at], was) {
				refused(was, strings.Replace(text, was, is, 1))
			}
		}
	}
}

// uncounted are the numbers of summaries that are not those of listed elements.
var uncounted = map[string][]string{
	"evidence hash":   {"unrecorded", "errors", "warnings", "infos", "findings_omitted"},
	"evidence verify": {"findings_omitted"},
	"evidence redact": {"changed", "findings_omitted"},
	"evidence digest": {"inputs", "unrecorded", "undigested"},
	"trace verify":    {},
	"attest eval":     {"error", "skipped"},
	"oatf eval":       {"verdicts"},
}
