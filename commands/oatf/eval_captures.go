package oatfcmd

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// shownBadLines is how many lines of a capture that cannot be read are reported; the rest is
// counted.
const shownBadLines = 100

// captureJSON is one element of the list "inputs".
type captureJSON struct {
	Input      string `json:"input"`
	Format     string `json:"format"` // "" when no line could be read
	Lines      int    `json:"lines"`
	Messages   int    `json:"messages"`
	PassedOver int    `json:"passed_over"` // messages that do not come from the agent
	BadLines   int    `json:"bad_lines"`
}

// readAll passes every message of the captures to every document, and gives the verdicts.
func (j *judging) readAll(traces []walk.Input) error {
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

// begin begins a run of every document.
func (j *judging) begin() {
	j.reader, j.captures, j.spoiled, j.batch = nil, nil, false, j.together.Start()
	if j.out.Shows("html") {
		j.log = newMessageLog(j.opt.NoEvidenceText)
	}
}

// readOne reads one capture. What cannot be read of it may be what an indicator looks for.
func (j *judging) readOne(in walk.Input) error {
	j.captures = append(j.captures, in.Name)
	j.counts.Captures++
	file, err := in.Open()
	if err != nil {
		j.spoil(0, "it cannot be read")
		return j.out.Fail(err)
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	text := j.out.Progress("evaluating", in.Size).Reader(file)
	var before capture.Stats
	if j.reader == nil {
		j.reader = capture.NewReader(text, j.together.Reading(j.reading))
	} else {
		before = j.reader.Stats()
		j.reader.Continue(text)
	}
	if err := j.messages(in.Name); err != nil {
		return err
	}
	return j.captured(in.Name, before, j.reader.Stats())
}

// messages passes the messages of a capture to the documents.
func (j *judging) messages(name string) error {
	var messages, bad, limited int
	for {
		if err := j.env.Context.Err(); err != nil {
			return err
		}
		m, err := j.reader.Next()
		line, isLine := errors.AsType[*capture.LineError](err)
		switch {
		case err == io.EOF:
			return j.unreadable(name, messages+limited, bad)
		case isLine:
			if bad++; line.Limit != "" {
				limited++
			}
			err = j.badLine(name, line, bad)
		case err != nil:
			j.spoil(0, "it cannot be read to its end")
			return j.out.Fail(app.ReadFailed(name, err))
		case messages == 0 && j.reading.Format == capture.Auto && isForeign(m):
			return j.refuse(name, m)
		default:
			messages++
			err = j.take(m)
		}
		if err != nil {
			return err
		}
	}
}

// take passes one message to the documents.
func (j *judging) take(m *capture.Message) error {
	before := j.batch.Noted()
	err := j.batch.Take(j.env.Context, m)
	if j.log != nil {
		j.log.take(m, j.batch.Noted() > before)
	}
	return err
}

// badLine reports a line that cannot be read, one of number so far.
func (j *judging) badLine(name string, line *capture.LineError, number int) error {
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

// spoil makes every indicator that matches in no other message an error: it may have matched
// in what could not be read of the last capture, from a line on.
func (j *judging) spoil(line int, why string) {
	j.spoiled = true
	j.batch.Unread(eval.Place{Input: len(j.captures) - 1, Line: line}, why)
}

// unreadable says how many lines of a capture could not be read, beside as many that are JSON.
func (j *judging) unreadable(name string, sound, lines int) error {
	if lines == 0 {
		return nil
	}
	hint := cmdline.SkipBadLinesHint
	if sound == 0 {
		hint = "each line of a capture is JSON and nothing else; `jq -c . FILE` writes JSON of several lines so"
	}
	return j.out.Fail(&cmdline.Hinted{Err: fmt.Errorf("%s of %q cannot be read", cmdline.Counted(lines, "line"), name), Hint: hint})
}

// foreign says why a plain payload is rather a line of a log that holds messages in some
// other form, of which no indicator could see anything, and what makes messages of its
// lines; both are "" for a payload.
func foreign(m *capture.Message) (why, remedy string) {
	if m.Kind != (oatf.MessageKind{}) {
		return "", "" // no plain payload
	}
	line, _ := m.Value.(oatf.Object)
	if unversioned(line) {
		return `the messages are of JSON-RPC, and lack the member "jsonrpc"`, "`jq -c '.jsonrpc=\"2.0\"' FILE` adds it"
	}
	for _, member := range line {
		switch inner := member.Value.(type) {
		case oatf.Object:
			if _, is := inner.Get("jsonrpc"); is {
				return fmt.Sprintf("the messages are in the member %q of each line", member.Key), "`jq -c .MEMBER FILE` writes them alone"
			}
		case string:
			if strings.HasPrefix(inner, "{") && strings.Contains(inner, `"jsonrpc"`) {
				return fmt.Sprintf("the messages are texts in the member %q of each line", member.Key), "`jq -r .MEMBER FILE` writes them alone"
			}
		}
	}
	return "", ""
}

func isForeign(m *capture.Message) bool {
	why, _ := foreign(m)
	return why != ""
}

// unversioned says whether an object is an envelope of JSON-RPC but for its version: nothing
// else has an id beside a method, a result or an error, and no members but these.
func unversioned(line oatf.Object) bool {
	bodies := 0
	for _, member := range line {
		switch member.Key {
		case "method", "result", "error":
			bodies++
		case "id", "params":
		default:
			return false
		}
	}
	_, identified := line.Get("id")
	return identified && bodies == 1
}

// refuse gives no answer on a capture whose first message is foreign.
func (j *judging) refuse(name string, m *capture.Message) error {
	why, remedy := foreign(m)
	j.spoil(m.Line, why)
	return j.out.Fail(&cmdline.Hinted{
		Err:  fmt.Errorf("%s:%d: %s", name, m.Line, why),
		Hint: remedy + "; --trace-format plain takes the lines as they are",
	})
}

// captured reports what was read of a capture.
func (j *judging) captured(name string, before, after capture.Stats) error {
	element := captureJSON{
		Input: name, Format: string(after.Format), Lines: after.Lines - before.Lines, Messages: after.Messages - before.Messages,
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

// ended adds up what a run of the reader leaves open, and warns of what it forgot.
func (j *judging) ended() {
	if j.reader == nil {
		return
	}
	s := j.reader.Stats()
	j.counts.Unanswered += s.Unanswered
	j.counts.Uncorrelated += s.Uncorrelated
	j.counts.Evicted += s.Evicted
	if s.Evicted > 0 {
		j.out.Warn(fmt.Sprintf("%s:%d: more requests than --max-open allows had no answer: %s forgotten from here on, and what answers them is known as no request's",
			j.captures[s.FirstEvicted.Input], s.FirstEvicted.Line, cmdline.Counted(s.Evicted, "request")))
	}
}
