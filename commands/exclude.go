package commands

import (
	"fmt"
	"path/filepath"

	"github.com/cupel-dev/cupel/internal/config"
	"github.com/cupel-dev/cupel/internal/say"
)

// excluding says which paths of a walk cupel.yaml leaves out. Whether it does depends on the
// path alone, never on the operand that leads to it: what lies in a folder that is left out is
// left out, whatever another cupel.yaml inside says.
type excluding struct {
	heeds   *nearest
	files   origin
	folders map[string]string // why each is left out, by absolute path; "": it is not
	err     error             // the first mistake in a cupel.yaml
}

func newExcluding(heeds *nearest, files origin) *excluding {
	return &excluding{heeds: heeds, files: files, folders: map[string]string{}}
}

// why says why a path is left out, "" when it is not.
func (e *excluding) why(path string, isDir bool) string {
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
func (e *excluding) folder(dir string) (why string) {
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

// own says what the configuration that counts for a path says of it.
func (e *excluding) own(path string, isDir bool) string {
	says, err := e.heeds.forFile(path, e.files)
	if err != nil {
		e.note(err)
		return ""
	}
	p := says.Excluder(path, isDir)
	if p == nil {
		return ""
	}
	return fmt.Sprintf("excluded by %s:%d:%d (%s)", shownPath(says.Path), p.Line, p.Column, say.Visible(p.Text))
}

func (e *excluding) note(err error) {
	if e.err == nil {
		e.err = err
	}
}

// shownPath is a path as a user of the current folder writes it, where it lies below that.
func shownPath(path string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	if name, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(name) {
		return filepath.ToSlash(name)
	}
	return path
}
