package provider

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"

	"github.com/cupel-dev/cupel/attest/internal/lru"
	"github.com/cupel-dev/cupel/attest/model"
)

// Cache is an Embedder that requests each text's vector once. It keeps recent vectors in up to CacheBytes of memory
// and, optionally, in a folder. Concurrent requests share calls. It implements model.Embedder.
type Cache struct {
	inner  model.Embedder
	opt    CacheOptions
	memory *lru.Cache[[]float32]
	folder *folder // nil: none

	mu      sync.Mutex
	flights map[vectorKey]*flight // that are under way
}

// CacheOptions identifies a Cache's vectors and their storage.
type CacheOptions struct {
	BaseURL string       // of the service; vectors of another one differ
	Model   string       // of requests that name none
	Dir     string       // keeps vectors for later runs, in FolderBytes at most; other processes may use it too; "": none does
	Logger  *slog.Logger // warned once if Dir fails; can be nil
}

// CacheBytes limits the memory of a Cache: about 10,000 vectors of 1536 numbers.
const CacheBytes = 64 << 20

// vectorBytes is the memory of a vector without its numbers.
const vectorBytes = 256

// Cached returns a Cache for an Embedder. It returns an error if the folder cannot be used or its file has another
// format.
func Cached(ctx context.Context, e model.Embedder, opt CacheOptions) (*Cache, error) {
	c := &Cache{inner: e, opt: opt, memory: lru.New[[]float32](CacheBytes), flights: map[vectorKey]*flight{}}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	var err error
	if opt.Dir != "" {
		c.folder, err = openFolder(ctx, opt.Dir, FolderBytes, opt.Logger)
	}
	return c, err
}

// Close closes the folder.
func (c *Cache) Close() {
	if c.folder != nil {
		c.folder.close()
	}
}

type vectorKey [sha256.Size]byte

// keyOf returns the SHA-256 of base URL, model and text, each prefixed by its byte length and a colon:
//
//	printf '%s' '24:http://127.0.0.1:8080/v15:small5:hello' | sha256sum
func (c *Cache) keyOf(name, text string) vectorKey {
	known := make([]byte, 0, 256)
	for _, part := range []string{c.opt.BaseURL, name, text} {
		known = append(fmt.Appendf(known, "%d:", len(part)), part...)
	}
	return sha256.Sum256(known)
}

// flight is a vector that is being requested.
type flight struct {
	key    vectorKey
	text   string
	done   chan struct{} // closed when what follows is known
	vector []float32
	err    error
}

// errAbandoned ends a flight whose request was canceled; the next waiter requests again.
var errAbandoned = errors.New("the caller stopped waiting")

// Embed implements model.Embedder. Its usage covers only this request's call, not cached or shared vectors.
func (c *Cache) Embed(ctx context.Context, r model.EmbeddingRequest) (model.EmbeddingReply, error) {
	r.Model = cmp.Or(r.Model, c.opt.Model)
	reply := model.EmbeddingReply{Model: r.Model}
	keys := make([]vectorKey, len(r.Texts))
	for i, text := range r.Texts {
		keys[i] = c.keyOf(r.Model, text)
	}
	found := make(map[vectorKey][]float32, len(keys))
	for waiting := true; waiting; {
		mine, others := c.claim(keys, r.Texts, found)
		usage, err := c.fetch(ctx, r.Model, mine)
		reply.Usage = plus(reply.Usage, usage)
		if err != nil {
			return reply, err
		}
		if waiting, err = await(ctx, append(mine, others...), found); err != nil {
			return reply, err
		}
	}
	if !alike(found) {
		usage, err := c.renew(ctx, r, keys, found)
		reply.Usage = plus(reply.Usage, usage)
		if err != nil {
			return reply, err
		}
	}
	for _, key := range keys {
		reply.Vectors = append(reply.Vectors, found[key])
	}
	return reply, nil
}

