package app

import (
	"bytes"
	"context"
	"crypto"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/verdict"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/internal/decided"
	"github.com/cupel-dev/cupel/internal/report"
)

// AttestFlags returns the flags of commands that can sign their verdict.
func AttestFlags() []cli.Flag {
	const category = "Attestation of the verdict"
	return []cli.Flag{
		&cli.StringFlag{Name: "attest", Category: category, Usage: "write the verdict into `FILE` as a signed in-toto statement about the inputs; needs --sign"},
		&cli.StringFlag{Name: "sign", Category: category, Usage: "`FILE` with the private key for --attest, Ed25519 or ECDSA P-256, in PEM or as OpenSSH writes it"},
		&cli.StringFlag{Name: "sign-password-file", Category: category, Usage: "`FILE` with the password of the private key, if it is encrypted"},
		&cli.BoolFlag{Name: "attest-time", Category: category, Usage: "add the time to the statement; without it, equal runs write equal bytes"},
	}
}

type verdictSigner struct {
	path   string
	signer *seal.Signer
	said   verdict.Predicate
	seen   map[string]bool // the sentences of said.NotCovered
}

// KeygenHint says how to make a key.
const KeygenHint = "`cupel evidence keygen key.pem key.pub.pem` makes one"

// OriginHint says how the name of a log looks.
const OriginHint = "a name such as example.com/agent-7"

// attestHint is the usage of the flags.
const attestHint = "--attest FILE --sign KEY"

// newAttesting reads the flags. It returns nil if the run does not sign anything.
func newAttesting(env cmdline.Env, c *cli.Context, run report.Run) (*verdictSigner, error) {
	if !slices.Contains(cmdline.FlagNames(c.Command), "attest") {
		return nil, nil
	}
	path := c.String("attest")
	for _, flag := range []string{"sign", "sign-password-file", "attest-time"} {
		if c.IsSet(flag) && path == "" {
			return nil, &cmdline.UsageError{Message: "--" + flag + " requires --attest, which is not given", Hint: attestHint}
		}
	}
	switch {
	case !c.IsSet("attest"):
		return nil, nil
	case path == "" || path == "-":
		return nil, &cmdline.UsageError{Message: "--attest needs the name of a file", Hint: attestHint}
	case !c.IsSet("sign"):
		return nil, &cmdline.UsageError{Message: "--attest signs the verdict, but --sign names no key", Hint: KeygenHint}
	}
	for _, flag := range []string{"follow", "state", "watch", "range", "ranges", "summary"} {
		if c.IsSet(flag) {
			return nil, &cmdline.UsageError{Message: "--attest needs complete inputs, but --" + flag + " reads a part or reads them again", Hint: "verify the inputs once more without --" + flag}
		}
	}
	signer, err := ReadSigner(c, "sign", "sign-password-file")
	if err != nil {
		return nil, err
	}
	a := &verdictSigner{path: path, signer: signer, seen: map[string]bool{}}
	a.said = verdict.Predicate{Command: run.Command, Inputs: []verdict.Input{}, Rules: map[string]int{}, NotCovered: []string{}}
	if run.Bound != nil {
		a.said.Version, a.said.Options = run.Bound.Version, run.Bound.Options
	}
	if c.Bool("attest-time") {
		var now time.Time
		now, err = TimeOfRun(env)
		a.said.Time = now.Format(time.RFC3339)
	}
	return a, err
}

// TimeOfRun returns the time in SOURCE_DATE_EPOCH, for reproducible output, or else the current time in whole
// seconds.
func TimeOfRun(env cmdline.Env) (time.Time, error) {
	now := time.Now()
	if text := env.Getenv("SOURCE_DATE_EPOCH"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil || seconds < 0 || seconds > lastSecond {
			return now, &cmdline.UsageError{Message: fmt.Sprintf("SOURCE_DATE_EPOCH is %q, expected seconds since 1970", text), Hint: "`date +%s` prints them"}
		}
		now = time.Unix(seconds, 0)
	}
	return now.UTC().Truncate(time.Second), nil
}

// lastSecond is the last second of year 9999, the maximum in RFC 3339.
const lastSecond = 253402300799

