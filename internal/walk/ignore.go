package walk

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/glob"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
)

// ignoreRules are the .gitignore files in effect: from the repository root to the walked folder,
// and of every folder entered. Format: https://git-scm.com/docs/gitignore
type ignoreRules struct {
	byDir map[string][]ignoreRule // rules of each folder's file
	stop  string                  // topmost folder with rules, absolute
}

// ignoreRule is a line of a .gitignore file.
type ignoreRule struct {
	glob.Pattern
	negated bool // starts with "!"
}

const ignoreFile = ".gitignore"

// maxIgnore limits a file, because a walk matches its patterns one by one.
const maxIgnore = 256 << 10

// rulesAbove reads the files above root, up to the repository root. Outside a repository only the
// walked folders' files apply.
func (w *walker) rulesAbove(root string) *ignoreRules {
	r := &ignoreRules{byDir: map[string][]ignoreRule{}}
	abs := absolute(root)
	if r.stop = repository(abs); r.stop == "" {
		r.stop = abs
	}
	if r.stop == abs {
		return r
	}
	folder, err := door.Open(r.stop)
	if err != nil {
		w.fail(r.stop, say.Plain(err))
		return r
	}
	defer func() { _ = folder.Close() }() // opened for reading: nothing can be lost
	for dir := abs; dir != r.stop; {
		dir = filepath.Dir(dir)
		name, err := filepath.Rel(r.stop, dir)
		if err == nil {
			err = r.load(folder, filepath.ToSlash(name), dir)
		}
		if err != nil {
			w.fail(filepath.Join(dir, ignoreFile), say.Plain(err))
		}
	}
	return r
}

// repository returns the nearest folder at or above dir with .git, or "".
func repository(dir string) string {
	for d := dir; ; {
		if _, err := door.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		up := filepath.Dir(d)
		if up == d {
			return ""
		}
		d = up
	}
}

// load reads a folder's rules, if any.
func (r *ignoreRules) load(folder *door.Folder, name, dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	f, err := folder.Text(path.Join(name, ignoreFile))
	switch {
	case door.Absent(err):
		return nil
	case err != nil:
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	text, err := source.ReadAll(f, maxIgnore)
	if err != nil {
		return &fs.PathError{Op: "read", Path: filepath.Join(dir, ignoreFile), Err: err}
	}
	var rules []ignoreRule
	for line := range strings.Lines(string(text)) {
		if rule, ok := parseIgnore(strings.TrimSuffix(line, "\n")); ok {
			rules = append(rules, rule)
		}
	}
	if len(rules) > 0 {
		r.byDir[abs] = rules
	}
	return nil
}

// parseIgnore reads one line; ok is false for blank lines and comments.
func parseIgnore(line string) (rule ignoreRule, ok bool) {
	line = strings.TrimSuffix(line, "\r")
	if !strings.HasSuffix(line, `\ `) {
		line = strings.TrimRight(line, " ")
	}
	if line == "" || line[0] == '#' {
		return rule, false
	}
	if line[0] == '!' {
		rule.negated, line = true, line[1:]
	}
	rule.Pattern = glob.New(line)
	return rule, line != "" && line != "/"
}

// excludes reports whether the rules exclude path. The last match decides; deeper files have precedence.
func (r *ignoreRules) excludes(path string, isDir bool) bool {
	if len(r.byDir) == 0 {
		return false
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	for dir := filepath.Dir(abs); ; dir = filepath.Dir(dir) {
		if rules := r.byDir[dir]; rules != nil {
			rel := strings.Split(filepath.ToSlash(strings.TrimPrefix(abs[len(dir):], string(filepath.Separator))), "/")
			for i := len(rules) - 1; i >= 0; i-- {
				if rules[i].Matches(rel, isDir) {
					return !rules[i].negated
				}
			}
		}
		if dir == r.stop || dir == filepath.Dir(dir) {
			return false
		}
	}
}
