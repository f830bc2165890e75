package report

import (
	"strconv"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// headline is `file:line:col: error: message [RULE]`, without the parts of the place
// that a finding lacks.
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

// comparison is the message with what was expected and found, each as shown writes it,
// for formats without members of their own for those.
func comparison(f finding.Finding, shown func(string) string) string {
	if f.Expected == "" && f.Found == "" {
		return shown(f.Message)
	}
	return shown(f.Message) + "\nexpected: " + shown(f.Expected) + "\nfound: " + shown(f.Found)
}

// inPart is the finding with the part of the file in its message, for formats that say where
// a finding is in nothing but its place.
func inPart(f finding.Finding) finding.Finding {
	if part := f.Part(); part != "" {
		f.Message = part + ": " + f.Message
	}
	return f
}