// ReadSigner reads the private key named by one flag, with its password from the file named by the other.
func ReadSigner(c *cli.Context, flag, passwordFlag string) (*seal.Signer, error) {
	key, err := ReadPrivateKey(c.Context, FlagValue{flag, c.String(flag)}, FlagValue{passwordFlag, c.String(passwordFlag)})
	if err != nil {
		return nil, err
	}
	return seal.NewSigner(key)
}

// FlagValue is a flag that names a file.
type FlagValue struct{ Flag, Value string }

// ReadPrivateKey reads a private key from the file that a flag names, with the password from the other, if it is set.
func ReadPrivateKey(ctx context.Context, key, password FlagValue) (crypto.Signer, error) {
	file := SigningKeyFile
	file.From = "--" + key.Flag
	text, err := file.Read(ctx, key.Value)
	if err != nil {
		return nil, err
	}
	var secret []byte
	if password.Value != "" {
		file := PasswordFile
		file.From = "--" + password.Flag
		if secret, err = file.Read(ctx, password.Value); err != nil {
			return nil, err
		}
		secret = bytes.TrimRight(secret, "\r\n")
	}
	private, err := seal.ParsePrivateKey(text, secret)
	switch {
	case errors.Is(err, seal.ErrPassword):
		return nil, badKey(key.Flag, key.Value, err, "--"+password.Flag+" names a file with its password")
	case err != nil:
		return nil, badKey(key.Flag, key.Value, err, "`cupel evidence keygen` and `openssl genpkey -algorithm ed25519` write such keys")
	}
	return private, nil
}

// ReadTrustedKey reads a public key for --key.
func ReadTrustedKey(c *cli.Context, name string) (*seal.Verifier, error) {
	text, err := TrustedKeyFile.Read(c.Context, name)
	if err != nil {
		return nil, err
	}
	key, err := seal.ParsePublicKey(text)
	if err != nil {
		return nil, BadKey(name, err, "`cupel evidence keygen` writes the public key next to the private one, and `openssl pkey -in key.pem -pubout` prints it")
	}
	return seal.NewVerifier(key)
}

func (a *verdictSigner) finding(rule string) {
	if a != nil {
		a.said.Rules[rule]++
	}
}

func (a *verdictSigner) answer(answer report.Answer) {
	if a == nil || answer.List == "" || answer.Subject == "" || answer.Weight == report.Plain {
		return
	}
	a.said.Inputs = append(a.said.Inputs, verdict.Input{Name: answer.Subject, Verdict: answer.Word})
	for _, what := range answer.NotCovered {
		if !a.seen[what] {
			a.seen[what] = true
			a.said.NotCovered = append(a.said.NotCovered, what)
		}
	}
}

// attest signs the verdict and writes it with the reports, unless the run failed.
func (o *Output) attest(no bool) {
	a := o.attesting
	if a == nil || o.Failed || o.Broken != nil {
		return
	}
	s := verdict.Statement{Predicate: a.said}
	s.Predicate.DecidedWith = decided.Of(o.screen.env.Context).All()
	if s.Predicate.Verdict = verdict.Passed; no {
		s.Predicate.Verdict = verdict.Failed
	}
	for _, d := range o.digests.All() {
		if d.Digest == nil {
			_ = o.Fail(&cmdline.Hinted{Err: fmt.Errorf("cannot attest the verdict: %q was not read completely, so its digest is unknown", d.Input), Hint: "save the input as a file"})
			return
		}
		s.Subject = append(s.Subject, verdict.Subject{Name: d.Input, Digest: verdict.Digest{SHA256: d.SHA256}})
	}
	if len(s.Subject) == 0 {
		_ = o.Fail(&cmdline.Hinted{Err: errors.New("cannot attest the verdict: no input was judged"), Hint: "name an input, or leave --attest out"})
		return
	}
	text, err := s.Sign(o.screen.env.Context, a.signer)
	if err == nil {
		err = o.Replace(a.path, text, 0o666)
	}
	if err != nil {
		_ = o.Fail(fmt.Errorf("cannot attest the verdict: %w", err))
	}
}
