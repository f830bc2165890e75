package oatfcmd

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/outline"
)

// besideFound is how many messages a page about several documents shows around a match.
const besideFound = 3

type verdictView struct {
	*evalRun
	notes map[int][]indicatorMatch // by the place of the message in the log
	view  *page.Messages
}

type indicatorMatch struct {
	note       page.MessageNote
	start, end int
}

var indicatorMarks = map[eval.IndicatorResult]page.Mark{eval.Matched: page.Bad, eval.NotMatched: page.Good, eval.Error: page.Unanswered, eval.Skipped: page.Caution}

// indicator adds an indicator's row, and a note at the message that it matched.
func (s *verdictView) indicator(x *eval.IndicatorVerdict, of *oatf.Indicator) {
	if len(s.view.Watched) == mostWatches && x.Result == eval.NotMatched {
		s.view.More++ // those that matched are never left out
		return
	}
	shown := outline.IndicatorOf(of)
	row := page.Watched{
		ID: x.IndicatorID, Description: said(shown.Description), Looks: said(shown.Looks),
		Mark: indicatorMarks[x.Result], Word: strings.ReplaceAll(string(x.Result), "_", " "), Evidence: x.Evidence,
	}
	if p := x.Place; p != nil {
		row.Place = fmt.Sprintf("message %d", p.MessageIndex+1)
		if x.Result == eval.Error && x.Err == nil { // an unreadable line is not a message
			row.Place = fmt.Sprintf("line %d", p.Line)
		} else if at, ok := s.log.of(p.MessageIndex); ok {
			row.Row = p.MessageIndex + 1
			s.notes[at] = append(s.notes[at], indicatorMatch{page.MessageNote{
				ID: x.IndicatorID, Mark: row.Mark, Word: row.Word, Path: p.Path, Operator: p.Operator, Evidence: x.Evidence,
			}, p.Start, p.End})
		}
	}
	s.view.Watched = append(s.view.Watched, row)
}

func (s *verdictView) rows() {
	shown := s.shown()
	covered := 0 // messages of the run that the rows cover
	for i := range s.log.kept {
		if m := &s.log.kept[i]; shown == nil || shown[i] {
			s.skip(m.number - 1 - covered)
			covered = m.number
			s.view.Rows = append(s.view.Rows, s.row(m, s.notes[i]))
		}
	}
	s.skip(s.log.total - covered)
	if s.log.mute {
		s.view.Hidden = "--no-evidence-text: their text is not shown"
	}
	if s.log.total > loggedMessages {
		s.view.Left = fmt.Sprintf("the first %d are shown, and each with an indicator's match", loggedMessages)
	}
	if len(s.documents) > 1 {
		s.view.Left = fmt.Sprintf("those with a match of this document's indicators are shown, with %d on either side", besideFound)
	}
}

// shown returns the messages to show, or nil for all.
func (s *verdictView) shown() map[int]bool {
	if len(s.documents) == 1 {
		return nil
	}
	shown := map[int]bool{}
	for at := range s.notes {
		for i := at - besideFound; i <= at+besideFound; i++ {
			shown[i] = true
		}
	}
	return shown
}

func (s *verdictView) skip(number int) {
	if number > 0 {
		s.view.Rows = append(s.view.Rows, page.Message{Skipped: number})
	}
}

func (s *verdictView) row(m *loggedMessage, list []indicatorMatch) page.Message {
	row := page.Message{
		Number: m.index + 1, Line: m.line, Direction: string(m.direction), What: m.what, Actor: m.actor, Phase: m.phase, Time: m.moment,
	}
	if len(s.captures) > 1 {
		row.Input = s.captures[m.input]
	}
	for _, f := range list {
		row.Notes = append(row.Notes, f.note)
	}
	switch {
	case m.text == "":
	case len(list) > 0 && m.whole:
		row.Pieces = markedJSON(m.text, list, !m.stars)
	case len(list) > 0:
		row.Pieces = []page.Piece{{Text: m.text}}
	default:
		row.Pieces = []page.Piece{{Text: say.Preview(m.text, loggedBytes)}}
	}
	return row
}