// claim adds cached vectors to found. For the rest it returns the flights that the caller must complete, and those
// of others.
func (c *Cache) claim(keys []vectorKey, texts []string, found map[vectorKey][]float32) (mine, others []*flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, key := range keys {
		if _, known := found[key]; known {
			continue
		}
		if vector, known := c.memory.Get(key[:]); known {
			found[key] = vector
			continue
		}
		f := c.flights[key]
		if f != nil {
			others = append(others, f)
			continue
		}
		f = &flight{key: key, text: texts[i], done: make(chan struct{})}
		c.flights[key] = f
		mine = append(mine, f)
	}
	return mine, others
}

// fetch gets the vectors of flights, which have ended then.
func (c *Cache) fetch(ctx context.Context, name string, flights []*flight) (model.Usage, error) {
	if len(flights) == 0 {
		return model.Usage{}, nil
	}
	asked, usage, err := c.fill(ctx, name, flights)
	if err == nil && c.folder != nil {
		c.folder.keep(ctx, asked)
	}
	return usage, err
}

// fill loads the vectors of flights from the folder, requests the others, and ends all flights, even after a panic.
func (c *Cache) fill(ctx context.Context, name string, flights []*flight) (asked []*flight, usage model.Usage, err error) {
	ended := errAbandoned
	defer func() { c.end(flights, ended) }()
	if asked = flights; c.folder != nil {
		asked = c.folder.load(flights)
	}
	usage, err = c.ask(ctx, name, asked)
	if err == nil || ctx.Err() == nil {
		ended = err
	}
	return asked, usage, err
}

func (c *Cache) ask(ctx context.Context, name string, flights []*flight) (model.Usage, error) {
	if len(flights) == 0 {
		return model.Usage{}, nil
	}
	texts := make([]string, len(flights))
	for i, f := range flights {
		texts[i] = f.text
	}
	reply, err := c.inner.Embed(ctx, model.EmbeddingRequest{Model: name, Texts: texts})
	if err == nil {
		err = reply.For(len(texts))
	}
	if err == nil {
		for i, f := range flights {
			f.vector = reply.Vectors[i]
		}
	}
	return reply.Usage, err
}

// end wakes the waiters of flights and caches the vectors.
func (c *Cache) end(flights []*flight, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range flights {
		if f.err = err; err == nil {
			c.remember(f.key, f.vector)
		}
		delete(c.flights, f.key)
		close(f.done)
	}
}

// remember caches a vector if it is valid.
func (c *Cache) remember(key vectorKey, vector []float32) {
	if sound(vector) {
		c.memory.Put(key[:], vector, 4*len(vector)+vectorBytes)
	}
}

// await adds the vectors of other flights to found. again means that some were abandoned.
func await(ctx context.Context, flights []*flight, found map[vectorKey][]float32) (again bool, err error) {
	for _, f := range flights {
		select {
		case <-f.done:
		case <-ctx.Done():
			return false, ctx.Err()
		}
		switch {
		case errors.Is(f.err, errAbandoned):
			again = true
		case f.err != nil:
			return false, f.err
		default:
			found[f.key] = f.vector
		}
	}
	return again, nil
}

// renew requests all vectors again, because another model now has the name of the cached one.
func (c *Cache) renew(ctx context.Context, r model.EmbeddingRequest, keys []vectorKey, found map[vectorKey][]float32) (model.Usage, error) {
	var asked []*flight
	clear(found)
	for i, key := range keys {
		if _, twice := found[key]; !twice {
			found[key] = nil
			asked = append(asked, &flight{key: key, text: r.Texts[i]})
		}
	}
	usage, err := c.ask(ctx, r.Model, asked)
	if err != nil {
		return usage, err
	}
	for _, f := range asked {
		found[f.key] = f.vector
		c.memory.Remove(f.key[:])
		c.remember(f.key, f.vector)
	}
	if c.folder != nil {
		c.folder.keep(ctx, asked)
	}
	return usage, nil
}

// alike reports whether all vectors have the same length.
func alike(vectors map[vectorKey][]float32) bool {
	length := -1
	for _, vector := range vectors {
		if length >= 0 && len(vector) != length {
			return false
		}
		length = len(vector)
	}
	return true
}

// sound reports whether a vector has an angle: it has numbers, not all zero.
func sound(vector []float32) bool {
	some := false
	for _, x := range vector {
		if v := float64(x); math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
		some = some || x != 0
	}
	return some
}
