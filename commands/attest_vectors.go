package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/attest/provider"
)

// cacheVariable names a folder for vectors; it wins over cache_dir in the configuration.
const cacheVariable = "ATTEST_CACHE_DIR"

// embedder is a service of vectors: behind the cassette if there is one, so that what is
// recorded does not depend on what was asked before, else behind a cache. dir keeps vectors
// for later runs, if it is not "".
func (n *connection) embedder(ctx context.Context, live *provider.Embedder, dir string, log *slog.Logger) (model.Embedder, error) {
	if n.cassette != nil {
		return n.cassette.Embedder(live), nil
	}
	asked := live.Service()
	cache, err := provider.Cached(ctx, live, provider.CacheOptions{BaseURL: asked.BaseURL, Model: asked.Model, Dir: dir, Logger: log})
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	if err != nil {
		return nil, &hinted{fmt.Errorf("cannot keep vectors in %q: %w", dir, err), "name another folder with cache_dir or " + cacheVariable + ", or none"}
	}
	n.ends = append(n.ends, cache.Close)
	return cache, nil
}
