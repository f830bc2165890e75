package oatfcmd

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// judgedDocument is a document with its evaluation so far.
type judgedDocument struct {
	name      string
	revision  oatf.Revision
	attack    *oatf.Attack // normalized
	evaluator *eval.Evaluator

	place  oatf.Position   // of the indicators
	places []oatf.Position // of each
}

// maxDocumentBytes and maxIndicators limit the documents of a run, which stay compiled in memory.
const (
	maxDocumentBytes = 16 << 20
	maxIndicators    = 50_000
)

// load compiles the documents. Invalid ones are reported and skipped.
func (j *evalRun) load(inputs []walk.Input, opt oatf.ParseOptions) error {
	room, indicators := maxDocumentBytes, 0
	for _, in := range inputs {
		if err := j.env.Context.Err(); err != nil {
			return err
		}
		revision, err := j.known.Of(in.Name)
		if err != nil {
			return err
		}
		opt.Revision = revision
		size, err := j.addInput(in, opt)
		if room -= size; room < 0 {
			return tooMany(maxDocumentBytes, "bytes")
		}
		if err == nil {
			indicators += len(j.documents[len(j.documents)-1].places)
		}
		if indicators > maxIndicators {
			return tooMany(maxIndicators, "indicators")
		}
		if err != nil {
			err = j.invalid(in.Name, err)
		}
		if err != nil {
			return err
		}
	}
	evaluators := make([]*eval.Evaluator, len(j.documents))
	for i, d := range j.documents {
		evaluators[i] = d.evaluator
	}
	j.together = eval.NewBatch(evaluators...)
	return nil
}

// tooMany returns the error for documents that exceed a limit in total.
func tooMany(limit int, what string) error {
	return &cmdline.Hinted{Err: fmt.Errorf("together the documents have more than %d %s", limit, what), Hint: "evaluate them in several runs"}
}

// addInput reads a document, adds it to the run and returns its size.
func (j *evalRun) addInput(in walk.Input, opt oatf.ParseOptions) (size int, err error) {
	text, err := readDocument(in, oatf.DefaultMaxBytes)
	if err == nil {
		err = j.add(in.Name, text, opt)
	}
	return len(text), err
}

func (j *evalRun) add(name string, text []byte, opt oatf.ParseOptions) error {
	parsed, err := opt.Parse(text)
	if err != nil {
		return app.FaultIn(name, err)
	}
	if result := oatf.Validate(parsed); !result.Valid() {
		return app.FaultIn(name, result.Errors)
	}
	for _, w := range parsed.Warnings() {
		j.out.Warn(app.Placed(name, w.Position, w.String()))
	}
	document := oatf.Normalize(parsed)
	evaluator, err := eval.NewEvaluator(document, j.opt)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	d := &judgedDocument{name: name, revision: document.Revision, attack: &document.Attack, evaluator: evaluator, place: parsed.Position("attack.indicators")}
	for i := range document.Attack.Indicators {
		d.places = append(d.places, parsed.Position(indicatorPath(i)))
	}
	j.documents = append(j.documents, d)
	return nil
}

func indicatorPath(i int) string { return fmt.Sprintf("attack.indicators[%d]", i) }

// position returns a diagnostic's position, that of an indicator or of all. The parsed document is not kept.
func (d *judgedDocument) position(path string) oatf.Position {
	for i, at := range d.places {
		if rest, ok := strings.CutPrefix(path, indicatorPath(i)); ok && (rest == "" || rest[0] == '.') {
			return at
		}
	}
	return d.place
}

func (j *evalRun) invalid(name string, why error) error {
	j.counts.Invalid++
	if err := j.out.Fail(why); err != nil {
		return err
	}
	return j.out.Answer(report.Answer{
		List: "verdicts", Value: verdictJSON{Document: name, Result: eval.AttackError, Indicators: []indicatorJSON{}, Error: why.Error()},
		Subject: name, Outcome: report.Outcome{Weight: report.Unanswered, Word: "no verdict"},
	})
}
