package reportcmd

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/verdict"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
)

var verifyRun = report.Run{
	Command: "report verify", Schema: "cupel.verdict-check/1", Lists: []string{"inputs"},
	Rules:    func() []finding.Rule { return slices.Concat(verdict.Rules(), seal.Rules()) },
	Baseline: app.InvalidStays,
	NotProved: []string{
		"whether the verdict is right: the holder of the key says so, and the inputs were not verified again",
	},
}

var verdictFile = app.SideFile{From: "the statement", Limit: seal.MaxBytes, Less: "`cupel trace verify LOG --attest FILE --sign KEY` writes a statement", Opener: door.NamedText}

// VerifyCommand is `cupel report verify`.
func VerifyCommand(env cmdline.Env) *cli.Command {
	const category = "Verify"
	return app.Reporting(env, verifyRun, &cli.Command{
		Name:      "verify",
		Usage:     "verify a signed verdict against the files that it is about",
		ArgsUsage: "FILE [FILE…]",
		UsageText: strings.Join([]string{
			"cupel report verify verdict.json --key key.pub.pem",
			"cupel report verify verdict.json renamed.jsonl --key key.pub.pem",
			"cupel report verify verdict.json --key key.pub.pem --require-passed",
		}, "\n"),
		Description: "A statement is what --attest writes. Its subjects are read by their names, or the FILEs\nare compared with them by their digests alone. The exit code is 0 if the statement is signed by the key\nand every subject is unchanged, whatever its verdict is: --require-passed demands that.",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "key", KeepSpace: true, Category: category, Usage: "`FILE` with a public key, in PEM or as OpenSSH writes it, that must have signed the statement; repeatable: one of them"},
			&cli.BoolFlag{Name: "require-passed", Category: category, Usage: "fail if the verdict is failed"},
		},
	}, func(c *cli.Context, out *app.Output) (report.Summary, error) {
		return verifyVerdict(env, c, out)
	})
}

// checkedVerdict is the element of the list "inputs".
type checkedVerdict struct {
	Input     string             `json:"input"`
	Verdict   string             `json:"verdict"` // on the statement
	KeyIDs    []string           `json:"key_ids"`
	Subjects  []verdict.Subject  `json:"subjects"`
	Predicate *verdict.Predicate `json:"predicate"` // null if no trusted key signed it
	Findings  []finding.Finding  `json:"findings"`
}

type verdictTotals struct {
	Inputs  int `json:"inputs"`
	Valid   int `json:"valid"`
	Invalid int `json:"invalid"`
}

func verifyVerdict(env cmdline.Env, c *cli.Context, out *app.Output) (report.Summary, error) {
	operands := c.Args().Slice()
	if len(operands) == 0 {
		return report.Summary{}, &cmdline.UsageError{Message: "name the statement to verify", Hint: "`cupel report verify STATEMENT --key PUBLIC`"}
	}
	trust := seal.Trust{}
	for _, name := range c.StringSlice("key") {
		key, err := app.ReadTrustedKey(c, name)
		if err != nil {
			return report.Summary{}, err
		}
		trust.Keys = append(trust.Keys, key)
	}
	if len(trust.Keys) == 0 {
		return report.Summary{}, &cmdline.UsageError{Message: "a statement needs --key: without it the statement proves nothing", Hint: "--key names the public key of the signer"}
	}
	text, err := verdictFile.Read(c.Context, operands[0])
	if err != nil {
		return report.Summary{}, err
	}
	said, keys, fault, err := verdict.Read(c.Context, text, trust)
	if err != nil {
		return report.Summary{}, err
	}
	checked := checkedVerdict{Input: operands[0], Verdict: "valid", KeyIDs: []string{}, Subjects: []verdict.Subject{}}
	var findings []finding.Finding
	switch {
	case fault != nil:
		findings = []finding.Finding{*fault}
	default:
		checked.KeyIDs, checked.Subjects, checked.Predicate = keys, said.Subject, &said.Predicate
		if findings, err = compareSubjects(env.Context, said.Subject, operands[1:]); err != nil {
			return report.Summary{}, err
		}
	}
	return reportVerdict(out, checked, findings, c.Bool("require-passed"))
}

