package oatfcmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// shownBadLines limits the unreadable lines reported per capture.
const shownBadLines = 100

// captureJSON is an element of "inputs".
type captureJSON struct {
	Input      string `json:"input"`
	Format     string `json:"format"` // "" when no line could be read
	Lines      int    `json:"lines"`
	Messages   int    `json:"messages"`
	PassedOver int    `json:"passed_over"` // messages that do not come from the agent
	BadLines   int    `json:"bad_lines"`
	Unknown    int    `json:"unrecognized_records,omitempty"` // without messages
	Builtin    int    `json:"built_in_calls,omitempty"`       // calls of an agent's own tools, not messages
	*app.Digest
}

// readAll evaluates all documents on all captures and reports the verdicts.
func (j *evalRun) readAll(traces []walk.Input) error {
	for i, in := range traces {
		if i == 0 || j.each {
			j.begin()
		}
		if err := j.readOne(in); err != nil {
			return err
		}
		if j.each {
			if err := j.finish(in.Name); err != nil {
				return err
			}
		}
	}
	if j.each || len(traces) == 0 {
		return nil
	}
	return j.finish("")
}

func (j *evalRun) begin() {
	j.reader, j.captures, j.spoiled, j.guessed, j.batch = nil, nil, false, "", j.together.Start()
	j.context = messageContext{}
	if j.out.Shows("html") {
		j.log = newMessageLog(j.opt.NoEvidenceText, j.opt.Hide)
	}
}

