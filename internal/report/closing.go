package report

import (
	"strconv"
	"strings"
)

// Tally counts the inputs of a run for its closing line, which every format has: the verdict first,
// then how many inputs it is about.
type Tally struct {
	Noun     string // of one input: "file", "document", "trace"
	Total    int    // inputs that were read, or should have been
	Failed   int    // of these, the ones with an error
	Unread   int    // of these, the ones that could not be read
	Errors   int
	Warnings int
	Rest     string // what else there is to say, such as "2 files skipped"; "" for nothing
}

// Closing returns the closing line. failed says that the exit code is 2, no that it is 1.
func (t Tally) Closing(failed, no bool) string {
	all := plural(t.Total, t.Noun)
	var parts []string
	word := "passed"
	switch {
	case failed:
		word = "error"
		if t.Unread > 0 {
			parts = append(parts, strconv.Itoa(t.Unread)+" of "+all+" could not be read")
		} else {
			parts = append(parts, "could not check everything")
		}
		if t.Failed > 0 {
			parts = append(parts, strconv.Itoa(t.Failed)+" failed")
		}
	case no && t.Failed > 0:
		word = "failed"
		parts = append(parts, strconv.Itoa(t.Failed)+" of "+all)
	case no:
		word = "failed"
		parts = append(parts, all)
	default:
		parts = append(parts, all)
	}
	if t.Errors > 0 || word == "failed" {
		parts = append(parts, plural(t.Errors, "error"))
	}
	if t.Warnings > 0 || word == "failed" {
		parts = append(parts, plural(t.Warnings, "warning"))
	}
	line := word + ": " + strings.Join(parts, ", ")
	if t.Rest != "" {
		line += "; " + t.Rest
	}
	return line
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Close sets the closing line of a run whose exit code is known.
func (s *Summary) Close(failed, no bool) {
	s.Failed, s.No = failed, no
	switch {
	case s.Tally != nil:
		s.Text = s.Tally.Closing(failed, no)
	case s.Text == "" || s.Weight == Plain:
	case failed:
		s.Text = "error: " + s.Text
	case no:
		s.Text = "failed: " + s.Text
	default:
		s.Text = "passed: " + s.Text
	}
}

// Add adds the counts of one command's report to those of the report that it is part of.
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
