package reportcmd

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// write writes the elements, which are read once more.
func (m *mergeJob) write(out *app.Output) error {
	for _, run := range m.runs {
		write := m.writeRun
		if run.log != "" {
			write = m.judgeRun
		}
		if err := write(out, run); err != nil {
			return err
		}
	}
	return nil
}

// judgeRun writes the result of a log's summaries.
func (m *mergeJob) judgeRun(out *app.Output, run elementRun) error {
	sum, err := m.logs.Judge(out, run.log)
	if err != nil || sum == nil {
		return err
	}
	text, err := json.Marshal(sum)
	if err != nil {
		return err
	}
	node, err := newReportReader(nil).element(text)
	if err != nil {
		return err
	}
	return m.totals.add(node, nil)
}

func (m *mergeJob) writeRun(out *app.Output, run elementRun) error {
	section, err := m.sources.section(int(run.source), run.from, run.to)
	if err != nil {
		return out.Fail(err)
	}
	name := m.sources.list[run.source].Name
	reports := newReportReader(io.MultiReader(strings.NewReader("["), section, strings.NewReader("]")))
	if _, err := reports.token(json.Delim('[')); err != nil {
		return out.Fail(errReportChanged(name))
	}
	sum := sha256.New()
	var raw json.RawMessage
	for reports.dec.More() {
		if err := reports.value(&raw); err != nil {
			return out.Fail(errReportChanged(name))
		}
		sum.Write(raw)
		element, err := reports.element(raw)
		if err == nil {
			err = m.answer(out, run, element)
		}
		if err != nil {
			return err
		}
	}
	if !bytes.Equal(sum.Sum(nil), run.sum[:]) {
		return out.Fail(errReportChanged(name))
	}
	return nil
}

func (m *mergeJob) answer(out *app.Output, run elementRun, element strictjson.Node) error {
	if run.list == "findings" {
		f, err := m.finding(element)
		if err != nil {
			return out.Fail(m.misfit(run, err))
		}
		return out.Finding(f)
	}
	if run.list == input.PassedOverList {
		return out.Answer(report.Answer{List: run.list, Value: joinedElement{whole: element.Raw()}, Subject: run.about, Outcome: report.Outcome{Word: "passed over"}})
	}
	a := report.Answer{List: run.list, Subject: subjectOf(run, element), Outcome: outcomeOf(run.list, element)}
	kept, all, err := m.findings(out, element)
	if err != nil {
		return out.Fail(m.misfit(run, err))
	}
	for _, f := range kept {
		if err := out.Finding(f); err != nil {
			return err
		}
	}
	a.Value, a.Findings = joined(element, kept, all), kept
	if a.Weight == report.Bad {
		out.No()
	}
	return out.Answer(a)
}

// misfit returns the error for an element that no command writes.
func (m *mergeJob) misfit(run elementRun, err error) error {
	return input.Unjoinable(m.sources.list[run.source].Name, fmt.Errorf("the element for %q does not have the form that the command writes: %s", run.about, app.Misread(err)))
}

// subjectOf returns the subject of an element: an input, or a line of it.
func subjectOf(run elementRun, element strictjson.Node) string {
	if line, _ := element.Get("line").Int(); line > 0 {
		return run.about + ":" + strconv.FormatInt(line, 10)
	}
	return run.about
}

func (m *mergeJob) findings(out *app.Output, element strictjson.Node) (kept []finding.Finding, all bool, err error) {
	kept, all = []finding.Finding{}, true
	for node := range element.Get("findings").Children() {
		f, err := m.finding(node)
		if err != nil {
			return nil, false, err
		}
		if !out.Pass(f) {
			all = false
			continue
		}
		kept = append(kept, f)
	}
	return kept, all, nil
}

// finding reads a finding. It returns an error for a rule that this version does not know.
func (m *mergeJob) finding(node strictjson.Node) (f finding.Finding, err error) {
	if err := json.Unmarshal(node.Raw(), &f); err != nil {
		return f, err
	}
	if m.rules == nil {
		m.rules = map[string]bool{}
		for _, rule := range m.kind.Rules() {
			m.rules[rule.ID] = true
		}
	}
	cause, line, _ := strings.Cut(f.CausedBy, "@")
	switch _, err := strconv.ParseUint(line, 10, 63); {
	case !m.rules[f.Rule]:
		return f, fmt.Errorf("a finding has the rule %s, which this version does not know", say.Quoted(f.Rule))
	case f.CausedBy != "" && (err != nil || !m.rules[cause]):
		return f, fmt.Errorf("a finding is caused by %s, expected RULE@LINE", say.Quoted(f.CausedBy))
	}
	return f, nil
}

type joinedElement struct {
	whole json.RawMessage
	brief json.RawMessage // without its findings, or nil
}

func (e joinedElement) MarshalJSON() ([]byte, error) { return e.whole, nil }

// Brief returns the element without separately reported parts.
func (e joinedElement) Brief() any {
	if e.brief == nil {
		return e.whole
	}
	return e.brief
}

// joined returns an element with only the kept findings. It is unchanged if all are kept.
func joined(element strictjson.Node, kept []finding.Finding, all bool) joinedElement {
	e := joinedElement{whole: slices.Clone(element.Raw())}
	if !element.Get("findings").Is(strictjson.Array) {
		return e
	}
	e.brief = withMember(element, "findings", nil)
	if !all {
		text, _ := json.Marshal(kept) // they were read as JSON
		e.whole = withMember(element, "findings", text)
	}
	return e
}

// withMember returns an object with a member replaced, or removed if value is nil.
func withMember(object strictjson.Node, name string, value []byte) json.RawMessage {
	var b bytes.Buffer
	for member := range object.Children() {
		text := member.Raw()
		if member.KeyIs(name) {
			if text = value; text == nil {
				continue
			}
		}
		b.WriteByte(',')
		b.Write(member.KeyRaw())
		b.WriteByte(':')
		b.Write(text)
	}
	return slices.Concat([]byte{'{'}, bytes.TrimPrefix(b.Bytes(), []byte{','}), []byte{'}'})
}
