package recordcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript/copying"
)

// Spans, runs and conversations are read by the importer of package attest. Each step of its traces makes the events
// of a call and its result; the origin of the trace leads back to the bytes.

// traces reads the traces of a source.
func traces(held *input.HeldSource, from string) iter.Seq2[importer.Trace, error] {
	text := io.NewSectionReader(held.Text, 0, held.Size)
	opt := importer.Options{From: importer.Format(from)}
	return importer.Traces(attest.NewEngine(attest.Options{}), text, opt)
}

// errNoText refuses spans whose bytes cannot be cited.
var errNoText = &cmdline.Hinted{
	Err:  errors.New("it is OTLP in Protocol Buffers, whose values cannot be cited"),
	Hint: "write the file as OTLP JSON, or send the spans to `cupel record --otlp`",
}

// lookAtSpans returns the format of a source and the time of its first step.
func lookAtSpans(held *input.HeldSource, from string) (format string, first time.Time, err error) {
	read, refused := 0, ""
	for t, err := range traces(held, from) {
		if errors.As(err, new(*importer.UnknownError)) {
			return "", first, errNoRecords
		}
		if err != nil {
			return "", first, err
		}
		if t.Origin != nil && t.Refused == nil {
			if _, line, _ := t.Origin.Place(0); line == 0 {
				return "", first, errNoText
			}
		}
		if t.Refused == nil {
			read++
		} else if refused == "" {
			refused = t.Refused.Message
		}
		format = string(t.From)
		for step := range steps(scanned(t.Raw)) {
			if at := startOf(step); !at.IsZero() && (first.IsZero() || at.Before(first)) {
				first = at
			}
		}
	}
	switch {
	case read == 0 && refused != "":
		return "", first, fmt.Errorf("no trace of it can be used: %s", refused)
	case read == 0:
		return "", first, errNoRecords
	}
	return format, first, nil
}

// scanned returns the root of a trace, or the absent node if it is malformed.
func scanned(text []byte) strictjson.Node {
	doc, err := sourceScanner().Scan(text)
	if err != nil {
		return strictjson.Node{}
	}
	return doc.Root()
}

func sourceScanner() *strictjson.Scanner {
	return strictjson.NewScanner(strictjson.Limits{
		DuplicateKeys: true, LoneSurrogates: true, WideNumbers: true, Keys: math.MaxInt32, TextBytes: math.MaxInt32,
	})
}

func steps(trace strictjson.Node) iter.Seq[strictjson.Node] {
	list := trace.Last("steps")
	if !list.Is(strictjson.Array) {
		return func(func(strictjson.Node) bool) {}
	}
	return list.Children()
}

func startOf(step strictjson.Node) time.Time {
	ms, ok := step.Last("started_at_ms").Float()
	if !ok || ms <= 0 || ms > 1e15 {
		return time.Time{}
	}
	return time.UnixMicro(int64(ms * 1000)).UTC()
}

// stepCopier makes events of steps.
type stepCopier struct {
	path    string
	held    *input.HeldSource
	counts  *copying.Counts
	scanner *strictjson.Scanner
	yield   func(*cite.Event) bool
	trace   importer.Trace
	lines   []int64 // starts of lines, once they are needed
	returns bool    // lines end with CR LF
	failed  error
	stopped bool
}

