package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
)

// newTAP returns a writer of the Test Anything Protocol, version 14, with a test for each case of the junit format.
func newTAP(w io.Writer, run Run, opt Options) Writer {
	j := beginJUnit(&sink{w: w}, run, &junitSuites{}, newStopwatch(opt.Now))
	j.form = tap
	return j
}

// tapEscape prevents names from being read as directives.
var tapEscape = strings.NewReplacer("\\", "\\\\", "#", "\\#")

func tap(s *sink, all *junitSuites, sum Summary) {
	s.text("TAP version 14\n")
	n := 0
	for _, suite := range all.Suites {
		for _, c := range suite.Testcases {
			n++
			word, message, data := "ok", "", ""
			switch {
			case c.Failure != nil:
				word, message, data = "not ok", c.Failure.Message, c.Failure.Data
			case c.Error != nil:
				word, message, data = "not ok", c.Error.Message, c.Error.Data
			case c.SystemOut != nil:
				data = c.SystemOut.Data
			}
			s.text(fmt.Sprintf("%s %d - %s\n", word, n, tapEscape.Replace(c.Classname+": "+c.Name)))
			tapDiagnostics(s, message, data)
		}
	}
	s.text(fmt.Sprintf("1..%d\n", n))
	if sum.Text != "" {
		s.text("# ", say.Visible(sum.Text), "\n")
	}
}

// tapDiagnostics writes the YAML block of a test. JSON strings are valid YAML.
func tapDiagnostics(s *sink, message, data string) {
	if message+data == "" {
		return
	}
	s.text("  ---\n")
	for _, m := range []struct{ name, text string }{{"message", message}, {"findings", data}} {
		if m.text != "" {
			text, _ := json.Marshal(m.text) // strings always marshal
			s.text("  ", m.name, ": ", string(text), "\n")
		}
	}
	s.text("  ...\n")
}
