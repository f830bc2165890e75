package attestcmd

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest/provider"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
)

// CacheCommand manages the cache of embeddings, in a folder named by the environment or the configuration.
func CacheCommand(env cmdline.Env) *cli.Command {
	cmd := cmdline.Group("cache", "files that the engine stores: the vectors in cache_dir",
		&cli.Command{
			Name: "stats", Usage: "count what is kept on disk", Flags: cacheFlags(),
			Action: func(c *cli.Context) error {
				return answerCache(env, c, cacheAnswer{
					do: provider.KeptIn, verb: "count", some: "%s in %q", none: "%s in %q",
					unnamed: "0 entries, 0 bytes: the engine keeps results in memory only while it runs",
				})
			},
		},
		&cli.Command{
			Name: "clear", Usage: "remove what is kept on disk", Flags: cacheFlags(),
			Action: func(c *cli.Context) error {
				return answerCache(env, c, cacheAnswer{
					do: provider.ClearKept, verb: "clear", some: "removed %s from %q", none: "nothing to clear: %s in %q",
					unnamed: "nothing to clear: the engine keeps results in memory only while it runs",
				})
			},
		},
	)
	cmd.Hidden = true
	return cmd
}

func cacheFlags() []cli.Flag {
	return []cli.Flag{&cli.StringFlag{Name: "config", Usage: "`FILE` with the engine's configuration (default: $ATTEST_CONFIG)"}}
}

type cacheAnswer struct {
	do         func(ctx context.Context, dir string) (provider.Kept, error)
	verb       string // in errors
	some, none string // names of the content, and the folder
	unnamed    string // when no folder is
}

// answerCache examines the cache folder of serve and eval.
func answerCache(env cmdline.Env, c *cli.Context, a cacheAnswer) error {
	config, err := engineConfig(env, c, "config")
	if err != nil {
		return err
	}
	dir := vectorFolder(env, &config)
	if dir == "" {
		_, err = fmt.Fprintln(env.Stdout, a.unnamed)
		return err
	}
	kept, err := a.do(env.Context, dir)
	if err != nil {
		return vectorsError(env, &config, a.verb, err)
	}
	text, entries := a.none, "entries"
	if kept.Bytes > 0 {
		text = a.some
	}
	if kept.Vectors == 1 {
		entries = "entry"
	}
	_, err = fmt.Fprintf(env.Stdout, text+"\n", fmt.Sprintf("%d %s, %d bytes", kept.Vectors, entries, kept.Bytes), dir)
	return err
}
