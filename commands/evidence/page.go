package evidencecmd

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/say"
)

// The limits of a page: events per input, and bytes of their hash inputs.
const (
	pagedEvents = 2_000
	pagedInput  = 2 << 10 // bytes of one event
	pagedInputs = 2 << 20 // of all of them
)

// eventsView collects the events of an input for a page. A nil *eventsView collects nothing.
type eventsView struct {
	view page.Evidence
	room int
}

// newEventsView returns nil if no page is written.
func (h *hashRun) newEventsView() *eventsView {
	if !h.out.Shows("html") {
		return nil
	}
	return &eventsView{room: pagedInputs}
}

func (v *eventsView) take(e *evidence.Result) {
	switch {
	case v == nil:
		return
	case len(v.view.Events) == pagedEvents:
		v.view.More++
		return
	}
	shown := page.EvidenceEvent{
		Line: e.Line, ID: cmdline.Clipped(string(e.ID)), Computed: e.ContentHash(), Recorded: cmdline.Clipped(string(e.Recorded)), Mark: page.Plain, Word: "nothing recorded",
	}
	switch {
	case !e.Hashed:
		shown.Mark, shown.Word = page.Bad, "no hash"
	case e.Match == evidence.Same:
		shown.Mark, shown.Word = page.Good, "match"
	case e.Recorded != nil:
		shown.Mark, shown.Word = page.Bad, "differ"
	}
	if e.Explanation != nil {
		v.explain(&shown, e.Explanation)
	}
	v.view.Events = append(v.view.Events, shown)
}

// explain adds a hash input with its members marked, up to the size limit.
func (v *eventsView) explain(shown *page.EvidenceEvent, x *evidence.Explanation) {
	input := say.Preview(string(x.Input), min(pagedInput, v.room))
	v.room -= len(input)
	shown.Bytes, shown.Whole = len(x.Input), input == string(x.Input)
	members := slices.SortedFunc(slices.Values(x.Covered[:]), func(a, b evidence.Member) int { return a.InputStart - b.InputStart })
	at := 0
	piece := func(end int, mark string) {
		if end = min(end, len(input)); end > at {
			shown.Pieces = append(shown.Pieces, page.Piece{Text: strings.Clone(input[at:end]), Mark: mark})
			at = end
		}
	}
	for _, m := range members {
		if m.Note == "assumed" {
			shown.Assumed = m.Name
		}
		if m.InputEnd > 0 {
			piece(m.InputStart, "")
			piece(m.InputEnd, m.Name)
		}
	}
	piece(len(input), "")
	shown.Left = cmdline.Clipped(strings.Join(x.NotCovered, ", "))
	if shown.Whole {
		shown.Recipe = recipeOf(x)
	}
	if v.view.Members == nil {
		for _, m := range x.Covered {
			v.view.Members = append(v.view.Members, m.Name)
		}
	}
}

func (v *eventsView) page() (page.View, error) { return &v.view, nil }
