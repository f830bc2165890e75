package envelope

import (
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/say"
)

// refused reports why the event could not be read: the hasher's finding with the contract's code.
func (c *Checker) refused() {
	r := c.result
	if len(r.Findings) == 0 {
		panic("envelope.Checker.Check: a result with neither an event nor a finding")
	}
	f := Fault{Step: StepText, Finding: r.Findings[0], Start: r.Starts()[0]}
	f.Detail = f.Finding.Rule
	switch {
	case r.Long:
		f.Finding.Rule, f.Detail = LineBytes, "max_line_bytes"
	case len(r.Text()) == 0:
		f.Finding.Rule, f.Detail = InvalidEvent, "line.blank"
	case f.Detail == "json.depth":
		f.Finding.Rule, f.Detail = JSONDepth, "max_json_depth"
	default:
		f.Finding.Rule = InvalidJSON
	}
	c.faults = append(c.faults, f)
}

// at adds a fault at an attribute, or at the event if the attribute is missing.
func (c *Checker) at(a evidence.Attribute, step Step, code, detail, message string) *Fault {
	f := c.fault(step, code, detail, message)
	c.place(f, c.result.Event.Get(a), "/"+a.String())
	return f
}

// fault adds a fault without a position.
func (c *Checker) fault(step Step, code, detail, message string) *Fault {
	c.faults = append(c.faults, Fault{Step: step, Detail: detail, Finding: evidence.Finding{
		Rule: code, Severity: evidence.SeverityError, Message: message,
	}})
	return &c.faults[len(c.faults)-1]
}

func (c *Checker) place(f *Fault, value evidence.Value, pointer string) {
	f.Start = c.result.Event.Locate(&f.Finding, value)
	f.Finding.Path = pointer
}

// compare adds expected and actual values.
func (f *Fault) compare(expected string, found []byte) {
	f.Finding.Expected, f.Finding.Found = say.Preview(expected, previewBytes), preview(found)
}

func (f *Fault) lower(s evidence.Severity) { f.Finding.Severity = s }

func (f *Fault) help(text string) { f.Finding.Help = text }

// previewBytes is the size of a long value's preview in messages.
const previewBytes = 80

func preview(value []byte) string { return say.Preview(value, previewBytes) }

func quoted(value []byte) string { return say.Quoted(string(value[:min(len(value), 4*previewBytes)])) }