// spanEvents yields the events of a source.
func spanEvents(s *origin, held *input.HeldSource, counts *copying.Counts) iter.Seq2[*cite.Event, error] {
	return func(yield func(*cite.Event, error) bool) {
		c := &stepCopier{path: s.Path, held: held, counts: counts, scanner: sourceScanner()}
		counts.Without = map[string]int64{}
		c.yield = func(e *cite.Event) bool { return yield(e, nil) }
		for t, err := range traces(held, s.Format) {
			if err == nil {
				c.take(t)
				err = c.failed
			}
			if c.stopped {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

func (c *stepCopier) send(e *cite.Event) {
	c.counts.Events++
	c.stopped = c.stopped || !c.yield(e)
}

func (c *stepCopier) lose(rule string, line int, why string) {
	c.counts.Lost++
	e := &cite.Event{Type: "LOG_DROP"}
	e.Put("count", "1")
	e.PutText("reason", "internal_error")
	e.PutText("rule", rule)
	e.Put("line", fmt.Sprint(line))
	e.PutText("message", why)
	e.PutText("content_path", c.path)
	c.send(e)
}

// take makes the events of a trace.
func (c *stepCopier) take(t importer.Trace) {
	c.trace = t
	if t.Left > 0 {
		c.counts.Without["traces without an agent"] += int64(t.Left)
	}
	if t.Refused != nil {
		c.lose("import.refused", t.Line, t.Refused.Message)
		return
	}
	root := scanned(t.Raw)
	if !root.Is(strictjson.Object) {
		c.lose("import.malformed", t.Line, "the trace is not a JSON object")
		return
	}
	answers := slices.ContainsFunc(slices.Collect(steps(root)), func(s strictjson.Node) bool {
		return s.Last("type").TextIs("llm_call")
	})
	if said := root.Last("input").Last("user_message"); !answers && said.Exists() {
		c.text("LLM_CALL", "prompt_hash", root, said)
	}
	for step := range steps(root) {
		c.step(step, false)
	}
	if said := root.Last("output").Last("message"); !answers && said.Exists() {
		c.text("LLM_RESPONSE", "content_hash", root, said)
	}
	c.coverage(t)
}

// coverage counts what the import left out.
func (c *stepCopier) coverage(t importer.Trace) {
	known := t.Coverage
	if known == nil {
		c.counts.Records += int64(len(slices.Collect(steps(scanned(t.Raw)))))
		return
	}
	c.counts.Records += int64(known.Spans.Total)
	c.counts.Skipped += int64(known.Spans.Merged)
	for name, n := range map[string]int{
		"chains and wrappers": known.Spans.Wrappers, "spans of other services": known.Spans.Foreign,
	} {
		if n > 0 {
			c.counts.Without[name] += int64(n)
		}
	}
	for _, u := range known.Spans.Unread {
		c.counts.Without[u.Kind] += int64(u.Count)
	}
	for _, loss := range known.Lost {
		c.lose("import."+string(loss.What), t.Line, loss.Why)
	}
}

func (c *stepCopier) text(name, hash string, trace, said strictjson.Node) {
	if e := c.event(name, trace, said, hash); e != nil {
		if name == "LLM_CALL" {
			c.copy(e, "model_id", trace.Last("metadata").Last("model"))
		} else {
			e.PutText("finish_reason", cite.Unknown)
		}
		c.send(e)
	}
}

// step makes the events of a step and of the steps inside it.
func (c *stepCopier) step(step strictjson.Node, inside bool) {
	kind, _ := step.Last("type").Text()
	model := kind == "llm_call"
	call, args, result, output := "TOOL_CALL", "args_hash", "TOOL_RESULT", "result_hash"
	if model {
		call, args, result, output = "LLM_CALL", "prompt_hash", "LLM_RESPONSE", "content_hash"
	}
	asked, got, meta := step.Last("args"), step.Last("result"), step.Last("metadata")
	if messages := asked.Last("messages"); model && messages.Exists() {
		asked = messages
	}
	if said := got.Last("completion"); model && said.Exists() && got.Last("tool_calls").Missing() {
		got = said
	}
	flags := func(e *cite.Event) {
		if inside {
			e.Put("subagent", "true")
		}
		if kind == "retrieval" || kind == "agent_call" {
			e.PutText("step_type", kind)
		}
		c.optional(e, "tool_id", meta.Last("tool_call_id"))
	}
	if e := c.event(call, step, asked, args); e != nil {
		if model {
			c.copy(e, "model_id", meta.Last("model"))
		} else {
			c.copy(e, "tool_name", step.Last("name"))
		}
		flags(e)
		c.send(e)
	}
	for below := range steps(step.Last("sub_trace")) {
		c.step(below, true)
	}
	if got.Missing() {
		return
	}
	e := c.event(result, step, got, output)
	if e == nil {
		return
	}
	if model {
		c.copy(e, "finish_reason", step.Last("result").Last("finish_reason"))
	} else {
		c.copy(e, "tool_name", step.Last("name"))
		if is := meta.Last("is_error"); is.Is(strictjson.True) || !meta.Last("error").Missing() {
			e.Put("is_error", "true")
		}
	}
	flags(e)
	c.send(e)
}

// place is a value of the source.
type place struct {
	span cite.Span
	raw  []byte
}

// event returns an event that cites the bytes that a value was made of: those of the whole step for a text that was
// put together. It is nil if the source does not have the step in one piece.
func (c *stepCopier) event(name string, step, value strictjson.Node, hash string) *cite.Event {
	whole, ok := c.place(step)
	if !ok {
		_, line, _ := c.origin(step)
		c.lose("import.unlocated", line, "the step was put together from several records, so no bytes can be cited")
		return nil
	}
	exact, ok := c.place(value)
	if !ok || value.Is(strictjson.String) && !same(value, exact.raw) {
		exact = whole
	}
	const most = 64 << 10 // as for records of transcripts
	if len(whole.raw) > most {
		whole = exact
	}
	e := &cite.Event{Type: name, At: startOf(step)}
	if strings.HasSuffix(name, "RESULT") || strings.HasSuffix(name, "RESPONSE") {
		if ms, ok := step.Last("ended_at_ms").Float(); ok && ms > 0 && ms < 1e15 {
			e.At = time.UnixMicro(int64(ms * 1000)).UTC()
		}
	}
	e.Path, e.Sum, e.Span = c.path, c.held.Sum, whole.span
	e.Snippet = digest.Of(whole.raw)
	e.PutSum(hash, exact.raw, exact.span)
	return e
}

// copy sets a required text: the one of the source, or "unknown".
func (c *stepCopier) copy(e *cite.Event, name string, n strictjson.Node) {
	if c.optional(e, name, n); !e.Has(name) {
		e.PutText(name, cite.Unknown)
		if text, ok := n.Text(); ok && text != "" && len(text) < 200 {
			e.PutText("derived_"+name, strings.ToValidUTF8(text, "\ufffd"))
		}
	}
}

// optional sets a text if the source has it.
func (c *stepCopier) optional(e *cite.Event, name string, n strictjson.Node) {
	text, ok := n.Text()
	if !ok || text == "" {
		return
	}
	if p, ok := c.place(n); ok && cite.Holds(c.scanner, name, n, p.raw) {
		e.Copy(name, text, p.raw, p.span)
	}
}

// same reports whether a value of a trace is the one of the source: copied, or decoded from a string.
func same(n strictjson.Node, raw []byte) bool {
	copied := bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' ' // a trace is one line
		}
		return r
	}, raw)
	if bytes.Equal(copied, n.Raw()) {
		return true
	}
	doc := scanned(raw)
	return doc.Is(strictjson.String) && bytes.Equal(bytes.TrimSpace(doc.TextBytes(nil)), n.Raw())
}

// origin returns where a value of the trace comes from.
func (c *stepCopier) origin(n strictjson.Node) (text []byte, line, at int) {
	offset, _ := n.Span()
	if c.trace.Origin == nil {
		return c.trace.Raw, c.trace.Line, offset
	}
	return c.trace.Origin.Place(offset)
}

// place returns the bytes of the source at the origin of a value.
func (c *stepCopier) place(n strictjson.Node) (p place, ok bool) {
	if !n.Exists() {
		return p, false
	}
	text, line, at := c.origin(n)
	if at < 0 || at >= len(text) {
		return p, false
	}
	p.raw = text[at:]
	if _, err := c.scanner.Scan(p.raw); err != nil {
		e, is := err.(*strictjson.Error) //nolint:errorlint // Scan returns no other type
		if !is || e.Code != strictjson.Trailing {
			return p, false
		}
		p.raw = bytes.TrimRight(p.raw[:e.Offset], " \t\r\n")
	}
	start, ok := c.locate(text, line)
	if !ok {
		return p, false
	}
	from := start + int64(at)
	to := from + int64(len(p.raw))
	if c.returns { // the importer reads lines without them
		from += int64(bytes.Count(text[:at], newline))
		to = from + int64(len(p.raw)) + int64(bytes.Count(p.raw, newline))
	}
	p.span = cite.Span{from, to}
	return p, c.holds(&p)
}

var newline = []byte{'\n'}

// holds reports whether the file has the bytes of a place, and sets them.
func (c *stepCopier) holds(p *place) bool {
	there := make([]byte, p.span[1]-p.span[0])
	n, err := c.held.Text.ReadAt(there, p.span[0])
	if n < len(there) && err != io.EOF {
		c.failed = err
	}
	read := there
	if c.returns {
		read = bytes.ReplaceAll(there, []byte("\r\n"), newline)
	}
	same := n == len(there) && bytes.Equal(read, p.raw)
	p.raw = there
	return same
}

// locate returns the offset of a value that begins on a line.
func (c *stepCopier) locate(text []byte, line int) (offset int64, ok bool) {
	if c.lines == nil {
		c.index()
	}
	if line < 1 || line > len(c.lines) {
		return 0, false
	}
	head, _, _ := bytes.Cut(text[:min(len(text), 256)], newline)
	from, to := c.lines[line-1], c.held.Size
	if line < len(c.lines) && bytes.IndexByte(text, '\n') < 0 {
		to = c.lines[line]
	}
	region := make([]byte, min(to-from, int64(len(text))+64<<10))
	n, err := c.held.Text.ReadAt(region, from)
	if n < len(region) && err != io.EOF {
		c.failed = err
	}
	i := bytes.Index(region[:n], head)
	return from + int64(i), i >= 0
}

// index finds the lines of the source.
func (c *stepCopier) index() {
	c.lines = []int64{0}
	buf := make([]byte, 256<<10)
	for at := int64(0); at < c.held.Size; {
		n, err := c.held.Text.ReadAt(buf[:min(int64(len(buf)), c.held.Size-at)], at)
		for i, b := range buf[:n] {
			if b == '\n' {
				c.returns = c.returns || i > 0 && buf[i-1] == '\r'
				c.lines = append(c.lines, at+int64(i)+1)
			}
		}
		if at += int64(n); err != nil && err != io.EOF || n == 0 {
			c.failed = err
			return
		}
	}
}
