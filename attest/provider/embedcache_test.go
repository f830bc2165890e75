package provider

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/model"
)

// embedder notes the texts that it is asked for; answer gives the vector of a text.
type embedder struct {
	mu     sync.Mutex
	calls  [][]string
	answer func(ctx context.Context, name, text string) ([]float32, error) // nil: letters
}

// letters returns a vector that depends on the model and the text.
func letters(_ context.Context, name, text string) ([]float32, error) {
	sum := sha256.Sum256([]byte(name + "/" + text))
	return []float32{1 + float32(sum[0]), float32(sum[1]), float32(sum[2])}, nil
}

// Embed implements model.Embedder.
func (e *embedder) Embed(ctx context.Context, r model.EmbeddingRequest) (reply model.EmbeddingReply, err error) {
	e.mu.Lock()
	e.calls = append(e.calls, slices.Clone(r.Texts))
	e.mu.Unlock()
	reply.Usage = model.Usage{InputTokens: len(r.Texts), Cost: float64(len(r.Texts))}
	answer := e.answer
	if answer == nil {
		answer = letters
	}
	for _, text := range r.Texts {
		vector, err := answer(ctx, r.Model, text)
		if err != nil {
			return reply, err
		}
		reply.Vectors = append(reply.Vectors, vector)
	}
	return reply, nil
}

func cached(t interface{ Fatal(...any) }, e model.Embedder, opt CacheOptions) *Cache {
	c, err := Cached(context.Background(), e, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func texts(list ...string) model.EmbeddingRequest { return model.EmbeddingRequest{Texts: list} }

// TestCacheLaw checks that a cache answers like its embedder, requests no text twice, and that every text is paid for
// once.
func TestCacheLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inner := &embedder{}
		c := cached(t, inner, CacheOptions{Model: "small"})
		asked, cost := map[string]bool{}, 0.0
		for range rapid.IntRange(1, 8).Draw(t, "requests") {
			r := model.EmbeddingRequest{
				Model: rapid.SampledFrom([]string{"", "small", "large"}).Draw(t, "model"),
				Texts: rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", "c", "d", "", "1:a"})).Draw(t, "texts"),
			}
			reply, err := c.Embed(context.Background(), r)
			name := map[bool]string{true: "small", false: r.Model}[r.Model == ""]
			if err != nil || len(reply.Vectors) != len(r.Texts) || reply.Model != name {
				t.Fatalf("%v: %+v, %v", r, reply, err)
			}
			for i, text := range r.Texts {
				want, _ := letters(context.Background(), name, text)
				if !slices.Equal(reply.Vectors[i], want) {
					t.Fatalf("%s: %v, want %v", text, reply.Vectors[i], want)
				}
				asked[name+"/"+text] = true
			}
			cost += reply.Usage.Cost
		}
		if got := len(slices.Concat(inner.calls...)); got != len(asked) || cost != float64(got) {
			t.Fatalf("asked for %d texts at %v, want %d", got, cost, len(asked))
		}
	})
}

// TestCacheKey: the documented recipe, and no two things that are asked share a key.
func TestCacheKey(t *testing.T) {
	c := (&Cache{opt: CacheOptions{BaseURL: "http://127.0.0.1:8080/v1"}})
	if got, want := c.keyOf("small", "hello"), sha256.Sum256([]byte("24:http://127.0.0.1:8080/v15:small5:hello")); got != want {
		t.Errorf("got %x, want %x", got, want)
	}
	seen := map[vectorKey]bool{}
	for _, url := range []string{"u", "u1", "u1:m"} {
		for _, name := range []string{"m", "1:m", "m1", ""} {
			for _, text := range []string{"t", "", "1:t", "m1:t"} {
				seen[(&Cache{opt: CacheOptions{BaseURL: url}}).keyOf(name, text)] = true
			}
		}
	}
	if len(seen) != 3*4*4 {
		t.Errorf("%d keys", len(seen))
	}
}

// TestSingleFlight checks that concurrent requests for a text share a call. If its request is cancelled, the call
// goes to the next one; all of them get an error.
func TestSingleFlight(t *testing.T) {
	for _, c := range []struct {
		name   string
		ends   func(release chan error, cancel context.CancelFunc) // of the first call
		calls  int
		failed int // requests
	}{
		{"answered", func(release chan error, _ context.CancelFunc) { release <- nil }, 1, 0},
		{"refused", func(release chan error, _ context.CancelFunc) { release <- errors.New("HTTP 401") }, 1, 3},
		{"given up", func(_ chan error, cancel context.CancelFunc) { cancel() }, 2, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan error)
				inner := &embedder{}
				inner.answer = func(ctx context.Context, name, text string) ([]float32, error) {
					if len(inner.calls) == 1 {
						select {
						case err := <-release:
							if err != nil {
								return nil, err
							}
						case <-ctx.Done():
							return nil, ctx.Err()
						}
					}
					return letters(ctx, name, text)
				}
				cache := cached(t, inner, CacheOptions{})
				first, cancel := context.WithCancel(t.Context())
				defer cancel()
				outcomes := make(chan error, 3)
				ask := func(ctx context.Context) {
					_, err := cache.Embed(ctx, texts("a"))
					outcomes <- err
				}
				go ask(first)
				synctest.Wait()
				go ask(t.Context())
				go ask(t.Context())
				synctest.Wait()
				c.ends(release, cancel)
				failed := 0
				for range 3 {
					if <-outcomes != nil {
						failed++
					}
				}
				if len(inner.calls) != c.calls || failed != c.failed {
					t.Errorf("%d calls, %d requests failed", len(inner.calls), failed)
				}
			})
		})
	}
}