func reportVerdict(out *app.Output, checked checkedVerdict, findings []finding.Finding, passed bool) (report.Summary, error) {
	totals := verdictTotals{Inputs: 1, Valid: 1}
	answer := report.Answer{List: "inputs", Subject: checked.Input, Outcome: report.Outcome{Weight: report.Good, Word: "valid"}, NotCovered: verifyRun.NotProved}
	if p := checked.Predicate; p != nil {
		answer.Scope = []string{"verdict " + p.Verdict, cmdline.Counted(len(checked.Subjects), "file")}
		answer.Facts = []report.Fact{{Name: "signed by", Value: strings.Join(checked.KeyIDs, ", ")}, {Name: "command", Value: p.Command}, {Name: "cupel", Value: p.Version}}
	}
	if checked.Findings = findings; findings == nil {
		checked.Findings = []finding.Finding{}
	}
	for i := range findings {
		f := &findings[i]
		f.File = cmp.Or(f.File, checked.Input)
		if err := out.Fault(*f); err != nil {
			return report.Summary{}, err
		}
	}
	switch {
	case len(findings) > 0:
		checked.Verdict, totals = "invalid", verdictTotals{Inputs: 1, Invalid: 1}
		answer.Weight, answer.Word, answer.Reason = report.Bad, "invalid", findings[0].Message
		out.No()
	case passed && checked.Predicate.Verdict != verdict.Passed:
		answer.Weight, answer.Reason = report.Bad, "the verdict is "+checked.Predicate.Verdict+", but --require-passed is given"
		out.No()
	}
	answer.Value, answer.Findings = checked, checked.Findings
	sum := report.Summary{Value: totals, Weight: answer.Weight, Tally: &report.Tally{Noun: "statement", Total: 1, Errors: len(findings)}}
	if answer.Weight == report.Bad {
		sum.Tally.Failed = 1
	}
	return sum, out.Answer(answer)
}

// compareSubjects compares the subjects with the files of the same name or, if files are named, with the file of
// the same digest.
func compareSubjects(ctx context.Context, subjects []verdict.Subject, files []string) (list []finding.Finding, err error) {
	if len(files) == 0 {
		for _, s := range subjects {
			found, err := fileDigest(ctx, filepath.FromSlash(s.Name))
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil:
				list = append(list, verdict.Missing(s, say.Plain(err).Error()))
			case found != s.Digest.SHA256:
				list = append(list, placed(verdict.Differs(s, found), s.Name))
			}
		}
		return list, nil
	}
	matched := map[string]bool{}
	for _, name := range files {
		found, err := fileDigest(ctx, name)
		if err != nil {
			return nil, &cmdline.Hinted{Err: say.Plain(err), Hint: "name the files that the verdict covers"}
		}
		matched[found] = true
		if !slices.ContainsFunc(subjects, func(s verdict.Subject) bool { return s.Digest.SHA256 == found }) {
			list = append(list, placed(verdict.Other(name, found), name))
		}
	}
	for _, s := range subjects {
		if !matched[s.Digest.SHA256] {
			list = append(list, verdict.Missing(s, "none of the named files has the recorded digest"))
		}
	}
	return list, nil
}

func placed(f finding.Finding, file string) finding.Finding {
	f.File = file
	return f
}

// fileDigest returns the SHA-256 of a regular file. It opens no pipe or device, because the name is untrusted.
func fileDigest(ctx context.Context, name string) (string, error) {
	if name == "-" {
		return "", errors.New("the verdict covers standard input: name the file after the statement")
	}
	f, err := door.NamedFile(ctx, name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	sum := sha256.New()
	if _, err := io.Copy(sum, interruptible{ctx, f}); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// interruptible is a reader that fails once its context ends.
type interruptible struct {
	ctx context.Context
	io.Reader
}

func (r interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
