package check

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/cupel-dev/cupel/attest/internal/lexical"
	"github.com/cupel-dev/cupel/attest/model"
)

const (
	// maxTexts is the maximum number of texts per call that services accept.
	maxTexts = 2048

	// maxOwnTexts is the number for the built-in model, for which batches only take memory.
	maxOwnTexts = 64

	// maxTextBytes limits the texts of a request, because overlapping targets can exceed the trace's size many
	// times.
	maxTextBytes = 16 << 20
)

// vectors batches the embeddings of a request by model, each text once. One goroutine adds texts. Then several can
// ask for vectors.
type vectors struct {
	embedder model.Embedder
	model    string // "": the default
	most     int    // texts of a call
	texts    map[string]*embeddedText
	bytes    int
	last     *vectorCall // the one that further texts are added to; nil: none yet
}

type embeddedText struct {
	text string
	call *vectorCall // nil until announced
	at   int         // index in the call's texts
	from int         // the bytes of the texts before it
}

func newVectors(e model.Embedder, name string) *vectors {
	v := &vectors{embedder: e, model: name, most: maxTexts, texts: map[string]*embeddedText{}}
	if name == lexical.Name {
		v.most = maxOwnTexts
	}
	return v
}

// add returns the entry of a text, shared by equal texts. ok is false if the texts exceed the limit.
func (v *vectors) add(text string) (e *embeddedText, ok bool) {
	if e = v.texts[text]; e != nil {
		return e, true
	}
	if v.bytes += len(text); v.bytes > maxTextBytes {
		return nil, false
	}
	e = &embeddedText{text: text}
	v.texts[text] = e
	return e, true
}

// announce registers a text for the next call. first means that the caller is the first and pays for it. ctx is
// used for the call.
func (v *vectors) announce(ctx context.Context, e *embeddedText) (first bool) {
	if e.call == nil {
		if v.last == nil || len(v.last.texts) == v.most {
			v.last = v.newCall(ctx)
		}
		e.call, e.at, e.from, first = v.last, len(v.last.texts), v.last.bytes, true
		e.call.texts = append(e.call.texts, e.text)
		e.call.bytes += len(e.text)
	}
	e.call.users.Add(1)
	return first
}

type vectorCall struct {
	texts []string
	bytes int
	ask   func() (model.EmbeddingReply, error) // the first time; then it knows
	users atomic.Int64                         // that have announced to ask and are not done
}

func (v *vectors) newCall(ctx context.Context) *vectorCall {
	c := &vectorCall{}
	c.ask = sync.OnceValues(func() (model.EmbeddingReply, error) {
		reply, err := v.embedder.Embed(ctx, model.EmbeddingRequest{Model: v.model, Texts: c.texts})
		if err == nil {
			err = reply.For(len(c.texts))
		}
		return reply, err
	})
	return c
}

func (e *embeddedText) vector() (vector []float32, units float64, err error) {
	reply, err := e.call.ask()
	units = e.part(reply.Usage.Cost)
	if err != nil {
		return nil, units, err
	}
	return reply.Vectors[e.at], units, nil
}

// unitsOfUSD is the number of units per dollar. Units are integers, so that shares add up exactly.
const unitsOfUSD = 1e12

// part returns the text's share of the call's cost, by length, in units. The shares add up to the cost.
func (e *embeddedText) part(cost float64) float64 {
	if e.call.bytes == 0 {
		return math.Round(cost * unitsOfUSD)
	}
	upTo := func(bytes int) float64 {
		return math.Round(cost * unitsOfUSD * (float64(bytes) / float64(e.call.bytes)))
	}
	return upTo(e.from+len(e.text)) - upTo(e.from)
}

// done releases a text. The vectors of a call are dropped after the last one.
func (e *embeddedText) done() {
	if e.call.users.Add(-1) == 0 {
		e.call.ask = nil
	}
}

// pair is the two texts of an embedding check.
type pair struct {
	vectors   *vectors
	texts     [2]*embeddedText
	pays      [2]bool
	announced bool
}

// pair adds two texts. It returns nil if they exceed the limit.
func (v *vectors) pair(a, b string) *pair {
	p := &pair{vectors: v}
	for i, text := range []string{a, b} {
		e, ok := v.add(text)
		if !ok {
			return nil
		}
		p.texts[i] = e
	}
	return p
}

// announce registers both texts.
func (p *pair) announce(ctx context.Context) {
	for i, e := range p.texts {
		p.pays[i] = p.vectors.announce(ctx, e)
	}
	p.announced = true
}

// similarity returns the cosine similarity of the texts and its cost, even with an error. Call it once. A pair that
// was not announced needs a separate call.
func (p *pair) similarity(ctx context.Context) (cos, cost float64, err error) {
	if !p.announced {
		p = newVectors(p.vectors.embedder, p.vectors.model).pair(p.texts[0].text, p.texts[1].text)
		p.announce(ctx)
	}
	var found [2][]float32
	for i, e := range p.texts {
		vector, units, failed := e.vector()
		if p.pays[i] {
			cost += units
		}
		if found[i] = vector; err == nil {
			err = failed
		}
	}
	if err == nil {
		cos, err = cosine(found[0], found[1])
	}
	for _, e := range p.texts {
		e.done()
	}
	return cos, cost / unitsOfUSD, err
}

// cosine returns the cosine of the angle between two vectors, exactly 1 for equal ones.
func cosine(a, b []float32) (float64, error) {
	if len(a) != len(b) {
		return 0, fmt.Errorf("vectors of %d and %d numbers", len(a), len(b))
	}
	var dot, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot, aa, bb = dot+x*y, aa+x*x, bb+y*y
	}
	cos := dot / math.Sqrt(aa*bb)
	switch {
	case aa == 0 || bb == 0:
		return 0, errors.New("a vector of zeros")
	case math.IsNaN(cos) || math.IsInf(aa*bb, 0):
		return 0, errors.New("a vector with values that are not numbers")
	}
	return max(-1, min(cos, 1)), nil
}
