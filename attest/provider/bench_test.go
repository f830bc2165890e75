package provider_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/attest/provider"
)

// large answers with vectors of 1536 numbers.
type large struct{}

// Embed implements model.Embedder.
func (large) Embed(_ context.Context, r model.EmbeddingRequest) (reply model.EmbeddingReply, err error) {
	for _, text := range r.Texts {
		vector := make([]float32, 1536)
		for i := range vector {
			vector[i] = float32(i*len(text)%7) + 1
		}
		reply.Vectors = append(reply.Vectors, vector)
	}
	return reply, nil
}

// BenchmarkCachedEmbeddings: 1,000 assertions of layer 5, whose texts all differ and are
// remembered: embeddings/s has to be 10,000 at least.
func BenchmarkCachedEmbeddings(b *testing.B) {
	cache, err := provider.Cached(context.Background(), large{}, provider.CacheOptions{})
	if err != nil {
		b.Fatal(err)
	}
	e := attest.NewEngine(attest.Options{Embedding: cache})
	const n = 1000
	var list strings.Builder
	for i := range n {
		fmt.Fprintf(&list, `,{"assertion_id":"a%d","type":"embedding","spec":{"target":"output.message","reference":"Your refund number %d is on its way and will arrive within three business days."}}`, i, i)
	}
	params := fmt.Appendf(nil, `{"trace":{"schema_version":1,"trace_id":"t","output":{"message":"The refund was processed."}},"assertions":[%s]}`, list.String()[1:])
	for b.Loop() {
		if _, err := e.EvaluateBatch(context.Background(), params); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "embeddings/s")
}
