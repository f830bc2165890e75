package starter_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/format"
	"github.com/cupel-dev/cupel/oatf/starter"
)

// TestStarters: the document of each mode has nothing for the strictest lint and the layout to change, is
// of the latest revision, and every one of its indicators matches on one of its captures and on the other
// not.
func TestStarters(t *testing.T) {
	for _, mode := range oatf.KnownModes() {
		files := starter.Of(mode)
		for _, f := range (oatf.CheckOptions{Strict: true}).Check(files.Document).Findings {
			t.Errorf("%s: %s: %s", mode, f.Rule, f.Message)
		}
		loaded, err := oatf.Load(files.Document)
		if err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		if loaded.Document.Revision != oatf.V202603 {
			t.Errorf("%s is of revision %s", mode, loaded.Document.Revision)
		}
		if got, err := format.Format(files.Document); err != nil || !bytes.Equal(got, files.Document) {
			t.Errorf("%s: the layout changes (%v)", mode, err)
		}
		for _, c := range []struct {
			text   []byte
			result eval.AttackResult
			each   eval.IndicatorResult
		}{{files.Attack, eval.Exploited, eval.Matched}, {files.Benign, eval.NotExploited, eval.NotMatched}} {
			v := verdict(t, loaded.Document, c.text)
			if v.Result != c.result || v.Baseless() {
				t.Errorf("%s: %s, expected %s", mode, v.Result, c.result)
			}
			for _, x := range v.IndicatorVerdicts {
				if x.Result != c.each {
					t.Errorf("%s: %s is %s, expected %s", mode, x.IndicatorID, x.Result, c.each)
				}
			}
		}
	}
}

func verdict(t *testing.T, document *oatf.Document, text []byte) eval.AttackVerdict {
	t.Helper()
	evaluator, err := eval.NewEvaluator(document, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	batch := eval.NewBatch(evaluator)
	run, reader := batch.Start(), capture.NewReader(bytes.NewReader(text), batch.Reading(capture.Options{}))
	for {
		m, err := reader.Next()
		if err == io.EOF {
			return run.Finish()[0]
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Take(context.Background(), m); err != nil {
			t.Fatal(err)
		}
	}
}
