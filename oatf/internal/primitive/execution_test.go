package primitive

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf/internal/parse"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// optional reads a value that may be absent: "".
func optional(t testing.TB, text string) *model.Value {
	if text == "" {
		return nil
	}
	v := valueOf(t, text)
	return &v
}

func checkDiagnostics(t *testing.T, got []model.Diagnostic, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%v, expected %q", got, want)
		return
	}
	for i, d := range got {
		if d.Message != want[i] || d.Code != "W-004" || d.Severity != model.DiagnosticWarning {
			t.Errorf("%+v, expected %q", d, want[i])
		}
	}
}

func TestTemplates(t *testing.T) {
	for _, c := range oatftest.Cases[struct {
		Template, Request, Response, Result string
		Extractors                          map[string]string
		Diagnostics                         []string
	}](t, testData, "templates.yaml") {
		t.Run(c.Template, func(t *testing.T) {
			in := Interpolation{Extractors: c.Extractors, Request: optional(t, c.Request), Response: optional(t, c.Response)}
			if got := in.Template(c.Template); got != c.Result {
				t.Errorf("%q, expected %q", got, c.Result)
			}
			checkDiagnostics(t, in.Diagnostics(), c.Diagnostics)
		})
	}
}

func TestTemplatesInValues(t *testing.T) {
	for _, c := range oatftest.Cases[struct {
		Value, Result string
		Diagnostics   []string
	}](t, testData, "values.yaml") {
		t.Run(c.Value, func(t *testing.T) {
			in := Interpolation{Extractors: map[string]string{"x": "X", "y": "{{x}}"}}
			if got := string(value.JSON(nil, in.Value(valueOf(t, c.Value)))); got != c.Result {
				t.Errorf("%s, expected %s", got, c.Result)
			}
			checkDiagnostics(t, in.Diagnostics(), c.Diagnostics)
		})
	}
}

// TestInterpolationIsBounded names a large request more often than there is room for, and
// more references that do not resolve than anybody reads.
func TestInterpolationIsBounded(t *testing.T) {
	var request model.Value = model.Object{{Key: "a", Value: strings.Repeat("x", 1<<20)}}
	in := Interpolation{Request: &request}
	got := in.Template(strings.Repeat("-{{request.a}}", 20) + strings.Repeat("{{b}}", MaxUnresolved))
	if want := strings.Repeat("-"+strings.Repeat("x", 1<<20), 16) + "----"; got != want {
		t.Errorf("%d bytes, expected %d", len(got), len(want))
	}
	diagnostics := in.Diagnostics()
	first, last := diagnostics[0].Message, diagnostics[len(diagnostics)-1].Message
	if first != `reference "{{request.a}}" is left out: with the references filled in, the document is larger than 16777216 bytes` ||
		last != "4 more references are not shown: the limit is 1000" || len(diagnostics) != MaxUnresolved+1 {
		t.Errorf("%d: %s … %s", len(diagnostics), first, last)
	}
	for count, want := range map[int]string{
		MaxUnresolved:     `reference "{{b}}" does not name an extractor with a value`,
		MaxUnresolved + 1: "1 more reference is not shown: the limit is 1000",
	} {
		in := Interpolation{}
		in.Template(strings.Repeat("{{b}}", count))
		if d := in.Diagnostics(); len(d) != count || d[count-1].Message != want {
			t.Errorf("%d references: %d diagnostics, the last is %v", count, len(d), d[len(d)-1])
		}
	}
}

func TestResponses(t *testing.T) {
	for _, c := range oatftest.Cases[struct {
		Entries, Error string
		Requests       map[string]int
	}](t, testData, "responses.yaml") {
		t.Run(c.Entries, func(t *testing.T) {
			var entries []model.ResponseEntry
			for _, v := range valueOf(t, c.Entries).([]model.Value) {
				entry, err := parse.Response(revision.All[0], v)
				if err != nil {
					t.Fatal(err)
				}
				entries = append(entries, *entry)
			}
			responses, err := CompileResponses(revision.All[0], entries)
			if words(err) != c.Error {
				t.Fatalf("error %q, expected %q", words(err), c.Error)
			}
			for request, want := range c.Requests {
				if got := responses.Select(valueOf(t, request)); got != want {
					t.Errorf("%s: %d, expected %d", request, got, want)
				}
			}
		})
	}
}

