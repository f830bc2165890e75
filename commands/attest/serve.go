package attestcmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest/serve"
	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/term"
)

// engineName is the program name that published SDKs use to start an engine.
const engineName = "attest-engine"

// ServeCommand serves the engine on standard input and output.
func ServeCommand(env cmdline.Env) *cli.Command {
	const engine, logging = "Engine", "Logging"
	return &cli.Command{
		Name:  "serve",
		Usage: "answer requests of the attest protocol on standard input and output",
		UsageText: "cupel attest serve --log-level=warn\n" +
			"cupel attest serve --config engine.yaml --eval-timeout 10s\n" +
			"cupel attest serve --lax --max-concurrent 8",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "config", Category: engine, Usage: "`FILE` with the engine's configuration (YAML or JSON)"},
			&cli.DurationFlag{Name: "eval-timeout", Category: engine, Usage: "`TIME` that one batch may take, such as 10s (default: 30s)"},
			&cli.BoolFlag{Name: "strict", Category: engine, Usage: "reject traces with unknown step types (the default)"},
			&cli.BoolFlag{Name: "lax", Category: engine, Usage: "tolerate unknown step types"},
			&cli.IntFlag{Name: "max-concurrent", Category: engine, Usage: "evaluate at most `N` requests at once (default: 64)"},
			cmdline.OneOf(&cli.StringFlag{Name: "log-level", Category: logging, Usage: "`LEVEL` of the log on standard error: debug, info, warn or error (default: info)"}, cmdline.WordsOf(serve.LogLevels(), map[string]string{
				"debug": "everything", "info": "the usual", "warn": "what may be wrong, and errors", "error": "errors alone",
			})...),
			&cli.BoolFlag{Name: "debug", Category: logging, Usage: "the same as --log-level=debug"},
			historyFlag(engine),
			trustFlag(engine),
		}, append(providerFlags(), memoryFlags(engine)...)...),
		Action: func(c *cli.Context) error { return attestServe(env, c) },
	}
}

func attestServe(env cmdline.Env, c *cli.Context) error {
	config, err := engineConfig(env, c, "config")
	if err != nil {
		return err
	}
	log, stop, err := engineLog(env, config.LogLevel)
	if err != nil {
		return err
	}
	defer stop()
	config.Engine.Logger = log
	models, err := connect(env, c, &config, log)
	defer models.close()
	if err != nil {
		return err
	}

	scores, err := keepHistory(c.Context, c, &config, log)
	if err != nil {
		return err
	}
	if scores != nil {
		defer scores.Close()
	}

	// A failed write must not end the engine by a signal, so that it can report the error.
	signal.Ignore(app.WriteSignals...)
	defer signal.Reset(app.WriteSignals...)
	ctx, release := signal.NotifyContext(c.Context, syscall.SIGTERM)
	defer release()
	if term.IsTerminal(env.Stdin) {
		fmt.Fprintln(env.Stderr, "cupel: hint: the engine reads requests of the attest protocol from standard input, one JSON object per line; Ctrl-D ends it")
	}
	input.WidenPipe(env.Stdin)
	defer app.LeanHeap()()
	go giveCollectorRoom(ctx)
	err = serve.Serve(ctx, env.Stdin, env.Stdout, config.Options)
	models.logUnused(log)
	if err != nil {
		stop()                     // the log is on the same stream
		cmdline.SayError(env, err) // also for a closed pipe, which other commands ignore
		return cmdline.ErrSaid
	}
	return c.Context.Err() // of Ctrl-C; SIGTERM is a regular end
}

const (
	// collectorRoom is memory that is reserved but never used. Garbage is collected when live memory doubles, at
	// least 4 MiB: with small requests dozens of times per second, but less than half as often with this reserve.
	collectorRoom = 4 << 20

	// collectorWait delays the allocation after the start, because it triggers a collection.
	collectorWait = 100 * time.Millisecond
)

// giveCollectorRoom keeps the reserve until the context ends.
func giveCollectorRoom(ctx context.Context) {
	select {
	case <-time.After(collectorWait):
	case <-ctx.Done():
		return
	}
	room := make([]byte, collectorRoom)
	<-ctx.Done()
	runtime.KeepAlive(room)
}

