package tracecmd

import (
	"cmp"
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/trace"
)

// conversationView returns a transcript's view. Findings on lines without a part, such as lost
// records, are separate rows.
func conversationView(c *trace.Conversation, findings []finding.Finding) page.View {
	v := &page.Conversation{Left: int(c.Omitted)}
	shown := map[int]bool{}
	for _, p := range c.Parts {
		shown[p.Line] = true
		u := page.Utterance{
			Line: p.Line, Kind: p.Kind, Name: p.Name, ID: p.ID, Sub: p.Subagent, Failed: p.Failed, Open: p.Open, Text: p.Text.Text, Cut: p.Text.Cut,
		}
		if !p.Time.IsZero() {
			u.Time = p.Time.Format("2006-01-02 15:04:05")
		}
		v.Rows = append(v.Rows, u)
	}
	for _, f := range findings {
		if !shown[f.Line] && f.Line > 0 && f.Severity != finding.Info {
			shown[f.Line] = true
			v.Rows = append(v.Rows, page.Utterance{Line: f.Line, Kind: "damage"})
		}
	}
	slices.SortStableFunc(v.Rows, func(a, b page.Utterance) int { return cmp.Compare(a.Line, b.Line) })
	for i := range v.Rows {
		v.Rows[i].Number = i + 1
	}
	return v
}
