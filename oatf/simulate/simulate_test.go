package simulate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/simulate"
)

// TestRuns compares what happens in each run with the steps that were written down for it.
func TestRuns(t *testing.T) {
	for _, revision := range oatf.Revisions() {
		files, err := filepath.Glob("testdata/" + string(revision) + "/*.txtar")
		if err != nil || len(files) == 0 {
			t.Fatal("no runs", revision, err)
		}
		for _, file := range files {
			t.Run(string(revision)+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { compareRun(t, revision, file) })
		}
	}
}

// compareRun runs one of them.
func compareRun(t *testing.T, revision oatf.Revision, file string) {
	parts, doc := readRun(t, revision, file)
	opt := simulate.Options{}
	if answers, ok := parts["generated"]; ok {
		opt.Generator = &scripted{lines: strings.Split(strings.TrimSpace(string(answers)), "\n")}
	}
	got, err := run(t.Context(), doc, parts["events.jsonl"], opt)
	if err != nil {
		got += "error " + err.Error() + "\n"
	}
	if diff := cmp.Diff(string(parts["steps"]), got); diff != "" {
		t.Errorf("(-written down +happened)\n%s", diff)
	}
}

// readRun reads the parts of a run.
func readRun(t testing.TB, revision oatf.Revision, file string) (parts map[string][]byte, doc *oatf.Document) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts = map[string][]byte{}
	for _, f := range txtar.Parse(text).Files {
		parts[f.Name] = f.Data
	}
	loaded, err := oatf.ParseOptions{Revision: revision}.Load(parts["document.yaml"])
	if err != nil {
		t.Fatal(err)
	}
	return parts, loaded.Document
}

// TestGenerationFaults: what a provider answers is not taken over unseen, and every fault of it
// ends the run with the phase and the prompt.
func TestGenerationFaults(t *testing.T) {
	parts, doc := readRun(t, oatf.SDK01, "testdata/sdk-0.1/generated.txtar")
	for line, want := range map[string]string{
		`[]`: "tools[0].responses[1]: the provider generated a list, expected an object [validation_failure]",
		`{"content":[{"type":"text"},{"type":"video"}]}`: `tools[0].responses[1]: the provider generated an invalid content: [1]: type is "video", expected text, image, audio, resource, resource_link [validation_failure]`,
		`{"content":"text"}`:                             "tools[0].responses[1]: the provider generated an invalid content: expected a list, found a text [validation_failure]",
		`{"content":[],"extra":1}`:                       `tools[0].responses[1]: the provider generated "extra", which is not allowed here [validation_failure]`,
		`{"content":[],"isError":true}`:                  `tools[0].responses[1]: the provider generated "isError", which the document already gives [validation_failure]`,
		`{"structuredContent":{}}`:                       "tools[0].responses[1]: the provider did not generate content [validation_failure]",
		"!content_policy":                                "it says so [content_policy]",
		"!plain":                                         "a fault [model_error]",
		"!panic":                                         "the provider panics: a bug [model_error]",
	} {
		_, err := run(t.Context(), doc, parts["events.jsonl"], simulate.Options{Generator: &scripted{lines: []string{line}}})
		failed, ok := errors.AsType[*model.GenerationError](err)
		if !ok || failed.Error() != "only: "+want || failed.PromptPreview != "Answer {{caller}} " {
			t.Errorf("%s: %v, expected %s", line, err, want)
		}
	}
}

// run simulates a document over lines and writes down what happens.
func run(ctx context.Context, doc *oatf.Document, lines []byte, opt simulate.Options) (string, error) {
	var b strings.Builder
	opt.Each = func(s *simulate.Step) error {
		b.WriteString(stepLine(s))
		return nil
	}
	sim, err := simulate.New(doc, opt)
	if err != nil {
		return "", err
	}
	if err := sim.Begin(ctx); err != nil {
		return b.String(), err
	}
	r := capture.NewReader(bytes.NewReader(lines), capture.Options{KeepParams: true})
	for {
		m, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return b.String(), err
		}
		e, err := simulate.EventOf(doc.Revision, m)
		if err == nil {
			err = sim.Take(ctx, e)
		}
		if err != nil {
			return b.String(), err
		}
	}
	for _, a := range sim.Actors() {
		fmt.Fprintf(&b, "end %s/%s %d of %d, %d counted", a.Name, a.Phase, a.Index+1, a.Phases, a.Count)
		if a.Complete {
			b.WriteString(", complete")
		}
		for i, c := range a.Captured {
			b.WriteString(map[bool]string{true: ", ", false: " "}[i == 0] + c.Name + "=" + spelled(c.Value))
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

func spelled(s string) string {
	if strings.ContainsAny(s, " \"\n") || s == "" {
		return strconv.Quote(s)
	}
	return s
}

// stepLine returns a step in one line.
func stepLine(s *simulate.Step) string {
	who := "-"
	if s.Actor != "" {
		who = s.Actor + "/" + s.Phase
	}
	words := []string{s.Elapsed.String(), who, string(s.Kind)}
	add := func(word string) {
		if word != "" {
			words = append(words, word)
		}
	}
	if s.Kind == simulate.Observe || s.Kind == simulate.Ignore {
		add(fmt.Sprintf("%d:%s", s.Event.Line, s.Event.Type))
	}
	add(string(s.Reason))
	if add(s.Name); s.Kind == simulate.Respond && s.Name == "" {
		add("-")
	}
	add(string(s.Role))
	if s.Skipped {
		add("skipped")
	}
	if s.Generated {
		add("generated")
	}
	if s.Matched {
		add("counts")
	}
	if s.Kind == simulate.Observe {
		count := strconv.FormatInt(s.Count, 10)
		if s.Needed > 0 {
			count += fmt.Sprintf("/%d", s.Needed)
		}
		add(count)
	}
	if s.HasValue {
		add(string(value.JSON(nil, s.Value)))
	}
	for _, w := range s.Warnings {
		word := w.Code
		if word == "" {
			word = w.Message
		}
		add("(" + word + ")")
	}
	return strings.Join(words, " ") + "\n"
}

// scripted is a provider that answers in turn with lines: JSON, or "!kind" for an error.
type scripted struct{ lines []string }

func (g *scripted) Generate(_ context.Context, prompt string, protocol oatf.Protocol, about oatf.Value) (oatf.Value, error) {
	line := strings.ReplaceAll(g.lines[0], "PROMPT", strconv.Quote(prompt+" "+string(protocol)+" "+string(value.JSON(nil, about))))
	g.lines = g.lines[1:]
	switch kind, failed := strings.CutPrefix(line, "!"); {
	case kind == "panic":
		panic("a bug")
	case kind == "plain":
		return nil, errors.New("a fault")
	case failed:
		return nil, &model.GenerationError{Kind: model.GenerationErrorKind(kind), Message: "it says so"}
	}
	return capture.Decode([]byte(line), capture.Limits{})
}
