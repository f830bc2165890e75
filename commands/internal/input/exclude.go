package input

import (
	"fmt"
	"path/filepath"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/say"
)

// Excluding applies the exclusions of cupel.yaml to a walk. The result depends only on the path:
// content of an excluded folder is excluded, regardless of other cupel.yaml files in it.
type Excluding struct {
	heeds   *app.Nearest
	files   app.Origin
	folders map[string]string // why each is left out, by absolute path; "": it is not
	Err     error             // the first mistake in a cupel.yaml
}

// NewExcluding uses the configurations for inputs of an origin.
func NewExcluding(heeds *app.Nearest, files app.Origin) *Excluding {
	return &Excluding{heeds: heeds, files: files, folders: map[string]string{}}
}

// Why says why a path is left out, "" when it is not.
func (e *Excluding) Why(path string, isDir bool) string {
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

// folder is why for a folder and for those that it lies in.
func (e *Excluding) folder(dir string) (why string) {
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

// own returns the exclusion by the path's own configuration.
func (e *Excluding) own(path string, isDir bool) string {
	says, err := e.heeds.ForFile(path, e.files)
	if err != nil {
		e.note(err)
		return ""
	}
	p := says.Excluder(path, isDir)
	if p == nil {
		return ""
	}
	return fmt.Sprintf("excluded by %s (%s)", app.PlaceIn(says, p.Entry), say.Visible(p.Text))
}

func (e *Excluding) note(err error) {
	if e.Err == nil {
		e.Err = err
	}
}