// readOne reads a capture. If a part is unreadable, indicators fail, because the part can contain a match.
func (j *evalRun) readOne(in walk.Input) error {
	j.captures = append(j.captures, in.Name)
	j.counts.Captures++
	file, err := in.Open()
	if err != nil {
		j.spoil(0, "it cannot be read")
		return j.out.Fail(err)
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	line := j.out.Progress("evaluating", in.Size)
	defer line.End()
	text := line.Reader(file)
	var before capture.Stats
	if j.reader == nil {
		j.reader = capture.NewReader(text, j.together.Reading(j.reading))
	} else {
		before = j.reader.Stats()
		j.reader.Continue(text)
	}
	if whole, err := j.messages(in.Name); err != nil || !whole && j.reader.Stats().Lines == before.Lines {
		return err
	}
	return j.captured(in.Name, before, j.reader.Stats())
}

// messages passes the messages of a capture to the documents. whole means that it was read to its end.
func (j *evalRun) messages(name string) (whole bool, err error) {
	var messages, bad, limited int
	for {
		if err := j.env.Context.Err(); err != nil {
			return false, err
		}
		m, err := j.reader.Next()
		line, isLine := errors.AsType[*capture.LineError](err)
		switch {
		case err == io.EOF:
			return true, j.unreadable(name, messages+limited, bad)
		case isLine:
			if bad++; line.Limit != "" {
				limited++
			}
			err = j.badLine(name, line, bad)
		case err != nil:
			j.spoil(0, "the input cannot be read completely")
			return false, j.out.Fail(app.ReadFailed(name, err))
		default:
			messages++
			err = j.take(m)
		}
		if err != nil {
			return false, err
		}
	}
}

func (j *evalRun) take(m *capture.Message) error {
	before := j.batch.Noted()
	err := j.batch.Take(j.env.Context, m)
	if found := j.batch.Noted() > before; found || !m.Variant && !m.Marker {
		j.context.take(m, found)
		if j.log != nil {
			j.log.take(m, found)
		}
	}
	return err
}

// badLine reports an unreadable line, the number-th so far.
func (j *evalRun) badLine(name string, line *capture.LineError, number int) error {
	j.spoil(line.Line, line.Message)
	if number > shownBadLines {
		return nil
	}
	f := eval.LineFinding(line.Message)
	f.File, f.Line, f.Column, f.Help = name, line.Line, line.Column, line.Hint
	if flag := limitFlags[line.Limit]; flag != "" {
		f.Help = say.RaiseHint("--" + flag)
	}
	return j.out.Fault(f)
}

// spoil makes every unmatched indicator an error, because the unreadable rest of the capture could match.
func (j *evalRun) spoil(line int, why string) {
	j.spoiled = true
	j.batch.Unread(eval.Place{Input: len(j.captures) - 1, Line: line}, why)
}

func (j *evalRun) unreadable(name string, sound, lines int) error {
	if lines == 0 {
		return nil
	}
	hint := cmdline.SkipBadLinesHint
	if sound == 0 {
		hint = "write one JSON value per line, for example with `jq -c . FILE`"
	}
	return j.out.Fail(&cmdline.Hinted{Err: fmt.Errorf("cannot read %s of %q", cmdline.Counted(lines, "line"), name), Hint: hint})
}

// recognized returns an error for a capture that has no messages, or only guessed payloads.
func (j *evalRun) recognized(name string, read capture.Stats) error {
	if err := j.unrecognized(name, read); err != nil {
		j.spoil(0, "found no message of a known protocol")
		return j.out.Fail(err)
	}
	if read.Payloads > 0 && j.reading.Format == capture.Auto {
		j.guessed = name
	}
	return nil
}

func (j *evalRun) unrecognized(name string, read capture.Stats) error {
	if j.reading.Format != capture.Auto || read.Recognized+read.Payloads > 0 {
		return nil
	}
	return &cmdline.Hinted{Err: fmt.Errorf("found no message of MCP, A2A or AG-UI in %q: %s", name, looksLike(read)), Hint: otherFormatHint}
}

// otherFormatHint is a hint for captures in an unknown format.
const otherFormatHint = "`cupel oatf eval --help` names the formats; --trace-format plain takes each line as a message's payload"

// looksLike describes a capture without messages.
func looksLike(read capture.Stats) string {
	switch {
	case read.Lines == read.Blank:
		return "it is empty"
	case read.Builtin > 0:
		return fmt.Sprintf("%s of an agent's built-in tools, and none of an MCP server", cmdline.Counted(read.Builtin, "call"))
	case read.Looks != "":
		return "it looks like " + read.Looks
	case read.Format == capture.OpenAI || read.Format == capture.Anthropic || read.Format == capture.ClaudeCode || read.Format == capture.Codex:
		return "a conversation without tool calls"
	case read.Format == capture.Auto:
		return "a conversation without tool calls, or other records"
	}
	return "the input looks like " + string(read.Format) + ", which has no messages"
}

func (j *evalRun) captured(name string, before, after capture.Stats) error {
	read := after
	read.Recognized, read.Payloads, read.Unknown = after.Recognized-before.Recognized, after.Payloads-before.Payloads, after.Unknown-before.Unknown
	read.Lines, read.Blank, read.Builtin = after.Lines-before.Lines, after.Blank-before.Blank, after.Builtin-before.Builtin
	if err := j.recognized(name, read); err != nil {
		return err
	}
	element := captureJSON{
		Input: name, Digest: j.read.Of(name), Format: string(after.Format), Unknown: read.Unknown, Builtin: read.Builtin, Lines: after.Lines - before.Lines, Messages: after.Messages - before.Messages,
		PassedOver: after.PassedOver - before.PassedOver, BadLines: after.BadLines - before.BadLines,
	}
	j.counts.Messages += element.Messages
	j.counts.BadLines += element.BadLines
	scope := []string{cmdline.Counted(element.Messages, "message")}
	if element.Format != "" {
		scope = []string{element.Format, scope[0]}
	}
	if element.PassedOver > 0 {
		scope = append(scope, fmt.Sprintf("%d from the other side", element.PassedOver))
	}
	if element.Unknown > 0 {
		scope = append(scope, cmdline.Counted(element.Unknown, "record")+" of other kinds")
	}
	if element.Builtin > 0 {
		scope = append(scope, cmdline.Counted(element.Builtin, "call")+" of built-in tools")
	}
	if element.BadLines > 0 {
		scope = append(scope, fmt.Sprintf("%s that cannot be read", cmdline.Counted(element.BadLines, "line")))
	}
	outcome := report.Outcome{Word: "read", Weight: report.Good}
	if element.BadLines > 0 {
		outcome.Weight = report.Caution
	}
	return j.out.Answer(report.Answer{
		List: "inputs", Value: element, Subject: name, Outcome: outcome, Scope: scope, Implied: true, Total: true,
	})
}

// ended adds up a reader's open requests and warns of evicted ones.
func (j *evalRun) ended() {
	if j.reader == nil {
		return
	}
	s := j.reader.Stats()
	j.counts.Unanswered += s.Unanswered
	j.counts.Uncorrelated += s.Uncorrelated
	j.counts.Evicted += s.Evicted
	if s.Evicted > 0 {
		j.out.Warn(fmt.Sprintf("%s:%d: more open requests than --max-open allows: %s dropped from here on, so their answers have no request",
			j.captures[s.FirstEvicted.Input], s.FirstEvicted.Line, cmdline.Counted(s.Evicted, "request")))
	}
}
