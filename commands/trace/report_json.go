package tracecmd

import (
	"bufio"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/trace"
)

// groundingSchema names the JSON form of `trace report`.
const groundingSchema = "cupel.grounding/1"

// groundingJSON writes one document.
func groundingJSON(w *bufio.Writer, g grounded) error {
	switch {
	case g.session != nil:
		return g.session.json(w)
	case g.folder != nil:
		return g.folder.json(w)
	}
	return app.WriteJSON(w, struct {
		Schema  string        `json:"schema"`
		Status  string        `json:"status"`
		Input   string        `json:"input"`
		Verdict trace.Verdict `json:"verdict"`
		*trace.Grounding
		Summary map[string]int `json:"summary"`
	}{groundingSchema, "ok", g.verdict.Input, g.verdict.Verdict, g.Grounding, g.counts()})
}
