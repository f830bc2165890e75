package provider

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	openai "github.com/sashabaranov/go-openai"

	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/attest/provider/internal/cassette"
)

// Embedder calls an embedding service. It implements model.Embedder.
type Embedder struct {
	*service
	most atomic.Int64 // texts of one call
}

const (
	// MaxTexts is the maximum number of texts per call.
	MaxTexts = 2048

	// fewTexts is the batch size after a reply exceeded MaxBody. It fits vectors of 4096 numbers.
	fewTexts = 128
)

// NewEmbedder returns an Embedder. It returns an error for invalid options, which does not contain the key.
func NewEmbedder(opt Options) (*Embedder, error) {
	s, err := newService("embedding", DefaultEmbeddingModel, opt)
	if err != nil {
		return nil, err
	}
	e := &Embedder{service: s}
	e.most.Store(MaxTexts)
	return e, nil
}

// Embed implements model.Embedder with one call if MaxTexts and MaxBody permit. All vectors of a reply have the
// same length, at least 1. Errors are *attest.Error, 2001, unless ctx ended.
func (e *Embedder) Embed(ctx context.Context, r model.EmbeddingRequest) (model.EmbeddingReply, error) {
	r.Model = cmp.Or(r.Model, e.opt.Model)
	if len(r.Texts) == 0 {
		return model.EmbeddingReply{Model: r.Model}, nil
	}
	all := e.inParts(ctx, r.Model, r.Texts, int(e.most.Load()))
	if all.err == nil {
		all.err = sameLength(all.reply.Vectors)
	}
	if all.err != nil {
		return model.EmbeddingReply{Model: all.reply.Model, Usage: all.reply.Usage}, e.failure(ctx, all.x, all.err)
	}
	return all.reply, nil
}

func tooLarge(err error) bool {
	var bad *badBody
	return errors.As(err, &bad) && bad.tooLarge
}

// embedResult is the result for some texts. The reply includes costs even with an error.
type embedResult struct {
	reply model.EmbeddingReply
	x     *exchange // the call that brought the error
	err   error
}

// inParts requests vectors in concurrent calls of most texts each.
func (e *Embedder) inParts(ctx context.Context, name string, texts []string, most int) (all embedResult) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	chunks := slices.Collect(slices.Chunk(texts, most))
	parts := make([]embedResult, len(chunks))
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() {
			if parts[i] = e.part(ctx, name, chunks[i]); parts[i].err != nil {
				cancel()
			}
		})
	}
	wait.Wait()
	for _, p := range parts {
		all.reply.Usage = plus(all.reply.Usage, p.reply.Usage)
		all.reply.Vectors, all.reply.Model = append(all.reply.Vectors, p.reply.Vectors...), p.reply.Model
		if p.err != nil && (all.err == nil || errors.Is(all.err, context.Canceled)) {
			all.x, all.err = p.x, p.err
		}
	}
	return all
}

// part requests the vectors of texts in one call, or in parts if the reply would be too large.
func (e *Embedder) part(ctx context.Context, name string, texts []string) (p embedResult) {
	p.x = &exchange{check: func(body []byte) error { return fewVectors(body, len(texts)) }}
	answer, err := e.ask(ctx, p.x, name, texts)
	if tooLarge(err) && len(texts) > fewTexts {
		return e.divided(ctx, name, texts)
	}
	if p.err = err; err == nil {
		p.reply.Vectors, p.err = inOrder(answer.Data, len(texts))
	}
	answered := string(answer.Model)
	p.reply.Model, p.reply.Usage = e.hide(answered), model.Usage{InputTokens: answer.Usage.PromptTokens}
	if p.err == nil && p.reply.Usage.InputTokens <= 0 {
		p.reply.Usage.InputTokens = tokensOf(texts)
	}
	if p.err == nil {
		p.reply.Usage = e.prices.of(p.reply.Usage, name, answered)
	} else {
		p.reply.Usage = e.spent(p.reply.Usage, name, answered)
	}
	return p
}

