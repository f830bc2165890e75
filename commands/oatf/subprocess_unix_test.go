//go:build unix

package oatfcmd

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/model"
)

// never returns a time that does not come.
func never(time.Duration) <-chan time.Time { return nil }

// at returns a time that has come, for the spans that are given, and never for others.
func at(spans ...time.Duration) func(time.Duration) <-chan time.Time {
	return func(d time.Duration) <-chan time.Time {
		for i, span := range spans {
			if span == d {
				spans[i] = -1
				now := make(chan time.Time, 1)
				now <- time.Time{}
				return now
			}
		}
		return nil
	}
}

// ends sees to it that a program has ended, and all that it has started: they hold its
// standard error open.
func ends(t *testing.T, p *subprocess) {
	t.Helper()
	p.close()
	p.close() // once more does nothing
	if p.child == nil {
		return
	}
	for what, done := range map[string]chan struct{}{"the process": p.child.exited, "what it started": p.child.drained} {
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Errorf("%s: %s has not ended", p.command, what)
		}
	}
}

func scorer(t *testing.T, command string, after func(time.Duration) <-chan time.Time) *commandEvaluator {
	e := &commandEvaluator{newSubprocess(cmdline.Env{After: after}, command, answerTime, mostScore)}
	t.Cleanup(func() { ends(t, e.subprocess) })
	return e
}

const scores = `while read -r line; do echo '{"score":0.5}'; done`

// TestSemanticCommand says of programs what two questions to them give: the score, or the
// error.
func TestSemanticCommand(t *testing.T) {
	const over = `{"score":1.5}`
	for _, c := range []struct{ command, first, second string }{
		{scores, "0.5", "0.5"},
		{`while read -r line; do echo 0.25; done`, "0.25", "0.25"},
		{`while read -r line; do printf '{"score":1e0}\r\n'; done`, "1", "1"},
		{`read -r line; echo 0; read -r line; echo '{"error":"the model is gone"}'`, "0", "the model is gone"},
		{`read -r line; echo '{"error":"busy\u001b"}'; read -r line; echo 1`, `busy\u{1b}`, "1"},
		{`read -r line; echo '{"error":null}'; read -r line; echo 1`, "the answer has an error without a text", "1"},
		{`read -r line; echo '` + over + `'; read -r line; echo -1`, "the score is 1.5, expected 0 to 1", "the score is -1, expected 0 to 1"},
		{`read -r line; echo 1e400; read -r line; echo 0.1`, "the score is 1e400, expected 0 to 1", "0.1"},
		{`read -r line; echo NaN; read -r line; echo 0.1`, `the program wrote "NaN", which is not an answer`, `the program wrote "NaN", which is not an answer`},
		{`read -r line; echo '{"score":0.1,"score":0.2}'`, "which is not an answer", "which is not an answer"},
		{`read -r line; echo '{"score":"0.1"}'`, "the answer has no score", "the answer has no score"},
		{`read -r line; echo Loading; echo 0.1; cat >/dev/null`, `the program wrote "Loading", which is not an answer`, `the program wrote "Loading"`},
		{`read -r line; echo; cat`, `the program wrote "", which is not an answer`, ""},
		{`read -r line; printf 0.5`, "ended without an answer: exit status 0", ""},
		{`echo 'no memory' >&2; exit 3`, "ended without an answer: exit status 3: no memory", "answer: exit status 3: no memory"},
		{`cupel-no-such-program`, "ended without an answer: exit status 127: ", "ended without an answer: exit status 127"},
		{`kill -9 $$`, "ended without an answer: signal: killed", "signal: killed"},
		{`read -r line; head -c 70000 /dev/zero | tr '\0' 1; cat`, "answered with a line of more than 65536 bytes", ""},
		{`head -c 300000 /dev/zero >&2; read -r line; echo 0.5; cat >/dev/null; exit 9`, "0.5", ""},
	} {
		t.Run(c.command, func(t *testing.T) {
			e := scorer(t, c.command, func(d time.Duration) <-chan time.Time {
				if d == grace {
					return time.After(d)
				}
				return nil
			})
			for i, want := range []string{c.first, c.second} {
				if i == 1 && want == "" {
					break
				}
				got := answerOf(e.Evaluate(t.Context(), eval.SemanticQuery{Text: "t", Intent: "i"}))
				if got != want && !(strings.Contains(want, " ") && strings.Contains(got, want)) {
					t.Errorf("question %d: %s, expected %s", i+1, got, want)
				}
			}
		})
	}
}

