// Package initcmd is `cupel init`.
package initcmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/term"
	"github.com/cupel-dev/cupel/internal/unified"
	"github.com/cupel-dev/cupel/internal/walk"
)

type options struct{ yes, empty bool }

// Spec is `cupel init`.
var Spec = app.Spec[options]{
	Name:     "init",
	Usage:    "set up checks in a checkout: cupel.yaml, a pre-commit hook and a CI step",
	Examples: []string{"cupel init", "cupel init --yes", "cupel init --yes --allow-empty"},
	Description: "It looks for records in the current folder, shows the files to write as a diff, and asks.\n" +
		"--yes writes without asking. Without a terminal and --yes it only shows them, with exit\ncode 1. Files that are set up, or that it does not understand, stay as they are.",
	About: cmdline.About{Docs: []string{"check"}},
	Flags: func(o *options) []cli.Flag {
		return []cli.Flag{
			&cli.BoolFlag{Name: "yes", Category: "Setup", Destination: &o.yes, Usage: "write the files without asking"},
			&cli.BoolFlag{Name: "allow-empty", Category: "Setup", Destination: &o.empty, Usage: "also set up a folder without records"},
		}
	},
	Run: func(ctx context.Context, r *app.Run, o options) error {
		if len(r.Operands) > 0 {
			return &cmdline.UsageError{Message: fmt.Sprintf("unexpected operand %q", r.Operands[0]), Hint: "go into the folder to set up, and run `cupel init`"}
		}
		return run(ctx, r, o)
	},
}

func run(ctx context.Context, r *app.Run, o options) error {
	checkout, err := atTop()
	if err != nil {
		return err
	}
	found, err := records(ctx, r)
	if err != nil {
		return err
	}
	if found == "" && !o.empty {
		return &cmdline.Hinted{Err: errors.New("there are no records in the current folder"), Hint: "--allow-empty sets it up nevertheless; `cupel help check.md` lists the formats"}
	}
	s := setup{env: r.Env}
	if err := s.plan(checkout); err != nil {
		return err
	}
	if found != "" {
		s.say("found " + found)
	}
	for _, line := range s.kept {
		s.say(line)
	}
	if len(s.list) == 0 {
		s.say("nothing to write")
		return s.unsaid
	}
	for _, p := range s.list {
		s.show(p)
	}
	if s.unsaid != nil {
		return s.unsaid
	}
	if !o.yes {
		if err := s.ask(); err != nil {
			return err
		}
	}
	for _, p := range s.list {
		if err := p.write(ctx); err != nil {
			return err
		}
		s.say("wrote " + p.name)
	}
	if s.unsaid == nil {
		cmdline.Hint(r.Env, "`cupel check` checks the records; commit the files")
	}
	return s.unsaid
}

// atTop reports whether the current folder is the top of a checkout. It returns an error inside of one.
func atTop() (checkout bool, err error) {
	here, err := filepath.Abs(".")
	if err != nil {
		return false, err
	}
	top, err := config.Top(here)
	if err == nil && top != here {
		err = &cmdline.UsageError{Message: "the current folder is below the top of its checkout", Hint: "go to " + say.Visible(top) + ", and run `cupel init`"}
	}
	if err != nil {
		return false, err
	}
	_, err = door.Lstat(".git")
	return err == nil, nil
}

// kinds name the records that `cupel check` checks.
var kinds = [input.KindDialog + 1]string{
	input.KindTrace: "log file", input.KindEvidence: "evidence file", input.KindDocument: "OATF document", input.KindDialog: "agent trace",
}

// records counts the records below the current folder, or returns "".
func records(ctx context.Context, r *app.Run) (string, error) {
	packed, err := input.NewPackedInput(r.Env, r.Line(), input.Reads{Unpacks: true})
	if err != nil {
		return "", err
	}
	list, err := walk.Expand(ctx, []string{"."}, walk.Options{Patterns: []string{"*"}, Marker: input.RunFile, Packed: nil})
	if err != nil {
		return "", err
	}
	detector := input.Detector{Packed: packed}
	var counts [len(kinds)]int
	err = walk.Each(ctx, 0, list, detector.Detect, func(_ walk.Input, is input.Identified) error {
		if is.Err == nil {
			counts[is.Kind]++
		}
		return nil
	})
	var parts []string
	for kind, what := range kinds {
		if n := counts[kind]; what != "" && n > 0 {
			parts = append(parts, cmdline.Counted(n, what))
		}
	}
	return strings.Join(parts, ", "), err
}

// setup is the files to write, and what stays as it is.
type setup struct {
	env    cmdline.Env
	list   []proposal
	kept   []string
	unsaid error // the first error of writing to standard output
}

// proposal is a file to write.
type proposal struct {
	name     string
	old, new []byte // old is nil for a new file
}

func (s *setup) say(line string) {
	if s.unsaid == nil {
		_, s.unsaid = fmt.Fprintln(s.env.Stdout, line)
	}
}

func (s *setup) show(p proposal) {
	from := p.name
	if p.old == nil {
		from = "/dev/null"
	}
	s.say("--- " + from + "\n+++ " + p.name)
	if s.unsaid == nil {
		s.unsaid = unified.Write(s.env.Stdout, p.old, []finding.Edit{{Start: len(p.old), End: len(p.old), Text: string(p.new[len(p.old):])}}, say.Lines)
	}
}

