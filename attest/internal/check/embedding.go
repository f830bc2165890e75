package check

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/drift"
	"github.com/cupel-dev/cupel/attest/internal/lexical"
	"github.com/cupel-dev/cupel/attest/internal/target"
	"github.com/cupel-dev/cupel/attest/model"
)

// defaultSimilarity is the default threshold of an embedding check (§4, layer 5).
const defaultSimilarity = 0.8

// embeddingCheck compares the meaning of a text with a reference (layer 5).
type embeddingCheck struct {
	embedder  model.Embedder
	model     string // "": the default
	note      string // what explanations say of the model
	target    target.Target
	reference string
	threshold threshold
}

func compileEmbedding(s *spec) Check {
	c := &embeddingCheck{embedder: s.resources.Embedding, model: s.text("model")}
	if strings.HasPrefix(c.model, "builtin/") {
		c.model = s.choose("model", "model", []string{lexical.Name})
		c.embedder, c.note = lexical.Embedder{}, lexicalNote
	}
	if c.embedder == nil {
		return unavailable{"no embedding provider is configured (capability layers_5_6)", noEmbedding}
	}
	c.target, c.reference, c.threshold = s.target("target"), s.need("reference"), readThreshold(s, defaultSimilarity)
	s.take(len(c.reference))
	return c
}

// lexicalNote explains the limits of the built-in model.
const lexicalNote = " The model " + lexical.Name + " compares words and their letters, not their meaning."

func (c *embeddingCheck) dynamic() bool { return c.threshold.dynamic }

func (c *embeddingCheck) against(past drift.Stats) Check {
	own := *c
	own.threshold = c.threshold.against(past)
	return &own
}

func (c *embeddingCheck) evaluate(ctx context.Context, s *Subject) Verdict { return asked(ctx, c, s) }

func (c *embeddingCheck) question(s *Subject) (q *Question, known Verdict) {
	text, n, refusal := s.targetText(&c.target)
	if refusal != nil {
		return nil, *refusal
	}
	if text == "" { // services refuse it
		return nil, broken(c.target.Shown+" is empty, so there is nothing to compare.").because(textEmpty, c.target.Shown, "")
	}
	p := s.vectors(c.embedder, c.model).pair(text, c.reference)
	if p == nil {
		return nil, broken(fmt.Sprintf("Not evaluated: the texts of the embedding assertions are more than %d bytes together.", maxTextBytes)).
			because(textsTooLong, strconv.Itoa(maxTextBytes), "")
	}
	return &Question{n, p.announce, func(ctx context.Context) Verdict { return c.ask(ctx, p) }}, Verdict{}
}

func (c *embeddingCheck) ask(ctx context.Context, p *pair) Verdict {
	cos, cost, err := p.similarity(ctx)
	if err != nil {
		return Verdict{outcome: unanswerable, Cost: cost, Err: fmt.Errorf("embedding provider: %w", err)}
	}
	r := c.threshold.judge(cos)
	shown := rounded(cos, c.threshold.value)
	v := Verdict{
		outcome: r.outcome, Score: max(0, cos), Cost: cost, ThresholdSource: r.source,
		Explanation: fmt.Sprintf("Cosine similarity %s between %s and reference text %s.%s", shown, c.target.Shown, r.sentence, c.note),
	}
	if r.outcome != held {
		v = v.because(dissimilar, decimals(c.threshold.value), shown)
	}
	return v
}

// vectors returns the embeddings of a model for the texts of the request.
func (x *Subject) vectors(e model.Embedder, name string) *vectors {
	v := x.embedded[name]
	if v == nil {
		if x.embedded == nil {
			x.embedded = map[string]*vectors{}
		}
		v = newVectors(e, name)
		x.embedded[name] = v
	}
	return v
}
