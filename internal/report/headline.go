package report

import (
	"strconv"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// headline returns `file:line:col: error: message [RULE]`, without missing parts.
func headline(paint palette, f finding.Finding) string {
	place := f.File
	if f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line)
	}
	if f.Line > 0 && f.Column > 0 {
		place += ":" + strconv.Itoa(f.Column)
	}
	if place != "" {
		place = paint.strong(say.Visible(place)+":") + " "
	}
	return place + paint.severity(f.Severity)(f.Severity.String()+":") + " " + say.Visible(f.Message) + " " + paint.faint("["+paint.rule(f.Rule)+"]")
}

// comparison returns the message with expected and found values, for formats without separate members.
func comparison(f finding.Finding, shown func(string) string) string {
	if f.Expected == "" && f.Found == "" {
		return shown(f.Message)
	}
	return shown(f.Message) + "\nexpected: " + shown(f.Expected) + "\nfound: " + shown(f.Found)
}

// inPart adds the part of the file to the message, for formats that cannot express it in the position.
func inPart(f finding.Finding) finding.Finding {
	if part := f.Part(); part != "" {
		f.Message = part + ": " + f.Message
	}
	return f
}
