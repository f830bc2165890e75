// Package model is the engine's interface to models: chats for layer 6 judges and simulated users, vectors for layer
// 5. Package attest/provider implements it over the network; programs can supply their own.
package model

import (
	"context"
	"fmt"
)

// Chat sends chats to a model. It is safe for concurrent use.
type Chat interface {
	// Chat answers a request. ctx ends at the time limit. An *attest.Error fails the client's request unchanged,
	// other errors as a 2001. The reply's Usage includes costs before an error.
	Chat(ctx context.Context, r ChatRequest) (ChatReply, error)
}

// ChatRequest is a chat that a model continues.
type ChatRequest struct {
	Model       string // "" for the service's default
	Messages    []Message
	JSON        bool    // the reply has to be one JSON object; a service that cannot be bound to that is asked without it
	Temperature float64 // 0: the most likely answer
	MaxTokens   int     // of the reply; 0: the service's default
	Sample      int     // from 0; distinguishes equal requests

	// Useless, if set, reports whether a reply should not be recorded, because replays would repeat it.
	Useless func(text string) bool
}

type Message struct {
	Role    string // system, user or assistant
	Content string
}

// ChatReply is the answer to a ChatRequest.
type ChatReply struct {
	Model string // that answered, as it calls itself
	Text  string
	Usage Usage
}

// Embedder converts texts to vectors, whose angle measures similarity. It is safe for concurrent use.
type Embedder interface {
	// Embed returns a vector for each text of a request, in order. Errors are those of Chat.
	Embed(ctx context.Context, r EmbeddingRequest) (EmbeddingReply, error)
}

// EmbeddingRequest is a list of texts.
type EmbeddingRequest struct {
	Model string // "" for the service's default
	Texts []string
}

// EmbeddingReply is the answer to an EmbeddingRequest.
type EmbeddingReply struct {
	Model   string // that answered, as it calls itself
	Vectors [][]float32
	Usage   Usage
}

// For returns an error unless the reply has exactly texts vectors.
func (r *EmbeddingReply) For(texts int) error {
	if len(r.Vectors) == texts {
		return nil
	}
	return fmt.Errorf("%d vectors for %d texts", len(r.Vectors), texts)
}

// Usage counts the tokens of an answer.
type Usage struct {
	InputTokens, OutputTokens int
	Cost                      float64 // USD; 0 if unknown
	Saved                     float64 // part of the cost not paid now, because the answer was recorded
}
