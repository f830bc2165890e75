package evidencecmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/incident"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/walk"
)

// PackCommand is `cupel evidence pack`.
func PackCommand(env cmdline.Env) *cli.Command {
	const category = "Pack"
	return app.ShowingConfig(env, &cli.Command{
		Name:      "pack",
		Usage:     "put bundles into one Incident Package, with an inventory of them",
		ArgsUsage: "PATH…",
		UsageText: strings.Join([]string{
			"cupel evidence pack evidence/2026-01-02 -o 2026-01-02.tar",
			"cupel evidence pack run-1.tar.gz run-2.tar.gz -o runs.tar --write-context runs.context.json",
			"cupel evidence verify 2026-01-02.tar",
		}, "\n"),
		Description: "A folder stands for its bundles (*.tar.gz, *.tgz), which are verified first. The same\nbundles in any order give the same bytes, and a bundle that is there twice counts once.\nThe assessment in the package lists each recorded action; it holds no claims.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: category, Usage: "write to `FILE`, \"-\" for standard output"},
			contextFlag(category),
			&cli.StringFlag{Name: "write-context", Category: category, Usage: "also write the context to `FILE`, for readers that need one"},
		}, input.InputFlags()...),
		Action: func(c *cli.Context) error { return pack(env, c) },
	})
}

func contextFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "context", Category: category, Usage: "`FILE` with the context of the package's reader (default: the time of its events and the format's limits)"}
}

// contextOf reads the file in --context. It returns nil without the flag.
func contextOf(c *cli.Context) (*incident.Context, error) {
	name := c.String("context")
	if name == "" {
		return nil, nil
	}
	text, err := app.ContextFile.Read(c.Context, name)
	if err != nil {
		return nil, err
	}
	against, err := incident.ReadContext(text)
	if err != nil {
		return nil, &cmdline.Hinted{Err: fmt.Errorf("%s: %w", name, err), Hint: app.ContextFile.Less}
	}
	return against, nil
}

func pack(env cmdline.Env, c *cli.Context) error {
	if err := app.DistinctFiles(env, c, c.String("output") != "-"); err != nil {
		return err
	}
	switch {
	case !c.IsSet("output"):
		return &cmdline.UsageError{Message: "the package needs a file name", Hint: "name the package with -o FILE; `-o -` writes it to standard output"}
	case c.NArg() == 0:
		return &cmdline.UsageError{Message: "the inputs contain no bundle to pack", Hint: "give bundles, or folders that hold them"}
	}
	against, err := contextOf(c)
	if err != nil {
		return err
	}
	passed := input.PassedOver{None: "no bundle"}
	inputs, err := input.OpenInputs(env, c, input.Reads{As: input.KindEvidence, Patterns: input.BundleFiles, Probe: input.Of(input.KindEvidence), PassedOver: passed.Add, Packed: []string{source.Gzip}})
	if err == nil {
		err = app.FilesToReplace(c).SpareInputs(inputs)
	}
	if err != nil {
		return err
	}
	var bundles []incident.Bundle
	for _, in := range inputs {
		text, err := readBundle(in)
		if err != nil {
			return err
		}
		bundles = append(bundles, incident.Bundle{Name: in.Name, Text: text})
	}
	made, err := incident.Pack(env.Context, bundles, against)
	if refused := (*incident.Refusal)(nil); errors.As(err, &refused) {
		cmdline.PrintError(env, "no package was written: "+refused.Error(), "`cupel evidence verify BUNDLE` lists the errors of a bundle; `cupel explain "+refused.Finding().Rule+"` explains the rule")
		return cmdline.ErrNo
	}
	if err != nil {
		return err
	}
	if made.Failed > 0 {
		cmdline.Warn(env, fmt.Sprintf("actions listed as failed, because their data does not have the form of their type: %d", made.Failed))
	}
	if name := c.String("write-context"); name != "" {
		if err := say.Plain(door.ReplaceFile(env.Context, name, made.Context.Text(), 0o666)); err != nil {
			return err
		}
	}
	if err := writeOutput(env, c, made.Text); err != nil || c.String("output") == "-" {
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "%s: %s, %s, %s\n", say.Visible(c.String("output")), cmdline.Counted(made.Bundles, "bundle"), cmdline.Counted(int(made.Events), "event"), cmdline.Counted(made.Actions, "action"))
	return err
}

func readBundle(in walk.Input) ([]byte, error) {
	r, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	text, err := io.ReadAll(io.LimitReader(r, incident.MaxBytes+1))
	if err != nil {
		return nil, app.ReadFailed(in.Name, err)
	}
	return text, nil
}

// packageFiles are the file names of packages.
const packageFiles = "*.tar"

// packageHead reports whether an input starts like a package. text returns the whole input.
func packageHead(r io.Reader) (text *bufio.Reader, is bool) {
	text = bufio.NewReaderSize(r, incident.HeadBytes)
	if first, err := text.Peek(1); err != nil || first[0] != incident.FirstByte {
		return text, false
	}
	head, _ := text.Peek(incident.HeadBytes) // a shorter text is not a package
	return text, incident.Is(head)
}

func (v *verifyRun) verifyPackage(in walk.Input, r io.Reader) error {
	if err := v.onlyPackage(in.Name); err != nil {
		return v.out.Fail(err)
	}
	text, err := io.ReadAll(io.LimitReader(r, incident.MaxBytes+1))
	if err != nil {
		return v.out.Unread(v.env.Context, in.Name, err)
	}
	answer := &bundle.Report{Input: in.Name, Kind: bundle.KindPackage, Verdict: bundle.Valid, NotCovered: incident.NotCovered()}
	verified, err := incident.Verify(v.env.Context, text, v.context)
	var refused *incident.Refusal
	switch {
	case errors.As(err, &refused):
		f := refused.Finding()
		f.File = in.Name
		if answer.Follow(f); v.live {
			if err := errors.Join(v.out.Finding(f), v.out.Flush()); err != nil {
				return err
			}
		}
	case err != nil:
		return v.out.Fail(&cmdline.Hinted{Err: fmt.Errorf("cannot judge %q: %w", in.Name, err), Hint: "cupel verifies claims only in other formats; the package's container, documents and digests are valid"})
	default:
		answer.Events, answer.SHA256, answer.Bytes = verified.Events, verified.SHA256, int64(len(text))
	}
	return v.answer(answer)
}

// onlyPackage returns an error for flags with checks that a package does not have.
func (v *verifyRun) onlyPackage(name string) error {
	for _, flag := range []string{"attestation", "redaction", "reveal", "sources", "expect-bundle-id", "expect-run-root", "expect-sha256", "require-traceparent", "check-time", "limits"} {
		if v.c.IsSet(flag) {
			return &cmdline.Hinted{Err: fmt.Errorf("%q is a package, but --%s applies to one bundle", name, flag), Hint: "`tar -xf PACKAGE` takes its bundles out: they are its objects"}
		}
	}
	return nil
}
