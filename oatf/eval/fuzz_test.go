package eval_test

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// FuzzEvaluate evaluates any document, valid or not, on any messages, under each revision:
// alone, and together with itself.
func FuzzEvaluate(f *testing.F) {
	files, err := filepath.Glob("testdata/runs/*.txtar")
	later, fault := filepath.Glob("testdata/runs/*/*.txtar")
	if err = errors.Join(err, fault); err != nil || len(files) == 0 || len(later) == 0 {
		f.Fatalf("%d and %d seeds, %v", len(files), len(later), err)
	}
	for _, file := range append(files, later...) {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		parts := map[string]string{}
		for _, file := range archive.Files {
			parts[file.Name] = string(file.Data)
		}
		f.Add(parts["document.yaml"], parts["trace.jsonl"])
	}
	f.Fuzz(func(t *testing.T, document, trace string) {
		for _, r := range oatf.Revisions() {
			if doc, err := (oatf.ParseOptions{Revision: r}).Parse([]byte(document)); err == nil {
				evaluateAny(t, doc, trace)
			}
		}
	})
}

func evaluateAny(t *testing.T, doc *oatf.Document, trace string) {
	t.Helper()
	e, err := eval.NewEvaluator(doc, eval.Options{CEL: eval.NewCEL(eval.CELOptions{}), Semantic: oracle{}, Clock: midnight})
	if err != nil {
		t.Fatal(err)
	}
	alone, together := e.Start(), eval.NewBatch(e, e).Start()
	r := capture.NewReader(strings.NewReader(trace), e.Reading(capture.Options{Limits: capture.Limits{LineBytes: 1 << 16}}))
	for {
		m, err := r.Next()
		if err != nil {
			break // what is wrong with a line is the reader's matter
		}
		if alone.Take(t.Context(), m) != nil || together.Take(t.Context(), m) != nil {
			t.Fatal("a context that is not done is")
		}
	}
	v := alone.Finish()
	for _, other := range together.Finish() {
		if !reflect.DeepEqual(v.IndicatorVerdicts, other.IndicatorVerdicts) || v.Result != other.Result {
			t.Fatalf("alone\n%s, together\n%s", shown(v), shown(other))
		}
	}
	sum := v.EvaluationSummary
	if n := len(doc.Attack.Indicators); sum.Matched+sum.NotMatched+sum.Error+sum.Skipped != n || len(v.IndicatorVerdicts) != n {
		t.Fatalf("%d indicators: %+v", n, v)
	}
	for _, i := range v.IndicatorVerdicts {
		if say.Acts(i.Evidence) || len(i.Evidence) > 8<<10 {
			t.Fatalf("%q", i.Evidence)
		}
	}
}
