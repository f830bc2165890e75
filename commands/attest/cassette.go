package attestcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/attest/provider"
	"github.com/cupel-dev/cupel/attest/serve"
	"github.com/cupel-dev/cupel/attest/suite"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/decided"
	"github.com/cupel-dev/cupel/internal/say"
)

// cassetteFlags returns the flags for recording and replaying model answers.
func cassetteFlags() []cli.Flag {
	return []cli.Flag{
		cmdline.OneOf(&cli.StringFlag{Name: "judge", Category: providersCategory, Usage: "`MODE` of model calls: live, record (add missing answers to the cassette) or replay (call no model) (default: live)"}, cmdline.WordsOf(serve.Modes(), map[string]string{
			"live": "ask models", "record": "ask for the answers that the cassette lacks, and record them", "replay": "ask nobody",
		})...),
		&cli.StringFlag{Name: "cassette", Category: providersCategory, Usage: "`DIR` with recorded answers of models, one per file"},
		&cli.StringFlag{Name: requireCassette, Category: providersCategory, Usage: "replay only from a cassette whose answers have this `SHA256` (see cupel help attest-cassettes)"},
	}
}

const requireCassette = "require-cassette-digest"

// pin compares the cassette with --require-cassette-digest.
func (n *connection) pin(c *cli.Context) error {
	if !c.IsSet(requireCassette) {
		if notes := decided.Of(c.Context); n.replays && notes != nil && c.Command.Name == "eval" {
			if sum, size, err := n.cassette.Digest(c.Context); err == nil { // otherwise the answer that is read says why
				notes.Took("cassette", n.dir, sum, size)
				n.sum = sum
			}
		}
		return nil
	}
	want, err := cmdline.DigestValue(requireCassette, c.String(requireCassette), "`cupel help attest-cassettes` shows how to compute it")
	if err != nil {
		return err
	}
	if !n.replays {
		return &cmdline.UsageError{Message: fmt.Sprintf("--%s requires --judge replay: otherwise models are asked", requireCassette), Hint: "add --judge replay, or leave the flag out"}
	}
	sum, size, err := n.cassette.Digest(c.Context)
	if err != nil {
		return fmt.Errorf("cannot read the cassette %q: %w", n.dir, say.Plain(err))
	}
	if sum != want.Hex() {
		return &cmdline.Hinted{
			Err:  fmt.Errorf("the answers in the cassette %q have the SHA-256 %s, but --%s is %s", n.dir, sum, requireCassette, want.Hex()),
			Hint: "an answer was changed, added or removed: restore the cassette, or review the change and require the new digest",
		}
	}
	decided.Of(c.Context).Took("cassette", n.dir, sum, size)
	n.sum = sum
	return nil
}

// replayed returns a remark on where the answers of models in results come from, if no model was asked. The digest is
// short: reports that programs read have all of it.
func (n *connection) replayed(trace string, results [][]suite.Result) []string {
	for _, r := range slices.Concat(results...) {
		if judge := r.Layer == 6 || r.Layer == 5; judge && n.sum != "" {
			return []string{fmt.Sprintf("%s: answers of models replayed from %q (SHA-256 %s…)", trace, n.dir, n.sum[:12])}
		}
	}
	return nil
}

// overrideCassette applies the flags to the configuration.
func overrideCassette(c *cli.Context, config *serve.Config) error {
	cassette := &config.Cassette
	if c.IsSet("judge") {
		mode := c.String("judge")
		if !slices.Contains(serve.Modes(), mode) {
			return cmdline.BadValue("judge", mode, serve.Modes())
		}
		cassette.Mode = serve.Mode(mode)
	}
	if c.IsSet("cassette") {
		cassette.Dir = c.String("cassette")
	}
	asks := cassette.Mode == "" || cassette.Mode == serve.Live
	switch {
	case asks && c.IsSet("cassette"):
		return &cmdline.UsageError{Message: "--cassette has no effect: models are asked live", Hint: "--judge record fills it, --judge replay answers from it"}
	case asks && c.Bool("prune"):
		return &cmdline.UsageError{Message: "--prune has no effect: models are asked live", Hint: "use --prune with --judge replay or record: it removes the recordings that the run did not use"}
	case !asks && cassette.Dir == "" && !c.IsSet("judge"):
		return &cmdline.Hinted{Err: config.At(config.Places.CassetteMode, fmt.Errorf("cassette mode %s needs a folder", cassette.Mode)), Hint: "name the folder after the mode, as dir: DIR, or with --cassette DIR"}
	case !asks && cassette.Dir == "":
		return &cmdline.UsageError{Message: fmt.Sprintf("--judge %s needs a folder", cassette.Mode), Hint: "name the folder with --cassette DIR, or with cassette: {dir: DIR} in the engine's configuration"}
	}
	return nil
}

// logUnused logs how many recorded answers a session did not use.
func (n *connection) logUnused(log *slog.Logger) {
	if !n.replays {
		return
	}
	if unused, err := n.cassette.Unused(); err == nil && len(unused) > 0 {
		log.Warn("the run did not use some recorded answers", "cassette", n.dir, "count", len(unused))
	}
}

// insert opens the configured cassette.
func (n *connection) insert(config *serve.Config) (err error) {
	mode, dir := config.Cassette.Mode, config.Cassette.Dir
	if mode != serve.Record && mode != serve.Replay {
		return nil
	}
	n.replays = mode == serve.Replay
	n.cassette, err = provider.OpenCassette(dir, !n.replays)
	if err != nil {
		at, _ := errors.AsType[*fs.PathError](err)
		err = fmt.Errorf("cannot open the cassette %q: %w", dir, at.Err)
		if n.replays && errors.Is(err, fs.ErrNotExist) {
			return &cmdline.Hinted{Err: err, Hint: "--judge record makes it"}
		}
		return err
	}
	config.Engine.DerivedDelimiters = true // equal judges are asked with equal requests
	config.Engine.Reproducible = n.replays
	n.dir = dir
	n.ends = append(n.ends, func() { _ = n.cassette.Close() }) // opened for reading: nothing can be lost
	return nil
}

// chat returns a chat service, wrapped in the cassette if there is one.
func (n *connection) chat(live *provider.Chat) model.Chat {
	if n.cassette == nil {
		return live
	}
	return n.cassette.Chat(live)
}
