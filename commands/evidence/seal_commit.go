package evidencecmd

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/internal/walk"
)

// commitFlags returns the flags for a bundle with commitments instead of values.
func commitFlags() []cli.Flag {
	const category = "Commitments"
	return []cli.Flag{
		&cli.BoolFlag{Name: "commit", Category: category, Usage: "seal commitments in place of all values that are not public, and write the values to --secrets: one attestation then holds for every selection of values that you disclose"},
		&cli.StringFlag{Name: "secrets", Category: category, Usage: "with --commit, write the values and their salts to `FILE`, which only its owner can read (default: run.secrets.json for run.tar.gz)"},
		&cli.StringFlag{Name: "policy", Category: category, Usage: "with --commit, use the classes in `FILE` instead of those in the nearest cupel.yaml; /dev/null: use neither"},
	}
}

// commitRun seals a bundle with commitments.
type commitRun struct {
	*input.WriteRun
	in      walk.Input
	opt     bundle.SealOptions
	policy  *privacy.Policy
	secrets string // the file's name
}

// commitsOf reads the flags. It returns nil without --commit.
func commitsOf(m *input.WriteRun, in walk.Input, opt bundle.SealOptions) (*commitRun, error) {
	c := m.C
	if !c.Bool("commit") {
		for _, name := range []string{"secrets", "policy"} {
			if c.IsSet(name) {
				return nil, &cmdline.UsageError{Message: "--" + name + " requires --commit", Hint: "--commit seals commitments in place of private values"}
			}
		}
		return nil, nil
	}
	p := &commitRun{WriteRun: m, in: in, opt: opt, secrets: c.String("secrets")}
	switch {
	case p.secrets == "-":
		return nil, secretsOnStdout()
	case p.secrets == "" && (m.Name == "-" || m.Name == ""):
		return nil, &cmdline.UsageError{Message: "--commit requires --secrets when the bundle goes to standard output", Hint: "--secrets FILE names the file for the values and their salts"}
	case p.secrets == "":
		p.secrets = strings.TrimSuffix(strings.TrimSuffix(m.Name, ".tgz"), ".tar.gz") + ".secrets.json"
	}
	var err error
	p.policy, _, err = overridden(m.Env, c, privacy.Default(), nil)
	return p, err
}

// seal writes a bundle with commitments, and the file of secrets.
func (p *commitRun) seal(r io.Reader, w io.Writer) (*bundle.Sealed, bool, error) {
	plain, err := input.NewTempFile()
	if err != nil {
		return nil, false, err
	}
	defer plain.Discard()
	sorted, err := input.NewTempFile()
	if err != nil {
		return nil, false, err
	}
	defer sorted.Discard()
	first := p.opt
	first.Level = bundle.MinLevel
	sealed, err := bundle.Seal(p.Env.Context, r, p.in.Size, p.in.Name, sorted, plain, first)
	if err != nil {
		return sealed, false, unmade(p.WriteRun, p.in, err)
	}
	if good, err := p.Good(sealed.Report); err != nil || !good {
		return sealed, false, err
	}
	return p.commit(io.NewSectionReader(plain, 0, sealed.Bytes), sealed, w)
}

// commit replaces the values in the sealed bundle plain and writes the files.
func (p *commitRun) commit(plain *io.SectionReader, of *bundle.Sealed, w io.Writer) (*bundle.Sealed, bool, error) {
	scratch, err := input.NewTempFile()
	if err != nil {
		return nil, false, err
	}
	defer scratch.Discard()
	secrets, err := p.Out.MakeNew(p.secrets, 0o600)
	if err != nil {
		return nil, false, cmp.Or(thereAlready(p.secrets, err, "secrets"), input.PlainWrite(err))
	}
	made, err := redact.Commit(p.Env.Context, plain, plain.Size(), p.in.Name, scratch, w, secrets, redact.Options{
		Policy: p.policy, Limits: p.opt.Limits, Jobs: p.opt.Jobs, MaxFindings: p.opt.MaxFindings, Level: p.opt.Level,
	})
	if err != nil {
		return nil, false, RedactFailed(p.Env, p.Out, p.in, err)
	}
	good, err := p.Good(made.Report)
	if err != nil || !good {
		return made.Sealed, false, err
	}
	if made.Reported > 0 {
		p.Out.Warn(fmt.Sprintf("%s with private content cannot be replaced by commitments and stay unchanged; `cupel evidence redact --check` lists them", cmdline.Counted(int(made.Reported), "value")))
	}
	p.Note("committed", cmdline.Counted(int(made.Values), "value"))
	p.Note("secrets", p.secrets)
	about := *of.Report
	about.BundleID, about.RunRoot = made.Report.BundleID, made.Report.RunRoot
	return &bundle.Sealed{Report: &about, SHA256: made.SHA256, Bytes: made.Bytes}, true, nil
}

// secretsOnStdout returns the error for writing secrets to standard output.
func secretsOnStdout() error {
	return &cmdline.UsageError{Message: "--secrets is \"-\", expected a file", Hint: "name a file that only its owner can read: it holds the values that open the commitments"}
}
