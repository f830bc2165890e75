package tracecmd

import (
	"github.com/cupel-dev/cupel/trace"
)

// grounded is the result of `trace report`.
type grounded struct {
	*trace.Grounding
	verdict *trace.Report // on a reasoning trace
	views   *traceViews   // nil without a page
	session *session      // of a transcript, which makes no claims; nil for a reasoning trace
	folder  *folder       // of several transcripts
}

// counts are the numbers that close the report.
func (g grounded) counts() map[string]int {
	counts := map[string]int{"claims": len(g.Claims), "evidence": g.Evidence, "unused_evidence": len(g.Unused), "only_claims": 0, "without_evidence": 0, "broken_citations": 0}
	for _, c := range g.Claims {
		if c.RestsOn == "claims" {
			counts["only_claims"]++
		}
		if !c.Reaches {
			counts["without_evidence"]++
		}
		for _, s := range c.Supports {
			if s.Holds != nil && !*s.Holds {
				counts["broken_citations"]++
			}
		}
	}
	return counts
}
