package oatfcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/expect"
	"github.com/cupel-dev/cupel/oatf/starter"
)

// newOptions are the flags of `cupel oatf new`.
type newOptions struct {
	mode  string
	tests bool
}

// New is `cupel oatf new`.
var New = app.Spec[newOptions]{
	Name:     "oatf new",
	Usage:    "write a document to begin with: an attack of one phase or two, with comments",
	Operands: "[FILE]",
	Examples: []string{"cupel oatf new attack.yaml --tests", "cupel oatf new --mode a2a_server > attack.yaml", "cupel oatf new --mode ag_ui_client client.yaml"},
	About:    cmdline.About{Docs: []string{"oatf-tests"}},
	Flags: func(o *newOptions) []cli.Flag {
		return []cli.Flag{
			cmdline.OneOf(&cli.StringFlag{
				Name: "mode", Category: "Document", Value: "mcp_server", Destination: &o.mode,
				Usage: "the attacker's mode: `MODE`, one of " + strings.Join(cmdline.WordNames(modeWords()), ", "),
			}, modeWords()...),
			&cli.BoolFlag{Name: "tests", Category: "Document", Destination: &o.tests, Usage: "also write its tests beside FILE, with a capture that it must match and one that it must not"},
		}
	},
	Run: func(_ context.Context, r *app.Run, o newOptions) error {
		names := cmdline.WordNames(modeWords())
		switch {
		case !slices.Contains(names, o.mode):
			return cmdline.BadValue("mode", o.mode, names)
		case len(r.Operands) > 1:
			return &cmdline.UsageError{Message: fmt.Sprintf("%d files, expected one", len(r.Operands))}
		case len(r.Operands) == 1 && r.Operands[0] != "-":
			return writeStarter(r.Env, r.Operands[0], starter.Of(oatf.Mode(o.mode)), o.tests)
		case o.tests:
			return &cmdline.UsageError{Message: "--tests writes files next to the document: name the document", Hint: "`cupel oatf new attack.yaml --tests`"}
		}
		_, err := r.Env.Stdout.Write(starter.Of(oatf.Mode(o.mode)).Document)
		return err
	},
}

// freshFile is a file that must not exist yet.
type freshFile struct {
	name string
	text []byte
}

// writeStarter writes a document and optionally its tests. If one exists, it writes nothing.
func writeStarter(env cmdline.Env, name string, from starter.Files, tests bool) error {
	extension := filepath.Ext(name)
	if extension != ".yaml" && extension != ".yml" {
		return &cmdline.UsageError{Message: fmt.Sprintf("%q does not have a YAML file name", name), Hint: "name it FILE.yaml"}
	}
	list := []freshFile{{name, from.Document}}
	next := []string{"lint " + name}
	if tests {
		stem := strings.TrimSuffix(name, extension)
		attack, benign := stem+".attack.jsonl", stem+".benign.jsonl"
		list = append(list, freshFile{attack, from.Attack}, freshFile{benign, from.Benign},
			freshFile{stem + expect.Suffix, starter.Tests(filepath.Base(attack), filepath.Base(benign))})
		next = append(next, "test "+name, "eval "+name+" --trace "+attack)
	}
	for i, f := range list {
		if err := writeFresh(f); err != nil {
			for _, made := range list[:i] {
				_ = door.Remove(made.name) // the first error says why
			}
			return err
		}
	}
	for _, f := range list {
		if _, err := fmt.Fprintf(env.Stdout, "wrote %s\n", say.Visible(f.name)); err != nil {
			return err
		}
	}
	cmdline.Hint(env, "edit it, then: cupel oatf "+strings.Join(next, "; cupel oatf "))
	return nil
}

func writeFresh(f freshFile) error {
	err := door.WriteNew(f.name, f.text, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return cmdline.IsThere(f.name, "name a new file; nothing is overwritten")
	}
	if err != nil {
		return fmt.Errorf("cannot write %q: %w", f.name, say.Plain(err))
	}
	return nil
}
