package input

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/glob"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/term"
)

const (
	// settled is the time without changes before a run starts, because an editor saves in steps.
	settled = 100 * time.Millisecond
	// latest is the number of such intervals after which it starts even if changes continue.
	latest = 20
	// shownChanges limits the changed files that are named.
	shownChanges = 3
	// maxWatched limits the watched folders, each of which takes a kernel entry.
	maxWatched = 8192
)

// WatchFlag returns --watch.
func WatchFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: "watch", Category: category, Usage: "run again when an operand, a file of a flag or cupel.yaml changes, until Ctrl-C"}
}

// Watching makes a command with WatchFlag run after each change.
func Watching(env cmdline.Env, cmd *cli.Command) *cli.Command {
	once := cmd.Action
	cmd.Action = func(c *cli.Context) error {
		if !c.Bool("watch") {
			return once(c)
		}
		if err := watchable(c); err != nil {
			return err
		}
		w := &watcher{env: env, c: c}
		return w.run(func() error {
			app.ForgetConfigured(c)
			forgetTaken(c.App)
			return WithHints(env, c.App, once(c))
		})
	}
	return cmd
}

// watchable returns an error for inputs that cannot be reread, and for outputs that would trigger another run.
func watchable(c *cli.Context) error {
	piped := c.Command.Name == "eval" && len(TraceOperands(c)) == 0 || c.Command.HelpName == "cupel evidence lint" && c.Args().Len() == 0
	streams := piped || slices.Contains(c.Args().Slice(), "-")
	for _, f := range app.FileFlags {
		streams = streams || !f.Write && slices.Contains(app.ValuesOf(c, f.Name), "-")
	}
	switch {
	case streams:
		return &cmdline.UsageError{Message: "--watch reads inputs repeatedly, but standard input (-) can be read only once", Hint: "name files or folders"}
	case c.IsSet("write-baseline"):
		return &cmdline.UsageError{Message: "--write-baseline works with one run, but --watch runs repeatedly", Hint: "write the baseline in a separate run"}
	}
	return nil
}

// watcher runs a command after each change.
type watcher struct {
	env   cmdline.Env
	c     *cli.Context
	seen  *fsnotify.Watcher
	roots []watchedRoot
	added map[string]bool // the folders that are watched
	own   map[string]bool // the files that the run writes
}

// watchedRoot is a watched file or folder. Its parents are also watched, in case it is replaced.
type watchedRoot struct {
	path   string // absolute
	folder bool   // includes descendants
}

func unwatched(err error) error { return fmt.Errorf("cannot watch files: %w", err) }

func (w *watcher) run(once func() error) (err error) {
	if w.seen, err = fsnotify.NewWatcher(); err != nil {
		return unwatched(err)
	}
	defer func() { _ = w.seen.Close() }() // nothing is written through it
	if err := w.find(); err != nil {
		return err
	}
	for {
		if err := w.watch(); err != nil {
			return err
		}
		if code := cmdline.ExitCode(w.env, once()); code == cmdline.ExitInterrupted || w.env.Context.Err() != nil {
			return context.Canceled
		}
		cmdline.Hint(w.env, "watching for changes; Ctrl-C ends it")
		changed, err := w.wait()
		if err != nil {
			return err
		}
		if term.IsTerminal(w.env.Stdout) {
			fmt.Fprint(w.env.Stdout, "\x1b[H\x1b[2J")
		}
		cmdline.Hint(w.env, "changed: "+changed)
	}
}

// find lists the paths to watch: operands, files of flags, and every possible cupel.yaml.
func (w *watcher) find() error {
	w.own = map[string]bool{}
	operands := w.c.Args().Slice()
	for _, f := range app.FileFlags {
		for _, value := range app.ValuesOf(w.c, f.Name) {
			path := value
			if f.Path != nil {
				path = f.Path(value)
			}
			switch {
			case path == "":
			case f.Write:
				if abs, err := filepath.Abs(path); err == nil {
					w.own[abs] = true
				}
			default:
				operands = append(operands, path)
			}
		}
	}
	if w.c.NArg() == 0 {
		operands = append(operands, ".")
	}
	for _, op := range operands {
		if err := w.root(op); err != nil {
			return err
		}
	}
	return nil
}

