package input

import (
	"context"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/decided"
	"github.com/cupel-dev/cupel/internal/say"
)

// Excluder applies the exclusions in cupel.yaml to a walk. The result depends only on the path: everything in an
// excluded folder is excluded, regardless of other cupel.yaml files in it.
type Excluder struct {
	heeds   *app.Nearest
	files   app.Origin
	folders map[string]string // why each is left out, by absolute path; "": it is not
	lines   map[string]excludingLine
	flags   config.Config // what --exclude says
	Err     error         // the first mistake in a cupel.yaml
}

type excludingLine struct {
	says    config.Config
	pattern config.Pattern
}

// byFlag begins the reason of an exclusion by the command line.
const byFlag = "excluded by --exclude "

// NewExcluding returns an Excluder for a run's inputs of an origin.
func NewExcluding(c *cli.Context, files app.Origin) (*Excluder, error) {
	flags, err := config.Excluding(c.StringSlice("exclude"))
	if err != nil {
		return nil, &cmdline.UsageError{Message: "--exclude: " + err.Error(), Hint: "patterns are as in .gitignore: legacy/ or **/drafts/*.yaml"}
	}
	return &Excluder{heeds: app.ConfiguredBy(c), files: files, folders: map[string]string{}, lines: map[string]excludingLine{}, flags: flags}, nil
}

// Why returns why a path is excluded, or "".
func (e *Excluder) Why(path string, isDir bool) string {
	path, err := filepath.Abs(path)
	if err != nil {
		e.note(err)
		return ""
	}
	if why := e.folder(filepath.Dir(path)); why != "" {
		return why
	}
	return e.own(path, isDir)
}

// folder returns why a folder or one of its parents is excluded.
func (e *Excluder) folder(dir string) (why string) {
	if known, ok := e.folders[dir]; ok {
		return known
	}
	e.folders[dir] = ""
	top, err := config.Top(dir)
	if err != nil {
		e.note(err)
		return ""
	}
	up := filepath.Dir(dir)
	if dir == top || dir == up {
		return ""
	}
	if why = e.folder(up); why == "" {
		why = e.own(dir, true)
	}
	e.folders[dir] = why
	return why
}

// own returns the exclusion by the command line or the path's own configuration.
func (e *Excluder) own(path string, isDir bool) string {
	if p := e.flags.Excluder(path, isDir); p != nil {
		return byFlag + say.Visible(p.Text)
	}
	says, err := e.heeds.ForFile(path, e.files)
	if err != nil {
		e.note(err)
		return ""
	}
	p := says.Excluder(path, isDir)
	if p == nil {
		return ""
	}
	why := "excluded by " + app.LineIn(says, p.Entry, p.Text)
	e.lines[why] = excludingLine{says, *p}
	return why
}

// Left records for the reports that a path is excluded. why is the result of Why. It returns false if the path is
// excluded by the command line.
func (e *Excluder) Left(ctx context.Context, name, why string) bool {
	line, known := e.lines[why]
	if known {
		decided.Of(ctx).Excluded(app.ShownPath(line.says.Path), app.LineIn(line.says, line.pattern.Entry, line.pattern.Text), name)
	}
	return known
}

func (e *Excluder) note(err error) {
	if e.Err == nil {
		e.Err = err
	}
}
