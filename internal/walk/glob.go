package walk

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/glob"
	"github.com/cupel-dev/cupel/internal/say"
)

// glob adds the matches of a pattern as operands: files are explicit, directories are walked. "**" matches any number
// of non-hidden folders. Matches must be regular files below the pattern's fixed part.
func (w *walker) glob(pattern string) error {
	base, rest := glob.Split(filepath.ToSlash(pattern))
	folder, err := door.Open(base)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.fail(base, say.Plain(err))
		}
		return nil
	}
	defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
	g := ground{base, folder}
	segments := strings.Split(rest, "/")
	return folder.Walk(".", func(name string, d fs.DirEntry, err error) error {
		if w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		if err != nil {
			w.fail(g.path(name), say.Plain(err))
			return nil
		}
		if name == "." {
			return nil
		}
		full, prefix := glob.Path(segments, strings.Split(name, "/"), glob.Visible)
		if full {
			return w.matched(g, name, d)
		}
		if d.IsDir() && !prefix {
			return fs.SkipDir
		}
		return nil
	})
}

// matched adds one match. Links to folders are not followed.
func (w *walker) matched(g ground, name string, d fs.DirEntry) error {
	if d.IsDir() {
		if err := w.below(g, name); err != nil {
			return err
		}
		return fs.SkipDir
	}
	info, err := g.folder.Stat(name)
	if err == nil && info.IsDir() {
		return nil
	}
	if w.opt.ForceExclude && w.excluded(g.path(name), false) {
		return nil
	}
	w.add(g, name, info, err, true)
	return nil
}
