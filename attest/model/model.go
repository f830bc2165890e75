// Package model is what the engine asks of models: chats for the judges of layer 6 and for
// simulated users, vectors of texts for layer 5. Package attest/provider asks them of a
// service over the network; a program may bring its own.
package model

import (
	"context"
	"fmt"
)

// Chat answers chats. It is safe for concurrent use.
type Chat interface {
	// Chat answers a request. ctx ends with the time of the evaluation. An *attest.Error
	// fails the request of the client as it is, every other error as a 2001; what was
	// spent before it is in the Usage of the reply beside it.
	Chat(ctx context.Context, r ChatRequest) (ChatReply, error)
}

// ChatRequest is a chat that a model continues.
type ChatRequest struct {
	Model       string // "": the default of whoever answers
	Messages    []Message
	JSON        bool    // the reply has to be one JSON object; a service that cannot be bound to that is asked without it
	Temperature float64 // 0: the most likely answer
	MaxTokens   int     // of the reply; 0: the default of whoever answers
	Sample      int     // from 0: tells apart requests that are equal otherwise

	// Useless tells whether a text is no reply to go on with, which a recording had better
	// not hold: it would be so for good. nil: every reply is kept.
	Useless func(text string) bool
}

// Message is one message of a chat.
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

// Embedder turns texts into vectors whose angles say how alike they are. It is safe for
// concurrent use.
type Embedder interface {
	// Embed returns one vector for each text of a request, in their order. Errors are those
	// of Chat.
	Embed(ctx context.Context, r EmbeddingRequest) (EmbeddingReply, error)
}

// EmbeddingRequest is a list of texts.
type EmbeddingRequest struct {
	Model string // "": the default of whoever answers
	Texts []string
}

// EmbeddingReply is the answer to an EmbeddingRequest.
type EmbeddingReply struct {
	Model   string // that answered, as it calls itself
	Vectors [][]float32
	Usage   Usage
}

// For is an error unless the reply has a vector for each of so many texts.
func (r *EmbeddingReply) For(texts int) error {
	if len(r.Vectors) == texts {
		return nil
	}
	return fmt.Errorf("%d vectors for %d texts", len(r.Vectors), texts)
}

// Usage is what an answer took.
type Usage struct {
	InputTokens, OutputTokens int
	Cost                      float64 // USD; 0 when nobody knows the price
	Saved                     float64 // of the cost what was not spent now, since the answer was recorded before
}
