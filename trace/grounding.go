package trace

import (
	"context"
	"errors"
	"io"

	"github.com/cupel-dev/cupel/trace/internal/reasoning"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Grounding lists the claims of a reasoning trace with the evidence they cite.
type Grounding struct {
	Claims   []GroundedClaim  `json:"claims"`          // in the order of the trace
	Unused   []UnusedEvidence `json:"unused_evidence"` // registered, but cited by no claim
	Evidence int              `json:"evidence"`        // how many pieces were registered
}

type GroundedClaim struct {
	ID        string     `json:"id"` // "line N" for a claim without an id
	Line      int        `json:"line"`
	Type      string     `json:"type"` // "derived", "observed" or "assumed"
	Statement string     `json:"statement,omitempty"`
	RestsOn   string     `json:"rests_on"`         // "evidence", "claims", "calls" or "nothing"
	Reaches   bool       `json:"reaches_evidence"` // directly or over other claims
	Supports  []Citation `json:"supports"`
}

// Citation is one support of a claim and whether it holds.
type Citation struct {
	Kind  string    `json:"kind"` // "evidence", "claim" or "tool_call"
	Ref   string    `json:"ref_id"`
	Span  *[2]int64 `json:"span"`           // bytes of the evidence, [from, to)
	Holds *bool     `json:"holds"`          // the cited bytes have the recorded hash; nil when that is unknown
	Text  string    `json:"text,omitempty"` // the cited bytes, cut to 400
}

type UnusedEvidence struct {
	ID   string `json:"id"`
	URI  string `json:"uri"`
	Line int    `json:"line"`
}

// Ground verifies an input like Verify and returns the evidence for each claim of a reasoning trace. It keeps at
// most Limits.IDs claims and evidence ids, and reads cited bytes through Options.Reasoning. Logs without claims
// have an empty grounding. If ctx ends, only its error is returned.
func Ground(ctx context.Context, input io.Reader, opt Options) (*Report, *Grounding, error) {
	copied, copying := io.Pipe()
	type answer struct {
		*reasoning.Grounding
		error
	}
	done := make(chan answer, 1)
	go func() {
		evidence := evidenceFolder(&opt.Reasoning, folderOf(opt.Reasoning.Run))
		g, err := reasoning.Ground(ctx, copied, evidence, stream.Limits(opt.Limits))
		copied.CloseWithError(errors.Join(err, io.ErrClosedPipe))
		done <- answer{g, err}
	}()
	report, err := Verify(ctx, io.TeeReader(input, copying), opt)
	copying.CloseWithError(err) // nil: the end of the trace
	g := <-done
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case g.error != nil:
		return nil, nil, exported(g.error)
	case err != nil:
		return nil, nil, err
	}
	return report, grounding(g.Grounding), nil
}

// grounding converts to the exported type.
func grounding(g *reasoning.Grounding) *Grounding {
	out := &Grounding{Claims: make([]GroundedClaim, len(g.Claims)), Unused: make([]UnusedEvidence, len(g.Unused)), Evidence: g.Evidence}
	for i, c := range g.Claims {
		supports := make([]Citation, len(c.Supports))
		for k, s := range c.Supports {
			supports[k] = Citation(s)
		}
		out.Claims[i] = GroundedClaim{c.ID, c.Line, c.Type, c.Statement, c.RestsOn, c.Reaches, supports}
	}
	for i, e := range g.Unused {
		out.Unused[i] = UnusedEvidence(e)
	}
	return out
}