// ask returns nil if the user agrees. Nobody can be asked without a terminal.
func (s *setup) ask() error {
	if !term.IsTerminal(s.env.Stdin) || !term.IsTerminal(s.env.Stdout) {
		cmdline.Hint(s.env, "nothing was written; `cupel init --yes` writes this")
		return cmdline.ErrNo
	}
	if _, err := fmt.Fprint(s.env.Stdout, "Write this? [y/N] "); err != nil {
		return err
	}
	answer, _ := bufio.NewReader(io.LimitReader(door.StdinOr(s.env.Context, s.env.Stdin), 100)).ReadString('\n') // no answer is a no
	if a := strings.ToLower(strings.TrimSpace(answer)); a != "y" && a != "yes" {
		cmdline.Hint(s.env, "nothing was written")
		return cmdline.ErrNo
	}
	return nil
}

// write writes the file atomically. It replaces only what was shown, and follows no link.
func (p proposal) write(ctx context.Context) error {
	if p.old == nil {
		if dir := path.Dir(p.name); dir != "." {
			if err := door.MakeFolder(dir); err != nil {
				return say.Plain(err)
			}
		}
		return say.Plain(door.WriteNew(p.name, p.new, 0o666))
	}
	now, err := read(p.name)
	if err == nil && !bytes.Equal(now, p.old) {
		err = &cmdline.Hinted{Err: fmt.Errorf("%q has changed since it was read", p.name), Hint: "run `cupel init` again"}
	}
	if err != nil {
		return err
	}
	return say.Plain(door.ReplaceFile(ctx, p.name, p.new, 0o666))
}

// plan decides about each file.
func (s *setup) plan(checkout bool) error {
	if err := s.add(config.Name, projectFile, nil); err != nil || !checkout {
		return err
	}
	if err := s.add(".pre-commit-config.yaml", hookFile(), appendHook); err != nil {
		return err
	}
	gitlab, err := there(".gitlab-ci.yml")
	switch {
	case err != nil:
		return err
	case gitlab:
		return s.add(".gitlab-ci.yml", "", appendJob)
	}
	return s.workflow()
}

// workflow adds a workflow, if the checkout has a folder for them and none that runs cupel.
func (s *setup) workflow() error {
	const dir = ".github/workflows"
	for _, name := range []string{".github", dir} {
		info, err := door.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == ".github":
			s.kept = append(s.kept, "no CI step: there is neither .github nor .gitlab-ci.yml")
			return nil
		case errors.Is(err, fs.ErrNotExist):
			return s.add(dir+"/cupel.yml", workflowFile(), nil)
		case err != nil:
			return say.Plain(err)
		case !info.IsDir():
			return fmt.Errorf("%q is no folder", name)
		}
	}
	list, err := walk.Expand(s.env.Context, []string{dir}, walk.Options{Patterns: input.YAMLFiles})
	if err != nil {
		return err
	}
	for _, in := range list {
		if in.Empty() {
			continue
		}
		text, err := input.ReadWhole(in, config.MaxBytes)
		if err != nil {
			return err
		}
		if bytes.Contains(text, []byte("cupel")) {
			s.keep(in.Name)
			return nil
		}
	}
	return s.add(dir+"/cupel.yml", workflowFile(), nil)
}

func (s *setup) keep(name string) {
	s.kept = append(s.kept, say.Visible(name)+": already set up")
}

// add proposes a new file, or an extension of the one that is there.
func (s *setup) add(name, fresh string, extend func(old string) (string, error)) error {
	is, err := there(name)
	switch {
	case err != nil:
		return err
	case !is:
		s.list = append(s.list, proposal{name, nil, []byte(fresh)})
		return nil
	case extend == nil:
		s.keep(name)
		return nil
	}
	old, err := read(name)
	if err != nil {
		return err
	}
	if bytes.Contains(old, []byte("cupel")) {
		s.keep(name)
		return nil
	}
	text, err := extend(string(old))
	if err != nil {
		s.kept = append(s.kept, name+": "+err.Error())
		return nil
	}
	s.list = append(s.list, proposal{name, old, []byte(text)})
	return nil
}

func there(name string) (bool, error) {
	_, err := door.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, say.Plain(err)
}

// read reads a file of the current folder that is neither a link nor a device.
func read(name string) ([]byte, error) {
	folder, err := door.Open(".")
	if err != nil {
		return nil, say.Plain(err)
	}
	defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
	if info, err := folder.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, &cmdline.Hinted{Err: fmt.Errorf("%q: %s", name, say.Irregular(info.Mode())), Hint: "replace it with a file, and run the command again"}
	}
	f, err := folder.Unlinked(name)
	if err != nil {
		return nil, say.Plain(err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, config.MaxBytes+1))
	if err == nil && len(text) > config.MaxBytes {
		err = errors.New(say.Beyond(config.MaxBytes, "bytes"))
	}
	if err != nil {
		return nil, app.ReadFailed(name, err)
	}
	return slices.Clip(text), nil
}
