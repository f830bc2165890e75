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

// Embedder asks a service for the vectors of texts. It implements model.Embedder.
type Embedder struct {
	*service
	most atomic.Int64 // texts of one call
}

const (
	// MaxTexts is how many texts one call holds.
	MaxTexts = 2048

	// fewTexts is how many it holds after a reply was larger than MaxBody: so many vectors of
	// 4096 numbers fit.
	fewTexts = 128
)

// NewEmbedder returns an Embedder. The error says what of the options cannot be used, without
// the key.
func NewEmbedder(opt Options) (*Embedder, error) {
	s, err := newService("embedding", DefaultEmbeddingModel, opt)
	if err != nil {
		return nil, err
	}
	e := &Embedder{service: s}
	e.most.Store(MaxTexts)
	return e, nil
}

// Embed implements model.Embedder: all texts in one call, where they are not more than MaxTexts
// and their vectors fit MaxBody. All vectors of a reply have one length, at least 1. Errors are
// *attest.Error, 2001, unless ctx has ended.
func (e *Embedder) Embed(ctx context.Context, r model.EmbeddingRequest) (model.EmbeddingReply, error) {
	r.Model = cmp.Or(r.Model, e.opt.Model)
	if len(r.Texts) == 0 {
		return model.EmbeddingReply{Model: r.Model}, nil
	}
	most := int(e.most.Load())
	reply, x, err := e.inParts(ctx, r, most)
	if tooLarge(err) && most > fewTexts && len(r.Texts) > fewTexts {
		e.most.Store(fewTexts)
		e.opt.Logger.Warn("vectors of one call do not fit a reply; they are asked for again, in parts", "provider", e.name, "texts", min(most, len(r.Texts)), "part", fewTexts)
		reply, x, err = e.inParts(ctx, r, fewTexts)
	}
	if err == nil {
		err = sameLength(reply.Vectors)
	}
	if err != nil {
		return model.EmbeddingReply{Model: reply.Model, Usage: reply.Usage}, e.failure(ctx, x, err)
	}
	return reply, nil
}

func tooLarge(err error) bool {
	var bad *badBody
	return errors.As(err, &bad) && bad.tooLarge
}

// inParts asks for the vectors of so many texts per call, all calls at once. What was spent is
// in the reply, also beside an error; x is the call that brought it.
func (e *Embedder) inParts(ctx context.Context, r model.EmbeddingRequest, most int) (all model.EmbeddingReply, x *exchange, err error) {
	type part struct {
		x       *exchange
		vectors [][]float32
		answer  openai.EmbeddingResponse
		err     error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	chunks := slices.Collect(slices.Chunk(r.Texts, most))
	parts := make([]part, len(chunks))
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() {
			p := &parts[i]
			p.x = &exchange{check: func(body []byte) error { return fewVectors(body, len(chunks[i])) }}
			if p.answer, p.err = e.ask(ctx, p.x, r.Model, chunks[i]); p.err == nil {
				p.vectors, p.err = inOrder(p.answer.Data, len(chunks[i]))
			}
			if p.err != nil {
				cancel()
			}
		})
	}
	wait.Wait()
	for _, p := range parts {
		answered := string(p.answer.Model)
		usage := model.Usage{InputTokens: p.answer.Usage.PromptTokens}
		if p.err == nil {
			usage = e.prices.of(usage, r.Model, answered)
		} else {
			usage = e.spent(usage, r.Model, answered)
		}
		all.Usage = plus(all.Usage, usage)
		all.Vectors, all.Model = append(all.Vectors, p.vectors...), e.hide(answered)
		if p.err != nil && (err == nil || errors.Is(err, context.Canceled)) {
			x, err = p.x, p.err
		}
	}
	return all, x, err
}

// ask puts one call.
func (e *Embedder) ask(ctx context.Context, x *exchange, name string, texts []string) (answer openai.EmbeddingResponse, err error) {
	err = e.call(ctx, x, name, func(ctx context.Context) error {
		answer, err = e.client.CreateEmbeddings(ctx, embeddingRequest(name, texts...))
		return err
	})
	return answer, err
}

// embeddingRequest are texts as they are sent.
func embeddingRequest(name string, texts ...string) openai.EmbeddingRequestStrings {
	return openai.EmbeddingRequestStrings{Input: texts, Model: openai.EmbeddingModel(name)}
}

// recording is what the vector of a text is recorded under: the body that is sent when the
// text is alone.
func (e *Embedder) recording(name, text string) (cassette.Request, error) {
	body, err := json.Marshal(embeddingRequest(cmp.Or(name, e.opt.Model), text).Convert())
	if err != nil {
		return cassette.Request{}, err
	}
	return cassette.NewRequest(e.wire.base.String(), 0, body)
}

// inOrder are the vectors of a reply in the order of the texts. A service that numbers none of
// them answers in that order.
func inOrder(data []openai.Embedding, texts int) ([][]float32, error) {
	if len(data) != texts {
		return nil, fmt.Errorf("it holds %d vectors for %d texts", len(data), texts)
	}
	numbered := slices.ContainsFunc(data, func(d openai.Embedding) bool { return d.Index != 0 })
	vectors := make([][]float32, texts)
	for i, d := range data {
		if numbered {
			i = d.Index
		}
		if i < 0 || i >= texts || vectors[i] != nil {
			return nil, fmt.Errorf("it numbers its vectors wrongly: index %d of %d texts", i, texts)
		}
		if vectors[i] = d.Embedding; len(d.Embedding) == 0 {
			return nil, fmt.Errorf("the vector of text %d is empty", i)
		}
	}
	return vectors, nil
}

// sameLength refuses vectors that cannot be compared.
func sameLength(vectors [][]float32) error {
	for i, v := range vectors {
		if len(v) != len(vectors[0]) {
			return fmt.Errorf("it holds vectors of %d and %d numbers (texts 0 and %d)", len(vectors[0]), len(v), i)
		}
	}
	return nil
}

// fewVectors checks the reply to texts: JSON whose member "data" has not more elements than there are
// texts, since each becomes larger in memory than it is on the wire.
func fewVectors(body []byte, texts int) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	if t, err := decoder.Token(); err != nil || t != json.Delim('{') {
		return unreadable(errors.Join(err, errors.New("it is no JSON object")))
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

// fewElements passes over an array, or over a value that is none.
func fewElements(decoder *json.Decoder, most int) error {
	t, err := decoder.Token()
	if err != nil || t != json.Delim('[') {
		return errors.Join(err, errors.New(`its member "data" is no list`))
	}
	for n := 0; decoder.More(); n++ {
		if n == most {
			return fmt.Errorf("it holds more vectors than the %d texts", most)
		}
		if err := decoder.Decode(new(json.RawMessage)); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
}
