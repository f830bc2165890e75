package evidencecmd

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/report"
)

// HashRun is the report of the command.
var HashRun = report.Run{
	Command: "evidence hash", Schema: "cupel.hash/1",
	Lists: []string{"events", "inputs", input.PassedOverList}, Rules: rulelist.HashRules,
	Baseline: "accepted findings do not cause exit code 1, but with --check a hash mismatch does",
	NotProved: []string{
		"the author and time of an event: a hash covers only content",
		"whether an event was changed together with its hash: anyone who edits an event can record a new hash",
		"members outside the content: no hash covers source, time, run id and producer",
	},
}

// HashCommand is `cupel evidence hash`.
func HashCommand(env cmdline.Env) *cli.Command {
	return app.Reporting(env, HashRun, &cli.Command{
		Name:      "hash",
		Usage:     "compute and check the content hashes of evidence events",
		ArgsUsage: "[PATH…]",
		UsageText: strings.Join([]string{
			"cupel evidence hash event.json",
			"cupel evidence hash --check --format json events.ndjson",
			"cupel evidence hash events.ndjson > SUMS && cupel evidence hash -c SUMS",
			"cupel evidence hash --explain - < event.json",
		}, "\n"),
		Flags: slices.Concat(evidenceHashFlags(), input.PickFlags(), input.SharedFlags()),
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		h := &hashRun{env: env, out: out, gather: out.ListingOnly(), allowEmpty: c.Bool("allow-empty"), passed: input.PassedOver{None: "no evidence"}}
		var err error
		if h.opt, err = hashOptions(c); err != nil {
			return report.Summary{}, err
		}
		h.explain, h.opt.Explain = h.opt.Explain, h.opt.Explain || out.Shows("html") // for the page's view
		if err := app.NotSharded(c, "check-sums"); err != nil {
			return report.Summary{}, err
		}
		if c.IsSet("check-sums") {
			return h.checkSums(c, c.String("check-sums"))
		}
		inputs, err := input.OpenInputs(env, c, evidenceReads(&h.passed))
		if err == nil {
			err = h.passed.List(c, out)
			h.passed.Warn(env, h.opt.Check)
		}
		if err != nil {
			return report.Summary{}, err
		}
		out.Plan(inputs)
		for _, in := range inputs {
			if err := h.input(in); err != nil {
				return h.summary(), err
			}
		}
		return h.summary(), nil
	})
}

func evidenceHashFlags() []cli.Flag {
	const category = "Hash"
	return []cli.Flag{
		&cli.BoolFlag{Name: "check", Category: category, Usage: "require each recorded assaycontenthash to match"},
		&cli.StringFlag{Name: "check-sums", Aliases: []string{"c"}, Category: category, Usage: "check the hashes listed in `FILE` (\"-\": standard input), in the text format"},
		&cli.BoolFlag{Name: "explain", Category: category, Usage: "show the hash input and the members that it covers"},
		&cli.BoolFlag{Name: "envelope-digest", Category: category, Usage: "also digest the whole canonical event (not in version 1 of the contract)"},
		&cli.BoolFlag{Name: "exact-integers", Category: category, Usage: "reject integers above 2^53, which RFC 8785 rounds"},
		&cli.BoolFlag{Name: "strict", Category: category, Usage: "reject events without datacontenttype, and list lines that are not hashes"},
		limitsFlag(category),
		input.PackedFlag(category),
		cmdline.OneOf(&cli.StringFlag{Name: "engine", Category: category, Value: "fast", Usage: "`ENGINE` for the canonical form: fast, reference, or both (stop at a difference)"}, cmdline.EngineWords...),
		input.ShowFilesFlag(category),
		app.JobsFlag(category),
		&cli.IntFlag{Name: "max-findings", Category: category, Value: evidence.DefaultMaxFindings, Usage: "report at most `N` findings of an input and count the rest; -1: all"},
	}
}

var engineNames = []string{evidence.Fast: "fast", evidence.Reference: "reference", evidence.Both: "both"}

func hashOptions(c *cli.Context) (opt evidence.Options, err error) {
	opt = evidence.Options{
		Check: c.Bool("check"), Strict: c.Bool("strict"), ExactIntegers: c.Bool("exact-integers"),
		EnvelopeDigest: c.Bool("envelope-digest"), Explain: c.Bool("explain"),
		MaxFindings: c.Int("max-findings"),
	}
	if opt.Jobs, err = app.Jobs(c); err != nil {
		return opt, err
	}
	if opt.Engine, err = engineOf(c.String("engine")); err != nil {
		return opt, err
	}
	if opt.MaxFindings == 0 {
		return opt, cmdline.NoFindingsAsked()
	}
	if c.IsSet("limits") {
		opt.Limits, err = limitsOf(c.Context, c.String("limits"))
	}
	return opt, err
}

func engineOf(name string) (evidence.Engine, error) {
	for engine, known := range engineNames {
		if name == known {
			return evidence.Engine(engine), nil
		}
	}
	return 0, cmdline.BadValue("engine", name, engineNames)
}