// root adds an operand and the possible locations of its cupel.yaml.
func (w *watcher) root(operand string) error {
	info, err := door.Stat(operand)
	folder := err == nil && info.IsDir()
	if err != nil && glob.Is(operand) {
		operand, _ = glob.Split(filepath.ToSlash(operand))
		folder = true
	}
	path, err := filepath.Abs(operand)
	if err != nil {
		return err
	}
	w.roots = append(w.roots, watchedRoot{path, folder})
	dir := path
	if !folder {
		dir = filepath.Dir(path)
	}
	top, err := config.Top(dir)
	if err != nil {
		return err
	}
	for d := dir; ; d = filepath.Dir(d) {
		w.roots = append(w.roots, watchedRoot{filepath.Join(d, config.Name), false})
		if d == top || d == filepath.Dir(d) {
			return nil
		}
	}
}

func (w *watcher) watch() error {
	w.added = map[string]bool{}
	for _, r := range w.roots {
		if err := w.around(filepath.Dir(r.path)); err != nil {
			return err
		}
		if !r.folder {
			continue
		}
		folder, err := door.Open(r.path)
		if err != nil {
			continue // missing: the parent's watch reports its creation
		}
		err = folder.Walk(".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case w.env.Context.Err() != nil:
				return w.env.Context.Err()
			case err != nil || !d.IsDir():
				return nil
			case name != "." && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			}
			return w.add(filepath.Join(r.path, filepath.FromSlash(name)))
		})
		_ = folder.Close() // opened for reading: nothing can be lost
		if err != nil {
			return err
		}
	}
	return nil
}

// around watches a folder or its nearest existing parent.
func (w *watcher) around(dir string) error {
	for {
		if info, err := door.Stat(dir); err == nil && info.IsDir() || dir == filepath.Dir(dir) {
			return w.add(dir)
		}
		dir = filepath.Dir(dir)
	}
}

// add watches a folder if it exists.
func (w *watcher) add(dir string) error {
	if w.added[dir] {
		return nil
	}
	if len(w.added) >= maxWatched {
		return &cmdline.Hinted{Err: fmt.Errorf("cannot watch more than %d folders", maxWatched), Hint: "name fewer files or folders"}
	}
	w.added[dir] = true
	if err := w.seen.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("cannot watch %q: %w", dir, err)
	}
	return nil
}

// wait waits for a relevant change, and then until changes stop.
func (w *watcher) wait() (string, error) {
	var changes changedNames
	var quiet <-chan time.Time
	after := w.env.After
	if after == nil {
		after = time.After
	}
	busy, waits := false, 0
	for {
		select {
		case <-w.env.Context.Done():
			return "", context.Canceled
		case event := <-w.seen.Events:
			if !w.counts(event) {
				continue
			}
			changes.add(event.Name)
			if busy = true; quiet == nil {
				quiet = after(settled)
			}
		case err := <-w.seen.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				return "", unwatched(err)
			}
			changes.many = true
			if quiet == nil {
				quiet = after(settled)
			}
		case <-quiet:
			if waits++; busy && waits < latest {
				busy, quiet = false, after(settled)
				continue
			}
			return changes.String(), nil
		}
	}
}

// counts reports whether an event is about a file that a run reads.
func (w *watcher) counts(event fsnotify.Event) bool {
	path := filepath.Clean(event.Name)
	if event.Op == fsnotify.Chmod || w.own[path] {
		return false
	}
	for _, r := range w.roots {
		if path == r.path || strings.HasPrefix(r.path, path+string(filepath.Separator)) {
			return true // it, or a folder that it lies in, comes or goes
		}
		if name, below := strings.CutPrefix(path, r.path+string(filepath.Separator)); r.folder && below && !passedBy(name) {
			return true
		}
	}
	return false
}

// passedBy reports whether a path is never read: in a dot folder, or a temporary file.
func passedBy(path string) bool {
	dir, name := filepath.Split(path)
	return strings.HasPrefix(name, door.TemporaryPrefix) ||
		slices.ContainsFunc(strings.Split(filepath.ToSlash(dir), "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
}

type changedNames struct {
	names []string
	many  bool // and more than are named
}

func (n *changedNames) add(path string) {
	name := app.ShownPath(path)
	switch {
	case slices.Contains(n.names, name):
	case len(n.names) < shownChanges:
		n.names = append(n.names, name)
	default:
		n.many = true
	}
}

func (n *changedNames) String() string {
	quoted := make([]string, len(n.names))
	for i, name := range n.names {
		quoted[i] = say.Quoted(name)
	}
	if n.many {
		quoted = append(quoted, "and more")
	}
	return strings.Join(quoted, ", ")
}
