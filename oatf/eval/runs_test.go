package eval_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// oracle is a semantic evaluator that does what the text says: the number is the score.
type oracle struct{}

func (oracle) Evaluate(_ context.Context, query eval.SemanticQuery) (float64, error) {
	switch query.Text {
	case "fail":
		return 0, errors.New("no model")
	case "panic":
		panic("on demand")
	case "type_error":
		return 0, &oatf.EvaluationError{Kind: oatf.EvaluationTypeError, Message: "of another kind"}
	}
	score, _ := strconv.ParseFloat(query.Text, 64) // of any other text: 0
	return score, nil
}

var update = flag.Bool("update", false, "write the verdicts into the cases of testdata")

// TestRuns evaluates the document of each case on its messages.
func TestRuns(t *testing.T) {
	files, err := filepath.Glob("testdata/runs/*.txtar")
	later, fault := filepath.Glob("testdata/runs/*/*.txtar")
	if err = errors.Join(err, fault); err != nil || len(files) < 15 || len(later) < 25 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	for _, file := range append(files, later...) {
		name, _ := filepath.Rel("testdata/runs", strings.TrimSuffix(file, ".txtar"))
		t.Run(name, func(t *testing.T) {
			var o oatf.ParseOptions
			if folder := filepath.Dir(name); folder != "." {
				o.Revision = oatf.Revision(folder)
			}
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]string{}
			for _, f := range archive.Files {
				parts[f.Name] = string(f.Data)
			}
			e := evaluatorUnder(t, o, parts["document.yaml"])
			got := shown(verdictOn(t, e, parts["trace.jsonl"]))
			if *update {
				for i := range archive.Files {
					if archive.Files[i].Name == "expected" {
						archive.Files[i].Data = []byte(got)
					}
				}
				if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != parts["expected"] {
				t.Errorf("the verdict is\n%s\nexpected\n%s", got, parts["expected"])
			}
		})
	}
}

func evaluatorOf(t *testing.T, document string) *eval.Evaluator {
	t.Helper()
	return evaluatorUnder(t, oatf.ParseOptions{}, document)
}

func evaluatorUnder(t *testing.T, o oatf.ParseOptions, document string) *eval.Evaluator {
	t.Helper()
	doc, err := o.Parse([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	e, err := eval.NewEvaluator(doc, eval.Options{CEL: eval.NewCEL(eval.CELOptions{}), Semantic: oracle{}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func verdictOn(t *testing.T, e *eval.Evaluator, trace string) eval.AttackVerdict {
	t.Helper()
	run := e.Start()
	o := e.Reading(capture.Options{})
	if !strings.Contains(trace, `"jsonrpc"`) && !strings.Contains(trace, `"direction"`) {
		o.Format = capture.Plain
	}
	each(t, trace, o, func(m *capture.Message) {
		if err := run.Take(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	})
	return run.Finish()
}

// each calls do for every message of a trace.
func each(t *testing.T, trace string, o capture.Options, do func(*capture.Message)) {
	t.Helper()
	r := capture.NewReader(strings.NewReader(trace), o)
	for {
		m, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		do(m)
	}
}

// shown returns a verdict as the cases write it.
func shown(v eval.AttackVerdict) string {
	var b strings.Builder
	fmt.Fprintln(&b, strings.TrimSpace(string(v.Result)+" "+v.MaxTier))
	for _, i := range v.IndicatorVerdicts {
		fmt.Fprintf(&b, "%s %s", i.IndicatorID, i.Result)
		if p := i.Place; p != nil {
			fmt.Fprintf(&b, ", line %d, ", p.Line)
			if p.Method != "" {
				b.WriteString(p.Method + ", ")
			}
			b.WriteString(strings.TrimSpace(p.Path + " " + p.Operator))
		}
		if i.Evidence != "" {
			b.WriteString(": " + i.Evidence)
		}
		b.WriteByte('\n')
	}
	for _, d := range v.Diagnostics {
		fmt.Fprintf(&b, "%s %s\n", d.Code, d.Path)
	}
	return b.String()
}
