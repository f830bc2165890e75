package report

import (
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/decided"
)

// Tally counts the inputs of a run for its closing line.
type Tally struct {
	Noun     string // of one input: "file", "document", "trace"
	Total    int    // inputs
	Failed   int    // of these, inputs with an error
	Unread   int    // of these, unreadable inputs
	Empty    int    // paths without any input, not in Total
	Errors   int
	Warnings int
	Rest     string // addition such as "2 files skipped", or ""
}

type RunResult struct {
	No          bool // exit code 1, unless one of the others
	Failed      bool // exit code 2: an input could not be read or checked
	Interrupted bool // exit code 130: what was read until then is counted
}

// Closing returns the closing line.
func (t Tally) Closing(end RunResult) string {
	all := plural(t.Total, t.Noun)
	var parts []string
	word := "passed"
	switch {
	case end.Interrupted:
		word = interrupted
		parts = append(parts, all+" read")
		if t.Failed > 0 {
			parts = append(parts, strconv.Itoa(t.Failed)+" failed")
		}
	case end.Failed:
		word = "error"
		if t.Unread > 0 {
			parts = append(parts, strconv.Itoa(t.Unread)+" of "+all+" could not be read")
		}
		if t.Empty > 0 {
			parts = append(parts, "nothing to check in "+plural(t.Empty, "path"))
		}
		if t.Unread+t.Empty == 0 {
			parts = append(parts, "could not check everything")
		}
		if t.Failed > 0 {
			parts = append(parts, strconv.Itoa(t.Failed)+" failed")
		}
	case end.No && t.Failed > 0:
		word = "failed"
		parts = append(parts, strconv.Itoa(t.Failed)+" of "+all)
	case end.No:
		word = "failed"
		parts = append(parts, all)
	default:
		parts = append(parts, all)
	}
	always := word == "failed" || word == interrupted
	if t.Errors > 0 || always {
		parts = append(parts, plural(t.Errors, "error"))
	}
	if t.Warnings > 0 || always {
		parts = append(parts, plural(t.Warnings, "warning"))
	}
	line := word + ": " + strings.Join(parts, ", ")
	if t.Rest != "" {
		line += "; " + t.Rest
	}
	return line
}

// interrupted starts the closing line after Ctrl-C.
const interrupted = "interrupted"

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Close sets the closing line.
func (s *Summary) Close(end RunResult) {
	s.Failed, s.No = end.Failed || end.Interrupted, end.No
	switch {
	case s.Tally != nil:
		s.Text = s.Tally.Closing(end)
	case end.Interrupted:
		s.Text = strings.TrimSuffix(interrupted+": "+s.Text, ": ")
	case s.Text == "" || s.Weight == Plain:
	case end.Failed:
		s.Text = "error: " + s.Text
	case end.No:
		s.Text = "failed: " + s.Text
	default:
		s.Text = "passed: " + s.Text
	}
	if left := s.leavesOut(); left != "" && s.Text != "" {
		s.Text += "; " + left
	}
}

// Add adds the counts of another command's report.
func (t *Tally) Add(part Summary) {
	if part.Tally != nil {
		t.Failed += part.Tally.Failed
		t.Errors += part.Tally.Errors
		t.Warnings += part.Tally.Warnings
		return
	}
	if part.No {
		t.Failed++
	}
}

// leavesOut describes on one line what configuration files excluded, or returns "". It omits what Text counts.
func (s Summary) leavesOut() string { return decided.LeavesOut(s.DecidedWith, !s.Accepted) }

// shown reports whether text output ends with a closing line. A quiet run that passed prints it only if a
// configuration that the user did not name excluded something.
func (s Summary) shown(quiet bool) bool {
	return s.Text != "" && (!quiet || s.No || s.Failed || decided.LeavesOut(s.DecidedWith, false) != "")
}
