package tracecmd

import (
	"bufio"
	"fmt"
	"strconv"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace"
)

// groundingText writes a paragraph per claim, a line per unused evidence, and the counts.
func groundingText(w *bufio.Writer, g grounded) error {
	switch {
	case g.session != nil:
		g.session.text(w)
		return nil
	case g.folder != nil:
		g.folder.text(w)
		return nil
	}
	input := say.Visible(g.verdict.Input)
	for _, c := range g.Claims {
		fmt.Fprintf(w, "%s:%d: claim %s (%s): %s\n", input, c.Line, say.Visible(c.ID), say.Visible(c.Type), reachText(c))
		if c.Statement != "" {
			fmt.Fprintf(w, "  %s\n", say.Visible(c.Statement))
		}
		for _, s := range c.Supports {
			fmt.Fprintf(w, "  - %s\n", say.Visible(citationText(s)))
		}
	}
	for _, e := range g.Unused {
		fmt.Fprintf(w, "%s:%d: no claim cites evidence %s\n", input, e.Line, say.Visible(e.ID))
	}
	n := g.counts()
	fmt.Fprintf(w, "%s: %s, %d without evidence, %d resting only on claims, %d of %d pieces of evidence unused, %s broken; the trace is %s\n",
		input, cmdline.Counted(n["claims"], "claim"), n["without_evidence"], n["only_claims"],
		n["unused_evidence"], n["evidence"], cmdline.Counted(n["broken_citations"], "citation"), g.verdict.Verdict)
	return nil
}

func reachText(c trace.GroundedClaim) string {
	switch {
	case c.RestsOn == "evidence" && c.Reaches:
		return "rests on evidence"
	case c.RestsOn == "evidence":
		return "rests on invalid evidence"
	case c.Reaches:
		return "rests only on " + c.RestsOn + ", which lead to evidence"
	}
	return "rests only on " + c.RestsOn + ", which lead to no evidence"
}

func citationText(s trace.Citation) string {
	what := s.Kind + " " + s.Ref
	if s.Ref == "" {
		what = s.Kind + " that nothing names"
	}
	if s.Span != nil && s.Kind == "evidence" {
		what += fmt.Sprintf(" [%d,%d]", s.Span[0], s.Span[1])
	}
	switch {
	case s.Kind != "evidence":
		return what
	case s.Holds == nil:
		return what + ": not read"
	case *s.Holds:
		return what + ": " + strconv.Quote(s.Text)
	}
	return what + ": not the cited bytes: " + strconv.Quote(s.Text)
}
