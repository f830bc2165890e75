package provider

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/attest/provider/internal/cassette"
)

// Cassette is a folder of recorded model answers for repeated runs, one file each. When recording, it requests
// missing answers and adds them. When replaying, it makes no connection, needs no key and costs nothing. It is safe
// for concurrent use, also by several processes. An answer is identified by the whole request: base URL, initial
// body and sample number; for embeddings, each text separately. Order, time and concurrency do not matter. The
// usage is recorded and reported on replay.
type Cassette struct {
	entries *cassette.Cassette
	record  bool
}

// OpenCassette opens a folder. If record is set, it creates a missing folder. The error is an *fs.PathError.
func OpenCassette(dir string, record bool) (*Cassette, error) {
	open := cassette.Open
	if record {
		open = cassette.Create
	}
	entries, err := open(dir)
	if err != nil {
		return nil, err
	}
	return &Cassette{entries, record}, nil
}

// Unused returns the sorted file names of answers that were not used.
func (c *Cassette) Unused() ([]string, error) { return c.entries.Unused() }

// Prune removes the files that are unused, and returns their names.
func (c *Cassette) Prune() ([]string, error) { return c.entries.Prune() }

// Digest returns the SHA-256, in hexadecimal, over the lines "SHA256 NAME" of the files sorted by name, and their
// total size. Afterwards, using an answer whose file has changed is an error. Call it before the first request.
func (c *Cassette) Digest(ctx context.Context) (sum string, size int64, err error) {
	d, size, err := c.entries.Digest(ctx)
	return d.Hex(), size, err
}

// Close closes the folder.
func (c *Cassette) Close() error { return c.entries.Close() }

func (c *Cassette) find(ctx context.Context, r cassette.Request) (cassette.Reply, bool, error) {
	reply, found, err := c.entries.Find(ctx, r)
	reply.Usage.Saved = reply.Usage.Cost
	if err != nil && ctx.Err() == nil {
		err = recordingError(err.Error(), recordAgain)
	}
	return reply, found, err
}

// keep records a reply and returns the recorded one, which can be by another process.
func (c *Cassette) keep(ctx context.Context, r cassette.Request, reply cassette.Reply) (cassette.Reply, error) {
	kept, err := c.entries.Keep(ctx, r, reply)
	if err != nil && ctx.Err() == nil {
		err = recordingError("the model's answer was not recorded: "+err.Error(), "Run again when the cause is fixed; earlier recordings are kept.")
	}
	return kept, err
}

func (c *Cassette) missing(ctx context.Context, what string, r cassette.Request) error {
	problem := fmt.Sprintf("%s is not recorded in the cassette %q", what, c.entries.Dir())
	if nearest := c.entries.Nearest(ctx, r); nearest != "" {
		problem += "; the nearest recording: " + nearest
	}
	return recordingError(problem, "Record the answer with --judge record, with the same configuration.")
}

// recordingError returns a 2001 that must not be retried.
func recordingError(problem, detail string) error {
	err := attest.NewError(attest.CodeProvider, problem, detail)
	err.Data.Retryable = false
	return err
}

// chatService is a chat service that can show its request.
type chatService interface {
	model.Chat
	recording(r model.ChatRequest) (cassette.Request, error)
}

// Chat returns a service that records or replays answers.
func (c *Cassette) Chat(live *Chat) model.Chat { return recordedChat{c, live} }

type recordedChat struct {
	*Cassette
	live chatService
}

// Chat implements model.Chat.
func (c recordedChat) Chat(ctx context.Context, r model.ChatRequest) (model.ChatReply, error) {
	asked, err := c.live.recording(r)
	if err != nil {
		return model.ChatReply{}, err
	}
	reply, found, err := c.find(ctx, asked)
	switch {
	case err != nil:
		return model.ChatReply{}, err
	case !found && !c.record:
		return model.ChatReply{}, c.missing(ctx, "the answer to a chat", asked)
	case !found:
		answer, err := c.live.Chat(ctx, r)
		if err != nil {
			return answer, err
		}
		if r.Useless != nil && r.Useless(answer.Text) {
			return answer, nil
		}
		if reply, err = c.keep(ctx, asked, cassette.Reply{Model: answer.Model, Text: answer.Text, Usage: answer.Usage}); err != nil {
			return answer, err
		}
	}
	if reply.Vector != nil {
		return model.ChatReply{}, recordingError(fmt.Sprintf("%s has a vector, expected the answer to a chat", asked.Name()), recordAgain)
	}
	return model.ChatReply{Model: reply.Model, Text: reply.Text, Usage: reply.Usage}, nil
}

// embeddingService is an embedding service that can show its request for one text.
type embeddingService interface {
	model.Embedder
	recording(name, text string) (cassette.Request, error)
}

// Embedder returns a service that records or replays vectors, each text separately, so that batches do not matter.
func (c *Cassette) Embedder(live *Embedder) model.Embedder { return recordedEmbedder{c, live} }