// TestWaitingEnds: a request does not wait for the call of another longer than it may.
func TestWaitingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		inner := &embedder{answer: func(ctx context.Context, name, text string) ([]float32, error) {
			<-release
			return letters(ctx, name, text)
		}}
		c := cached(t, inner, CacheOptions{})
		go func() { _, _ = c.Embed(context.Background(), texts("a")) }()
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Embed(ctx, texts("a")); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		close(release)
	})
}

// TestCachePanics checks that a panic leaves no request waiting.
func TestCachePanics(t *testing.T) {
	inner := &embedder{answer: func(context.Context, string, string) ([]float32, error) { panic("boom") }}
	c := cached(t, inner, CacheOptions{})
	func() {
		defer func() { _ = recover() }()
		_, _ = c.Embed(t.Context(), texts("a"))
	}()
	inner.answer = nil
	if reply, err := c.Embed(t.Context(), texts("a")); err != nil || len(reply.Vectors) != 1 {
		t.Errorf("%v, %v", reply, err)
	}
}

// TestNotRemembered: an error, and vectors that have no angle.
func TestNotRemembered(t *testing.T) {
	for name, answer := range map[string]func() ([]float32, error){
		"error":     func() ([]float32, error) { return nil, errors.New("HTTP 500") },
		"zeros":     func() ([]float32, error) { return []float32{0, 0}, nil },
		"none":      func() ([]float32, error) { return nil, nil },
		"no number": func() ([]float32, error) { return []float32{1, float32(math.NaN())}, nil },
		"infinite":  func() ([]float32, error) { return []float32{1, float32(math.Inf(1))}, nil },
	} {
		inner := &embedder{answer: func(context.Context, string, string) ([]float32, error) { return answer() }}
		c := cached(t, inner, CacheOptions{})
		for range 2 {
			_, _ = c.Embed(t.Context(), texts("a"))
		}
		if len(inner.calls) != 2 {
			t.Errorf("%s: %d calls", name, len(inner.calls))
		}
	}
	inner := &embedder{}
	short := cached(t, countless{inner}, CacheOptions{})
	if _, err := short.Embed(t.Context(), texts("a", "b")); fmt.Sprint(err) != "1 vectors for 2 texts" {
		t.Error(err)
	}
}

// countless leaves the last vector out.
type countless struct{ model.Embedder }

// Embed implements model.Embedder.
func (c countless) Embed(ctx context.Context, r model.EmbeddingRequest) (model.EmbeddingReply, error) {
	reply, err := c.Embedder.Embed(ctx, r)
	reply.Vectors = reply.Vectors[1:]
	return reply, err
}

// TestModelReplaced: when another model answers under the same name, its vectors take the
// place of those that are remembered.
func TestModelReplaced(t *testing.T) {
	length := 2
	inner := &embedder{answer: func(context.Context, string, string) ([]float32, error) {
		return slices.Repeat([]float32{1}, length), nil
	}}
	c := cached(t, inner, CacheOptions{})
	lengths := func(list ...string) (all []int) {
		reply, err := c.Embed(t.Context(), texts(list...))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range reply.Vectors {
			all = append(all, len(v))
		}
		return all
	}
	before := lengths("a", "b")
	length = 3
	after := lengths("a", "b", "c", "a")
	again := lengths("b", "a", "c")
	if got := fmt.Sprint(before, after, again, inner.calls); got != "[2 2] [3 3 3 3] [3 3 3] [[a b] [c] [a b c]]" {
		t.Error(got)
	}
}

// TestCacheForgets what was used longest ago.
func TestCacheForgets(t *testing.T) {
	inner := &embedder{answer: func(context.Context, string, string) ([]float32, error) {
		return slices.Repeat([]float32{1}, 1<<20), nil
	}}
	c := cached(t, inner, CacheOptions{})
	for i := range CacheBytes>>22 + 4 {
		for _, text := range []string{"kept", fmt.Sprint(i)} {
			if _, err := c.Embed(t.Context(), texts(text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := len(inner.calls)
	_, _ = c.Embed(t.Context(), texts("kept"))
	if len(inner.calls) != before {
		t.Error("what was used last is forgotten")
	}
	if _, _ = c.Embed(t.Context(), texts("0")); len(inner.calls) != before+1 {
		t.Error("what was used longest ago is remembered")
	}
}
