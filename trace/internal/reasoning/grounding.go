package reasoning

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Grounding lists the claims of a trace with the evidence they cite.
type Grounding struct {
	Claims   []*GroundedClaim // in the order of the trace
	Unused   []UnusedEvidence // registered, but cited by no claim
	Evidence int              // how many pieces were registered
}

// GroundedClaim is one claim.
type GroundedClaim struct {
	ID        string // "line N" for a claim without an id
	Line      int
	Type      string // "derived", "observed", "assumed"
	Statement string
	RestsOn   string // "evidence", "claims", "calls" or "nothing"
	Reaches   bool   // evidence, directly or over other claims
	Supports  []Citation
}

// Citation is one support of a claim.
type Citation struct {
	Kind  string // "evidence", "claim" or "tool_call"
	Ref   string
	Span  *[2]int64
	Holds *bool  // the cited bytes have the recorded hash; nil when that is unknown
	Text  string // the cited bytes, cut to MaxCitedText
}

// UnusedEvidence is a piece of evidence that no claim cites.
type UnusedEvidence struct {
	ID   string
	URI  string
	Line int
}

// Ground reads the evidence and claims of a trace, at most limits.IDs of each, and the cited bytes through files
// unless nil. It skips lines that are not events and verifies nothing (see trace.Verify). It returns a read error,
// an error for the limit, or ctx's.
func Ground(ctx context.Context, trace io.Reader, files Files, limits stream.Limits) (*Grounding, error) {
	limits = limits.WithDefaults()
	g := &grounder{cited: citations{files: files, byID: map[string]*piece{}}, limit: limits.IDs}
	blocks := format.NewBlocks(0)
	reader := format.NewReader(format.Options{Keys: siphash.NewKey()}, blocks)
	scanner := strictjson.NewScanner(strictjson.Limits{TextBytes: limits.LineBytes + 1, Depth: limits.Depth, Keys: limits.Keys, Values: limits.Values})
	for line, err := range source.NewReader(trace, limits.LineBytes).All() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		doc, err := scanner.Scan(line.Bytes)
		if err != nil || line.Long {
			continue
		}
		event := doc.Root()
		if inner := event.Get("event"); inner.Is(strictjson.Object) {
			event = inner
		}
		if err := g.take(reader.Event(line, event)); err != nil {
			return nil, err
		}
		blocks.Put(reader.Flush())
	}
	return g.close(), nil
}

type grounder struct {
	cited  citations
	claims []*GroundedClaim
	limit  int
}

func (g *grounder) take(e *format.Event) error {
	if len(g.cited.order)+len(g.claims) >= g.limit {
		return &stream.LimitError{What: "claims and pieces of evidence", Limit: g.limit, Flag: "--max-ids"}
	}
	switch e.Kind {
	case format.EvidenceRegistered:
		g.cited.register(e)
	case format.ClaimEmitted:
		g.claim(e)
	}
	return g.cited.failed
}

func (g *grounder) claim(e *format.Event) {
	c := &GroundedClaim{
		ID: e.ID.String(), Line: e.Line.Number, Type: e.Claim.Type.String(), Statement: e.Claim.Statement.String(), Supports: []Citation{},
	}
	if c.ID == "" {
		c.ID = fmt.Sprintf("line %d", c.Line)
	}
	if c.Type == "" {
		c.Type = "derived"
	}
	for i := range e.Claim.Supports {
		c.Supports = append(c.Supports, g.cited.cite(&e.Claim.Supports[i]))
	}
	c.RestsOn = restsOn(c.Supports)
	g.claims = append(g.claims, c)
}

// restsOn returns the strongest kind of support that a claim cites.
func restsOn(supports []Citation) string {
	for _, strength := range []struct{ kind, name string }{{"evidence", "evidence"}, {"claim", "claims"}, {"tool_call", "calls"}} {
		if slices.ContainsFunc(supports, func(s Citation) bool { return s.Kind == strength.kind }) {
			return strength.name
		}
	}
	return "nothing"
}

// close determines which claims are based on evidence, directly or through other claims.
func (g *grounder) close() *Grounding {
	citing := map[string][]*GroundedClaim{} // by the id of the claim that is cited
	var reached []*GroundedClaim
	for _, c := range g.claims {
		for _, s := range c.Supports {
			if s.Kind == "claim" {
				citing[s.Ref] = append(citing[s.Ref], c)
			}
		}
		if c.Reaches = slices.ContainsFunc(c.Supports, g.cited.holds); c.Reaches {
			reached = append(reached, c)
		}
	}
	for len(reached) > 0 {
		c := reached[0]
		reached = reached[1:]
		for _, above := range citing[c.ID] {
			if !above.Reaches {
				above.Reaches, reached = true, append(reached, above)
			}
		}
	}
	return &Grounding{Claims: g.claims, Unused: g.cited.unused(), Evidence: len(g.cited.order)}
}