type recordedEmbedder struct {
	*Cassette
	live embeddingService
}

// Embed implements model.Embedder.
func (e recordedEmbedder) Embed(ctx context.Context, r model.EmbeddingRequest) (model.EmbeddingReply, error) {
	b := batch{texts: r.Texts, asked: make([]cassette.Request, len(r.Texts)), replies: make([]cassette.Reply, len(r.Texts))}
	for i, text := range r.Texts {
		var found bool
		var err error
		if b.asked[i], err = e.live.recording(r.Model, text); err != nil {
			return model.EmbeddingReply{}, err
		}
		if b.replies[i], found, err = e.find(ctx, b.asked[i]); err != nil {
			return model.EmbeddingReply{}, err
		}
		if !found {
			b.missing = append(b.missing, i)
		}
	}
	if len(b.missing) > 0 {
		if !e.record {
			return model.EmbeddingReply{}, e.missing(ctx, fmt.Sprintf("the vector of a text (%d of %d)", len(b.missing), len(r.Texts)), b.asked[b.missing[0]])
		}
		if usage, err := e.complete(ctx, r.Model, &b); err != nil {
			return model.EmbeddingReply{Usage: usage}, err
		}
	}
	return b.reply()
}

// batch is a request's texts and their recorded vectors.
type batch struct {
	texts   []string
	asked   []cassette.Request
	replies []cassette.Reply
	missing []int // of the texts those that are not recorded
}

// complete requests and records missing vectors. The usage includes costs before an error.
func (e recordedEmbedder) complete(ctx context.Context, name string, b *batch) (model.Usage, error) {
	texts := make([]string, len(b.missing))
	for i, at := range b.missing {
		texts[i] = b.texts[at]
	}
	answer, err := e.live.Embed(ctx, model.EmbeddingRequest{Model: name, Texts: texts})
	if err != nil {
		return answer.Usage, err
	}
	if err := answer.For(len(texts)); err != nil {
		return answer.Usage, err
	}
	for i, usage := range shares(answer.Usage, texts) {
		at := b.missing[i]
		if b.replies[at], err = e.keep(ctx, b.asked[at], cassette.Reply{Model: answer.Model, Vector: answer.Vectors[i], Usage: usage}); err != nil {
			return answer.Usage, err
		}
	}
	return answer.Usage, nil
}

func (b *batch) reply() (all model.EmbeddingReply, err error) {
	all.Vectors = make([][]float32, len(b.replies))
	cost, saved := int64(0), int64(0)
	for i, reply := range b.replies {
		if len(reply.Vector) == 0 || len(reply.Vector) != len(b.replies[0].Vector) {
			err = errors.Join(err, recordingError(fmt.Sprintf("%s has a vector of the wrong length: %d numbers, expected %d", b.asked[i].Name(), len(reply.Vector), len(b.replies[0].Vector)),
				"Remove the recordings of the model and record them again with --judge record."))
			break
		}
		all.Model, all.Vectors[i] = reply.Model, reply.Vector
		all.Usage.InputTokens += reply.Usage.InputTokens
		all.Usage.OutputTokens += reply.Usage.OutputTokens
		cost = min(cost+grains(reply.Usage.Cost), maxGrains)
		saved = min(saved+grains(reply.Usage.Saved), maxGrains)
	}
	all.Usage.Cost, all.Usage.Saved = dollars(cost), dollars(saved)
	return all, err
}

// maxGrains limits a cost, so that sums do not overflow.
const maxGrains = math.MaxInt64 / 2

// shares divides usage among texts by length. The shares add up to the whole.
func shares(whole model.Usage, texts []string) []model.Usage {
	total := 0
	for _, text := range texts {
		total += len(text) + 1 // an empty text has a share
	}
	list, before := make([]model.Usage, len(texts)), model.Usage{}
	cost, end := int64(0), 0
	for i, text := range texts {
		end += len(text) + 1
		upTo := model.Usage{InputTokens: int(part(int64(whole.InputTokens), end, total)), OutputTokens: int(part(int64(whole.OutputTokens), end, total))}
		costUpTo := part(grains(whole.Cost), end, total)
		list[i] = model.Usage{InputTokens: upTo.InputTokens - before.InputTokens, OutputTokens: upTo.OutputTokens - before.OutputTokens, Cost: dollars(costUpTo - cost)}
		before, cost = upTo, costUpTo
	}
	return list
}

// part returns n × numerator / denominator, rounded down, without overflow; numerator ≤ denominator.
func part(n int64, numerator, denominator int) int64 {
	high, low := bits.Mul64(uint64(n), uint64(numerator))
	quotient, _ := bits.Div64(high, low, uint64(denominator))
	return int64(quotient)
}

const recordAgain = "Remove the file and record it again with --judge record."
