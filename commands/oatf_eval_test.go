package commands_test

import (
	"bytes"
	stdcmp "cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/commands"
)

// expectedVerdict is one entry of testdata/oatf/eval/verdicts.yaml.
type expectedVerdict struct {
	Case       string              `yaml:"case"`
	Why        string              `yaml:"why"`
	Flags      []string            `yaml:"flags"`
	Exit       int                 `yaml:"exit"`
	Result     string              `yaml:"result"`
	Revision   string              `yaml:"revision"` // "": sdk-0.1
	MaxTier    string              `yaml:"max_tier"`
	Indicators []expectedIndicator `yaml:"indicators"`
}

type expectedIndicator struct {
	Result   string `yaml:"result" json:"result"`
	Line     int    `yaml:"line" json:"line"`
	Path     string `yaml:"path" json:"path"`
	Operator string `yaml:"operator" json:"operator"`
}

// evalDocument is what a test reads of a report.
type evalDocument struct {
	Status   string
	Errors   []string
	Verdicts []struct {
		Document, Input   string
		Result, Revision  string
		MaxTier           string              `json:"max_tier"`
		IndicatorVerdicts []expectedIndicator `json:"indicator_verdicts"`
		EvaluationSummary map[string]int      `json:"evaluation_summary"`
	}
}

// TestEvalVerdicts gives each capture of testdata/oatf/eval to its document and compares the
// verdict with the one that was written down for it.
func TestEvalVerdicts(t *testing.T) {
	dir := "../testdata/oatf/eval"
	text, err := os.ReadFile(filepath.Join(dir, "verdicts.yaml"))
	check(t, err)
	var cases []expectedVerdict
	check(t, yaml.Unmarshal(text, &cases))
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range cases {
		t.Run(c.Case+strings.Join(c.Flags, ""), func(t *testing.T) {
			args := append([]string{"oatf", "eval", "--format=json", filepath.Join(dir, c.Case, "attack.yaml"), "--trace", filepath.Join(dir, c.Case, "run.jsonl")}, c.Flags...)
			var out, errs bytes.Buffer
			code := commands.Main(commands.Env{
				Context: t.Context(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" },
			}, append([]string{"cupel"}, args...))
			stdout, stderr := out.String(), errs.String()
			var doc evalDocument
			check(t, json.Unmarshal([]byte(stdout), &doc))
			if code != c.Exit || (code == 2) != (doc.Status == "error") || len(doc.Verdicts) != 1 {
				t.Fatalf("exit code %d, want %d, because %s\n%s%s", code, c.Exit, c.Why, stdout, stderr)
			}
			v := doc.Verdicts[0]
			if diff := cmp.Diff(c.Indicators, v.IndicatorVerdicts); diff != "" || v.Result != c.Result || v.MaxTier != c.MaxTier || v.Revision != stdcmp.Or(c.Revision, "sdk-0.1") {
				t.Errorf("%s %s, want %s %s, because %s (-want +got):\n%s\n%s", v.Result, v.MaxTier, c.Result, c.MaxTier, c.Why, diff, stdout)
			}
			counts := map[string]int{"matched": 0, "not_matched": 0, "error": 0, "skipped": 0}
			for _, i := range v.IndicatorVerdicts {
				counts[i.Result]++
			}
			if diff := cmp.Diff(counts, v.EvaluationSummary); diff != "" {
				t.Errorf("the summary counts otherwise:\n%s", diff)
			}
		})
	}
}
