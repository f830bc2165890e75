package check

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// defaultSimilarity is the threshold of an embedding check without one (§4, layer 5).
const defaultSimilarity = 0.8

// embeddingCheck compares the meaning of a text with that of a reference (layer 5).
type embeddingCheck struct {
	embedder  model.Embedder
	model     string // "": the default
	target    target.Target
	reference string
	threshold threshold
}

func compileEmbedding(s *spec) Check {
	if s.resources.Embedding == nil {
		return unavailable("no embedding provider is configured (capability layers_5_6)")
	}
	c := &embeddingCheck{
		embedder: s.resources.Embedding, model: s.text("model"),
		target: s.target("target"), reference: s.need("reference"), threshold: s.threshold(defaultSimilarity),
	}
	s.take(len(c.reference))
	return c
}

func (c *embeddingCheck) evaluate(ctx context.Context, s *Subject) Verdict { return asked(ctx, c, s) }

// question implements slowCheck.
func (c *embeddingCheck) question(s *Subject) (q *Question, known Verdict) {
	text, n, m := s.text(&c.target)
	if m != nil {
		return nil, broken(m.Sentence())
	}
	return &Question{n, func(ctx context.Context) Verdict { return c.ask(ctx, text) }}, Verdict{}
}

// ask compares a text with the reference.
func (c *embeddingCheck) ask(ctx context.Context, text string) Verdict {
	reply, err := c.embedder.Embed(ctx, model.EmbeddingRequest{Model: c.model, Texts: []string{text, c.reference}})
	if err == nil && len(reply.Vectors) != 2 {
		err = fmt.Errorf("%d vectors for 2 texts", len(reply.Vectors))
	}
	similarity := 0.0
	if err == nil {
		similarity, err = cosine(reply.Vectors[0], reply.Vectors[1])
	}
	if err != nil {
		return Verdict{outcome: unanswerable, Cost: reply.Usage.Cost, Err: fmt.Errorf("embedding provider: %w", err)}
	}
	r := c.threshold.judge(similarity)
	return Verdict{
		outcome: r.outcome, Score: max(0, similarity), Cost: reply.Usage.Cost, ThresholdSource: r.source,
		Explanation: fmt.Sprintf("Cosine similarity %s between %s and reference text %s.", decimals(similarity), c.target.Shown, r.sentence),
	}
}

// cosine is the cosine of the angle between two vectors, from -1 to 1.
func cosine(a, b []float32) (float64, error) {
	if len(a) != len(b) {
		return 0, fmt.Errorf("vectors of %d and %d numbers", len(a), len(b))
	}
	var dot, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot, aa, bb = dot+x*y, aa+x*x, bb+y*y
	}
	cos := dot / math.Sqrt(aa) / math.Sqrt(bb)
	switch {
	case aa == 0 || bb == 0:
		return 0, fmt.Errorf("a vector of zeros")
	case math.IsNaN(cos):
		return 0, fmt.Errorf("a vector with numbers that are none")
	}
	return max(-1, min(cos, 1)), nil
}

// text is what a target stands for, for a model to read: a string as it is, other values as
// the JSON that was sent, and the texts of several values put together. n is the first.
func (s *Subject) text(t *target.Target) (text string, n strictjson.Node, missing *target.Missing) {
	values, missing := t.Resolve(&s.Targets)
	if missing != nil {
		return "", n, missing
	}
	texts := make([]string, len(values.Nodes))
	for i, n := range values.Nodes {
		texts[i] = s.texts.Of(n).Value
	}
	return strings.Join(texts, "\n\n"), values.Nodes[0], nil
}
