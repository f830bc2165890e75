package evidencecmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

// AttestCommand is `cupel evidence attest`.
func AttestCommand(env cmdline.Env) *cli.Command {
	const category = "Attestation"
	return app.ShowingConfig(env, &cli.Command{
		Name:      "attest",
		Usage:     "sign a bundle: its bytes, its run root and the facts of its run",
		ArgsUsage: "BUNDLE",
		UsageText: strings.Join([]string{
			"cupel evidence attest run.tar.gz --key key.pem -o run.att.json",
			"cupel evidence verify run.tar.gz --attestation run.att.json --key key.pub.pem",
			"cupel evidence attest clean.tar.gz --key key.pem --redaction clean.redaction.json > clean.att.json",
		}, "\n"),
		Description: "The attestation is an in-toto Statement in a DSSE envelope, signed with Ed25519 or\nECDSA. The bundle is verified first; an invalid bundle is not attested.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "key", Category: category, Usage: "`FILE` with the private key: Ed25519 or ECDSA P-256, PEM or OpenSSH format"},
			&cli.StringFlag{Name: "key-password-file", Category: category, Usage: "`FILE` with the password of an encrypted private key"},
			&cli.BoolFlag{Name: "no-extent", Category: category, Usage: "omit the counts per event type and of the run's summary (revision 1.0 of the predicate)"},
			&cli.BoolFlag{Name: "tree", Category: category, Usage: "also attest the tree head over the content hashes, as a predicate of cupel outside the contract"},
			redactionFlag(category, "attest the report on the redaction that made the bundle too, of this `FILE`, under a predicate of cupel's own that is no part of the contract"),
			outputFileFlag(category),
		}, append(oneBundleFlags(category), input.InputFlags()...)...),
		Action: func(c *cli.Context) error {
			if err := app.DistinctFiles(env, c, !c.IsSet("output")); err != nil {
				return err
			}
			if c.Bool("tree") && c.IsSet("redaction") {
				return &cmdline.UsageError{Message: "--tree and --redaction cannot be combined: an attestation has one predicate", Hint: "write two attestations of the bundle"}
			}
			signer, err := signerOf(c)
			if err != nil {
				return err
			}
			redacted, err := readRedaction(c)
			if err != nil {
				return err
			}
			events := &bundleEvents{}
			if c.Bool("tree") {
				events.leaves = new(eventLeaves)
			}
			if !c.Bool("no-extent") {
				events.extent = new(seal.ExtentCounter)
			}
			private := &privateValues{redactor: privacy.NewRedactor(privacy.Default())}
			r, err := soundBundle(env, c, "attested", private.each(redacted.events(events.each())))
			if err != nil {
				return err
			}
			private.warn(env, r.Input)
			facts, err := factsOf(r, events)
			if err == nil && events.extent != nil && facts.Extent == nil {
				_, why := events.extent.Extent()
				err = &cmdline.Hinted{Err: fmt.Errorf("cannot attest the extent of %q: %w", r.Input, why), Hint: "use --no-extent to attest the bundle without an extent"}
			}
			if err != nil {
				return err
			}
			if facts.Redaction, err = redactionToAttest(env, redacted, r); err != nil {
				return err
			}
			text, err := seal.Attest(env.Context, signer, facts)
			if err != nil {
				return err
			}
			return writeOutput(env, c, text)
		},
	})
}

// privateValues counts events that redaction would change.
type privateValues struct {
	redactor *privacy.Redactor
	events   int
}

// each wraps a function on a bundle's events, which can be nil.
func (p *privateValues) each(other func(*evidence.Result) error) func(*evidence.Result) error {
	return func(r *evidence.Result) error {
		if r.Event != nil {
			_, changes, err := p.redactor.Event(nil, r.Event)
			if err != nil || slices.ContainsFunc(changes, func(c privacy.Change) bool { return !c.Reported }) {
				p.events++
			}
			p.redactor.Trim()
		}
		if other != nil {
			return other(r)
		}
		return nil
	}
}

// warn warns that recipients of a redacted copy cannot use the original's attestation.
func (p *privateValues) warn(env cmdline.Env, name string) {
	if p.events > 0 {
		cmdline.Warn(env, fmt.Sprintf("%q has private values in %s: the attestation lets readers of a redacted copy test guesses of short values; attest the redacted bundle, do not share both, or seal the events with --commit", name, cmdline.Counted(p.events, "event")))
	}
}

func outputFileFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: category, Usage: "write to `FILE` instead of standard output"}
}

// writeOutput writes a document to the file in -o or to standard output.
func writeOutput(env cmdline.Env, c *cli.Context, text []byte) error {
	name := c.String("output")
	if !c.IsSet("output") || name == "-" {
		_, err := env.Stdout.Write(text)
		return err
	}
	return say.Plain(door.ReplaceFile(env.Context, name, text, 0o666))
}

func oneBundleFlags(category string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "limits", Category: category, Usage: "override limits with `JSON|@FILE`: " + strings.Join(evidence.LimitNames(), ", ")},
		app.JobsFlag(category),
	}
}

// signerOf reads the key in --key.
func signerOf(c *cli.Context) (*seal.Signer, error) {
	if !c.IsSet("key") {
		return nil, &cmdline.UsageError{Message: "--key is missing: it names the key to sign with", Hint: "name a key with --key; `cupel evidence keygen key.pem key.pub.pem` makes one"}
	}
	return app.ReadSigner(c, "key", "key-password-file")
}

// soundBundle verifies the named bundle and passes its events to each unless nil. For an invalid bundle, it returns
// an error that the operation named by done did not happen.
func soundBundle(env cmdline.Env, c *cli.Context, done string, each func(*evidence.Result) error) (*bundle.Report, error) {
	in, opt, err := oneBundle(env, c)
	if err != nil {
		return nil, err
	}
	opt.Each = each
	r, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	answer, err := bundle.Verify(env.Context, r, input.TextSize(in, r), in.Name, opt)
	switch {
	case env.Context.Err() != nil:
		return nil, env.Context.Err()
	case err != nil:
		return nil, app.ReadFailed(in.Name, err)
	case answer.Verdict != bundle.Valid:
		cmdline.PrintError(env, fmt.Sprintf("%q is invalid (%s) and was not %s", in.Name, answer.Code, done), "run `cupel evidence verify "+in.Name+"` to see why")
		return nil, cmdline.ErrNo
	case answer.Kind != bundle.KindBundle:
		return nil, &cmdline.Hinted{Err: fmt.Errorf("%q is not a bundle: it contains %s", in.Name, kindNames[answer.Kind]), Hint: "a bundle is a .tar.gz with the events of a run and their manifest"}
	}
	return answer, nil
}

var kindNames = map[bundle.Kind]string{bundle.KindStream: "a stream of events", bundle.KindEvent: "one event"}

func oneBundle(env cmdline.Env, c *cli.Context) (in walk.Input, opt bundle.Options, err error) {
	if opt.Jobs, err = app.Jobs(c); err == nil && c.IsSet("limits") {
		opt.Limits, err = limitsOf(c.Context, c.String("limits"))
	}
	if err != nil {
		return in, opt, err
	}
	passed := input.PassedOver{None: "no bundle"}
	inputs, err := input.OpenInputs(env, c, evidenceReads(&passed))
	if err != nil {
		return in, opt, err
	}
	if len(inputs) != 1 {
		return in, opt, &cmdline.UsageError{Message: fmt.Sprintf("the operands name %d bundles; give one", len(inputs)), Hint: "`cupel help evidence " + c.Command.Name + "` shows the usage"}
	}
	return inputs[0], opt, nil
}

// factsOf returns the facts about a completely read bundle and its events. Its Extent is nil if none can be
// derived.
func factsOf(r *bundle.Report, events *bundleEvents) (seal.Facts, error) {
	sum, ok := digest.Parse([]byte(r.SHA256))
	if !ok || r.Manifest == nil {
		return seal.Facts{}, errors.New("the bundle was not read completely")
	}
	producer := r.Manifest.Producer
	f := seal.Facts{
		SHA256: sum, BundleID: r.BundleID, RunRoot: r.RunRoot, RunID: r.Manifest.RunID, Events: r.Events,
		Producer: seal.Producer{Name: producer.Name, Version: producer.Version, Git: producer.Git},
		Start:    r.Run.Start, End: r.Run.End,
	}
	if events.extent != nil {
		f.Extent, _ = events.extent.Extent()
	}
	if events.leaves != nil {
		head, err := events.leaves.tree.Head()
		if err != nil {
			return seal.Facts{}, err
		}
		f.Tree = &seal.TreeHead{Size: head.Size, Root: head.Root}
	}
	return f, nil
}
