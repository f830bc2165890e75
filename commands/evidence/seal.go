package evidencecmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

// SealCommand is `cupel evidence seal`.
func SealCommand(env cmdline.Env) *cli.Command {
	run := report.Run{
		Command: "evidence seal", Schema: "cupel.seal/1", Lists: []string{"inputs"}, Rules: rulelist.VerifyRules,
		Baseline:  "invalid input is still not sealed",
		NotProved: []string{"the author of the bundle: it has no signature; cupel evidence attest makes one", eventsNotProved},
	}
	return input.WriteCommand(env, run, func() *cli.Command {
		return &cli.Command{
			Name:      "seal",
			Usage:     "create a bundle from a stream of evidence events",
			ArgsUsage: "[STREAM]",
			UsageText: strings.Join([]string{
				"cupel evidence seal run.ndjson",
				"cupel evidence seal --digest-file -o evidence/run.tar.gz run.ndjson",
				"cupel evidence seal --commit run.ndjson",
				"cat part-*.ndjson | cupel evidence seal -o - > run.tar.gz",
			}, "\n"),
			Description: "Events can be in any order and spelling: they are sorted by assayseq and written in\ncanonical JSON. A missing content hash is added. A wrong one, and any other fault that\n`cupel evidence verify` would find in the bundle, is a finding, and no bundle is written.\nThe same events, level and version of cupel give the same bytes.",
			Flags:       evidenceSealFlags(),
		}
	}, bundleName, sealInput)
}

// eventsNotProved is a limitation of every bundle.
const eventsNotProved = "whether the events are true and complete"

func evidenceSealFlags() []cli.Flag {
	const category, limits = "Seal", "Limits"
	return append(append(input.WriteFlags(category, "run.tar.gz for run.ndjson"), commitFlags()...),
		&cli.BoolFlag{Name: "digest-file", Category: category, Usage: "also write the bundle's SHA-256 next to it, in the format of sha256sum: run.tar.gz.sha256"},
		&cli.StringFlag{Name: "producer", Category: category, Usage: "the manifest's producer, `NAME/VERSION[+GIT]` (default: the first event's)"},
		&cli.BoolFlag{Name: "drop-unknown", Category: category, Usage: "drop attributes outside the contract, like the reference implementation"},
		&cli.BoolFlag{Name: "lenient-time", Category: category, Usage: "accept times with other offsets and spellings, and convert them"},
		cmdline.Numbered(&cli.IntFlag{Name: "level", Category: category, Value: bundle.DefaultLevel, Usage: fmt.Sprintf("`LEVEL` of compression, %d (fast) to %d (small)", bundle.MinLevel, bundle.MaxLevel)}, levelWords),
		&cli.StringFlag{Name: "limits", Category: limits, Usage: "override limits with `JSON|@FILE`: " + strings.Join(evidence.LimitNames(), ", ")},
		&cli.IntFlag{Name: "max-findings", Category: limits, Value: evidence.DefaultMaxFindings, Usage: "keep at most `N` errors and N notes and count the rest; -1: all"},
		app.JobsFlag(limits),
	)
}

func levelWords() (list []cmdline.Word) {
	means := map[int]string{bundle.MinLevel: "fast", bundle.DefaultLevel: "the default", bundle.MaxLevel: "small"}
	for level := bundle.MinLevel; level <= bundle.MaxLevel; level++ {
		list = append(list, cmdline.Word{Name: strconv.Itoa(level), Means: cmp.Or(means[level], "between fast and small")})
	}
	return list
}

func bundleName(stream string) string {
	for _, ending := range []string{".ndjson", ".jsonl", ".json"} {
		if base, found := strings.CutSuffix(stream, ending); found && filepath.Base(stream) != ending {
			return base + ".tar.gz"
		}
	}
	return stream + ".tar.gz"
}

