package attestcmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"syscall"

	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/attest/provider"
	"github.com/cupel-dev/cupel/attest/serve"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
)

// cacheVariable names the cache folder. It overrides cache_dir in the configuration.
const cacheVariable = "ATTEST_CACHE_DIR"

// vectorFolder returns the cache folder, or "".
func vectorFolder(env cmdline.Env, config *serve.Config) string {
	return cmp.Or(env.Getenv(cacheVariable), config.CacheDir)
}

// checkVectorFolder checks the folder at the start, even if it will not be used. A missing folder is created on
// use.
func checkVectorFolder(env cmdline.Env, config *serve.Config) error {
	dir := vectorFolder(env, config)
	if dir == "" {
		return nil
	}
	info, err := door.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !info.IsDir():
		err = syscall.ENOTDIR
	}
	if err != nil {
		return vectorsError(env, config, "keep", err)
	}
	return nil
}

// vectorsError returns the error for an unusable folder, at the position of its setting.
func vectorsError(env cmdline.Env, config *serve.Config, do string, err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	err = fmt.Errorf("cannot %s vectors in %q: %w", do, vectorFolder(env, config), err)
	if env.Getenv(cacheVariable) == "" {
		err = config.At(config.Places.CacheDir, err)
	}
	return &cmdline.Hinted{Err: err, Hint: "name another folder with cache_dir or " + cacheVariable + ", or none"}
}

// embedder returns an embedding service. It is wrapped in the cassette if there is one, because recordings must not
// depend on earlier requests, otherwise in a cache with the configured folder.
func (n *connection) embedder(env cmdline.Env, live *provider.Embedder, config *serve.Config, log *slog.Logger) (model.Embedder, error) {
	if n.cassette != nil {
		return n.cassette.Embedder(live), nil
	}
	asked := live.Service()
	cache, err := provider.Cached(env.Context, live, provider.CacheOptions{BaseURL: asked.BaseURL, Model: asked.Model, Dir: vectorFolder(env, config), Logger: log})
	if err != nil {
		return nil, vectorsError(env, config, "keep", err)
	}
	n.ends = append(n.ends, cache.Close)
	return cache, nil
}