// configVariable names the configuration file if no flag does, because the SDKs give no flag.
const configVariable = "ATTEST_CONFIG"

// engineConfig reads the configuration file named by a flag or the environment and applies the other flags.
func engineConfig(env cmdline.Env, c *cli.Context, flag string) (config serve.Config, err error) {
	path, from := c.String(flag), "--"+flag
	if path == "" {
		path, from = env.Getenv(configVariable), configVariable
	}
	if path != "" {
		if config, err = readEngineConfig(c.Context, from, path); err != nil {
			return config, err
		}
	}
	switch timeout, concurrent := c.Duration("eval-timeout"), c.Int("max-concurrent"); {
	case c.Bool("strict") && c.Bool("lax"):
		return config, &cmdline.UsageError{Message: "--strict and --lax contradict each other", Hint: "give one of them; strict is the default"}
	case c.IsSet("eval-timeout") && timeout < time.Millisecond:
		return config, &cmdline.UsageError{Message: fmt.Sprintf("invalid value %q for --eval-timeout", timeout), Hint: "give at least 1ms, such as 30s"}
	case c.IsSet("max-concurrent") && (concurrent < 1 || concurrent > maxConcurrent):
		return config, cmdline.OutOfRange("max-concurrent", concurrent, maxConcurrent)
	}
	if err := readMemoryFlags(c, &config); err != nil {
		return config, err
	}
	if c.IsSet("eval-timeout") {
		config.Engine.Timeout = c.Duration("eval-timeout")
	}
	if c.IsSet("max-concurrent") {
		config.Concurrent = c.Int("max-concurrent")
	}
	if c.Bool("strict") || c.Bool("lax") {
		config.Engine.Lax = c.Bool("lax")
	}
	if level := c.String("log-level"); level != "" {
		config.LogLevel = level
	}
	if c.Bool("debug") {
		config.LogLevel = "debug"
	}
	return config, nil
}

// maxConcurrent limits --max-concurrent, because more evaluations at once only wait for each other.
const maxConcurrent = 4096

func readEngineConfig(ctx context.Context, from, path string) (serve.Config, error) {
	text, err := app.EngineConfigFile(from).Read(ctx, path)
	if err != nil {
		return serve.Config{}, err
	}
	config, err := serve.ParseConfig(text)
	var place *serve.ConfigError
	switch {
	case errors.As(err, &place):
		return config, &cmdline.Hinted{Err: fmt.Errorf("%s:%w", path, err), Hint: "`cupel help attest-serve` lists the keys, `cupel help attest serve` the flags"}
	case err != nil:
		return config, fmt.Errorf("%s: %w", path, err)
	}
	config.File = path
	if info, err := door.Stat(path); err == nil && info.Mode().IsRegular() {
		config.Below(filepath.Dir(path)) // a pipe lies nowhere
	}
	return config, nil
}

func engineLog(env cmdline.Env, level string) (*slog.Logger, func(), error) {
	if level == "" {
		level = "info"
	}
	log, stop, err := serve.NewLogger(env.Stderr, level)
	if err != nil {
		return nil, nil, cmdline.BadValue("log-level", level, serve.LogLevels())
	}
	return log, stop, nil
}

// engineFlags are flags that can be the first argument of an SDK.
var engineFlags = []string{"log-level", "config", "eval-timeout", "debug", "base-url", "judge-model", "embedding-model", "judge", "cassette", "history"}

// EngineArgs inserts the command into arguments of SDKs that start the engine: by the name attest-engine, or with
// only engine flags, --log-level first. Other arguments are unchanged.
func EngineArgs(args []string) []string {
	name := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	first := ""
	if len(args) > 1 {
		first = args[1]
	}
	flag, _, _ := strings.Cut(strings.TrimLeft(first, "-"), "=")
	isFlag := strings.HasPrefix(first, "-")
	switch {
	case isFlag && slices.Contains(engineFlags, flag),
		name == engineName && (first == "" || isFlag):
		return append([]string{args[0], "attest", "serve"}, args[1:]...)
	case name == engineName && first == "cache":
		return append([]string{args[0], "attest"}, args[1:]...)
	}
	return args
}
