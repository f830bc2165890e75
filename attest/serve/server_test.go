package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/cupel-dev/cupel/attest/history"
	"github.com/cupel-dev/cupel/attest/model"
)

// A transcript is a conversation with the engine:
//
//	# a comment
//	option lax
//	define TRACE {"schema_version":1,…}
//	-> {"jsonrpc":"2.0","id":1,"method":"initialize",…}
//	<- {"jsonrpc":"2.0","id":1,"result":…}
//
// Client lines that follow each other are sent in one write; then as many answers are read as server lines follow,
// and compared in any order. At the end the input is closed, and further output is an error. Durations and the
// engine's version are written as 0. In a client line <<.TRACE>> is replaced by its definition, <<repeat 3 "ab">> by
// ababab, and <<raw "…">> by a Go string. UPDATE_TRANSCRIPTS=1 rewrites the server lines.
const transcripts = "../../testdata/attest/transcripts/*.txt"

func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(transcripts)
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	requests := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := &player{t: t, lines: strings.Split(strings.TrimRight(string(text), "\n"), "\n")}
			p.play()
			requests += p.requests
			if os.Getenv("UPDATE_TRANSCRIPTS") != "" {
				if err := os.WriteFile(file, []byte(strings.Join(p.played, "\n")+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if requests == 0 {
		t.Fatal("no requests")
	}
	t.Logf("%d transcripts, %d client lines", len(files), requests)
}

// player plays one transcript against a server of its own.
type player struct {
	t        *testing.T
	lines    []string
	played   []string // the lines with the answers that came
	requests int
	opt      Options
	defined  map[string]string
}

func (p *player) play() {
	for len(p.lines) > 0 && !strings.HasPrefix(p.lines[0], "->") {
		p.option(p.lines[0])
		p.played = append(p.played, p.lines[0])
		p.lines = p.lines[1:]
	}
	conv := converse(p.t, p.opt)
	conv.defined = p.defined
	for len(p.lines) > 0 {
		requests, answers := p.take("-> "), p.take("<- ")
		conv.send(requests)
		p.requests += len(requests)
		p.record("-> ", requests)
		p.record("<- ", p.compare(answers, conv.receive(len(answers))))
		for len(p.lines) > 0 && !strings.HasPrefix(p.lines[0], "->") {
			p.record("", p.lines[:1])
			p.lines = p.lines[1:]
		}
	}
	if rest := conv.end(); rest != "" {
		p.t.Errorf("the engine says more: %s", rest)
	}
}

// take removes the next lines with the given mark and returns the text after it.
func (p *player) take(mark string) (list []string) {
	for len(p.lines) > 0 && strings.HasPrefix(p.lines[0], mark) {
		list = append(list, p.lines[0][len(mark):])
		p.lines = p.lines[1:]
	}
	return list
}

func (p *player) record(mark string, list []string) {
	for _, text := range list {
		p.played = append(p.played, mark+text)
	}
}

// compare holds the answers that came against those that were wanted, and returns
// the former.
func (p *player) compare(want, got []string) []string {
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(want, got) {
		p.t.Errorf("after line %d:\n got %s\nwant %s", len(p.played), strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	return got
}

// option reads a line of the transcript's head.
func (p *player) option(line string) {
	name, value, _ := strings.Cut(strings.TrimPrefix(line, "option "), " ")
	if definition, ok := strings.CutPrefix(line, "define "); ok {
		if p.defined == nil {
			p.defined = map[string]string{}
		}
		name, value, _ := strings.Cut(definition, " ")
		p.defined[name] = value
		return
	}
	if !strings.HasPrefix(line, "option ") {
		if line != "" && !strings.HasPrefix(line, "#") {
			p.t.Fatalf("unknown line %q", line)
		}
		return
	}
	number, err := strconv.Atoi(value)
	switch {
	case name == "lax":
		p.opt.Engine.Lax = true
	case name == "timeout":
		p.opt.Engine.Timeout, err = time.ParseDuration(value)
		if err != nil {
			p.t.Fatal(err)
		}
	case name == "judge":
		p.opt.Engine.Judge = repeating{}
	case name == "history":
		p.opt.Engine.History = newHistory(p.t)
	case name == "assertion-errors-as-results":
		p.opt.Engine.AssertionErrorsAsResults = true
	case err != nil:
		p.t.Fatalf("unknown option %q", line)
	case name == "concurrent":
		p.opt.Concurrent = number
	case name == "values":
		p.opt.Engine.Limits.Values = number
	case name == "compiled":
		p.opt.Engine.Limits.Compiled = number
	case name == "memory":
		p.opt.Memory = number
	case name == "steps":
		p.opt.Engine.Limits.Steps = number
	case name == "trace-bytes":
		p.opt.Engine.Limits.TraceBytes = number
	default:
		p.t.Fatalf("unknown option %q", line)
	}
}

// repeating is a model that answers with its prompt: every message after its role, and the requested answer format.
type repeating struct{}

func (repeating) Chat(ctx context.Context, r model.ChatRequest) (reply model.ChatReply, err error) {
	for _, m := range r.Messages {
		switch m.Content {
		case "(fail)":
			return reply, errors.New("the service is down")
		case "(hang)":
			<-ctx.Done()
			return reply, ctx.Err()
		}
		reply.Text += m.Role + ": " + m.Content + "\n"
	}
	reply.Text += fmt.Sprintf("temperature %v, %d tokens, JSON %v", r.Temperature, r.MaxTokens, r.JSON)
	return reply, nil
}

func newHistory(t *testing.T) *history.Store {
	t.Helper()
	store, err := history.Open(t.Context(), filepath.Join(t.TempDir(), "history.jsonl"), history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	return store
}

// conversation is a client that talks to a server of its own.
type conversation struct {
	t       *testing.T
	in      *io.PipeWriter
	out     *bufio.Reader
	done    chan error
	defined map[string]string
}

func converse(t *testing.T, opt Options) *conversation {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &conversation{t: t, in: inW, out: bufio.NewReader(outR), done: make(chan error, 1)}
	go func() {
		err := Serve(t.Context(), inR, outW, opt)
		_ = outW.Close()
		_ = inR.Close()
		c.done <- err
	}()
	t.Cleanup(func() { _ = inW.Close(); _ = outR.Close() })
	return c
}

func (c *conversation) send(lines []string) {
	c.t.Helper()
	var text strings.Builder
	for _, line := range lines {
		text.WriteString(c.expand(line) + "\n")
	}
	if _, err := io.WriteString(c.in, text.String()); err != nil {
		c.t.Errorf("the engine does not read: %v", err)
	}
}

// expand replaces <<…>> in a client line.
func (c *conversation) expand(line string) string {
	c.t.Helper()
	if !strings.Contains(line, "<<") {
		return line
	}
	funcs := template.FuncMap{
		"repeat": func(n int, text string) string { return strings.Repeat(text, n) },
		"raw":    func(text string) string { return text },
	}
	parsed, err := template.New("").Option("missingkey=error").Delims("<<", ">>").Funcs(funcs).Parse(line)
	var out bytes.Buffer
	if err == nil {
		err = parsed.Execute(&out, c.defined)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return out.String()
}

// receive reads n answers.
func (c *conversation) receive(n int) (list []string) {
	c.t.Helper()
	for range n {
		line, err := c.out.ReadString('\n')
		if err != nil {
			c.t.Errorf("the engine says no more: %v", err)
			break
		}
		list = append(list, timeless(strings.TrimSuffix(line, "\n")))
	}
	return list
}

// end closes the input and returns what else the engine said.
func (c *conversation) end() string {
	c.t.Helper()
	_ = c.in.Close()
	rest, err := io.ReadAll(c.out)
	if err != nil {
		c.t.Error(err)
	}
	select {
	case err := <-c.done:
		if err != nil {
			c.t.Errorf("Serve returned %v", err)
		}
	case <-time.After(10 * time.Second):
		c.t.Error("Serve does not return")
	}
	return string(rest)
}

var (
	durations = regexp.MustCompile(`"(total_)?duration_ms":\d+`)
	versions  = regexp.MustCompile(`"engine_version":"[^"]*"`)
)

// timeless removes from an answer what differs between runs.
func timeless(answer string) string {
	answer = durations.ReplaceAllString(answer, `"${1}duration_ms":0`)
	return versions.ReplaceAllString(answer, `"engine_version":"0"`)
}
