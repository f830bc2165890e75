package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

// PickFlags returns the flags that take files out of the operands: --changed, --staged, --since and --exclude.
func PickFlags() []cli.Flag {
	const category = "Input"
	return []cli.Flag{
		&cli.BoolFlag{Name: "changed", Category: category, Usage: "treat operands as a list of changed files: skip other formats; a file inside a run selects the whole run"},
		&cli.BoolFlag{Name: "staged", Category: category, Usage: "--changed, with the files in git's index that differ from the last commit; cupel reads the working tree"},
		&cli.StringFlag{Name: "since", Category: category, Usage: "--changed, with the files that differ from the git revision `REV`, and untracked ones"},
		&cli.StringSliceFlag{Name: "exclude", KeepSpace: true, Category: category, Usage: "like exclude in cupel.yaml: leave out what matches `PATTERN`, relative to the current folder; repeatable"},
	}
}

// Picked is how operands become files.
type Picked struct {
	Changed bool   // they are a list of changed files
	git     string // what git listed: "are staged", or "changed since REV"; "": nothing
}

// GoneIsFine reports whether a missing file is no error: git lists deleted files, too.
func (p Picked) GoneIsFine(c *cli.Context) bool { return p.git != "" || c.Bool("allow-empty") }

// None says that git lists no file that the command checks.
func (p Picked) None(env cmdline.Env) {
	if p.git != "" {
		cmdline.Warn(env, "no records "+p.git+": nothing was checked")
	}
}

