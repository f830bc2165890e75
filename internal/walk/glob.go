package walk

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// glob adds what a pattern matches, as if the shell had expanded it: matched files
// are explicit, matched directories are walked. "**" stands for any number of
// folders, none of them hidden.
func (w *walker) glob(pattern string) error {
	base, rest := splitGlob(filepath.ToSlash(pattern))
	segments := strings.Split(rest, "/")
	return filepath.WalkDir(base, func(at string, d fs.DirEntry, err error) error {
		if w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		if err != nil {
			if at != base {
				w.fail(at, Plain(err))
			}
			return nil
		}
		if at == base {
			return nil
		}
		rel, err := filepath.Rel(base, at)
		if err != nil {
			return err
		}
		names := strings.Split(filepath.ToSlash(rel), "/")
		full, prefix := matchPath(segments, names, matchVisible)
		if full {
			return w.matched(at, d)
		}
		if d.IsDir() && !prefix {
			return fs.SkipDir
		}
		return nil
	})
}

// matched adds one path that a pattern stands for.
func (w *walker) matched(name string, d fs.DirEntry) error {
	info, err := os.Stat(name)
	if err != nil {
		w.fail(name, Plain(err))
		return nil
	}
	if err := w.named(name, info); err != nil {
		return err
	}
	return skip(d)
}