func TestTriggers(t *testing.T) {
	for _, c := range oatftest.Cases[struct {
		Trigger, Error  string
		Protocol        model.Protocol
		Events, Answers []string
		Count           int64
	}](t, testData, "triggers.yaml") {
		t.Run(c.Trigger, func(t *testing.T) {
			read, err := parse.Trigger(revision.All[0], valueOf(t, c.Trigger))
			if err != nil {
				t.Fatal(err)
			}
			trigger, err := CompileTrigger(revision.All[0], read)
			if words(err) != c.Error {
				t.Fatalf("error %q, expected %q", words(err), c.Error)
			}
			var state model.TriggerState
			for i, text := range c.Events {
				elapsed, event := eventOf(t, text)
				got := trigger.Evaluate(event, elapsed, &state, c.Protocol)
				if want := c.Answers[i]; got.Advanced != (want != "no") || got.Advanced && string(got.Reason) != want {
					t.Errorf("%s: %+v, expected %s", text, got, want)
				}
			}
			if state.EventCount != c.Count {
				t.Errorf("counted %d, expected %d", state.EventCount, c.Count)
			}
		})
	}
}

// eventOf reads "SECONDS EVENT CONTENT", where only the seconds must be there.
func eventOf(t testing.TB, text string) (time.Duration, *model.ProtocolEvent) {
	words := strings.SplitN(text, " ", 3)
	seconds, err := strconv.Atoi(words[0])
	if err != nil {
		t.Fatal(err)
	}
	elapsed := time.Duration(seconds) * time.Second
	if len(words) < 3 {
		return elapsed, nil
	}
	event := &model.ProtocolEvent{EventType: words[1], Content: valueOf(t, words[2])}
	if base, qualifier, found := revision.All[0].SplitEvent(words[1]); found {
		event.EventType, event.Qualifier = base, &qualifier
	}
	return elapsed, event
}

func TestNoTrigger(t *testing.T) {
	trigger, err := CompileTrigger(revision.All[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := trigger.Evaluate(&model.ProtocolEvent{}, time.Hour, &model.TriggerState{}, "mcp"); got.Advanced {
		t.Error("a terminal phase advances")
	}
}

func TestQualifiersOfNumbers(t *testing.T) {
	for n, want := range map[model.Number]string{
		"42": "42", "42.0": "42", "-0": "0", "1e3": "1000", "0.10": "0.1", "9007199254740993": "9007199254740993",
		"123456789012345678901234567890": "123456789012345678901234567890", "1e400": "1e400", "1e21": "1e+21",
	} {
		got, found := ResolveQualifier(revision.All[0], "ag_ui", "custom", model.Object{{Key: "name", Value: n}})
		if !found || got != want {
			t.Errorf("%s: %q, expected %q", n, got, want)
		}
	}
}

func TestEffectiveState(t *testing.T) {
	first, third := model.Object{{Key: "a", Value: "1"}}, model.Object{{Key: "b", Value: "2"}}
	phases := []model.Phase{{State: first}, {}, {State: third}, {}}
	for index, want := range map[int]string{-1: "null", 0: `{"a":"1"}`, 1: `{"a":"1"}`, 2: `{"b":"2"}`, 3: `{"b":"2"}`, 4: "null"} {
		if got := string(value.JSON(nil, EffectiveState(phases, index))); got != want {
			t.Errorf("%d: %s, expected %s", index, got, want)
		}
	}
	if got := EffectiveState([]model.Phase{{}, {}}, 1); got != nil {
		t.Errorf("%v out of nothing", got)
	}
}

func TestExtractors(t *testing.T) {
	for _, c := range oatftest.Cases[struct {
		Type                           model.ExtractorType
		Selector, Message, Text, Error string
		None                           bool
	}](t, testData, "extractors.yaml") {
		t.Run(c.Selector, func(t *testing.T) {
			e, err := CompileExtractor(&model.Extractor{Source: model.SourceRequest, Type: c.Type, Selector: c.Selector})
			if words(err) != c.Error {
				t.Fatalf("error %q, expected %q", words(err), c.Error)
			}
			if err != nil {
				return
			}
			message := valueOf(t, c.Message)
			text, found, err := e.Extract(message, model.SourceRequest, func(int64) bool { return true })
			if text != c.Text || found == c.None || err != nil {
				t.Errorf("%q, %t, %v", text, found, err)
			}
			if _, _, err := e.Extract(message, model.SourceRequest, func(int64) bool { return false }); !errors.Is(err, ErrSteps) {
				t.Errorf("without steps: %v", err)
			}
			if text, found, err := e.Extract(message, model.SourceResponse, func(int64) bool { return false }); text != "" || found || err != nil {
				t.Errorf("in the other direction: %q, %t, %v", text, found, err)
			}
		})
	}
	if _, err := CompileExtractor(nil); words(err) != "there is no extractor [unsupported_method]" {
		t.Error(err)
	}
}