// Pick returns the operands of a run. With --staged and --since they are the files that git lists below them.
func Pick(env cmdline.Env, c *cli.Context, operands []string) ([]string, Picked, error) {
	p := Picked{Changed: c.Bool("changed")}
	if !slices.Contains(cmdline.FlagNames(c.Command), "staged") { // --since of evidence show is a time
		return operands, p, nil
	}
	var given []string
	for _, name := range []string{"changed", "staged", "since"} {
		if c.Bool(name) || name == "since" && c.IsSet(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) > 1 {
		return nil, p, &cmdline.UsageError{Message: strings.Join(given[:2], " and ") + " exclude each other", Hint: "each of them lists the files to check: give one"}
	}
	if len(given) == 0 || p.Changed {
		return operands, p, nil
	}
	g := git{ctx: env.Context}
	if len(operands) == 0 {
		operands = []string{"."}
	}
	for _, op := range operands {
		if _, err := door.Lstat(op); errors.Is(err, fs.ErrNotExist) {
			return nil, p, &walk.AbsentError{Operand: op}
		}
	}
	here, err := g.here(given[0])
	if err != nil {
		return nil, p, err
	}
	p.Changed, p.git = true, "are staged"
	lists := g.staged()
	if given[0] == "--since" {
		p.git = "changed since " + say.Visible(c.String("since"))
		if lists, err = g.since(c.String("since")); err != nil {
			return nil, p, err
		}
	}
	files, err := g.files(here, lists, operands)
	return files, p, err
}

// git asks the git of the machine about the checkout around the current folder. The checkout is not trusted: nothing
// that its configuration names is run: no filter, hook or monitor. No command fetches what is missing or looks into
// submodules.
type git struct {
	ctx context.Context
	off []string // settings that turn filters off
}

// maxListed limits the names that git lists, in bytes.
const maxListed = 64 << 20

// differing lists the files that differ from a revision.
func differing(revision string, more ...string) []string {
	return append(append([]string{"diff-index"}, more...), "--name-only", "-z", "--no-renames", "--ignore-submodules=all", revision, "--")
}

// staged returns the command that lists staged files. Before the first commit all are.
func (g git) staged() [][]string {
	if _, err := g.run("rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return [][]string{{"ls-files", "-z", "--full-name", "--"}}
	}
	return [][]string{differing("HEAD", "--cached")}
}

// since returns the commands that list the files that differ from a revision, and untracked ones.
func (g *git) since(rev string) ([][]string, error) {
	commit, err := []byte(nil), errors.New("not a revision")
	if rev != "" && !strings.HasPrefix(rev, "-") {
		commit, err = g.run("rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	}
	if err != nil {
		return nil, &cmdline.UsageError{Message: fmt.Sprintf("--since %s: git knows no such revision", say.Visible(rev)), Hint: "name a commit, a branch or a tag; `git log --oneline` lists commits"}
	}
	if err := g.noFilters(); err != nil {
		return nil, err
	}
	return [][]string{differing(strings.TrimSpace(string(commit))), {"ls-files", "--others", "--exclude-standard", "-z", "--full-name", "--"}}, nil
}

// noFilters turns filters off, through which git would compare a file that was written together with the index.
func (g *git) noFilters() error {
	text, err := g.run("config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	if exit, ended := errors.AsType[*exec.ExitError](err); ended && exit.ExitCode() == 1 {
		return nil // there are none
	}
	for key := range strings.SplitSeq(string(text), "\x00") {
		dot := strings.LastIndexByte(key, '.')
		switch {
		case dot < 0:
		case strings.Contains(key, "="):
			return fmt.Errorf("git has a filter whose name has a %q, and which cannot be turned off: %s", "=", say.Quoted(key))
		default:
			for _, setting := range []string{"clean=", "process=", "required=false"} {
				g.off = append(g.off, "-c", key[:dot+1]+setting)
			}
		}
	}
	return err
}

// here returns the path from the top of the checkout to the current folder.
func (g git) here(flag string) (string, error) {
	text, err := g.run("rev-parse", "--is-inside-work-tree", "--show-prefix")
	path, within := strings.CutPrefix(string(text), "true\n")
	said, refused := errors.AsType[*gitError](err)
	if err == nil && !within {
		said, refused = &gitError{said: "no files are checked out here"}, true
	}
	if refused {
		return "", &cmdline.Hinted{Err: fmt.Errorf("%s needs a git checkout: %w", flag, said), Hint: "go into a checkout, or name files with --changed"}
	}
	return strings.TrimSuffix(path, "\n"), err
}

// files returns the listed files that are below operands, relative to the current folder.
func (g git) files(here string, lists [][]string, operands []string) (files []string, err error) {
	for _, args := range lists {
		text, err := g.run(append(args, operands...)...)
		if err != nil {
			return nil, err
		}
		for name := range strings.SplitSeq(string(text), "\x00") {
			if name == "" {
				continue
			}
			name, err := filepath.Rel(filepath.FromSlash(here), filepath.FromSlash(name))
			if err != nil {
				return nil, err
			}
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// gitError is a failed command, with the first line that it wrote.
type gitError struct {
	why  error
	said string
}

func (e *gitError) Error() string { return "git says: " + say.Visible(say.Preview(e.said, 200)) }
func (e *gitError) Unwrap() error { return e.why }

// run runs git and returns its output.
func (g git) run(args ...string) ([]byte, error) {
	safe := []string{"--no-pager", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never", "-c", "core.quotePath=false"}
	cmd := exec.CommandContext(g.ctx, "git", slices.Concat(safe, g.off, args)...)
	cmd.Env = append(cmd.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_LITERAL_PATHSPECS=1", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, &cmdline.Hinted{Err: cmdline.CannotStart("git", say.Plain(err)), Hint: "install git, or name the files with --changed"}
	}
	text, err := io.ReadAll(io.LimitReader(out, maxListed+1))
	if err == nil && len(text) > maxListed {
		_ = cmd.Process.Kill() // Wait says why it ended
		err = fmt.Errorf("git lists more than %d bytes of file names", maxListed)
	}
	ended := cmd.Wait()
	switch {
	case g.ctx.Err() != nil:
		return nil, g.ctx.Err()
	case err != nil:
		return nil, err
	case ended != nil:
		line, _, _ := strings.Cut(strings.TrimPrefix(said.String(), "fatal: "), "\n")
		line, _, _ = strings.Cut(line, " (or any of the parent")
		return nil, &gitError{ended, line}
	}
	return text, nil
}