// answerOf returns the score, or what the error says of it.
func answerOf(score float64, err error) string {
	var fault *oatf.EvaluationError
	switch {
	case err == nil:
		return strconv.FormatFloat(score, 'g', -1, 64)
	case errors.As(err, &fault) && fault.Kind == oatf.EvaluationSemanticError:
		return fault.Message
	}
	return "wrong kind of error: " + err.Error()
}

// TestSubprocessQuestion shows the line that a program reads.
func TestSubprocessQuestion(t *testing.T) {
	seen := filepath.Join(t.TempDir(), "seen")
	e := scorer(t, "tee '"+seen+"' | "+scores, never)
	class, threshold := model.IntentPromptInjection, 0.8
	for _, q := range []eval.SemanticQuery{
		{Text: "a\nb", Intent: "<i>"},
		{Text: "é", Intent: "i", IntentClass: &class, Threshold: &threshold, Examples: &model.SemanticExamples{Positive: []string{"p"}}},
	} {
		if got := answerOf(e.Evaluate(t.Context(), q)); got != "0.5" {
			t.Fatal(got)
		}
	}
	ends(t, e.subprocess)
	got, err := os.ReadFile(seen)
	want := `{"text":"a\nb","intent":"\u003ci\u003e","intent_class":null,"threshold":null,"examples":null}
{"text":"é","intent":"i","intent_class":"prompt_injection","threshold":0.8,"examples":{"positive":["p"],"negative":[]}}
`
	if string(got) != want || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// TestSubprocessEnds holds that a program ends, whatever it does about it: one that does not
// answer at its time limit, and each when it is closed.
func TestSubprocessEnds(t *testing.T) {
	for _, c := range []struct {
		command string
		spans   []time.Duration // that pass
		want    string
	}{
		{"while read -r line; do :; done", []time.Duration{answerTime}, "did not answer within 30s"},
		{"exec sleep 10000", []time.Duration{answerTime}, "did not answer within 30s"},
		{"trap '' TERM; while :; do sleep 10000; done", []time.Duration{answerTime, grace}, "did not answer within 30s"},
		{"trap '' TERM; (sleep 10000 & sleep 10000 & wait) & " + scores, nil, "0.5"},
		{"trap '' TERM; " + scores + "; sleep 10000", []time.Duration{grace, grace}, "0.5"},
		{"exec >&-; exec sleep 10000", []time.Duration{grace}, "ended without an answer: signal: terminated"},
	} {
		e := scorer(t, c.command, at(c.spans...))
		got := answerOf(e.Evaluate(t.Context(), eval.SemanticQuery{Text: strings.Repeat("x", 1<<20)}))
		if got != c.want && !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.command, got)
		}
		ends(t, e.subprocess)
		if got := answerOf(e.Evaluate(t.Context(), eval.SemanticQuery{})); c.want == "0.5" && got != "the program was ended" {
			t.Errorf("%s: after the end %s", c.command, got)
		}
	}
}

// TestSubprocessInterrupted holds that a program does not outlive the context of a question.
func TestSubprocessInterrupted(t *testing.T) {
	e := scorer(t, "while read -r line; do :; done", never)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := e.Evaluate(ctx, eval.SemanticQuery{})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	ends(t, e.subprocess)
}