// divided requests texts in parts after a reply was too large, now and for later requests. The usage of that reply
// is unknown and assumed to be that of the parts, or an estimate if some failed.
func (e *Embedder) divided(ctx context.Context, name string, texts []string) embedResult {
	if e.most.Swap(fewTexts) != fewTexts {
		e.opt.Logger.Warn("vectors of one call do not fit into a reply; they are requested again in parts", "provider", e.name, "texts", len(texts), "part", fewTexts)
	}
	p := e.inParts(ctx, name, texts, fewTexts)
	refused := model.Usage{InputTokens: p.reply.Usage.InputTokens}
	if p.err != nil {
		refused.InputTokens = max(refused.InputTokens, tokensOf(texts))
	}
	p.reply.Usage = plus(p.reply.Usage, e.spent(refused, name, p.reply.Model))
	return p
}

// bytesPerToken is the minimum length of a token in most languages.
const bytesPerToken = 4

func tokensOf(texts []string) (n int) {
	for _, text := range texts {
		n += (len(text) + bytesPerToken - 1) / bytesPerToken
	}
	return n
}

// ask makes one call.
func (e *Embedder) ask(ctx context.Context, x *exchange, name string, texts []string) (answer openai.EmbeddingResponse, err error) {
	err = e.call(ctx, x, name, func(ctx context.Context) error {
		answer, err = e.client.CreateEmbeddings(ctx, embeddingRequest(name, texts...))
		return err
	})
	return answer, err
}

func embeddingRequest(name string, texts ...string) openai.EmbeddingRequestStrings {
	return openai.EmbeddingRequestStrings{Input: texts, Model: openai.EmbeddingModel(name)}
}

// recording returns a vector's recording key: the body for the text alone.
func (e *Embedder) recording(name, text string) (cassette.Request, error) {
	body, err := json.Marshal(embeddingRequest(cmp.Or(name, e.opt.Model), text).Convert())
	if err != nil {
		return cassette.Request{}, err
	}
	return cassette.NewRequest(e.wire.base.String(), 0, body)
}

// inOrder returns the vectors of a reply in the order of the texts. A reply without indexes is already in order.
func inOrder(data []openai.Embedding, texts int) ([][]float32, error) {
	if len(data) != texts {
		return nil, fmt.Errorf("the reply has %d vectors for %d texts", len(data), texts)
	}
	numbered := slices.ContainsFunc(data, func(d openai.Embedding) bool { return d.Index != 0 })
	vectors := make([][]float32, texts)
	for i, d := range data {
		if numbered {
			i = d.Index
		}
		if i < 0 || i >= texts || vectors[i] != nil {
			return nil, fmt.Errorf("a vector has a wrong index: %d of %d texts", i, texts)
		}
		if vectors[i] = d.Embedding; len(d.Embedding) == 0 {
			return nil, fmt.Errorf("the vector of text %d is empty", i)
		}
	}
	return vectors, nil
}

// sameLength returns an error for vectors of different lengths.
func sameLength(vectors [][]float32) error {
	for i, v := range vectors {
		if len(v) != len(vectors[0]) {
			return fmt.Errorf("the reply has vectors of %d and %d numbers (texts 0 and %d), expected one length", len(vectors[0]), len(v), i)
		}
	}
	return nil
}

// fewVectors checks that a reply's "data" has at most texts elements, because they grow in memory.
func fewVectors(body []byte, texts int) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	if t, err := decoder.Token(); err != nil || t != json.Delim('{') {
		return unreadable(errors.Join(err, errors.New("the reply is not a JSON object")))
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return unreadable(err)
		}
		if name == "data" {
			err = fewElements(decoder, texts)
		} else {
			err = decoder.Decode(new(json.RawMessage))
		}
		if err != nil {
			return unreadable(err)
		}
	}
	return nil
}

// fewElements skips an array with at most most elements, or another value.
func fewElements(decoder *json.Decoder, most int) error {
	t, err := decoder.Token()
	if err != nil || t != json.Delim('[') {
		return errors.Join(err, errors.New(`member "data" of the reply is not a list`))
	}
	for n := 0; decoder.More(); n++ {
		if n == most {
			return fmt.Errorf("the reply has more vectors than the %d texts", most)
		}
		if err := decoder.Decode(new(json.RawMessage)); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
}