func sealOptions(c *cli.Context) (opt bundle.SealOptions, err error) {
	opt = bundle.SealOptions{
		Level: c.Int("level"), DropUnknown: c.Bool("drop-unknown"), LenientTime: c.Bool("lenient-time"), MaxFindings: c.Int("max-findings"),
	}
	switch {
	case opt.Level < bundle.MinLevel || opt.Level > bundle.MaxLevel:
		return opt, &cmdline.UsageError{Message: fmt.Sprintf("--level is %d, expected %d to %d", opt.Level, bundle.MinLevel, bundle.MaxLevel), Hint: ""}
	case opt.MaxFindings == 0:
		return opt, cmdline.NoFindingsAsked()
	case c.Bool("digest-file") && c.String("output") == "-":
		return opt, &cmdline.UsageError{Message: "--digest-file needs a bundle file, but the bundle goes to standard output", Hint: "name the output file with -o FILE"}
	}
	if c.IsSet("producer") {
		if opt.Producer, err = producerFlag(c.String("producer")); err != nil {
			return opt, err
		}
	}
	if opt.Jobs, err = app.Jobs(c); err == nil && c.IsSet("limits") {
		opt.Limits, err = limitsOf(c.Context, c.String("limits"))
	}
	return opt, err
}

// producerFlag parses NAME/VERSION[+GIT].
func producerFlag(value string) (*bundle.Producer, error) {
	name, version, found := strings.Cut(value, "/")
	version, git, committed := strings.Cut(version, "+")
	if !found || name == "" || version == "" || committed && git == "" || !utf8.ValidString(value) {
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("--producer is %q, expected NAME/VERSION or NAME/VERSION+GIT", value), Hint: "for example assay/3.10.0+f919ce86"}
	}
	return &bundle.Producer{Name: name, Version: version, Git: git}, nil
}

func sealInput(m *input.WriteRun, in walk.Input) (sum report.Summary, err error) {
	opt, err := sealOptions(m.C)
	if err != nil {
		return sum, err
	}
	scratch, err := input.NewTempFile()
	if err != nil {
		return sum, err
	}
	defer scratch.Discard()
	r, err := in.Open()
	if err != nil {
		return sum, err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	commits, err := commitsOf(m, in, opt)
	if err != nil {
		return sum, err
	}
	line := m.Out.Progress("sealing "+in.Name, in.Size)
	defer line.End()
	var sealed *bundle.Sealed
	made, err := m.WriteFile(func(w io.Writer) (good bool, err error) {
		if commits != nil {
			sealed, good, err = commits.seal(line.Reader(r), w)
			line.End()
			return good, err
		}
		sealed, err = bundle.Seal(m.Env.Context, line.Reader(r), in.Size, in.Name, scratch, w, opt)
		line.End()
		if err != nil {
			return false, unmade(m, in, err)
		}
		return m.Good(sealed.Report)
	})
	if err == nil && made && m.C.Bool("digest-file") {
		err = keepDigest(m, sealed.SHA256)
	}
	if sealed == nil || err != nil {
		return sum, err
	}
	file := input.MadeFile{}
	if made {
		file.SHA256, file.Bytes = sealed.SHA256, sealed.Bytes
	}
	return m.Answer("sealed", sealed.Report, file)
}

// keepDigest writes the digest file in the format of sha256sum.
func keepDigest(m *input.WriteRun, sum string) error {
	name, mark := filepath.Base(m.Name), ""
	if escaped := sha256sumEscape.Replace(name); escaped != name {
		name, mark = escaped, `\`
	}
	f, err := m.Out.Make(app.DigestFile(m.C))
	if err == nil {
		_, err = fmt.Fprintf(f, "%s%s  %s\n", mark, strings.TrimPrefix(sum, "sha256:"), name)
	}
	return say.Plain(err)
}

// sha256sumEscape escapes names as sha256sum does.
var sha256sumEscape = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`)

// unmade returns the error for an input without output.
func unmade(m *input.WriteRun, in walk.Input, err error) error {
	var read *evidence.ReadError
	switch {
	case m.Env.Context.Err() != nil:
		return m.Env.Context.Err()
	case errors.Is(err, bundle.ErrNotEvents):
		return &cmdline.Hinted{Err: unsealed(in, err), Hint: "`cupel evidence unseal -o - BUNDLE | cupel evidence seal -o NEW -` makes a new bundle of its events"}
	case errors.Is(err, bundle.ErrNotBundle):
		return &cmdline.Hinted{Err: fmt.Errorf("cannot unseal %q: %w", in.Name, err), Hint: "a bundle is a .tar.gz that `cupel evidence seal` makes"}
	case errors.Is(err, bundle.ErrNoEvents):
		return &cmdline.Hinted{Err: unsealed(in, err), Hint: "a bundle needs at least one event"}
	case errors.As(err, &read):
		return app.ReadFailed(in.Name, read.Err)
	}
	return err
}

func unsealed(in walk.Input, err error) error { return fmt.Errorf("cannot seal %q: %w", in.Name, err) }
