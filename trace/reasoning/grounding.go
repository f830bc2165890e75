package reasoning

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/stream"
)

// Grounding says what each claim of a trace rests on.
type Grounding struct {
	Claims   []*GroundedClaim `json:"claims"`          // in the order of the trace
	Unused   []UnusedEvidence `json:"unused_evidence"` // registered, but cited by no claim
	Evidence int              `json:"evidence"`        // how many pieces were registered
}

// GroundedClaim is one claim.
type GroundedClaim struct {
	ID        string     `json:"id"` // "line N" for a claim without an id
	Line      int        `json:"line"`
	Type      string     `json:"type"` // "derived", "observed", "assumed"
	Statement string     `json:"statement,omitempty"`
	RestsOn   string     `json:"rests_on"` // "evidence", "claims", "calls" or "nothing"
	Reaches   bool       `json:"reaches_evidence"`
	Supports  []Citation `json:"supports"`
}

// Citation is one support of a claim.
type Citation struct {
	Kind  string    `json:"kind"` // "evidence", "claim" or "tool_call"
	Ref   string    `json:"ref_id"`
	Span  *[2]int64 `json:"span"`
	Holds *bool     `json:"holds"`          // the cited bytes have the recorded hash; null when that is unknown
	Text  string    `json:"text,omitempty"` // the cited bytes, cut to MaxCitedText
}

// UnusedEvidence is a piece of evidence that no claim cites.
type UnusedEvidence struct {
	ID   string `json:"id"`
	URI  string `json:"uri"`
	Line int    `json:"line"`
}

// MaxCitedText is how many bytes of a citation a report repeats.
const MaxCitedText = 400

// maxCited bounds the bytes that one citation may make this reader hold.
const maxCited = 16 << 20

// Ground reads a trace for what its claims rest on. It keeps the claims and the ids of
// the evidence, at most limits.IDs of both, and reads the cited bytes through files; nil files
// leave them unread. Lines that are no event are passed over: Ground verifies
// nothing, trace.Verify does. The error is of reading, of the limit, or the context's.
func Ground(ctx context.Context, trace io.Reader, files Files, limits stream.Limits) (*Grounding, error) {
	limits = limits.WithDefaults()
	g := &grounder{files: files, limit: limits.IDs, evidence: map[string]*piece{}}
	scanner := strictjson.NewScanner(strictjson.Limits{TextBytes: limits.LineBytes + 1, Depth: limits.Depth, Keys: limits.Keys})
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
		if err := g.take(line.Number, event); err != nil {
			return nil, err
		}
	}
	return g.close(), nil
}

type grounder struct {
	files    Files
	limit    int
	report   Grounding
	evidence map[string]*piece
	order    []*piece
}

// piece is one registered piece of evidence.
type piece struct {
	UnusedEvidence
	path string
	used bool
}

func (g *grounder) take(line int, event strictjson.Node) error {
	if len(g.order)+len(g.report.Claims) >= g.limit {
		return &stream.LimitError{What: "claims and pieces of evidence", Limit: g.limit, Flag: "--max-ids"}
	}
	switch {
	case event.Get("kind").TextIs("evidence_registered"):
		g.register(line, event.Get("evidence"))
	case event.Get("kind").TextIs("claim_emitted"):
		g.claim(line, event.Get("claim"))
	}
	return nil
}

func textMember(n strictjson.Node, names ...string) string {
	for _, name := range names {
		if text, ok := n.Get(name).Text(); ok {
			return text
		}
	}
	return ""
}

func (g *grounder) register(line int, n strictjson.Node) {
	path, _ := cleanPath(textMember(n, "content_path"))
	p := &piece{UnusedEvidence: UnusedEvidence{textMember(n, "id"), textMember(n, "uri"), line}, path: path}
	if _, twice := g.evidence[p.ID]; !twice {
		g.evidence[p.ID] = p
	}
	g.order = append(g.order, p)
}

func (g *grounder) claim(line int, n strictjson.Node) {
	c := &GroundedClaim{ID: textMember(n, "id"), Line: line, Type: textMember(n, "claim_type"), Statement: textMember(n, "statement"), Supports: []Citation{}}
	if c.ID == "" {
		c.ID = fmt.Sprintf("line %d", line)
	}
	if c.Type == "" {
		c.Type = "derived"
	}
	for s := range n.Get("supports").Children() {
		c.Supports = append(c.Supports, g.cite(s))
	}
	c.RestsOn = restsOn(c.Supports)
	g.report.Claims = append(g.report.Claims, c)
}