// TestGenerateCommand says of programs what a question to them gives.
func TestGenerateCommand(t *testing.T) {
	for _, c := range []struct {
		command, want string
		kind          model.GenerationErrorKind
		after         func(time.Duration) <-chan time.Time
	}{
		{`read -r line; echo '{"value":{"content":[{"type":"text","text":"t"}]}}'; cat`, `{"content":[{"type":"text","text":"t"}]}`, "", never},
		{`read -r line; echo "{\"value\":$line}"; cat`, `{"prompt":"p","protocol":"mcp","context":{"b":1.0,"a":null}}`, "", never},
		{`read -r line; echo '{"value":null}'; cat`, `null`, "", never},
		{`read -r line; echo '{"error":"no"}'; cat`, "no", model.GenerationModelError, never},
		{`read -r line; echo '{"error":"no","kind":"content_policy"}'; cat`, "no", model.GenerationContentPolicy, never},
		{`read -r line; echo '{"error":"no","kind":"validation_failure"}'; cat`, "no", model.GenerationModelError, never},
		{`read -r line; echo '{"Value":1}'; cat`, "the answer has no value", model.GenerationModelError, never},
		{`read -r line; echo '[]'; cat`, "the answer has no value", model.GenerationModelError, never},
		{`read -r line; echo Hello; cat`, "which is not an answer", model.GenerationModelError, never},
		{`while read -r line; do :; done`, "did not answer within 30s", model.GenerationTimeout, at(answerTime)},
		{`exit 5`, "exit status 5", model.GenerationModelError, never},
	} {
		p := &commandProvider{newSubprocess(cmdline.Env{After: c.after}, c.command, answerTime, mostGenerated)}
		value, err := p.Generate(t.Context(), "p", "mcp", oatf.Object{{Key: "b", Value: oatf.Number("1.0")}, {Key: "a"}})
		got, kind := string(oatf.AppendJSON(nil, value)), model.GenerationErrorKind("")
		var fault *model.GenerationError
		if errors.As(err, &fault) {
			got, kind = fault.Message, fault.Kind
		}
		if kind != c.kind || !strings.Contains(got, c.want) || kind == "" && got != c.want {
			t.Errorf("%s: %s, %v", c.command, got, err)
		}
		ends(t, p.subprocess)
	}
}

// TestSubprocessTail holds that what a program writes to standard error takes little memory.
func TestSubprocessTail(t *testing.T) {
	var last tail
	for range 3 {
		for _, text := range []string{strings.Repeat("x", 3*mostErrors), "one\n", " two \n\n"} {
			if n, err := last.Write([]byte(text)); n != len(text) || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		}
	}
	if len(last.text) > mostErrors || cap(last.text) > 8*mostErrors || last.lastLine() != "two" {
		t.Errorf("%d bytes of %d, %q", len(last.text), cap(last.text), last.lastLine())
	}
}

// dyingFIFO is the environment variable with which TestSubprocessDiesWithUs runs itself.
const dyingFIFO = "CUPEL_TEST_DYING_FIFO"

// TestSubprocessDiesWithUs holds that a program ends when a signal ends cupel that lets it
// do nothing more.
func TestSubprocessDiesWithUs(t *testing.T) {
	if fifo := os.Getenv(dyingFIFO); fifo != "" {
		e := scorer(t, "exec 3>'"+fifo+"'; echo started >&3; exec sleep 10000", never)
		_, err := e.Evaluate(t.Context(), eval.SemanticQuery{})
		<-time.After(time.Minute) // the signal ends us before
		t.Fatal(err)
	}
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(s) {
			t.Logf("%v is ignored here, as nohup has it: it ends nobody", s)
			continue
		}
		fifo := filepath.Join(t.TempDir(), "fifo")
		if err := syscall.Mkfifo(fifo, 0o600); err != nil {
			t.Fatal(err)
		}
		both, err := os.OpenFile(fifo, os.O_RDWR, 0) // so that no opening waits for another
		if err != nil {
			t.Fatal(err)
		}
		program, err := os.Open(fifo)
		if err != nil {
			t.Fatal(err)
		}
		us := exec.Command(os.Args[0], "-test.run=^TestSubprocessDiesWithUs$")
		us.Env = append(os.Environ(), dyingFIFO+"="+fifo)
		if err := us.Start(); err != nil {
			t.Fatal(err)
		}
		alive := time.AfterFunc(time.Minute, func() { _ = us.Process.Kill() })
		_ = program.SetReadDeadline(time.Now().Add(time.Minute))
		if _, err := io.ReadFull(program, make([]byte, len("started\n"))); err != nil {
			t.Fatal(err)
		}
		_ = both.Close()
		if err := us.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if n, err := program.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
			t.Errorf("%v: the program lives: %d, %v", s, n, err)
		}
		_ = us.Wait()
		alive.Stop()
		if status, ok := us.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != s {
			t.Errorf("%v: we ended with %v", s, us.ProcessState)
		}
		_ = program.Close()
	}
}
