package page

import (
	"fmt"
	"time"
)

// Transcript describes the transcript of a section in the index of sessions.
type Transcript struct {
	Project, Name    string
	Start            time.Time // zero if unknown
	Bytes            int64     // -1 if unknown
	Errors, Warnings int
	Figures          *Figures // nil: not counted
}

// Figures are the counts of a transcript in the index of sessions.
type Figures struct {
	Turns, Calls, Failed int64 // of prompts, tool calls and their failures
	Tokens               int64
	Unknown              bool // the tokens are
}

// Began returns the time of the first record for display.
func (s *Transcript) Began() string {
	if s.Start.IsZero() {
		return "unknown"
	}
	return s.Start.Format("2006-01-02 15:04")
}

// Size returns the size for display.
func (s *Transcript) Size() string {
	const kib, mib = 1 << 10, 1 << 20
	switch n := float64(s.Bytes); {
	case n < 0:
		return "unknown"
	case n < kib:
		return counted(int(s.Bytes), "byte")
	case n < mib:
		return fmt.Sprintf("%.1f KiB", n/kib)
	default:
		return fmt.Sprintf("%.1f MiB", n/mib)
	}
}

// Problems returns the number of errors and warnings for display.
func (s *Transcript) Problems() string {
	switch {
	case s.Errors == 0 && s.Warnings == 0:
		return "none"
	case s.Warnings == 0:
		return counted(s.Errors, "error")
	case s.Errors == 0:
		return counted(s.Warnings, "warning")
	}
	return counted(s.Errors, "error") + ", " + counted(s.Warnings, "warning")
}

// Weight returns the number to sort problems by: any error outweighs all warnings.
func (s *Transcript) Weight() int64 { return int64(s.Errors)<<31 + int64(s.Warnings) }

// listTranscript adds a transcript to the index of sessions, with a link if it has an id.
func (p *Page) listTranscript(s *Section, id string) {
	p.sessionRows++
	p.figures = p.figures || s.Transcript.Figures != nil
	p.kind("transcripts")
	p.sessions.add(s.Mark, executed("sessions-row", struct {
		*Section
		ID string
	}{s, id}))
}

// Spares reports whether a section is of a good session and has no room for a view, so that the caller need not
// create the view.
func (p *Page) Spares(s *Section) bool {
	if !p.noRoom || s.viewLimit() == MaxViews {
		return false
	}
	p.untold++
	return true
}

// viewLimit limits the views up to this one. Good sessions leave half of the room to others.
func (s *Section) viewLimit() int {
	if s.Transcript != nil && s.Mark == Good {
		return MaxViews / 2
	}
	return MaxViews
}
