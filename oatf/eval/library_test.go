package eval_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// libraryCase is one entry of testdata/oatf/library-2026-03/expected.yaml.
type libraryCase struct {
	Document, Capture, Why, Result string
	MaxTier                        string `yaml:"max_tier"`
	Exit                           int
	Indicators                     []libraryVerdict
}

type libraryVerdict struct {
	Result         string
	Line           int
	Path, Operator string
	Why            string
}

// TestLibrary evaluates documents of the public library on captures that must match and that
// must not. The documents are read where CUPEL_VECTORS leads to.
func TestLibrary(t *testing.T) {
	dir := "../../testdata/oatf/library-2026-03"
	text, err := os.ReadFile(filepath.Join(dir, "expected.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []libraryCase
	if err := yaml.Unmarshal(text, &cases); err != nil || len(cases) < 62 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Logf("CUPEL_VECTORS is not set: none of the %d captures has its document, they are only read", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Capture, func(t *testing.T) {
			trace, err := os.ReadFile(filepath.Join(dir, c.Capture))
			if err != nil {
				t.Fatal(err)
			}
			if root == "" {
				verdictOn(t, evaluatorUnder(t, oatf.ParseOptions{}, "oatf: \"0.1\"\nattack: {execution: {mode: mcp_server, state: {}}}\n"), string(trace))
				return
			}
			document, err := os.ReadFile(filepath.Join(root, "oatf-2026-03/library", c.Document))
			if err != nil {
				t.Fatal(err)
			}
			c.compare(t, document, string(trace))
		})
	}
}

// compare evaluates a document, when it is valid, and compares the verdict with the one that
// was written down.
func (c *libraryCase) compare(t *testing.T, document []byte, trace string) {
	t.Helper()
	doc, err := oatf.ParseOptions{Revision: oatf.V202603}.Parse(document)
	if err != nil {
		t.Fatal(err)
	}
	if valid := oatf.Validate(doc).Valid(); !valid || c.Exit == 2 {
		if valid || c.Exit != 2 {
			t.Errorf("valid: %t, expected exit code %d: %s", valid, c.Exit, c.Why)
		}
		return
	}
	e, err := eval.NewEvaluator(oatf.Normalize(doc), eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := verdictOn(t, e, trace)
	if string(v.Result) != c.Result || v.MaxTier != c.MaxTier {
		t.Errorf("%s %s, expected %s %s: %s", v.Result, v.MaxTier, c.Result, c.MaxTier, c.Why)
	}
	got := make([]libraryVerdict, len(v.IndicatorVerdicts))
	for i, x := range v.IndicatorVerdicts {
		got[i].Result = string(x.Result)
		if at := x.Place; at != nil {
			got[i].Line, got[i].Path, got[i].Operator = at.Line, at.Path, at.Operator
		}
		if i >= len(c.Indicators) {
			continue
		}
		got[i].Why = c.Indicators[i].Why
		if strings.HasPrefix(got[i].Why, "no ") && x.Result == eval.NotMatched && !x.Blind && !strings.HasPrefix(x.Evidence, "none of the indicator's messages has a value at ") {
			t.Errorf("%s has the evidence %q, and %s", x.IndicatorID, x.Evidence, got[i].Why)
		}
	}
	if diff := cmp.Diff(c.Indicators, got); diff != "" {
		t.Errorf("because %s (-want +got):\n%s", c.Why, diff)
	}
}