func restsOn(supports []Citation) string {
	for _, kind := range []string{"evidence", "claim", "tool_call"} {
		if slices.ContainsFunc(supports, func(s Citation) bool { return s.Kind == kind }) {
			return map[string]string{"evidence": "evidence", "claim": "claims", "tool_call": "calls"}[kind]
		}
	}
	return "nothing"
}

// cite reads one support and, for evidence, the bytes that it cites.
func (g *grounder) cite(n strictjson.Node) Citation {
	s := Citation{Kind: textMember(n, "kind"), Ref: textMember(n, "ref_id", "evidence_id")}
	if s.Kind == "" {
		s.Kind = "evidence"
	}
	from, okFrom := n.Get("span").At(0).Int()
	to, okTo := n.Get("span").At(1).Int()
	if !okFrom || !okTo || from < 0 || to <= from {
		return g.unread(s)
	}
	s.Span = &[2]int64{from, to}
	if s.Kind != "evidence" {
		return s
	}
	want, proper := digest.ParseHex([]byte(textMember(n, "snippet_sha256")))
	if !proper {
		return g.unread(s)
	}
	for _, p := range g.meant(s.Ref) {
		bytes, read := g.bytes(p, from, to)
		holds := read && digest.Of(bytes) == want
		if s.Ref == "" && !holds {
			continue
		}
		p.used = true
		if s.Ref = p.ID; read {
			s.Holds, s.Text = &holds, excerpt(bytes)
		}
		return s
	}
	return s
}

// unread is a citation whose bytes cannot be asked for; the evidence counts as cited.
func (g *grounder) unread(s Citation) Citation {
	if p := g.evidence[s.Ref]; p != nil && s.Kind == "evidence" {
		p.used = true
	}
	return s
}

// meant are the pieces that a support may mean: the one it names, or the latest ones.
func (g *grounder) meant(ref string) []*piece {
	if ref == "" {
		latest := slices.Clone(g.order[max(0, len(g.order)-maxSearched):])
		slices.Reverse(latest)
		return latest
	}
	if p := g.evidence[ref]; p != nil {
		return []*piece{p}
	}
	return nil
}

func (g *grounder) bytes(p *piece, from, to int64) (text []byte, read bool) {
	if g.files == nil || p.path == "" || to-from > maxCited {
		return nil, false
	}
	f, size, fault, err := openEvidence(g.files, p.path)
	if err != nil || fault != nil {
		return nil, false
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	if to > size {
		return nil, false
	}
	text, err = io.ReadAll(rangeOf(f, span{from: from, to: to}))
	return text, err == nil && int64(len(text)) == to-from
}

// excerpt makes cited bytes fit a report.
func excerpt(b []byte) string {
	if len(b) <= MaxCitedText {
		return strings.ToValidUTF8(string(b), "\ufffd")
	}
	return strings.ToValidUTF8(string(b[:MaxCitedText]), "") + "…"
}

// close finds out which claims reach evidence at last, over any number of other claims.
func (g *grounder) close() *Grounding {
	citing := map[string][]*GroundedClaim{} // by the id of the claim that is cited
	var reached []*GroundedClaim
	for _, c := range g.report.Claims {
		for _, s := range c.Supports {
			if s.Kind == "claim" {
				citing[s.Ref] = append(citing[s.Ref], c)
			}
		}
		if c.Reaches = slices.ContainsFunc(c.Supports, g.holds); c.Reaches {
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
	g.report.Evidence = len(g.order)
	g.report.Unused = []UnusedEvidence{}
	for _, p := range g.order {
		if !p.used {
			g.report.Unused = append(g.report.Unused, p.UnusedEvidence)
		}
	}
	if g.report.Claims == nil {
		g.report.Claims = []*GroundedClaim{}
	}
	return &g.report
}

// holds says whether a citation is of evidence that is there and, as far as is known,
// has the cited bytes.
func (g *grounder) holds(s Citation) bool {
	return s.Kind == "evidence" && g.evidence[s.Ref] != nil && (s.Holds == nil || *s.Holds)
}
