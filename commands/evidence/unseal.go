package evidencecmd

import (
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
)

// UnsealCommand is `cupel evidence unseal`.
func UnsealCommand(env cmdline.Env) *cli.Command {
	run := report.Run{
		Command: "evidence unseal", Schema: "cupel.seal/1", Lists: []string{"inputs"}, Rules: rulelist.VerifyRules,
		Baseline:  "accepted findings do not cause exit code 1, but an invalid bundle is not unsealed",
		NotProved: []string{"the author of the bundle, unless its attestation was checked", eventsNotProved},
	}
	return input.WriteCommand(env, run, func() *cli.Command {
		return &cli.Command{
			Name:      "unseal",
			Usage:     "verify a bundle and write its events",
			ArgsUsage: "[BUNDLE]",
			UsageText: strings.Join([]string{
				"cupel evidence unseal run.tar.gz",
				"cupel evidence unseal -o - run.tar.gz | head -n 1",
				"cupel evidence unseal --expect-sha256 6af106bde1b17c32d2b98ec4bef235816941008716f2d76207a75ee5749e6c5a run.tar.gz",
			}, "\n"),
			Description: "The events are those of the bundle's member events.ndjson, byte for byte. cupel writes\nnothing for a bundle that `cupel evidence verify` rejects under the same flags.",
			Flags:       evidenceUnsealFlags(),
		}
	}, streamName, unsealInput)
}

// unsealChecks are the verification flags that the command accepts.
var unsealChecks = []string{
	"all", "strict", "upstream-compatible", "require-traceparent", "check-time", "lenient-time", "compatible", "allow-trailing",
	"expect-bundle-id", "expect-run-root", "expect-sha256", "limits", "max-findings", "jobs",
}

func evidenceUnsealFlags() []cli.Flag {
	return append(append(input.WriteFlags("Unseal", "run.ndjson for run.tar.gz"),
		revealFlag("Unseal", "replace commitments by the values in `FILE` (disclosed values or all secrets), and hash their events again")),
		slices.DeleteFunc(evidenceVerifyFlags(), func(f cli.Flag) bool { return !slices.Contains(unsealChecks, f.Names()[0]) })...)
}

func streamName(file string) string {
	for _, ending := range []string{".tar.gz", ".tgz"} {
		if base, found := strings.CutSuffix(file, ending); found && base != "" && !strings.HasSuffix(base, "/") {
			return base + ".ndjson"
		}
	}
	return file + ".ndjson"
}

func unsealInput(m *input.WriteRun, in walk.Input) (sum report.Summary, err error) {
	opt, err := bundleOptions(m.C)
	if err != nil {
		return sum, err
	}
	r, err := in.Open()
	if err != nil {
		return sum, err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	line := m.Out.Progress("unsealing "+in.Name, in.Size)
	defer line.End()
	var verified *bundle.Report
	values, err := readDisclosed(m.C)
	if err != nil {
		return sum, err
	}
	if values != nil {
		return values.unseal(m, in, line.Reader(r), opt)
	}
	made, err := m.WriteFile(func(w io.Writer) (bool, error) {
		verified, err = bundle.Unseal(m.Env.Context, line.Reader(r), in.Size, in.Name, w, opt)
		line.End()
		if err != nil {
			return false, unmade(m, in, err)
		}
		return m.Good(verified)
	})
	if verified == nil || err != nil {
		return sum, err
	}
	file := input.MadeFile{}
	if made {
		events := verified.Manifest.Files[bundle.EventsName]
		sum, _ := events.Digest() // it was compared
		file.SHA256, file.Bytes = sum.String(), int64(events.Bytes)
	}
	return m.Answer("unsealed", verified, file)
}
